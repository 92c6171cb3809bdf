"""The bot `random`: any legal action, each as likely as the others.

Honest description: it does not play to win. It knocks only when chance picks a knock among a dozen actions,
so most of its hands run out of stock. It is for trying a client or filling a table, and it plays every game.
Against `simple` it won none of 300 matches.
"""

from __future__ import annotations

from random import Random
from typing import Any

from gin_rules.game import Action


class RandomPlayer:
    """Uniform over the legal actions."""

    name = "random"
    title = "Random"
    summary = "any card, by chance"
    description = "Plays any legal action, each as likely as the others. Does not try to win."
    games = ("rummy", "word")

    def choose_action(self, view: Any, rng: Random) -> Action:
        """One of ``view.legal_actions``; there must be one."""
        action: Action = rng.choice(view.legal_actions)
        return action
