"""The formulas against the reference values of the rating design, given there to six digits."""

import math

import pytest

from gin_ratings.domain import elo
from gin_ratings.domain.elo import Opponent, Standing


def against(rating: float, place: int) -> Opponent:
    return Opponent("opponent", rating, place)


@pytest.mark.parametrize(("lead", "share"), [(100, 0.640065), (200, 0.759747), (400, 0.909091), (0, 0.5)])
def test_expected_score_of_a_lead(lead: int, share: float) -> None:
    assert elo.expected_score(1500 + lead, 1500) == pytest.approx(share, abs=5e-7)
    assert elo.expected_score(1500, 1500 + lead) == pytest.approx(1 - share, abs=5e-7)


def test_expected_score_of_a_lead_beyond_every_measure_is_the_whole_point() -> None:
    assert elo.expected_score(1e9, 0.0) == 1.0
    assert elo.expected_score(0.0, 1e9, 3.2) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("target", "weight"),
    [(1, 0.3), (9, 0.3), (25, 0.5), (100, 1.0), (250, math.sqrt(2.5)), (400, 2.0), (1024, 3.2), (5000, 3.2)],
)
def test_weight_of_a_match_grows_as_the_root_of_its_target_within_bounds(target: int, weight: float) -> None:
    assert elo.match_weight(target) == pytest.approx(weight, rel=1e-15)


@pytest.mark.parametrize(("target", "gain"), [(25, 4.285369), (100, 7.198700), (400, 9.610123)])
def test_favourite_by_100_gains_more_from_a_longer_match(target: int, gain: float) -> None:
    weight = elo.match_weight(target)
    assert elo.change(20, weight, 1600, 1, [against(1500, 2)]) == pytest.approx(gain, abs=5e-7)
    assert elo.settled_change(20, weight, 1600, 1, [against(1500, 2)]) == pytest.approx(gain, abs=1e-6)


def test_outsider_by_200_wins_a_match_to_250() -> None:
    assert elo.change(20, elo.match_weight(250), 1400, 1, [against(1600, 2)]) == pytest.approx(27.214831, abs=5e-7)


def table_of(ratings: list[float], places: list[int], k: int) -> list[float]:
    seats = [
        Opponent(str(seat), rating, place) for seat, (rating, place) in enumerate(zip(ratings, places, strict=True))
    ]
    return [
        elo.change(k, 1.0, seat.rating, seat.place, [other for other in seats if other is not seat]) for seat in seats
    ]


def test_three_equal_players_ranked_one_two_three() -> None:
    assert table_of([1500, 1500, 1500], [1, 2, 3], 24) == pytest.approx([12, 0, -12], abs=1e-12)


def test_four_players_ranked_two_one_three_four() -> None:
    changes = table_of([1600, 1500, 1500, 1400], [2, 1, 3, 4], 24)
    assert changes == pytest.approx([-0.319015, 12, -4, -7.680985], abs=5e-7)


def test_tie_between_equals_changes_nothing_and_between_unequals_helps_the_weaker() -> None:
    assert elo.settled_change(40, 1.0, 1500, 1, [against(1500, 1)]) == 0
    assert elo.settled_change(40, 1.0, 1400, 1, [against(1600, 1)]) > 0


@pytest.mark.parametrize(("games", "k"), [(0, 40), (11.99, 40), (12, 20), (59.99, 20), (60, 10), (1000, 10)])
def test_k_falls_with_effective_games(games: float, k: int) -> None:
    assert elo.k_factor(games) == k


def test_provisional_below_thirty_effective_games_however_many_matches() -> None:
    assert Standing(1500, 300, 29.99).provisional
    assert not Standing(1500, 3, 30.0).provisional


@pytest.mark.parametrize(("games", "points"), [(0, 150), (10, 89), (30, 58), (60, 43), (100, 34)])
def test_uncertainty_shrinks_with_effective_games(games: float, points: int) -> None:
    assert round(elo.uncertainty(games)) == points


def test_settled_change_lies_on_the_grid_so_that_ratings_add_without_rounding() -> None:
    change = elo.settled_change(20, 1.0, 1600, 1, [against(1512.345, 2)])
    assert (change * elo.GRID).is_integer()
    assert 1600 + change - 1600 == change
