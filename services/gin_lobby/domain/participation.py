"""What a person may do about a tournament now, and why not more: for a page, before the use cases decide."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from gin_lobby.domain.tournament import BEFORE_START, ENDED, EntrantRow, EntrantState, Tournament, TournamentState

_IN = (EntrantState.REGISTERED, EntrantState.WAITLISTED)


class Step(enum.StrEnum):
    ENTER = "enter"
    WAIT = "wait"  # enter, but onto the waitlist
    CHECK_IN = "check_in"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class Participation:
    """`steps` are what can be done, what is due first; `stands` tells how it stands, and why nothing can be done."""

    steps: tuple[Step, ...]
    stands: str


def participation(
    tournament: Tournament, entrant: EntrantRow | None, *, full: bool, admits_late_entry: bool
) -> Participation:
    """For a person who is `entrant` in the tournament, or has never entered it."""
    if entrant is not None and entrant.state in _IN and tournament.state not in ENDED:
        return _of_entrant(tournament, entrant)
    if tournament.state in ENDED:
        return Participation((), "")
    if not tournament.admits_kind("human"):
        return Participation((), "Only bots play here. Enter a bot of yours through the API.")
    if tournament.state == TournamentState.ANNOUNCED:
        return Participation((), "Registration has not opened yet.")
    if entrant is not None and entrant.state == EntrantState.DROPPED:
        if entrant.seed is not None:
            return Participation((), "You did not come to two matches in a row, and are not paired any more.")
        return Participation((), "You did not check in in time, so that your place went to others.")
    left = entrant is not None and entrant.state == EntrantState.WITHDRAWN
    if tournament.state == TournamentState.RUNNING:
        return _late(left=left, full=full, admitted=admits_late_entry)
    if full:
        return Participation((Step.WAIT,), "Every place is taken. You can wait for one that becomes free.")
    return Participation((Step.ENTER,), "You have withdrawn. You can come back." if left else "Registration is open.")


def _of_entrant(tournament: Tournament, entrant: EntrantRow) -> Participation:
    if entrant.state == EntrantState.WAITLISTED:
        wait = "You are on the waitlist, and move up when a place becomes free."
        due = tournament.state == TournamentState.CHECK_IN and not entrant.checked_in
        return Participation((Step.CHECK_IN, Step.WITHDRAW) if due else (Step.WITHDRAW,), wait)
    if tournament.state == TournamentState.RUNNING:
        return Participation((Step.WITHDRAW,), "You are playing. Your next match is opened by itself.")
    if tournament.state == TournamentState.CHECK_IN and not entrant.checked_in:
        return Participation(
            (Step.CHECK_IN, Step.WITHDRAW), "You have entered. Check in now: who has not by the start does not play."
        )
    if tournament.state in BEFORE_START and tournament.check_in_minutes > 0 and not entrant.checked_in:
        return Participation(
            (Step.WITHDRAW,),
            f"You have entered. Come back to check in, {tournament.check_in_minutes} minutes before the start.",
        )
    return Participation(
        (Step.WITHDRAW,),
        "You have entered. It starts by itself, and any page that you have open here calls you to your table.",
    )


def _late(*, left: bool, full: bool, admitted: bool) -> Participation:
    if not admitted:
        return Participation((), "You have left it." if left else "It is being played, and nobody can enter any more.")
    if full:
        return Participation((), "It is being played, and every place is taken.")
    return Participation((Step.ENTER,), "You have left it. You can come back." if left else "You can still enter.")
