"""From the lobby's wish to a match that can be played, or to one that is void from the start."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from gin_bots import UnknownBot, bot_named
from gin_engine.domain.match import CANCELLED, PLAYING, Clock, Match, MatchId, Seat
from gin_engine.domain.problems import CannotOpen
from gin_engine.domain.results import rating_target, void
from gin_messages.match import OpenMatch
from gin_rules.game import GameError, game_named
from gin_rules.shuffle import SeededDeals, commitment

SEED_BYTES = 32
ENTROPY_BYTES = 16


def new_match(request: OpenMatch, cancelled: str | None, random_bytes: Callable[[int], bytes], now: datetime) -> Match:
    """The match that `request` asks for, with its own seed, salt and entropy.

    It is void from the start, with the reason, when it cannot be played, or was `cancelled` before it was opened:
    whoever waits for its end must hear of one.
    """
    seed, salt = random_bytes(SEED_BYTES), random_bytes(SEED_BYTES)
    rules, target, reason = request.rules, 1, cancelled
    if reason is None:
        try:
            rules = checked_rules(request)
            target = rating_target(game_named(request.game), rules, len(request.seats))
        except CannotOpen as problem:
            reason = str(problem)
    plan = request.clock
    clock = Clock(1000 * plan.move_seconds, 1000 * plan.bank_seconds) if plan else None
    scores = void(len(request.seats)).seats if reason is not None else (None,) * len(request.seats)
    return Match(
        match_id=MatchId(request.match_id),
        tournament_id=request.tournament_id,
        round_number=request.round_number,
        game=request.game,
        rules=rules,
        first_dealer=request.first_dealer if reason is None else None,
        rating_pool=request.rating_pool,
        target=target,
        server_seed=seed,
        salt=salt,
        commitment=commitment(salt, seed),
        state=PLAYING if reason is None else CANCELLED,
        ending=None if reason is None else "void",
        reason=reason,
        dealt=reason is None,
        action_count=0,
        hands_played=0,
        last_action_at=None,
        deadline_at=request.deadline_at,
        opened_at=now,
        finished_at=None if reason is None else now,
        seats=tuple(
            Seat(
                asked.player_id,
                asked.name,
                asked.bot,
                random_bytes(ENTROPY_BYTES),
                result=score,
                bank_ms=clock.bank_ms if clock and asked.bot is None else None,
                owner_id=asked.owner_id,
            )
            for asked, score in zip(request.seats, scores, strict=True)
        ),
        clock=clock,
        arbiters=tuple(request.arbiters or ()),
        deal_id=request.deal_id,
        deal_tables=request.deal_tables,
        spectator_delay_seconds=request.spectator_delay_seconds or 0,
    )


def checked_rules(request: OpenMatch) -> dict[str, Any]:
    """Every field of the rule set. Raises CannotOpen for a game, rules, bot, seats or dealer that cannot be."""
    try:
        game = game_named(request.game)
        parsed = game.rules_from_json(request.rules)
        rules = game.rules_to_json(parsed)
        for seat in request.seats:
            if seat.bot is not None and request.game not in bot_named(seat.bot).games:
                raise CannotOpen(f"the bot {seat.bot!r} does not play {request.game}")
    except (GameError, UnknownBot) as problem:
        raise CannotOpen(str(problem)) from problem
    if len(request.seats) not in game.seat_counts:
        raise CannotOpen(f"{request.game} is not played by {len(request.seats)}")
    try:
        # Dealing on trial tells whether these rules seat so many, and whether the first dealer is one of them.
        trial = SeededDeals(bytes(SEED_BYTES), (), "", game.deck_size(parsed))
        game.new_match(parsed, len(request.seats), trial, first_dealer=request.first_dealer)
    except GameError as problem:
        raise CannotOpen(str(problem)) from problem
    if request.deal_id is not None:
        _check_shareable(request, rules)
    if len({seat.player_id for seat in request.seats}) != len(request.seats):
        raise CannotOpen("a player sits at two seats")
    return rules


def _check_shareable(request: OpenMatch, rules: dict[str, Any]) -> None:
    """Raises CannotOpen unless hand and seat name the same cards at every table with these deals."""
    if len(request.seats) != 2 or request.first_dealer is None:
        raise CannotOpen("tables share their deals only where two play and the first dealer is agreed")
    if rules.get("fixed_hands") is None or rules.get("dealer") != "alternate":
        raise CannotOpen("tables share their deals only over fixed hands with an alternating deal")
