"""The bot `planner`: looks one card ahead, and knocks the later the less.

Honest description: it keeps the hand that will have the least deadwood after the next card from the stock and the best
discard, each unseen card being as likely as the others, and takes the top discard if that leaves less than drawing
promises. Its limit for a knock falls with the turns: who has not knocked for long is about to. It does not ask what the
opponent collects.
"""

from __future__ import annotations

from random import Random
from typing import Final

from gin_bots.laying_off import lay_off
from gin_bots.outlook import MOST_DEADWOOD, Stock, outlook, stock_of
from gin_bots.reading import read
from gin_rules.game import Action, Card
from gin_rules.rummy.cards import cards_of, mask_of, parse_card
from gin_rules.rummy.deadwood import deadwood_by_discard
from gin_rules.rummy.play import BIG_GIN, DRAW_STOCK, PASS, TAKE, discard_action, knock_action
from gin_rules.rummy.view import View

_NOW: Final = 0.18
"""Weight of the deadwood as it is, beside 1 less it for what it will be."""
_FAR_BEHIND: Final = 8
"""A discard that leaves so much more deadwood than the best one is not looked at."""
_TAKING: Final = 0.6
"""Points of deadwood by which a taken card must beat what drawing promises: the opponent sees it."""

_NO_WORTHS: Final = (0.0,) * (MOST_DEADWOOD + 1)


class Planner:
    """Least deadwood one card ahead."""

    name = "planner"
    title = "Planner"
    summary = "looks one card ahead"
    description = (
        "Keeps the hand that will be best after the next card, and knocks early with much deadwood, late only with "
        "little. Does not ask what you collect."
    )
    games = ("rummy",)

    def choose_action(self, view: View, rng: Random) -> Action:
        """An action of ``view.legal_actions``; the view's seat must be to act. Chance plays no part."""
        if view.phase == "discard":
            return _discard_or_end(view)
        if view.phase == "layoff":
            return lay_off(view)
        return _take_or_draw(view)


def _take_or_draw(view: View) -> Action:
    stock = _stock(view)
    hand = mask_of(view.hand)
    best, choice = _TAKING, PASS if PASS in view.legal_actions else DRAW_STOCK
    promised = outlook(hand, stock, _NO_WORTHS).deadwood
    for action in view.legal_actions:
        if not action.startswith(TAKE):
            continue
        held, taken = hand_after_take(view, action)
        gain = promised - min(left for _, left in deadwood_by_discard(held, taken))
        if gain > best:
            best, choice = gain, action
    return choice


def hand_after_take(view: View, action: Action) -> tuple[int, Card]:
    """The hand, as a mask, after ``take`` or taking a buried card, and the card that may not be thrown."""
    assert view.top_discard is not None
    hand = mask_of(view.hand)
    if action == TAKE:
        return hand | 1 << view.top_discard, view.top_discard
    assert view.pile is not None
    card = parse_card(action[5:])
    return hand | mask_of(view.pile[view.pile.index(card) :]), card


def _discard_or_end(view: View) -> Action:
    if view.legal_actions[-1] == BIG_GIN:
        return BIG_GIN
    hand = mask_of(view.hand)
    options = deadwood_by_discard(hand, -1 if view.taken is None else view.taken)
    least, card = min((left, card) for card, left in options)
    if least <= view.knock_limit and least <= max(10 - view.turns / 2, 0):
        return knock_action(card)
    stock = _stock(view)

    def cost(option: tuple[Card, int]) -> float:
        card, left = option
        return _NOW * left + (1 - _NOW) * outlook(hand ^ 1 << card, stock, _NO_WORTHS).deadwood

    return discard_action(min((each for each in options if each[1] <= least + _FAR_BEHIND), key=cost)[0])


def _stock(view: View) -> Stock:
    return stock_of(dict.fromkeys(cards_of(read(view).unseen), 1.0))
