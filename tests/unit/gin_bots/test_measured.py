"""What the catalogue and docs/bots.md tell of the bots' strength is what they play."""

from __future__ import annotations

from math import sqrt

import pytest

from benchmarks.bots_strength import document_tables, play_some, table
from gin_bots import BASELINES, Measurement, bots_for

MATCHES = {"rummy": 24, "word": 6}
CERTAIN = 4.5
"""Standard deviations: a true figure fails so seldom that it never will, and the matches are the same every time."""

MEASURED = [(game, bot.name) for game, baseline in BASELINES.items() for bot in bots_for(game) if bot.name != baseline]


@pytest.mark.parametrize(("game", "name"), MEASURED)
def test_a_small_sample_agrees_with_the_measured_win_rate(game: str, name: str) -> None:
    measured = next(bot for bot in bots_for(game) if bot.name == name).measured_in(game)
    assert measured is not None
    matches = MATCHES[game]
    wins, draws = play_some((game, name, BASELINES[game]), range(100_000, 100_000 + matches))
    low, high = measured.interval
    spread = CERTAIN * sqrt(0.25 / matches)
    assert low - spread < (wins + draws / 2) / matches < high + spread


def test_the_document_tells_what_the_catalogue_holds() -> None:
    assert dict(document_tables()) == {game: table(game) for game in BASELINES}


def test_the_interval_is_the_one_of_wilson() -> None:
    low, high = Measurement("rummy", "simple", "standard", matches=100, wins=70, draws=20).interval
    assert (round(low, 4), round(high, 4)) == (0.7112, 0.8666)
    assert Measurement("rummy", "simple", "standard", matches=10, wins=0, draws=0).interval[0] == 0
