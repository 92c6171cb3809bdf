"""Check records: ``python -m gin_rules [--words FILE] record.json …`` prints one line a file, be it JSON or a
transcript; exit code 1 if one does not hold. ``--words`` gives the word list that matches of Word Gin were played with,
where it is none of this package.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gin_rules.game import GameError
from gin_rules.record import FORMAT, record_from_text
from gin_rules.transcript import read_transcript
from gin_rules.verify import verify
from gin_rules.word.dictionary import read_dictionary, register_dictionary


def main(paths: list[str]) -> int:
    """Verify each file. Returns 0 when all hold, 1 when one does not, 2 without files or for bad words."""
    if len(paths) > 1 and paths[0] == "--words":
        try:
            register_dictionary(read_dictionary("given", Path(paths[1]).read_bytes()))
        except (OSError, GameError) as problem:
            sys.stderr.write(f"{paths[1]}: {problem}\n")
            return 2
        paths = paths[2:]
    if not paths:
        sys.stderr.write("give the files of one or more match records\n")
        return 2
    failed = False
    for path in paths:
        try:
            text = Path(path).read_text(encoding="utf-8")
            record = read_transcript(text) if text.startswith(FORMAT) else record_from_text(text)
            finding = verify(record)
            verdict = "holds" if finding is None else str(finding)
            failed = failed or finding is not None
        except (OSError, UnicodeDecodeError, GameError) as problem:
            verdict = f"cannot be checked: {problem}"
            failed = True
        sys.stdout.write(f"{path}: {verdict}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
