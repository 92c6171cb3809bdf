"""Settling a hand that somebody ended: melds shown, cards laid off, points (source 004, sections 4 and 5).

The defender's own melds and layoffs interact: a card of an own meld may save more on the knocker's melds. So
both are searched together, over every legal choice of layoffs, each with the exact least deadwood of what is
left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from gin_rules.game import Card, GameError
from gin_rules.rummy.cards import cards_of, mask_of, mask_text, same_rank
from gin_rules.rummy.deadwood import (
    MOST_ARRANGEMENTS,
    arrangements_leaving,
    best_arrangement,
    is_meld,
    least_of_mask,
    meld_text,
    unmelded_value,
)
from gin_rules.rummy.rules import RuleSet

HandEnd = Literal["knock", "gin", "big_gin", "undercut"]
Cards = tuple[Card, ...]


class RefusedKnock(GameError):
    """A knock with too much deadwood, or named melds that are not melds of the hand."""


class Layoff(NamedTuple):
    """Cards of the defender added to one meld of the knocker."""

    cards: Cards
    meld: Cards


class Settlement(NamedTuple):
    """Who wins how much, and the layout that shows it. Deadwood values are those after layoffs."""

    result: HandEnd
    winner: Literal["knocker", "defender"]
    points: int
    knocker_deadwood: int
    defender_deadwood: int
    knocker_melds: tuple[Cards, ...]
    defender_melds: tuple[Cards, ...]
    layoffs: tuple[Layoff, ...]
    difference: int
    """The deadwood part of the points, before any doubling."""
    bonus: int
    """The gin, big gin or undercut bonus before any doubling; 0 for a plain knock."""
    doubled: Literal["none", "deadwood", "all"]
    """What a spade upcard doubled."""


def settle(
    knocker_hand: Iterable[Card],
    defender_hand: Iterable[Card],
    rules: RuleSet,
    *,
    knock_limit: int | None = None,
    melds: Sequence[Iterable[Card]] | None = None,
    spade_upcard: bool = False,
    big_gin: bool = False,
) -> Settlement:
    """Settle a knock with automatic layoffs.

    `knocker_hand` are the cards kept (all of them for big gin), `knock_limit` the limit of this hand (the
    rule set's if not given). Unnamed, the knocker's melds are those with least deadwood, and among equals
    those that pay the knocker best. Zero deadwood is gin whatever was named. `spade_upcard` lets
    ``oklahoma_spades`` double. Raises `RefusedKnock`.
    """
    knocker = mask_of(knocker_hand)
    defender = mask_of(defender_hand)
    limit = rules.knock_limit if knock_limit is None else knock_limit
    named = None if melds is None else [mask_of(meld) for meld in melds]
    shown, deadwood = show_melds(knocker, defender, limit, named)
    if big_gin and deadwood:
        raise RefusedKnock(f"big gin needs all cards melded, {deadwood} deadwood is left")
    chosen: tuple[int, ...] = ()
    if deadwood:
        _, chosen = best_layoffs(shown, defender)
    return settle_shown(knocker, shown, defender, chosen, rules, spade_upcard=spade_upcard, big_gin=big_gin)


def show_melds(knocker: int, defender: int, limit: int, named: Sequence[int] | None) -> tuple[tuple[int, ...], int]:
    """The melds that the knocker lays out, as masks, and the deadwood beside them. Raises `RefusedKnock`."""
    if named is not None:
        check_named_melds(knocker, named)
    least = least_of_mask(knocker)
    if least > limit:
        raise RefusedKnock(f"the kept cards hold {least} deadwood, the limit is {limit}")
    if least == 0 or named is None:
        if least == 0:
            return tuple(mask_of(meld) for meld in best_arrangement(cards_of(knocker)).melds), 0
        choices = islice(arrangements_leaving(knocker, least), MOST_ARRANGEMENTS)
        # The knocker's deadwood is the same for all: the more the defender keeps, the better it pays.
        return max(choices, key=lambda melds: (best_layoffs(melds, defender)[0], -len(melds))), least
    deadwood = unmelded_value(knocker, named)
    if deadwood > limit:
        raise RefusedKnock(f"the named melds leave {deadwood} deadwood, the limit is {limit}")
    return tuple(named), deadwood


def check_named_melds(hand: int, named: Sequence[int]) -> None:
    """Raise `RefusedKnock` unless these are disjoint melds of the hand."""
    used = 0
    for meld in named:
        if not is_meld(meld):
            raise RefusedKnock(f"{mask_text(meld)} is not a meld")
        if meld & ~hand:
            raise RefusedKnock(f"{mask_text(meld & ~hand)} is not among the kept cards")
        if meld & used:
            raise RefusedKnock(f"{mask_text(meld & used)} is named in two melds")
        used |= meld


def settle_shown(
    knocker: int,
    shown: tuple[int, ...],
    defender: int,
    layoffs: tuple[int, ...],
    rules: RuleSet,
    *,
    spade_upcard: bool = False,
    big_gin: bool = False,
) -> Settlement:
    """Points for these melds of the knocker and these layoffs: one mask for each meld, or none at all."""
    left = defender
    for laid in layoffs:
        left &= ~laid
    own = unmelded_value(knocker, shown)
    arrangement = best_arrangement(cards_of(left))
    theirs = arrangement.deadwood
    result: HandEnd
    if own == 0:
        result, bonus = ("big_gin", rules.big_gin_bonus) if big_gin else ("gin", rules.gin_bonus)
    elif theirs <= own:
        result, bonus = "undercut", rules.undercut_bonus
    else:
        result, bonus = "knock", 0
    difference = abs(theirs - own)
    doubled = rules.oklahoma_spades if spade_upcard else "none"
    points = difference * (1 if doubled == "none" else 2) + bonus * (2 if doubled == "all" else 1)
    return Settlement(
        result=result,
        winner="defender" if result == "undercut" else "knocker",
        points=points,
        knocker_deadwood=own,
        defender_deadwood=theirs,
        knocker_melds=tuple(cards_of(meld) for meld in shown),
        defender_melds=arrangement.melds,
        layoffs=tuple(
            Layoff(cards_of(laid), cards_of(meld)) for meld, laid in zip(shown, layoffs, strict=False) if laid
        ),
        difference=difference,
        bonus=bonus,
        doubled=doubled,
    )


def best_layoffs(shown: Sequence[int], defender: int) -> tuple[int, tuple[int, ...]]:
    """The defender's least deadwood against the shown melds, and the layoffs that leave it (one mask a meld).

    Exact over own arrangement and layoffs together; among equals the fewest cards are laid off.
    """
    best = (1000, 0)
    chosen: tuple[int, ...] = ()
    for layoffs in _layoff_choices(tuple(shown), defender):
        laid = 0
        for cards in layoffs:
            laid |= cards
        found = (least_of_mask(defender ^ laid), laid.bit_count())
        if found < best:
            best, chosen = found, layoffs
    return best[0], chosen


def fitting_cards(meld: int, hand: int) -> list[Card]:
    """The cards of the hand that a layoff may add to the meld as it lies now, one at a time."""
    return [card for card in cards_of(hand) if is_meld(meld | 1 << card)]


def layoff_text(card: Card, meld: int) -> str:
    """A layoff of one card, such as ``layoff 8c on 5c6c7c``."""
    return f"layoff {meld_text(1 << card)} on {meld_text(meld)}"


def _layoff_choices(shown: tuple[int, ...], hand: int) -> Iterator[tuple[int, ...]]:
    if not shown:
        yield ()
        return
    for cards in _extensions(shown[0], hand):
        for others in _layoff_choices(shown[1:], hand & ~cards):
            yield (cards, *others)


def _extensions(meld: int, hand: int) -> list[int]:
    # All that the meld can take: sequences at both ends of a run, the fourth card of a set.
    lowest = (meld & -meld).bit_length() - 1
    of_rank = same_rank(Card(lowest))
    if meld & of_rank == meld:
        fourth = of_rank & hand & ~meld
        return [0, fourth] if fourth else [0]
    below = [0]
    for card in range(lowest - 1, lowest - lowest % 13 - 1, -1):
        if not hand >> card & 1:
            break
        below.append(below[-1] | 1 << card)
    highest = meld.bit_length() - 1
    above = [0]
    for card in range(highest + 1, highest - highest % 13 + 13):
        if not hand >> card & 1:
            break
        above.append(above[-1] | 1 << card)
    return [low | high for low in below for high in above]
