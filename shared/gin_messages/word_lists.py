"""Messages about word lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from marshmallow import Schema, fields, validate

from gin_messages.envelope import Message, body_schema


@dataclass(frozen=True, slots=True)
class WordListAdded(Message):
    """An organiser brought a word list. It never changes, and its name never means other words.

    `words` is the canonical list, one word a line and sorted, of which `sha256` is the SHA-256 in hex.
    """

    name: ClassVar[str] = "word_list_added"
    schema: ClassVar[Schema]

    list_name: str
    sha256: str
    words: str
    added_by: str


WordListAdded.schema = body_schema(
    WordListAdded,
    list_name=fields.Str(required=True),
    sha256=fields.Str(required=True, validate=validate.Regexp(r"[0-9a-f]{64}\Z")),
    words=fields.Str(required=True),
    added_by=fields.Str(required=True),
)
