"""Exact least deadwood and best discards: the hot path of engine and bots.

A suit is a 13-bit mask. One table gives the least deadwood of each of the 8,192 masks by runs alone, another
the most that shedding one card of it gains. Sets join suits, but only a rank held in three or four suits can
be a set: each such rank is tried as every set it can be (or none), its cards leave their suits, and four
look-ups give the rest. Every arrangement is covered, because what is left of a suit after the sets is melded
by runs or not at all.

Any number of cards is right, not only ten or eleven: hands grow when buried discards may be taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from gin_rules.game import Card
from gin_rules.native import i64
from gin_rules.rummy.cards import CARD_TEXTS, CARD_VALUES, SUIT_MASK, cards_of, mask_of, same_rank, value_of
from gin_rules.rummy.large_hands import least_of_many

# Filled at first use, about 20 ms: importing this module must cost nothing.
_RUNS: Final[list[int]] = []
_GAINS: Final[list[int]] = []
_VALUES: Final[list[int]] = []  # the sum of the deadwood values of a suit's mask
_MOST_SHED: Final = 10
_NOTHING_TO_SHED: Final = -1000
_MOST_TRIED: Final = 4  # set ranks; ten or eleven cards have at most three

MOST_ARRANGEMENTS: Final = 1000
"""Equal arrangements that are compared. Eleven cards have far fewer; hands grown by buried draws may not."""


class Arrangement(NamedTuple):
    """Melds of a hand (each by suit and rank, disjoint) and the deadwood of the cards in none of them."""

    deadwood: int
    melds: tuple[tuple[Card, ...], ...]


def least_deadwood(hand: Iterable[Card]) -> int:
    """The least deadwood over all arrangements in sets and runs (source 004, Meld Requirements)."""
    return least_of_mask(mask_of(hand))


def least_of_mask(hand: int) -> int:
    """`least_deadwood` of a 52-bit mask."""
    return least_of_suits(hand & SUIT_MASK, hand >> 13 & SUIT_MASK, hand >> 26 & SUIT_MASK, hand >> 39)


def least_of_suits(c: i64, d: i64, h: i64, s: i64) -> i64:
    """`least_deadwood` of four 13-bit masks: clubs, diamonds, hearts, spades."""
    if not _RUNS:
        _fill_tables()
    ranks: int = c & d & (h | s) | h & s & (c | d)
    if ranks:
        if ranks.bit_count() > _MOST_TRIED:
            return least_of_many(c, d, h, s)
        return _least_with_sets(c, d, h, s, ranks)
    return _RUNS[c] + _RUNS[d] + _RUNS[h] + _RUNS[s]


def least_after_discard(hand: int) -> int:
    """The least deadwood that the mask's cards can have after discarding one of them, whichever it is."""
    return least_after_discard_of_suits(hand & SUIT_MASK, hand >> 13 & SUIT_MASK, hand >> 26 & SUIT_MASK, hand >> 39)


def least_after_discard_of_suits(c: i64, d: i64, h: i64, s: i64) -> i64:
    """`least_after_discard` of four 13-bit masks."""
    if not _RUNS:
        _fill_tables()
    ranks: int = c & d & (h | s) | h & s & (c | d)
    if ranks:
        if ranks.bit_count() > _MOST_TRIED:
            hand = c | d << 13 | h << 26 | s << 39
            return min(left for _, left in deadwood_by_discard(hand))
        return _least_shed_with_sets(c, d, h, s, ranks)
    gains = _GAINS
    return _RUNS[c] + _RUNS[d] + _RUNS[h] + _RUNS[s] - max(gains[c], gains[d], gains[h], gains[s])


def a_discard_can_leave(deadwood: i64, c: i64, d: i64, h: i64, s: i64) -> bool:
    """Whether some discard leaves the cards of four 13-bit masks at most this deadwood: `least_after_discard` is no
    more than it, found out in half the time for the many hands that are far from it.
    """
    if not _RUNS:
        _fill_tables()
    # Out of a suit, a card takes no more than its value away; so neither do sets, nor the discard.
    least = _RUNS[c] + _RUNS[d] + _RUNS[h] + _RUNS[s] - _MOST_SHED
    ranks = c & d & (h | s) | h & s & (c | d)
    if ranks:
        least -= 3 * _VALUES[ranks] + _VALUES[c & d & h & s]
    return least <= deadwood and least_after_discard_of_suits(c, d, h, s) <= deadwood


def best_discards(hand: Iterable[Card], banned: Card | None = None) -> tuple[int, tuple[Card, ...]]:
    """The least deadwood that a discard can leave, and every discard that leaves it, by suit and rank.

    `banned` is the card that the return ban keeps in the hand (source 004, Normal Turn). The hand must hold a
    card that may be discarded.
    """
    return best_discards_of_mask(mask_of(hand), -1 if banned is None else banned)


def best_discards_of_mask(hand: int, banned: int = -1) -> tuple[int, tuple[Card, ...]]:
    """`best_discards` of a mask; `banned` is -1 when every card may go."""
    best = 1000
    cards: list[Card] = []
    for card, left in deadwood_by_discard(hand, banned):
        if left < best:
            best = left
            cards = [card]
        elif left == best:
            cards.append(card)
    return best, tuple(cards)


def deadwood_by_discard(hand: int, banned: int = -1) -> list[tuple[Card, int]]:
    """Each card that may be discarded with the least deadwood that it leaves, by suit and rank."""
    return [(card, least_of_mask(hand ^ 1 << card)) for card in cards_of(hand) if card != banned]


def best_arrangement(hand: Iterable[Card]) -> Arrangement:
    """An arrangement with the least deadwood; among equals one with the fewest melds."""
    return _best_arrangement(mask_of(hand))


@lru_cache(maxsize=4096)  # a hand is looked at after every action of the others, too
def _best_arrangement(mask: int) -> Arrangement:
    least = least_of_mask(mask)
    found = islice(arrangements_leaving(mask, least), MOST_ARRANGEMENTS)
    melds = min(found, key=lambda melds: (len(melds), melds))
    return Arrangement(least, tuple(cards_of(meld) for meld in melds))


def arrangements_leaving(hand: int, deadwood: int) -> Iterator[tuple[int, ...]]:
    """Every way to lay out disjoint melds (as masks) of the hand that leaves exactly its least deadwood.

    `deadwood` must be that least. Two runs that join are given as one run only: they take the same layoffs.
    """
    by_lowest: dict[int, list[int]] = {}
    for meld in melds_in(hand):
        by_lowest.setdefault(meld & -meld, []).append(meld)
    yield from _arrangements(hand, deadwood, by_lowest, ())


def _arrangements(
    left: int, budget: int, by_lowest: dict[int, list[int]], melds: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    # The lowest card left is in a meld of which it is the lowest card, or it is deadwood. A branch that
    # cannot reach the budget is left at once, so that the work is in proportion to what is found.
    if not left:
        yield melds
        return
    low = left & -left
    for meld in by_lowest.get(low, ()):
        rest = left ^ meld
        if meld & left == meld and not _continues_a_run(meld, melds) and least_of_mask(rest) <= budget:
            yield from _arrangements(rest, budget, by_lowest, (*melds, meld))
    value = CARD_VALUES[low.bit_length() - 1]
    if value <= budget and least_of_mask(left ^ low) <= budget - value:
        yield from _arrangements(left ^ low, budget - value, by_lowest, melds)


def _continues_a_run(meld: int, melds: tuple[int, ...]) -> bool:
    low = meld & -meld
    before = low >> 1
    if not meld & low << 1 or low.bit_length() % 13 == 1:  # a set, or no card of the suit below
        return False
    return any(other & before and other & before >> 1 for other in melds)


def can_meld(card: Card, hand: int) -> bool:
    """Whether some set or run of the hand's cards holds this card of it."""
    if (hand & same_rank(card)).bit_count() >= 3:
        return True
    rank = card % 13
    suit = hand >> (card - rank) & SUIT_MASK
    return any(suit >> low & 0b111 == 0b111 for low in range(max(rank - 2, 0), rank + 1))


def melds_in(hand: int) -> list[int]:
    """Every meld in the hand, as masks: sets of three and four, runs of three and more, the ace low."""
    melds = []
    for rank in range(13):
        held = hand & same_rank(Card(rank))
        count = held.bit_count()
        if count == 4:
            melds.append(held)
            melds.extend(held ^ 1 << card for card in cards_of(held))
        elif count == 3:
            melds.append(held)
    for first in cards_of(hand):
        run = 1 << first
        for card in range(first + 1, first - first % 13 + 13):
            if not hand >> card & 1:
                break
            run |= 1 << card
            if run.bit_count() >= 3:
                melds.append(run)
    return melds


def is_meld(cards: int) -> bool:
    """Whether the cards of the mask are a set or a run (source 004, Meld Requirements)."""
    count = cards.bit_count()
    if count < 3:
        return False
    low = cards & -cards
    lowest = low.bit_length() - 1
    if cards & same_rank(Card(lowest)) == cards:
        return True
    return lowest % 13 + count <= 13 and cards == ((1 << count) - 1) << lowest


def unmelded_value(hand: int, melds: Iterable[int]) -> int:
    """The deadwood of a hand of which these disjoint melds are laid out."""
    for meld in melds:
        hand &= ~meld
    return value_of(hand)


def meld_text(cards: int) -> str:
    """A meld, such as ``4c5c6c``."""
    return "".join(CARD_TEXTS[card] for card in cards_of(cards))


def _least_with_sets(c: i64, d: i64, h: i64, s: i64, ranks: i64) -> i64:
    rank = ranks & -ranks
    others = ranks ^ rank
    runs = _RUNS
    best = 1000
    for c1, d1, h1, s1 in _ways(c, d, h, s, rank):
        left = _least_with_sets(c1, d1, h1, s1, others) if others else runs[c1] + runs[d1] + runs[h1] + runs[s1]
        if left < best:
            best = left
    return best


def _least_shed_with_sets(c: i64, d: i64, h: i64, s: i64, ranks: i64) -> i64:
    rank = ranks & -ranks
    others = ranks ^ rank
    runs = _RUNS
    gains = _GAINS
    best = 1000
    for c1, d1, h1, s1 in _ways(c, d, h, s, rank):
        if others:
            left = _least_shed_with_sets(c1, d1, h1, s1, others)
        else:
            left = runs[c1] + runs[d1] + runs[h1] + runs[s1]
            left -= max(gains[c1], gains[d1], gains[h1], gains[s1])
        if left < best:
            best = left
    return best


def _ways(c: i64, d: i64, h: i64, s: i64, rank: i64) -> tuple[tuple[i64, i64, i64, i64], ...]:
    # The suits without the set of this rank, for no set and for each set that the rank can be.
    keep = ~rank
    whole = (c, d, h, s)
    if not c & rank:
        return whole, (c, d & keep, h & keep, s & keep)
    if not d & rank:
        return whole, (c & keep, d, h & keep, s & keep)
    if not h & rank:
        return whole, (c & keep, d & keep, h, s & keep)
    if not s & rank:
        return whole, (c & keep, d & keep, h & keep, s)
    c1, d1, h1, s1 = c & keep, d & keep, h & keep, s & keep
    return whole, (c1, d1, h1, s1), (c, d1, h1, s1), (c1, d, h1, s1), (c1, d1, h, s1), (c1, d1, h1, s)


def _fill_tables() -> None:
    runs = [0] * (SUIT_MASK + 1)
    values = [0] * (SUIT_MASK + 1)
    for mask in range(1, SUIT_MASK + 1):
        low = mask & -mask
        value = CARD_VALUES[low.bit_length() - 1]
        values[mask] = value + values[mask ^ low]
        least = value + runs[mask ^ low]
        for shape in (0b111, 0b1111, 0b11111):  # a longer run is several of these
            run = low * shape
            if mask & run == run:
                least = min(least, runs[mask ^ run])
        runs[mask] = least
    gains = [_NOTHING_TO_SHED] * (SUIT_MASK + 1)
    for mask in range(1, SUIT_MASK + 1):
        left = mask
        gain = _NOTHING_TO_SHED
        while left:
            low = left & -left
            left ^= low
            gain = max(gain, runs[mask] - runs[mask ^ low])
        gains[mask] = gain
    _GAINS.extend(gains)
    _VALUES.extend(values)
    _RUNS.extend(runs)  # last: functions look whether this one is filled
