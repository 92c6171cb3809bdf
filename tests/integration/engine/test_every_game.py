"""The engine plays whatever the rules can: both games, and tables of two, three and four."""

from typing import Any

import pytest

from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.integration.engine.house import House, bot


@pytest.mark.parametrize(
    ("game", "plays", "seats", "rules", "target"),
    [
        ("word", "wordsmith-50", 2, {}, 200),
        ("word", "wordsmith-50", 3, {}, 150),
        ("word", "wordsmith-50", 4, {}, 100),
        ("rummy", "simple", 2, {"preset": "hollywood", "target": 50}, 50),
        ("rummy", "simple", 3, {"preset": "rotation3", "target": 50}, 50),
        ("rummy", "simple", 4, {"preset": "pairs4", "target": 50}, 50),
        ("rummy", "simple", 4, {"preset": "rotation4", "target": 50}, 50),
    ],
)
def test_bots_play_a_match_whose_record_anyone_can_verify(
    house: House, game: str, plays: str, seats: int, rules: dict[str, Any], target: int
) -> None:
    players = [bot(f"p{seat}", plays) for seat in range(seats)]
    match_id = house.open(*players, game=game, rules=rules, rating_pool=f"{game}/open")
    house.play()
    (told,) = house.told(match_id)
    assert (told["ending"], told["target"], len(told["seats"])) == ("played", target, seats)
    assert min(seat["place"] for seat in told["seats"]) == 1
    record = record_from_json(house.get(f"/{match_id}/record").json)
    assert verify(record) is None
    shown = house.get(f"/{match_id}").json
    assert (shown["game"], shown["state"], len(shown["view"]["results"]) > 0) == (game, "finished", True)
