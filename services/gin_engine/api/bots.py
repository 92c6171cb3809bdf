"""/api/v1/bots: the built-in bots."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView
from marshmallow import Schema, fields

from gin_bots import bots
from gin_servicekit.http_app import Blueprint

blueprint = Blueprint("bots", __name__, url_prefix="/api/v1/bots", description="Built-in bots")


class _MeasurementSchema(Schema):
    game = fields.Str(required=True)
    opponent = fields.Str(required=True)
    preset = fields.Str(required=True)
    matches = fields.Int(required=True)
    win_rate = fields.Float(required=True, metadata={"description": "Drawn matches count as halves."})
    interval = fields.List(
        fields.Float(), required=True, metadata={"description": "Lowest and highest rate, with 95 % confidence."}
    )


class BotSchema(Schema):
    """A bot that plays by itself, and what was measured of it."""

    name = fields.Str(required=True, metadata={"description": "As a table's opponent is asked for."})
    title = fields.Str(required=True)
    summary = fields.Str(required=True, metadata={"description": "How it plays, in a few words."})
    description = fields.Str(required=True)
    games = fields.List(fields.Str(), required=True)
    measurements = fields.List(fields.Nested(_MeasurementSchema), required=True)


class BotListSchema(Schema):
    """All of them."""

    bots = fields.List(fields.Nested(BotSchema), required=True)


@blueprint.route("")
class Bots(MethodView):
    @blueprint.response(200, BotListSchema)
    def get(self) -> dict[str, Any]:
        """The built-in bots, of each game the weakest first, with what they are like to play against."""
        return {
            "bots": [
                {
                    "name": bot.name,
                    "title": bot.title,
                    "summary": bot.summary,
                    "description": bot.description,
                    "games": bot.games,
                    "measurements": [found for game in bot.games if (found := bot.measured_in(game))],
                }
                for bot in bots()
            ]
        }
