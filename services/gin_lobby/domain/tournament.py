"""A tournament as the lobby keeps it, its states, and the steps between them."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NewType
from uuid import UUID

from gin_tournament.catalogue import from_json
from gin_tournament.format import Format

TournamentId = NewType("TournamentId", UUID)
PlayerId = NewType("PlayerId", UUID)
PairingId = NewType("PairingId", UUID)
MatchId = NewType("MatchId", UUID)


class TournamentState(enum.StrEnum):
    """draft → announced → registration → check_in → running → finished; or cancelled from any of these but finished.

    A draft is seen by its organiser alone. A correction that calls for more play makes a finished one run again.
    """

    DRAFT = "draft"
    ANNOUNCED = "announced"
    REGISTRATION = "registration"
    CHECK_IN = "check_in"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


BEFORE_START = (
    TournamentState.DRAFT,
    TournamentState.ANNOUNCED,
    TournamentState.REGISTRATION,
    TournamentState.CHECK_IN,
)
ENDED = (TournamentState.FINISHED, TournamentState.CANCELLED)


class EntrantState(enum.StrEnum):
    INVITED = "invited"  # by the organiser, and has not answered; holds no place
    REGISTERED = "registered"
    WAITLISTED = "waitlisted"
    WITHDRAWN = "withdrawn"
    DROPPED = "dropped"  # did not check in in time, or did not come to two matches in a row


class Admits(enum.StrEnum):
    """Who may enter. It also chooses the rating pool: `people` for humans alone, `open` where bots may play."""

    HUMANS = "humans"
    BOTS = "bots"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Tournament:
    """One row of `tournaments`. Times are aware UTC; `rules` and `format` are complete, as JSON.

    `rounds` is how many there will be, None where nobody can know (yet). `clock` is `{"move_seconds", "bank_seconds"}`.
    What has a default is how it is conducted:
    `paused_seconds` are those since the start in pauses that are over; `question` is why no round can be paired, with
    what the organiser may decide; unrated players count as 1500 where `rating_min` or `rating_max` ask for a rating.
    """

    tournament_id: TournamentId
    organiser_id: UUID
    name: str
    game: str
    rules: dict[str, Any]
    format: dict[str, Any]
    rounds: int | None
    admits: str
    capacity: int | None
    minimum_entrants: int
    starts_at: datetime
    check_in_minutes: int
    round_minutes: int
    lots_seed: int
    state: str
    current_round: int
    ended_because: str | None
    due_at: datetime | None
    score_after: datetime
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    clock: dict[str, int] | None = None
    spectator_delay_seconds: int = 0
    late_start_grace_minutes: int = 120
    paused_at: datetime | None = None
    paused_seconds: float = 0.0
    rating_min: float | None = None
    rating_max: float | None = None
    admits_provisional: bool = True
    invitation_code: str | None = None
    forbidden_pairs: list[list[str]] = field(default_factory=list)
    question: dict[str, Any] | None = None

    @property
    def paused(self) -> bool:
        return self.paused_at is not None

    @property
    def invitation_required(self) -> bool:
        return self.invitation_code is not None

    @property
    def latest_start(self) -> datetime:
        """Later than this it does not start any more."""
        return self.starts_at + timedelta(minutes=self.late_start_grace_minutes)

    def elapsed(self, now: datetime) -> timedelta:
        """Since the start, pauses left out."""
        if self.started_at is None:
            return timedelta()
        return (self.paused_at or now) - self.started_at - timedelta(seconds=self.paused_seconds)

    @property
    def check_in_at(self) -> datetime:
        return self.starts_at - timedelta(minutes=self.check_in_minutes)

    @property
    def played_as(self) -> Format:
        return from_json(self.format)

    @property
    def tie_breaks(self) -> list[str]:
        return list(self.played_as.columns)

    @property
    def pool(self) -> str:
        return f"{self.game}/{'people' if self.admits == Admits.HUMANS else 'open'}"

    @property
    def next_due_at(self) -> datetime:
        """When a tournament that has not started must be looked at next."""
        wants_check_in = self.check_in_minutes > 0 and self.state == TournamentState.REGISTRATION
        return self.check_in_at if wants_check_in else self.starts_at

    def admits_kind(self, kind: str) -> bool:
        return self.admits == Admits.MIXED or self.admits == f"{kind}s"


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """An entrant with the name and kind of its player, and the owner of a bot. `rating` is None until the start."""

    player_id: PlayerId
    name: str
    kind: str
    bot: str | None
    state: str
    checked_in: bool
    joined_at: datetime
    seed: int | None
    rating: float | None
    owner_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class PairingRow:
    """One row of `pairings`. Without a second player it is a bye; without a result it is still being played.

    `fixture` and `ended` are the encounter as gin_tournament.storage writes it; the scores are those of the first two
    seats, over all matches.
    """

    pairing_id: PairingId
    round_number: int
    table_number: int
    slot: str
    fixture: dict[str, Any]
    first_id: PlayerId
    second_id: PlayerId | None
    result: str | None
    ended: dict[str, Any] | None
    first_score: int | None
    second_score: int | None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One row of `matches`; `ended` is in the order of its own seats, which alternate within a pairing."""

    match_id: MatchId
    pairing_id: PairingId
    number: int
    seats: list[PlayerId]
    ended: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class RoundRow:
    number: int
    state: str
    paired_at: datetime
    deadline_at: datetime
    scored_at: datetime | None
