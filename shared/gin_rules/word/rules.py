"""The rule set of a Word Gin match: one frozen value, every field settable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from string import ascii_lowercase
from typing import Any, Final, Literal

from gin_rules.game import InvalidRules, NotAtHand
from gin_rules.word.cards import DEFAULT_DECK, UnknownDeck, deck_named
from gin_rules.word.dictionary import (
    BUILT_IN,
    DEFAULT_DICTIONARY,
    UnknownDictionary,
    hash_of_dictionary,
    is_known_hash,
)

HAND_SIZE: Final = 10
_HASH: Final = re.compile("[0-9a-f]{64}")
TARGETS: Final[Mapping[int, int]] = {2: 200, 3: 150, 4: 100}
"""By number of players (source 000, rule 12)."""

_POINTS_PRINTED = {"aeio": 2, "nrtslu": 3, "dgmpch": 4, "bfwy": 5, "kv": 6, "jx": 8, "qz": 10}
LETTER_POINTS: Final[tuple[int, ...]] = tuple(
    next(points for letters, points in _POINTS_PRINTED.items() if letter in letters) for letter in ascii_lowercase
)
"""By letter, a to z: our own, as the source prints none."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What the players agreed before the first deal. The defaults are source 000 with our own deck and points.

    Any instance is playable: contradictions raise `InvalidRules` with the field at fault.
    """

    target: int | None = None
    """None: 200 for two players, 150 for three, 100 for four; see `target_of`."""
    fixed_hands: int | None = None
    """A match of so many hands instead of a target: the highest total wins, a tie is a draw."""
    match_hand_cap: int = 300
    """A match that is still open after so many hands goes to the highest total; every match ends."""
    deck: str = DEFAULT_DECK
    letter_points: tuple[int, ...] = field(default=LETTER_POINTS, repr=False)
    """By letter, a to z."""
    dictionary: str = DEFAULT_DICTIONARY
    """The name by which players know it; what counts is the hash."""
    dictionary_sha256: str = ""
    """Of the canonical word list; left empty, it becomes the hash that the name stands for now."""
    min_word: int = 2
    """Letters of the shortest word that may be declared (source 000, rule 3)."""
    gin_bonus: int = 10
    longest_word_bonus: int = 10
    """For each letter by which the longest word beats the longest of every other player (source 000, rule 8)."""
    challenge_factor: int = 2
    """What a challenge moves, in points of the challenged word (source 000, rule 9)."""
    refuted_letters: Literal["unused", "free"] = "unused"
    """Whether the letters of a refuted word are deducted as unused letters, besides the penalty."""
    return_ban: bool = False
    """Whether the up card just taken may not be discarded in the same turn."""
    hand_turn_cap: int = 100
    """Turns a player after which a hand without a Gin is over, without score."""

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if value is not None or name not in _OPTIONAL:
                _check_number(name, value, low, high)
        if not isinstance(self.return_ban, bool):
            raise InvalidRules("return_ban", "must be true or false")
        if self.refuted_letters not in ("unused", "free"):
            raise InvalidRules("refuted_letters", "must be one of unused, free")
        self._check_points()
        self._check_deck()
        self._pin_dictionary()
        if self.fixed_hands is not None:
            if self.target is not None:
                raise InvalidRules("target", "a match of fixed_hands has no target")
            if self.fixed_hands > self.match_hand_cap:
                raise InvalidRules("fixed_hands", "must not exceed match_hand_cap")

    def _check_points(self) -> None:
        if not isinstance(self.letter_points, tuple) or len(self.letter_points) != len(ascii_lowercase):
            raise InvalidRules("letter_points", "must give points for the letters a to z")
        for letter, points in zip(ascii_lowercase, self.letter_points, strict=True):
            if not isinstance(points, int) or isinstance(points, bool) or not 0 <= points <= 100:
                raise InvalidRules("letter_points", f"{letter}: must be a whole number from 0 to 100")
        if not any(self.letter_points):
            raise InvalidRules("letter_points", "nobody could score when no letter has points")

    def _check_deck(self) -> None:
        if not isinstance(self.deck, str):
            raise InvalidRules("deck", "must be the name of a deck")
        try:
            deck_named(self.deck)
        except UnknownDeck as unknown:
            raise InvalidRules("deck", str(unknown)) from unknown

    def _pin_dictionary(self) -> None:
        if not isinstance(self.dictionary, str):
            raise InvalidRules("dictionary", "must be the name of a dictionary")
        if not isinstance(self.dictionary_sha256, str):
            raise InvalidRules("dictionary_sha256", "must be 64 hex digits")
        if self.dictionary_sha256:
            if BUILT_IN.get(self.dictionary, self.dictionary_sha256) != self.dictionary_sha256:
                raise InvalidRules("dictionary_sha256", f"is not that of {self.dictionary!r}")
            if not _HASH.fullmatch(self.dictionary_sha256):
                raise InvalidRules("dictionary_sha256", "must be 64 hex digits")
            if not is_known_hash(self.dictionary_sha256):
                raise NotAtHand("dictionary_sha256", f"no such word list is registered here for {self.dictionary!r}")
            return
        try:
            object.__setattr__(self, "dictionary_sha256", hash_of_dictionary(self.dictionary))
        except UnknownDictionary as unknown:
            raise InvalidRules("dictionary", str(unknown)) from unknown


_OPTIONAL = ("target", "fixed_hands")
_RANGES: dict[str, tuple[int, int]] = {
    "target": (1, 10_000),
    "fixed_hands": (1, 1000),
    "match_hand_cap": (1, 1000),
    "min_word": (2, HAND_SIZE),
    "gin_bonus": (0, 1000),
    "longest_word_bonus": (0, 1000),
    "challenge_factor": (1, 10),
    "hand_turn_cap": (1, 1000),
}


def _check_number(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidRules(name, f"must be a whole number from {low} to {high}")


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {"standard": {}, "short": {"target": 100}}
"""The fields in which each preset differs from the defaults."""


def target_of(rules: RuleSet, seats: int) -> int:
    """Points at which a match of so many players can be won; also where `fixed_hands` decides, for weighing it."""
    return TARGETS[seats] if rules.target is None else rules.target


def points_of(rules: RuleSet, letters: str) -> int:
    """The points of a word or of single letters, lower case."""
    return sum(rules.letter_points[ord(letter) - 97] for letter in letters)


def rules_from_json(mapping: Mapping[str, Any]) -> RuleSet:
    """Read a rule set: an optional ``preset`` (standard without one) and the fields that differ from it.

    ``letter_points`` is an object of letters and points; letters that it leaves out keep their usual points.
    ``dictionary`` alone pins the words that the name stands for now. Raises `InvalidRules` naming the field, also
    for an unknown field or preset.
    """
    given = dict(mapping)
    preset = given.pop("preset", "standard")
    if not isinstance(preset, str) or preset not in PRESETS:
        raise InvalidRules("preset", f"must be one of {', '.join(PRESETS)}")
    known = {each.name for each in fields(RuleSet)}
    for name in given:
        if name not in known:
            raise InvalidRules(str(name), "is not a rule of word gin")
    if "letter_points" in given:
        given["letter_points"] = _points_from_json(given["letter_points"])
    return RuleSet(**{**PRESETS[preset], **given})


def rules_to_json(rules: RuleSet) -> dict[str, Any]:
    """Every field by name, as plain JSON values; `rules_from_json` gives back an equal rule set."""
    plain = {each.name: getattr(rules, each.name) for each in fields(RuleSet)}
    plain["letter_points"] = dict(zip(ascii_lowercase, rules.letter_points, strict=True))
    return plain


def _points_from_json(value: object) -> tuple[int, ...]:
    if not isinstance(value, Mapping):
        raise InvalidRules("letter_points", "must be an object of letters and points")
    points = dict(zip(ascii_lowercase, LETTER_POINTS, strict=True))
    for letter in value:
        if letter not in points:
            raise InvalidRules("letter_points", f"{letter!r} is not a letter a to z")
    return tuple({**points, **value}.values())
