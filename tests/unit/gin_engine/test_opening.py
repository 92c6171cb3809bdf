"""A match as the lobby wishes it, before anything is stored."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from gin_engine.domain.opening import checked_rules, new_match
from gin_engine.domain.problems import CannotOpen
from gin_messages.match import OpenMatch, SeatPlan
from gin_rules.shuffle import commitment

NOW = datetime(2030, 1, 2, 3, 4, tzinfo=UTC)


def wish(**changes: Any) -> OpenMatch:
    seats = [SeatPlan("ann", "Ann", None), SeatPlan("robin", "Robin", "simple")]
    plan: dict[str, Any] = {"match_id": "m", "tournament_id": "t", "round_number": 1, "game": "rummy", "rules": {}}
    return OpenMatch(
        **(plan | {"seats": seats, "rating_pool": None, "deadline_at": NOW, "first_dealer": None} | changes)
    )


def random_bytes() -> Any:
    numbers = count(1)
    return lambda size: bytes([next(numbers)]) * size


def test_a_new_match_commits_to_its_own_seed() -> None:
    match = new_match(wish(), None, random_bytes(), NOW)
    assert len(match.server_seed) == len(match.salt) == 32
    assert match.commitment == commitment(match.salt, match.server_seed)


def test_every_seat_has_its_own_entropy() -> None:
    ann, robin = new_match(wish(), None, random_bytes(), NOW).seats
    assert ann.entropy != robin.entropy


def test_the_whole_rule_set_is_kept_with_the_match() -> None:
    match = new_match(wish(rules={"preset": "short"}), None, random_bytes(), NOW)
    assert match.rules["target"] == match.target == 50
    assert match.rules["knock_limit"] == 10


def test_fixed_hands_weigh_thirteen_points_each() -> None:
    assert new_match(wish(rules={"fixed_hands": 6}), None, random_bytes(), NOW).target == 78


def test_a_match_cancelled_before_it_was_opened_is_void() -> None:
    match = new_match(wish(), "called off", random_bytes(), NOW)
    assert (match.state, match.ending, match.reason, match.finished_at) == ("cancelled", "void", "called off", NOW)
    assert not match.dealt


def test_seed_and_salt_are_in_no_text_form() -> None:
    match = new_match(wish(), None, random_bytes(), NOW)
    for secret in (match.server_seed, match.salt, match.seats[0].entropy):
        assert repr(secret) not in repr(match)


def test_a_bot_must_be_known() -> None:
    with pytest.raises(CannotOpen, match="hal"):
        checked_rules(wish(seats=[SeatPlan("a", "A", "hal"), SeatPlan("b", "B", None)]))


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_rummy_is_played_by_two(seats: int) -> None:
    with pytest.raises(CannotOpen):
        checked_rules(wish(seats=[SeatPlan(str(n), "N", None) for n in range(seats)]))
