"""/tournaments/{id}/desk/correction: another result, first seen with all that follows from it, then done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from flask import Blueprint, make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from gin_lobby.domain.tournament import MatchRow, PairingRow
from gin_lobby.pages.desk.access import at_desk, typed_form
from gin_lobby.pages.desk.fields import Field, Option, Typed, blamed, read, sentence
from gin_lobby.pages.desk.overview import UNDER
from gin_lobby.store import matches, rounds, tournaments
from gin_lobby.use_cases import corrections
from gin_lobby.use_cases.corrections import Correction
from gin_lobby.use_cases.rights import is_organiser
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import Forbidden, NotFound, Problem
from gin_servicekit.service import Service
from gin_tournament.format import Result
from gin_tournament.model import Outcome
from gin_tournament.storage import fixture_from_json, result_from_json

LARGEST_FIGURE = 1_000_000
_REASON = Field(
    "reason", "Why", "long", hint="It stands in the log, and everybody whom it touches reads it.", longest=500
)
_FIGURES = (("game_points", "Points", -LARGEST_FIGURE), ("hands_won", "Hands won", 0), ("undercuts", "Undercuts", 0))
EFFECTS = {
    "none": "The ratings stay as they are.",
    "rated": "It is rated now, for the first time.",
    "reversed": "What it did to the ratings is taken back.",
    "compensated": "The ratings are made up for: taken back, and rated anew.",
}


@dataclass(frozen=True, slots=True)
class Encounter:
    """What is to be corrected: `seats` are the names in the order of its result, `was` how it ended until now."""

    round: int
    table: int
    slot: str
    match_id: UUID | None
    seats: tuple[str, ...]
    was: Result

    @property
    def title(self) -> str:
        return f"Round {self.round}, table {self.table}: {' – '.join(self.seats)}"

    @property
    def fields(self) -> tuple[Field, ...]:
        """The result, the figures of each seat, and the reason."""
        return (*self._result(), *self._figures(), _REASON)

    def _result(self) -> tuple[Field, ...]:
        if len(self.seats) == 2:
            options = tuple(Option(outcome.value, self.told(Result(outcome))) for outcome in Outcome)
            was = self.was.outcome.value if self.was.outcome else ""
            return (Field("result.outcome", "How it really ended", "choice", was, options=options),)
        places = tuple(
            Option(str(place), f"{place}." if place else "Did not come")
            for place in (*range(1, len(self.seats) + 1), 0)
        )
        void = Field("void", "It is void: nobody scores", "switch", "on" if self.was.outcome is Outcome.VOID else "")
        before = self.was.places or range(1, len(self.seats) + 1)
        return (
            *(
                Field(f"result.places[{at}]", f"Place of {name}", "number_choice", str(before[at]), options=places)
                for at, name in enumerate(self.seats)
            ),
            void,
        )

    def _figures(self) -> tuple[Field, ...]:
        found = []
        for at, name in enumerate(self.seats):
            tally = self.was.tally(at) if len(self.was.tallies) > at else None
            for figure, label, least in _FIGURES:
                shown = str(getattr(tally, figure)) if tally else "0"
                path = f"result.tallies[{at}].{figure}"
                found.append(Field(path, f"{label} of {name}", "number", shown, least=least, most=LARGEST_FIGURE))
        return tuple(found)

    def wish(self, values: Mapping[str, Any]) -> Correction:
        seats = range(len(self.seats))
        result: dict[str, Any]
        if values.get("void") or values.get("result.outcome") == Outcome.VOID.value:
            result = {"outcome": Outcome.VOID.value}
        elif len(self.seats) == 2:
            result = {"outcome": values["result.outcome"]}
        else:
            result = {"places": [values[f"result.places[{at}]"] for at in seats]}
        if "places" in result or Outcome(result["outcome"]).is_played:
            result["tallies"] = [
                {name: values[f"result.tallies[{at}].{name}"] for name, _, _ in _FIGURES} for at in seats
            ]
        slot = None if self.match_id else self.slot
        return Correction(self.match_id, slot, None if self.match_id else self.round, result, values["reason"])

    def told(self, result: Result) -> str:
        """A result in words."""
        if result.outcome is None:
            order = sorted(zip(result.places, self.seats, strict=True))
            return ", ".join(f"{place}. {name}" if place else f"{name} did not come" for place, name in order)
        if result.outcome is Outcome.VOID:
            return "Void: nobody scores"
        if len(self.seats) != 2:
            return str(result.outcome.value).replace("_", " ").capitalize()
        first, second = self.seats
        words = {
            Outcome.FIRST_WINS: f"{first} won",
            Outcome.SECOND_WINS: f"{second} won",
            Outcome.DRAW: "A draw",
            Outcome.FIRST_FORFEITS: f"{first} forfeited: {second} wins without play",
            Outcome.SECOND_FORFEITS: f"{second} forfeited: {first} wins without play",
            Outcome.DOUBLE_FORFEIT: "Both forfeited",
        }
        return words[result.outcome]


def corrections_pages(service: Service) -> Blueprint:
    pages = Blueprint("desk_corrections", __name__, template_folder="../templates")

    @pages.get(f"{UNDER}/correction")
    @requires(Scope.TOURNAMENT_WRITE)
    def ask(tournament_id: str) -> Response:
        return _form(service, tournament_id, None, {})

    @pages.post(f"{UNDER}/correction")
    @requires(Scope.TOURNAMENT_WRITE)
    def preview(tournament_id: str) -> Response:
        return _step(service, tournament_id, None)

    @pages.post(f"{UNDER}/correction/confirmation")
    @requires(Scope.TOURNAMENT_WRITE)
    def confirm(tournament_id: str) -> Response:
        if "back" in request.form:
            return _form(service, tournament_id, typed_form(), {})
        return _step(service, tournament_id, request.form.get("digest", ""))

    return pages


def _step(service: Service, tournament_id: str, digest: str | None) -> Response:
    """Shows what would follow; with the digest of what was shown, does it."""
    who, typed = caller(), typed_form()
    with service.transaction() as tx:
        at_desk(tx, who, tournament_id)
        encounter = _meant(tx, tournament_id)
    reading = read(encounter.fields, typed)
    if reading.errors:
        return _form(service, tournament_id, typed, reading.errors, status=422)
    wish, known = encounter.wish(reading.values), parse_id(tournament_id)
    try:
        with service.transaction() as tx:
            if digest is None:
                document = corrections.preview(tx, who, known, wish)
            else:
                corrections.apply(tx, who, known, wish, digest)
    except (Forbidden, NotFound):
        raise
    except Problem as problem:
        errors = blamed(problem, [f.name for f in encounter.fields])
        refusal = "" if errors else sentence(problem.detail)
        return _form(service, tournament_id, typed, errors, refusal, problem.status)
    if digest is not None:
        return redirect(f"/tournaments/{known}/desk/pairings?round={encounter.round}&done=correction", 303)
    return make_response(_preview(service, tournament_id, encounter, typed, document))


def _meant(tx: Transaction, tournament_id: str) -> Encounter:
    """The encounter that the request names. Raises NotFound, also where it is not decided."""
    known = parse_id(tournament_id)
    assert known is not None  # it was found
    slot, match_id = request.values.get("slot", ""), parse_id(request.values.get("match_id", ""))
    number = request.values.get("round", "")
    names = {str(e.player_id): e.name for e in tournaments.entrants(tx, known)}
    every = rounds.pairings(tx, known)
    played = matches.of_pairings(tx, [p.pairing_id for p in every])
    for p in every:
        if p.ended is None or p.second_id is None:
            continue
        its = played[p.pairing_id]
        if match_id is not None:
            for match in its:
                if match.match_id == match_id and match.ended is not None:
                    return _encounter(p, match, names, match_id)
        elif p.slot == slot and number in ("", str(p.round_number)):
            single = p.fixture.get("best_of", 1) == 1
            last = its[-1] if single and its and its[-1].ended is not None else None
            return _encounter(p, last, names, None)
    raise NotFound("there is no such result")


def _encounter(p: PairingRow, match: MatchRow | None, names: Mapping[str, str], match_id: UUID | None) -> Encounter:
    seats: Sequence[Any] = match.seats if match is not None else fixture_from_json(p.fixture).seats
    was = result_from_json((match.ended if match is not None else p.ended) or {})
    return Encounter(p.round_number, p.table_number, p.slot, match_id, tuple(names[str(s)] for s in seats), was)


def _form(
    service: Service,
    tournament_id: str,
    typed: Typed | None,
    errors: Mapping[str, str],
    refusal: str = "",
    status: int = 200,
) -> Response:
    who = caller()
    with service.transaction() as tx:
        t = at_desk(tx, who, tournament_id)
        encounter = _meant(tx, tournament_id)
    page = render_template(
        "desk/correction.html",
        t=t,
        here="pairings",
        organiser=is_organiser(who, t),
        encounter=encounter,
        typed={f.name: f.defaults for f in encounter.fields} if typed is None else typed,
        errors=errors,
        refusal=refusal,
    )
    return make_response(page, status)


def _preview(
    service: Service, tournament_id: str, encounter: Encounter, typed: Typed, document: Mapping[str, Any]
) -> str:
    who = caller()
    with service.transaction() as tx:
        t = at_desk(tx, who, tournament_id)
        names = {str(e.player_id): e.name for e in tournaments.entrants(tx, t.tournament_id)}
    kept = [(name, text) for name in [f.name for f in encounter.fields] for text in typed.get(name, ())]
    return render_template(
        "desk/correction_preview.html",
        t=t,
        here="pairings",
        organiser=is_organiser(who, t),
        encounter=encounter,
        becomes=encounter.told(result_from_json(encounter.wish(read(encounter.fields, typed).values).result)),
        document=document,
        effects=EFFECTS,
        names=names,
        told=[names[player] for player in document["told"]],
        kept=kept,
    )
