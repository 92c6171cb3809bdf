"""Make the word list ``scowl-60`` from Debian's package ``scowl`` (``apt-get install scowl``).

    python tools/make_word_list.py [folder of SCOWL's lists]

Takes the ``english-words`` and ``american-words`` lists up to size 60, keeps the words of 3 to 15 lower-case
letters a to z (so nothing that needs a capital, an apostrophe or an accent), adds our own list of two-letter
words, and writes the sorted result, SCOWL's copyright text and a note of origin. Run again, it makes the same words.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import sys
from pathlib import Path

DICTIONARIES = Path(__file__).parents[1] / "shared/gin_rules/word/data/dictionaries"
SCOWL = Path("/usr/share/dict/scowl")
COPYRIGHT = Path("/usr/share/doc/scowl/copyright")
SIZES = (10, 20, 35, 40, 50, 55, 60)
KINDS = ("english-words", "american-words")
# SCOWL's own two-letter entries are mostly plurals of letters ("ks"), hence a list of our own.
ACCEPTED = re.compile(r"[a-z]{3,15}")


def words_of(scowl: Path) -> list[str]:
    """The words of the lists in this folder and our two-letter words, sorted, none twice."""
    words = set((DICTIONARIES / "two_letter_words.txt").read_text(encoding="utf-8").split())
    for kind in KINDS:
        for size in SIZES:
            lines = (scowl / f"{kind}.{size}").read_text(encoding="iso-8859-1").splitlines()
            words.update(line for line in lines if ACCEPTED.fullmatch(line))
    return sorted(words)


def main(arguments: list[str]) -> int:
    """Write the three files beside the two-letter list."""
    scowl = Path(arguments[0]) if arguments else SCOWL
    words = words_of(scowl)
    canonical = "".join(f"{word}\n" for word in words).encode("ascii")
    digest = hashlib.sha256(canonical).hexdigest()
    (DICTIONARIES / "scowl-60.txt.gz").write_bytes(gzip.compress(canonical, 9, mtime=0))
    (DICTIONARIES / "scowl-60.copyright.txt").write_bytes(COPYRIGHT.read_bytes())
    (DICTIONARIES / "scowl-60.origin.md").write_text(origin(len(words), digest), encoding="utf-8")
    sys.stdout.write(f"{len(words)} words, SHA-256 {digest}\n")
    return 0


def origin(count: int, digest: str) -> str:
    """The note that stands beside the list."""
    kinds, sizes = " and ".join(f"`{kind}`" for kind in KINDS), ", ".join(map(str, SIZES))
    return f"""# scowl-60

{count} words, SHA-256 of the canonical list (sorted, one word and a line feed each): `{digest}`

- Three letters and more: SCOWL (Spell Checker Oriented Word Lists) by Kevin Atkinson and contributors, from Debian's
  package `scowl`, lists {kinds} of the sizes {sizes}; lower case a to z only, at most 15 letters.
  Copyright and permission: `scowl-60.copyright.txt`. This is a selection of those lists.
- Two letters: `two_letter_words.txt`, our own list.

Made by `tools/make_word_list.py`.
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
