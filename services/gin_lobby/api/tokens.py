"""`/api/v1/tokens`: what programs act with."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from flask.views import MethodView

from gin_lobby.api.schemas import NewTokenAnswer, TokenAnswer, TokenRequest, list_of
from gin_lobby.store import accounts as store
from gin_lobby.use_cases import accounts
from gin_servicekit.auth import Scope, caller, publish_revocations, requires
from gin_servicekit.http_app import Blueprint
from gin_servicekit.service import Service


def blueprint(service: Service, private_key: bytes) -> Blueprint:
    b = Blueprint("Tokens", __name__, url_prefix="/api/v1/tokens", description="Bearer tokens for programs")

    @b.route("")
    class Tokens(MethodView):
        @b.arguments(TokenRequest)
        @b.response(201, NewTokenAnswer)
        @b.alt_response(401, description="No account has this name and password")
        def post(self, body: dict[str, Any]) -> dict[str, Any]:
            """A new token, for name and password; it is shown only here"""
            with service.transaction() as tx:
                signed, token, account_id = accounts.sign_in(
                    tx,
                    private_key,
                    body["name"],
                    body["password"],
                    frozenset(body["scopes"]),
                    timedelta(days=body["lifetime_days"]),
                )
            return {
                "token": signed,
                "account_id": str(account_id),
                "token_id": token.token_id,
                "scopes": token.scopes,
                "created_at": token.created_at,
                "expires_at": token.expires_at,
                "revoked_at": None,
            }

        @b.doc(security=[{"token": []}])
        @b.response(200, list_of(TokenAnswer, "tokens"))
        @requires(Scope.ACCOUNT)
        def get(self) -> dict[str, Any]:
            """Your tokens that have not expired"""
            with service.transaction() as tx:
                return {"tokens": store.tokens(tx, UUID(caller().account_id))}

    @b.route("/<string:token_id>")
    class Token(MethodView):
        @b.doc(security=[{"token": []}])
        @b.response(204)
        @requires(Scope.ACCOUNT)
        def delete(self, token_id: str) -> None:
            """Revoke a token: every service refuses it within seconds"""
            with service.transaction() as tx:
                accounts.revoke_token(tx, UUID(caller().account_id), token_id)
                revoked = store.revoked_tokens(tx)
            publish_revocations(service.settings.redis_url, revoked, service.clock())

    return b
