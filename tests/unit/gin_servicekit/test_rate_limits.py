"""Budgets of requests in a window that slides."""

import pytest

from gin_servicekit.rate_limits import Spent, weigh


def test_what_is_left_goes_down_with_every_request() -> None:
    assert [weigh("x", 3, 60, count, 0, 15.0).left for count in (1, 2, 3)] == [2, 1, 0]
    assert weigh("x", 3, 60, 1, 0, 15.5) == Spent("x", 3, 60, 2, 45)


def test_one_more_than_the_budget_is_refused() -> None:
    assert weigh("x", 3, 60, 4, 0, 15.0).refused


def test_of_the_window_before_counts_the_share_that_still_lies_in_this_one() -> None:
    assert weigh("x", 10, 60, 1, 10, 0.0).refused
    assert weigh("x", 10, 60, 1, 10, 30.0).left == 4
    assert weigh("x", 10, 60, 1, 10, 59.99).left == 8


@pytest.mark.parametrize(
    ("count", "earlier", "elapsed"), [(11, 0, 0.0), (11, 0, 59.0), (11, 7, 30.0), (1, 10, 0.0), (6, 10, 20.0)]
)
def test_after_the_time_that_was_told_a_request_goes_through_and_not_long_before(
    count: int, earlier: int, elapsed: float
) -> None:
    def then(seconds_later: float) -> Spent:
        """The next request, by which time the refused one has been taken back."""
        later = elapsed + seconds_later
        if later < 60:
            return weigh("x", 10, 60, count, earlier, later)
        return weigh("x", 10, 60, 1, count - 1, later - 60)

    refused = weigh("x", 10, 60, count, earlier, elapsed)
    assert refused.refused
    assert not then(refused.better_in).refused
    assert then(refused.better_in - 1.5).refused or refused.better_in == 1
