"""`GET /live/v1/events`: decode, join, stream."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from flask import Response, current_app, request
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from gin_live.hub import Hub
from gin_live.places import Bookmark, NotABookmark, read_event_id
from gin_live.topics import MOST_TOPICS, checked_topics, is_personal, require_own
from gin_live.watcher import Watcher
from gin_servicekit.auth import caller
from gin_servicekit.http_app import Blueprint
from gin_servicekit.problems import InvalidField
from gin_servicekit.rate_limits import client_address

EXTENSION = "ginhall-live"
PERSONAL_SECONDS = 900  # so often, and when its token expires, a connection with a personal topic must show one again

blueprint = Blueprint("events", __name__, url_prefix="/live/v1", description="Live events")


class EventsQuery(Schema):
    """What to listen to."""

    topic = fields.List(
        fields.Str(validate=validate.Length(1, 80)),
        required=True,
        validate=validate.Length(1),
        metadata={
            "description": f"Repeat it for up to {MOST_TOPICS} topics: `table:<match>`, `tournament:<id>`, "
            "`tables`, `tournaments`, with your own session `player:<account>`, and with the scope `play` "
            "`seat:<account>`."
        },
    )


@blueprint.route("/events")
class Events(MethodView):
    @blueprint.doc(
        security=[{}, {"token": []}],
        parameters=[
            {
                "in": "header",
                "name": "Last-Event-ID",
                "schema": {"type": "string"},
                "description": "The id of the last event that came: the stream goes on behind it.",
            }
        ],
    )
    @blueprint.arguments(EventsQuery, location="query")
    @blueprint.response(
        200,
        content_type="text/event-stream",
        description="Server-sent events, each with its topic in `data`. They are hints: fetch what they name. Only "
        "`seen` of `seat:<account>` is as good as fetched: it holds what your seat sees. After `reset` fetch "
        "everything: some may have been missed.",
    )
    @blueprint.alt_response(401, description="A personal topic without a session.")
    @blueprint.alt_response(
        403, description="A personal topic of another account, or one of seats without the scope `play`."
    )
    @blueprint.alt_response(429, description="As many listen from your address as may.")
    @blueprint.alt_response(422, description="A topic that cannot be, too many, or no event id.")
    @blueprint.alt_response(503, description="No room, or away for a moment.")
    def get(self, query: dict[str, Any]) -> Response:
        """Listen to topics"""
        topics = checked_topics(query["topic"])
        token_id, seconds = None, float(PERSONAL_SECONDS)
        for topic in filter(is_personal, topics):
            who = caller()
            require_own(topic, who)
            token_id = who.token_id
            if who.expires_at is not None:
                seconds = min(seconds, (who.expires_at - datetime.now(UTC)).total_seconds())
        bookmark = _bookmark(topics)
        body: Any = b""
        if request.method == "GET":  # a HEAD has no body that would ever be closed
            connection = request.environ.get("gunicorn.socket")
            watcher = Watcher(connection, client_address(), token_id, time.monotonic() + seconds)
            body = _hub().join(topics, bookmark, watcher)
        answer = Response(body, content_type="text/event-stream")
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Accel-Buffering"] = "no"
        return answer


def _bookmark(topics: tuple[str, ...]) -> Bookmark | None:
    text = request.headers.get("Last-Event-ID", "")
    if not text:
        return None
    try:
        return read_event_id(text, topics) or Bookmark(b"", 0, ())
    except NotABookmark:
        raise InvalidField("not an event id of ours", "Last-Event-ID") from None


def _hub() -> Hub:
    hub: Hub = current_app.extensions[EXTENSION].hub
    return hub
