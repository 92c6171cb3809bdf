"""Drawing of lots: a number out of the tournament's seed and a name, the same for ever."""

from __future__ import annotations

from hashlib import blake2b


def lot(seed: int, name: str) -> int:
    """48 bits; the higher lot stands first."""
    return int.from_bytes(blake2b(f"{seed}:{name}".encode(), digest_size=6).digest(), "big")
