"""The bot `beginner`: plays like somebody who has just learnt the game, mistakes included.

Honest description: it wants melds and knows what deadwood is, but it does not always look. It takes discards that only
might become a meld, sometimes passes over one that makes a meld, now and then throws a card on a whim, and often does
not see that it may knock. Manual layoffs it finds one by one, and not all of them. It never breaks a rule.
"""

from __future__ import annotations

from random import Random
from typing import Final

from gin_bots.reading import NEIGHBOURS
from gin_bots.simple_player import joins_a_meld
from gin_rules.game import Action
from gin_rules.rummy.cards import mask_of
from gin_rules.rummy.deadwood import best_discards_of_mask, can_meld
from gin_rules.rummy.play import BIG_GIN, DRAW_STOCK, PASS, TAKE, discard_action, knock_action
from gin_rules.rummy.view import View

_SEES_A_MELD: Final = 0.85
_HOPES: Final = 0.25
_WHIM: Final = 0.25
_SEES_A_KNOCK: Final = 0.5
_SEES_A_GIN: Final = 0.9
_SEES_A_LAYOFF: Final = 0.7


class Beginner:
    """Wants melds, and overlooks things by chance."""

    name = "beginner"
    title = "Beginner"
    summary = "has just learnt the game"
    description = (
        "Plays like somebody who has just learnt the game: takes cards in hope, overlooks melds, throws good cards "
        "on a whim and often does not notice that it could knock."
    )
    games = ("rummy",)

    def choose_action(self, view: View, rng: Random) -> Action:
        """An action of ``view.legal_actions``; the view's seat must be to act."""
        if view.phase == "discard":
            return _discard_or_end(view, rng)
        if view.phase == "layoff":
            return view.legal_actions[0 if rng.random() < _SEES_A_LAYOFF else -1]
        if TAKE in view.legal_actions and _likes_the_top_card(view, rng):
            return TAKE
        return PASS if PASS in view.legal_actions else DRAW_STOCK


def _likes_the_top_card(view: View, rng: Random) -> bool:
    assert view.top_discard is not None
    if joins_a_meld(view):
        return rng.random() < _SEES_A_MELD
    return bool(mask_of(view.hand) & NEIGHBOURS[view.top_discard]) and rng.random() < _HOPES


def _discard_or_end(view: View, rng: Random) -> Action:
    if view.legal_actions[-1] == BIG_GIN:
        return BIG_GIN
    hand = mask_of(view.hand)
    deadwood, cards = best_discards_of_mask(hand, -1 if view.taken is None else view.taken)
    card = rng.choice(cards)
    sees = _SEES_A_KNOCK if deadwood else _SEES_A_GIN
    if deadwood <= view.knock_limit and rng.random() < sees:
        return knock_action(card)
    if rng.random() < _WHIM:
        loose = [held for held in view.hand if held != view.taken and not can_meld(held, hand)]
        card = rng.choice(loose) if loose else card
    return discard_action(card)
