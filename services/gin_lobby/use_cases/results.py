"""Results come in: from the engine, once or many times, early or late."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from gin_lobby.domain.results import outcome
from gin_lobby.domain.tournament import MatchId, TournamentId, TournamentState
from gin_lobby.store import accounts, rounds, tournaments
from gin_lobby.store.rounds import Decision
from gin_lobby.use_cases import standings
from gin_messages.match import MatchFinished
from gin_messages.ratings import RatingChange, RatingsUpdated
from gin_servicekit.database import Transaction

log = structlog.get_logger()
ADVANCE = "lobby.advance"


def record_results(tx: Transaction, results: Sequence[MatchFinished]) -> None:
    """Writes each result to its pairing, once, and the standings with it. A complete round makes its tournament due."""
    by_match = {result.match_id: result for result in results}
    ours = rounds.tournaments_of_matches(tx, list(by_match))
    for tournament_id, match_ids in ours.items():
        _record(tx, tournament_id, [_decision(match_id, by_match[str(match_id)]) for match_id in match_ids])


def _record(tx: Transaction, tournament_id: TournamentId, decisions: Sequence[Decision]) -> None:
    tournament = tournaments.lock(tx, tournament_id)
    assert tournament is not None
    decided = rounds.decide(tx, decisions)
    if not decided or tournament.state != TournamentState.RUNNING:
        return
    entrants = tournaments.entrants(tx, tournament_id)
    pairings = rounds.pairings(tx, tournament_id)
    standings.publish(tx, tournament, tournament.current_round, entrants, pairings)
    if all(pairing.result is not None for pairing in pairings):
        tournaments.look_at(tx, tournament_id, tx.now)
        tx.kick(ADVANCE)


def _decision(match_id: MatchId, result: MatchFinished) -> Decision:
    first, second = result.seats
    return Decision(
        match_id,
        outcome(result).value,
        (first.score, second.score),
        (first.hands_won, second.hands_won),
        (first.undercuts, second.undercuts),
    )


def copy_ratings(tx: Transaction, updates: Sequence[RatingsUpdated]) -> None:
    """Keeps the newest rating of every player and pool, for seeding and for pages."""
    newest: dict[tuple[str, str], RatingChange] = {}
    for update in updates:
        for change in update.changes:
            known = newest.get((change.player_id, change.pool))
            if known is None or known.games < change.games:
                newest[change.player_id, change.pool] = change
    accounts.store_ratings(tx, [newest[key] for key in sorted(newest)])
