"""Signing in, up and out in a browser, and the session that a browser keeps. The forms need no script."""

from __future__ import annotations

from uuid import UUID

import structlog
from flask import Blueprint, Flask, Response, g, make_response, redirect, render_template, request
from psycopg_pool import PoolTimeout

from gin_lobby.domain.problems import NameTaken, WrongPassword
from gin_lobby.pages.account import codes_page
from gin_lobby.pages.forms import SignInForm, SignUpForm, read_form
from gin_lobby.store import accounts as store
from gin_lobby.use_cases import accounts, recovery, tokens
from gin_servicekit.auth import (
    RENEW_AFTER,
    SESSION_COOKIE,
    Caller,
    end_session,
    publish_revocations,
    require_same_origin,
    set_session,
    visitor,
)
from gin_servicekit.database import UNAVAILABLE
from gin_servicekit.problems import InvalidField, Problem
from gin_servicekit.rate_limits import GUESTS, SIGN_INS, SIGN_UPS, client_address, limited, spend
from gin_servicekit.service import Service
from gin_web.site import own_path

log = structlog.get_logger()


def add_sessions(app: Flask, service: Service) -> None:
    """The routes /sign-in, /sign-up, /sign-out and /guest-session, and the renewal of sessions that are used."""
    pages = Blueprint("sessions", __name__, template_folder="templates")

    @pages.get("/sign-in")
    def sign_in_form() -> Response:
        who = visitor()
        return _back() if who and not who.guest else _form("sign_in.html", {})

    @pages.post("/sign-in")
    @limited(SIGN_INS)
    def sign_in() -> Response:
        require_same_origin()
        form, errors = read_form(SignInForm())
        if errors:
            return _form("sign_in.html", errors, 422)
        try:
            with service.transaction() as tx:
                account = accounts.require_password(tx, form["name"], form["password"])
                token = tokens.start_session(tx, service.settings.signing_key, account.account_id)
        except WrongPassword:
            return _form("sign_in.html", {"password": "Name and password do not fit together."}, 401)
        return _with_session(_back(), token.token)

    @pages.get("/sign-up")
    def sign_up_form() -> Response:
        who = visitor()
        return _back() if who and not who.guest else _form("sign_up.html", {})

    @pages.post("/sign-up")
    @limited(SIGN_UPS)
    def sign_up() -> Response:
        require_same_origin()
        form, errors = read_form(SignUpForm())
        if errors:
            return _form("sign_up.html", errors, 422)
        who = visitor()
        guest = who if who and who.guest else None
        try:
            token, codes = _signed_up(service, guest, form["name"], form["password"], "recovery" in request.form)
        except (NameTaken, InvalidField) as problem:
            return _form("sign_up.html", {problem.field or "name": _sentence(problem)}, problem.status)
        if codes:
            newcomer = app.extensions["ginhall-tokens"].verify(token)
            return _with_session(codes_page(codes, own_path(request.values.get("next")), newcomer), token)
        return _with_session(_back(), token)

    @pages.post("/sign-out")
    def sign_out() -> Response:
        who = visitor()
        if who is not None:
            with service.transaction() as tx:
                store.revoke_token(tx, UUID(who.account_id), who.token_id)
                revoked = store.revoked_tokens(tx)
            publish_revocations(service.settings.redis_url, revoked, service.clock())
        answer = make_response(redirect("/", 303))
        end_session(answer)
        return answer

    @pages.post("/guest-session")
    def guest_session() -> Response:
        """For a form that needs a player: makes a guest, and sends the form on with method and body as they are."""
        require_same_origin()
        on = make_response(redirect(own_path(request.args.get("next")), 307))
        if visitor() is not None:
            return on
        spend(GUESTS, client_address())
        with service.transaction() as tx:
            player = accounts.create_guest(tx)
            token = tokens.start_session(tx, service.settings.signing_key, player.player_id)
        return _with_session(on, token.token)

    app.register_blueprint(pages)

    @app.after_request
    def renew(response: Response) -> Response:
        who: Caller | None = g.get("caller")
        if who is None or not who.session or who.issued_at is None or service.clock() - who.issued_at < RENEW_AFTER:
            return response
        if any(cookie.startswith(SESSION_COOKIE) for cookie in response.headers.getlist("Set-Cookie")):
            return response  # somebody signed in, up or out just now
        try:
            with service.transaction() as tx:
                renewed = tokens.renew_session(tx, service.settings.signing_key, who)
        except (*UNAVAILABLE, PoolTimeout) as problem:
            log.warning("session_not_renewed", problem=str(problem))
            return response
        return _with_session(response, renewed) if renewed else response


def _signed_up(
    service: Service, guest: Caller | None, name: str, password: str, with_codes: bool
) -> tuple[str, list[str]]:
    """The token of a new account, or of the guest's under its new name; and recovery codes, if they are wished for."""
    with service.transaction() as tx:
        player = accounts.sign_up(tx, name, password, UUID(guest.account_id) if guest else None)
        codes = recovery.first_codes(tx, player.player_id) if with_codes else []
        if guest is None:
            return tokens.start_session(tx, service.settings.signing_key, player.player_id).token, codes
        token = tokens.begin_session_anew(tx, service.settings.signing_key, UUID(guest.account_id)).token
        revoked = store.revoked_tokens(tx)
    publish_revocations(service.settings.redis_url, revoked, service.clock())
    return token, codes


def _form(template: str, errors: dict[str, str], status: int = 200) -> Response:
    way_on = own_path(request.values.get("next"))
    name, recovery_wished = request.form.get("name", ""), "recovery" in request.form
    page = render_template(template, errors=errors, name=name, way_on=way_on, recovery=recovery_wished)
    return make_response(page, status)


def _back() -> Response:
    """To where the visitor came from."""
    return make_response(redirect(own_path(request.values.get("next")), 303))


def _with_session(answer: Response, token: str) -> Response:
    set_session(answer, token)
    return answer


def _sentence(problem: Problem) -> str:
    return f"{problem.detail[:1].upper()}{problem.detail[1:]}".rstrip(".") + "."
