import pytest

from gin_ratings.domain.glicko2 import NEWCOMER, Glicko, Result, after_period

PLAYER = Glicko(1500, 200, 0.06)


def test_example_of_the_paper() -> None:
    results = [Result(1400, 30, 1), Result(1550, 100, 0), Result(1700, 300, 0)]
    rating, deviation, volatility = after_period(PLAYER, results, tau=0.5)
    # The paper rounds on its way to 1464.06; unrounded it is 1464.0507.
    assert rating == pytest.approx(1464.05, abs=5e-3)
    assert deviation == pytest.approx(151.52, abs=5e-3)
    assert volatility == pytest.approx(0.05999, abs=1e-5)


def test_period_without_games_only_widens_the_deviation() -> None:
    rating, deviation, volatility = after_period(PLAYER, [])
    assert (rating, volatility) == (1500, 0.06)
    assert deviation == pytest.approx(200.2714, abs=1e-4)


def test_upset_raises_volatility_and_an_expected_win_does_not() -> None:
    steady = Glicko(1500, 50, 0.06)
    assert after_period(steady, [Result(2200, 30, 1)] * 3).volatility > 0.06
    assert after_period(steady, [Result(1300, 30, 1)]).volatility <= 0.06


def test_mirrored_results_move_a_newcomer_as_far_up_as_down() -> None:
    up = after_period(NEWCOMER, [Result(1500, 80, 1)])
    down = after_period(NEWCOMER, [Result(1500, 80, 0)])
    assert up.rating - 1500 == pytest.approx(1500 - down.rating)
    assert up.deviation == pytest.approx(down.deviation)
