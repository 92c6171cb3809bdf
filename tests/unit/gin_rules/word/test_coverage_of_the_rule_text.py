"""The table that leads from each sentence of the rule text to its tests is true."""

from __future__ import annotations

import ast
import re
from pathlib import Path

FOLDER = Path(__file__).parent
TABLE = Path(__file__).parents[4] / "docs" / "rules" / "coverage_word.md"
ROW = re.compile(r"^\| (\d+)([a-z]) \| [^|]+ \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def rows() -> dict[tuple[int, str], list[tuple[str, str]]]:
    """The named tests by rule and sentence."""
    found = ROW.findall(TABLE.read_text(encoding="utf-8"))
    return {(int(rule), sentence): NAMED.findall(tests) for rule, sentence, tests in found}


def tests_in(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_every_named_test_exists() -> None:
    existing = {file.name: tests_in(file) for file in FOLDER.glob("test_*.py")}
    missing = [(file, name) for tests in rows().values() for file, name in tests if name not in existing.get(file, ())]
    assert missing == []


def test_every_sentence_of_every_rule_has_a_test() -> None:
    sentences = "1ab 2ab 3abc 4abc 5a 6ab 7ab 8ab 9abcd 10abc 11ab 12abc"
    expected = [
        (int(re.sub(r"\D", "", rule)), letter) for rule in sentences.split() for letter in re.sub(r"\d", "", rule)
    ]
    assert list(rows()) == expected
    assert all(rows().values())
