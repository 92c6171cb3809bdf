"""Matches that a process knows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from gin_engine.domain.match import FINISHED, Match
from gin_engine.domain.opening import new_match
from gin_engine.store.known import KnownMatches
from gin_messages.match import OpenMatch, SeatPlan

NOW = datetime(2030, 1, 2, 3, 4, tzinfo=UTC)


def match(name: str, actions: int, seed: int = 1) -> Match:
    seats = [SeatPlan("a", "A", None), SeatPlan("b", "B", None)]
    wish = OpenMatch(name, None, None, "rummy", {}, seats, None, None, None)
    return replace(new_match(wish, None, lambda size: bytes([seed]) * size, NOW), action_count=actions)


def test_an_older_version_does_not_take_the_place_of_a_later_one() -> None:
    known = KnownMatches(2)
    known.keep(match("m", 5))
    known.keep(match("m", 4))
    assert known.get("m") == match("m", 5)


def test_the_same_events_are_told_anew() -> None:
    known = KnownMatches(2)
    known.keep(match("m", 5))
    known.keep(replace(match("m", 5), clock_due_at=NOW))
    assert known.get("m") == replace(match("m", 5), clock_due_at=NOW)


def test_another_match_of_the_same_id_takes_its_place() -> None:
    known = KnownMatches(2)
    known.keep(match("m", 5, seed=1))
    known.keep(match("m", 0, seed=2))
    assert known.get("m") == match("m", 0, seed=2)


def test_what_is_over_is_not_kept() -> None:
    known = KnownMatches(2)
    known.keep(replace(match("m", 5), state=FINISHED))
    assert known.get("m") is None


def test_the_oldest_gives_way() -> None:
    known = KnownMatches(2)
    for name in ("a", "b", "c"):
        known.keep(match(name, 1))
    assert [known.get(name) is None for name in ("a", "b", "c")] == [True, False, False]
