"""Where a listener stands in its streams, and the event id that says so.

An id holds the place in every topic of the connection, so that coming back with the last one resumes all of them. It
is opaque to clients: base64url of version, epoch of Redis, a check of the topics, when it was given, and 8 bytes for
each topic.
"""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

_VERSION = 1
_HEAD = struct.Struct(">B4sII")
_PLACE = struct.Struct(">Q")
_LARGEST_NUMBER = 0xFFFF  # of entries within a millisecond; beyond it some are told again


class Place(NamedTuple):
    """The id of an entry of a stream: all entries up to it are known."""

    milliseconds: int
    number: int

    @classmethod
    def of(cls, entry_id: bytes) -> Place:
        milliseconds, _, number = entry_id.partition(b"-")
        return cls(int(milliseconds), int(number))

    def __str__(self) -> str:
        return f"{self.milliseconds}-{self.number}"


BEGINNING = Place(0, 0)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """What an event id says. `epoch` is that of the Redis which held the streams; `issued_at` in Unix seconds."""

    epoch: bytes
    issued_at: int
    places: tuple[Place, ...]


class NotABookmark(ValueError):
    """The text was never an event id of this service."""


def event_id(epoch: bytes, topics: Sequence[str], issued_at: float, places: Sequence[Place]) -> str:
    """The id of the event after which a listener to `topics` stands at `places`. `epoch` has 4 bytes."""
    packed = _HEAD.pack(_VERSION, epoch, _check(topics), int(issued_at)) + b"".join(
        _PLACE.pack(place.milliseconds << 16 | min(place.number, _LARGEST_NUMBER)) for place in places
    )
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def read_event_id(text: str, topics: Sequence[str]) -> Bookmark | None:
    """The reverse of `event_id`; None for an id of other topics or of another version: nothing can be resumed.

    Raises NotABookmark.
    """
    try:
        packed = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        version, epoch, check, issued_at = _HEAD.unpack_from(packed)
    except (binascii.Error, ValueError, struct.error):
        raise NotABookmark(text) from None
    if version != _VERSION or check != _check(topics):
        return None
    if len(packed) != _HEAD.size + _PLACE.size * len(topics):
        raise NotABookmark(text)
    numbers = [number for (number,) in _PLACE.iter_unpack(packed[_HEAD.size :])]
    return Bookmark(epoch, issued_at, tuple(Place(number >> 16, number & _LARGEST_NUMBER) for number in numbers))


def _check(topics: Sequence[str]) -> int:
    return zlib.crc32(" ".join(topics).encode())
