"""What a person may do about a tournament, and why not more."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from gin_lobby.domain.participation import Step, participation
from gin_lobby.domain.tournament import EntrantRow, PlayerId, Tournament, TournamentId

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ADA = UUID(int=1)
OPEN = Tournament(
    tournament_id=TournamentId(UUID(int=2)),
    organiser_id=UUID(int=3),
    name="Friday",
    game="rummy",
    rules={},
    format={"kind": "swiss"},
    rounds=3,
    admits="mixed",
    capacity=None,
    minimum_entrants=2,
    starts_at=NOON + timedelta(hours=1),
    check_in_minutes=0,
    round_minutes=60,
    lots_seed=0,
    state="registration",
    current_round=0,
    ended_because=None,
    due_at=None,
    score_after=NOON,
    created_at=NOON,
    started_at=None,
    ended_at=None,
)


def entrant(state: str, *, checked_in: bool = False) -> EntrantRow:
    return EntrantRow(PlayerId(ADA), "Ada", "human", None, state, checked_in, NOON, None, None)


def steps(
    state: str,
    who: EntrantRow | None = None,
    *,
    full: bool = False,
    late: bool = False,
    admits: str = "mixed",
    check_in_minutes: int = 0,
) -> tuple[Step, ...]:
    tournament = replace(OPEN, state=state, admits=admits, check_in_minutes=check_in_minutes)
    found = participation(tournament, who, full=full, admits_late_entry=late)
    assert found.steps or found.stands or state in ("finished", "cancelled")  # never silent about why not
    return found.steps


def test_while_registration_is_open_one_enters_and_withdraws() -> None:
    assert steps("registration") == (Step.ENTER,)
    assert steps("registration", entrant("registered")) == (Step.WITHDRAW,)
    assert steps("registration", entrant("withdrawn")) == (Step.ENTER,)


def test_when_it_is_full_one_waits() -> None:
    assert steps("registration", full=True) == (Step.WAIT,)
    assert steps("registration", entrant("waitlisted"), full=True) == (Step.WITHDRAW,)


def test_in_the_check_in_window_checking_in_comes_first() -> None:
    assert steps("check_in", entrant("registered")) == (Step.CHECK_IN, Step.WITHDRAW)
    assert steps("check_in", entrant("registered", checked_in=True)) == (Step.WITHDRAW,)
    assert steps("check_in", entrant("waitlisted"), full=True) == (Step.CHECK_IN, Step.WITHDRAW)


@pytest.mark.parametrize("admits", ["bots"])
def test_people_do_not_enter_what_is_for_bots(admits: str) -> None:
    assert steps("registration", admits=admits) == ()


def test_before_registration_and_after_the_end_there_is_nothing_to_do() -> None:
    assert steps("announced") == steps("finished") == steps("cancelled") == ()
    assert steps("finished", entrant("registered")) == ()


def test_who_did_not_check_in_stays_out() -> None:
    assert steps("running", entrant("dropped"), late=True) == ()


def test_while_it_runs_the_format_decides_who_enters_and_anybody_may_leave() -> None:
    assert steps("running") == ()
    assert steps("running", late=True) == (Step.ENTER,)
    assert steps("running", late=True, full=True) == ()
    assert steps("running", entrant("withdrawn"), late=True) == (Step.ENTER,)
    assert steps("running", entrant("registered")) == (Step.WITHDRAW,)
