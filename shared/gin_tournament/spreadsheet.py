"""Tables as CSV (RFC 4180): lines end with CR LF, and what holds a comma, a quote or a line break is quoted.

Spreadsheets run a text that begins like a formula. Such texts get an apostrophe in front, which they show as text;
numbers stay numbers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

Value = str | int | float | bool | None
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

_UNSEEN = " \u00a0\u200b\u2060\ufeff"  # what a program may drop before it looks for a formula


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """The table with its header. None is an empty cell; truth is written `true` and `false`."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\r\n")
    writer.writerow([_cell(name) for name in header])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return sheet.getvalue()


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    return "'" + value if value.lstrip(_UNSEEN).startswith(_FORMULA) else value
