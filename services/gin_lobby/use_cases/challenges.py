"""Challenges on a ladder: opened at once, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from gin_lobby.domain.encounters import situation
from gin_lobby.domain.problems import ChallengeRefused, WrongState
from gin_lobby.domain.tournament import EntrantRow, MatchRow, PairingRow, PlayerId, Tournament, TournamentState
from gin_lobby.store import matches, rounds, tournaments
from gin_lobby.use_cases.advance import open_round
from gin_lobby.use_cases.entrants import found
from gin_lobby.use_cases.wishes import wishes_of
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_tournament.format import Challenge, Open, Situation
from gin_tournament.ladder import Ladder, Refusal, order
from gin_tournament.model import EntrantId

WHY_REFUSED = {
    Refusal.NOT_ON_THE_LADDER: "one of the two is not on the ladder",
    Refusal.NOT_ABOVE: "only somebody above can be challenged",
    Refusal.OUT_OF_REACH: "the opponent stands too far above",
    Refusal.BUSY: "one of the two is in a challenge that is not decided",
    Refusal.RESTING: "one of the two takes no challenges for now",
}


def challenge(
    tx: Transaction, caller: Caller, tournament_id: UUID | None, challenger_id: UUID | None, opponent_id: UUID | None
) -> tuple[PairingRow, list[MatchRow]]:
    """Opens the challenge as a round of its own.

    Raises NotFound, NotYourPlayer, WrongState unless this is a ladder that runs, or ChallengeRefused, which says why.
    """
    tournament, player = found(tx, caller, tournament_id, challenger_id)
    played_as = tournament.played_as
    if not isinstance(played_as, Ladder):
        raise WrongState("people are challenged on a ladder only")
    if tournament.state != TournamentState.RUNNING:
        raise WrongState(f"nobody can be challenged: the tournament is {tournament.state}")
    if tournament.paused:
        raise WrongState("nobody can be challenged: the tournament is paused")
    entrants = tournaments.entrants(tx, tournament.tournament_id)
    pairings = rounds.pairings(tx, tournament.tournament_id)
    wish = Challenge(EntrantId(str(player.player_id)), EntrantId(str(opponent_id)))
    now = replace(_situation(tx, tournament, entrants, pairings), challenges=(wish,))
    refusal = played_as.refusal(now, wish)
    if refusal is not None:
        raise ChallengeRefused(WHY_REFUSED[refusal], "opponent_id")
    answer = played_as.next_round(now)
    assert isinstance(answer, Open)
    (opened,) = open_round(tx, tournament, entrants, pairings, answer)
    return opened, matches.of_pairings(tx, [opened.pairing_id])[opened.pairing_id]


def challengeable(
    tx: Transaction,
    tournament: Tournament,
    entrants: Sequence[EntrantRow],
    pairings: Sequence[PairingRow],
    challenger_id: PlayerId,
) -> frozenset[PlayerId]:
    """Whom the player may challenge now; nobody where this is no ladder that runs. Changes nothing."""
    played_as = tournament.played_as
    if not isinstance(played_as, Ladder) or tournament.state != TournamentState.RUNNING or tournament.paused:
        return frozenset()
    now = _situation(tx, tournament, entrants, pairings)
    own, places = EntrantId(str(challenger_id)), order(now)
    place = places.index(own) if own in places else 0
    above = places[max(0, place - played_as.reach) : place]
    return frozenset(PlayerId(UUID(other)) for other in above if played_as.refusal(now, Challenge(own, other)) is None)


def _situation(
    tx: Transaction, tournament: Tournament, entrants: Sequence[EntrantRow], pairings: Sequence[PairingRow]
) -> Situation:
    wishes = wishes_of(tx, tournament, entrants, tournament.current_round + 1)
    return situation(tournament, entrants, pairings, tx.now, wishes)
