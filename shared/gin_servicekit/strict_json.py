"""Reading a request body as JSON that means one thing only, and that Postgres can store.

Python's parser accepts more than JSON: NaN, a key twice, NUL and lone surrogates in strings, nesting without end.
Each of these is refused here with a reason, before any schema sees it.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

import flask
from webargs import core
from webargs.flaskparser import FlaskParser, abort, is_json_request

DEEPEST = 32


class StrictJsonError(ValueError):
    """The text says what is wrong with the JSON."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise StrictJsonError(f"the key {key!r} stands twice in one object")
        result[key] = value
    return result


def _no_constant(name: str) -> NoReturn:
    raise StrictJsonError(f"{name} is not JSON")


def _check(value: Any, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise StrictJsonError(f"nested deeper than {DEEPEST} levels")
    if isinstance(value, str):
        if "\x00" in value:
            raise StrictJsonError("a text contains NUL")
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise StrictJsonError("a text contains half of a surrogate pair")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check(key, depth)
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth + 1)


def loads(text: str) -> Any:
    """Raises StrictJsonError for what is not JSON or not acceptable here."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except StrictJsonError:
        raise
    except RecursionError:
        raise StrictJsonError(f"nested deeper than {DEEPEST} levels") from None
    except ValueError as problem:  # also an integer of thousands of digits
        raise StrictJsonError(str(problem)) from None
    _check(value)
    return value


class StrictJsonParser(FlaskParser):
    """webargs' parser for Flask, reading bodies with `loads`."""

    def _raw_load_json(self, req: flask.Request) -> Any:
        if not is_json_request(req):
            return core.missing
        body = req.get_data(cache=True)
        if not body:
            return core.missing
        try:
            return loads(body.decode("utf-8"))
        except UnicodeDecodeError:
            abort(400, messages={"json": ["The body is not UTF-8."]})
        except StrictJsonError as problem:
            abort(400, messages={"json": [f"Not acceptable as JSON: {problem}."]})
