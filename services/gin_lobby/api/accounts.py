"""`/api/v1/accounts`: sign-up, and one's own account."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response
from flask.views import MethodView

from gin_lobby.api.schemas import AccountRequest, PlayerAnswer
from gin_lobby.domain.player import Player
from gin_lobby.store import accounts as store
from gin_lobby.use_cases import accounts, tokens
from gin_servicekit.auth import Scope, caller, publish_revocations, requires, set_session, visitor
from gin_servicekit.database import Transaction
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once
from gin_servicekit.problems import NotFound
from gin_servicekit.rate_limits import SIGN_UPS, limited

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
