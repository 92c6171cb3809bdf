"""Forgotten passwords: by a recovery code, or by a link of whoever runs the server. Also names that lead to players."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, Flask, Response, make_response, redirect, render_template, request

from gin_lobby.domain.problems import LinkOver, WrongRecoveryCode
from gin_lobby.pages.account import publish
from gin_lobby.pages.forms import NewPasswordForm, RecoveryForm, read_form
from gin_lobby.use_cases import recovery, renaming, tokens
from gin_servicekit.auth import require_same_origin, set_session
from gin_servicekit.database import Transaction
from gin_servicekit.problems import NotFound
from gin_servicekit.rate_limits import SIGN_INS, limited
from gin_servicekit.service import Service


def add_recovery(app: Flask, service: Service) -> None:
    """The routes /forgotten-password, /reset/{secret} and /people/{name}."""
    pages = Blueprint("recovery", __name__, template_folder="templates")

    @pages.get("/forgotten-password")
    def forgotten_form() -> Response:
        return _forgotten({})

    @pages.post("/forgotten-password")
    @limited(SIGN_INS)
    def forgotten() -> Response:
        require_same_origin()
        form, errors = read_form(RecoveryForm())
        if errors:
            return _forgotten(errors, 422)
        try:
            with service.transaction() as tx:
                account_id = recovery.reset_by_code(tx, form["name"], form["recovery_code"], form["new_password"])
                token = _signed_in(service, tx, account_id)
        except WrongRecoveryCode:
            return _forgotten({"recovery_code": "Name and recovery code do not fit together."}, 401)
        return _in(token)

    @pages.get("/reset/<string:secret>")
    def link_form(secret: str) -> Response:
        return _link(service, secret, {})

    @pages.post("/reset/<string:secret>")
    @limited(SIGN_INS)
    def link(secret: str) -> Response:
        require_same_origin()
        form, errors = read_form(NewPasswordForm())
        if errors:
            return _link(service, secret, errors, 422)
        with service.transaction() as tx:
            account_id = recovery.reset_by_link(tx, secret, form["new_password"])
            token = _signed_in(service, tx, account_id)
        return _in(token)

    @pages.get("/people/<string:name>")
    def person(name: str) -> Response:
        with service.transaction() as tx:
            player_id = renaming.named(tx, name)
        if player_id is None:
            raise NotFound("nobody is called so")
        return make_response(redirect(f"/players/{player_id}", 302))

    app.register_blueprint(pages)


def _signed_in(service: Service, tx: Transaction, account_id: UUID) -> str:
    """A session for whoever has just set the password; all others are over."""
    publish(service, tx)
    return tokens.start_session(tx, service.settings.signing_key, account_id).token


def _in(token: str) -> Response:
    answer = make_response(redirect("/account", 303))
    set_session(answer, token)
    return answer


def _forgotten(errors: dict[str, str], status: int = 200) -> Response:
    return make_response(
        render_template("forgotten_password.html", errors=errors, name=request.form.get("name", "")), status
    )


def _link(service: Service, secret: str, errors: dict[str, str], status: int = 200) -> Response:
    try:
        with service.transaction() as tx:
            name = recovery.owner_of_link(tx, secret)
    except LinkOver:
        name, status = "", 404
    answer = make_response(render_template("reset_link.html", name=name, errors=errors), status)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Referrer-Policy"] = "no-referrer"  # the address is the secret
    return answer
