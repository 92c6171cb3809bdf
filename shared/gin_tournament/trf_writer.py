"""Writes a tournament as TRF26 (`trf`).

Known gaps: an annulled pairing is written as a bye without points for both, as TRF has no word for it. Only Swiss
and round robin can be written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from fractions import Fraction

from gin_tournament.acceleration import baku
from gin_tournament.document import TournamentDocument
from gin_tournament.format import Open, Situation
from gin_tournament.ledger import NOBODY, Cell, Kind, Ledger, read
from gin_tournament.model import STANDARD_SCORING, Entrant, EntrantId, Scoring
from gin_tournament.round_robin import RoundRobin
from gin_tournament.standings import Standing
from gin_tournament.swiss_rounds import Swiss
from gin_tournament.trf import CODES, MOST_ENTRANTS, RESULTS, NotInTrfError, Report

_PAIRED = frozenset({Kind.WIN, Kind.DRAW, Kind.LOSS, Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS})
_SWISS_CODE = "CUSTOM_SWISS"
_ROUND_ROBIN_CODES = {1: "BERGER_ROUNDROBIN", 2: "BERGER_DOUBLEROUNDROBIN"}


def write_trf(document: TournamentDocument, report: Report = Report()) -> str:  # noqa: B008 - a value, not a resource
    """The report of what is decided so far, in ASCII (columns are counted in bytes), lines ending with CR LF.

    Starting ranks are 1, 2, … in the order of seeds. Who has withdrawn or asked for a bye is told as such for the
    round to come, so that other programs pair the same field.

    Raises `NotInTrfError` for another format, more than 9,999 entrants, points that are no tenths, and points that
    TRF cannot tell apart.
    """
    format_ = document.format
    if not isinstance(format_, Swiss | RoundRobin):
        raise NotInTrfError(f"a {format_.kind.replace('_', ' ')} cannot be reported")
    situation = document.situation
    field = sorted(situation.entrants, key=lambda entrant: entrant.seed)
    if len(field) > MOST_ENTRANTS:
        raise NotInTrfError(f"a report holds at most {MOST_ENTRANTS} entrants")
    history = [
        played for opened, played in zip(situation.rounds, situation.history(), strict=True) if opened.is_decided
    ]
    ledger = read(field, history, format_.scoring)
    standings = {line.entrant: line for line in format_.standings(situation)}
    lines = [
        *_head(document, report, ledger, format_),
        *_scoring(format_.scoring),
        *_kind(format_),
        *(_entrant(at, ledger, standings, document) for at in range(len(field))),
        *_wishes(document, field, len(history) + 1, format_),
    ]
    return "".join(f"{line.rstrip()}\r\n" for line in lines)


def _ascii(text: str) -> str:
    """One ASCII letter for each: accents fall away, and what has no likeness becomes a question mark."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return plain.encode("ascii", "replace").decode()


def _head(document: TournamentDocument, report: Report, ledger: Ledger, format_: Swiss | RoundRobin) -> Iterator[str]:
    field = ledger.entrants
    rounds = format_.rounds if isinstance(format_, Swiss) else format_.plan(len(field)).rounds or 0
    yield f"012 {_ascii(document.name)}"
    for tag, text in (("022", report.city), ("032", report.federation)):
        if text:
            yield f"{tag} {_ascii(text)}"
    for tag, day in (("042", report.starts_on), ("052", report.ends_on)):
        if day is not None:
            yield f"{tag} {day:%Y/%m/%d}"
    yield f"062 {len(field)}"
    yield f"072 {sum(entrant.rating is not None for entrant in field)}"
    yield "092 Individual: " + ("Swiss-System" if isinstance(format_, Swiss) else "Round-Robin")
    if report.arbiter:
        yield f"102 {_ascii(report.arbiter)}"
    if report.round_dates:
        yield "132" + " " * 88 + "  ".join(f"{day:%y/%m/%d}" for day in report.round_dates)
    yield f"142 {rounds}"
    yield f"152 {_initial_colour(ledger, format_, document.situation.seed)}"


def _initial_colour(ledger: Ledger, format_: Swiss | RoundRobin, seed: int) -> str:
    """That of the highest seed who was paired in the first round; before it, the one that seed 1 will get."""
    for row in ledger.rows:
        if row and row[0].opponent != NOBODY:
            return "W" if row[0].dealt_first else "B"
    answer = format_.next_round(Situation(ledger.entrants[:2], seed=seed))
    first = isinstance(answer, Open) and answer.fixtures[0].seats[0] == ledger.entrants[0].id
    return "W" if first else "B"


def _scoring(scoring: Scoring) -> Iterator[str]:
    if scoring == STANDARD_SCORING:
        return
    for one, other, words in (
        (scoring.win, scoring.forfeit_win, "a win by forfeit scores another than one by play"),
        (scoring.draw, scoring.half_bye, "a half bye scores another than a draw"),
        (scoring.zero_bye, scoring.forfeit_loss, "a zero bye scores another than a forfeit"),
    ):
        if one != other:
            raise NotInTrfError(f"{words}, and a report has one word for both")
    values = {
        "W": scoring.win,
        "D": scoring.draw,
        "L": scoring.loss,
        "A": scoring.zero_bye,
        "P": scoring.bye,
    }
    yield "162  " + "    ".join(f"{symbol}{_points(value)}" for symbol, value in values.items())


def _kind(format_: Swiss | RoundRobin) -> Iterator[str]:
    yield "182 Ginhall"
    if isinstance(format_, RoundRobin):
        yield f"192 {_ROUND_ROBIN_CODES[format_.legs]}"
    else:
        yield f"192 {_SWISS_CODE}"
    codes = [CODES[name] for name in format_.tie_breaks if name in CODES]
    if codes:
        yield f"202 {','.join(codes)}"
        yield f"212 {','.join(['PTS', *codes])}"


def _entrant(at: int, ledger: Ledger, standings: dict[EntrantId, Standing], document: TournamentDocument) -> str:
    entrant = ledger.entrants[at]
    rating = entrant.rating if entrant.rating is not None and 0 < entrant.rating <= 9_999 else ""
    name = _ascii(document.names.get(entrant.id, entrant.id))[:33]
    points = _points(ledger.points(ledger.totals[at]))
    rank = standings[entrant.id].rank
    head = f"001 {at + 1:>4}      {name:<33} {rating:>4} {'':3} {'':11} {'':10} {points} {rank:>4}"
    return head + "".join(_cell(cell) for cell in ledger.rows[at])


def _cell(cell: Cell) -> str:
    if cell.kind not in _PAIRED:
        return f"  0000 - {RESULTS[cell.kind]}"
    return f"  {cell.opponent + 1:>4} {'w' if cell.dealt_first else 'b'} {RESULTS[cell.kind]}"


def _wishes(
    document: TournamentDocument, field: Sequence[Entrant], number: int, format_: Swiss | RoundRobin
) -> Iterator[str]:
    """What the round to come must heed: byes, acceleration, forbidden pairs."""
    if not isinstance(format_, Swiss) or number > format_.rounds:
        return
    situation = document.situation
    ranks = {entrant.id: rank for rank, entrant in enumerate(field, 1)}
    resting = situation.sitting_out - situation.withdrawn
    asked = "H" if format_.requested_bye == "half" else "Z"
    byes: dict[str, list[int]] = {"H": [], "Z": [ranks[name] for name in situation.withdrawn]}
    byes[asked] += [ranks[name] for name in resting]
    for letter, who in byes.items():
        if who:
            yield f"240 {letter} {number:03}" + "".join(f" {rank:>4}" for rank in sorted(who))
    if format_.accelerated:
        yield from _acceleration(document, field, format_)
    for one, other in situation.rulings.forbidden_pairs:
        yield f"260 {number:03} {format_.rounds:03} {ranks[one]:>4} {ranks[other]:>4}"


def _acceleration(document: TournamentDocument, field: Sequence[Entrant], format_: Swiss) -> Iterator[str]:
    """Baku acceleration; the first group is an unbroken run of starting ranks, as late entrants have the last."""
    situation = document.situation
    at_start = {entrant.id for entrant in situation.present}
    if situation.rounds:
        at_start = {seat for e in situation.rounds[0].encounters for seat in e.fixture.seats}
    acceleration = baku([e for e in field if e.id in at_start], format_.rounds)
    ranks = [rank for rank, entrant in enumerate(field, 1) if entrant.id in acceleration.first_group]
    member = field[ranks[0] - 1].id if ranks else EntrantId("")
    levels = [(r, acceleration.virtual_points(member, r)) for r in range(1, format_.rounds + 1)]
    for worth in (Fraction(1), Fraction(1, 2)):
        rounds = [r for r, points in levels if points == worth]
        if rounds:
            points = _points(worth * format_.scoring.win)
            yield f"250      {points} {rounds[0]:03} {rounds[-1]:03} {ranks[0]:>4} {ranks[-1]:>4}"


def _points(value: Fraction) -> str:
    """Four columns with one decimal."""
    tenths = value * 10
    if tenths.denominator != 1 or not 0 <= tenths <= 999:
        raise NotInTrfError(f"points in a report are tenths from 0 to 99.9, and {value} is none")
    return f"{int(tenths) / 10:>4.1f}"
