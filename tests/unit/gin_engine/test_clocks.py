"""What a clock charges, and what it does not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gin_engine.domain.clocks import AWAY_AFTER, away, bank_after, clock_view, silent_action, spent_ms
from gin_engine.domain.match import Match
from gin_engine.domain.opening import new_match
from gin_engine.domain.play import deal
from gin_messages.match import ClockPlan, OpenMatch, SeatPlan
from gin_rules.game import game_named

NOON = datetime(2030, 1, 2, 12, 0, tzinfo=UTC)


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


@pytest.fixture
def match() -> Match:
    """Ann, whose clock began at noon, against a bot: 30 seconds an action and a bank of 60."""
    seats = [SeatPlan("ann", "Ann", None), SeatPlan("robin", "Robin", "simple")]
    wish = OpenMatch("m", None, None, "rummy", {}, seats, None, None, 1, clock=ClockPlan(30, 60))
    opened = new_match(wish, None, lambda size: bytes(size), NOON)
    return replace(opened, turn_began_at=NOON, clock_due_at=NOON + seconds(90))


def test_who_looks_often_enough_was_never_away() -> None:
    assert away(NOON, NOON + seconds(95), NOON + seconds(95) + AWAY_AFTER) == seconds(0)


def test_all_since_the_last_look_is_time_away_once_it_is_too_long() -> None:
    assert away(NOON, NOON + seconds(10), NOON + seconds(100)) == seconds(90)


def test_a_turn_that_began_while_nobody_looked_was_all_time_away() -> None:
    assert away(NOON, NOON - seconds(60), NOON + seconds(20)) == seconds(20)


def test_before_the_first_look_everything_is_time_away() -> None:
    assert away(NOON, None, NOON + seconds(20)) == seconds(20)


def test_time_never_runs_backwards() -> None:
    assert away(NOON, None, NOON - seconds(5)) == seconds(0)
    assert away(NOON, NOON + seconds(30), NOON) == seconds(0)


def test_the_bank_pays_for_what_an_action_takes_longer(match: Match) -> None:
    assert [bank_after(match, 0, spent) for spent in (0, 30_000, 30_001, 90_000, 90_001)] == [
        60_000,
        60_000,
        59_999,
        0,
        -1,
    ]


def test_a_clock_that_does_not_run_is_not_spent(match: Match) -> None:
    now = NOON + seconds(40)
    assert spent_ms(match, now, now) == 40_000
    assert spent_ms(replace(match, clock_due_at=None), now, now) == 0


def test_the_view_counts_down_and_ends_where_the_clock_does(match: Match) -> None:
    now = NOON + seconds(50)
    view = clock_view(match, 0, now, now)
    assert view is not None
    assert (view.seats[0].move_ms, view.seats[0].bank_ms, view.seats[0].running) == (0, 40_000, True)
    assert (view.seats[1].move_ms, view.seats[1].bank_ms, view.seats[1].running) == (None, None, False)
    assert view.expires_at == NOON + seconds(90)


def test_the_view_during_an_outage_stands_still(match: Match) -> None:
    looked_at = NOON + seconds(10)
    for now in (NOON + seconds(100), NOON + seconds(1000)):
        view = clock_view(match, 0, looked_at, now)
        assert view is not None
        assert view.seats[0].move_ms == 20_000
        assert view.expires_at is not None
        assert view.expires_at - now == seconds(80)


@pytest.mark.parametrize("game", ["rummy", "word"])
def test_where_a_card_is_to_be_drawn_silence_means_nothing(match: Match, game: str) -> None:
    rules = game_named(game).rules_to_json(game_named(game).rules_from_json({}))
    assert silent_action(game_named(game), deal(replace(match, game=game, rules=rules))) is None
