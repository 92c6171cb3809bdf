"""What the demonstration shows is what the server says."""

from gin_local.demo import pairings_done, standings_table
from rich.console import Console


def test_standings_keep_the_order_and_values_of_the_server() -> None:
    rows = [
        {"place": 1, "name": "Bot 07", "player_id": "p7", "points": "4.5", "tie_breaks": {"buchholz": "14"}},
        {"place": 2, "name": "Bot 02", "player_id": "p2", "points": "4", "tie_breaks": {"buchholz": "15.5"}},
    ]
    console = Console(width=100)
    with console.capture() as capture:
        console.print(standings_table("Final", rows))
    lines = capture.get().splitlines()
    shown = [line.split() for line in lines if "Bot" in line]
    assert [[word for word in words if word != "│"] for words in shown] == [
        ["1", "Bot", "07", "4.5", "14"],
        ["2", "Bot", "02", "4", "15.5"],
    ]


def test_round_counts_the_pairings_that_have_their_result() -> None:
    played = {"number": 1, "pairings": [{"result": "1-0"}, {"result": None}, {"result": "bye"}]}
    assert pairings_done(played) == (3, 2)
