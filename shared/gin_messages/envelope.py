"""What travels between services: a message in its envelope, as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, NewType
from uuid import UUID

from marshmallow import Schema, ValidationError, fields, post_dump, post_load

MessageId = NewType("MessageId", UUID)


class Message:
    """Base of every message body. A subclass is a frozen dataclass and names its schema.

    `name` and `version` are part of the contract: a change that an old consumer could not read gets a new
    version, and the old one stays until no queue or outbox can hold it any more.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    schema: ClassVar[Schema]


@dataclass(frozen=True, slots=True)
class Envelope:
    """One message on its way. `correlation_id` follows a piece of work through all services and logs."""

    id: MessageId
    occurred_at: datetime
    correlation_id: str
    body: Message


class UnreadableMessage(Exception):
    """The JSON is not a message of this contract; the text says which part is wrong."""


def body_schema(body_type: type[Message], **body_fields: fields.Field[Any]) -> Schema:
    """A schema that refuses unknown fields and loads straight into `body_type`.

    An optional field without a value is not written: who does not know it yet can still read the message.
    """

    def make(_schema: Schema, data: dict[str, Any], **_: Any) -> Message:
        return body_type(**data)

    def leave_out(_schema: Schema, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None or body_fields[name].required}

    members: dict[str, Any] = {**body_fields, "make": post_load(make), "leave_out": post_dump(leave_out)}
    schema_type: type[Schema] = type(f"{body_type.__name__}Schema", (Schema,), members)
    return schema_type()


def encode(envelope: Envelope) -> dict[str, Any]:
    """The envelope as a JSON object, without its name and version: those choose the task that receives it."""
    return {
        "id": str(envelope.id),
        "occurred_at": envelope.occurred_at.isoformat(),
        "correlation_id": envelope.correlation_id,
        "body": envelope.body.schema.dump(envelope.body),
    }


def decode(message_type: type[Message], payload: Mapping[str, Any]) -> Envelope:
    """The reverse of `encode`.

    Raises UnreadableMessage when the payload is not such an envelope.
    """
    try:
        body = message_type.schema.load(payload["body"])
        assert isinstance(body, Message)
        return Envelope(
            id=MessageId(UUID(payload["id"])),
            occurred_at=datetime.fromisoformat(payload["occurred_at"]),
            correlation_id=str(payload["correlation_id"]),
            body=body,
        )
    except (ValidationError, KeyError, TypeError, ValueError) as problem:
        raise UnreadableMessage(f"{message_type.name} v{message_type.version}: {problem}") from problem
