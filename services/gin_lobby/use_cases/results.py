"""Results come in from the engine: once or many times, early or late, singly or in floods.

A result is first only kept; scoring then takes all that wait for a tournament and writes pairings and standings in one
transaction (docs/adr/0003). What scoring costs grows with the field, so it pauses in proportion to what it took: a
small tournament is scored at once, a large one a few times a second, and a round that is complete always at once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta

from gin_lobby.domain.results import result
from gin_lobby.domain.tournament import Tournament, TournamentId, TournamentState
from gin_lobby.store import accounts, results, tournaments
from gin_lobby.store.matches import replaced_but_played
from gin_lobby.store.results import Report
from gin_lobby.use_cases import matches, standings, webhook_events
from gin_lobby.use_cases.absences import drop_absent
from gin_messages.match import CorrectedSeat, MatchFinished, ResultCorrected
from gin_messages.ratings import EarlierRatingsUpdated, RatingChange, RatingsUpdated
from gin_servicekit.database import Transaction
from gin_tournament.catalogue import opens_while_playing
from gin_tournament.storage import result_to_json

ADVANCE = "lobby.advance"
RATED_ENDINGS = ("played", "forfeit")
PAUSE_PER_SECOND_OF_SCORING = 19  # so that scoring takes at most a twentieth of the time


def report_results(tx: Transaction, finished: Sequence[MatchFinished]) -> None:
    """Keeps each result of a match of ours once, and asks for scoring.

    A match that was taken back and played to its end all the same does not count: the ratings hear of it.
    """
    if results.report(tx, [Report(message.match_id, result_to_json(result(message))) for message in finished]):
        tx.kick(ADVANCE)
    rated = [message.match_id for message in finished if message.ending in RATED_ENDINGS]
    for match_id, tournament_id, seats in replaced_but_played(tx, rated) if rated else ():
        tx.emit(
            ResultCorrected(
                match_id=str(match_id),
                revision=1,
                tournament_id=str(tournament_id),
                ending="void",
                seats=[CorrectedSeat(str(player), 1) for player in seats],
                reason="the round was paired anew",
                corrected_at=tx.now,
            )
        )


def score(tx: Transaction, tournament_id: TournamentId) -> None:
    """Decides the pairings whose results wait or opens their next match, and publishes the standings.

    A complete round makes the tournament due; so does every decision where the format opens rounds meanwhile.
    """
    started = time.perf_counter()
    tournament = tournaments.lock(tx, tournament_id)
    assert tournament is not None
    if score_what_waits(tx, tournament):
        pause = PAUSE_PER_SECOND_OF_SCORING * (time.perf_counter() - started)
        tournaments.score_not_before(tx, tournament_id, tx.now + timedelta(seconds=pause))


def score_what_waits(tx: Transaction, tournament: Tournament) -> bool:
    """The same for a tournament that is locked already; False when nothing was waiting."""
    taken = results.take(tx, tournament.tournament_id)
    if not taken:
        return False
    touched = [match.pairing_id for match in taken]
    webhook_events.matches_finished(tx, tournament.tournament_id, taken)
    running = tournament.state == TournamentState.RUNNING
    people = {e.player_id: e for e in tournaments.entrants(tx, tournament.tournament_id)}
    matches.go_on(tx, tournament, people, touched, running=running)
    if running:
        drop_absent(tx, tournament, touched)
    pairings = standings.publish_now(tx, tournament)
    is_decided = all(pairing.result is not None for pairing in pairings)
    if running and (is_decided or opens_while_playing(tournament.played_as)):
        tournaments.look_at(tx, tournament.tournament_id, tx.now)
    return True


def copy_ratings(tx: Transaction, updates: Sequence[RatingsUpdated]) -> None:
    """Keeps the newest rating of every player and pool, for seeding and for pages."""
    newest: dict[tuple[str, str], RatingChange] = {}
    for update in updates:
        for change in update.changes:
            known = newest.get((change.player_id, change.pool))
            if known is None or known.sequence < change.sequence:
                newest[change.player_id, change.pool] = change
    changed = [newest[key] for key in sorted(newest)]
    accounts.store_ratings(tx, changed)
    webhook_events.ratings_changed(tx, changed)


def copy_earlier_ratings(tx: Transaction, updates: Sequence[EarlierRatingsUpdated]) -> None:
    """The same for the messages of before."""
    accounts.store_earlier_ratings(tx, [change for update in updates for change in update.changes])
