"""Words on the pages of ratings."""

from __future__ import annotations

import pytest

from gin_ratings.pages.site import bot_name, player_path


@pytest.mark.parametrize(
    ("player_id", "shown", "path"),
    [
        ("bot-simple", "Simple", "/bots/simple"),
        ("bot-simple-2", "Simple 2", "/bots/simple"),
        ("bot-wordsmith-25", "Word learner", "/bots/wordsmith-25"),
        ("bot-wordsmith-25-3", "Word learner 3", "/bots/wordsmith-25"),
        ("bot-nobody", "bot-nobody", "/players/bot-nobody"),
        ("simple", "simple", "/players/simple"),
    ],
)
def test_computer_opponents_of_casual_play_are_called_as_at_the_table(player_id: str, shown: str, path: str) -> None:
    assert (bot_name(player_id), player_path(player_id)) == (shown, path)
