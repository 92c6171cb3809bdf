"""What a player of Gin Rummy can tell from what both have seen: which cards are where, and how likely.

The opponent's takes, throws and refusals are evidence: a card near one that was thrown is rather in the stock, a card
near one that was taken rather in the opponent's hand. The factors were fitted by play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from gin_rules.game import Card
from gin_rules.rummy.cards import DECK_SIZE, mask_of, parse_card, same_rank
from gin_rules.rummy.view import View

_FULL: Final = (1 << DECK_SIZE) - 1
_NEAR_THROWN, _NEAR_DECLINED, _NEAR_HELD, _DEARER = 0.5, 0.55, 2.5, 0.95


def _neighbours(card: Card) -> int:
    rank = card % 13
    near = same_rank(card) ^ 1 << card
    if rank:
        near |= 1 << card - 1
    if rank < 12:
        near |= 1 << card + 1
    return near


def _pairs(card: int) -> tuple[tuple[Card, Card], ...]:
    rank, suit = card % 13, card - card % 13
    of_rank = [other for other in range(rank, DECK_SIZE, 13) if other != card]
    sets = [(of_rank[0], of_rank[1]), (of_rank[0], of_rank[2]), (of_rank[1], of_rank[2])]
    runs = [(rank - 2, rank - 1), (rank - 1, rank + 1), (rank + 1, rank + 2)]
    pairs = [*sets, *((suit + low, suit + high) for low, high in runs if low >= 0 and high <= 12)]
    return tuple((Card(one), Card(other)) for one, other in pairs)


NEIGHBOURS: Final[tuple[int, ...]] = tuple(_neighbours(Card(card)) for card in range(DECK_SIZE))
"""By card: the others of its rank and the cards next to it in its suit, as a mask."""
PAIRS: Final[tuple[tuple[tuple[Card, Card], ...], ...]] = tuple(_pairs(card) for card in range(DECK_SIZE))
"""By card: every two cards that are a meld together with it."""
_VALUE_FACTORS: Final = tuple(_DEARER ** (min(card % 13 + 1, 10) - 6.5) for card in range(DECK_SIZE))


class Reading(NamedTuple):
    """What is known of the cards that are not in the own hand. Cards are masks."""

    unseen: int
    """In the stock or in the opponent's hand, unknown which."""
    held: int
    """In the opponent's hand for certain: taken from the pile and not thrown since."""
    pile: int
    thrown: int
    """Of the opponent, in this hand."""
    declined: int
    """Top discards that the opponent passed, or left for a card from the stock."""
    unknown: int
    """How many cards of the opponent's hand are unknown."""


def read(view: View) -> Reading:
    """Folds the history of the hand. A history whose beginning is missing only tells less."""
    me = view.seat
    seat = 1 - view.dealer
    pile = [view.upcard]
    held = thrown = declined = 0
    for action in view.history:
        verb = action[:4]
        if verb == "draw":
            if seat != me and pile:
                declined |= 1 << pile[-1]
        elif verb == "disc" or verb == "knoc":
            card = parse_card(action.split(" ")[1])
            pile.append(card)
            if seat != me:
                thrown |= 1 << card
                held &= ~(1 << card)
            seat = 1 - seat
        elif verb == "take":
            wanted = parse_card(action[5:]) if len(action) > 4 else None
            while pile:
                card = pile.pop()
                if seat != me:
                    held |= 1 << card
                if wanted is None or card == wanted:
                    break
        elif verb == "pass":
            if seat != me:
                declined |= 1 << pile[-1]
            seat = 1 - seat
    # A pile that was turned over is the stock now: only what lies on the new pile is known.
    lies = mask_of(pile[max(len(pile) - view.pile_size, 0) :])
    if view.top_discard is not None:
        lies |= 1 << view.top_discard
    own = mask_of(view.hand)
    held &= ~(own | lies)
    sizes = view.hand_sizes
    unknown = sizes[1 - me] if me is not None else sizes[0]
    return Reading(
        unseen=_FULL & ~(own | lies | held),
        held=held,
        pile=lies,
        thrown=thrown,
        declined=declined,
        unknown=max(unknown - held.bit_count(), 0),
    )


def chances_held(reading: Reading) -> dict[Card, float]:
    """For each unseen card, the chance that the opponent holds it."""
    thrown, declined, held = reading.thrown, reading.declined & ~reading.thrown, reading.held
    weights = {}
    total = 0.0
    left = reading.unseen
    while left:
        low = left & -left
        left ^= low
        card = Card(low.bit_length() - 1)
        near = NEIGHBOURS[card]
        weight = _VALUE_FACTORS[card]
        if near & thrown:
            weight *= _NEAR_THROWN ** (near & thrown).bit_count()
        if near & declined:
            weight *= _NEAR_DECLINED ** (near & declined).bit_count()
        if near & held:
            weight *= _NEAR_HELD ** (near & held).bit_count()
        weights[card] = weight
        total += weight
    scale = reading.unknown / total if total else 0.0
    return {card: min(weight * scale, 1.0) for card, weight in weights.items()}


def danger(card: int, reading: Reading, chances: Mapping[Card, float]) -> float:
    """The chance that the card makes a meld with cards of the opponent."""
    safe = 1.0
    held = reading.held
    for one, other in PAIRS[card]:
        p = (1.0 if held >> one & 1 else chances.get(one, 0.0)) * (
            1.0 if held >> other & 1 else chances.get(other, 0.0)
        )
        if p:
            safe *= 1.0 - p
    return 1.0 - safe
