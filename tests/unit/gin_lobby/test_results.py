"""How the engine's account of a match becomes the result of a pairing."""

from datetime import UTC, datetime

import pytest

from gin_lobby.domain.results import as_told, outcome, result
from gin_lobby.use_cases.corrections import effect_on_rating
from gin_messages.match import MatchFinished, SeatResult
from gin_tournament.format import Result
from gin_tournament.model import Outcome


def told(ending: str, places: tuple[int, ...], hands_played: int) -> MatchFinished:
    seats = [SeatResult(f"p{seat}", place, 0, 0, 0) for seat, place in enumerate(places)]
    return MatchFinished("m", "t", 1, "rummy", None, 100, ending, seats, hands_played, datetime.now(UTC))


@pytest.mark.parametrize(
    ("ending", "places", "hands_played", "expected"),
    [
        ("played", (1, 2), 5, Outcome.FIRST_WINS),
        ("played", (2, 1), 5, Outcome.SECOND_WINS),
        ("played", (1, 1), 5, Outcome.DRAW),
        ("no_show", (1, 2), 1, Outcome.SECOND_FORFEITS),
        ("no_show", (2, 1), 0, Outcome.FIRST_FORFEITS),
        ("forfeit", (1, 2), 1, Outcome.FIRST_WINS),
        ("forfeit", (2, 1), 0, Outcome.SECOND_WINS),
        ("double_forfeit", (2, 2), 0, Outcome.DOUBLE_FORFEIT),
        ("void", (1, 1), 0, Outcome.VOID),
    ],
)
def test_result_of_a_pairing(ending: str, places: tuple[int, int], hands_played: int, expected: Outcome) -> None:
    assert outcome(told(ending, places, hands_played)) is expected


@pytest.mark.parametrize(
    ("ending", "places", "hands_played", "expected"),
    [
        ("played", (3, 1, 1, 4), 5, (3, 1, 1, 4)),
        ("no_show", (1, 2, 1), 0, (1, 0, 1)),  # did not come
        ("forfeit", (1, 2, 1), 3, (1, 2, 1)),  # gave up
        ("double_forfeit", (2, 2, 2), 0, (0, 0, 0)),
    ],
)
def test_places_of_a_table(ending: str, places: tuple[int, ...], hands_played: int, expected: tuple[int, ...]) -> None:
    ended = result(told(ending, places, hands_played))
    assert (ended.outcome, ended.places, len(ended.tallies)) == (None, expected, len(places))


def test_an_annulled_table_has_no_places() -> None:
    ended = result(told("void", (1, 1, 1, 1), 2))
    assert (ended.outcome, ended.places) == (Outcome.VOID, ())


@pytest.mark.parametrize(
    ("ending", "places"),
    [
        ("played", (1, 2)),
        ("played", (2, 1)),
        ("played", (1, 1)),
        ("no_show", (1, 2)),
        ("no_show", (2, 1)),
        ("double_forfeit", (1, 1)),
        ("void", (1, 1)),
        ("played", (3, 1, 1, 4)),
        ("no_show", (1, 2, 1)),
        ("double_forfeit", (1, 1, 1)),
        ("void", (1, 1, 1)),
    ],
)
def test_a_corrected_result_is_told_as_the_engine_would_have_told_it(ending: str, places: tuple[int, ...]) -> None:
    assert as_told(result(told(ending, places, 3)), len(places)) == (ending, places)


@pytest.mark.parametrize(
    ("was", "now", "effect"),
    [
        (Outcome.FIRST_WINS, Outcome.SECOND_WINS, "compensated"),
        (Outcome.FIRST_WINS, Outcome.DRAW, "compensated"),
        (Outcome.FIRST_WINS, Outcome.FIRST_WINS, "none"),
        (Outcome.FIRST_WINS, Outcome.VOID, "reversed"),
        (Outcome.FIRST_WINS, Outcome.SECOND_FORFEITS, "reversed"),
        (Outcome.DOUBLE_FORFEIT, Outcome.DRAW, "rated"),
        (Outcome.VOID, Outcome.DOUBLE_FORFEIT, "none"),
    ],
)
def test_what_a_correction_does_to_ratings(was: Outcome, now: Outcome, effect: str) -> None:
    assert effect_on_rating(Result(was), Result(now), 2) == effect
