"""Places and scores for each way in which a match can end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from gin_engine.domain.match import Match
from gin_engine.domain.opening import new_match
from gin_engine.domain.play import deal, play_bots
from gin_engine.domain.results import finished_message, overdue, played, void
from gin_messages.match import OpenMatch, SeatPlan
from gin_rules.game import Outcome, Termination, game_named

NOW = datetime(2030, 1, 2, 3, 4, tzinfo=UTC)
RUMMY = game_named("rummy")


def outcome(totals: tuple[int, int], final: tuple[int, int]) -> Outcome:
    winner = None if totals[0] == totals[1] else totals.index(max(totals))
    return Outcome(winner, totals, final, 5, Termination.TARGET, (3, 2), (1, 0), (0, 1))


def match(*bots: str | None) -> Match:
    seats = [SeatPlan(f"p{number}", f"P{number}", bot) for number, bot in enumerate(bots)]
    return new_match(OpenMatch("m", None, None, "rummy", {}, seats, None, None, None), None, lambda n: b"7" * n, NOW)


def acted(match: Match, *seats: int) -> Match:
    return replace(
        match,
        seats=tuple(replace(seat, acted_at=NOW if n in seats else None) for n, seat in enumerate(match.seats)),
    )


def test_the_higher_total_comes_first() -> None:
    assert [seat.place for seat in played(outcome((101, 40), (101, 40))).seats] == [1, 2]


def test_equal_totals_share_the_first_place() -> None:
    assert [seat.place for seat in played(outcome((55, 55), (55, 55))).seats] == [1, 1]


def test_match_bonuses_count_in_the_score_but_not_for_the_place() -> None:
    first, second = played(outcome((90, 100), (300, 200))).seats
    assert (first.place, first.score) == (2, 300)
    assert (second.place, second.score) == (1, 200)


def test_the_seat_to_act_is_the_one_that_forfeits() -> None:
    waiting = acted(match(None, None), 0, 1)
    state = deal(waiting)
    result = overdue(waiting, state)
    assert result.ending == "forfeit"
    assert result.seats[RUMMY.to_act(state)].place == 2
    assert result.seats[1 - RUMMY.to_act(state)].place == 1


def test_a_forfeit_keeps_the_scores_as_they_stand() -> None:
    bots = match("simple", "simple")
    state = deal(bots)
    while len(RUMMY.hand_results(state)) < 3:
        calls = iter([False])
        state = play_bots(bots, state, lambda calls=calls: next(calls, True)).state
    result = overdue(bots, state)
    hands = RUMMY.hand_results(state)
    assert tuple(seat.score for seat in result.seats) == hands[-1].totals
    assert [seat.hands_won for seat in result.seats] == [sum(h.winner == s for h in hands) for s in (0, 1)]
    assert result.hands_played == 3


def test_where_nobody_ever_acted_nobody_comes_first() -> None:
    absent = match(None, None)
    result = overdue(absent, deal(absent))
    assert (result.ending, [seat.place for seat in result.seats]) == ("double_forfeit", [2, 2])


def test_one_person_who_acted_is_enough_for_a_single_loser() -> None:
    waiting = acted(match(None, None), 0)
    result = overdue(waiting, deal(waiting))
    assert result.ending in ("forfeit", "no_show")
    assert sorted(seat.place for seat in result.seats) == [1, 2]


def test_a_person_who_never_met_a_bot_is_a_no_show() -> None:
    waiting = match(None, "simple")
    state = deal(waiting)
    while RUMMY.to_act(state) != 0:
        state = RUMMY.apply(state, RUMMY.legal_actions(state)[0])
    assert overdue(waiting, state).ending == "no_show"
    assert overdue(acted(waiting, 0), state).ending == "forfeit"


def test_who_keeps_partners_waiting_takes_the_own_side_along() -> None:
    seats = [SeatPlan(f"p{number}", f"P{number}", None) for number in range(4)]
    request = OpenMatch("m", None, None, "rummy", {"preset": "pairs4"}, seats, None, None, None)
    waiting = acted(new_match(request, None, lambda n: b"7" * n, NOW), 0, 1, 2, 3)
    state = deal(waiting)
    late = RUMMY.to_act(state)
    assert [seat.place for seat in overdue(waiting, state).seats] == [1 + (seat % 2 == late % 2) for seat in range(4)]


def test_a_void_match_has_no_loser() -> None:
    result = void(2)
    assert result.state == "cancelled"
    assert {seat.place for seat in result.seats} == {1}


def test_the_message_names_players_in_seat_order() -> None:
    told = finished_message(match("simple", None), played(outcome((40, 101), (40, 101))), NOW)
    assert [(seat.player_id, seat.place) for seat in told.seats] == [("p0", 2), ("p1", 1)]
    assert (told.ending, told.hands_played, told.target, told.finished_at) == ("played", 5, 100, NOW)
