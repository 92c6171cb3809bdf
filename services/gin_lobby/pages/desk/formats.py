"""The formats that the forms offer, each with its settings."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from gin_lobby.domain.formats import DRIVEN
from gin_lobby.pages.desk.fields import Field, Option
from gin_tournament.arena import Arena
from gin_tournament.catalogue import to_json
from gin_tournament.pods import Pods
from gin_tournament.round_robin import RoundRobin
from gin_tournament.settings import BEST_OF, DEFAULT_TIE_BREAKS, ROUND_ROBIN_TIE_BREAKS
from gin_tournament.swiss_rounds import Swiss
from gin_tournament.tie_breaks import TIE_BREAK_NAMES

KEPT = "kept"
_TIE_BREAK_PLACES = 6
_LENGTHS = tuple(Option(str(n), "One match" if n == 1 else f"Best of {n}") for n in BEST_OF)
_LAST_LENGTHS = (
    Option("", "As long as all others"),
    Option("3", "Final best of 3"),
    Option("5", "Final best of 5"),
    Option("3,3", "Semi-finals and final best of 3"),
    Option("3,5", "Semi-finals best of 3, final best of 5"),
    Option("5,5", "Semi-finals and final best of 5"),
)


@dataclass(frozen=True, slots=True)
class FormatOffer:
    """`skeleton` is the format as JSON, with what the fields do not ask."""

    key: str
    title: str
    about: str
    skeleton: Mapping[str, Any]
    fields: tuple[Field, ...]

    def drawn_up(self, values: Mapping[str, Any], base: Mapping[str, Any] | None) -> dict[str, Any]:
        """A document to put the values into: the format before, where it is of this offer, else the skeleton."""
        fits = base is not None and offer_of(base).key == self.key
        return deepcopy(dict(base if fits and base is not None else self.skeleton))


def _best_of(at: str, label: str = "Length of an encounter") -> Field:
    return Field(f"{at}.best_of", label, "number_choice", "1", options=_LENGTHS)


def _last(at: str) -> Field:
    options = _LAST_LENGTHS
    return Field(f"{at}.best_of_last", "The last rounds", "numbers", options=options, required=False)


def _third(at: str) -> Field:
    return Field(f"{at}.third_place", "The losers of the semi-finals play for third place", "switch", "on")


def _tie_breaks(at: str, default: tuple[str, ...]) -> Field:
    options = tuple(Option(name, name.replace("_", " ").capitalize()) for name in TIE_BREAK_NAMES)
    hint = "Who stands first where points are equal: the first that tells them apart decides."
    return Field(f"{at}.tie_breaks", "Tie-breaks", "list", default, hint, options, places=_TIE_BREAK_PLACES)


def _points(at: str, *, draw: str = "1/2") -> tuple[Field, ...]:
    hint = "A whole number, or a fraction such as 1/2."
    return (
        Field(f"{at}.scoring.win", "Points for a win", default="1", hint=hint, longest=9),
        Field(f"{at}.scoring.draw", "Points for a draw", default=draw, longest=9),
        Field(f"{at}.scoring.loss", "Points for a loss", default="0", longest=9),
    )


def _rounds(at: str, default: int) -> Field:
    return Field(f"{at}.rounds", "Rounds", "number", str(default), least=1, most=100)


def _late(at: str) -> Field:
    hint = "How many rounds may have begun when somebody still enters; 0: nobody enters late."
    return Field(f"{at}.late_entry_rounds", "Late entry", "number", "0", hint, least=0, most=100)


def _swiss(at: str) -> tuple[Field, ...]:
    byes = (Option("half", "Half a win, as a draw"), Option("zero", "Nothing"))
    return (
        _rounds(at, Swiss().rounds),
        _best_of(at),
        _late(at),
        Field(f"{at}.requested_bye", "A rest that was asked for scores", "choice", "half", options=byes),
        Field(f"{at}.accelerated", "Let the best meet one another sooner (Baku acceleration)", "switch"),
        _tie_breaks(at, DEFAULT_TIE_BREAKS),
        *_points(at),
    )


def _round_robin(at: str) -> tuple[Field, ...]:
    legs = (Option("1", "Once"), Option("2", "Twice"))
    annul = "Results of who leaves before half of the rounds do not count"
    return (
        Field(f"{at}.legs", "Everybody meets everybody", "number_choice", "1", options=legs),
        _best_of(at),
        Field(f"{at}.annul_below_half", annul, "switch", "on"),
        _tie_breaks(at, ROUND_ROBIN_TIE_BREAKS),
        *_points(at),
    )


def _groups(at: str) -> tuple[Field, ...]:
    return (
        Field(f"{at}.groups", "Groups", "number", "4", least=1, most=64),
        Field(f"{at}.advance", "Of each group go on", "number", "2", least=1, most=64),
    )


def _knockout(at: str) -> tuple[Field, ...]:
    return (_best_of(at, "Length of an encounter in the knockout"), _last(at), _third(at))


_KNOCKOUT = {"format": {"kind": "single_elimination"}, "groups": 1}
_GROUPS, _CUT = "format.stages[0]", "format.stages[1].format"
_ARENA_SECONDS = Arena().duration_seconds

_OFFERS = (
    FormatOffer(
        "swiss",
        "Swiss",
        "A set number of rounds; in each, players with equal scores meet. For any number of players.",
        to_json(Swiss()),
        _swiss("format"),
    ),
    FormatOffer(
        "round_robin",
        "Round robin",
        "Everybody meets everybody. For small fields.",
        to_json(RoundRobin()),
        _round_robin("format"),
    ),
    FormatOffer(
        "single_elimination",
        "Knockout",
        "Who loses is out.",
        {"kind": "single_elimination"},
        (_best_of("format"), _last("format"), _third("format")),
    ),
    FormatOffer(
        "double_elimination",
        "Double knockout",
        "Who loses twice is out.",
        {"kind": "double_elimination"},
        (
            _best_of("format"),
            _last("format"),
            Field(
                "format.reset",
                "A second grand final where who had not lost loses the first",
                "switch",
                "on",
            ),
        ),
    ),
    FormatOffer(
        "groups_knockout",
        "Groups, then knockout",
        "Round robins in groups; the first of each go on to a knockout.",
        {"kind": "stages", "stages": [{"format": {"kind": "round_robin"}}, _KNOCKOUT]},
        (
            *_groups(_GROUPS),
            Field(
                f"{_GROUPS}.format.legs",
                "In a group everybody meets everybody",
                "number_choice",
                "1",
                options=(Option("1", "Once"), Option("2", "Twice")),
            ),
            _best_of(f"{_GROUPS}.format", "Length of an encounter in a group"),
            *_knockout(_CUT),
        ),
    ),
    FormatOffer(
        "swiss_knockout",
        "Swiss, then knockout",
        "A Swiss tournament whose best play a knockout.",
        {"kind": "stages", "stages": [{"format": {"kind": "swiss"}, "groups": 1}, _KNOCKOUT]},
        (
            _rounds(f"{_GROUPS}.format", Swiss().rounds),
            _best_of(f"{_GROUPS}.format", "Length of an encounter in the Swiss rounds"),
            Field(f"{_GROUPS}.advance", "So many go on to the knockout", "number", "8", least=2, most=64),
            *_knockout(_CUT),
        ),
    ),
    FormatOffer(
        "arena",
        "Arena",
        "For a set time whoever is free is paired at once; streaks of wins count double.",
        {"kind": "arena"},
        (
            Field(
                "format.duration_seconds",
                "Duration in minutes",
                "number",
                str(_ARENA_SECONDS // 60),
                least=1,
                most=7 * 24 * 60,
                scale=60,
            ),
            _best_of("format"),
            Field("format.streaks", "Streaks of wins count double", "switch", "on"),
        ),
    ),
    FormatOffer(
        "ladder",
        "Ladder",
        "It never ends: players challenge those above them and take their place.",
        {"kind": "ladder"},
        (
            Field("format.reach", "So many places above oneself may be challenged", "number", "3", least=1, most=1000),
            _best_of("format"),
        ),
    ),
    FormatOffer(
        "pods",
        "Pods",
        "Tables of four (or three) that change every round; the places at the tables score.",
        {"kind": "pods"},
        (
            _rounds("format", Pods().rounds),
            Field("format.winner_bonus", "More points for winning a table", "number", "1", least=0, most=100),
            Field("format.tables_of_two", "A table of two where the numbers ask for it", "switch"),
            _late("format"),
        ),
    ),
    FormatOffer(
        "duplicate_swiss",
        "Duplicate, Swiss",
        "All tables of a round play the same deals; what counts is the difference to the others.",
        {"kind": "duplicate", "format": {"kind": "swiss"}},
        (
            _rounds("format.format", Swiss().rounds),
            Field("format.hands", "Hands in a match", "number", "4", least=1, most=100),
            Field("format.mirrored", "Each hand is played twice, with the cards of the two exchanged", "switch"),
        ),
    ),
    FormatOffer(
        "duplicate_round_robin",
        "Duplicate, round robin",
        "Everybody meets everybody; all tables of a round play the same deals.",
        {"kind": "duplicate", "format": {"kind": "round_robin"}},
        (
            Field("format.hands", "Hands in a match", "number", "4", least=1, most=100),
            Field("format.mirrored", "Each hand is played twice, with the cards of the two exchanged", "switch"),
        ),
    ),
)


def offers() -> dict[str, FormatOffer]:
    """What can be played here, by key."""
    driven = {kind.kind for kind in DRIVEN}
    return {offer.key: offer for offer in _OFFERS if offer.skeleton["kind"] in driven}


def offer_of(format_: Mapping[str, Any]) -> FormatOffer:
    """The offer by which a format was drawn up; for one that none of them makes, an offer to keep it as it is."""
    for offer in offers().values():
        if _kinds(offer.skeleton) == _kinds(format_):
            return offer
    return FormatOffer(KEPT, "As it was", "Drawn up through the API; its settings stay as they are.", format_, ())


def _kinds(format_: Mapping[str, Any]) -> Any:
    """The kinds of a format and of those inside it."""
    inner = [stage["format"] for stage in format_.get("stages", ())]
    inner += [format_["format"]] if "format" in format_ else []
    return format_["kind"], [_kinds(part) for part in inner]
