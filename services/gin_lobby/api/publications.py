"""What is published of a tournament, for programs, spreadsheets, printers and other people's pages.

The ending of the address says in what form: none is JSON, then `.csv`, `.html`, `.svg` and `.trf`. Everybody may
read all of it, pages of other hosts too. Every answer has a strong ETag and is to be asked for again with it.
"""

from __future__ import annotations

from typing import Any

from flask import Response, json, render_template
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from gin_lobby.api.schemas import RoundQuery
from gin_lobby.domain.problems import NotInReport
from gin_lobby.store import rounds as store
from gin_lobby.use_cases import publications
from gin_lobby.use_cases.publications import Publication, publication
from gin_lobby.use_cases.tournaments import find
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.problems import NotFound
from gin_tournament.bracket_drawing import draw_bracket
from gin_tournament.cross_table import cross_tables
from gin_tournament.cross_table_drawing import draw_cross_tables
from gin_tournament.trf import NotInTrfError

TEXT = {"type": "string"}
CSV = "text/csv; charset=utf-8; header=present"
HTML = "text/html; charset=utf-8"
SVG = "image/svg+xml"
TRF = "text/plain; charset=us-ascii"
_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # opened on its own, a drawing may do nothing


class MeetingAnswer(Schema):
    """`result` is win, draw, loss, forfeit_win, forfeit_loss, void, bye, half_bye, zero_bye, place, or null."""

    round = fields.Int(required=True)
    opponents = fields.List(fields.Str(), required=True)
    result = fields.Str(required=True, allow_none=True)
    place = fields.Int(required=True, allow_none=True)
    deals_first = fields.Bool(required=True)
    text = fields.Str(required=True)


class CrossTableRowAnswer(Schema):
    rank = fields.Int(required=True)
    player_id = fields.Str(required=True)
    name = fields.Str(required=True)
    points = fields.Float(required=True)
    cells = fields.List(fields.List(fields.Nested(MeetingAnswer())), required=True)


class CrossTableAnswer(Schema):
    """`layout` everybody: `columns` are player ids; layout rounds: they are numbers of rounds."""

    stage = fields.Int(required=True)
    group = fields.Str(required=True)
    layout = fields.Str(required=True, validate=validate.OneOf(("everybody", "rounds")))
    columns = fields.List(fields.Raw(), required=True)
    rows = fields.List(fields.Nested(CrossTableRowAnswer()), required=True)


class CrossTablesAnswer(Schema):
    tournament_id = fields.Str(required=True)
    round = fields.Int(required=True)
    tables = fields.List(fields.Nested(CrossTableAnswer()), required=True)


class SideAnswer(Schema):
    """`origin` says where somebody comes from who is not known yet."""

    player_id = fields.Str(required=True, allow_none=True)
    name = fields.Str(required=True, allow_none=True)
    seed = fields.Int(required=True, allow_none=True)
    origin = fields.Str(required=True)
    score = fields.Str(required=True)
    won = fields.Bool(required=True)


class BracketMatchAnswer(Schema):
    """`state` is to_come, playing, or how it ended; `feeders` are the slots whose winners come here."""

    slot = fields.Str(required=True)
    section = fields.Str(required=True)
    round = fields.Int(required=True)
    title = fields.Str(required=True)
    state = fields.Str(required=True)
    sides = fields.List(fields.Nested(SideAnswer()), required=True)
    feeders = fields.List(fields.Str(), required=True)


class BracketAnswer(Schema):
    title = fields.Str(required=True)
    format = fields.Str(required=True)
    field_size = fields.Int(required=True)
    champion_id = fields.Str(required=True, allow_none=True)
    matches = fields.List(fields.Nested(BracketMatchAnswer()), required=True)


class BracketsAnswer(Schema):
    tournament_id = fields.Str(required=True)
    round = fields.Int(required=True)
    brackets = fields.List(fields.Nested(BracketAnswer()), required=True)


class PaperQuery(RoundQuery):
    paper = fields.Str(load_default="a4", validate=validate.OneOf(("a4", "letter")))


blueprint = Blueprint(
    "Publications", __name__, url_prefix="/api/v1/tournaments", description="Tables and drawings to be shown anywhere"
)


@blueprint.route("/<string:tournament_id>/standings.csv")
class StandingsCsv(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, TEXT, content_type="text/csv")
    @blueprint.alt_response(304, description="You have them already (If-None-Match)")
    @blueprint.alt_response(404, description="No such tournament, or it has not reached this round")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """The standings as a table for spreadsheets"""
        return _answer(publications.standings_table(_standings(tournament_id, query["round"])[1]), CSV)


@blueprint.route("/<string:tournament_id>/standings.html")
class StandingsHtml(MethodView):
    @blueprint.arguments(PaperQuery, location="query")
    @blueprint.response(200, TEXT, content_type="text/html")
    @blueprint.alt_response(304, description="You have them already (If-None-Match)")
    @blueprint.alt_response(404, description="No such tournament, or it has not reached this round")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """The standings as a plain table for printing, on A4 or Letter"""
        tournament, body = _standings(tournament_id, query["round"])
        page = render_template("printed_standings.html", t=tournament, s=json.loads(body), paper=query["paper"])
        return _answer(page, HTML)


@blueprint.route("/<string:tournament_id>/pairings.csv")
class PairingsCsv(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, TEXT, content_type="text/csv")
    @blueprint.alt_response(304, description="You have them already (If-None-Match)")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """Who meets whom, with results, as a table for spreadsheets: of one round or of all"""
        return _answer(publications.pairings_table(_read(tournament_id, query["round"]), query["round"]), CSV)


@blueprint.route("/<string:tournament_id>/cross-table")
class CrossTableJson(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, CrossTablesAnswer)
    @blueprint.alt_response(304, description="You have it already (If-None-Match)")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """Everybody's results at a glance, now or as of a round"""
        document = publications.cross_table_document(_read(tournament_id, query["round"]))
        return _answer(json.dumps(document), "application/json")


@blueprint.route("/<string:tournament_id>/cross-table.csv")
class CrossTableCsv(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, TEXT, content_type="text/csv")
    @blueprint.alt_response(304, description="You have it already (If-None-Match)")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """The cross table for spreadsheets"""
        return _answer(publications.cross_table_table(_read(tournament_id, query["round"])), CSV)


@blueprint.route("/<string:tournament_id>/cross-table.svg")
class CrossTableSvg(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, TEXT, content_type=SVG)
    @blueprint.alt_response(304, description="You have it already (If-None-Match)")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """The cross table as a drawing for any page; of the first 256"""
        published = _read(tournament_id, query["round"])
        tables = cross_tables(published.tournament.played_as, published.situation)
        return _answer(draw_cross_tables(tables, published.names, published.tournament.name), SVG)


@blueprint.route("/<string:tournament_id>/bracket")
class BracketJson(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, BracketsAnswer)
    @blueprint.alt_response(304, description="You have it already (If-None-Match)")
    @blueprint.alt_response(404, description="No such tournament, or it has no bracket")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """Every knockout of the tournament, now or as of a round"""
        document = publications.bracket_document(_read(tournament_id, query["round"]))
        return _answer(json.dumps(document), "application/json")


@blueprint.route("/<string:tournament_id>/bracket.svg")
class BracketSvg(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, TEXT, content_type=SVG)
    @blueprint.alt_response(304, description="You have it already (If-None-Match)")
    @blueprint.alt_response(404, description="No such tournament, or it has no bracket")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """The bracket as a drawing for any page"""
        published = _read(tournament_id, query["round"])
        views = publications.brackets(published)
        return _answer(draw_bracket(views, published.names, published.tournament.name), SVG)


@blueprint.route("/<string:tournament_id>/report.trf")
class ReportTrf(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, TEXT, content_type="text/plain")
    @blueprint.alt_response(304, description="You have it already (If-None-Match)")
    @blueprint.alt_response(409, description="A report cannot hold this tournament; the text says why")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """The tournament as TRF26, for pairing programs of chess federations: Swiss and round robin"""
        try:
            return _answer(publications.report(_read(tournament_id, query["round"])), TRF)
        except NotInTrfError as wrong:
            raise NotInReport(str(wrong)) from wrong


def _read(tournament_id: str, number: int | None) -> Publication:
    with current_service().transaction() as tx:
        return publication(tx, tournament_id, number)


def _standings(tournament_id: str, number: int | None) -> tuple[Any, str]:
    with current_service().transaction() as tx:
        tournament = find(tx, tournament_id)
        published = store.standings(tx, tournament.tournament_id, number)
    if published is None:
        raise NotFound("there are no standings yet" if number is None else "no such round yet")
    return tournament, published.body


def _answer(body: str, content_type: str) -> Response:
    response = Response(body, content_type=content_type)
    if content_type == SVG:
        response.headers["Content-Security-Policy"] = _SVG_POLICY
    return shown_anywhere(response)


def shown_anywhere(response: Response) -> Response:
    """Lets pages of other hosts read and show it: it is public, and no cookie has a part in it."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = "ETag"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.headers["Cache-Control"] = "public, no-cache"
    return response
