"""The bot `simple`: plays its own hand, one card at a time, and knocks at once.

Honest description: takes the top discard only if it joins a meld, throws a random card among those that leave
the least deadwood, knocks as soon as it may and never waits for gin. It looks neither at what the opponent
takes and throws nor at the score, and never takes a buried discard. A fair opponent for a beginner,
who can beat it by waiting for gin against its early knocks.
"""

from __future__ import annotations

from random import Random

from gin_bots.laying_off import lay_off
from gin_rules.game import Action
from gin_rules.rummy.cards import mask_of
from gin_rules.rummy.deadwood import best_discards_of_mask, least_of_mask
from gin_rules.rummy.play import BIG_GIN, DRAW_STOCK, PASS, TAKE, discard_action, knock_action
from gin_rules.rummy.view import View


class SimplePlayer:
    """Least deadwood now, knock at once."""

    name = "simple"
    title = "Simple"
    summary = "plays its own hand and knocks at once"
    description = (
        "Takes the top discard only if it joins a meld, throws a card that leaves the least deadwood, "
        "and knocks as soon as it may. Ignores the opponent."
    )
    games = ("rummy",)

    def choose_action(self, view: View, rng: Random) -> Action:
        """An action of ``view.legal_actions``; the view's seat must be to act."""
        if view.phase == "discard":
            return _discard_or_end(view, rng)
        if view.phase == "layoff":
            return lay_off(view)
        if TAKE in view.legal_actions and joins_a_meld(view):
            return TAKE
        return PASS if PASS in view.legal_actions else DRAW_STOCK


def joins_a_meld(view: View) -> bool:
    """Whether the top discard would be in a meld that is worth making."""
    # A card that costs no deadwood is in a meld, and in one that is worth making.
    assert view.top_discard is not None
    hand = mask_of(view.hand)
    return least_of_mask(hand | 1 << view.top_discard) <= least_of_mask(hand)


def _discard_or_end(view: View, rng: Random) -> Action:
    if view.legal_actions[-1] == BIG_GIN:
        return BIG_GIN
    deadwood, cards = best_discards_of_mask(mask_of(view.hand), -1 if view.taken is None else view.taken)
    card = rng.choice(cards)
    return knock_action(card) if deadwood <= view.knock_limit else discard_action(card)
