"""Bodies are kept by ETag, within a bound."""

from __future__ import annotations

from gin_lobby.api.kept_bodies import KeptBodies


def never() -> str:
    raise AssertionError("it is kept")


def test_what_was_fetched_once_is_not_fetched_again() -> None:
    kept = KeptBodies()
    assert kept.get("a", lambda: "é") == "é".encode()
    assert kept.get("a", never) == "é".encode()


def test_those_not_asked_for_longest_make_room() -> None:
    kept = KeptBodies(most_bytes=10)
    for etag in ("a", "b"):
        kept.get(etag, lambda: "12345")
    kept.get("a", never)
    kept.get("c", lambda: "12345")
    kept.get("a", never)
    assert kept.get("b", lambda: "again") == b"again"


def test_a_body_larger_than_the_bound_is_served_and_not_kept() -> None:
    kept = KeptBodies(most_bytes=3)
    assert kept.get("a", lambda: "1234") == b"1234"
    assert kept.get("a", lambda: "1234") == b"1234"
    kept.get("b", lambda: "123")
    kept.get("b", never)
