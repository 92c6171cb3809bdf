from datetime import UTC, datetime

import pytest

from gin_ratings.domain.glicko2 import NEWCOMER, Glicko, Result, after_period
from gin_ratings.domain.ledger import RatedMatch, Seat
from gin_ratings.domain.shadow import follow

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def match(*seats: tuple[str, int], target: int = 100) -> RatedMatch:
    return RatedMatch("m", "rummy/open", target, tuple(Seat(*seat) for seat in seats), NOON)


def test_match_is_a_period_for_its_players_and_for_nobody_else() -> None:
    standings = {"cid": Glicko(1600, 80, 0.06)}
    follow(standings, [match(("ann", 1), ("ben", 2))])
    assert standings["ann"] == after_period(NEWCOMER, [Result(1500, 350, 1)])
    assert standings["ben"] == after_period(NEWCOMER, [Result(1500, 350, 0)])
    assert standings["cid"] == Glicko(1600, 80, 0.06)


def test_both_are_rated_by_where_they_stood_before_the_match() -> None:
    ann, ben = Glicko(1700, 60, 0.06), Glicko(1400, 90, 0.06)
    standings = {"ann": ann, "ben": ben}
    follow(standings, [match(("ben", 1), ("ann", 2))])
    assert standings["ben"] == after_period(ben, [Result(1700, 60, 1)])
    assert standings["ann"] == after_period(ann, [Result(1400, 90, 0)])


def test_table_of_four_is_a_game_against_each_of_the_others() -> None:
    standings: dict[str, Glicko] = {}
    follow(standings, [match(("a", 1), ("b", 2), ("c", 2), ("d", 4))])
    newcomer = (1500.0, 350.0)
    assert standings["b"] == after_period(NEWCOMER, [Result(*newcomer, s) for s in (0, 0.5, 1)])
    assert standings["b"] == standings["c"]
    assert standings["a"].rating - 1500 == pytest.approx(1500 - standings["d"].rating)


def test_length_of_a_match_does_not_matter() -> None:
    short: dict[str, Glicko] = {}
    long: dict[str, Glicko] = {}
    follow(short, [match(("ann", 1), ("ben", 2), target=25)])
    follow(long, [match(("ann", 1), ("ben", 2), target=500)])
    assert short == long
