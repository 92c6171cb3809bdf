"""What an organiser and players wish for rounds: pairs set by hand, pairs that may not be, rests, pairing anew.

Wishes are for rounds that are not paired yet. Manual pairs are kept, and everybody else is paired as always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from gin_lobby.domain.encounters import situation
from gin_lobby.domain.formats import pairs_by_wish, rests_by_wish
from gin_lobby.domain.problems import PairingRefused, WrongState
from gin_lobby.domain.tournament import ENDED, EntrantState, Tournament, TournamentState
from gin_lobby.store import matches, rounds, tournaments, wishes
from gin_lobby.store.wishes import RoundWish
from gin_lobby.use_cases import standings
from gin_lobby.use_cases.advance import WHY_CANNOT_PAIR, end_early
from gin_lobby.use_cases.corrections import replace_pairings
from gin_lobby.use_cases.entrants import found
from gin_lobby.use_cases.log import note
from gin_lobby.use_cases.results import score_what_waits
from gin_lobby.use_cases.rights import directed
from gin_lobby.use_cases.wishes import wishes_of
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound
from gin_tournament.catalogue import opens_while_playing
from gin_tournament.errors import TournamentError
from gin_tournament.format import CannotPair, Choice, Open, Reason
from gin_tournament.storage import fixture_from_json

MOST_ROUNDS = 10_000
Pairs = Sequence[tuple[str, str]]
IN_IT = (EntrantState.REGISTERED, EntrantState.WAITLISTED)


def wish_for_round(
    tx: Transaction, caller: Caller, tournament_id: UUID | None, number: int, pairs: Pairs, allow: Sequence[str]
) -> RoundWish:
    """Sets the manual pairs of a round to come, and what may happen in it where there is no other way.

    Raises NotFound, NotTheOrganiser, WrongState for a round that is paired or a format that draws nothing up by wish,
    or InvalidField.
    """
    tournament = directed(tx, caller, tournament_id)
    _require_wishes(tournament)
    if number <= tournament.current_round:
        raise WrongState(f"round {number} is paired already")
    most = MOST_ROUNDS if tournament.rounds is None else tournament.rounds
    if number > most:
        raise InvalidField(f"there are at most {most} rounds", "round")
    wish = RoundWish(number, _checked(tx, tournament, pairs, "manual_pairs"), sorted(set(allow)))
    seated = [player for pair in wish.manual_pairs for player in pair]
    if len(set(seated)) < len(seated):
        raise InvalidField("somebody stands in two pairs", "manual_pairs")
    wishes.write(tx, tournament.tournament_id, wish)
    details = {"round": number, "manual_pairs": wish.manual_pairs, "allow": wish.allow}
    note(tx, tournament, caller, "round_wished", details=details, touched=[UUID(player) for player in seated])
    return wish


def forbid_pairs(tx: Transaction, caller: Caller, tournament_id: UUID | None, pairs: Pairs) -> Tournament:
    """Says which pairs may not meet, from the next round on; the list takes the place of the one before."""
    tournament = directed(tx, caller, tournament_id)
    _require_wishes(tournament)
    checked = _checked(tx, tournament, pairs, "pairs")
    tournaments.conduct(tx, replace(tournament, forbidden_pairs=checked))
    touched = [UUID(player) for pair in checked for player in pair]
    note(tx, tournament, caller, "pairs_forbidden", details={"pairs": checked}, touched=touched)
    return replace(tournament, forbidden_pairs=checked)


def _require_wishes(tournament: Tournament) -> None:
    if tournament.state in ENDED:
        raise WrongState(f"the tournament is {tournament.state}")
    if not pairs_by_wish(tournament.played_as):
        raise WrongState("only Swiss rounds are drawn up by wish")


def _checked(tx: Transaction, tournament: Tournament, pairs: Pairs, field: str) -> list[list[str]]:
    there = {str(e.player_id) for e in tournaments.entrants(tx, tournament.tournament_id) if e.state in IN_IT}
    for at, pair in enumerate(pairs):
        for player in pair:
            if player not in there:
                raise InvalidField(f"{player} is not in the tournament", f"{field}.{at}")
        if pair[0] == pair[1]:
            raise InvalidField("nobody meets themselves", f"{field}.{at}")
    return [list(pair) for pair in pairs]


def ask_for_rest(
    tx: Transaction, caller: Caller, tournament_id: UUID | None, player_id: UUID | None, numbers: Sequence[int]
) -> list[int]:
    """Sits out rounds to come, or with none named every one until further notice. Tells all rests, 0 for that.

    Raises NotFound, NotYourPlayer, NotEntered, or WrongState where nobody can rest or the round is paired already.
    """
    tournament, player = found(tx, caller, tournament_id, player_id)
    _require_rests(tx, tournament, player.player_id)
    for number in numbers:
        if number <= tournament.current_round and not opens_while_playing(tournament.played_as):
            raise WrongState(f"round {number} is paired already")
    wishes.rest(tx, tournament.tournament_id, player.player_id, numbers or [0])
    touched = [player.player_id]
    note(tx, tournament, caller, "rest_asked_for", details={"rounds": sorted(numbers)}, touched=touched)
    return _rests(tx, tournament, player.player_id)


def rest_no_more(tx: Transaction, caller: Caller, tournament_id: UUID | None, player_id: UUID | None) -> list[int]:
    """Takes back the rests that are still to come. Raises what `ask_for_rest` raises."""
    tournament, player = found(tx, caller, tournament_id, player_id)
    _require_rests(tx, tournament, player.player_id)
    if wishes.rest_no_more(tx, tournament.tournament_id, player.player_id, tournament.current_round):
        note(tx, tournament, caller, "rest_taken_back", touched=[player.player_id])
    if tournament.state == TournamentState.RUNNING and opens_while_playing(tournament.played_as):
        tournaments.look_at(tx, tournament.tournament_id, tx.now)
    return _rests(tx, tournament, player.player_id)


def _require_rests(tx: Transaction, tournament: Tournament, player_id: UUID) -> None:
    if tournament.state in ENDED:
        raise WrongState(f"the tournament is {tournament.state}")
    if not rests_by_wish(tournament.played_as):
        raise WrongState(f"nobody can rest in a {tournament.played_as.kind}: who does not come forfeits")
    if tournaments.entrant_state(tx, tournament.tournament_id, player_id) not in IN_IT:
        raise WrongState("only who is in the tournament can rest")


def _rests(tx: Transaction, tournament: Tournament, player_id: UUID) -> list[int]:
    return [r.round_number for r in wishes.rests(tx, tournament.tournament_id) if r.player_id == player_id]


def pair_anew(
    tx: Transaction,
    caller: Caller,
    tournament_id: UUID | None,
    number: int,
    pairs: Pairs | None,
    allow: Sequence[str] | None,
    reason: str,
) -> None:
    """Takes back the round that is being played, as long as nobody has played it, and pairs it again by these wishes.

    What is left out is as it was when the round was paired. Raises PairingRefused, which says why, WrongState,
    NotFound, or InvalidField.
    """
    tournament = directed(tx, caller, tournament_id)
    if tournament.state != TournamentState.RUNNING or number != tournament.current_round:
        raise WrongState("only the round that is being played can be paired again")
    if opens_while_playing(tournament.played_as):
        raise WrongState(f"the pairings of a {tournament.played_as.kind} stand")
    score_what_waits(tx, tournament)
    entrants = tournaments.entrants(tx, tournament.tournament_id)
    every = rounds.pairings(tx, tournament.tournament_id)
    old = [pairing for pairing in every if pairing.round_number == number]
    played = matches.of_pairings(tx, [pairing.pairing_id for pairing in old])
    if any(match.ended is not None for its_matches in played.values() for match in its_matches):
        raise PairingRefused("something of this round has been played already")
    if pairs is not None or allow is not None:
        _require_wishes(tournament)
        wish = wishes.wishes(tx, tournament.tournament_id).get(number, RoundWish(number, [], []))
        manual = wish.manual_pairs if pairs is None else _checked(tx, tournament, pairs, "manual_pairs")
        wishes.write(
            tx, tournament.tournament_id, RoundWish(number, manual, sorted(set(wish.allow if allow is None else allow)))
        )
    before = [pairing for pairing in every if pairing.round_number < number]
    wished = wishes_of(tx, tournament, entrants, number)
    try:
        answer = tournament.played_as.next_round(situation(tournament, entrants, before, tx.now, wished))
    except TournamentError as problem:
        raise InvalidField(str(problem), "manual_pairs") from None
    if isinstance(answer, CannotPair):
        raise PairingRefused(WHY_CANNOT_PAIR[answer.reason])
    if not isinstance(answer, Open):
        raise PairingRefused("there is nothing to be paired any more")
    replace_pairings(tx, tournament, {e.player_id: e for e in entrants}, number, old, answer.fixtures)
    standings.publish_now(tx, tournament)
    tournaments.look_at(tx, tournament.tournament_id, tx.now)  # nobody may be left to play it
    touched = {UUID(seat) for p in old for seat in fixture_from_json(p.fixture).seats}
    touched |= {UUID(seat) for fixture in answer.fixtures for seat in fixture.seats}
    note(tx, tournament, caller, "round_paired_anew", reason=reason, details={"round": number}, touched=touched)


def answer_question(tx: Transaction, caller: Caller, tournament_id: UUID | None, choices: Sequence[str]) -> Tournament:
    """The organiser's answer where no legal pairing exists: what to allow in the next round, or to end early.

    Raises NotFound, NotTheOrganiser, WrongState where nothing is asked, or InvalidField for what does not help.
    """
    tournament = directed(tx, caller, tournament_id)
    question = tournament.question
    if question is None or tournament.state != TournamentState.RUNNING:
        raise WrongState("nothing is asked of the organiser")
    chosen = set(choices)
    if not chosen <= set(question["choices"]):
        raise InvalidField(f"the choices are {', '.join(question['choices'])}", "choices")
    end = Choice.END_EARLY.value
    if end in chosen and len(chosen) > 1:
        raise InvalidField("either it ends, or it goes on", "choices")
    if question["together"] and end not in chosen and chosen != set(question["choices"]) - {end}:
        raise InvalidField("only all of the concessions together help", "choices")
    if end in chosen:
        end_early(tx, tournament, Reason(question["reason"]), caller)
        return _again(tx, tournament)
    number = tournament.current_round + 1
    wish = wishes.wishes(tx, tournament.tournament_id).get(number, RoundWish(number, [], []))
    wishes.write(tx, tournament.tournament_id, replace(wish, allow=sorted({*wish.allow, *chosen})))
    tournaments.conduct(tx, replace(tournament, question=None))
    tournaments.look_at(tx, tournament.tournament_id, tx.now)
    note(tx, tournament, caller, "concession_made", details={"round": number, "choices": sorted(chosen)})
    return _again(tx, tournament)


def _again(tx: Transaction, tournament: Tournament) -> Tournament:
    again = tournaments.find(tx, tournament.tournament_id)
    if again is None:
        raise NotFound("there is no such tournament")
    return again
