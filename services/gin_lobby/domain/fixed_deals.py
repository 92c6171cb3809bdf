"""Duplicate tournaments: rules that fit fixed deals, which tables share them, and what came out of comparing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from uuid_utils.compat import uuid7

from gin_lobby.domain.encounters import opened_rounds
from gin_lobby.domain.tournament import PairingId, PairingRow, TournamentId
from gin_rules.game import InvalidRules
from gin_rules.rummy.rules import STANDARD
from gin_tournament.duplicate import Duplicate, gains
from gin_tournament.format import Fixture, Format
from gin_tournament.storage import fixture_from_json

GAME = "rummy"


def rules_of_tables(format_: Format, asked: Mapping[str, Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """The rules at the tables of a format: a duplicate sets what its shared deals ask for.

    `rules` are the complete rules of Gin Rummy that `asked` means. Raises InvalidRules, which names the field, where
    something else was asked for expressly.
    """
    if not isinstance(format_, Duplicate):
        return dict(rules)
    if rules["scoring"] != STANDARD.scoring:
        raise InvalidRules("scoring", "duplicate plays a fixed number of hands, no three games to a target")
    needed = {
        "fixed_hands": format_.hands,
        "dealer": "alternate",
        "match_bonuses": "none",
        "target": STANDARD.target,
        "win_margin": STANDARD.win_margin,
    }
    for name, value in needed.items():
        if asked.get(name) not in (None, value):
            raise InvalidRules(name, f"{_BECAUSE[name]}: it must be {value} or left out")
    return {**rules, **needed}


_BECAUSE: Mapping[str, str] = {
    "fixed_hands": "the format says how many hands are played",
    "dealer": "hand and seat must name the same cards at every table",
    "match_bonuses": "a bonus for the match would outweigh the difference to the field",
    "target": "a match of fixed hands has no target",
    "win_margin": "a match of fixed hands has no target to win by a margin",
}


def without_fixed_deals(format_: Format, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Rules that `rules_of_tables` made, with its number of hands taken out again: for another format."""
    return {name: value for name, value in rules.items() if name != "fixed_hands" or not isinstance(format_, Duplicate)}


def shared_deals(
    tournament_id: TournamentId, number: int, pairings: Sequence[PairingRow]
) -> dict[PairingId, tuple[str, int]]:
    """By pairing of a round: the name of the cards that it shares, and how many matches are played with them."""
    deals = {pairing.pairing_id: fixture_from_json(pairing.fixture).deals for pairing in pairings}
    tables = Counter(deal.key for deal in deals.values() if deal is not None)
    return {
        pairing_id: (f"{tournament_id}, {number}: {deal.key}", tables[deal.key] * (2 if deal.mirrored else 1))
        for pairing_id, deal in deals.items()
        if deal is not None
    }


def dealt_anew(fixtures: Sequence[Fixture]) -> tuple[Fixture, ...]:
    """The fixtures with other cards than before: whoever has sat down at a table that is taken back has seen some."""
    fresh = f", anew {uuid7()}"
    return tuple(
        f if f.deals is None else f._replace(deals=f.deals._replace(key=f.deals.key + fresh)) for f in fixtures
    )


def differences_of(format_: Format, pairings: Sequence[PairingRow]) -> dict[PairingId, tuple[Fraction, Fraction]]:
    """What both sides of each table gained in a duplicate, in rounds that are complete; whole rounds by table."""
    if not isinstance(format_, Duplicate):
        return {}
    found: dict[PairingId, tuple[Fraction, Fraction]] = {}
    ids = {(pairing.round_number, pairing.slot): pairing.pairing_id for pairing in pairings}
    for opened in opened_rounds(pairings):
        if opened.is_decided:
            found |= {ids[opened.number, slot]: gained for slot, gained in gains(opened).items()}
    return found
