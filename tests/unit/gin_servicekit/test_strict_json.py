"""JSON that means one thing only."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gin_servicekit.strict_json import DEEPEST, StrictJsonError, loads

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_ordinary_json_is_read_as_it_was_written(value: Any) -> None:
    assert loads(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('{"a": 1, "a": 2}', "twice"),
        ("[NaN]", "NaN"),
        ("[-Infinity]", "Infinity"),
        ('["\\u0000"]', "NUL"),
        ('{"\\u0000": 1}', "NUL"),
        ('["\\ud800"]', "surrogate"),
        ("[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), "deeper"),
        ("[" * 100_000 + "]" * 100_000, "deeper"),
        ("1" * 5000, "digits"),
        ("", "Expecting value"),
        ("{} {}", "Extra data"),
    ],
)
def test_what_is_ambiguous_or_cannot_be_stored_is_refused_with_a_reason(body: str, reason: str) -> None:
    with pytest.raises(StrictJsonError, match=reason):
        loads(body)


def test_the_deepest_nesting_is_accepted() -> None:
    loads("[" * DEEPEST + "]" * DEEPEST)
