"""Whoever does not come to two matches in a row is not paired any more: nobody shall wait for an empty chair again."""

from __future__ import annotations

from collections.abc import Sequence

from gin_lobby.domain.tournament import EntrantState, PairingId, Tournament
from gin_lobby.store import rounds, tournaments
from gin_lobby.use_cases import webhook_events
from gin_lobby.use_cases.log import note
from gin_servicekit.database import Transaction

ABSENCES = 2


def drop_absent(tx: Transaction, tournament: Tournament, pairing_ids: Sequence[PairingId]) -> None:
    """Drops those who sat in these pairings and came to none of their last ones. What they played counts."""
    for player_id in rounds.absent_in_a_row(tx, tournament.tournament_id, pairing_ids, ABSENCES):
        if tournaments.entrant_state(tx, tournament.tournament_id, player_id) != EntrantState.REGISTERED:
            continue
        tournaments.set_entrant_state(tx, tournament.tournament_id, player_id, EntrantState.DROPPED)
        webhook_events.entrants_changed(tx, tournament.tournament_id)
        reason = "did not come to two matches in a row"
        note(tx, tournament, None, "dropped", reason=reason, touched=[player_id, tournament.organiser_id])
