"""Hands of Gin Rummy played by the API, up to where a page takes over."""

from __future__ import annotations

from tests.browser.hall import Hall
from tests.integration.engine.house import person


def play_until_a_knock(hall: Hall, match_id: str) -> tuple[str, str]:
    """Both players keep the least deadwood, until one may knock: who it is, and the discard."""
    while True:
        player = ("ann", "bob")[hall.house.get(f"/{match_id}").json["to_act"]]
        seat = hall.house.seat(match_id, player)
        knocks = [action for action in seat["legal_actions"] if action.startswith("knock")]
        if knocks:
            return player, knocks[0].split(" ")[1]
        if seat["view"]["phase"] == "discard":
            discards = hall.house.get(f"/{match_id}/advice", player).json["discards"]
            action = f"discard {min(discards, key=lambda card: discards[card]['deadwood'])}"
        else:
            action = next(action for action in ("pass", "draw") if action in seat["legal_actions"])
        hall.house.act(match_id, player, action, seat["action_count"])


def knock_with_layoffs(hall: Hall) -> tuple[str, str]:
    """A match in which a knock waits for a defender who has something to lay off: its id, and who that is."""
    while True:
        match_id = hall.house.open(person("ann"), person("bob"), rules={"layoffs": "manual"})
        knocker, discard = play_until_a_knock(hall, match_id)
        defender = "bob" if knocker == "ann" else "ann"
        count = hall.house.seat(match_id, knocker)["action_count"]
        hall.house.act(match_id, knocker, f"knock {discard}", count)
        if any(action.startswith("layoff") for action in hall.house.seat(match_id, defender)["legal_actions"]):
            return match_id, defender
