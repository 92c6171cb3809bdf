"""/tournaments/{id}/desk: how it stands, and what can be done now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from flask import Blueprint, render_template, request

from gin_lobby.domain.tournament import BEFORE_START, ENDED, Tournament, TournamentState
from gin_lobby.pages.desk.access import NOTHING, Refused, at_desk
from gin_lobby.pages.desk.actions import Action, add_actions, done_text
from gin_lobby.pages.desk.fields import Field
from gin_lobby.pages.desk.people import player_named
from gin_lobby.pages.desk.times import START, WrongTime, moment, typed_of, zones
from gin_lobby.store import arbiters as arbiters_store
from gin_lobby.store import rounds, tournaments
from gin_lobby.use_cases import arbiters, handing_over, pairing, pauses
from gin_lobby.use_cases.advance import WHY_CANNOT_PAIR
from gin_lobby.use_cases.editing import edit_tournament, version_of
from gin_lobby.use_cases.rights import is_organiser
from gin_lobby.use_cases.tournaments import announce_draft, cancel_tournament, open_registration
from gin_servicekit.auth import Caller, Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import InvalidField
from gin_servicekit.service import Service
from gin_tournament.format import Choice, Reason

UNDER = "/tournaments/<string:tournament_id>/desk"
REASON = Field("reason", "Why", "long", hint="Everybody in the tournament reads it.", longest=500)
VERSION = Field("version", "", "hidden")
_Values = Mapping[str, Any]
SOON = timedelta(seconds=10)
CHOICES = {
    Choice.ALLOW_REMATCH.value: "Let two meet again",
    Choice.ALLOW_SECOND_BYE.value: "Give somebody a second bye",
    Choice.LIFT_FORBIDDEN_PAIRS.value: "Let pairs meet that may not",
    Choice.END_EARLY.value: "End the tournament now",
}


def _postpone(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    try:
        starts_at = moment(values["start_date"], values["start_time"], values["zone"])
    except WrongTime as wrong:
        raise InvalidField(str(wrong), wrong.field) from None
    try:
        edit_tournament(tx, who, known, {"starts_at": starts_at}, f'"{values["version"]}"', values["reason"])
    except InvalidField as problem:
        raise InvalidField(problem.detail, "start_date" if problem.field == "starts_at" else problem.field) from None


def _start_now(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    edit_tournament(tx, who, known, {"starts_at": tx.now + SOON}, "*", "It starts now.")


def _extend(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    pauses.extend_round(tx, who, known, round_meant(values), values["minutes"], values["reason"])


def round_meant(values: _Values) -> int:
    """The round that a hidden field names. Raises InvalidField."""
    text = values["round"]
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise InvalidField("this is no round", "round")
    return int(text)


def _cancel(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    if not values["sure"]:
        raise InvalidField("please say that you are sure: this cannot be taken back", "sure")
    cancel_tournament(tx, who, known, values["reason"])


def _hand_over(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    if not values["sure"]:
        raise InvalidField("please say that you are sure: only they can give it back", "sure")
    handing_over.hand_over(tx, who, known, player_named(tx, values["account_id"], "account_id"))


def _take_over(tx: Transaction, who: Caller, known: UUID | None, _: _Values) -> None:
    handing_over.hand_over(tx, who, known, parse_id(who.account_id))


def _dismiss(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    arbiters.dismiss_arbiter(tx, who, known, parse_id(values["account_id"]))


ANNOUNCE = Action(
    "publication",
    "Announce it",
    "Announce it",
    "It is announced: everybody sees it now.",
    lambda tx, who, known, values: announce_draft(tx, who, known),
    about="So far only you see it. Once it is announced everybody does, and it starts at its time.",
)
OPEN = Action(
    "registration",
    "Open registration",
    "Open registration",
    "Registration is open.",
    lambda tx, who, known, values: open_registration(tx, who, known),
    about="From then on players can enter. Game, rules, format and who may enter are fixed.",
)
START_NOW = Action(
    "start",
    "Start it now",
    "Start it now",
    "It starts within the next minute, and everybody in it is told.",
    _start_now,
    about="It starts within a minute, with who has entered by then.",
)
POSTPONE = Action(
    "postponement",
    "Another start",
    "Move the start",
    "The start is moved, and everybody in it is told.",
    _postpone,
    (*START, REASON, VERSION),
)
PAUSE = Action(
    "pause",
    "Pause",
    "Pause it",
    "It is paused.",
    lambda tx, who, known, values: pauses.pause(tx, who, known, values["reason"]),
    (REASON,),
    "Nothing falls due and no match is lost by a deadline until it goes on. Matches in play may be played on.",
)
RESUME = Action(
    "resumption",
    "Go on",
    "Go on",
    "It goes on.",
    lambda tx, who, known, values: pauses.resume(tx, who, known),
    about="All that was still to come is as far away as it was when it was paused.",
)
EXTEND = Action(
    "extension",
    "More time for this round",
    "Give more time",
    "The round has more time.",
    _extend,
    (
        Field("round", "", "hidden"),
        Field("minutes", "Minutes more", "number", "15", least=1, most=366 * 24 * 60),
        REASON,
    ),
)
TELL = Action(
    "announcements",
    "Tell everybody something",
    "Tell everybody",
    "Everybody in the tournament is told.",
    lambda tx, who, known, values: pauses.announce_text(tx, who, known, values["text"]),
    (Field("text", "What", "long", hint="It stands in the log, which anybody may read.", longest=2_000),),
)
DECIDE = Action(
    "decision",
    "No round can be paired",
    "Decide so",
    "It is decided.",
    lambda tx, who, known, values: pairing.answer_question(tx, who, known, values["choices"]),
    (Field("choices", "What may be done", "texts"),),
)
CANCEL = Action(
    "cancellation",
    "Cancel the tournament",
    "Cancel it",
    "The tournament is cancelled, and everybody in it is told.",
    _cancel,
    (REASON, Field("sure", "I am sure: it cannot be taken back", "switch")),
    "Results that have come count, matches still in play are void, and what was rated stays rated.",
    grave=True,
)
NAME_ARBITER = Action(
    "arbiters",
    "Name an arbiter",
    "Name",
    "Named.",
    lambda tx, who, known, values: arbiters.name_arbiter(
        tx, who, known, player_named(tx, values["account_id"], "account_id")
    ),
    (Field("account_id", "Name of the account"),),
    "Arbiters correct results, decide about pairings and pauses, and rule on who is there.",
)
DISMISS = Action(
    "arbiters/dismissal", "Dismiss", "Dismiss", "Dismissed.", _dismiss, (Field("account_id", "", "hidden"),)
)
TAKE_OVER = Action(
    "taking-over",
    "Take it over",
    "Become its organiser",
    "You are its organiser now.",
    _take_over,
    about="Then it is yours to plan, to cancel, and to name arbiters for.",
)
HAND_OVER = Action(
    "organiser",
    "Another organiser",
    "Hand it over",
    "It is handed over.",
    _hand_over,
    (Field("account_id", "Name of the account"), Field("sure", "I am sure: only they can give it back", "switch")),
    "Whoever it belongs to now stays as an arbiter, whom the new organiser may dismiss.",
    grave=True,
)
ACTIONS = (
    ANNOUNCE,
    OPEN,
    START_NOW,
    POSTPONE,
    PAUSE,
    RESUME,
    EXTEND,
    TELL,
    DECIDE,
    CANCEL,
    NAME_ARBITER,
    DISMISS,
    TAKE_OVER,
    HAND_OVER,
)

_TOLD = {"new": "The tournament is made.", "edit": "The plan is changed, and everybody in it is told."}


def overview_pages(service: Service) -> Blueprint:
    pages = Blueprint("desk", __name__, template_folder="../templates")

    @pages.get(UNDER)
    @requires(Scope.TOURNAMENT_WRITE)
    def overview(tournament_id: str) -> str:
        return _page(service, tournament_id, NOTHING)

    add_actions(pages, service, ACTIONS, UNDER, "", lambda known, refused: _page(service, known, refused))
    return pages


def _page(service: Service, tournament_id: str, refused: Refused) -> str:
    who = caller()
    with service.transaction() as tx:
        t = at_desk(tx, who, tournament_id)
        pairings = rounds.pairings(tx, t.tournament_id, t.current_round) if t.current_round else []
        current = next((r for r in rounds.rounds(tx, t.tournament_id) if r.number == t.current_round), None)
        taken = tournaments.count_registered(tx, t.tournament_id)
        named = arbiters_store.arbiters(tx, t.tournament_id)
        takes_over = handing_over.may_take_over(tx, who, t)
    playing = t.state == TournamentState.RUNNING and current is not None and current.state == "playing"
    organiser = is_organiser(who, t)
    return render_template(
        "desk/overview.html",
        t=t,
        here="overview",
        organiser=organiser,
        possible=_possible(t, organiser=organiser, playing=playing, enough=taken >= t.minimum_entrants),
        prefilled={
            "postponement": {**typed_of(t.starts_at, "UTC"), "version": [version_of(t)]},
            "extension": {"round": [str(t.current_round)]},
        },
        current=current,
        decided=sum(p.result is not None for p in pairings),
        pairings=len(pairings),
        taken=taken,
        arbiters=named,
        name_arbiter=NAME_ARBITER,
        dismiss=DISMISS,
        take_over=TAKE_OVER if takes_over else None,
        hand_over=HAND_OVER if organiser else None,
        decide=DECIDE,
        why=why_asked(t),
        question_choices=[(c, CHOICES[c]) for c in t.question["choices"]] if t.question else [],
        zones=zones(),
        refused=refused,
        done=_TOLD.get(request.args.get("done", "")) or done_text(ACTIONS, request.args.get("done")),
        editable=organiser and t.state in BEFORE_START,
    )


def why_asked(t: Tournament) -> str:
    """Why no round can be paired; empty where nothing is asked."""
    return WHY_CANNOT_PAIR[Reason(t.question["reason"])] if t.question else ""


def _possible(t: Tournament, *, organiser: bool, playing: bool, enough: bool) -> list[Action]:
    """What can be done now, what is due first."""
    over, waits = t.state in ENDED, t.state == TournamentState.REGISTRATION
    rules = (
        (DECIDE, t.question is not None and not over),
        (ANNOUNCE, organiser and t.state == TournamentState.DRAFT),
        (OPEN, organiser and t.state == TournamentState.ANNOUNCED),
        # Who was promised time to check in keeps it.
        (START_NOW, organiser and enough and not t.paused and waits and t.check_in_minutes == 0),
        (RESUME, t.paused and not over),
        (TELL, t.state != TournamentState.DRAFT),
        (EXTEND, playing),
        (POSTPONE, organiser and t.state in BEFORE_START),
        (PAUSE, not t.paused and not over and t.state != TournamentState.DRAFT),
        (CANCEL, organiser and not over),
    )
    return [action for action, possible in rules if possible]
