"""`/api/v1/tournaments/{id}/entrants.csv`: a whole list of entrants at once."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, request
from flask.views import MethodView
from marshmallow import Schema, fields

from gin_lobby.api.schemas import EntrantAnswer
from gin_lobby.domain.entrant_list import read_list
from gin_lobby.domain.problems import ImportRefused
from gin_lobby.use_cases.entrant_lists import ImportReport, import_list
from gin_servicekit.auth import Caller, Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once


class EnteredAnswer(Schema):
    line = fields.Int(required=True)
    entrant = fields.Nested(EntrantAnswer(), required=True)


class BadLineAnswer(Schema):
    """`line` and `column` count from 1; column 0 is the whole line."""

    line = fields.Int(required=True)
    column = fields.Int(required=True)
    problem = fields.Str(required=True)


class ImportAnswer(Schema):
    dry_run = fields.Bool(required=True)
    entered = fields.List(fields.Nested(EnteredAnswer()), required=True)
    bad = fields.List(fields.Nested(BadLineAnswer()), required=True)
    ignored = fields.List(fields.Str(), required=True, metadata={"description": "Columns that were passed over"})


class ImportQuery(Schema):
    dry_run = fields.Bool(load_default=False, metadata={"description": "Only tell what would happen"})
    skip_bad = fields.Bool(load_default=False, metadata={"description": "Enter the good lines though others are bad"})


class _OnlyTried(Exception):
    """Takes back what a dry run has done; `report` is what it would have been."""

    def __init__(self, report: ImportReport) -> None:
        super().__init__("dry run")
        self.report = report


blueprint = Blueprint("Lists", __name__, url_prefix="/api/v1/tournaments", description="Whole lists of entrants")


@blueprint.route("/<string:tournament_id>/entrants.csv")
class EntrantsCsv(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(
        security=[{"token": []}],
        requestBody={
            "required": True,
            "description": "CSV with a header: id or name, and if you like rating, seed, club",
            "content": {"text/csv": {"schema": {"type": "string"}}},
        },
    )
    @blueprint.arguments(ImportQuery, location="query")
    @blueprint.response(201, ImportAnswer)
    @blueprint.alt_response(200, schema=ImportAnswer, description="What would happen (dry_run)")
    @blueprint.alt_response(422, description="Bad lines, each with its line and column; nobody was entered")
    def post(self, query: dict[str, Any], tournament_id: str) -> Response:
        """Enter everybody on a list as the organiser: all lines, or with skip_bad the good ones"""
        who, known = caller(), parse_id(tournament_id)
        skip_bad = query["skip_bad"]
        if query["dry_run"]:
            return _try(who, known, skip_bad=skip_bad)

        def work(tx: Transaction) -> dict[str, Any]:
            return _told(import_list(tx, who, known, read_list(_text()), skip_bad=skip_bad), dry_run=False)

        return answer_once(current_service(), who.account_id, ImportAnswer(), 201, work)


def _try(who: Caller, tournament_id: UUID | None, *, skip_bad: bool) -> Response:
    """Does everything, and takes it back."""
    try:
        with current_service().transaction() as tx:
            raise _OnlyTried(import_list(tx, who, tournament_id, read_list(_text()), skip_bad=skip_bad))
    except _OnlyTried as tried:
        body = ImportAnswer().dumps(_told(tried.report, dry_run=True))
        return Response(body, content_type="application/json")


def _told(report: ImportReport, *, dry_run: bool) -> dict[str, Any]:
    return {"dry_run": dry_run, "entered": report.entered, "bad": report.bad, "ignored": report.ignored}


def _text() -> str:
    body = request.get_data(cache=True)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = body[: wrong.start].count(b"\n") + 1
        raise ImportRefused("the list must be UTF-8", f"line {line}") from wrong
