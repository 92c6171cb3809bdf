"""Deals that anyone can check.

Before the first card the house publishes `commitment(salt, seed)`; every player may add entropy of their own,
so that no side alone chooses the cards; after the match the house publishes salt and seed, and anybody can
deal the match again.

Algorithm ``hmac-sha256-fisher-yates/1``: a stream of bytes, HMAC-SHA256 in counter mode, keyed with the
server seed, over the algorithm's name, the match id, every player's entropy, what is shuffled and the block
number. Fisher-Yates takes its numbers from the stream by rejection: a byte that would favour some cards is
thrown away, so all orders are equally likely.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from gin_rules.game import Card
from gin_rules.native import i64

_T = TypeVar("_T")

ALGORITHM: Final = "hmac-sha256-fisher-yates/1"
SEED_BYTES: Final = 32
_MOST_CARDS: Final = 256
_FAIR: Final = tuple(256 - 256 % places for places in range(1, _MOST_CARDS + 1))
"""By the highest place: from this byte on, a byte would favour the lowest places."""
_BLOCK_BYTES: Final = 64  # of SHA-256, as HMAC (RFC 2104) pads its key
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


def commitment(salt: bytes, seed: bytes) -> str:
    """SHA-256 of salt and seed as 64 hex digits: published before the deal, opened after the match.

    Raises `ValueError` unless the seed has `SEED_BYTES`: with a free length one commitment could be opened as
    several seeds, by moving bytes between salt and seed.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, this one has {len(seed)}")
    return hashlib.sha256(salt + seed).hexdigest()


@dataclass(frozen=True, slots=True)
class SeededDeals:
    """All the chance of one match (the `gin_rules.game.Deals` of real play), fixed by seed, entropy and match
    id.
    """

    server_seed: bytes
    entropy: tuple[bytes, ...]
    """By seat; empty bytes for a player who gave none."""
    match_id: str
    """Or one id for all tables of a round that play the same cards."""
    deck_size: int = 52

    def deck(self, hand_number: int) -> tuple[Card, ...]:
        """The whole shuffled deck of a hand, numbered from 1."""
        return tuple(self._shuffled(f"deck/{hand_number}", self._unshuffled()))

    def cut(self, attempt: int, seats: int) -> tuple[Card, ...]:
        """One card a seat, all different, for the first deal; attempts count from 1."""
        return tuple(self._shuffled(f"cut/{attempt}", self._unshuffled())[:seats])

    def reshuffle(self, hand_number: int, time: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The given cards in a new order; `time` counts the reshuffles of the hand from 1."""
        return tuple(self._shuffled(f"reshuffle/{hand_number}/{time}", list(cards)))

    def _shuffled(self, purpose: str, cards: list[_T]) -> list[_T]:
        # At most 256 cards, so that one byte of the stream is enough for a place in the deck.
        if len(cards) > _MOST_CARDS:
            raise ValueError(f"at most {_MOST_CARDS} cards can be shuffled")
        message = self._message(purpose)
        key = self.server_seed if len(self.server_seed) <= _BLOCK_BYTES else hashlib.sha256(self.server_seed).digest()
        key = key.ljust(_BLOCK_BYTES, b"\0")
        inner, outer = key.translate(_INNER) + message, key.translate(_OUTER)
        last: i64 = len(cards) - 1
        block = 0
        while last > 0:
            # HMAC written out: of the library's, half the time goes into looking the algorithm up again and again.
            digest = hashlib.sha256(inner + block.to_bytes(4, "big")).digest()
            stream: bytes = hashlib.sha256(outer + digest).digest()
            for byte in stream:
                if byte < _FAIR[last]:
                    place: i64 = byte % (last + 1)
                    cards[last], cards[place] = cards[place], cards[last]
                    last -= 1
                    if last == 0:
                        break
            block += 1
        return cards

    def _unshuffled(self) -> list[Card]:
        return cast(list[Card], list(range(self.deck_size)))

    def _message(self, purpose: str) -> bytes:
        # Each part with its length before it: no two different lists of parts give the same bytes.
        parts = (ALGORITHM.encode(), self.match_id.encode(), *self.entropy, purpose.encode())
        return b"".join([len(part).to_bytes(4, "big") + part for part in parts])
