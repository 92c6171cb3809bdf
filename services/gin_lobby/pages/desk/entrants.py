"""/tournaments/{id}/desk/entrants: inviting and entering, lists, withdrawing, rests, pairs that may not meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from flask import Blueprint, make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from gin_lobby.domain.entrant_list import BadLine, read_list
from gin_lobby.domain.formats import pairs_by_wish, rests_by_wish
from gin_lobby.domain.problems import ImportRefused
from gin_lobby.domain.tournament import ENDED, EntrantRow, EntrantState, TournamentState
from gin_lobby.pages.desk.access import NOTHING, Refused, at_desk, typed_form
from gin_lobby.pages.desk.actions import Action, add_actions, done_text
from gin_lobby.pages.desk.fields import Field, sentence
from gin_lobby.pages.desk.overview import UNDER
from gin_lobby.pages.desk.people import entrant_named, names_of_pairs, player_named
from gin_lobby.store import accounts, tournaments, wishes
from gin_lobby.use_cases import entrants, pairing
from gin_lobby.use_cases.entrant_lists import ImportReport, import_list
from gin_lobby.use_cases.rights import directed, is_organiser
from gin_servicekit.auth import Caller, Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import Forbidden, InvalidField, NotFound, Problem
from gin_servicekit.service import Service

PAGE = 200
_BOTS_SHOWN = 200
_Values = Mapping[str, Any]
_PLAYER = Field("player_id", "", "hidden")
_LIST = "entrants/list"


def _enter(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    entrants.enter(tx, who, known, player_named(tx, values["player_id"], "player_id"))


def _for_player(step: Any) -> Any:
    return lambda tx, who, known, values: step(tx, who, known, parse_id(values["player_id"]))


def _rest(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    there = tournaments.entrants(tx, directed(tx, who, known).tournament_id)
    numbers = values["rounds"]
    if any(not 1 <= number <= 1_000_000 for number in numbers):
        raise InvalidField("rounds count from 1", "rounds")
    pairing.ask_for_rest(tx, who, known, entrant_named(there, values["who"], "who"), numbers)


def _forbid(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    t = directed(tx, who, known)
    there = tournaments.entrants(tx, t.tournament_id)
    pair = [str(entrant_named(there, values[name], name)) for name in ("first", "second")]
    if pair[0] == pair[1]:
        raise InvalidField("nobody meets themselves", "second")
    pairing.forbid_pairs(tx, who, known, [*_still_in(t.forbidden_pairs, there), (pair[0], pair[1])])


def _allow(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    t = directed(tx, who, known)
    left = [pair for pair in t.forbidden_pairs if " ".join(pair) != values["pair"]]
    pairing.forbid_pairs(tx, who, known, _still_in(left, tournaments.entrants(tx, t.tournament_id)))


def _still_in(pairs: Sequence[Sequence[str]], there: Sequence[EntrantRow]) -> list[tuple[str, str]]:
    """Without those of whom somebody has left since: they would be refused."""
    names = {str(e.player_id) for e in there if e.state in pairing.IN_IT}
    return [(one, other) for one, other in pairs if {one, other} <= names]


ENTER = Action(
    "entrants/invitation",
    "Invite somebody",
    "Invite",
    "Invited, or entered where the player is you or a bot of yours.",
    _enter,
    (Field("player_id", "Name of the player"),),
    "Nobody is entered by others: they are in once they accept on the tournament's page.",
)
OWN_BOT = Action("entrants/bot", "A bot of yours", "Enter it", "Your bot is entered.", _enter, (_PLAYER,))
WITHDRAW = Action(
    "entrants/withdrawal", "Withdraw", "Withdraw", "Withdrawn.", _for_player(entrants.withdraw), (_PLAYER,)
)
CHECK_IN = Action(
    "entrants/check-in", "Check in", "Check in", "Checked in.", _for_player(entrants.check_in), (_PLAYER,)
)
REST = Action(
    "entrants/rest",
    "Let somebody rest",
    "Let them rest",
    "Noted: they are not paired then.",
    _rest,
    (
        Field("who", "Name of the entrant", "entrant"),
        Field(
            "rounds",
            "In rounds",
            "numbers",
            hint="Such as 3, 4. Empty: every round until it is taken back.",
            required=False,
        ),
    ),
)
REST_NO_MORE = Action(
    "entrants/rest-no-more",
    "No more rest",
    "Take back",
    "Taken back.",
    _for_player(pairing.rest_no_more),
    (_PLAYER,),
)
FORBID = Action(
    "entrants/forbidden-pairs",
    "Two who may not meet",
    "Keep them apart",
    "They do not meet, from the next round on.",
    _forbid,
    (Field("first", "One", "entrant"), Field("second", "The other", "entrant")),
)
ALLOW = Action(
    "entrants/allowed-pairs",
    "Let them meet",
    "Let them meet",
    "They may meet again.",
    _allow,
    (Field("pair", "", "hidden"),),
)
ACTIONS = (ENTER, OWN_BOT, WITHDRAW, CHECK_IN, REST, REST_NO_MORE, FORBID, ALLOW)


class _OnlyTried(Exception):
    """Takes back what a dry run has done; `report` is what it would have been."""

    def __init__(self, report: ImportReport) -> None:
        super().__init__("dry run")
        self.report = report


def entrants_pages(service: Service) -> Blueprint:
    pages = Blueprint("desk_entrants", __name__, template_folder="../templates")

    @pages.get(f"{UNDER}/entrants")
    @requires(Scope.TOURNAMENT_WRITE)
    def entrants_page(tournament_id: str) -> str:
        return _page(service, tournament_id, NOTHING)

    @pages.post(f"{UNDER}/{_LIST}")
    @requires(Scope.TOURNAMENT_WRITE)
    def enter_list(tournament_id: str) -> Response:
        return _import(service, tournament_id)

    add_actions(pages, service, ACTIONS, UNDER, "/entrants", lambda known, refused: _page(service, known, refused))
    return pages


def _import(service: Service, tournament_id: str) -> Response:
    """First only tried, with a report; then done, as the button says that was pressed."""
    who, known, typed = caller(), parse_id(tournament_id), typed_form()
    step = request.form.get("step", "")
    try:
        text = _list_text()
        typed["list"] = [text]
        with service.transaction() as tx:
            report = import_list(tx, who, known, read_list(text), skip_bad=step != "all")
            if step not in ("all", "good"):
                raise _OnlyTried(report)
    except _OnlyTried as tried:
        return make_response(_page(service, tournament_id, Refused(_LIST, typed), tried.report))
    except (Forbidden, NotFound):
        raise
    except Problem as problem:
        bad = "; ".join(f"{place}: {what}" for place, what in problem.faults[:10])
        refused = Refused(_LIST, typed, {"list": sentence(problem.detail) + (f" {bad}" if bad else "")})
        return make_response(_page(service, tournament_id, refused), problem.status)
    return redirect(f"/tournaments/{known}/desk/entrants?done={_LIST}&entered={len(report.entered)}", 303)


def _list_text() -> str:
    """What was typed, or a file where one was chosen."""
    sent = request.files.get("file")
    body = sent.read() if sent is not None and sent.filename else b""
    if not body:
        return request.form.get("list", "")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = body[: wrong.start].count(b"\n") + 1
        raise ImportRefused("the list must be UTF-8", f"line {line}") from wrong


def _page(service: Service, tournament_id: str, refused: Refused, report: ImportReport | None = None) -> str:
    who = caller()
    with service.transaction() as tx:
        t = at_desk(tx, who, tournament_id)
        everybody = tournaments.entrants(tx, t.tournament_id)
        own = accounts.players(tx, "bot", UUID(who.account_id), None, _BOTS_SHOWN)
        rests = wishes.rests(tx, t.tournament_id)
    names = {str(e.player_id): e.name for e in everybody}
    there = {e.player_id for e in everybody if e.state not in (EntrantState.WITHDRAWN, EntrantState.INVITED)}
    resting: dict[str, list[int]] = {}
    for rest in rests:
        resting.setdefault(str(rest.player_id), []).append(rest.round_number)
    wanted = request.args.get("q", "").casefold()
    listed = [e for e in everybody if wanted in e.name.casefold()]
    page = _page_number(len(listed))
    open_ = t.state in (TournamentState.REGISTRATION, TournamentState.CHECK_IN, TournamentState.RUNNING)
    return render_template(
        "desk/entrants.html",
        t=t,
        here="entrants",
        organiser=is_organiser(who, t),
        listed=listed[page * PAGE : (page + 1) * PAGE],
        found=len(listed),
        page=page,
        pages=-(-len(listed) // PAGE),
        everybody=[e for e in everybody if e.state in pairing.IN_IT],
        names=names,
        open_=open_,
        over=t.state in ENDED,
        own_bots=[bot for bot in own if bot.player_id not in there] if open_ else [],
        resting=[(player, names.get(player, "somebody"), numbers) for player, numbers in resting.items()],
        rests=rests_by_wish(t.played_as) and t.state not in ENDED,
        pairs=pairs_by_wish(t.played_as) and t.state not in ENDED,
        forbidden=names_of_pairs(t.forbidden_pairs, names),
        actions={action.key.removeprefix("entrants/"): action for action in ACTIONS},
        refused=refused,
        report=report,
        bad_places=[(line.place, line.problem) for line in _bad(report)],
        done=_done(),
    )


def _bad(report: ImportReport | None) -> Sequence[BadLine]:
    return report.bad[:PAGE] if report else ()


def _page_number(count: int) -> int:
    text = request.args.get("page", "0")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0
    return min(number, max(0, (count - 1) // PAGE))


def _done() -> str:
    if request.args.get("done") == _LIST:
        count = request.args.get("entered", "")
        return f"{count if count.isdecimal() else 'All'} of the list are invited, or entered where they are yours."
    return done_text(ACTIONS, request.args.get("done"))
