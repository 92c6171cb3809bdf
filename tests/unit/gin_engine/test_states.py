"""States that a process keeps to go on from."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from gin_engine.domain.match import Match
from gin_engine.domain.opening import new_match
from gin_engine.store.states import KeptStates
from gin_messages.match import OpenMatch, SeatPlan

NOW = datetime(2030, 1, 2, 3, 4, tzinfo=UTC)


def match(seed: int, actions: int, rulings: int = 0) -> Match:
    seats = [SeatPlan("a", "A", None), SeatPlan("b", "B", None)]
    wish = OpenMatch("same id", None, None, "rummy", {}, seats, None, None, None)
    new = new_match(wish, None, lambda size: bytes([seed]) * size, NOW)
    return replace(new, action_count=actions, ruling_count=rulings)


def test_the_newest_kept_state_is_found() -> None:
    kept = KeptStates(2)
    kept.keep(match(1, 5), "after five")
    kept.keep(match(1, 8), "after eight")
    assert kept.newest(match(1, 9)) == ((8, 0), "after eight")


def test_a_state_ahead_of_the_match_is_not_used() -> None:
    kept = KeptStates(2)
    kept.keep(match(1, 8), "after eight")
    assert kept.newest(match(1, 7)) is None


def test_a_state_with_a_ruling_that_the_match_does_not_know_is_not_used() -> None:
    """Whoever sees a match later than its players do sees its rulings later as well."""
    kept = KeptStates(2)
    kept.keep(match(1, 3, rulings=1), "ruled")
    assert kept.newest(match(1, 3)) is None
    assert kept.newest(match(1, 4)) is None
    assert kept.newest(match(1, 3, rulings=1)) == ((3, 1), "ruled")


def test_matches_of_one_id_and_different_seeds_are_different_matches() -> None:
    kept = KeptStates(2)
    kept.keep(match(1, 3), "one")
    assert kept.newest(match(2, 3)) is None


def test_the_match_not_used_for_longest_is_dropped() -> None:
    kept = KeptStates(2)
    kept.keep(match(1, 1), "one")
    kept.keep(match(2, 1), "two")
    kept.newest(match(1, 1))
    kept.keep(match(3, 1), "three")
    assert kept.newest(match(2, 1)) is None
    assert kept.newest(match(1, 1)) == ((1, 0), "one")
