"""The bot `collector`: deadwood now, and cards that go together.

Honest description: like `simple`, but among discards it weighs what they leave in deadwood against how many cards still
unseen would make a meld with two that it keeps. It remembers what was thrown, but asks neither what the opponent
collects nor when a knock is wise: it knocks as soon as it may.
"""

from __future__ import annotations

from random import Random
from typing import Final

from gin_bots.laying_off import lay_off
from gin_bots.outlook import connections
from gin_bots.reading import read
from gin_bots.simple_player import joins_a_meld
from gin_rules.game import Action
from gin_rules.rummy.cards import cards_of, mask_of
from gin_rules.rummy.deadwood import deadwood_by_discard
from gin_rules.rummy.play import BIG_GIN, DRAW_STOCK, PASS, TAKE, discard_action, knock_action
from gin_rules.rummy.view import View

_CONNECTION: Final = 1.5
"""Points of deadwood that one card which would make a meld is worth."""


class Collector:
    """Least deadwood and most connections, knock at once."""

    name = "collector"
    title = "Collector"
    summary = "keeps what goes together"
    description = (
        "Keeps cards that go together and throws what is loose, remembers what was thrown, and knocks as soon as it "
        "may. Does not ask what you collect."
    )
    games = ("rummy",)

    def choose_action(self, view: View, rng: Random) -> Action:
        """An action of ``view.legal_actions``; the view's seat must be to act. Chance plays no part."""
        if view.phase == "discard":
            return _discard_or_end(view)
        if view.phase == "layoff":
            return lay_off(view)
        if TAKE in view.legal_actions and joins_a_meld(view):
            return TAKE
        return PASS if PASS in view.legal_actions else DRAW_STOCK


def _discard_or_end(view: View) -> Action:
    if view.legal_actions[-1] == BIG_GIN:
        return BIG_GIN
    hand = mask_of(view.hand)
    options = deadwood_by_discard(hand, -1 if view.taken is None else view.taken)
    least, card = min((left, card) for card, left in options)
    if least <= view.knock_limit:
        return knock_action(card)
    chances = dict.fromkeys(cards_of(read(view).unseen), 1.0)

    def cost(option: tuple[int, int]) -> float:
        card, left = option
        rest = hand ^ 1 << card
        return left - _CONNECTION * connections(rest, cards_of(rest), chances) / 2

    return discard_action(min(options, key=cost)[0])
