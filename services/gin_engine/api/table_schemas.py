"""What casual tables look like in requests and answers."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from gin_engine.domain.match import Clock
from gin_engine.domain.table import BOT, GAMES, LINK, OPEN, REMATCH, SLOWEST_BOT_SECONDS, TABLE_STATES, Table, TableWish
from gin_messages.match import LONGEST_CLOCK_SECONDS

LONGEST_WAIT_HOURS = 7 * 24
LONGEST_BOT_NAME = 40
_BOT_NAME = {"type": "string", "minLength": 1, "maxLength": LONGEST_BOT_NAME}
_BOT_OBJECT = {
    "type": "object",
    "properties": {"bot": _BOT_NAME},
    "required": ["bot"],
    "additionalProperties": False,
}


class OpponentField(fields.Field[Any]):
    """Who takes the other seats: "open", "link", or {"bot": name}."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> tuple[str, str | None]:
        if value in (OPEN, LINK):
            return value, None
        if (
            isinstance(value, dict)
            and set(value) == {BOT}
            and isinstance(value[BOT], str)
            and 0 < len(value[BOT]) <= 40
        ):
            return BOT, value[BOT]
        raise ValidationError('Must be "open", "link", or {"bot": name}.')


class ClockSchema(Schema):
    """Time for each action, and a bank for all actions that take longer."""

    move_seconds = fields.Int(required=True, strict=True, validate=validate.Range(5, LONGEST_CLOCK_SECONDS))
    bank_seconds = fields.Int(required=True, strict=True, validate=validate.Range(0, LONGEST_CLOCK_SECONDS))


class EntropySchema(Schema):
    """A player's own part in the deals: what nobody else chose."""

    entropy = fields.Str(
        required=True,
        validate=validate.Regexp(r"^(?:[0-9a-fA-F]{2}){16,64}\Z", error="Must be 16 to 64 bytes in hex."),
    )


class TableWishSchema(Schema):
    """A table as its host wants it. `rules` may name a preset and the fields that differ from it."""

    game = fields.Str(load_default="rummy", validate=validate.OneOf(sorted(GAMES)))
    rules = fields.Dict(keys=fields.Str(), load_default=dict)
    seats = fields.Int(load_default=2, strict=True, validate=validate.Range(2, 4))
    opponent = OpponentField(required=True, metadata={"anyOf": [_BOT_OBJECT, {"type": "string", "enum": [OPEN, LINK]}]})
    clock = fields.Nested(ClockSchema, load_default=None, allow_none=True)
    bot_pace_seconds = fields.Float(load_default=0.0, validate=validate.Range(0, SLOWEST_BOT_SECONDS))
    rated = fields.Bool(load_default=False, truthy={True}, falsy={False})
    advice = fields.Bool(load_default=None, allow_none=True, truthy={True}, falsy={False})
    wait_hours = fields.Int(load_default=24, strict=True, validate=validate.Range(1, LONGEST_WAIT_HOURS))


def wish_of(body: dict[str, Any]) -> TableWish:
    """What the host asks for, from what TableWishSchema read."""
    opponent, bot = body.pop("opponent")
    clock = body.pop("clock")
    in_ms = clock and Clock(1000 * clock["move_seconds"], 1000 * clock["bank_seconds"])
    return TableWish(**body, opponent=opponent, bot=bot, clock=in_ms)


class JoinSchema(Schema):
    """Sitting down: with the secret of the link where the table has one, and perhaps with entropy of one's own."""

    invitation = fields.Str(load_default=None, allow_none=True, validate=validate.Length(1, 100))
    entropy = fields.Str(
        load_default="", validate=validate.Regexp(r"^(?:(?:[0-9a-fA-F]{2}){16,64})?\Z", error="Must be hex.")
    )


class TablesQuerySchema(Schema):
    """Which tables, and the place in the list."""

    state = fields.Str(load_default="waiting", validate=validate.Equal("waiting"))
    cursor = fields.Str(validate=validate.Length(1, 400), metadata={"description": "next_cursor of the page before."})
    limit = fields.Int(load_default=50, validate=validate.Range(1, 200))


class _HostSchema(Schema):
    player_id = fields.Str(required=True)
    name = fields.Str(required=True)


class _TablePlayerSchema(Schema):
    seat = fields.Int(required=True)
    player_id = fields.Str(required=True)
    name = fields.Str(required=True)
    bot = fields.Str(required=True, allow_none=True)
    entropy = fields.Str(required=True, metadata={"description": "The player's part in the deals, in hex."})


class TableSchema(Schema):
    """A table. `invitation` is there for the host alone; `match_id` once the match has begun."""

    table_id = fields.Str(required=True)
    state = fields.Str(required=True, validate=validate.OneOf(TABLE_STATES))
    match_id = fields.Str(required=True, allow_none=True)
    game = fields.Str(required=True)
    rules = fields.Dict(keys=fields.Str(), required=True)
    seats = fields.Int(required=True)
    opponent = fields.Raw(
        required=True, metadata={"anyOf": [_BOT_OBJECT, {"type": "string", "enum": [OPEN, LINK, REMATCH]}]}
    )
    clock = fields.Nested(ClockSchema, required=True, allow_none=True)
    bot_pace_seconds = fields.Float(required=True)
    rated = fields.Bool(required=True)
    advice = fields.Bool(required=True)
    commitment = fields.Str(required=True, metadata={"description": "SHA-256 of salt and seed of the deals to come."})
    invitation = fields.Str(required=True, allow_none=True)
    rematch_of = fields.Str(required=True, allow_none=True)
    host = fields.Nested(_HostSchema, required=True)
    players = fields.List(fields.Nested(_TablePlayerSchema), required=True)
    opened_at = fields.AwareDateTime(format="iso", required=True)
    expires_at = fields.AwareDateTime(format="iso", required=True)


class TablePageSchema(Schema):
    """One page of open tables, the newest first; `next_cursor` is null on the last one."""

    tables = fields.List(fields.Nested(TableSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


def table_json(table: Table, reader_id: str | None) -> dict[str, Any]:
    """A table as `reader_id` (None: anybody) may see it."""
    return {
        "table_id": table.table_id,
        "state": table.state,
        "match_id": table.match_id,
        "game": table.game,
        "rules": table.rules,
        "seats": table.seats,
        "opponent": {BOT: table.bot} if table.opponent == BOT else table.opponent,
        "clock": table.clock
        and {"move_seconds": table.clock.move_ms // 1000, "bank_seconds": table.clock.bank_ms // 1000},
        "bot_pace_seconds": table.bot_pace_seconds,
        "rated": table.rated,
        "advice": table.advice,
        "commitment": table.commitment,
        "invitation": table.invitation if reader_id == table.host_id else None,
        "rematch_of": table.rematch_of,
        "host": {"player_id": table.host.player_id, "name": table.host.player_name},
        "players": [
            {
                "seat": player.seat,
                "player_id": player.player_id,
                "name": player.player_name,
                "bot": player.bot,
                "entropy": player.entropy.hex(),
            }
            for player in table.players
        ],
        "opened_at": table.opened_at,
        "expires_at": table.expires_at,
    }
