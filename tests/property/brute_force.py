"""Sets and runs, deadwood and layoffs in the most obvious way: slow, and nothing shared with the product."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

Cards = frozenset[int]


def value(cards: Cards) -> int:
    return sum(min(card % 13 + 1, 10) for card in cards)


def is_meld(cards: Cards) -> bool:
    ranks = sorted(card % 13 for card in cards)
    suits = {card // 13 for card in cards}
    if len(cards) < 3:
        return False
    one_rank = len(set(ranks)) == 1
    in_row = len(suits) == 1 and ranks[-1] - ranks[0] == len(ranks) - 1
    return one_rank or in_row


@lru_cache(maxsize=4096)
def melds(hand: Cards) -> tuple[Cards, ...]:
    """Melds of three, four and five cards; longer runs are several of these."""
    return tuple(
        frozenset(some) for size in (3, 4, 5) for some in combinations(sorted(hand), size) if is_meld(frozenset(some))
    )


def least_deadwood(hand: Cards) -> int:
    """Over every choice of disjoint melds."""
    return _least(hand, melds(hand))


def _least(left: Cards, options: tuple[Cards, ...]) -> int:
    best = value(left)
    for at, meld in enumerate(options):
        if meld <= left:
            best = min(best, _least(left - meld, options[at + 1 :]))
    return best


def least_with_layoffs(shown: tuple[Cards, ...], hand: Cards) -> int:
    """Over every order of laying single cards off, and every arrangement of what is left after each."""
    best = 1000
    seen: set[tuple[frozenset[Cards], Cards]] = set()
    open_: list[tuple[tuple[Cards, ...], Cards]] = [(shown, hand)]
    while open_:
        lying, left = open_.pop()
        key = (frozenset(lying), left)
        if key in seen:
            continue
        seen.add(key)
        best = min(best, least_deadwood(left))
        for at, meld in enumerate(lying):
            open_.extend(
                ((*lying[:at], meld | {card}, *lying[at + 1 :]), left - {card})
                for card in left
                if is_meld(meld | {card})
            )
    return best
