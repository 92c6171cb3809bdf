"""A match as the engine keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NewType

MatchId = NewType("MatchId", str)

PLAYING = "playing"
FINISHED = "finished"
CANCELLED = "cancelled"
STATES = (PLAYING, FINISHED, CANCELLED)


@dataclass(frozen=True, slots=True)
class SeatScore:
    """What a seat brought home. `place` 1 is best, equal places are ties; `score` is in game points."""

    place: int
    score: int
    hands_won: int
    undercuts: int


@dataclass(frozen=True, slots=True)
class Clock:
    """What a person may use: so much for each action, and a bank for all actions that take longer."""

    move_ms: int
    bank_ms: int


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there. `bot` names the built-in bot that plays the seat; None: a client acts for it.

    `thinking_seconds` is how long the match has waited for that client so far, `bank_ms` what is left of its bank
    where a clock runs. `player_name` is the one that is played under, and that the record keeps; `shown_name` stands
    in for it where the player is gone. `owner_id` is the account that a tournament's bot belongs to.
    """

    player_id: str
    player_name: str
    bot: str | None
    entropy: bytes = field(repr=False)
    acted_at: datetime | None = None
    thinking_seconds: float = 0.0
    result: SeatScore | None = None
    bank_ms: int | None = None
    shown_name: str | None = None
    owner_id: str | None = None

    @property
    def name(self) -> str:
        """What to call whoever sits there."""
        return self.shown_name or self.player_name


@dataclass(frozen=True, slots=True)
class Match:
    """One match. `seats` stand in seat order; `target` is what ratings weigh a match by, in points.

    `first_dealer` is the seat that deals the first hand; without one the players cut for it.
    A match that was not `dealt` was void from the start: its rules need not be any. `ending`, `finished_at` and
    the seats' results are set once `state` is no longer "playing". Seed and salt stay out of every text form of
    this value.

    A `casual` match is played at the table that has its id; there a bot answers a person no sooner than after
    `bot_pace_seconds`, and each action puts the deadline off by `idle_seconds`. Matches with one `deal_id` play the
    same cards; there will be `deal_tables` of them. `turn_began_at` and `clock_due_at` are those of the clock that
    runs, if one does. `arbiters` are the accounts that could rule here when
    it was opened; its tournament may name others since.
    """

    match_id: MatchId
    tournament_id: str | None
    round_number: int | None
    game: str
    rules: dict[str, Any]
    first_dealer: int | None
    rating_pool: str | None
    target: int
    server_seed: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    commitment: str
    state: str
    ending: str | None
    reason: str | None
    dealt: bool
    action_count: int
    hands_played: int
    last_action_at: datetime | None
    deadline_at: datetime | None
    opened_at: datetime
    finished_at: datetime | None
    seats: tuple[Seat, ...]
    casual: bool = False
    advice: bool | None = None
    bot_pace_seconds: float = 0.0
    idle_seconds: int | None = None
    clock: Clock | None = None
    turn_began_at: datetime | None = None
    clock_due_at: datetime | None = None
    ruling_count: int = 0
    arbiters: tuple[str, ...] = ()
    deal_id: str | None = None
    deal_tables: int | None = None
    seal: str | None = None
    spectator_delay_seconds: int = 0

    @property
    def is_held_back(self) -> bool:
        """Whether spectators see less of it than its players do."""
        return self.state == PLAYING and self.spectator_delay_seconds > 0

    @property
    def event_count(self) -> int:
        """Actions and rulings so far: whoever decides names it, so that no ruling goes unseen in between."""
        return self.action_count + self.ruling_count

    @property
    def gives_advice(self) -> bool:
        # Word Gin has no such rule: in a tournament nobody is told before a bluff which words are good.
        return bool(self.rules.get("advice", False)) if self.advice is None else self.advice

    @property
    def waiting_since(self) -> datetime:
        """When the seat that is to act came to its turn."""
        return self.last_action_at or self.opened_at

    def waited_seconds(self, now: datetime) -> float:
        """How long it has waited for the seat that is to act."""
        return max(0.0, (now - self.waiting_since).total_seconds())

    def deadline_after(self, now: datetime) -> datetime | None:
        """The deadline once somebody acts `now`: where people play without a clock, each action puts it off."""
        return self.deadline_at if self.idle_seconds is None else now + timedelta(seconds=self.idle_seconds)

    @property
    def only_bots(self) -> bool:
        return all(seat.bot is not None for seat in self.seats)
