"""`ginhall pair` and `ginhall standings`: a tournament in a file, without a house."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import click

from gin_local.desk.failures import DeskError, Refused
from gin_local.offline.tournament_files import read_tournament
from gin_tournament.cross_table import points_text
from gin_tournament.document import TournamentDocument
from gin_tournament.errors import TournamentError
from gin_tournament.format import CannotPair, Finished, Open
from gin_tournament.next_pairings import next_round, pairings_to_json, ranked_by
from gin_tournament.standings import Standing

NOTHING_TO_PAIR = 1


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="For programs: ids alone, in one object.")
def pair(file: str, as_json: bool) -> None:
    """Pair the next round of the tournament in FILE, a document or a TRF report; - is standard input.

    Exit status 1 when no round can be paired, because the tournament is over or nobody may meet: the line on
    standard error says which, and what would help; 2 for what cannot be read, naming the place.
    """
    try:
        document = read_tournament(file)
        answer = next_round(document)
    except (DeskError, TournamentError) as wrong:
        raise Refused(wrong) from wrong
    match answer:
        case Open(number, fixtures):
            found = pairings_to_json(fixtures)
            click.echo(json.dumps(found, ensure_ascii=False) if as_json else _as_text(document, number, found))
        case Finished():
            _nothing("the tournament is over: every round has been played")
        case CannotPair(reason, choices, together):
            help_ = (" and " if together else " or ").join(choice.value for choice in choices[:-1])
            hint = f"; it can with {help_}" if help_ else ""
            _nothing(f"no round can be paired: {reason.value.replace('_', ' ')}{hint}")
        case _:
            _nothing("there is nothing to pair now")


@click.command()
@click.argument("file")
@click.option("--tie-breaks", metavar="A,B,…", help="In strict order, in place of those of the tournament.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def standings(file: str, tie_breaks: str | None, as_json: bool) -> None:
    """Rank the tournament in FILE, a document or a TRF report; - is standard input.

    Exit status 2 for what cannot be read, naming the place.
    """
    wanted = None if tie_breaks is None else tuple(name.strip() for name in tie_breaks.split(",") if name.strip())
    try:
        document = read_tournament(file)
        format_, lines = ranked_by(document, wanted)
    except (DeskError, TournamentError) as wrong:
        raise Refused(wrong) from wrong
    if as_json:
        click.echo(json.dumps(_document(document, format_.columns, lines), ensure_ascii=False, indent=2))
    else:
        _print_table(document, format_.columns, lines)


def _nothing(why: str) -> None:
    click.echo(why, err=True)
    sys.exit(NOTHING_TO_PAIR)


def _as_text(document: TournamentDocument, number: int, found: dict[str, Any]) -> str:
    names = document.names
    lines = [f"Round {number}"]
    lines += [f"{at:>4}  {names[one]} – {names[other]}" for at, (one, other) in enumerate(found["pairings"], 1)]
    resting = found["bye"] if isinstance(found["bye"], list) else [found["bye"]] if found["bye"] else []
    lines += [f" bye  {names[entrant]}" for entrant in resting]
    return "\n".join(lines)


def _document(document: TournamentDocument, columns: Sequence[str], lines: Sequence[Standing]) -> dict[str, Any]:
    return {
        "tie_breaks": list(columns),
        "standings": [
            {
                "rank": line.rank,
                "id": line.entrant,
                "name": document.names[line.entrant],
                "points": _number(line.points),
                "tie_breaks": {name: _number(value) for name, value in zip(columns, line.tie_breaks, strict=True)},
                "progress": [_number(points) for points in line.progress],
                "played": line.played,
                "wins": line.wins,
                "draws": line.draws,
                "losses": line.losses,
                "forfeit_wins": line.forfeit_wins,
                "forfeit_losses": line.forfeit_losses,
                "byes": line.byes,
                "withdrawn": line.entrant in document.situation.withdrawn,
            }
            for line in lines
        ],
    }


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else round(float(value), 6)


def _print_table(document: TournamentDocument, columns: Sequence[str], lines: Sequence[Standing]) -> None:
    rows = [["#", "name", "points", *columns]]
    rows += [
        [
            str(line.rank),
            document.names[line.entrant],
            points_text(line.points),
            *(points_text(value) for value in line.tie_breaks),
        ]
        for line in lines
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if at == 1 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        click.echo("  ".join(cells).rstrip())
