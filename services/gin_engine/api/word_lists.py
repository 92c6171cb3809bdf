"""/api/v1/word-lists: organisers' own dictionaries for Word Gin."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from gin_engine.api.cursors import cursor_after, read_cursor
from gin_engine.use_cases.word_lists import MOST_BYTES, add_word_list, list_word_lists, words_with_hash
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once

blueprint = Blueprint("word-lists", __name__, url_prefix="/api/v1/word-lists", description="Dictionaries for Word Gin")


class WordListSchema(Schema):
    """A list as the rules of a table or tournament may name it: by `name` as `dictionary`. It never changes."""

    name = fields.Str(required=True)
    sha256 = fields.Str(required=True, metadata={"description": "Of the words, one a line and sorted."})
    count = fields.Int(required=True, metadata={"description": "Words"})
    longest = fields.Int(required=True, metadata={"description": "Letters of the longest word"})
    added_by = fields.Str(required=True)
    added_at = fields.AwareDateTime(format="iso", required=True)


class WordListPageSchema(Schema):
    """Lists by name."""

    word_lists = fields.List(fields.Nested(WordListSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


class WordListsQuery(Schema):
    cursor = fields.Str(validate=validate.Length(1, 400), metadata={"description": "next_cursor of the page before."})
    limit = fields.Int(load_default=50, validate=validate.Range(1, 200))


class NewWordListQuery(Schema):
    name = fields.Str(
        required=True,
        validate=validate.Length(1, 64),
        metadata={"description": "Lower-case letters, digits, '.', '_' and '-'"},
    )


@blueprint.route("")
class WordLists(MethodView):
    @blueprint.arguments(WordListsQuery, location="query")
    @blueprint.response(200, WordListPageSchema)
    def get(self, query: dict[str, Any]) -> dict[str, Any]:
        """The lists that organisers brought, by name."""
        after = read_cursor(query["cursor"]) if "cursor" in query else ""
        with current_service().transaction() as tx:
            found, more = list_word_lists(tx, after, query["limit"])
        return {"word_lists": found, "next_cursor": cursor_after(found[-1].name) if more else None}

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(
        security=[{"token": []}],
        requestBody={
            "required": True,
            "description": f"UTF-8, one word a line, each 2 to 15 letters a to z, at most {MOST_BYTES} bytes",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        },
    )
    @blueprint.arguments(NewWordListQuery, location="query")
    @blueprint.response(201, WordListSchema)
    @blueprint.alt_response(403, description="The caller is a guest.")
    @blueprint.alt_response(409, description="The name means other words, or the words have another name; or too many.")
    @blueprint.alt_response(422, description="A line is at fault: `field` names it.")
    def post(self, query: dict[str, Any]) -> Response:
        """Bring a list: from then on the rules of tables, and a moment later of tournaments, may name it."""
        who, content = caller(), request.get_data(cache=True)
        return answer_once(
            current_service(),
            who.account_id,
            WordListSchema(),
            201,
            lambda tx: add_word_list(tx, who, query["name"], content),
        )


@blueprint.route("/<sha256>")
class OneWordList(MethodView):
    @blueprint.response(200, description="The words, sorted, one a line.")
    @blueprint.alt_response(404, description="There is no such list.")
    def get(self, sha256: str) -> Response:
        """The words with this SHA-256: what is needed to check the records of matches that were played with them."""
        with current_service().transaction() as tx:
            words = words_with_hash(tx, sha256)
        return Response(words, mimetype="text/plain", headers={"Cache-Control": "public, max-age=86400, immutable"})
