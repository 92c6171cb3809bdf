"""Gin Rummy hands by brute force: every meld, every choice of melds, every layoff.

The oracle shares nothing with the product, not even a card type: a card is a text of rank and suit such as
"7c", a meld is a frozenset of cards. It is written to be obviously right and tries every choice; it is slow.

Guarantee: every function is exact. Sources: 001 and 004 (Deck, Gameplay, Scoring).
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "cdhs"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)

Meld = frozenset[str]
Melds = tuple[Meld, ...]


class IllegalKnockError(Exception):
    """The hand may not be ended this way; the text says why."""


class Arrangement(NamedTuple):
    """Disjoint melds of one hand and the value of the cards outside them."""

    melds: Melds
    deadwood: int


class Defence(NamedTuple):
    """A defender's own melds, the knocker's melds with the cards laid off, and the value of what is left."""

    own_melds: Melds
    table: Melds
    laid_off: frozenset[str]
    deadwood: int


class Settlement(NamedTuple):
    """How a hand ended.

    `result` is "knock", "gin", "big gin" or "undercut"; `points` go to `winner`, "knocker" or
    "defender".
    """

    result: str
    winner: str
    points: int
    knocker_deadwood: int
    defender_deadwood: int
    knocker_melds: Melds

    def worth_to_knocker(self) -> int:
        return self.points if self.winner == "knocker" else -self.points


def cards_of(text: str) -> tuple[str, ...]:
    """The cards of a text, with or without spaces: "7c 8c" or "7c8c".

    Raises ValueError for what is no card and for a card that comes twice.
    """
    letters = text.replace(" ", "")
    cards = tuple(letters[i : i + 2] for i in range(0, len(letters), 2))
    for card in cards:
        if card not in DECK:
            raise ValueError(f"{card!r} is no card")
    if len(set(cards)) != len(cards):
        raise ValueError(f"a card comes twice in {text!r}")
    return cards


def value(card: str) -> int:
    """Deadwood points of one card: ace 1, numbers as printed, faces 10 (source 004, Deadwood Values)."""
    return min(RANKS.index(card[0]) + 1, 10)


def total(cards: Iterable[str]) -> int:
    return sum(value(card) for card in cards)


def is_set(cards: Iterable[str]) -> bool:
    """Three or four cards of one rank. Cards are distinct."""
    cards = list(cards)
    return len(cards) in (3, 4) and len({card[0] for card in cards}) == 1


def is_run(cards: Iterable[str]) -> bool:
    """Three or more consecutive cards of one suit, the ace low only. Cards are distinct."""
    cards = list(cards)
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    one_suit = len({card[1] for card in cards}) == 1
    return len(cards) >= 3 and one_suit and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def is_meld(cards: Iterable[str]) -> bool:
    cards = list(cards)
    return is_set(cards) or is_run(cards)


def all_melds(hand: Iterable[str]) -> list[Meld]:
    """Every meld that the cards of the hand can form, each once, in a fixed order."""
    held = set(hand)
    melds: list[Meld] = []
    for rank in RANKS:
        same_rank = [rank + suit for suit in SUITS if rank + suit in held]
        for size in (3, 4):
            melds.extend(frozenset(cards) for cards in combinations(same_rank, size))
    for suit in SUITS:
        for first in range(len(RANKS)):
            run: list[str] = []
            for rank in RANKS[first:]:
                if rank + suit not in held:
                    break
                run.append(rank + suit)
                if len(run) >= 3:
                    melds.append(frozenset(run))
    return melds


def disjoint_choices(melds: list[Meld]) -> Iterator[Melds]:
    """Every way to choose some of the melds, none included, so that no card is used twice."""
    if not melds:
        yield ()
        return
    first, rest = melds[0], melds[1:]
    yield from disjoint_choices(rest)
    for choice in disjoint_choices([meld for meld in rest if not meld & first]):
        yield (first, *choice)


def all_arrangements(hand: Iterable[str]) -> list[Arrangement]:
    """Every arrangement of the hand, wasteful ones included."""
    hand = frozenset(hand)
    everything = total(hand)
    return [
        Arrangement(melds, everything - sum(total(meld) for meld in melds))
        for melds in disjoint_choices(all_melds(hand))
    ]


def least_deadwood(hand: Iterable[str]) -> int:
    return min(arrangement.deadwood for arrangement in all_arrangements(hand))


def least_arrangements(hand: Iterable[str]) -> list[Arrangement]:
    """All arrangements that reach the least deadwood."""
    arrangements = all_arrangements(hand)
    least = min(arrangement.deadwood for arrangement in arrangements)
    return [arrangement for arrangement in arrangements if arrangement.deadwood == least]


def deadwood_after_discards(eleven: Iterable[str], banned: str | None = None) -> dict[str, int]:
    """For each card that may be thrown, the least deadwood of the cards kept.

    The melds of the kept cards are the melds of all cards that do not hold the thrown one, so one pass over
    the arrangements of all cards sees every arrangement of every kept hand.
    """
    eleven = frozenset(eleven)
    after: dict[str, int] = {}
    for arrangement in all_arrangements(eleven):
        for card in eleven.difference(*arrangement.melds):
            if card != banned:
                left = arrangement.deadwood - value(card)
                after[card] = min(left, after.get(card, left))
    return after


def best_discards(eleven: Iterable[str], banned: str | None = None) -> tuple[int, frozenset[str]]:
    """The least deadwood to be had by throwing one card, and every card whose throw reaches it."""
    after = deadwood_after_discards(eleven, banned)
    least = min(after.values())
    return least, frozenset(card for card, deadwood in after.items() if deadwood == least)


def layoffs(loose: frozenset[str], table: Melds) -> Iterator[tuple[frozenset[str], Melds]]:
    """Every end of laying off some of the loose cards, none included, one card after another.

    Yields (cards still loose, melds on the table). A card may be laid wherever the meld stays a meld, so that
    4c follows 5c on 6c 7c 8c. Each end comes once, whatever the order that led to it.
    """
    seen = {(loose, table)}
    waiting = [(loose, table)]
    while waiting:
        cards, melds = waiting.pop()
        yield cards, melds
        for card in cards:
            for place, meld in enumerate(melds):
                if is_meld(meld | {card}):
                    after = (cards - {card}, (*melds[:place], meld | {card}, *melds[place + 1 :]))
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)


def all_defences(defender: Iterable[str], knocker_melds: Melds) -> Iterator[Defence]:
    """Every own arrangement of the defender with every way to lay off the rest (source 004, Knocking)."""
    hand = frozenset(defender)
    # Two arrangements that leave the same cards have the same layoffs: worked out once.
    known: dict[frozenset[str], list[tuple[frozenset[str], Melds]]] = {}
    for own in all_arrangements(hand):
        loose = hand.difference(*own.melds)
        if loose not in known:
            known[loose] = list(layoffs(loose, knocker_melds))
        for left, table in known[loose]:
            yield Defence(own.melds, table, loose - left, total(left))


def best_defences(defender: Iterable[str], knocker_melds: Melds) -> list[Defence]:
    """All defences that leave the defender the least deadwood."""
    defences = list(all_defences(defender, knocker_melds))
    least = min(defence.deadwood for defence in defences)
    return [defence for defence in defences if defence.deadwood == least]


def least_defence(defender: Iterable[str], knocker_melds: Melds) -> int:
    return min(defence.deadwood for defence in all_defences(defender, knocker_melds))


def check_named_melds(knocker: Iterable[str], melds: Melds) -> int:
    """The deadwood that the named melds leave.

    Raises IllegalKnockError if they are not disjoint melds of the hand.
    """
    left = set(knocker)
    for meld in melds:
        if not is_meld(meld):
            raise IllegalKnockError(f"{sorted(meld)} is no meld")
        if not meld <= left:
            raise IllegalKnockError(f"{sorted(meld)} uses a card that is not held, or twice")
        left -= meld
    return total(left)


def settlement_of(arrangement: Arrangement, defender: Iterable[str], gin_bonus: int, undercut_bonus: int) -> Settlement:
    """The score of a hand whose ten kept cards are shown in this arrangement (source 004, Scoring)."""
    own = arrangement.deadwood
    if own == 0:
        other = least_deadwood(defender)
        return Settlement("gin", "knocker", gin_bonus + other, 0, other, arrangement.melds)
    other = least_defence(defender, arrangement.melds)
    if own < other:
        return Settlement("knock", "knocker", other - own, own, other, arrangement.melds)
    return Settlement("undercut", "defender", undercut_bonus + own - other, own, other, arrangement.melds)


def possible_settlements(
    knocker: Iterable[str],
    defender: Iterable[str],
    *,
    knock_limit: int = 10,
    gin_bonus: int = 25,
    undercut_bonus: int = 25,
    least_only: bool = True,
) -> list[Settlement]:
    """One settlement for each arrangement that the knocker may show: of least deadwood, or all within limit.

    A hand that can be arranged without deadwood is gin, however it is shown.
    Raises IllegalKnockError above the limit.
    """
    knocker = frozenset(knocker)
    arrangements = all_arrangements(knocker)
    least = min(arrangement.deadwood for arrangement in arrangements)
    if least > knock_limit:
        raise IllegalKnockError(f"deadwood {least} is above the limit {knock_limit}")
    highest = least if least_only or least == 0 else knock_limit
    return [
        settlement_of(arrangement, defender, gin_bonus, undercut_bonus)
        for arrangement in arrangements
        if arrangement.deadwood <= highest
    ]


def settle(
    knocker: Iterable[str],
    defender: Iterable[str],
    *,
    knock_limit: int = 10,
    gin_bonus: int = 25,
    undercut_bonus: int = 25,
    big_gin_bonus: int | None = None,
    melds: Melds | None = None,
) -> Settlement:
    """Settle a hand that was ended by the knocker, who keeps ten cards, or all eleven for big gin.

    Named melds are shown as they are; unnamed, the arrangement of least deadwood that pays the knocker best.
    Raises IllegalKnockError above the limit, for wrong melds, and for eleven cards that are no big gin.
    """
    knocker, defender = frozenset(knocker), frozenset(defender)
    named_deadwood = check_named_melds(knocker, melds) if melds is not None else None
    if named_deadwood is not None and named_deadwood > knock_limit:
        raise IllegalKnockError(f"the named melds leave {named_deadwood}, above the limit {knock_limit}")
    if len(knocker) == 11:
        if big_gin_bonus is None or least_deadwood(knocker) > 0:
            raise IllegalKnockError("eleven cards may be kept for big gin only")
        other = least_deadwood(defender)
        shown = least_arrangements(knocker)[0].melds
        return Settlement("big gin", "knocker", big_gin_bonus + other, 0, other, shown)
    if melds is not None and named_deadwood is not None and least_deadwood(knocker) > 0:
        return settlement_of(Arrangement(melds, named_deadwood), defender, gin_bonus, undercut_bonus)
    return max(
        possible_settlements(
            knocker, defender, knock_limit=knock_limit, gin_bonus=gin_bonus, undercut_bonus=undercut_bonus
        ),
        key=Settlement.worth_to_knocker,
    )
