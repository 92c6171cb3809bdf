"""Fixtures and results come back from JSON as they were."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import Deals, Fixture, Result
from gin_tournament.model import ByeKind, EntrantId, Outcome, Tally
from gin_tournament.storage import fixture_from_json, fixture_to_json, result_from_json, result_to_json

A, B = EntrantId("a"), EntrantId("b")


@pytest.mark.parametrize(
    "fixture",
    [
        Fixture("1.1", (A, B)),
        Fixture("R1M1", (A,), bye=ByeKind.REQUESTED_HALF),
        Fixture("S2A/R1M1", (A, B), 5, True, Outcome.FIRST_FORFEITS, None, Deals("round 1", 4, True), (3, 14)),
    ],
)
def test_fixture_comes_back(fixture: Fixture) -> None:
    assert fixture_from_json(json.loads(json.dumps(fixture_to_json(fixture)))) == fixture


@pytest.mark.parametrize(
    "result",
    [
        Result(),
        Result(Outcome.DRAW),
        Result(places=(1, 0, 2)),
        Result(Outcome.FIRST_WINS, (), (Tally(100, 4, 1), Tally(7))),
    ],
)
def test_result_comes_back(result: Result) -> None:
    assert result_from_json(json.loads(json.dumps(result_to_json(result)))) == result


def test_plain_pairing_says_only_what_it_must() -> None:
    assert fixture_to_json(Fixture("1.1", (A, B))) == {"slot": "1.1", "seats": ["a", "b"]}


@pytest.mark.parametrize("document", [{}, [], {"slot": "1"}, {"slot": "1", "seats": ["a"], "bye": "nap"}])
def test_what_is_no_fixture_is_refused(document: Any) -> None:
    with pytest.raises(InvalidHistoryError):
        fixture_from_json(document)


@pytest.mark.parametrize("document", [[], {"outcome": "luck"}, {"tallies": [{"luck": 3}]}, {"tallies": [3]}])
def test_what_is_no_result_is_refused(document: Any) -> None:
    with pytest.raises(InvalidHistoryError):
        result_from_json(document)
