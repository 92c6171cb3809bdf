"""The short way of reading an action and ActionSchema, which documents it, never differ."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask, request
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.exceptions import HTTPException

from gin_engine.api.action_bodies import read_action
from gin_engine.api.schemas import LARGEST_INTEGER, ActionSchema
from gin_servicekit.http_app import Blueprint

APP = Flask(__name__)
ACTIONS = st.one_of(
    st.sampled_from(
        ["draw", "discard 7c", "knock 7c 4c5c6c", "", 'a"b', "a\\b", "\t", "\x7f", "é", "x" * 300, "x" * 301]
    ),
    st.text(max_size=20),
    st.none(),
    st.integers(),
)
COUNTS = st.one_of(
    st.integers(-2, 1000),
    st.sampled_from([10**8, 10**9 - 1, 10**9, LARGEST_INTEGER, LARGEST_INTEGER + 1, True, 1.0, 1.5, "1", None, []]),
)


def read(body: bytes, content_type: str, by_schema: bool) -> Any:
    """What is read, or the status and messages of the refusal."""
    with APP.test_request_context(method="POST", data=body, content_type=content_type):
        try:
            if not by_schema:
                return read_action()._asdict()
            return Blueprint.ARGUMENTS_PARSER.parse(ActionSchema(), request, location="json")
        except HTTPException as refused:
            return refused.code, getattr(refused, "data", {}).get("messages")


def same_both_ways(body: bytes, content_type: str = "application/json") -> Any:
    found = read(body, content_type, by_schema=False)
    assert found == read(body, content_type, by_schema=True)
    return found


@given(ACTIONS, COUNTS, st.booleans(), st.booleans(), st.sampled_from([None, 1]))
def test_whatever_the_fields_hold(action: Any, count: Any, turned: bool, ascii_only: bool, indent: int | None) -> None:
    fields = {"action": action, "action_count": count}
    if turned:
        fields = dict(reversed(fields.items()))
    same_both_ways(json.dumps(fields, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b'{"action": "draw"}',
        b'{"action_count": 1}',
        b'{"action": "draw", "action_count": 01}',
        b'{"action": "draw", "action_count": -0}',
        b'{"action": "draw", "action_count": 1, "action_count": 2}',
        b'{"action": "draw", "action": "pass", "action_count": 1}',
        b'{"action": "draw", "action_count": 1, "more": 1}',
        b'{"action": "draw", "action_count": 1}x',
        b'{"action": "draw", "action_count": 1} {}',
        b'\xef\xbb\xbf{"action": "draw", "action_count": 1}',
        b'{"action": "dr\xffaw", "action_count": 1}',
        b'\x0b{"action": "draw", "action_count": 1}',
        b'{"action": "dr\naw", "action_count": 1}',
    ],
)
def test_odd_bodies(body: bytes) -> None:
    same_both_ways(body)


@pytest.mark.parametrize("content_type", ["text/plain", "", "application/json; charset=utf-8", "application/x+json"])
def test_other_content_types(content_type: str) -> None:
    same_both_ways(b'{"action": "draw", "action_count": 1}', content_type)


@pytest.mark.parametrize(
    "body", [b'{"action":"discard 7c","action_count":12}', b' { "action" : "pass", "action_count": 0 }\n']
)
def test_a_plain_body_is_read(body: bytes) -> None:
    assert same_both_ways(body) == json.loads(body)
