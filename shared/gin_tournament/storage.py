"""Fixtures and results as JSON, for whoever keeps them.

What was written can always be read again: fields are only ever added, and what is missing has its default.
Fields that say nothing are left out, so that a plain pairing is {"slot": "1.1", "seats": ["a", "b"]}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import Deals, Fixture, Result
from gin_tournament.model import ByeKind, EntrantId, Outcome, Tally


def fixture_to_json(fixture: Fixture) -> dict[str, Any]:
    written: dict[str, Any] = {"slot": fixture.slot, "seats": list(fixture.seats)}
    if fixture.best_of != 1:
        written["best_of"] = fixture.best_of
    if fixture.must_decide:
        written["must_decide"] = True
    if fixture.settled is not None:
        written["settled"] = fixture.settled.value
    if fixture.bye is not None:
        written["bye"] = fixture.bye.value
    if fixture.deals is not None:
        written["deals"] = fixture.deals._asdict()
    if fixture.seeds:
        written["seeds"] = list(fixture.seeds)
    return written


def fixture_from_json(document: Mapping[str, Any]) -> Fixture:
    """Raises `InvalidHistoryError` for anything that `fixture_to_json` does not write."""
    try:
        settled, bye, deals = document.get("settled"), document.get("bye"), document.get("deals")
        return Fixture(
            document["slot"],
            tuple(EntrantId(seat) for seat in document["seats"]),
            document.get("best_of", 1),
            document.get("must_decide", False),
            None if settled is None else Outcome(settled),
            None if bye is None else ByeKind(bye),
            None if deals is None else Deals(**deals),
            tuple(document.get("seeds", ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise InvalidHistoryError(f"this is no fixture: {wrong}") from wrong


def result_to_json(result: Result) -> dict[str, Any]:
    written: dict[str, Any] = {}
    if result.outcome is not None:
        written["outcome"] = result.outcome.value
    if result.places:
        written["places"] = list(result.places)
    if result.tallies:
        written["tallies"] = [tally._asdict() for tally in result.tallies]
    if result.given_up:
        written["given_up"] = True
    return written


def result_from_json(document: Mapping[str, Any]) -> Result:
    """Raises `InvalidHistoryError` for anything that `result_to_json` does not write."""
    try:
        outcome = document.get("outcome")
        return Result(
            None if outcome is None else Outcome(outcome),
            tuple(document.get("places", ())),
            tuple(Tally(**tally) for tally in document.get("tallies", ())),
            document.get("given_up", False),
        )
    except (TypeError, ValueError, AttributeError) as wrong:
        raise InvalidHistoryError(f"this is no result: {wrong}") from wrong
