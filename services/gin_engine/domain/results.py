"""How a match ended, for each way in which it can."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gin_engine.domain.match import CANCELLED, FINISHED, Match, SeatScore
from gin_messages.match import MatchFinished, SeatResult
from gin_rules.game import AnyGame, Outcome, game_named


@dataclass(frozen=True, slots=True)
class Result:
    """`seats` stand in seat order."""

    ending: str
    seats: tuple[SeatScore, ...]
    hands_played: int

    @property
    def state(self) -> str:
        return CANCELLED if self.ending == "void" else FINISHED


def played(outcome: Outcome) -> Result:
    """A match that was played to its end. Totals decide the places, as match bonuses never decide who won."""
    seats = tuple(
        SeatScore(
            place=1 + sum(other > total for other in outcome.totals),
            score=outcome.final_scores[seat],
            hands_won=outcome.hands_won[seat],
            undercuts=outcome.undercuts[seat],
        )
        for seat, total in enumerate(outcome.totals)
    )
    return Result("played", seats, outcome.hands_played)


def overdue(match: Match, state: Any) -> Result:
    """A match past its deadline that waits for a client: whoever kept it waiting longest in all comes second, and
    so does a partner.

    Where each action puts the deadline off, that is whoever is to act. Where every seat has a client and none ever
    acted, nobody comes first; bots are never absent. A seat for which nobody ever acted is a no-show. Scores stay as
    they stand.
    """
    game = game_named(match.game)
    waiting = game.to_act(state)
    assert waiting is not None
    if match.idle_seconds is not None:
        return forfeited(match, state, waiting, present=True)
    if all(seat.bot is None and seat.acted_at is None for seat in match.seats):
        return _as_it_stands(game, state, "double_forfeit", (2,) * len(match.seats))
    absent = _slowest(match, waiting)
    seat = match.seats[absent]
    losers = {absent, _partner(match, absent)}
    places = tuple(2 if number in losers else 1 for number in range(len(match.seats)))
    return _as_it_stands(game, state, "no_show" if seat.bot is None and seat.acted_at is None else "forfeit", places)


def forfeited(match: Match, state: Any, seat: int, *, present: bool) -> Result:
    """The seat gives the match up, or has run out of time. Scores stay as they stand.

    It comes last, and so does its partner where two play together; among the others the totals decide, and equal ones
    are ties. Who was not even `present` is a no-show.
    """
    game = game_named(match.game)
    totals = game.totals(state)
    losers = {seat, _partner(match, seat)}
    others = [total for number, total in enumerate(totals) if number not in losers]
    places = tuple(
        len(others) + 1 if number in losers else 1 + sum(other > total for other in others)
        for number, total in enumerate(totals)
    )
    return _as_it_stands(game, state, "forfeit" if present else "no_show", places)


def was_present(match: Match, seat: int) -> bool:
    """Whether the player of the seat ever came: sat down at a casual table, or acted."""
    return match.casual or match.seats[seat].acted_at is not None


def _partner(match: Match, seat: int) -> int:
    """Whoever wins and loses with the seat, itself where all play alone. Partners sit across."""
    return (seat + 2) % 4 if match.rules.get("seating") == "pairs4" else seat


def _slowest(match: Match, waiting: int) -> int:
    # Not simply who is to act: else one could think until just before the deadline, act, and win.
    if match.seats[waiting].bot is not None or match.deadline_at is None:
        return waiting
    used = {number: seat.thinking_seconds for number, seat in enumerate(match.seats) if seat.bot is None}
    used[waiting] += max(0.0, (match.deadline_at - match.waiting_since).total_seconds())
    return max(used, key=lambda number: (used[number], number == waiting))


def void(seats: int) -> Result:
    """The match does not count."""
    return Result("void", (SeatScore(1, 0, 0, 0),) * seats, 0)


def rating_target(game: AnyGame, rules: dict[str, Any], seats: int) -> int:
    """Points that weigh a match of these rules: its target, or 13 for each of a fixed number of hands."""
    hands = rules.get("fixed_hands")
    return game.target(game.rules_from_json(rules), seats) if hands is None else 13 * int(hands)


def finished_message(match: Match, result: Result, finished_at: datetime) -> MatchFinished:
    """What the lobby and the ratings hear."""
    return MatchFinished(
        match_id=match.match_id,
        tournament_id=match.tournament_id,
        round_number=match.round_number,
        game=match.game,
        rating_pool=match.rating_pool,
        target=match.target,
        ending=result.ending,
        seats=[
            SeatResult(seat.player_id, score.place, score.score, score.hands_won, score.undercuts)
            for seat, score in zip(match.seats, result.seats, strict=True)
        ],
        hands_played=result.hands_played,
        finished_at=finished_at,
    )


def _as_it_stands(game: AnyGame, state: Any, ending: str, places: tuple[int, ...]) -> Result:
    hands, totals = game.hand_results(state), game.totals(state)
    undercuts = [hand for hand in hands if game.hand_result_to_json(hand).get("ended") == "undercut"]
    seats = tuple(
        SeatScore(
            place=place,
            score=totals[seat],
            hands_won=sum(hand.winner == seat for hand in hands),
            undercuts=sum(hand.winner == seat for hand in undercuts),
        )
        for seat, place in enumerate(places)
    )
    return Result(ending, seats, len(hands))
