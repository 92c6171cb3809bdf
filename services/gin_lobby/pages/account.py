"""/account: one's name, bots, tokens and password."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template

from gin_bots import BOTS
from gin_lobby.domain.problems import WrongPassword
from gin_lobby.pages.forms import BotForm, PasswordForm, read_form
from gin_lobby.store import accounts as store
from gin_lobby.store import series, tournaments
from gin_lobby.use_cases import accounts, tokens
from gin_lobby.use_cases.tokens import NewToken
from gin_servicekit.auth import Caller, Scope, caller, publish_revocations, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import InvalidField, NotFound
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
            _publish(service, tx)
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
                _publish(service, tx)
        except WrongPassword:
            return _page(service, who, {"old_password": "That is not your password."}, 401)
        return _page(service, who, {}, notice="Your password is changed. You are signed out everywhere else.")

    return pages


def _publish(service: Service, tx: Transaction) -> None:
    publish_revocations(service.settings.redis_url, store.revoked_tokens(tx), tx.now)


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
        this_token=who.token_id,
        built_in=BOTS,
        errors=errors,
        made=made,
        notice_text=notice,
    )
    return make_response(page, status)
