"""A whole tournament of bots, played through the REST interface like anybody else would."""

import secrets
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

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
_OVER = frozenset({"finished", "archived"})
_FAILED = frozenset({"cancelled", "abandoned"})


def play_demo(url: str, players: int, console: Console) -> Sequence[Mapping[str, Any]]:
    """Create, fill, play and show one Swiss tournament of `players` bots at `url`; returns its standings as
    the server gives them.

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
    path = f"/api/v1/tournaments/{tournament['id']}"
    client.post(f"{path}/registration")
    with _bars(console) as progress:
        joining = progress.add_task("players join", total=players)
        for number in range(1, players + 1):
            bot = client.post(
                "/api/v1/players", {"name": f"Bot {tag}-{number:02}", "kind": "bot", "bot": "simple"}
            )
            client.post(f"{path}/entrants", {"player_id": bot["id"]})
            progress.advance(joining)
        _follow(client, path, progress)
    standings = client.items(f"{path}/standings")
    console.print(standings_table(str(tournament["name"]), standings))
    console.print(f"The same by REST: {url}{path}/standings")
    return standings


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
        state = str(client.get(path).get("state", ""))
        rounds = client.items(f"{path}/rounds")
        for played in rounds:
            number = int(played["number"])
            total, done = pairings_done(played)
            if number not in bars:
                bars[number] = progress.add_task(f"round {number} of {ROUNDS}", total=total)
            progress.update(bars[number], total=total, completed=done)
        if state in _OVER:
            return
        if state in _FAILED:
            raise HouseError(f"the tournament ended as {state}")
        seen = (state, [pairings_done(played) for played in rounds])
        if seen != last_seen:
            last_seen, last_moved = seen, time.monotonic()
        elif time.monotonic() - last_moved > _SILENCE_SECONDS:
            raise HouseError(
                f"nothing moved for {_SILENCE_SECONDS:.0f} s (state {state}): see `ginhall logs`"
            )
        time.sleep(_POLL_SECONDS)


def pairings_done(played: Mapping[str, Any]) -> tuple[int, int]:
    """How many pairings a round's document lists, and how many of them have their result."""
    pairings = played.get("pairings") or []
    return len(pairings), sum(1 for pairing in pairings if pairing.get("result") is not None)


def standings_table(title: str, standings: Sequence[Mapping[str, Any]]) -> Table:
    """The standings with the server's own columns, values and order; nested values one column each."""
    rows = [_flat(row) for row in standings]
    columns = list(
        dict.fromkeys(name for row in rows for name in row if name != "id" and not name.endswith("_id"))
    )
    table = Table(title=title)
    for column in columns:
        table.add_column(column.replace("_", " "))
    for row in rows:
        table.add_row(*(str(row.get(column, "")) for column in columns))
    return table


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            flat |= _flat(value)
        else:
            flat[name] = value
    return flat
