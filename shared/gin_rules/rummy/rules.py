"""The rule set of a Gin Rummy match: one frozen value, every field settable, and presets by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from gin_rules.game import InvalidRules


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What the players agreed before the first deal. The defaults are the standard game of source 004.

    Any instance is playable: contradictions raise `InvalidRules` with the field at fault.
    """

    seating: Literal["two", "rotation3", "pairs4", "rotation4"] = "two"
    """Who plays at a table of more than two (source 004, Three or Four Players): one of three sits out each hand;
    two partnerships play two hands at once; four players change opponents after every two hands.
    """
    scoring: Literal["single", "hollywood"] = "single"
    """Hollywood enters the same hands in three games at once."""
    target: int = 100
    """First to reach or exceed it wins (source 004, Winning the Game)."""
    win_margin: int = 0
    """Points by which the leader must lead at the target; else play goes on."""
    fixed_hands: int | None = None
    """A match of so many hands instead of a target: the higher total wins, a tie is a draw."""
    match_hand_cap: int = 300
    """A match that is still open after so many hands goes to the higher total; every match ends."""
    knock_limit: int = 10
    """Most deadwood of a knock; 0 is straight gin (source 004, Straight Gin)."""
    oklahoma: bool = False
    """The first upcard's value is the knock limit of its hand (source 004, Oklahoma Gin)."""
    oklahoma_ace: Literal["gin", "one"] = "gin"
    """Whether an ace upcard asks for gin or sets the limit at one point."""
    oklahoma_spades: Literal["none", "deadwood", "all"] = "none"
    """What a spade upcard doubles: nothing, the deadwood points, or the bonus as well."""
    gin_bonus: int = 25
    undercut_bonus: int = 25
    big_gin: bool = False
    """Whether eleven melded cards may be declared before discarding (source 004, Big Gin)."""
    big_gin_bonus: int = 31
    match_bonuses: Literal["none", "traditional"] = "none"
    """Traditional: game 100, shutout 100 more, 25 a hand won. They set the final scores, never who won."""
    stock_end: Literal["two", "one", "recycle"] = "two"
    """Cards left in the stock that end the hand, or turning the discard pile over when none is left."""
    recycle_shuffled: bool = False
    """Whether the recycled pile is shuffled first."""
    buried_draw: bool = False
    """Whether a buried discard may be taken with all above it (source 004, Stock and Discard Variations)."""
    dealer: Literal["alternate", "loser", "winner"] = "alternate"
    """Who deals the next hand; after a hand without score `loser` and `winner` keep the dealer."""
    layoffs: Literal["automatic", "manual"] = "automatic"
    """Automatic: least deadwood by own melds and layoffs together. Manual: the defender lays off."""
    hand_turn_cap: int = 200
    """Turns of both players after which a hand without an end is over, without score."""
    discard_view: Literal["top", "spread"] = "top"
    """Whether only the top of the discard pile is shown, or all of it."""
    advice: bool = True
    """Whether a player may ask for the melds and deadwood of the own cards (source 004, Friendly Play)."""

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            _check_number(name, getattr(self, name), low, high)
        if self.fixed_hands is not None:
            _check_number("fixed_hands", self.fixed_hands, 1, 1000)
        for name in _SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise InvalidRules(name, "must be true or false")
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InvalidRules(name, f"must be one of {', '.join(choices)}")
        self._check_together()

    def _check_together(self) -> None:
        self._check_seating()
        if self.scoring == "hollywood" and self.fixed_hands is not None:
            raise InvalidRules("fixed_hands", "hollywood plays three games to a target")
        if self.fixed_hands is not None:
            if self.win_margin:
                raise InvalidRules("win_margin", "a match of fixed_hands has no target to win by a margin")
            if self.target != _DEFAULTS["target"]:
                raise InvalidRules("target", "a match of fixed_hands has no target")
            if self.fixed_hands > self.match_hand_cap:
                raise InvalidRules("fixed_hands", "must not exceed match_hand_cap")
        if not self.oklahoma and self.knock_limit == 0:
            if self.undercut_bonus != _DEFAULTS["undercut_bonus"]:
                raise InvalidRules("undercut_bonus", "nobody can be undercut where only gin ends a hand")
            if self.layoffs != "automatic":
                raise InvalidRules("layoffs", "nothing is laid off where only gin ends a hand")
        if self.oklahoma and self.knock_limit != _DEFAULTS["knock_limit"]:
            raise InvalidRules("knock_limit", "with oklahoma the upcard sets the knock limit")
        if not self.oklahoma and self.oklahoma_ace != "gin":
            raise InvalidRules("oklahoma_ace", "only means something with oklahoma")
        if not self.oklahoma and self.oklahoma_spades != "none":
            raise InvalidRules("oklahoma_spades", "only means something with oklahoma")
        if not self.big_gin and self.big_gin_bonus != _DEFAULTS["big_gin_bonus"]:
            raise InvalidRules("big_gin_bonus", "only means something with big_gin")
        if self.recycle_shuffled and self.stock_end != "recycle":
            raise InvalidRules("recycle_shuffled", "only means something when stock_end is recycle")

    def _check_seating(self) -> None:
        if self.seating == "two":
            return
        if self.scoring != "single":
            raise InvalidRules("scoring", "hollywood is for two")
        if self.dealer != "alternate":
            raise InvalidRules("dealer", "the deal goes round at a table of more than two")
        if self.seating != "rotation3":
            for name in ("fixed_hands", "match_hand_cap"):
                if (getattr(self, name) or 0) % 2:
                    raise InvalidRules(name, "four players play two hands at once: the number must be even")


_DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(RuleSet)}
_RANGES: dict[str, tuple[int, int]] = {
    "target": (1, 1000),
    "win_margin": (0, 1000),
    "match_hand_cap": (1, 1000),
    "knock_limit": (0, 10),
    "gin_bonus": (0, 100),
    "undercut_bonus": (0, 100),
    "big_gin_bonus": (0, 200),
    "hand_turn_cap": (2, 1000),
}
_SWITCHES = ("oklahoma", "big_gin", "recycle_shuffled", "buried_draw", "advice")
_CHOICES: dict[str, tuple[str, ...]] = {
    "seating": ("two", "rotation3", "pairs4", "rotation4"),
    "scoring": ("single", "hollywood"),
    "oklahoma_ace": ("gin", "one"),
    "oklahoma_spades": ("none", "deadwood", "all"),
    "match_bonuses": ("none", "traditional"),
    "stock_end": ("two", "one", "recycle"),
    "dealer": ("alternate", "loser", "winner"),
    "layoffs": ("automatic", "manual"),
    "discard_view": ("top", "spread"),
}


def _check_number(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidRules(name, f"must be a whole number from {low} to {high}")


STANDARD = RuleSet()

PRESETS: Mapping[str, RuleSet] = {
    "standard": STANDARD,
    "szwsxs": RuleSet(),  # source 001 fixes what are the defaults here
    "straight": RuleSet(knock_limit=0),
    "oklahoma": RuleSet(oklahoma=True),
    "big_gin": RuleSet(big_gin=True),
    "traditional": RuleSet(target=250, match_bonuses="traditional"),
    "short": RuleSet(target=50),
    "long": RuleSet(target=150),
    "hollywood": RuleSet(scoring="hollywood"),
    "rotation3": RuleSet(seating="rotation3"),
    "pairs4": RuleSet(seating="pairs4"),
    "rotation4": RuleSet(seating="rotation4"),
}


def rules_from_json(mapping: Mapping[str, Any]) -> RuleSet:
    """Read a rule set: an optional ``preset`` (standard without one) and the fields that differ from it.

    ``knock_limit`` may be written ``"gin_only"`` for 0. Raises `InvalidRules` naming the field, also for an
    unknown field or preset.
    """
    given = dict(mapping)
    preset = given.pop("preset", "standard")
    if not isinstance(preset, str) or preset not in PRESETS:
        raise InvalidRules("preset", f"must be one of {', '.join(PRESETS)}")
    known = {field.name for field in fields(RuleSet)}
    for name in given:
        if name not in known:
            raise InvalidRules(str(name), "is not a rule of gin rummy")
    if given.get("knock_limit") == "gin_only":
        given["knock_limit"] = 0
    return replace(PRESETS[preset], **given)


def rules_to_json(rules: RuleSet) -> dict[str, Any]:
    """Every field by name, as plain JSON values; `rules_from_json` gives back an equal rule set."""
    return {name: getattr(rules, name) for name in _DEFAULTS}
