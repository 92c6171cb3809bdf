"""/tournaments/{id}/desk/pairings: a round with its results, wishes for the next one, and pairing again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from flask import Blueprint, render_template, request

from gin_lobby.domain.formats import pairs_by_wish
from gin_lobby.domain.tournament import ENDED, MatchRow, PairingRow, TournamentState
from gin_lobby.pages.desk.access import NOTHING, Refused, at_desk
from gin_lobby.pages.desk.actions import Action, add_actions, done_text
from gin_lobby.pages.desk.fields import EMPTY, Field
from gin_lobby.pages.desk.overview import CHOICES, DECIDE, REASON, UNDER, round_meant, why_asked
from gin_lobby.pages.desk.people import entrant_named, names_of_pairs
from gin_lobby.pages.pairing_lines import PairingLine, line_of
from gin_lobby.store import matches, rounds, tournaments, wishes
from gin_lobby.use_cases import pairing
from gin_lobby.use_cases.rights import directed, is_organiser
from gin_servicekit.auth import Caller, Scope, caller, requires
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField
from gin_servicekit.service import Service
from gin_tournament.catalogue import opens_while_playing
from gin_tournament.format import Choice

_Values = Mapping[str, Any]
_CONCESSIONS = [(value, label) for value, label in CHOICES.items() if value != Choice.END_EARLY.value]
_WISHES = (
    Field("round", "", "hidden"),
    Field("pair", "Pairs set by hand", "texts"),
    Field("first", "Deals first", "entrant", required=False),
    Field("second", "Opponent", "entrant", required=False),
    Field("allow", "Where there is no other way", "texts"),
)


def _pairs(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> list[tuple[str, str]]:
    """Those that were kept, and the new one. Raises InvalidField."""
    pairs = [(one, other) for one, _, other in (text.partition(" ") for text in values["pair"])]
    named = [name for name in ("first", "second") if values[name]]
    if len(named) == 1:
        raise InvalidField(EMPTY, "second" if named == ["first"] else "first")
    if named:
        there = tournaments.entrants(tx, directed(tx, who, known).tournament_id)
        first, second = (str(entrant_named(there, values[name], name)) for name in named)
        taken = {player for pair in pairs for player in pair}
        for name, player in (("first", first), ("second", second)):
            if player in taken:
                raise InvalidField(f"{values[name]} stands in another pair already", name)
        if first == second:
            raise InvalidField("nobody meets themselves", "second")
        pairs.append((first, second))
    return pairs


def _concessions(values: _Values) -> list[str]:
    chosen: list[str] = values["allow"]
    if not set(chosen) <= {value for value, _ in _CONCESSIONS}:
        raise InvalidField("please choose among these", "allow")
    return chosen


def _wish(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    pairs = _pairs(tx, who, known, values)
    pairing.wish_for_round(tx, who, known, round_meant(values), pairs, _concessions(values))


def _again(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    t = directed(tx, who, known)
    by_wish = pairs_by_wish(t.played_as)
    pairs = _pairs(tx, who, known, values) if by_wish else None
    allow = _concessions(values) if by_wish else None
    pairing.pair_anew(tx, who, known, round_meant(values), pairs, allow, values["reason"])


WISH = Action(
    "pairings/wishes",
    "Pairs of the next round",
    "Keep these wishes",
    "Noted: everybody else is paired as always.",
    _wish,
    _WISHES,
    "Pairs set by hand are kept, and everybody else is paired as always.",
)
AGAIN = Action(
    "pairings/again",
    "Pair this round again",
    "Pair it again",
    "The round is paired again.",
    _again,
    (*_WISHES, REASON),
    "As long as nothing of it has been played. Its matches are taken back, and others opened.",
)
ACTIONS = (WISH, AGAIN)
_CORRECTED = "The result is corrected, and everybody whom it touches is told."


class Encounter(NamedTuple):
    """A pairing as a line, with what of it can be corrected: (label, query) for each match, or the whole.

    `in_play` are its matches that an arbiter can decide about.
    """

    line: PairingLine
    corrections: list[tuple[str, str]]
    in_play: list[str]


def pairings_pages(service: Service) -> Blueprint:
    pages = Blueprint("desk_pairings", __name__, template_folder="../templates")

    @pages.get(f"{UNDER}/pairings")
    @requires(Scope.TOURNAMENT_WRITE)
    def pairings_page(tournament_id: str) -> str:
        return _page(service, tournament_id, NOTHING)

    add_actions(pages, service, ACTIONS, UNDER, "/pairings", lambda known, refused: _page(service, known, refused))
    return pages


def _page(service: Service, tournament_id: str, refused: Refused) -> str:
    who = caller()
    with service.transaction() as tx:
        t = at_desk(tx, who, tournament_id)
        number = _shown_round(t.current_round)
        shown = rounds.pairings(tx, t.tournament_id, number) if number else []
        played = matches.of_pairings(tx, [p.pairing_id for p in shown])
        everybody = tournaments.entrants(tx, t.tournament_id)
        wished = wishes.wishes(tx, t.tournament_id)
    names = {e.player_id: e.name for e in everybody}
    by_text = {str(e.player_id): e.name for e in everybody}
    running = t.state == TournamentState.RUNNING
    nothing_played = not any(m.ended for p in shown for m in played[p.pairing_id])
    can_wish = pairs_by_wish(t.played_as) and t.state not in ENDED
    following, current = wished.get(t.current_round + 1), wished.get(t.current_round)
    return render_template(
        "desk/pairings.html",
        t=t,
        here="pairings",
        organiser=is_organiser(who, t),
        number=number,
        encounters=[
            Encounter(
                line_of(p, played[p.pairing_id] if _several(p) else (), names),
                _corrections(p, played),
                [str(m.match_id) for m in played[p.pairing_id] if not m.ended] if running else [],
            )
            for p in shown
        ],
        everybody=[e for e in everybody if e.state in pairing.IN_IT],
        wish=WISH if can_wish and (t.rounds is None or t.current_round < t.rounds) else None,
        again=AGAIN
        if running and number == t.current_round and nothing_played and not opens_while_playing(t.played_as)
        else None,
        can_wish=can_wish,
        decide=DECIDE,
        why=why_asked(t),
        question_choices=[(c, CHOICES[c]) for c in t.question["choices"]] if t.question else [],
        concessions=_CONCESSIONS,
        following=names_of_pairs(following.manual_pairs, by_text) if following else [],
        following_allow=following.allow if following else [],
        current=names_of_pairs(current.manual_pairs, by_text) if current else [],
        current_allow=current.allow if current else [],
        refused=refused,
        done=_CORRECTED if request.args.get("done") == "correction" else done_text(ACTIONS, request.args.get("done")),
    )


def _several(p: PairingRow) -> bool:
    return bool(p.fixture.get("best_of", 1) > 1)


def _corrections(p: PairingRow, played: Mapping[Any, list[MatchRow]]) -> list[tuple[str, str]]:
    if p.result is None or p.second_id is None:
        return []
    found = [("", f"slot={p.slot}&round={p.round_number}")]
    if _several(p):
        found += [(f"match {m.number}", f"match_id={m.match_id}") for m in played[p.pairing_id] if m.ended]
    return found


def _shown_round(current: int) -> int:
    text = request.args.get("round", "")
    wanted = int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else current
    return wanted if 1 <= wanted <= current else current
