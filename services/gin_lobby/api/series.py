"""`/api/v1/series`: tournaments that come again and again."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Response, jsonify, request
from flask.views import MethodView
from marshmallow import Schema, ValidationError, fields, validate

from gin_lobby.api.schemas import TournamentRequest, UtcTime, name_field, page_of
from gin_lobby.api.tournaments import IF_MATCH
from gin_lobby.domain.series import OccurrenceRow, Series
from gin_lobby.store import series as store
from gin_lobby.use_cases import series as use_cases
from gin_lobby.use_cases.series import SeriesPlan
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import parse_id
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once
from gin_servicekit.problems import InvalidField
from gin_tournament.recurrence import FoldPolicy, GapPolicy

blueprint = Blueprint("Series", __name__, url_prefix="/api/v1/series", description="Recurring tournaments")
_TOKEN: list[dict[str, list[str]]] = [{"token": []}]
LONGEST_LIST = timedelta(days=366)


class LocalTime(fields.NaiveDateTime):
    """A time on the clocks of a zone, without an offset."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> datetime:
        moment = super()._deserialize(value, attr, data, **options)
        if moment.tzinfo is not None or moment.microsecond:
            raise ValidationError("A local time in whole seconds, without an offset.")
        return moment


class TemplateSchema(TournamentRequest):
    """A tournament as it is created, but for its name and start, which the series gives."""

    class Meta:
        exclude = ("name", "starts_at")


class TemplateEditSchema(TemplateSchema):
    """Some of it."""


class SeriesRequest(Schema):
    name = name_field(required=True)
    rule = fields.Str(required=True, validate=validate.Length(1, 500), metadata={"example": "FREQ=WEEKLY;BYDAY=SU"})
    first_at = LocalTime(required=True, metadata={"description": "Local time of the zone, such as 2027-03-07T20:00:00"})
    zone = fields.Str(required=True, validate=validate.Length(1, 60), metadata={"example": "America/New_York"})
    gap = fields.Str(
        load_default=GapPolicy.AFTER.value,
        validate=validate.OneOf([policy.value for policy in GapPolicy]),
        metadata={"description": "What becomes of a local time that the clocks jump over"},
    )
    fold = fields.Str(
        load_default=FoldPolicy.FIRST.value,
        validate=validate.OneOf([policy.value for policy in FoldPolicy]),
        metadata={"description": "Which of two equal local times is meant"},
    )
    ahead_days = fields.Int(
        load_default=14,
        strict=True,
        validate=validate.Range(1, 366),
        metadata={"description": "So long before its start a tournament is made and registration opens"},
    )
    tournament = fields.Nested(TemplateSchema, load_default=lambda: TemplateSchema().load({}))


class SeriesEdit(SeriesRequest):
    """What is left out stays, in `tournament` too. It holds for tournaments that are not made yet."""

    tournament = fields.Nested(TemplateEditSchema(partial=True))


class SeriesAnswer(Schema):
    series_id = fields.UUID(required=True)
    organiser_id = fields.UUID(required=True)
    name = fields.Str(required=True)
    rule = fields.Str(required=True)
    first_at = fields.NaiveDateTime(required=True)
    zone = fields.Str(required=True)
    gap = fields.Str(required=True)
    fold = fields.Str(required=True)
    ahead_days = fields.Int(required=True)
    tournament = fields.Dict(required=True, attribute="template")
    state = fields.Str(required=True)
    created_at = fields.AwareDateTime(required=True)


class SeriesQuery(Schema):
    organiser_id = fields.UUID(load_default=None)
    cursor = fields.UUID(load_default=None)
    limit = fields.Int(load_default=50, validate=validate.Range(1, 200))


class OccurrencesQuery(Schema):
    since = UtcTime(load_default=None)
    until = UtcTime(load_default=None)


class OccurrenceAnswer(Schema):
    """`key` is the local time of the rule. `planned`: its tournament is not made yet."""

    key = fields.Str(required=True)
    starts_at = fields.AwareDateTime(required=True)
    state = fields.Str(required=True)
    tournament_id = fields.UUID(required=True, allow_none=True)
    tournament_state = fields.Str(required=True, allow_none=True)
    reason = fields.Str(required=True, allow_none=True)


class OccurrencesAnswer(Schema):
    occurrences = fields.List(fields.Nested(OccurrenceAnswer), required=True)


class SkipRequest(Schema):
    reason = name_field(500, required=True)


@blueprint.route("")
class ManySeries(MethodView):
    @blueprint.arguments(SeriesQuery, location="query")
    @blueprint.response(200, page_of(SeriesAnswer, "series"))
    def get(self, query: dict[str, Any]) -> dict[str, Any]:
        """All series, newest first"""
        with current_service().transaction() as tx:
            found = store.page(tx, query["organiser_id"], query["cursor"], query["limit"])
        full = len(found) == query["limit"]
        return {"series": [_shown(s) for s in found], "next_cursor": str(found[-1].series_id) if full else None}

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(SeriesRequest)
    @blueprint.response(201, SeriesAnswer)
    def post(self, body: dict[str, Any]) -> Response:
        """Create a series; you are its organiser. The tournaments of the days ahead are made at once"""
        who, plan = caller(), SeriesPlan(**body)
        return answer_once(
            current_service(),
            who.account_id,
            SeriesAnswer(),
            201,
            lambda tx: _shown(use_cases.create_series(tx, who, plan)),
        )


@blueprint.route("/<string:series_id>")
class OneSeries(MethodView):
    @blueprint.response(200, SeriesAnswer)
    @blueprint.alt_response(404, description="There is no such series")
    def get(self, series_id: str) -> Any:
        """One series; its `ETag` is what a change must name"""
        with current_service().transaction() as tx:
            series = use_cases.find_series(tx, series_id)
        return _tagged(series).make_conditional(request)

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=_TOKEN, parameters=[IF_MATCH])
    @blueprint.arguments(SeriesEdit(partial=True))
    @blueprint.response(200, SeriesAnswer)
    @blueprint.alt_response(409, description="The series has ended")
    @blueprint.alt_response(412, description="It was changed since you read it")
    @blueprint.alt_response(428, description="`If-Match` is missing")
    def patch(self, body: dict[str, Any], series_id: str) -> Any:
        """Change what is made from now on"""
        who, known = caller(), parse_id(series_id)
        with current_service().transaction() as tx:
            series = use_cases.edit_series(tx, who, known, body, request.headers.get("If-Match"))
        return _tagged(series)


@blueprint.route("/<string:series_id>/end")
class End(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, SeriesAnswer)
    @blueprint.alt_response(409, description="It has ended already")
    def post(self, series_id: str) -> Response:
        """Make no further tournaments; those that are made take place"""
        who, known = caller(), parse_id(series_id)
        return answer_once(
            current_service(),
            who.account_id,
            SeriesAnswer(),
            200,
            lambda tx: _shown(use_cases.end_series(tx, who, known)),
        )


@blueprint.route("/<string:series_id>/occurrences")
class Occurrences(MethodView):
    @blueprint.arguments(OccurrencesQuery, location="query")
    @blueprint.response(200, OccurrencesAnswer)
    @blueprint.alt_response(404, description="There is no such series")
    def get(self, query: dict[str, Any], series_id: str) -> dict[str, Any]:
        """When it took place and will, from `since` (now) to `until` (90 days later), at most 500"""
        with current_service().transaction() as tx:
            series = use_cases.find_series(tx, series_id)
            since = query["since"] or tx.now
            until = query["until"] or min(since, datetime.max.replace(tzinfo=UTC) - LONGEST_LIST) + timedelta(days=90)
            if not timedelta() <= until - since <= LONGEST_LIST:
                raise InvalidField(f"must lie behind `since`, by at most {LONGEST_LIST.days} days", "until")
            return {"occurrences": use_cases.list_occurrences(tx, series, since, until)}


@blueprint.route("/<string:series_id>/occurrences/<string:key>/skip")
class Skip(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(SkipRequest)
    @blueprint.response(200, OccurrenceAnswer)
    @blueprint.alt_response(409, description="It was skipped, missed or started")
    def post(self, body: dict[str, Any], series_id: str, key: str) -> Response:
        """Leave one occurrence out; a tournament that is made is cancelled"""
        who, known = caller(), parse_id(series_id)
        return answer_once(
            current_service(),
            who.account_id,
            OccurrenceAnswer(),
            200,
            lambda tx: use_cases.skip_occurrence(tx, who, known, key, body["reason"]),
        )

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, OccurrenceAnswer)
    @blueprint.alt_response(409, description="Its tournament was cancelled")
    def delete(self, series_id: str, key: str) -> OccurrenceRow:
        """Let an occurrence take place after all"""
        who, known = caller(), parse_id(series_id)
        with current_service().transaction() as tx:
            return use_cases.unskip_occurrence(tx, who, known, key)


def _shown(series: Series) -> dict[str, Any]:
    """Without what nobody else may know."""
    template = {name: value for name, value in series.template.items() if name != "invitation_code"}
    return {**asdict(series), "template": template}


def _tagged(series: Series) -> Response:
    response = jsonify(SeriesAnswer().dump(_shown(series)))
    response.set_etag(str(series.revision))
    return response
