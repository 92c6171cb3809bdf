"""`ginhall play`: a match in the terminal against a bot, without a server."""

from __future__ import annotations

import hashlib
import re
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import click

from gin_bots import BASELINES, Bot, UnknownBot, bot_named, bots_for
from gin_local.desk.failures import Refused
from gin_local.playing.rummy_table import RummyTable
from gin_local.playing.table import NotUnderstood, Table
from gin_local.playing.word_table import WordTable
from gin_rules.game import Action, AnyGame, IllegalAction, InvalidRules, game_named
from gin_rules.shuffle import SeededDeals

_TABLES: Final[dict[str, Table]] = {"rummy": RummyTable(), "word": WordTable()}
_OWN_SEAT: Final = 0
_SEATS_OF_FORMS: Final = {"rotation3": 3, "pairs4": 4, "rotation4": 4}
_INTERRUPTED: Final = 130


class _Left(Exception):
    """The player leaves."""


@dataclass
class _Match:
    """A match that is being played. Only `state` changes."""

    game: AnyGame
    table: Table
    bot: Bot
    names: list[str]
    chances: list[Random]
    state: Any

    def view(self) -> Any:
        return self.game.view(self.state, _OWN_SEAT)

    def tell_results(self, known: int) -> int:
        results = self.game.hand_results(self.state)
        for result in results[known:]:
            click.echo(click.style(f"\nHand {result.number}: {result.ended.replace('_', ' ')}", bold=True))
            for shown in self.table.result(result, self.names):
                click.echo(shown)
            for line in result.lines:
                click.echo(f"  {self.names[line.seat]} {line.points:+d}  {line.reason}")
            if not result.lines:
                click.echo("  nobody scores")
            self.tell_score()
        return len(results)

    def tell_score(self) -> None:
        totals = self.game.totals(self.state)
        click.echo("Score: " + ", ".join(f"{name} {total}" for name, total in zip(self.names, totals, strict=True)))

    def tell_course(self, view: Any) -> None:
        moves = self.table.course(view)
        for seat, told in moves:
            click.echo(f"  {self.names[seat]} {_yours(told) if seat == _OWN_SEAT else told}")
        if not moves:
            click.echo("Nothing was played in this hand yet.")


@click.command()
@click.option("--bot", "bot_name", metavar="NAME", help="Whom to play.  [default: simple, or wordsmith-50 in Word Gin]")
@click.option("--game", type=click.Choice(list(_TABLES)), help="Which game.  [default: what the bot plays]")
@click.option("--preset", help="A rule set by name.  [default: standard]")
@click.option("--players", type=click.IntRange(2, 4), help="How many at the table, you included.  [default: 2]")
@click.option("--seed", type=int, help="The same seed deals the same cards.")
@click.option("--hand", "one_hand", is_flag=True, help="Stop after one hand.")
def play(
    bot_name: str | None, game: str | None, preset: str | None, players: int | None, seed: int | None, one_hand: bool
) -> None:
    """Play a match in the terminal against a bot; no server is needed. Type ? for help."""
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    match = _begin(bot_name, game, preset, players, seed)
    click.echo(f"You play {match.bot.title}: {match.bot.description}")
    click.echo(f"These are the deals of --seed {seed}. Type ? for help, q to leave.")
    try:
        _play(match, one_hand=one_hand)
    except (_Left, EOFError):
        click.echo("You have left the table.")
    except (KeyboardInterrupt, click.Abort):
        click.echo("\nYou have left the table.")
        sys.exit(_INTERRUPTED)


def _begin(bot_name: str | None, game_name: str | None, preset: str | None, players: int | None, seed: int) -> _Match:
    try:
        bot = bot_named(bot_name or BASELINES[game_name or "rummy"])
        game = game_named(game_name or bot.games[0])
        if game.name not in bot.games:
            others = ", ".join(other.name for other in bots_for(game.name))
            raise Refused(f"the bot {bot.name} does not play {game.name}; there are: {others}")
        rules = game.rules_from_json({} if preset is None else {"preset": preset})
        seats = players or _SEATS_OF_FORMS.get(getattr(rules, "seating", ""), 2)
        name = f"play {seed}"
        deals = SeededDeals(hashlib.sha256(name.encode()).digest(), (), name, game.deck_size(rules))
        state = game.new_match(rules, seats, deals)
    except (UnknownBot, InvalidRules) as wrong:
        raise Refused(wrong) from wrong
    names = ["You", *([bot.title] if seats == 2 else [f"{bot.title} {number}" for number in range(1, seats)])]
    chances = [Random(f"{name} seat {seat}") for seat in range(seats)]  # noqa: S311 - repeatable is what is wanted
    return _Match(game, _TABLES[game.name], bot, names, chances, state)


def _play(match: _Match, *, one_hand: bool) -> None:
    known = 0
    while (seat := match.game.to_act(match.state)) is not None:
        if seat == _OWN_SEAT:
            match.state = _own_move(match)
        else:
            view = match.game.view(match.state, seat)
            action = match.bot.choose_action(view, match.chances[seat])
            match.state = match.game.apply(match.state, action)
            click.echo(f"{match.names[seat]} {match.table.told(action)}.")
        known = match.tell_results(known)
        if one_hand and known:
            return
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    won = "Nobody has won" if outcome.winner is None else _won(match.names, outcome.winner)
    click.echo(click.style(f"{won} the match.", bold=True))


def _won(names: Sequence[str], winner: int) -> str:
    return "You have won" if winner == _OWN_SEAT else f"{names[winner]} has won"


def _yours(told: str) -> str:
    """``draw from the stock`` for ``draws from the stock``."""
    verb, rest = re.match(r"(\w+)(.*)", told).groups()  # type: ignore[union-attr]  # every move begins with a verb
    return {"has": "have", "is": "are", "passes": "pass"}.get(verb, verb.removesuffix("s")) + rest


def _own_move(match: _Match) -> Any:
    view = match.view()
    click.echo()
    for line in match.table.lines(view, match.names):
        click.echo(line)
    while True:
        typed = _typed(match.table.prompt(view))
        try:
            if _was_answered(match, view, typed):
                continue
            action: Action = match.table.action(view, typed)
            state = match.game.apply(match.state, action)
            if action == "draw":
                drawn = set(match.game.view(state, _OWN_SEAT).hand) - set(view.hand)
                click.echo(f"You draw {' '.join(match.table.card(view, card) for card in drawn)}.")
            return state
        except NotUnderstood as reason:
            click.echo(f"{reason}.")
        except IllegalAction as refused:
            click.echo(f"That cannot be done: {refused.reason}.")


def _typed(prompt: str) -> str:
    click.echo(f"{prompt} > ", nl=False)
    line = sys.stdin.readline()
    if not line:
        click.echo()
        raise EOFError
    return line.strip()


def _was_answered(match: _Match, view: Any, typed: str) -> bool:
    """Whether what was typed asked for something, or for nothing, rather than for a move."""
    word = typed.lower()
    if word in ("q", "quit", "exit"):
        raise _Left
    if word in ("?", "h", "help"):
        click.echo(match.table.help)
    elif word in ("s", "score"):
        match.tell_score()
    elif word in ("m", "moves"):
        match.tell_course(view)
    elif word in ("a", "advice", "2"):
        if word == "2" and match.game.name == "rummy":
            return False
        click.echo(match.table.advice(view))
    elif word in ("u", "undo"):
        click.echo("What is played stays played: nothing can be undone.")
    else:
        return not word
    return True
