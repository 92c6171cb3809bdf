"""/account: one's name, bots, tokens and password, ways back in, and the way out."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template

from gin_bots import BOTS
from gin_lobby.domain.problems import NameTaken, RenamedRecently, WrongPassword
from gin_lobby.pages.forms import BotForm, BotNameForm, DeletionForm, NameForm, OwnPasswordForm, PasswordForm, read_form
from gin_lobby.store import accounts as store
from gin_lobby.store import series, tournaments
from gin_lobby.store.recovery import count_codes
from gin_lobby.use_cases import accounts, departures, recovery, renaming, tokens
from gin_lobby.use_cases.tokens import NewToken
from gin_servicekit.auth import Caller, Scope, caller, end_session, publish_revocations, requires, set_session
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import InvalidField, NotFound, Problem
from gin_servicekit.rate_limits import SIGN_INS, limited
from gin_servicekit.service import Service

BOT_TOKEN_LIFETIME = timedelta(days=90)
_BOTS_SHOWN = 200
_ORGANISED_SHOWN = 20


def account_pages(service: Service) -> Blueprint:
    pages = Blueprint("account", __name__, template_folder="templates")

    @pages.get("/account")
    @requires(Scope.ACCOUNT)
    def account() -> Response:
        return _page(service, caller(), {})

    @pages.post("/account/bots")
    @requires(Scope.ACCOUNT)
    def make_bot() -> Response:
        who = caller()
        form, errors = read_form(BotForm())
        if errors:
            return _page(service, who, errors, 422)
        try:
            with service.transaction() as tx:
                accounts.create_bot(tx, UUID(who.account_id), form["bot_name"], form["plays"] or None)
        except InvalidField as problem:
            return _page(service, who, {"plays": problem.detail}, 422)
        return _done("bots")

    @pages.post("/account/bot-names")
    @requires(Scope.ACCOUNT)
    def rename_bot() -> Response:
        who = caller()
        form, errors = read_form(BotNameForm())
        if errors:
            return _page(service, who, errors, 422)
        try:
            with service.transaction() as tx:
                renaming.rename_bot(tx, UUID(who.account_id), parse_id(form["renamed_bot"]), form["new_bot_name"])
        except RenamedRecently as problem:
            return _page(service, who, {"new_bot_name": _sentence(problem)}, problem.status)
        return _done("bots")

    @pages.post("/account/bots/<string:player_id>/tokens")
    @requires(Scope.ACCOUNT)
    def make_bot_token(player_id: str) -> Response:
        who = caller()
        with service.transaction() as tx:
            made = tokens.bot_token(tx, service.settings.signing_key, who, parse_id(player_id), BOT_TOKEN_LIFETIME)
        answer = _page(service, who, {}, 201, made)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @pages.post("/account/tokens/<string:token_id>/revocation")
    @requires(Scope.ACCOUNT)
    def revoke(token_id: str) -> Response:
        with service.transaction() as tx:
            tokens.revoke_token(tx, UUID(caller().account_id), token_id)
            publish(service, tx)
        return _done("tokens")

    @pages.post("/account/password")
    @requires(Scope.ACCOUNT)
    @limited(SIGN_INS)
    def change_password() -> Response:
        who = caller()
        form, errors = read_form(PasswordForm())
        if errors:
            return _page(service, who, errors, 422)
        try:
            with service.transaction() as tx:
                accounts.change_password(
                    tx, UUID(who.account_id), form["old_password"], form["new_password"], who.token_id
                )
                publish(service, tx)
        except WrongPassword:
            return _page(service, who, {"old_password": "That is not your password."}, 401)
        return _page(service, who, {}, notice="Your password is changed. You are signed out everywhere else.")

    @pages.post("/account/recovery-codes")
    @requires(Scope.ACCOUNT)
    @limited(SIGN_INS)
    def make_codes() -> Response:
        who = caller()
        form, errors = read_form(OwnPasswordForm())
        if errors:
            return _page(service, who, errors, 422)
        try:
            with service.transaction() as tx:
                codes = recovery.make_codes(tx, UUID(who.account_id), form["codes_password"])
        except WrongPassword:
            return _page(service, who, {"codes_password": "That is not your password."}, 401)
        return codes_page(codes, "/account#password")

    @pages.post("/account/name")
    @requires(Scope.ACCOUNT)
    def rename() -> Response:
        who = caller()
        form, errors = read_form(NameForm())
        if errors:
            return _page(service, who, errors, 422)
        try:
            with service.transaction() as tx:
                renaming.rename(tx, UUID(who.account_id), form["new_name"])
                renewed = tokens.renew_session(tx, service.settings.signing_key, who)
        except (NameTaken, RenamedRecently, InvalidField) as problem:
            return _page(service, who, {"new_name": _sentence(problem)}, problem.status)
        answer = _done("name")
        if renewed is not None:  # the head of the page shows the name that the session has
            set_session(answer, renewed)
        return answer

    @pages.post("/account/deletion")
    @requires(Scope.ACCOUNT)
    @limited(SIGN_INS)
    def delete() -> Response:
        who = caller()
        form, errors = read_form(DeletionForm())
        if errors:
            return _page(service, who, errors, 422)
        try:
            with service.transaction() as tx:
                departures.delete_account(tx, UUID(who.account_id), form["deletion_password"])
                publish(service, tx)
        except WrongPassword:
            return _page(service, who, {"deletion_password": "That is not your password."}, 401)
        answer = make_response(render_template("account_deleted.html", visitor=None))
        end_session(answer)
        return answer

    return pages


def codes_page(codes: list[str], way_on: str, newcomer: Caller | None = None) -> Response:
    """Recovery codes, this once; for a newcomer, whom the head of the page does not know yet."""
    head = {"visitor": newcomer} if newcomer else {}
    answer = make_response(render_template("recovery_codes.html", codes=codes, way_on=way_on, **head), 201)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _sentence(problem: Problem) -> str:
    return problem.detail[:1].upper() + problem.detail[1:]


def publish(service: Service, tx: Transaction) -> None:
    """Once it is true: a session that the database still knows must not have ended for everybody else."""
    revoked, now = store.revoked_tokens(tx), tx.now
    tx.once_committed(lambda: publish_revocations(service.settings.redis_url, revoked, now))


def _done(section: str) -> Response:
    return make_response(redirect(f"/account#{section}", 303))


def _page(
    service: Service,
    who: Caller,
    errors: dict[str, str],
    status: int = 200,
    made: NewToken | None = None,
    notice: str = "",
) -> Response:
    """The page as it is now; `made` is a token that is shown this once. Raises NotFound for a bot's own token."""
    account_id = UUID(who.account_id)
    with service.transaction() as tx:
        account = store.account(tx, account_id)
        bots = store.players(tx, "bot", account_id, None, _BOTS_SHOWN)
        organised = tournaments.page(tx, None, account_id, None, _ORGANISED_SHOWN, account_id)
        own_series = series.page(tx, account_id, None, _ORGANISED_SHOWN)
        codes_left = count_codes(tx, account_id)
        known = [token for token in store.tokens(tx, account_id) if token.revoked_at is None]
    if account is None:
        raise NotFound("the account is gone")
    page = render_template(
        "account.html",
        account=account,
        bots=bots,
        organised=organised,
        own_series=own_series,
        tokens=known,
        codes_left=codes_left,
        rename_days=renaming.ONCE_IN.days,
        reserved_days=renaming.RESERVED.days,
        this_token=who.token_id,
        built_in=BOTS,
        errors=errors,
        made=made,
        notice_text=notice,
    )
    return make_response(page, status)
