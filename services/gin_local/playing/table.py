"""What a game needs to be played in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gin_rules.game import Action, Card


class NotUnderstood(Exception):
    """What was typed is no move now; the text says why, for the player."""


class Table(Protocol):
    """How one game is shown and what may be typed. Holds no state of the match."""

    @property
    def help(self) -> str:
        """What may be typed, and what it means."""

    def lines(self, view: Any, names: Sequence[str]) -> list[str]:
        """The table as the view's player sees it."""

    def prompt(self, view: Any) -> str:
        """What may be done now, by the short names."""

    def action(self, view: Any, typed: str) -> Action:
        """The action that was typed, which the rules may still refuse. Raises `NotUnderstood`."""

    def card(self, view: Any, card: Card) -> str:
        """A card as people read it."""

    def result(self, result: Any, names: Sequence[str]) -> list[str]:
        """What was on the table at the end of a hand."""

    def told(self, action: Action) -> str:
        """What somebody else did, after the name: ``takes the top card``."""

    def course(self, view: Any) -> Sequence[tuple[int, str]]:
        """What happened in the hand so far, as far as it may be looked up: the seat at the table, and what it did."""

    def advice(self, view: Any) -> str:
        """The melds or words in the own hand, where the rules of the match let players ask."""
