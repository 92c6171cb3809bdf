"""`ginhall tournament`: create, list, show and rank tournaments of a running house, here or elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import click

from gin_local.desk.failures import Refused
from gin_local.errors import HouseError
from gin_local.ports import DEFAULT_PORT
from gin_local.rest import Client, RefusedError

_F = TypeVar("_F", bound=Callable[..., Any])
_STATES = ("announced", "registration", "check_in", "running", "finished", "cancelled")
_BAD_INPUT = (400, 404, 409, 413, 422)


def _server_options(command: _F) -> _F:
    command = click.option("--json", "as_json", is_flag=True, help="For programs: what the server answers.")(command)
    command = click.option("--token", envvar="GINHALL_TOKEN", help="Who asks.  [env: GINHALL_TOKEN]")(command)
    return click.option(
        "--server",
        envvar="GINHALL_SERVER",
        default=f"http://127.0.0.1:{DEFAULT_PORT}",
        show_default=True,
        help="The house's address.  [env: GINHALL_SERVER]",
    )(command)


@click.group()
def tournament() -> None:
    """Create, list, show and rank tournaments of a running house.

    Exit status 2 when the server refuses what was asked for, 1 when it cannot be reached or does not know you.
    """


@tournament.command("create")
@click.argument("name")
@click.option(
    "--starts-at", required=True, metavar="TIME", help="RFC 3339, such as 2027-01-08T19:00:00Z, or +90m, +2h, +3d."
)
@click.option(
    "--format", "format_", default="swiss", show_default=True, help="A kind, JSON with all settings, or @FILE."
)
@click.option("--rounds", type=click.IntRange(1), help="Of a Swiss.")
@click.option("--tie-breaks", metavar="A,B,…", help="In strict order.")
@click.option("--game", default="rummy", show_default=True, help="rummy or word.")
@click.option("--preset", help="The rules, by the name of a preset.")
@click.option("--admits", type=click.Choice(("humans", "bots", "mixed")), default="mixed", show_default=True)
@click.option("--capacity", type=click.IntRange(2))
@click.option("--minimum", type=click.IntRange(2), default=2, show_default=True, help="Fewest entrants.")
@click.option("--check-in", type=click.IntRange(0), default=0, show_default=True, help="Minutes before the start.")
@click.option("--round-minutes", type=click.IntRange(1), default=60, show_default=True, help="A round's deadline.")
@click.option("--open", "open_", is_flag=True, help="Open registration at once.")
@_server_options
def create(name: str, server: str, token: str | None, as_json: bool, open_: bool, **options: Any) -> None:
    """Create the tournament NAME; needs a token with the right to write tournaments."""
    body = _plan(name, options)
    made = _ask(server, token, lambda client: client.post("/api/v1/tournaments", body))
    if open_:
        path = f"/api/v1/tournaments/{quote(made['tournament_id'], safe='')}/registration"
        made = _ask(server, token, lambda client: client.post(path))
    _show(made, as_json, _facts)


@tournament.command("list")
@click.option("--state", type=click.Choice(_STATES), help="Only those in this state.")
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True)
@_server_options
def list_(server: str, token: str | None, as_json: bool, state: str | None, limit: int) -> None:
    """List tournaments, newest first."""
    query = urlencode({"limit": limit} | ({"state": state} if state else {}))
    found = _ask(server, token, lambda client: client.get(f"/api/v1/tournaments?{query}"))
    _show(found, as_json, _list_text)


@tournament.command("show")
@click.argument("tournament_id")
@_server_options
def show(tournament_id: str, server: str, token: str | None, as_json: bool) -> None:
    """Show one tournament."""
    path = f"/api/v1/tournaments/{quote(tournament_id, safe='')}"
    _show(_ask(server, token, lambda client: client.get(path)), as_json, _facts)


@tournament.command("standings")
@click.argument("tournament_id")
@click.option("--round", "number", type=click.IntRange(0), help="As of this round.  [default: now]")
@_server_options
def standings(tournament_id: str, server: str, token: str | None, as_json: bool, number: int | None) -> None:
    """Show who stands where."""
    path = f"/api/v1/tournaments/{quote(tournament_id, safe='')}/standings"
    if number is not None:
        path += f"?round={number}"
    _show(_ask(server, token, lambda client: client.get(path)), as_json, _standings_text)


def _ask(server: str, token: str | None, question: Callable[[Client], Any]) -> Any:
    try:
        return question(Client(server, token))
    except RefusedError as refused:
        if refused.status in _BAD_INPUT:
            raise Refused(refused) from refused
        raise
    except ValueError as wrong:
        raise HouseError(f"{server} is no address of a server: {wrong}") from wrong


def _plan(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    plan: dict[str, Any] = {
        "name": name,
        "game": options["game"],
        "starts_at": _moment(options["starts_at"]),
        "format": _format(options["format_"]),
        "admits": options["admits"],
        "capacity": options["capacity"],
        "minimum_entrants": options["minimum"],
        "check_in_minutes": options["check_in"],
        "round_minutes": options["round_minutes"],
    }
    ties = options["tie_breaks"]
    wanted = {
        "rounds": options["rounds"],
        "tie_breaks": None if ties is None else [t.strip() for t in ties.split(",") if t.strip()],
    }
    given = {key: value for key, value in wanted.items() if value is not None}
    if plan["format"] == "swiss":
        plan |= {"rounds": 5} | given
    elif given and not isinstance(plan["format"], str):
        plan["format"] |= given
    if options["preset"]:
        plan["rules"] = {"preset": options["preset"]}
    return plan


def _format(text: str) -> str | dict[str, Any]:
    """A kind alone is one with all its defaults."""
    if text.startswith("@"):
        try:
            text = Path(text[1:]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as wrong:
            raise Refused(f"--format: {wrong}") from wrong
    if not text.lstrip().startswith("{"):
        return text if text == "swiss" else {"kind": text}
    try:
        found: dict[str, Any] = json.loads(text)
    except ValueError as wrong:
        raise Refused(f"--format: not JSON: {wrong}") from wrong
    return found


def _moment(text: str) -> str:
    if not text.startswith("+"):
        return text
    unit = {"m": "minutes", "h": "hours", "d": "days"}.get(text[-1], "")
    if not unit or not text[1:-1].isdecimal() or len(text) > 8:
        raise Refused(f"--starts-at: {text} is no time from now: write +90m, +2h or +3d")
    return (datetime.now(UTC) + timedelta(**{unit: int(text[1:-1])})).isoformat()


def _show(found: Any, as_json: bool, text: Callable[[Any], str]) -> None:
    click.echo(json.dumps(found, ensure_ascii=False, indent=2) if as_json else text(found))


def _facts(t: Mapping[str, Any]) -> str:
    rounds = f", {t['rounds']} rounds" if t["rounds"] else ""
    facts = [
        ("id", t["tournament_id"]),
        ("state", t["state"].replace("_", " ") + (f": {t['ended_because']}" if t["ended_because"] else "")),
        ("game", t["game"]),
        ("format", t["format"]["kind"].replace("_", " ") + rounds),
        ("starts at", t["starts_at"]),
        ("round", str(t["current_round"])),
        ("tie-breaks", ", ".join(t["tie_breaks"]) or "none"),
        ("open to", t["admits"]),
        ("places", str(t["capacity"] or "unlimited")),
    ]
    return "\n".join([t["name"], *(f"  {name:<11}{value}" for name, value in facts)])


def _list_text(found: Mapping[str, Any]) -> str:
    rows = [[t["tournament_id"], t["state"], t["starts_at"], t["name"]] for t in found["tournaments"]]
    return _columns(rows) if rows else "There is no tournament."


def _standings_text(found: Mapping[str, Any]) -> str:
    ties = found["tie_breaks"]
    rows = [["#", "name", "points", *ties]]
    rows += [
        [str(line["rank"]), line["name"], f"{line['points']:g}", *(f"{line['tie_breaks'][name]:g}" for name in ties)]
        for line in found["standings"]
    ]
    when = f"round {found['round']}" + ("" if found["complete"] else ", not complete")
    return f"Standings, {when}\n{_columns(rows)}"


def _columns(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows)
