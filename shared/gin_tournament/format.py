"""What a format is to whoever drives a tournament: one small interface for all of them.

The driver keeps what was opened and how it ended, and asks `next_round` after everything that happens: a
result, an entry, a withdrawal, a challenge, a tick of the clock. The answer is a round to open, or that
there is nothing to do, or that the tournament has ended, or why it cannot go on. The driver never needs to
know which format it drives.

A round is whatever is opened together. Most formats open the next one when the last is decided; an arena
and a ladder open rounds while others are still being played. Nobody sits in two undecided encounters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, NamedTuple, Protocol

from gin_tournament.model import (
    NO_TALLY,
    Bye,
    ByeKind,
    DecidedPairing,
    Entrant,
    EntrantId,
    Outcome,
    Pairing,
    Round,
    Tally,
)
from gin_tournament.standings import Standing


class Deals(NamedTuple):
    """Fixed cards: every encounter with the same `key` plays the same deals, numbered 1..`hands`.

    The side of seat 1 holds the first hand of deals with odd numbers and the second hand of the others. With
    `mirrored`, every deal is played once more with the seats swapped.
    """

    key: str
    hands: int
    mirrored: bool = False


class Fixture(NamedTuple):
    """An encounter to be opened.

    `slot` names its place for good (a bracket slot, "round.table", …) and is unique in the tournament.
    `seats` has one name for a bye, two for a pairing, three or four for a table; the first deals first.
    `settled` is the outcome where nothing is played because somebody has withdrawn. An encounter that is a
    bye or settled is decided as it is opened and needs no match. `best_of` and `must_decide` are for `duel`.
    `seeds` are the seats' seeds within a later stage. Whoever drives keeps all of it and gives it back.
    """

    slot: str
    seats: tuple[EntrantId, ...]
    best_of: int = 1
    must_decide: bool = False
    settled: Outcome | None = None
    bye: ByeKind | None = None
    deals: Deals | None = None
    seeds: tuple[int, ...] = ()


class Result(NamedTuple):
    """How an encounter ended. `outcome` is that of a pairing of two, None for a table or a bye.

    `places` are those of a table in seat order: 1 is best, equal places are shared, 0 did not come.
    `tallies` stand in seat order and may be left out. `given_up` says that the loser did not play to the end, so that
    the tallies are those of a part.
    """

    outcome: Outcome | None = None
    places: tuple[int, ...] = ()
    tallies: tuple[Tally, ...] = ()
    given_up: bool = False

    def tally(self, seat: int) -> Tally:
        return self.tallies[seat] if seat < len(self.tallies) else NO_TALLY


NO_CONTEST = Result()


class Encounter(NamedTuple):
    """A fixture that was opened, with its result once it has one."""

    fixture: Fixture
    result: Result | None = None

    @property
    def is_decided(self) -> bool:
        return self.result is not None

    @property
    def outcome(self) -> Outcome | None:
        return None if self.result is None else self.result.outcome


class OpenedRound(NamedTuple):
    """Everything that was opened together; `number` rises by one each time, from 1."""

    number: int
    encounters: tuple[Encounter, ...]

    @property
    def is_decided(self) -> bool:
        return all(encounter.result is not None for encounter in self.encounters)


class Challenge(NamedTuple):
    challenger: EntrantId
    opponent: EntrantId


class Reason(Enum):
    """Why a round cannot be paired as asked."""

    TOO_FEW_ENTRANTS = "too_few_entrants"
    NO_LEGAL_PAIRING = "no_legal_pairing"
    NO_ELIGIBLE_BYE = "no_eligible_bye"


class Choice(Enum):
    """What the organiser may decide when no legal pairing exists."""

    ALLOW_REMATCH = "allow_rematch"
    ALLOW_SECOND_BYE = "allow_second_bye"
    LIFT_FORBIDDEN_PAIRS = "lift_forbidden_pairs"
    END_EARLY = "end_early"


class Rulings(NamedTuple):
    """The organiser's wishes for the round to come. Only Swiss rounds are drawn up by wish."""

    manual_pairs: tuple[Pairing, ...] = ()
    forbidden_pairs: tuple[tuple[EntrantId, EntrantId], ...] = ()
    allow: tuple[Choice, ...] = ()


NO_RULINGS = Rulings()


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that a format may know. `entrants` are all who ever took a seed, also the withdrawn.

    `sitting_out` have asked for a bye, or pause an arena. `elapsed_seconds` is the time since the start.
    `challenges` wait for an answer, oldest first. `seed` decides lots.
    """

    entrants: tuple[Entrant, ...]
    rounds: tuple[OpenedRound, ...] = ()
    withdrawn: frozenset[EntrantId] = frozenset()
    sitting_out: frozenset[EntrantId] = frozenset()
    elapsed_seconds: int = 0
    challenges: tuple[Challenge, ...] = ()
    rulings: Rulings = NO_RULINGS
    seed: int = 0

    @property
    def next_number(self) -> int:
        return self.rounds[-1].number + 1 if self.rounds else 1

    @property
    def is_decided(self) -> bool:
        """True where nothing is being played."""
        return all(opened.is_decided for opened in self.rounds)

    @property
    def present(self) -> tuple[Entrant, ...]:
        """Those who have not withdrawn, best seed first."""
        return tuple(e for e in sorted(self.entrants, key=lambda e: e.seed) if e.id not in self.withdrawn)

    def encounters(self) -> Iterator[Encounter]:
        """Every encounter, oldest first."""
        for opened in self.rounds:
            yield from opened.encounters

    def busy(self) -> frozenset[EntrantId]:
        """Those who sit in an encounter that is not decided."""
        return frozenset(seat for e in self.encounters() if not e.is_decided for seat in e.fixture.seats)

    def history(self) -> tuple[Round, ...]:
        """What is decided between two, and the byes, as `standings.rank` and `swiss.pair_round` read it."""
        return tuple(_scored(opened) for opened in self.rounds)


def _scored(opened: OpenedRound) -> Round:
    pairings: list[DecidedPairing] = []
    byes: list[Bye] = []
    for fixture, result in opened.encounters:
        if result is None:
            continue
        if len(fixture.seats) == 1:
            byes.append(Bye(fixture.seats[0], fixture.bye or ByeKind.PAIRING_ALLOCATED))
        elif result.outcome is not None:
            pairing = Pairing(fixture.seats[0], fixture.seats[1])
            pairings.append(DecidedPairing(pairing, result.outcome, result.tally(0), result.tally(1)))
    return Round(opened.number, tuple(pairings), tuple(byes))


@dataclass(frozen=True, slots=True)
class Open:
    """Open this round, fixtures in table order. `conceded` are the rulings that were needed for it."""

    number: int
    fixtures: tuple[Fixture, ...]
    conceded: tuple[Choice, ...] = ()

    def opened(self) -> OpenedRound:
        """The round as it stands when it is opened: byes and settled encounters already decided."""
        return OpenedRound(self.number, tuple(Encounter(fixture, at_birth(fixture)) for fixture in self.fixtures))


def at_birth(fixture: Fixture) -> Result | None:
    """The result that an encounter has as it is opened: None where it must be played."""
    if len(fixture.seats) == 1:
        return NO_CONTEST
    return None if fixture.settled is None else Result(fixture.settled)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing to open now. Ask again when anything happens, and at `until_seconds` after the start if given."""

    until_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The tournament has run its course: `standings` are final."""


@dataclass(frozen=True, slots=True)
class CannotPair:
    """No legal round exists. Each of `choices` helps on its own, unless `together` is set: then only all of
    them at once do. `END_EARLY` always stands last and always works alone."""

    reason: Reason
    choices: tuple[Choice, ...] = (Choice.END_EARLY,)
    together: bool = False


Answer = Open | Waiting | Finished | CannotPair


class Leaving(Enum):
    """What becomes of somebody who withdraws now. An encounter under way is always forfeited."""

    NOT_PAIRED_ANY_MORE = "not_paired_any_more"  # what was played counts
    FORFEITS_THE_REST = "forfeits_the_rest"  # every opponent to come wins without play
    RESULTS_ANNULLED = "results_annulled"  # nothing of it counts, for anybody


class PlannedEncounter(NamedTuple):
    """An encounter that can be shown before anybody knows who plays it: `sides` say where they come from."""

    slot: str
    round: int
    title: str
    sides: tuple[str, ...]


class Plan(NamedTuple):
    """What is certain beforehand for a field of a given size. `rounds` is None where nobody can know.

    `notes` are sentences for everybody: who advances, how ties are settled, how many rounds at most.
    """

    rounds: int | None
    encounters: tuple[PlannedEncounter, ...] = ()
    notes: tuple[str, ...] = ()


class Format(Protocol):
    """A format with its settings: a frozen dataclass that `catalogue` turns into JSON and back.

    All methods are pure: the same situation always gives the same answer.
    """

    kind: ClassVar[str]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the values in `Standing.tie_breaks`."""
        ...

    def next_round(self, situation: Situation) -> Answer:
        """What to do now.

        Raises `InvalidEntrantsError`, `InvalidHistoryError` or `InvalidRequestError` for what cannot be.
        """
        ...

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        """Everybody's place, best first, at any moment; who shares a place stands in seed order."""
        ...

    def plan(self, field_size: int) -> Plan:
        """What can be told before the start about a tournament of this many."""
        ...

    def admits_late_entry(self, situation: Situation) -> bool:
        """Whether somebody may still be added to `entrants` (with a new, lowest seed)."""
        ...

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        """What a withdrawal would mean now, to be told before it is done."""
        ...
