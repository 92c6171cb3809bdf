"""`/api/v1/players`: people and bots."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from flask import Response
from flask.views import MethodView

from gin_lobby.api.schemas import (
    BotNameRequest,
    BotTokenRequest,
    NewTokenAnswer,
    PlayerAnswer,
    PlayerRequest,
    PlayersQuery,
    page_of,
)
from gin_lobby.domain.player import Player
from gin_lobby.store import accounts as store
from gin_lobby.use_cases import accounts, renaming, tokens
from gin_lobby.use_cases.tokens import NewToken
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import parse_id
from gin_servicekit.http_app import Blueprint, current_service, never_repeated
from gin_servicekit.idempotency import answer_once
from gin_servicekit.problems import NotFound

blueprint = Blueprint("Players", __name__, url_prefix="/api/v1/players", description="People and bots")


@blueprint.route("")
class Players(MethodView):
    @blueprint.arguments(PlayersQuery, location="query")
    @blueprint.response(200, page_of(PlayerAnswer, "players"))
    def get(self, query: dict[str, Any]) -> dict[str, Any]:
        """All players, newest first"""
        with current_service().transaction() as tx:
            found = store.players(tx, query["kind"], query["owner_id"], query["cursor"], query["limit"])
        full = len(found) == query["limit"]
        return {"players": found, "next_cursor": str(found[-1].player_id) if full else None}

    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(PlayerRequest)
    @blueprint.response(201, PlayerAnswer)
    def post(self, body: dict[str, Any]) -> Response:
        """Create a bot that belongs to you"""
        owner = caller().account_id
        return answer_once(
            current_service(),
            owner,
            PlayerAnswer(),
            201,
            lambda tx: accounts.create_bot(tx, UUID(owner), body["name"], body["bot"]),
        )


@blueprint.route("/<string:player_id>")
class OnePlayer(MethodView):
    @blueprint.response(200, PlayerAnswer)
    @blueprint.alt_response(404, description="There is no such player")
    def get(self, player_id: str) -> Player:
        """One player"""
        known = parse_id(player_id)
        with current_service().transaction() as tx:
            player = store.player(tx, known) if known else None
        if player is None:
            raise NotFound("there is no such player")
        return player

    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(BotNameRequest)
    @blueprint.response(200, PlayerAnswer)
    @blueprint.alt_response(403, description="The bot is somebody else's")
    @blueprint.alt_response(409, description="It got another name less than a day ago")
    def patch(self, body: dict[str, Any], player_id: str) -> Response:
        """Give your bot another name: everything shows it but records of finished matches"""
        owner, known = caller().account_id, parse_id(player_id)
        return answer_once(
            current_service(),
            owner,
            PlayerAnswer(),
            200,
            lambda tx: renaming.rename_bot(tx, UUID(owner), known, body["name"]),
        )


@blueprint.route("/<string:player_id>/tokens")
class BotTokens(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(BotTokenRequest)
    @blueprint.response(201, NewTokenAnswer)
    @blueprint.alt_response(403, description="The bot is somebody else's")
    @never_repeated
    def post(self, body: dict[str, Any], player_id: str) -> NewToken:
        """A token with which your program plays as your bot; it is shown only here"""
        service, lifetime = current_service(), timedelta(days=body["lifetime_days"])
        with service.transaction() as tx:
            return tokens.bot_token(tx, service.settings.signing_key, caller(), parse_id(player_id), lifetime)
