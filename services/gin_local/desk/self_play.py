"""Bots against bots, without a house: many matches, counted by bot.

The seed fixes everything but the time: deals, seats and every bot's chance depend on it and on the number of the
match alone, so that any number of processes gives the same counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from gin_bots import UnknownBot, bot_named
from gin_local.desk.failures import DeskError
from gin_rules.game import InvalidRules, Outcome, UnknownGame, game_named
from gin_rules.shuffle import SEED_BYTES, SeededDeals

_CHUNKS_A_PROCESS: Final = 8


@dataclass(frozen=True, slots=True)
class Pairing:
    """What is played. Raises `DeskError` for a game, rules, bots or a number of them that cannot be."""

    game: str
    bots: tuple[str, ...]
    preset: str | None
    seed: int

    def __post_init__(self) -> None:
        try:
            game = game_named(self.game)
            rules = game.rules_from_json(self.rules)
            for name in self.bots:
                if self.game not in bot_named(name).games:
                    raise DeskError(f"the bot {name} does not play {self.game}")
        except (UnknownGame, UnknownBot, InvalidRules) as wrong:
            raise DeskError(str(wrong)) from wrong
        if len(self.bots) not in game.seat_counts:
            counts = " or ".join(map(str, game.seat_counts))
            raise DeskError(f"{self.game} is played by {counts}; these are {len(self.bots)} bots")
        try:
            # Dealt on trial: whether these rules seat so many.
            trial = SeededDeals(bytes(SEED_BYTES), (), "", game.deck_size(rules))
            game.new_match(rules, len(self.bots), trial)
        except InvalidRules as wrong:
            raise DeskError(f"{wrong.reason}; these are {len(self.bots)} bots") from wrong

    @property
    def rules(self) -> dict[str, Any]:
        """As `Game.rules_from_json` reads them."""
        return {} if self.preset is None else {"preset": self.preset}


@dataclass(frozen=True, slots=True)
class Count:
    """What some matches came to. Tuples are by bot, in the order of the pairing."""

    matches: int
    hands: int
    draws: int
    wins: tuple[int, ...]
    points: tuple[int, ...]
    """Scored in hands, without match bonuses."""

    def __add__(self, other: Count) -> Count:
        return Count(
            self.matches + other.matches,
            self.hands + other.hands,
            self.draws + other.draws,
            tuple(map(int.__add__, self.wins, other.wins)),
            tuple(map(int.__add__, self.points, other.points)),
        )


def play(pairing: Pairing, matches: int, processes: int = 1) -> Iterator[Count]:
    """Play so many matches, and yield the count of some at a time, for their sum and for a progress bar."""
    if processes == 1:
        for number in range(matches):
            yield play_some(pairing, range(number, number + 1))
        return
    size = max(1, matches // (processes * _CHUNKS_A_PROCESS))
    chunks = [range(start, min(start + size, matches)) for start in range(0, matches, size)]
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(play_some, [pairing] * len(chunks), chunks)


def play_some(pairing: Pairing, numbers: Sequence[int]) -> Count:
    """Play the matches of these numbers, counted from 0."""
    seats = len(pairing.bots)
    hands = draws = 0
    wins, points = [0] * seats, [0] * seats
    for number in numbers:
        outcome = _outcome(pairing, number)
        hands += outcome.hands_played
        for seat, total in enumerate(outcome.totals):
            points[_bot_at(seat, number, seats)] += total
        if outcome.winner is None:
            draws += 1
        else:
            for winner in _winners(pairing, outcome.winner):
                wins[_bot_at(winner, number, seats)] += 1
    return Count(len(numbers), hands, draws, tuple(wins), tuple(points))


def _outcome(pairing: Pairing, number: int) -> Outcome:
    game = game_named(pairing.game)
    rules = game.rules_from_json(pairing.rules)
    seats = len(pairing.bots)
    name = f"self-play {pairing.seed} {number}"
    deals = SeededDeals(hashlib.sha256(name.encode()).digest(), (), name, game.deck_size(rules))
    at_seat = [_bot_at(seat, number, seats) for seat in range(seats)]
    bots = [bot_named(pairing.bots[bot]) for bot in at_seat]
    chances = [Random(f"{name} bot {bot}") for bot in at_seat]  # noqa: S311 - repeatable is what is wanted
    state = game.new_match(rules, seats, deals)
    while (seat := game.to_act(state)) is not None:
        state = game.apply(state, bots[seat].choose_action(game.view(state, seat), chances[seat]))
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome


def _winners(pairing: Pairing, first: int) -> tuple[int, ...]:
    # Of a partnership the outcome names the first seat; partners sit across.
    return (first, first + 2) if pairing.preset == "pairs4" else (first,)


def _bot_at(seat: int, number: int, seats: int) -> int:
    # Every bot sits in every seat equally often.
    return (seat + number) % seats
