"""From pairings to the matches that decide them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from uuid_utils.compat import uuid7

from gin_lobby.domain.encounters import decided, played, players_of
from gin_lobby.domain.fixed_deals import shared_deals
from gin_lobby.domain.formats import rules_at, table_sizes
from gin_lobby.domain.tournament import EntrantRow, MatchId, MatchRow, PairingId, PairingRow, PlayerId, Tournament
from gin_lobby.store import matches, rounds
from gin_lobby.use_cases import webhook_events
from gin_lobby.use_cases.arbiters import may_rule
from gin_messages.match import ClockPlan, DeadlineMoved, OpenMatch, SeatPlan
from gin_servicekit.database import Transaction
from gin_tournament.duel import PlayMatch, verdict
from gin_tournament.duplicate import Duplicate
from gin_tournament.format import Result
from gin_tournament.model import Outcome
from gin_tournament.storage import fixture_from_json, result_from_json

People = Mapping[PlayerId, EntrantRow]


def open_first(
    tx: Transaction, tournament: Tournament, people: People, pairings: Sequence[PairingRow], deadline_at: datetime
) -> None:
    """Opens the first match of every pairing that is not decided; it has the pairing's id."""
    wishes = [
        MatchRow(MatchId(p.pairing_id), p.pairing_id, 1, players_of(fixture_from_json(p.fixture).seats), None)
        for p in pairings
        if p.result is None
    ]
    _open(tx, tournament, people, wishes, {p.pairing_id: (p.round_number, deadline_at) for p in pairings})


def go_on(
    tx: Transaction, tournament: Tournament, people: People, pairing_ids: Sequence[PairingId], *, running: bool
) -> None:
    """Decides these pairings as far as their matches do, and opens the matches that are still needed.

    Those have the deadline of their round. Where nothing is played any more, an open pairing is annulled.
    """
    undecided = rounds.undecided(tx, pairing_ids)
    by_pairing = matches.of_pairings(tx, [p.pairing_id for p in undecided])
    deadlines = {r.number: r.deadline_at for r in rounds.rounds(tx, tournament.tournament_id)}
    ended: list[PairingRow] = []
    wishes: list[MatchRow] = []
    for pairing in undecided:
        step = _step(pairing, by_pairing[pairing.pairing_id])
        if isinstance(step, Result):
            ended.append(decided(pairing, step))
        elif step is not None and running:
            wishes.append(MatchRow(MatchId(uuid7()), pairing.pairing_id, step.number, players_of(step.seats), None))
        elif step is not None:
            ended.append(decided(pairing, Result(Outcome.VOID)))
    rounds.decide(tx, ended)
    _open(
        tx,
        tournament,
        people,
        wishes,
        {p.pairing_id: (p.round_number, deadlines[p.round_number]) for p in undecided},
    )


def _step(pairing: PairingRow, its_matches: Sequence[MatchRow]) -> PlayMatch | Result | None:
    """The next match, or the result; None while a match is in play. A table of three or four plays one match."""
    if any(match.ended is None for match in its_matches):
        return None
    fixture = fixture_from_json(pairing.fixture)
    if len(fixture.seats) > 2:
        return result_from_json(its_matches[-1].ended or {})
    return verdict(fixture, [played(match) for match in its_matches])


def _open(
    tx: Transaction,
    tournament: Tournament,
    people: People,
    wishes: Sequence[MatchRow],
    places: Mapping[PairingId, tuple[int, datetime]],
) -> None:
    """Stores the matches and asks the engine for them; `places` are round and deadline."""
    matches.insert(tx, tournament.tournament_id, wishes)
    webhook_events.matches_opened(tx, tournament, people, wishes, places)
    sizes = table_sizes(tournament.played_as)
    shared = _shared_deals(tx, tournament, {number for number, _ in places.values()}) if wishes else {}
    ruling = may_rule(tx, tournament) if wishes else []
    for match in wishes:
        number, deadline_at = places[match.pairing_id]
        deal_id, deal_tables = shared.get(match.pairing_id, (None, None))
        tx.emit(
            OpenMatch(
                match_id=str(match.match_id),
                tournament_id=str(tournament.tournament_id),
                round_number=number,
                game=tournament.game,
                rules=rules_at(tournament.game, tournament.rules, sizes, len(match.seats)),
                seats=[_seat(people[player]) for player in match.seats],
                rating_pool=tournament.pool,
                deadline_at=None if tournament.paused else deadline_at,
                first_dealer=0,  # seats name first whoever is due to deal first
                clock=None if tournament.clock is None else ClockPlan(**tournament.clock),
                arbiters=ruling,
                deal_id=deal_id,
                deal_tables=deal_tables,
                spectator_delay_seconds=tournament.spectator_delay_seconds or None,
            )
        )
        if tournament.paused:
            tx.emit(DeadlineMoved(str(match.match_id), None, tx.now))


def _shared_deals(
    tx: Transaction, tournament: Tournament, numbers: Collection[int]
) -> dict[PairingId, tuple[str, int]]:
    """By pairing of these rounds: the deals that it shares, and how many matches are played with them."""
    if not isinstance(tournament.played_as, Duplicate):
        return {}
    return {
        pairing_id: shared
        for number in sorted(numbers)
        for pairing_id, shared in shared_deals(
            tournament.tournament_id, number, rounds.pairings(tx, tournament.tournament_id, number)
        ).items()
    }


def _seat(entrant: EntrantRow) -> SeatPlan:
    owner_id = None if entrant.owner_id is None else str(entrant.owner_id)
    return SeatPlan(str(entrant.player_id), entrant.name, entrant.bot, owner_id)
