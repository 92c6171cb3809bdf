"""`/api/v1/guests`: playing without signing up."""

from __future__ import annotations

from flask import Response, jsonify
from flask.views import MethodView

from gin_lobby.api.schemas import PlayerAnswer
from gin_lobby.use_cases import accounts, tokens
from gin_servicekit.auth import refuse_other_sites, set_session
from gin_servicekit.http_app import Blueprint, current_service, never_repeated
from gin_servicekit.rate_limits import GUESTS, limited

blueprint = Blueprint("Guests", __name__, url_prefix="/api/v1/guests", description="People who have not signed up yet")


@blueprint.route("")
class Guests(MethodView):
    @limited(GUESTS)
    @blueprint.response(201, PlayerAnswer)
    @blueprint.alt_response(403, description="A page of another site asked for it")
    @never_repeated
    def post(self) -> Response:
        """Play without signing up: a new account without a password, and its session in a cookie

        Signing up with that session keeps account and player.
        """
        refuse_other_sites()
        service = current_service()
        with service.transaction() as tx:
            player = accounts.create_guest(tx)
            token = tokens.start_session(tx, service.settings.signing_key, player.player_id)
        answer = jsonify(PlayerAnswer().dump(player))
        answer.status_code = 201
        set_session(answer, token.token)
        return answer
