"""`/api/v1/tokens`: what programs act with."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from flask.views import MethodView

from gin_lobby.api.schemas import NewTokenAnswer, TokenAnswer, TokenRequest, list_of
from gin_lobby.store import accounts as store
from gin_lobby.use_cases import tokens
from gin_lobby.use_cases.tokens import NewToken
from gin_servicekit.auth import Scope, caller, publish_revocations, requires
from gin_servicekit.http_app import Blueprint, current_service, never_repeated
from gin_servicekit.rate_limits import SIGN_INS, limited

blueprint = Blueprint("Tokens", __name__, url_prefix="/api/v1/tokens", description="Bearer tokens for programs")


@blueprint.route("")
class Tokens(MethodView):
    @limited(SIGN_INS)
    @blueprint.arguments(TokenRequest)
    @blueprint.response(201, NewTokenAnswer)
    @blueprint.alt_response(401, description="No account has this name and password")
    @never_repeated
    def post(self, body: dict[str, Any]) -> NewToken:
        """A new token, for name and password; it is shown only here"""
        service = current_service()
        with service.transaction() as tx:
            return tokens.sign_in(
                tx,
                service.settings.signing_key,
                body["name"],
                body["password"],
                frozenset(body["scopes"]),
                timedelta(days=body["lifetime_days"]),
            )

    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, list_of(TokenAnswer, "tokens"))
    def get(self) -> dict[str, Any]:
        """Your tokens that have not expired"""
        with current_service().transaction() as tx:
            return {"tokens": store.tokens(tx, UUID(caller().account_id))}


@blueprint.route("/<string:token_id>")
class Token(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(204)
    def delete(self, token_id: str) -> None:
        """Revoke a token: every service refuses it within seconds"""
        with current_service().transaction() as tx:
            tokens.revoke_token(tx, UUID(caller().account_id), token_id)
            revoked = store.revoked_tokens(tx)
        publish_revocations(current_service().settings.redis_url, revoked, current_service().clock())
