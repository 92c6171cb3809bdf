"""Canonical JSON (RFC 8785): one value, one sequence of bytes, whoever writes it.

Covers what ledger entries hold: objects with ASCII keys, arrays, text, whole numbers and finite doubles.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

_JSON = json.JSONEncoder(ensure_ascii=False)


def canonical_json(value: Any) -> bytes:
    """UTF-8, keys sorted, no blanks, numbers as ECMAScript writes them (1500, not 1500.0)."""
    return _text(value).encode("utf-8")


def _text(value: Any) -> str:
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_text(key)}:{_text(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_text, value)) + "]"
    return _JSON.encode(value)


def _number(value: float) -> str:
    if value == 0:
        return "0"  # also for −0, as ECMAScript has it
    shortest = repr(value)
    if "e" not in shortest:
        return shortest.removesuffix(".0")
    if 1e-6 <= abs(value) < 1e21:
        return format(Decimal(shortest), "f")
    digits, exponent = shortest.split("e")
    return f"{digits.removesuffix('.0')}e{int(exponent):+d}"
