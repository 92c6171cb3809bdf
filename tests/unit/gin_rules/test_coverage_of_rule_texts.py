"""The table of docs/rules/coverage.md names tests that exist, and leaves no cell empty."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "docs" / "rules" / "coverage.md"
SECTIONS_OF_004 = """
1 Introduction|1 Key Terms|1 Players and Objective|2 Required Equipment|2 Card Rank|2 Deadwood Values
2 Meld Requirements|3 Choosing the First Dealer|3 Shuffling and Dealing|3 Opening Choice|3 Incorrect Deals
4 Normal Turn|4 Knocking|4 Declaring Gin|4 Exhausted Stock|4 Exposed Cards and Honest Play|5 Ordinary Knock|5 Gin
5 Undercut|5 Winning the Game|5 Optional Match Bonuses|5 Score Disputes|6 Variants & House Rules|6 Straight Gin
6 Oklahoma Gin|6 Big Gin|6 Alternate Bonuses and Targets|6 Stock and Discard Variations|6 Three or Four Players
6 Friendly Play Conventions
"""


def rows(table: Path) -> list[list[str]]:
    """The cells of every row of the file's tables, heads and rules left out."""
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[0] != "section" and not set(row[0]) <= set("-: ")]


@lru_cache(maxsize=64)
def functions_in(file: Path) -> frozenset[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_every_rule_in_the_table_names_tests_that_exist() -> None:
    wrong = []
    for row in rows(TABLE):
        if len(row) != 3 or not all(row):
            wrong.append(f"a cell is empty: {row}")
            continue
        named = re.findall(r"`([^`]+)`", row[2])
        if not named:
            wrong.append(f"no test: {row}")
        for name in named:
            file, _, test = name.partition("::")
            path = ROOT / "tests" / file
            if not path.is_file() or test not in functions_in(path):
                wrong.append(f"no such test: {name}")
    assert wrong == []


def test_every_section_of_the_full_rules_is_in_the_table() -> None:
    listed = {row[0] for row in rows(TABLE)}
    assert set(SECTIONS_OF_004.strip().replace("\n", "|").split("|")) <= listed
