"""/api/v1/tables: opening a casual table, sitting down at one, and leaving it."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from gin_engine.api.answers import answer_with_table
from gin_engine.api.cursors import cursor_after, read_cursor
from gin_engine.api.table_schemas import (
    EntropySchema,
    JoinSchema,
    TablePageSchema,
    TableSchema,
    TablesQuerySchema,
    TableWishSchema,
    table_json,
    wish_of,
)
from gin_engine.domain.table import Table
from gin_engine.use_cases.tables import (
    add_entropy,
    close_table,
    join_table,
    leave_table,
    list_open_tables,
    open_table,
    show_table,
)
from gin_servicekit.auth import Caller, Scope, requires, visitor
from gin_servicekit.database import Transaction
from gin_servicekit.http_app import Blueprint, current_service

blueprint = Blueprint("tables", __name__, url_prefix="/api/v1/tables", description="Casual tables")
_TOKEN: list[dict[str, list[str]]] = [{"token": []}]
_MAY_SIGN_IN: list[dict[str, list[str]]] = [{}, *_TOKEN]


@blueprint.route("")
class Tables(MethodView):
    @blueprint.arguments(TablesQuerySchema, location="query")
    @blueprint.response(200, TablePageSchema)
    def get(self, query: dict[str, Any]) -> dict[str, Any]:
        """Open tables at which somebody waits, the newest first."""
        after = read_cursor(query["cursor"]) if "cursor" in query else ""
        with current_service().transaction() as tx:
            found, more = list_open_tables(tx, after, query["limit"])
        return {
            "tables": [table_json(table, None) for table in found],
            "next_cursor": cursor_after(found[-1].table_id) if more else None,
        }

    @requires(Scope.PLAY)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(TableWishSchema)
    @blueprint.response(201, TableSchema)
    @blueprint.alt_response(403, description="A guest asks for a rated match.")
    @blueprint.alt_response(409, description="The caller waits at too many tables.")
    def post(self, body: dict[str, Any]) -> Response:
        """Open a table. Against a bot the match begins at once, else when the last seat is taken."""
        wish = wish_of(body)
        return answer_with_table(lambda tx, who: open_table(tx, who, wish), 201)


@blueprint.route("/<table_id>")
class OneTable(MethodView):
    @blueprint.doc(security=_MAY_SIGN_IN)
    @blueprint.response(200, TableSchema)
    @blueprint.alt_response(404, description="There is no such table.")
    def get(self, table_id: str) -> dict[str, Any]:
        """A table; its host sees the invitation besides."""
        who = visitor()
        with current_service().transaction() as tx:
            return table_json(show_table(tx, table_id), who.account_id if who else None)

    @requires(Scope.PLAY)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, TableSchema)
    @blueprint.alt_response(403, description="The caller is not its host.")
    @blueprint.alt_response(409, description="The match has begun, or the table is closed.")
    def delete(self, table_id: str) -> Response:
        """Close a table at which you wait as host."""
        return answer_with_table(lambda tx, who: close_table(tx, who, table_id))


@blueprint.route("/<table_id>/players")
class TablePlayers(MethodView):
    @requires(Scope.PLAY)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(JoinSchema)
    @blueprint.response(200, TableSchema)
    @blueprint.alt_response(403, description="The invitation is wrong, or a guest comes to a rated table.")
    @blueprint.alt_response(409, description="Every seat is taken, or nobody waits there any more.")
    def post(self, body: dict[str, Any], table_id: str) -> Response:
        """Sit down. The last seat taken starts the match; who sits down at a rated table agrees to that."""
        entropy = bytes.fromhex(body["entropy"])
        return answer_with_table(lambda tx, who: join_table(tx, who, table_id, body["invitation"], entropy))

    @requires(Scope.PLAY)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, TableSchema)
    @blueprint.alt_response(403, description="The caller does not sit there, or is the host.")
    @blueprint.alt_response(409, description="The match has begun, or the table is closed.")
    def delete(self, table_id: str) -> Response:
        """Get up from a table whose match has not begun."""
        return answer_with_table(lambda tx, who: leave_table(tx, who, table_id))


@blueprint.route("/<table_id>/entropy")
class TableEntropy(MethodView):
    @requires(Scope.PLAY)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(EntropySchema)
    @blueprint.response(200, TableSchema)
    @blueprint.alt_response(403, description="The caller does not sit there.")
    @blueprint.alt_response(409, description="The cards are dealt already: entropy counts before the deal alone.")
    def post(self, body: dict[str, Any], table_id: str) -> Response:
        """Add your own entropy to the deals to come, whose seed is committed to already."""
        entropy = bytes.fromhex(body["entropy"])

        def work(tx: Transaction, who: Caller) -> Table:
            add_entropy(tx, who, table_id, entropy)
            return show_table(tx, table_id)

        return answer_with_table(work)
