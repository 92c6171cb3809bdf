"""What the demonstration shows is what the server says."""

from typing import Any

from rich.console import Console

from gin_local.demo import standings_table


def line(rank: int, movement: int | None, name: str, points: float, buchholz: float) -> dict[str, Any]:
    figures = {"rank": rank, "movement": movement, "name": name, "player_id": f"id of {name}", "points": points}
    return figures | {"wins": 4, "draws": 1, "losses": 0, "tie_breaks": {"buchholz": buchholz}}


def test_standings_keep_the_order_and_values_of_the_server() -> None:
    rows = [line(1, None, "Bot 07", 4.5, 14), line(2, 3, "Bot 02", 4, 15.5), line(2, 0, "Bot 01", 4, 15.5)]
    console = Console(width=80)
    with console.capture() as capture:
        console.print(standings_table("Final", rows))
    shown = [words.split() for words in capture.get().splitlines() if "Bot" in words]
    assert shown == [
        ["1", "Bot", "07", "4.5", "4–1–0", "14"],
        ["2", "+3", "Bot", "02", "4", "4–1–0", "15.5"],
        ["2", "Bot", "01", "4", "4–1–0", "15.5"],
    ]
