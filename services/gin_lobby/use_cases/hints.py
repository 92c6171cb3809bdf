"""What live events tell of tournaments: that somebody may want to look again."""

from __future__ import annotations

from uuid import UUID

from gin_lobby.domain.tournament import Tournament
from gin_servicekit.database import Transaction


def moved_on(tx: Transaction, t: Tournament) -> None:
    """Its state or round is another one, for its own page and for lists."""
    changed(tx, t.tournament_id, t.state, t.current_round)
    tx.announce("tournaments", "changed", {})


def changed(tx: Transaction, tournament_id: UUID, state: str, round_number: int) -> None:
    """Something on its own page changed: an entrant, a pairing, a result, the standings."""
    where = {"tournament_id": str(tournament_id), "state": state, "round": round_number}
    tx.announce(f"tournament:{tournament_id}", "changed", where)
