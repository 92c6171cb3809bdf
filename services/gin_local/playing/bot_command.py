"""`ginhall bot`: a built-in bot that plays on a server as any program would."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import click

from gin_bots import BOT_NAMES, UnknownBot, bot_named
from gin_local.errors import HouseError
from gin_local.playing.events import Events
from gin_local.playing.seats import Entry, Seats, account_of
from gin_local.ports import DEFAULT_PORT
from gin_local.rest import Client, RefusedError

_POLL_SECONDS = 1.0
_POLL_WITH_EVENTS_SECONDS = 10.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_PASSING = (408, 429, 500, 502, 503, 504)
"""Statuses after which the same request may succeed later."""


@click.command()
@click.argument("name", metavar="NAME")
@click.option(
    "--server",
    default=f"http://127.0.0.1:{DEFAULT_PORT}",
    show_default=True,
    envvar="GINHALL_SERVER",
    help="The address of the server.",
)
@click.option(
    "--token",
    required=True,
    envvar="GINHALL_TOKEN",
    help="Of the player to play for, with the scope play. Or GINHALL_TOKEN.",
)
@click.option("--tournament", metavar="ID", help="Enter this tournament, and play until it is over.")
@click.option("--forever", is_flag=True, help="Play on when the tournament is over.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a line, for programs.")
def bot(name: str, server: str, token: str, tournament: str | None, forever: bool, as_json: bool) -> None:
    """Let the built-in bot NAME play every seat of a player on a server, by its public API.

    Without --tournament it plays whatever its player is called to, until Ctrl-C.
    """
    try:
        player = bot_named(name)
    except UnknownBot as unknown:
        raise click.BadParameter(
            f"there is no bot {name!r}; there are: {', '.join(BOT_NAMES)}", param_hint="NAME"
        ) from unknown
    tell = _tell_json if as_json else _tell_text
    account = account_of(token)
    client = Client(server, token)
    entry = None if tournament is None else Entry(client, account, tournament, tell)
    seats = Seats(client, account, player, tell)
    topics = [f"player:{account}", f"seat:{account}"] + ([f"tournament:{tournament}"] if tournament else [])
    tell("start", bot=name, player_id=account, server=server)
    try:
        with Events(server, token, topics) as events:
            _run(entry, seats, tournament, forever, events, tell)
    except KeyboardInterrupt:
        tell("stopped")


def _run(
    entry: Entry | None, seats: Seats, tournament: str | None, forever: bool, events: Events, tell: Callable[..., None]
) -> None:
    pause = 0.0
    over = False
    while True:
        try:
            over = over or (entry is not None and entry.follow())
            playing = seats.act(None if forever else tournament)
            if pause:
                tell("back")
            pause = 0.0
            if over and not forever and not playing:
                return
        except HouseError as fault:
            if isinstance(fault, RefusedError) and fault.status not in _PASSING:
                raise
            if not pause:
                tell("away", reason=str(fault))
            pause = min(max(pause * 2, _FIRST_PAUSE), _LONGEST_PAUSE)
            time.sleep(pause)
            continue
        events.wait(_POLL_SECONDS, _POLL_WITH_EVENTS_SECONDS)


def _tell_json(event: str, **details: Any) -> None:
    at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    click.echo(json.dumps({"event": event, "at": at, **details}))


def _tell_text(event: str, **details: Any) -> None:
    click.echo(f"{datetime.now(UTC):%H:%M:%S}  {_TEXTS[event](details)}", err=event == "away")
    sys.stdout.flush()


def _result(details: dict[str, Any]) -> str:
    scores = ", ".join(f"{name} {'–' if score is None else score}" for name, score in details["scores"].items())
    place = "not scored" if details["place"] is None else f"place {details['place']}"
    return f"match over, {place}: {scores} ({details['ending']})"


_TEXTS: dict[str, Callable[[dict[str, Any]], str]] = {
    "start": lambda told: f"{told['bot']} plays at {told['server']}; Ctrl-C stops it",
    "tournament": lambda told: f"tournament {told['name']}: {told['state'].replace('_', '-')}",
    "entered": lambda told: f"entered: {told['state']}",
    "match": lambda told: f"match against {', '.join(told['opponents']) or 'nobody'}",
    "result": _result,
    "away": lambda told: f"{told['reason']} – trying again",
    "back": lambda told: "the server answers again",
    "stopped": lambda told: "stopped; matches that are not over wait for their player",
}
