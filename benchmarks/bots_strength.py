"""How strong the bots are: matches of each against the baseline of its game, who deals first in turns.

``python -m benchmarks.bots_strength [--bots NAME …] [--matches N] [--write]`` prints a table with 95 % intervals. The
seed fixes every deal and every bot's chance, so that the same code finds the same numbers on any number of processes.
``--write`` keeps them beside the bots (`gin_bots.catalogue.MEASURED_FILE`) and in docs/bots.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from time import process_time

from gin_bots import BASELINES, Measurement, bot_named, bots
from gin_bots.catalogue import MEASURED_FILE
from gin_rules.game import game_named
from gin_rules.shuffle import SeededDeals

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "bots.md"
MATCHES = {"rummy": 4000, "word": 1000}
PROCESSES = 2
SEED = 1
PRESET = "standard"
_BEGIN, _END = "<!-- measured: {} -->", "<!-- end of measured: {} -->"


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and keep the numbers if asked to."""
    wish = argparse.ArgumentParser(prog="python -m benchmarks.bots_strength")
    wish.add_argument("--bots", nargs="+", metavar="NAME", help="only these")
    wish.add_argument("--matches", type=int, help="a bot and game; default 4000 of Gin Rummy, 1000 of Word Gin")
    wish.add_argument("--processes", type=int, default=PROCESSES)
    wish.add_argument("--write", action="store_true", help="keep the numbers with the bots and in docs/bots.md")
    given = wish.parse_args(arguments)
    found: dict[str, list[Measurement]] = {}
    for game, baseline in BASELINES.items():
        for bot in bots():
            if game in bot.games and bot.name != baseline and (not given.bots or bot.name in given.bots):
                measured = measure(game, bot.name, given.matches or MATCHES[game], given.processes)
                found.setdefault(bot.name, []).append(measured)
                print(_line(measured, bot.title), flush=True)
    if given.write:
        keep(found)
    return 0


def measure(game: str, bot: str, matches: int, processes: int = PROCESSES) -> Measurement:
    """The bot against the baseline of the game; deals and chance depend on the numbers of the matches alone."""
    baseline = BASELINES[game]
    chunks = [range(start, min(start + 50, matches)) for start in range(0, matches, 50)]
    with ProcessPoolExecutor(processes) as pool:
        counts = list(pool.map(play_some, [(game, bot, baseline)] * len(chunks), chunks))
    wins, draws = sum(won for won, _ in counts), sum(drawn for _, drawn in counts)
    return Measurement(game, baseline, PRESET, matches, wins, draws)


def play_some(pairing: tuple[str, str, str], numbers: range) -> tuple[int, int]:
    """How many of these matches the first bot wins, and how many are drawn. It deals first in those of even number."""
    game_name, first, second = pairing
    game = game_named(game_name)
    rules = game.rules_from_json({"preset": PRESET})
    players = (bot_named(first), bot_named(second))
    wins = draws = 0
    for number in numbers:
        name = f"strength {SEED} {number}"
        deals = SeededDeals(hashlib.sha256(name.encode()).digest(), (), name, game.deck_size(rules))
        chances = [Random(f"{name} seat {seat}") for seat in (0, 1)]
        state = game.new_match(rules, 2, deals, first_dealer=number % 2)
        while (seat := game.to_act(state)) is not None:
            state = game.apply(state, players[seat].choose_action(game.view(state, seat), chances[seat]))
        outcome = game.outcome(state)
        assert outcome is not None
        wins += outcome.winner == 0
        draws += outcome.winner is None
    return wins, draws


def decision_milliseconds(game_name: str, name: str, matches: int) -> float:
    """Processor time of a decision of this bot on average, over so many matches against the baseline."""
    game = game_named(game_name)
    rules = game.rules_from_json({"preset": PRESET})
    players = (bot_named(name), bot_named(BASELINES[game_name]))
    spent, decisions = 0.0, 0
    for number in range(matches):
        deals = SeededDeals(bytes(32), (), f"time {number}", game.deck_size(rules))
        chance = Random(number)
        state = game.new_match(rules, 2, deals, first_dealer=number % 2)
        while (seat := game.to_act(state)) is not None:
            view = game.view(state, seat)
            start = process_time()
            action = players[seat].choose_action(view, chance)
            if seat == 0:
                spent += process_time() - start
                decisions += 1
            state = game.apply(state, action)
    return 1000 * spent / decisions


def table(game: str) -> list[str]:
    """What the catalogue holds of a game, as the lines of a Markdown table, weakest first."""
    lines = ["| bot | name | matches won | 95 % interval | matches |", "|---|---|---|---|---|"]
    for bot in bots():
        if game not in bot.games:
            continue
        measured = bot.measured_in(game)
        if measured is None:
            lines.append(f"| {bot.title} | `{bot.name}` | the measure of the others | | |")
        else:
            low, high = measured.interval
            rate = f"{measured.win_rate:.1%} | {low:.1%} to {high:.1%}"
            lines.append(f"| {bot.title} | `{bot.name}` | {rate} | {measured.matches} |")
    return lines


def keep(found: dict[str, list[Measurement]]) -> None:
    """Writes these measurements, those of the other bots staying, to the catalogue's file and to the document."""
    kept = json.loads(MEASURED_FILE.read_text())
    for name, measurements in found.items():
        kept[name] = [{each: getattr(one, each) for each in _FIELDS} for one in measurements]
    ordered = {bot.name: kept[bot.name] for bot in bots() if bot.name in kept}
    MEASURED_FILE.write_text(json.dumps(ordered, indent=2) + "\n")
    bots.cache_clear()
    text = DOCUMENT.read_text()
    for game in BASELINES:
        begin, end = _BEGIN.format(game), _END.format(game)
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = "\n".join([before + begin, *table(game), end]) + after
    DOCUMENT.write_text(text)


_FIELDS = ("game", "opponent", "preset", "matches", "wins", "draws")


def document_tables() -> Iterator[tuple[str, list[str]]]:
    """Game by game, the lines of its table in docs/bots.md."""
    text = DOCUMENT.read_text()
    for game in BASELINES:
        _, _, rest = text.partition(_BEGIN.format(game))
        yield game, rest.partition(_END.format(game))[0].strip().splitlines()


def _line(measured: Measurement, title: str) -> str:
    low, high = measured.interval
    return (
        f"{measured.game:<6} {title:<14} {measured.win_rate:6.1%}  [{low:.1%}, {high:.1%}]"
        f"  of {measured.matches} matches against {measured.opponent}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
