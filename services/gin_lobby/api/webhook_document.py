"""The part `webhooks` of the API's document: what receivers are sent, for people and generators of code."""

from __future__ import annotations

from typing import Any

from gin_lobby.domain.webhooks import EVENTS, EventType, Kind

_ID = {"type": "string", "format": "uuid"}
_FIELDS: dict[str, dict[str, Any]] = {
    "state": {"type": "string"},
    "round": {"type": "integer"},
    "seats": {"type": "array", "items": _ID},
    "slot": {"type": "string"},
    "pool": {"type": "string"},
    "deadline_at": {"type": ["string", "null"], "format": "date-time"},
}
# A correction of a whole encounter names no single match.
_WITHOUT_MATCH = {"match_id": {"type": ["string", "null"], "format": "uuid"}}
_HEADERS = [
    {"in": "header", "name": name, "required": True, "schema": schema, "description": about}
    for name, schema, about in (
        ("webhook-id", _ID, "Of the event: the same in every attempt"),
        ("webhook-timestamp", {"type": "integer"}, "Seconds since 1970 at this attempt"),
        ("webhook-signature", {"type": "string"}, "v1, and a signature; several have a blank between them"),
    )
]


def webhook_document() -> dict[str, Any]:
    """By type of event, as OpenAPI 3.1 has it."""
    return {kind.value: {"post": _operation(kind, EVENTS[kind])} for kind in EventType}


def _operation(event: EventType, kind: Kind) -> dict[str, Any]:
    special = _WITHOUT_MATCH if event is EventType.RESULT_CORRECTED else {}
    fields = {name: special.get(name, _FIELDS.get(name, _ID)) for name in kind.fields}
    urls = _object({name: {"type": "string", "format": "uri"} for name in kind.urls})
    body = _object(
        {
            "type": {"const": event.value},
            "timestamp": {"type": "string", "format": "date-time"},
            "data": _object({**fields, "urls": urls}),
        }
    )
    return {
        "tags": ["Webhooks"],
        "operationId": f"hear_{event.value.replace('.', '_')}",
        "summary": kind.about,
        "parameters": _HEADERS,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {
            "2XX": {"description": "It has arrived; anything else is tried again"},
            "410": {"description": "No more of this, please: the webhook is disabled"},
        },
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}
