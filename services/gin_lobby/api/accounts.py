"""`/api/v1/accounts`: sign-up, and one's own account."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response
from flask.views import MethodView

from gin_lobby.api.schemas import (
    AccountRequest,
    NameRequest,
    OwnPasswordRequest,
    PasswordResetRequest,
    PlayerAnswer,
    RecoveryCodesAnswer,
    RecoveryCodesLeft,
)
from gin_lobby.domain.player import Player
from gin_lobby.store import accounts as store
from gin_lobby.store.recovery import count_codes
from gin_lobby.use_cases import accounts, departures, recovery, renaming, tokens
from gin_servicekit.auth import Scope, caller, publish_revocations, requires, set_session, visitor
from gin_servicekit.database import Transaction
from gin_servicekit.http_app import Blueprint, current_service, never_repeated
from gin_servicekit.idempotency import answer_once
from gin_servicekit.problems import NotFound
from gin_servicekit.rate_limits import SIGN_INS, SIGN_UPS, limited

resets = Blueprint("Passwords", __name__, url_prefix="/api/v1/password-resets", description="Forgotten passwords")
blueprint = Blueprint("Accounts", __name__, url_prefix="/api/v1/accounts", description="People who have signed up")


@blueprint.route("")
class Accounts(MethodView):
    @limited(SIGN_UPS)
    @blueprint.arguments(AccountRequest)
    @blueprint.response(201, PlayerAnswer)
    @blueprint.alt_response(409, description="The name is taken")
    def post(self, body: dict[str, Any]) -> Response:
        """Sign up: a new account, and the player that it plays as (they share one id)

        A guest keeps both, and gets a new session for the one before, which ends.
        """
        who, service = visitor(), current_service()
        guest_id = UUID(who.account_id) if who and who.guest else None
        sessions: list[str] = []

        def work(tx: Transaction) -> Player:
            player = accounts.sign_up(tx, body["name"], body["password"], guest_id)
            if guest_id is not None:
                sessions.append(tokens.begin_session_anew(tx, service.settings.signing_key, guest_id).token)
            return player

        # Nobody is signed in yet: two strangers may choose the same key.
        answer = answer_once(service, f"sign-up {body['name'].lower()}", PlayerAnswer(), 201, work)
        for session in sessions:
            set_session(answer, session)
            with service.transaction() as tx:
                revoked = store.revoked_tokens(tx)
            publish_revocations(service.settings.redis_url, revoked, service.clock())
        return answer


@blueprint.route("/me")
class Me(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, PlayerAnswer)
    def get(self) -> Player:
        """The account that the token belongs to"""
        with current_service().transaction() as tx:
            player = store.player(tx, UUID(caller().account_id))
        if player is None:
            raise NotFound("the account is gone")
        return player

    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(NameRequest)
    @blueprint.response(200, PlayerAnswer)
    @blueprint.alt_response(409, description="The name is taken, or yours was changed less than 30 days ago")
    def patch(self, body: dict[str, Any]) -> Response:
        """Change your name: everything shows the new one but records of finished matches

        The old one is nobody else's for 180 days, and `/people/{name}` leads on from it.
        """
        who = caller().account_id
        return answer_once(
            current_service(), who, PlayerAnswer(), 200, lambda tx: renaming.rename(tx, UUID(who), body["name"])
        )


@blueprint.route("/me/deletion")
class Deletion(MethodView):
    @requires(Scope.ACCOUNT)
    @limited(SIGN_INS)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(OwnPasswordRequest)
    @blueprint.response(200, PlayerAnswer)
    @blueprint.alt_response(401, description="That is not your password")
    def post(self, body: dict[str, Any]) -> Response:
        """Delete your account for good: nobody can sign in any more, your bots stop, your name is replaced

        Matches in play are given up and tournaments left. Results and ratings stay, under the name of the answer.
        """
        who, service = caller().account_id, current_service()
        answer = answer_once(
            service, who, PlayerAnswer(), 200, lambda tx: departures.delete_account(tx, UUID(who), body["password"])
        )
        _publish_revocations()
        return answer


@blueprint.route("/me/recovery-codes")
class RecoveryCodes(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, RecoveryCodesLeft)
    def get(self) -> dict[str, int]:
        """How many recovery codes you have left"""
        with current_service().transaction() as tx:
            return {"left": count_codes(tx, UUID(caller().account_id))}

    @requires(Scope.ACCOUNT)
    @limited(SIGN_INS)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(OwnPasswordRequest)
    @blueprint.response(201, RecoveryCodesAnswer)
    @blueprint.alt_response(401, description="That is not your password")
    @never_repeated
    def post(self, body: dict[str, Any]) -> dict[str, list[str]]:
        """New recovery codes instead of those that you had; they are shown only here"""
        with current_service().transaction() as tx:
            return {"recovery_codes": recovery.make_codes(tx, UUID(caller().account_id), body["password"])}


@resets.route("")
class PasswordResets(MethodView):
    @limited(SIGN_INS)
    @resets.arguments(PasswordResetRequest)
    @resets.response(204)
    @resets.alt_response(401, description="No account has this name and recovery code")
    @never_repeated
    def post(self, body: dict[str, Any]) -> None:
        """A new password for a recovery code, which is used up; all sessions and tokens of the account end"""
        with current_service().transaction() as tx:
            recovery.reset_by_code(tx, body["name"], body["recovery_code"], body["new_password"])
        _publish_revocations()


def _publish_revocations() -> None:
    service = current_service()
    with service.transaction() as tx:
        revoked = store.revoked_tokens(tx)
    publish_revocations(service.settings.redis_url, revoked, service.clock())
