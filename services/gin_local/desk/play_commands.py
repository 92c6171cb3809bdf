"""`ginhall selfplay`."""

from __future__ import annotations

import json
import sys
import time

import click

from gin_local.desk.failures import DeskError, Refused
from gin_local.desk.self_play import Count, Pairing, play


@click.command()
@click.option("--bots", required=True, help="Their names, one for each seat: simple,random.")
@click.option("--matches", type=click.IntRange(1), default=100, show_default=True)
@click.option("--game", default="rummy", show_default=True, help="Which game.")
@click.option("--preset", help="A rule set by name.  [default: the game's own]")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same matches.")
@click.option("--processes", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def selfplay(bots: str, matches: int, game: str, preset: str | None, seed: int, processes: int, as_json: bool) -> None:
    """Let bots play matches against one another, and count them. The seed decides all but the seconds."""
    names = tuple(name.strip() for name in bots.split(","))
    started = time.perf_counter()
    try:
        pairing = Pairing(game, names, preset, seed)
        count = _count(pairing, matches, processes)
    except DeskError as wrong:
        raise Refused(wrong) from wrong
    seconds = time.perf_counter() - started
    click.echo(json.dumps(_document(pairing, count, seconds)) if as_json else _text(pairing, count, seconds))


def _count(pairing: Pairing, matches: int, processes: int) -> Count:
    nobody = (0,) * len(pairing.bots)
    total = Count(0, 0, 0, nobody, nobody)
    with click.progressbar(length=matches, label="matches", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        for some in play(pairing, matches, processes):
            total += some
            bar.update(some.matches)
    return total


def _document(pairing: Pairing, count: Count, seconds: float) -> dict[str, object]:
    return {
        "game": pairing.game,
        "preset": pairing.preset,
        "seed": pairing.seed,
        "bots": list(pairing.bots),
        "matches": count.matches,
        "hands": count.hands,
        "draws": count.draws,
        "wins": list(count.wins),
        "points": list(count.points),
        "seconds": round(seconds, 3),
    }


def _text(pairing: Pairing, count: Count, seconds: float) -> str:
    width = max(len("bot"), *map(len, pairing.bots))
    lines = [f"{'bot':<{width}} {'wins':>8} {'share':>7} {'points':>9}"]
    for name, wins, points in zip(pairing.bots, count.wins, count.points, strict=True):
        lines.append(f"{name:<{width}} {wins:>8} {wins / count.matches:>7.1%} {points:>9}")
    lines.append(
        f"{count.matches} matches, {count.draws} drawn, {count.hands} hands in {seconds:.1f} s"
        f" ({count.hands / seconds:,.0f} hands/s)"
    )
    return "\n".join(lines)
