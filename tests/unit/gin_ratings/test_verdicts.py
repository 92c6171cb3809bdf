import pytest

from gin_ratings.domain.pools import MalformedPool, parse_pool
from gin_ratings.domain.verdicts import Verdict, judge

TWO = ["ann", "ben"]


def test_played_match_of_a_pool_is_rated() -> None:
    assert judge("rummy/open", "played", TWO) is Verdict.RATED


def test_match_without_pool_is_unrated() -> None:
    assert judge(None, "played", TWO) is Verdict.NO_POOL


def test_a_match_given_up_counts_and_one_to_which_somebody_never_came_does_not() -> None:
    assert judge("rummy/open", "no_show", TWO) is Verdict.NO_SHOW
    assert judge("rummy/open", "forfeit", TWO) is Verdict.RATED


@pytest.mark.parametrize("ending", ["void", "double_forfeit"])
def test_void_and_double_forfeit_are_unrated_even_after_play(ending: str) -> None:
    assert judge("rummy/open", ending, TWO) is Verdict(ending)


def test_nobody_is_rated_against_themselves_or_against_no_one() -> None:
    assert judge("rummy/open", "played", ["ann", "ann"]) is Verdict.PLAYER_TWICE
    assert judge("rummy/open", "played", ["ann"]) is Verdict.TOO_FEW_PLAYERS


@pytest.mark.parametrize("text", ["rummy/open", "word/people", "oklahoma-2/open_bots"])
def test_pool_is_a_game_and_a_population(text: str) -> None:
    assert parse_pool(text) == text


@pytest.mark.parametrize("text", ["", "rummy", "rummy/", "/open", "Rummy/open", "rummy/open/x", "rummy/op en", "a/b\n"])
def test_anything_else_is_no_pool(text: str) -> None:
    with pytest.raises(MalformedPool):
        parse_pool(text)
