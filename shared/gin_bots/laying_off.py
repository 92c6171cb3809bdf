"""How the bots lay off where the rules leave it to the defender."""

from __future__ import annotations

from gin_rules.game import Action
from gin_rules.rummy.cards import mask_of
from gin_rules.rummy.play import DONE
from gin_rules.rummy.settlement import best_layoffs, fitting_cards, layoff_text
from gin_rules.rummy.view import View


def lay_off(view: View) -> Action:
    """The next layoff of those that leave the least deadwood, or ``done``. The view's seat must be to lay off."""
    shown = view.shown
    assert shown is not None
    melds = [mask_of(meld) for meld in shown.melds]
    _, layoffs = best_layoffs(melds, mask_of(view.hand))
    for meld, laid in zip(melds, layoffs, strict=True):
        for card in fitting_cards(meld, laid):
            return Action(layoff_text(card, meld))
    return DONE
