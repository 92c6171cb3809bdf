"""A whole tournament of bots, played through the REST interface like anybody else would."""

import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from gin_local.errors import HouseError
from gin_local.rest import Client

ROUNDS = 5
_START_SECONDS = 5
_POLL_SECONDS = 0.5
_SILENCE_SECONDS = 120.0
_SCOPES = ("tournament:read", "tournament:write", "account")


def play_demo(url: str, players: int, console: Console) -> None:
    """Create, fill, play and show one Swiss tournament of `players` bots at `url`, with its standings
    as the server gives them.

    Raises:
        HouseError: the server refused a step, or nothing moved for two minutes.
    """
    client = _organiser(Client(url))
    tag = secrets.token_hex(3)
    tournament = client.post(
        "/api/v1/tournaments",
        {
            "name": f"Demonstration {tag}",
            "game": "rummy",
            "rules": {"preset": "standard"},
            "format": "swiss",
            "rounds": ROUNDS,
            "starts_at": _rfc3339(datetime.now(UTC) + timedelta(seconds=_START_SECONDS + players / 8)),
            "capacity": players,
        },
    )
    path = f"/api/v1/tournaments/{tournament['tournament_id']}"
    client.post(f"{path}/registration")
    with _bars(console) as progress:
        joining = progress.add_task("players join", total=players)
        for number in range(1, players + 1):
            bot = client.post("/api/v1/players", {"name": f"Bot {number:02}", "kind": "bot", "bot": "simple"})
            client.post(f"{path}/entrants", {"player_id": bot["player_id"]})
            progress.advance(joining)
        _follow(client, path, progress)
    document = client.get(f"{path}/standings")
    console.print(standings_table(str(tournament["name"]), document["standings"]))
    console.print(f"The page: {url}/tournaments/{tournament['tournament_id']}", soft_wrap=True)
    console.print(f"The same by REST: {url}{path}/standings", soft_wrap=True)


def _organiser(client: Client) -> Client:
    name = f"demo-{secrets.token_hex(4)}"
    password = secrets.token_urlsafe(18)
    client.post("/api/v1/accounts", {"name": name, "password": password})
    token = client.post("/api/v1/tokens", {"name": name, "password": password, "scopes": list(_SCOPES)})
    return client.with_token(token["token"])


def _rfc3339(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _bars(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:<14}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )


def _follow(client: Client, path: str, progress: Progress) -> None:
    """Show each round as it is played, until the tournament is over."""
    bars: dict[int, Any] = {}
    last_seen: object = None
    last_moved = time.monotonic()
    while True:
        tournament = client.get(path)
        pairings = client.get(f"{path}/pairings")["pairings"]
        played = Counter(pairing["round"] for pairing in pairings)
        decided = Counter(pairing["round"] for pairing in pairings if pairing["result"] is not None)
        for number, total in played.items():
            if number not in bars:
                bars[number] = progress.add_task(f"round {number} of {tournament['rounds']}", total=total)
            progress.update(bars[number], completed=decided[number])
        if tournament["state"] == "finished":
            return
        if tournament["state"] == "cancelled":
            raise HouseError(f"the tournament was cancelled: {tournament['ended_because']}")
        seen = (tournament["state"], played, decided)
        if seen != last_seen:
            last_seen, last_moved = seen, time.monotonic()
        elif time.monotonic() - last_moved > _SILENCE_SECONDS:
            raise HouseError(
                f"nothing moved for {_SILENCE_SECONDS:.0f} s (state {tournament['state']}): see `ginhall logs`"
            )
        time.sleep(_POLL_SECONDS)


def standings_table(title: str, standings: Sequence[Mapping[str, Any]]) -> Table:
    """The server's own lines and figures, in its order; each tie-break has a column."""
    table = Table(title=title, box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, pad_edge=False)
    for column in ("#", "±", "Player", "Points", "W–D–L"):
        table.add_column(column, justify="left" if column == "Player" else "right", no_wrap=True)
    for name in standings[0]["tie_breaks"] if standings else ():
        table.add_column(name.replace("_", " "), justify="right", vertical="bottom")
    for line in standings:
        moved = line["movement"]
        table.add_row(
            str(line["rank"]),
            f"{moved:+}" if moved else "",
            line["name"],
            f"{line['points']:g}",
            f"{line['wins']}–{line['draws']}–{line['losses']}",
            *(f"{value:g}" for value in line["tie_breaks"].values()),
        )
    return table
