"""Every error of every API as RFC 9457 problem+json, in one place."""

from __future__ import annotations

import json
import threading
from typing import Any

import psycopg
import structlog
from flask import Flask, Response, request
from flask_smorest import Api, Blueprint
from marshmallow import Schema, fields
from psycopg_pool import PoolTimeout
from werkzeug.exceptions import HTTPException

from gin_servicekit.problems import Problem

log = structlog.get_logger()

RETRY_AFTER_SECONDS = 2
PROBLEM_JSON = "application/problem+json"
MOST_FAULTS = 50  # that one answer tells: a list of a hundred thousand wrong things is not answered with as many
_TYPE = "urn:ginhall:problem:"
_SLUGS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    422: "invalid-field",
}


class ProblemSchema(Schema):
    """RFC 9457. `type` is stable; `errors` lists each field at fault."""

    type = fields.Str(required=True)
    title = fields.Str(required=True)
    status = fields.Int(required=True)
    detail = fields.Str()
    errors = fields.List(
        fields.Nested(Schema.from_dict({"field": fields.Str(), "detail": fields.Str()}, name="FieldErrorSchema"))
    )


class ProblemApi(Api):
    """flask-smorest's Api, documenting and answering errors as problem+json.

    Its document is written when somebody first asks for it: that takes longer than all else that a process does before
    it answers, and most are never asked.
    """

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_RESPONSE_CONTENT_TYPE = "application/json"

    def __init__(self, app: Flask) -> None:
        self._options: dict[str, Any] | None = None
        self._undocumented: list[Blueprint] = []
        self._documenting = threading.Lock()
        super().__init__(app)

    def _init_spec(self, **options: Any) -> None:
        self._options = options

    def register_blueprint(self, blp: Blueprint, *, parameters: None = None, **options: Any) -> None:
        """`parameters` is not for this house: no blueprint has any in its prefix."""
        assert parameters is None
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blp.name] = self
        self._app.register_blueprint(blp, **options)
        self._undocumented.append(blp)

    def _openapi_json(self) -> Response:
        with self._documenting:
            self._write_document()
        answer: Response = super()._openapi_json()
        return answer

    def _write_document(self) -> None:
        if self._options is not None:
            super()._init_spec(**self._options)
            for blueprint in self._undocumented:
                blueprint.register_views_in_doc(self, self._app, self.spec, name=blueprint.name, parameters=None)
                self.spec.tag({"name": blueprint.name, "description": blueprint.description})
            self._options = None

    def _register_responses(self) -> None:
        # What the Api documents by itself are errors; the answers of the views keep the usual type.
        self.DEFAULT_RESPONSE_CONTENT_TYPE = PROBLEM_JSON
        super()._register_responses()
        del self.DEFAULT_RESPONSE_CONTENT_TYPE

    def handle_http_exception(self, error: HTTPException) -> Response:
        return _http_exception(error)


def problem_response(
    status: int, slug: str, title: str, detail: str | None = None, errors: list[dict[str, str]] | None = None
) -> Response:
    body: dict[str, Any] = {"type": _TYPE + slug, "title": title, "status": status}
    if detail:
        body["detail"] = detail
    if errors:
        body["errors"] = errors
    response = Response(json.dumps(body), status=status, content_type=PROBLEM_JSON)
    if status in (429, 503):
        response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def register(app: Flask) -> None:
    """Call after ProblemApi was made: these handlers stand beside its own for HTTPException."""
    app.register_error_handler(Problem, _problem)
    app.register_error_handler(psycopg.OperationalError, _database_away)
    app.register_error_handler(PoolTimeout, _database_away)
    app.register_error_handler(Exception, _unexpected)


def _problem(problem: Problem) -> Response:
    faults = problem.faults or ([(problem.field, problem.detail)] if problem.field else [])
    errors = [{"field": field, "detail": detail} for field, detail in faults]
    title = problem.slug.replace("-", " ").capitalize()
    return problem_response(problem.status, problem.slug, title, problem.detail, errors)


def _database_away(error: Exception) -> Response:
    log.warning("database_away", problem=str(error))
    return problem_response(503, "unavailable", "Unavailable", "The database is away for a moment; try again.")


def _unexpected(error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return _http_exception(error)
    # The route and not the address, which may hold a secret: of a link for a new password.
    route = request.url_rule.rule if request.url_rule else "unknown"
    log.exception("request_failed", method=request.method, route=route)
    return problem_response(500, "internal-error", "Internal error", "This is our fault. It has been logged.")


def _http_exception(error: HTTPException) -> Response:
    if error.code is None or error.code < 400:
        response = error.get_response()
        assert isinstance(response, Response)
        return response
    data: dict[str, Any] = getattr(error, "data", None) or {}
    errors = _field_errors(data.get("messages") or data.get("errors") or {})[:MOST_FAULTS]
    slug = _SLUGS.get(error.code, (error.name or "error").lower().replace(" ", "-"))
    detail = "; ".join(f"{e['field']}: {e['detail']}" for e in errors) or error.description
    response = problem_response(error.code, slug, error.name, detail, errors)
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


def _field_errors(messages: Any, path: str = "") -> list[dict[str, str]]:
    """webargs' nested messages, `{"json": {"rules": {"target": ["…"]}}}`, as a flat list of fields."""
    if isinstance(messages, dict):
        found = []
        for key, value in messages.items():
            skip = not path and key in ("json", "query", "path", "headers")
            inner = "" if skip else f"{path}.{key}" if path else str(key)
            found += _field_errors(value, inner or ("" if skip and isinstance(value, dict) else str(key)))
        return found
    if isinstance(messages, list):
        return [{"field": path or "body", "detail": str(text)} for text in messages]
    return [{"field": path or "body", "detail": str(messages)}]
