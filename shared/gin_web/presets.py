"""The presets of both games in words, made from the rule sets themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from gin_rules.game import game_named
from gin_rules.rummy.rules import PRESETS as RUMMY_PRESETS
from gin_rules.rummy.rules import STANDARD, RuleSet
from gin_rules.rummy.seating import SEATS_AT
from gin_rules.word.rules import PRESETS as WORD_PRESETS
from gin_rules.word.rules import TARGETS
from gin_rules.word.rules import RuleSet as WordRuleSet

GAME_NAMES = {"rummy": "Gin Rummy", "word": "Word Gin"}
_TITLES = {"szwsxs": "House 25/25", "rotation3": "Three in turn", "pairs4": "Partners", "rotation4": "Four in turn"}


class Preset(NamedTuple):
    """A rule set with a name. `facts` are by the columns of `columns(game)`."""

    game: str
    name: str
    title: str
    sentence: str
    """What sets it apart."""
    seats: tuple[int, ...]
    facts: tuple[str, ...]
    same_as: str | None
    """The title of an earlier preset with the same rules."""

    @property
    def label(self) -> str:
        """Title and sentence in a line, as a form offers them."""
        return f"{self.title}: {self.sentence[:1].lower()}{self.sentence[1:].removesuffix('.')}"


def presets(game: str) -> tuple[Preset, ...]:
    """Every preset of the game, in the order of the rules."""
    return _rummy_presets() if game == "rummy" else _word_presets()


def presets_for_two(game: str) -> tuple[Preset, ...]:
    """Those that two can play, each rule set once: what a game against the computer offers."""
    return tuple(one for one in presets(game) if 2 in one.seats and one.same_as is None)


def columns(game: str) -> tuple[str, ...]:
    """The heads of the columns of a preset's facts."""
    if game == "rummy":
        return ("Played to", "Knock with", "Gin", "Undercut", "Big gin", "At the end of the match")
    return ("Two players to", "Three to", "Four to", "Gin", "Longest word, a letter", "A challenge moves")


def difference(rules: RuleSet) -> list[str]:
    """What sets a rule set of Gin Rummy apart from the standard, a phrase for each field that differs."""
    changed = {
        each.name: getattr(rules, each.name)
        for each in fields(RuleSet)
        if getattr(rules, each.name) != getattr(STANDARD, each.name)
    }
    return [_phrase(name, value) for name, value in changed.items()]


def _rummy_presets() -> tuple[Preset, ...]:
    found: dict[RuleSet, str] = {}
    rows = []
    for name, rules in RUMMY_PRESETS.items():
        title = _title(name)
        told = difference(rules)
        sentence = f"{_capital('; '.join(told))}." if told else "The game as most people know it."
        rows.append(
            Preset("rummy", name, title, sentence, (SEATS_AT[rules.seating],), _rummy_facts(rules), found.get(rules))
        )
        found.setdefault(rules, title)
    return tuple(rows)


def _word_presets() -> tuple[Preset, ...]:
    rows = []
    for name, changes in WORD_PRESETS.items():
        rules = WordRuleSet(**changes)
        target = changes.get("target")
        sentence = "The game as the rules print it." if not changes else f"Played to {target} points by any number."
        facts = (
            *(str(rules.target or TARGETS[seats]) for seats in (2, 3, 4)),
            f"+{rules.gin_bonus}",
            f"+{rules.longest_word_bonus}",
            f"{rules.challenge_factor} × the word",
        )
        rows.append(Preset("word", name, _title(name), sentence, game_named("word").seat_counts, facts, None))
    return tuple(rows)


def _rummy_facts(rules: RuleSet) -> tuple[str, ...]:
    knock = "the upcard" if rules.oklahoma else "gin only" if rules.knock_limit == 0 else str(rules.knock_limit)
    undercut = "–" if rules.knock_limit == 0 and not rules.oklahoma else f"+{rules.undercut_bonus}"
    return (
        f"{rules.target}, three games" if rules.scoring == "hollywood" else str(rules.target),
        knock,
        f"+{rules.gin_bonus}",
        undercut,
        f"+{rules.big_gin_bonus}" if rules.big_gin else "–",
        "game, shutout and hand bonuses" if rules.match_bonuses == "traditional" else "–",
    )


def _phrase(name: str, value: Any) -> str:
    told: Mapping[tuple[str, Any], str] = {
        ("knock_limit", 0): "nobody may knock, only gin ends a hand",
        ("oklahoma", True): "the upcard's value is the knock limit of its hand, an ace asks for gin",
        ("big_gin", True): f"eleven melded cards are big gin, {STANDARD.big_gin_bonus} points",
        ("match_bonuses", "traditional"): "100 for the game, 100 more for a shutout and 25 for each hand won",
        ("scoring", "hollywood"): "hands count in three games at once",
        ("seating", "rotation3"): "three players, one of them sits out each hand",
        ("seating", "pairs4"): "four players, two against two, two hands at once",
        ("seating", "rotation4"): "four players, opponents change after every two hands",
    }
    if name == "target":
        return f"played to {value} points"
    return told[name, value]


def _title(name: str) -> str:
    return _TITLES.get(name) or _capital(name.replace("_", " "))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
