"""Who stays away again and again is taken out, so that nobody else has to sit before an empty chair once more."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gin_lobby.domain.encounters import BYE, players_of
from gin_lobby.domain.results import absent_seats
from gin_lobby.domain.tournament import EntrantRow, EntrantState, PairingId, PairingRow, PlayerId, Tournament
from gin_lobby.store import tournaments
from gin_lobby.use_cases.log import note
from gin_servicekit.database import Transaction
from gin_tournament.model import Outcome
from gin_tournament.storage import fixture_from_json, result_from_json

DROPPED_AFTER = 2  # absences, one right after the other


def drop_who_stays_away(
    tx: Transaction,
    tournament: Tournament,
    people: Mapping[PlayerId, EntrantRow],
    pairings: Sequence[PairingRow],
    touched: Collection[PairingId],
) -> list[PlayerId]:
    """Withdraws whoever did not come to their last encounters, `DROPPED_AFTER` of them; tells whom.

    Only who was absent from one of the `touched` pairings is looked at. Annulled encounters and byes count as nothing;
    an encounter to which somebody came begins the count anew. Our own bots always come: where one did not, it was us.
    """
    suspects = {
        player
        for pairing in pairings
        if pairing.pairing_id in touched
        for player in _absent(pairing)
        if people[player].state == EntrantState.REGISTERED and people[player].bot is None
    }
    gone = [player for player in sorted(suspects) if _stays_away(pairings, player)]
    for player in gone:
        tournaments.set_entrant_state(tx, tournament.tournament_id, player, EntrantState.WITHDRAWN)
        details = {"name": people[player].name, "absences": DROPPED_AFTER}
        note(tx, tournament, None, "dropped_for_absence", details=details, touched=[player])
    return gone


def _stays_away(pairings: Sequence[PairingRow], player: PlayerId) -> bool:
    absences = 0
    for pairing in reversed(pairings):
        if pairing.result in (None, BYE, Outcome.VOID.value) or str(player) not in pairing.fixture["seats"]:
            continue
        if player not in _absent(pairing):
            return False
        absences += 1
        if absences == DROPPED_AFTER:
            return True
    return False


def _absent(pairing: PairingRow) -> list[PlayerId]:
    """Who did not come to a pairing that was to be played."""
    fixture = fixture_from_json(pairing.fixture)
    if pairing.ended is None or fixture.settled is not None or len(fixture.seats) == 1:
        return []
    return players_of([fixture.seats[at] for at in absent_seats(result_from_json(pairing.ended))])
