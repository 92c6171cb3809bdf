"""`/tournaments/{id}/print`: what is hung up and handed out, and where the same is for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from flask import Blueprint, Flask, render_template, request

from gin_lobby.domain.fixed_deals import differences_of
from gin_lobby.domain.tournament import PlayerId
from gin_lobby.pages.pairing_lines import PairingLine, line_of
from gin_lobby.use_cases.publications import Publication, publication
from gin_servicekit.problems import InvalidField, NotFound
from gin_servicekit.service import Service

PAPERS = ("a4", "letter")
ORDERS = ("table", "name")
_REPORTED = ("swiss", "round_robin")


class WhereLine(NamedTuple):
    """Where somebody plays; without `others` it is a bye."""

    name: str
    table: int
    others: tuple[str, ...]


def add_printing(app: Flask, service: Service) -> None:
    pages = Blueprint("printing", __name__, template_folder="templates")

    def read(tournament_id: str) -> Publication:
        with service.transaction() as tx:
            return publication(tx, tournament_id)

    @pages.get("/tournaments/<string:tournament_id>/print")
    def overview(tournament_id: str) -> str:
        tournament = read(tournament_id).tournament
        return render_template(
            "print.html",
            t=tournament,
            has_bracket="elimination" in json.dumps(tournament.format),
            has_report=tournament.format["kind"] in _REPORTED,
        )

    @pages.get("/tournaments/<string:tournament_id>/print/pairings")
    def pairings(tournament_id: str) -> str:
        published = read(tournament_id)
        number, by_name = _round(published), _choice("order", ORDERS) == "name"
        lines = _lines(published, number)
        return render_template(
            "printed_pairings.html",
            t=published.tournament,
            round=number,
            paper=_choice("paper", PAPERS),
            by_name=by_name,
            wide=any(len(line.seats) > 2 for line in lines),
            lines=where_everybody_plays(lines) if by_name else lines,
        )

    @pages.get("/tournaments/<string:tournament_id>/print/slips")
    def slips(tournament_id: str) -> str:
        published = read(tournament_id)
        number = _round(published)
        return render_template(
            "printed_slips.html",
            t=published.tournament,
            round=number,
            paper=_choice("paper", PAPERS),
            lines=_lines(published, number),
        )

    app.register_blueprint(pages)


def where_everybody_plays(lines: Sequence[PairingLine]) -> list[WhereLine]:
    """One line for everybody, by name."""
    found = []
    for line in lines:
        names = [seat.name for seat in line.seats]
        for at, name in enumerate(names):
            found.append(WhereLine(name, line.table_number, tuple(names[:at] + names[at + 1 :])))
    return sorted(found, key=lambda line: (line.name.casefold(), line.table))


def _lines(published: Publication, number: int) -> list[PairingLine]:
    people = {PlayerId(UUID(entrant)): name for entrant, name in published.names.items()}
    pairings = [pairing for pairing in published.pairings if pairing.round_number == number]
    gained = differences_of(published.tournament.played_as, pairings)
    return [
        line_of(pairing, published.series.get(pairing.pairing_id, ()), people, gained.get(pairing.pairing_id))
        for pairing in pairings
    ]


def _round(published: Publication) -> int:
    """The round that is asked for, else the current one."""
    current = published.tournament.current_round
    text = request.args.get("round", str(current))
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= current:
        raise NotFound("no such round yet")
    return int(text)


def _choice(name: str, choices: tuple[str, ...]) -> str:
    chosen = request.args.get(name, choices[0])
    if chosen not in choices:
        raise InvalidField(f"must be one of {', '.join(choices)}", name)
    return chosen
