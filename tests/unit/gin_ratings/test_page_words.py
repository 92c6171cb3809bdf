"""Words on the pages of ratings."""

from __future__ import annotations

import pytest

from gin_ratings.pages.site import bot_name


@pytest.mark.parametrize(
    ("player_id", "shown"),
    [
        ("bot-simple", "Simple"),
        ("bot-simple-2", "Simple 2"),
        ("bot-wordsmith-25", "Word learner"),
        ("bot-wordsmith-25-3", "Word learner 3"),
        ("bot-nobody", "bot-nobody"),
        ("simple", "simple"),
    ],
)
def test_computer_opponents_of_casual_play_are_called_as_at_the_table(player_id: str, shown: str) -> None:
    assert bot_name(player_id) == shown
