"""Recovery codes: what a person keeps on paper to get back in without the password."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from uuid import UUID

CODES = 8
_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: nothing in it is mistaken for something else
_LENGTH, _PART = 16, 4  # 80 random bits: nobody guesses one
_MISREAD = str.maketrans("OIL", "011")


def new_code(below: Callable[[int], int]) -> str:
    """Such as `7Q2M-K0ZD-9XWA-T4HE`. `below(n)` draws a number under n, for which nobody else may know the next."""
    drawn = "".join(_DIGITS[below(len(_DIGITS))] for _ in range(_LENGTH))
    return "-".join(drawn[at : at + _PART] for at in range(0, _LENGTH, _PART))


def fingerprint(account_id: UUID, code: str) -> bytes:
    """What is kept of a code of the account: the same however the code is typed in, in whatever case."""
    typed = "".join(character for character in code.upper() if character.isalnum()).translate(_MISREAD)
    return hashlib.sha256(account_id.bytes + typed.encode()).digest()
