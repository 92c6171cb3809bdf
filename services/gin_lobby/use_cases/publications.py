"""What is published of a tournament besides its standings: cross table, bracket, report; and all of it as tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gin_lobby.domain.encounters import played, situation
from gin_lobby.domain.fixed_deals import differences_of
from gin_lobby.domain.tournament import MatchRow, PairingId, PairingRow, Tournament
from gin_lobby.store import matches, rounds, tournaments
from gin_lobby.use_cases.standings import number_of
from gin_lobby.use_cases.tournaments import find
from gin_servicekit.database import Transaction
from gin_servicekit.problems import NotFound
from gin_tournament.bracket_view import BracketView, Side, bracket_views
from gin_tournament.cross_table import CrossTable, cross_tables, short
from gin_tournament.document import TournamentDocument
from gin_tournament.duplicate import Duplicate
from gin_tournament.format import Situation
from gin_tournament.model import EntrantId, Outcome
from gin_tournament.spreadsheet import Value, csv_text
from gin_tournament.storage import fixture_from_json, result_from_json
from gin_tournament.trf import Report
from gin_tournament.trf_writer import write_trf


@dataclass(frozen=True, slots=True)
class Publication:
    """A tournament as of a round. `series` are the matches of pairings with several."""

    tournament: Tournament
    round: int
    situation: Situation
    names: Mapping[EntrantId, str]
    pairings: Sequence[PairingRow]
    series: Mapping[PairingId, Sequence[MatchRow]]
    days: Sequence[Any]


def publication(tx: Transaction, tournament_id: str, number: int | None = None) -> Publication:
    """All that was played up to round `number`, or until now. Raises NotFound, also for a round to come."""
    tournament = find(tx, tournament_id)
    if number is not None and number > tournament.current_round:
        raise NotFound("no such round yet")
    last = tournament.current_round if number is None else number
    entrants = tournaments.entrants(tx, tournament.tournament_id)
    pairings = [p for p in rounds.pairings(tx, tournament.tournament_id) if p.round_number <= last]
    several = [p.pairing_id for p in pairings if p.fixture.get("best_of", 1) > 1]
    return Publication(
        tournament,
        last,
        situation(tournament, entrants, pairings, tx.now),
        {EntrantId(str(e.player_id)): e.name for e in entrants},
        pairings,
        matches.of_pairings(tx, several),
        [r.paired_at.date() for r in rounds.rounds(tx, tournament.tournament_id) if r.number <= last],
    )


def standings_table(body: str) -> str:
    """The published standings as CSV."""
    document = json.loads(body)
    columns = ["rank", "movement", "player_id", "name", "kind", "withdrawn", "points"]
    columns += ["played", "wins", "draws", "losses"]
    ties = document["tie_breaks"]
    rows = (
        [*(line[name] for name in columns), *(line["tie_breaks"][name] for name in ties), _joined(line["progress"])]
        for line in document["standings"]
    )
    return csv_text([*columns, *ties, "progress"], rows)


def _joined(values: Sequence[float]) -> str:
    return " ".join(map(str, values))


def pairings_table(published: Publication, number: int | None) -> str:
    """The pairings of one round or of all as CSV, with four columns for every seat, in a duplicate with a fifth."""
    shown = [p for p in published.pairings if number is None or p.round_number == number]
    fixtures = [fixture_from_json(pairing.fixture) for pairing in shown]
    most = max([2, *(len(fixture.seats) for fixture in fixtures)])
    header = ["round", "table", "slot", "result"]
    is_duplicate = isinstance(published.tournament.played_as, Duplicate)
    differences = differences_of(published.tournament.played_as, shown)
    for seat in range(1, most + 1):
        header += [f"seat_{seat}_id", f"seat_{seat}_name", f"seat_{seat}_score", f"seat_{seat}_place"]
        header += [f"seat_{seat}_difference"] if is_duplicate else []
    rows = []
    for pairing, fixture in zip(shown, fixtures, strict=True):
        row: list[Value] = [pairing.round_number, pairing.table_number, pairing.slot, pairing.result]
        result = None if pairing.ended is None else result_from_json(pairing.ended)
        for at in range(most):
            if at >= len(fixture.seats):
                row += [None] * (5 if is_duplicate else 4)
                continue
            name = fixture.seats[at]
            score = result.tally(at).game_points if result is not None and len(result.tallies) > 1 else None
            place = result.places[at] if result is not None and result.places else None
            row += [name, published.names[name], score, place]
            if is_duplicate:
                gained = differences.get(pairing.pairing_id)
                row.append(None if gained is None else number_of(gained[at]))
        rows.append(row)
    return csv_text(header, rows)


def cross_table_document(published: Publication) -> dict[str, Any]:
    tables = cross_tables(published.tournament.played_as, published.situation)
    return {
        "tournament_id": str(published.tournament.tournament_id),
        "round": published.round,
        "tables": [_cross_table(table, published.names) for table in tables],
    }


def _cross_table(table: CrossTable, names: Mapping[EntrantId, str]) -> dict[str, Any]:
    ranks = {row.standing.entrant: row.standing.rank for row in table.rows}
    return {
        "stage": table.stage,
        "group": table.group,
        "layout": table.layout,
        "columns": list(table.columns),
        "rows": [
            {
                "rank": row.standing.rank,
                "player_id": row.standing.entrant,
                "name": names[row.standing.entrant],
                "points": number_of(row.standing.points),
                "cells": [
                    [
                        {
                            "round": meeting.round,
                            "opponents": list(meeting.opponents),
                            "result": meeting.result,
                            "place": meeting.place or None,
                            "deals_first": meeting.first,
                            "text": short(meeting, ranks, table.layout),
                        }
                        for meeting in cell
                    ]
                    for cell in row.cells
                ],
            }
            for row in table.rows
        ],
    }


def cross_table_table(published: Publication) -> str:
    """The cross tables as CSV, one below the other."""
    tables = cross_tables(published.tournament.played_as, published.situation)
    most = max((len(table.columns) for table in tables), default=0)
    rows = []
    for table in tables:
        ranks = {row.standing.entrant: row.standing.rank for row in table.rows}
        for row in table.rows:
            cells = [" ".join(short(meeting, ranks, table.layout) for meeting in cell) for cell in row.cells]
            line, name = row.standing, published.names[row.standing.entrant]
            head: list[Value] = [table.stage, table.group, line.rank, line.entrant, name, number_of(line.points)]
            rows.append([*head, *cells, *[""] * (most - len(cells))])
    header = ["stage", "group", "rank", "player_id", "name", "points", *(str(at) for at in range(1, most + 1))]
    return csv_text(header, rows)


def brackets(published: Publication) -> tuple[BracketView, ...]:
    """Every knockout. Raises NotFound where the format has none."""
    if "elimination" not in json.dumps(published.tournament.format):
        raise NotFound("this tournament has no bracket")
    return bracket_views(published.tournament.played_as, published.situation, _scores_in_matches(published))


def _scores_in_matches(published: Publication) -> dict[str, tuple[str, str]]:
    """By slot, how many matches each seat has won, where more than one is played."""
    found: dict[str, tuple[str, str]] = {}
    for pairing in published.pairings:
        seats = fixture_from_json(pairing.fixture).seats
        over = [played(match) for match in published.series.get(pairing.pairing_id, ()) if match.ended is not None]
        if not over or len(seats) != 2:
            continue
        wins = dict.fromkeys(seats, 0)
        for match in over:
            outcome = match.result.outcome
            if outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
                wins[match.seats[0 if outcome is Outcome.FIRST_WINS else 1]] += 1
        found[pairing.slot] = (str(wins[seats[0]]), str(wins[seats[1]]))
    return found


def bracket_document(published: Publication) -> dict[str, Any]:
    return {
        "tournament_id": str(published.tournament.tournament_id),
        "round": published.round,
        "brackets": [
            {
                "title": view.title,
                "format": view.kind,
                "field_size": view.field_size,
                "champion_id": view.champion,
                "matches": [
                    match._asdict()
                    | {"feeders": list(match.feeders), "sides": [_side(side, published.names) for side in match.sides]}
                    for match in view.matches
                ],
            }
            for view in brackets(published)
        ],
    }


def _side(side: Side, names: Mapping[EntrantId, str]) -> dict[str, Any]:
    return {
        "player_id": side.entrant,
        "name": None if side.entrant is None else names[side.entrant],
        "seed": side.seed,
        "origin": side.origin,
        "score": side.score,
        "won": side.won,
    }


def report(published: Publication) -> str:
    """The report as TRF26. Raises NotInTrfError."""
    tournament = published.tournament
    document = TournamentDocument(tournament.played_as, published.situation, published.names, tournament.name)
    started, ended = tournament.started_at or tournament.starts_at, tournament.ended_at
    about = Report(
        starts_on=started.date(),
        ends_on=None if ended is None else ended.date(),
        round_dates=tuple(published.days),
    )
    return write_trf(document, about)
