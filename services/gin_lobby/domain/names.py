"""Names of people: which characters they may hold, and when two of them look alike.

Known gap: letters are compared by a table of what is easily mistaken in Latin, Greek and Cyrillic, not by all of
Unicode's confusable characters.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST_ACCOUNT_NAME = 40
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 1024
GUEST = "Guest"
DELETED = "Deleted player"

# Nothing is seen of these, though they count as letters or marks: fillers, joiners, selectors of variants.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_ALPHABETS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC")
_KEPT_NAMES = re.compile(r"guest\s*\d*|deleted\s+player.*", re.IGNORECASE)

# Lower-case letters and digits, each with what it is mistaken for. One of the letters stands for all that look like it.
_LOOKS_LIKE = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕԁԛԝһӏьз", "abekmhopctyxljsdqwhlb3", strict=True)),
        **dict(zip("αβεζηικμνορτυχγϲϳ", "abezhlkmnoptyxycj", strict=True)),
        **dict(zip("ıi1|!ǃ0", "llllllo", strict=True)),
        **dict.fromkeys("‐‑‒–—−_", "-"),
        **dict.fromkeys("’‘`´ʹʼ", "'"),
    }
)


def why_not_a_name(text: str) -> str | None:
    """What is wrong with the characters of a name, None when nothing is."""
    if text != text.strip() or not text.isprintable():
        return "Only printable characters, and no blanks at the ends."
    if _INVISIBLE.search(text):
        return "No characters that cannot be seen."
    return None


def why_not_an_account_name(text: str) -> str | None:
    """What is wrong with a name that a person chooses, None when nothing is."""
    alphabets = {alphabet for character in text if (alphabet := _alphabet(character))}
    if len(alphabets) > 1:
        mixed = " and ".join(sorted(alphabet.capitalize() for alphabet in alphabets))
        return f"Letters of one alphabet only: these are {mixed}."
    if _KEPT_NAMES.fullmatch(unicodedata.normalize("NFKC", text)):
        return "Names like this are kept for guests and for players who are gone."
    return None if skeleton(text) else "A name needs a letter or a digit."


def skeleton(name: str) -> str:
    """The same text for names that look the same: whatever the case, width or alphabet, and however it is spaced."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.translate(_LOOKS_LIKE).split()).replace("rn", "m").replace("vv", "w")


def _alphabet(character: str) -> str | None:
    """Of a letter that could be mistaken for one of another alphabet."""
    alphabet = unicodedata.name(unicodedata.normalize("NFKC", character)[:1] or " ", "").partition(" ")[0]
    return alphabet if alphabet in _ALPHABETS and character.isalpha() else None
