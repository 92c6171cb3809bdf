"""Cursors of pages."""

from __future__ import annotations

import base64
import binascii

from gin_servicekit.problems import InvalidField


def cursor_after(last_id: str) -> str:
    """The cursor of the page that begins behind this id."""
    return base64.urlsafe_b64encode(last_id.encode()).decode()


def read_cursor(text: str) -> str:
    """The id in a cursor. Raises InvalidField for one that we did not make."""
    try:
        last_id = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        raise InvalidField("not a cursor of ours", "cursor") from None
    if "\x00" in last_id:
        raise InvalidField("not a cursor of ours", "cursor")
    return last_id
