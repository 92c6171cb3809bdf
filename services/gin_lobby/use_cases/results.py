"""Results come in from the engine: once or many times, early or late, singly or in floods.

A result is first only kept; scoring then takes all that wait for a tournament and writes pairings and standings in one
transaction (docs/adr/0003). What scoring costs grows with the field, so it pauses in proportion to what it took: a
small tournament is scored at once, a large one a few times a second, and a round that is complete always at once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta

from gin_lobby.domain.results import outcome
from gin_lobby.domain.tournament import Tournament, TournamentId, TournamentState
from gin_lobby.store import accounts, results, tournaments
from gin_lobby.store.results import Report
from gin_lobby.use_cases import standings
from gin_messages.match import MatchFinished
from gin_messages.ratings import RatingChange, RatingsUpdated
from gin_servicekit.database import Transaction

ADVANCE = "lobby.advance"
PAUSE_PER_SECOND_OF_SCORING = 9  # so that scoring takes at most a tenth of the time


def report_results(tx: Transaction, finished: Sequence[MatchFinished]) -> None:
    """Keeps each result of a pairing of ours once, and asks for scoring."""
    if results.report(tx, [_report(message) for message in finished]):
        tx.kick(ADVANCE)


def score(tx: Transaction, tournament_id: TournamentId) -> None:
    """Decides the pairings whose results wait, and publishes the standings. A complete round makes it due."""
    started = time.perf_counter()
    tournament = tournaments.lock(tx, tournament_id)
    assert tournament is not None
    if score_what_waits(tx, tournament):
        pause = PAUSE_PER_SECOND_OF_SCORING * (time.perf_counter() - started)
        tournaments.score_not_before(tx, tournament_id, tx.now + timedelta(seconds=pause))


def score_what_waits(tx: Transaction, tournament: Tournament) -> bool:
    """The same for a tournament that is locked already; False when nothing was waiting."""
    if not results.decide(tx, tournament.tournament_id):
        return False
    pairings = standings.publish_now(tx, tournament)
    if tournament.state == TournamentState.RUNNING and all(pairing.result is not None for pairing in pairings):
        tournaments.look_at(tx, tournament.tournament_id, tx.now)
    return True


def _report(message: MatchFinished) -> Report:
    first, second = message.seats
    return Report(
        message.match_id,
        outcome(message).value,
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
