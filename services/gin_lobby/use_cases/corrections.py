"""Correcting a result: first seen with all that follows from it, then done exactly so, in one transaction.

What follows is worked out by gin_tournament.correction; its policy stands there and in docs/tournaments/README.md. The
ratings make up for matches whose places change, by entries of their own (docs/ratings.md).

One piece, though long: the preview and the deed must work out the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from gin_lobby.domain import encounters
from gin_lobby.domain.encounters import decided, seats_of
from gin_lobby.domain.fixed_deals import dealt_anew
from gin_lobby.domain.problems import CorrectionRefused, NotTheOrganiser, PreviewOutdated
from gin_lobby.domain.results import as_told
from gin_lobby.domain.tournament import EntrantRow, MatchRow, PairingRow, Tournament, TournamentState
from gin_lobby.domain.webhooks import EventType
from gin_lobby.store import matches as matches_store
from gin_lobby.store import rounds, tournaments
from gin_lobby.use_cases import matches, standings, webhook_events
from gin_lobby.use_cases.log import note
from gin_lobby.use_cases.results import RATED_ENDINGS, score_what_waits
from gin_lobby.use_cases.rights import directed, is_organiser
from gin_lobby.use_cases.standings import number_of
from gin_lobby.use_cases.wishes import wishes_by_round
from gin_messages.match import CancelMatch, CorrectedSeat, ResultCorrected
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound
from gin_tournament.catalogue import opens_while_playing
from gin_tournament.correction import Consequences, correct
from gin_tournament.duel import PlayMatch, verdict
from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import Fixture, Open, Result
from gin_tournament.model import Outcome
from gin_tournament.storage import fixture_from_json, result_from_json, result_to_json


@dataclass(frozen=True, slots=True)
class Correction:
    """What is asked for: the match, or else the slot (of that round) as a whole, and how it really ended."""

    match_id: UUID | None
    slot: str | None
    round: int | None
    result: Mapping[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class _Worked:
    """A correction with all that follows from it. `rerated` are matches with what they count as now."""

    tournament: Tournament
    entrants: list[EntrantRow]
    pairings: list[PairingRow]
    corrected: PairingRow
    follows: Consequences
    rerated: list[tuple[MatchRow, Result]]
    reopens: bool
    document: dict[str, Any]


def preview(tx: Transaction, caller: Caller, tournament_id: UUID | None, wish: Correction) -> dict[str, Any]:
    """What would follow; nothing is corrected. Its `digest` is what `apply` asks for.

    Raises NotFound, NotTheOrganiser, also for an arbiter where they or a bot of theirs have played, InvalidField or
    CorrectionRefused, which says why.
    """
    return _checked(caller, _work_out(tx, _settled(tx, caller, tournament_id), wish)).document


def apply(tx: Transaction, caller: Caller, tournament_id: UUID | None, wish: Correction, digest: str) -> dict[str, Any]:
    """Does what was seen, writes it into the log and tells everybody whom it touches.

    Raises what `preview` raises, and PreviewOutdated where something else would follow by now.
    """
    tournament = _settled(tx, caller, tournament_id)
    worked = _checked(caller, _work_out(tx, tournament, wish))
    if worked.document["digest"] != digest:
        raise PreviewOutdated("something else would follow by now: look at the preview again", "digest")
    rounds.correct(tx, worked.corrected)
    for match, result in worked.rerated:
        _tell_ratings(tx, tournament, match, result, wish.reason)
    _replace(tx, worked)
    closed = rounds.close_rounds(tx, tournament.tournament_id)
    webhook_events.rounds_finished(tx, tournament.tournament_id, closed)
    pairing = worked.corrected
    webhook_events.result_corrected(tx, tournament.tournament_id, pairing.round_number, pairing.slot, wish.match_id)
    if worked.reopens:
        tournaments.reopen(tx, tournament)
        webhook_events.tournament_moved(tx, EventType.TOURNAMENT_REOPENED, tournament, TournamentState.RUNNING)
    elif tournament.state == TournamentState.RUNNING:
        tournaments.look_at(tx, tournament.tournament_id, tx.now)
    _publish(tx, tournament, worked.corrected.round_number)
    note(
        tx,
        tournament,
        caller,
        "result_corrected",
        reason=wish.reason,
        details=worked.document,
        touched=[UUID(player_id) for player_id in worked.document["told"]],
    )
    return worked.document


def _settled(tx: Transaction, caller: Caller, tournament_id: UUID | None) -> Tournament:
    """The tournament, locked, with every result scored that has come."""
    tournament = directed(tx, caller, tournament_id)
    score_what_waits(tx, tournament)
    return tournament


def _checked(caller: Caller, worked: _Worked) -> _Worked:
    """The same, if it is not an arbiter who corrects what they have played. Raises NotTheOrganiser."""
    if not is_organiser(caller, worked.tournament):
        seats = set(worked.corrected.fixture["seats"])
        owners = {str(e.owner_id) == caller.account_id for e in worked.entrants if str(e.player_id) in seats}
        if caller.account_id in seats or owners == {True, False}:
            raise NotTheOrganiser("an arbiter corrects no encounter of their own, or of a bot of theirs")
    return worked


def _work_out(tx: Transaction, tournament: Tournament, wish: Correction) -> _Worked:
    entrants = tournaments.entrants(tx, tournament.tournament_id)
    pairings = rounds.pairings(tx, tournament.tournament_id)
    played = matches_store.of_pairings(tx, [pairing.pairing_id for pairing in pairings])
    pairing, match = _meant(pairings, played, wish)
    was = _decided_result(pairing)
    result, rerated = _results(pairing, played[pairing.pairing_id], match, _asked_for(wish, match, pairing))
    if result == was and not rerated:
        raise CorrectionRefused("this is the result that it has already", "result")
    begun = frozenset(p.slot for p in pairings if p.result is None and any(m.ended for m in played[p.pairing_id]))
    situation = encounters.situation(tournament, entrants, pairings, tx.now)
    wishes = wishes_by_round(tx, tournament, entrants, range(1, tournament.current_round + 1))
    try:
        follows = correct(tournament.played_as, situation, pairing.slot, result, begun=begun, wishes=wishes)
    except InvalidHistoryError as problem:
        raise CorrectionRefused(str(problem), "slot") from None
    reopens = _reopens(tournament, follows)
    document = _document(tournament, entrants, pairing, match, was, result, follows, rerated, reopens=reopens)
    return _Worked(tournament, entrants, pairings, decided(pairing, result), follows, rerated, reopens, document)


def _meant(
    pairings: Sequence[PairingRow], played: Mapping[Any, Sequence[MatchRow]], wish: Correction
) -> tuple[PairingRow, MatchRow | None]:
    """The pairing, and the match that alone decided it or was named."""
    for pairing in pairings:
        its_matches = played[pairing.pairing_id]
        if wish.match_id is not None:
            for match in its_matches:
                if match.match_id == wish.match_id:
                    return pairing, match
        elif pairing.slot == wish.slot and wish.round in (None, pairing.round_number):
            single = _is_single(fixture_from_json(pairing.fixture))
            return pairing, its_matches[-1] if its_matches and single else None
    raise NotFound("there is no such encounter", "match_id" if wish.match_id else "slot")


def _is_single(fixture: Fixture) -> bool:
    """Whether one match decides it: not so a best of several, nor deals that are played again with seats swapped."""
    return fixture.best_of == 1 and not (fixture.deals and fixture.deals.mirrored)


def _decided_result(pairing: PairingRow) -> Result:
    if pairing.ended is None:
        raise CorrectionRefused(f"{pairing.slot} is not decided: it has no result to correct", "slot")
    return result_from_json(pairing.ended)


def _asked_for(wish: Correction, match: MatchRow | None, pairing: PairingRow) -> Result:
    """The result that is asked for, in the order of the seats of what is corrected.

    Tallies that are left out stay as they are as long as the result is one by play.
    """
    seats = len(match.seats if match else fixture_from_json(pairing.fixture).seats)
    try:
        result = result_from_json(wish.result)
    except InvalidHistoryError as problem:
        raise InvalidField(str(problem), "result") from None
    if seats == 2 or result.outcome is Outcome.VOID:
        if result.outcome is None:
            raise InvalidField("how did it end?", "result.outcome")
        if result.places:
            raise InvalidField("two have an outcome and no places", "result.places")
    elif result.outcome is not None:
        raise InvalidField("a table has places; it may only be void", "result.outcome")
    elif len(result.places) != seats or max(result.places) > seats:
        raise InvalidField(f"a place from 1 to {seats} for every seat, or 0 for who did not come", "result.places")
    earlier = result_from_json((match.ended if match else pairing.ended) or {})
    if result.tallies and len(result.tallies) != seats:
        raise InvalidField("a tally for every seat", "result.tallies")
    if not result.tallies and _is_by_play(result):
        result = result._replace(tallies=earlier.tallies)
    # Only where cards are compared does it matter by itself whether a match was played to its end.
    return result if "deals" in pairing.fixture else result._replace(given_up=earlier.given_up)


def _is_by_play(result: Result) -> bool:
    return result.outcome is None or result.outcome.is_played


def _results(
    pairing: PairingRow, its_matches: Sequence[MatchRow], match: MatchRow | None, asked: Result
) -> tuple[Result, list[tuple[MatchRow, Result]]]:
    """The pairing's new result, and the matches that count otherwise by it."""
    fixture = fixture_from_json(pairing.fixture)
    if match is None or match.ended is None:
        # A best of several as a whole: its matches stay what they were, unless none of it shall count.
        is_void = asked.outcome is Outcome.VOID
        return asked, [(m, Result(Outcome.VOID)) for m in its_matches if is_void and m.ended is not None]
    if asked == result_from_json(match.ended):
        return _decided_result(pairing), []
    if len(fixture.seats) > 2:
        return asked, [(match, asked)]
    asked_of = {m.match_id: result_from_json(m.ended or {}) for m in its_matches} | {match.match_id: asked}
    if _is_single(fixture):
        if match != its_matches[-1]:
            raise CorrectionRefused("it was played again: correct the last match of the encounter", "match_id")
        turned = tuple(seats_of(match.seats)) != fixture.seats
        return (_turned(asked) if turned else asked), [(match, asked)]
    step = verdict(fixture, [encounters.as_played(m, asked_of[m.match_id]) for m in its_matches])
    if isinstance(step, PlayMatch):
        raise CorrectionRefused(
            "the encounter would not be decided then: another match would have to be played. "
            "Correct the result of the whole encounter by its slot instead",
            "match_id",
        )
    return step, [(match, asked)]


def _turned(result: Result) -> Result:
    turned = {
        Outcome.FIRST_WINS: Outcome.SECOND_WINS,
        Outcome.SECOND_WINS: Outcome.FIRST_WINS,
        Outcome.FIRST_FORFEITS: Outcome.SECOND_FORFEITS,
        Outcome.SECOND_FORFEITS: Outcome.FIRST_FORFEITS,
    }
    assert result.outcome is not None
    return Result(turned.get(result.outcome, result.outcome), tallies=result.tallies[::-1])


def _reopens(tournament: Tournament, follows: Consequences) -> bool:
    """Whether something has to be played by the corrected result although the tournament had ended by itself."""
    if tournament.state != TournamentState.FINISHED or tournament.ended_because is not None:
        return False
    if opens_while_playing(tournament.played_as):
        return False
    if not follows.corrected.is_decided:
        return True
    return isinstance(tournament.played_as.next_round(follows.corrected), Open)


def _document(
    tournament: Tournament,
    entrants: Sequence[EntrantRow],
    pairing: PairingRow,
    match: MatchRow | None,
    was: Result,
    result: Result,
    follows: Consequences,
    rerated: Sequence[tuple[MatchRow, Result]],
    *,
    reopens: bool,
) -> dict[str, Any]:
    """Everything that the organiser sees, with the digest of it."""
    names = {str(e.player_id): e.name for e in entrants}
    document: dict[str, Any] = {
        "tournament_id": str(tournament.tournament_id),
        "round": pairing.round_number,
        "slot": pairing.slot,
        "match_id": None if match is None else str(match.match_id),
        "seats": pairing.fixture["seats"],
        "was": result_to_json(was),
        "result": result_to_json(result),
        "standings": _changes(follows, names),
        "later_rounds": [
            {
                "round": other.number,
                "stands": [_shown(fixture) for fixture in other.stands],
                "would_be": [_shown(fixture) for fixture in other.instead],
                "replaced": [_shown(fixture) for fixture in other.replaced],
                "opened": [_shown(fixture) for fixture in other.opened],
            }
            for other in follows.others
        ],
        "ratings": [
            {
                "match_id": str(m.match_id),
                "effect": effect_on_rating(result_from_json(m.ended or {}), new, len(m.seats)),
            }
            for m, new in rerated
        ],
        "reopens": reopens,
    }
    touched = {line["player_id"] for line in document["standings"] if line["movement"]}
    for other in follows.others:
        touched |= {seat for fixture in (*other.replaced, *other.opened) for seat in fixture.seats}
    document["told"] = sorted(touched | set(pairing.fixture["seats"]))
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    return document | {"digest": digest}


def _changes(follows: Consequences, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Everybody whose rank or points change, in the new order."""
    before = {line.entrant: line for line in follows.before}
    return [
        {
            "player_id": line.entrant,
            "name": names[line.entrant],
            "rank_before": before[line.entrant].rank,
            "rank_after": line.rank,
            "movement": before[line.entrant].rank - line.rank,
            "points_before": number_of(before[line.entrant].points),
            "points_after": number_of(line.points),
        }
        for line in follows.after
        if (line.rank, line.points) != (before[line.entrant].rank, before[line.entrant].points)
    ]


def _shown(fixture: Fixture) -> dict[str, Any]:
    return {"slot": fixture.slot, "seats": list(fixture.seats)}


def effect_on_rating(was: Result, result: Result, seats: int) -> str:
    """What the ratings will do: `none`, `rated` for the first time, `reversed`, or reversed and rated anew:
    `compensated`."""
    (ending, places), (new_ending, new_places) = as_told(was, seats), as_told(result, seats)
    counted, counts = ending in RATED_ENDINGS, new_ending in RATED_ENDINGS
    if counted and counts:
        return "none" if places == new_places else "compensated"
    return "reversed" if counted else "rated" if counts else "none"


def _tell_ratings(tx: Transaction, tournament: Tournament, match: MatchRow, result: Result, reason: str) -> None:
    revision = matches_store.correct(tx, match.match_id, result_to_json(result))
    ending, places = as_told(result, len(match.seats))
    tx.emit(
        ResultCorrected(
            match_id=str(match.match_id),
            revision=revision,
            tournament_id=str(tournament.tournament_id),
            ending=ending,
            seats=[CorrectedSeat(str(player), place) for player, place in zip(match.seats, places, strict=True)],
            reason=reason,
            corrected_at=tx.now,
        )
    )


def _replace(tx: Transaction, worked: _Worked) -> None:
    tournament, people = worked.tournament, {e.player_id: e for e in worked.entrants}
    for other in worked.follows.others:
        gone = {fixture.slot for fixture in other.replaced}
        old = [p for p in worked.pairings if p.round_number == other.number and p.slot in gone]
        replace_pairings(tx, tournament, people, other.number, old, other.opened)


def replace_pairings(
    tx: Transaction,
    tournament: Tournament,
    people: matches.People,
    number: int,
    old: Sequence[PairingRow],
    fixtures: Sequence[Fixture],
) -> None:
    """Takes back pairings of a round that nobody has played, and opens others in it, with a full round's time."""
    taken_back = rounds.take_back(tx, tournament.tournament_id, [p.pairing_id for p in old])
    for match_id in taken_back:
        tx.emit(CancelMatch(str(match_id), "the round was paired anew"))
    webhook_events.matches_cancelled(tx, tournament.tournament_id, taken_back)
    webhook_events.round_paired(tx, tournament.tournament_id, number)
    tables = {pairing.slot: pairing.table_number for pairing in old}
    left = sorted(set(tables.values()) - {tables[f.slot] for f in fixtures if f.slot in tables}, reverse=True)
    beyond = rounds.tables(tx, tournament.tournament_id, number)
    rows = []
    for fixture in dealt_anew(fixtures):
        table = tables.get(fixture.slot) or (left.pop() if left else None)
        if table is None:
            beyond += 1
            table = beyond
        rows.append(encounters.opened_row(number, table, fixture))
    if not rows:
        return
    deadline_at = tx.now + timedelta(minutes=tournament.round_minutes)
    rounds.insert_pairings(tx, tournament.tournament_id, number, rows)
    rounds.play_on(tx, tournament.tournament_id, number, deadline_at)
    matches.open_first(tx, tournament, people, rows, deadline_at)


def _publish(tx: Transaction, tournament: Tournament, first: int) -> None:
    """The standings of every round from the corrected one on: each must say what is true as of it."""
    entrants = tournaments.entrants(tx, tournament.tournament_id)
    pairings = rounds.pairings(tx, tournament.tournament_id)
    for number in range(first, tournament.current_round + 1):
        standings.publish(tx, tournament, number, entrants, pairings)
