"""Event ids: they hold the place in every topic, and no other."""

import pytest

from gin_live.places import BEGINNING, Bookmark, NotABookmark, Place, event_id, read_event_id

EPOCH = b"\x00\xff\x10\x20"
TOPICS = ("table:1", "tables")


def test_an_id_brings_back_every_place() -> None:
    places = (Place(1_796_028_000_123, 7), BEGINNING)
    text = event_id(EPOCH, TOPICS, 1_796_028_000.9, places)
    assert read_event_id(text, TOPICS) == Bookmark(EPOCH, 1_796_028_000, places)


def test_an_id_is_short_and_fits_a_header() -> None:
    text = event_id(EPOCH, ("a",), 1_796_028_000, (Place(2**47, 0xFFFF),))
    assert len(text) < 32
    assert text.isascii()
    assert not set(text) & set(" \r\n=,;")


def test_an_id_of_other_topics_resumes_nothing() -> None:
    assert read_event_id(event_id(EPOCH, TOPICS, 1, (BEGINNING, BEGINNING)), ("table:1", "table:2")) is None


def test_a_crowded_millisecond_is_told_again_rather_than_skipped() -> None:
    text = event_id(EPOCH, ("a",), 1, (Place(5, 70_000),))
    bookmark = read_event_id(text, ("a",))
    assert bookmark is not None
    assert bookmark.places == (Place(5, 65_535),)


@pytest.mark.parametrize("text", ["", "x", "not an id", "é", "AAAA", "=", "*" * 40])
def test_what_was_never_an_id_is_refused(text: str) -> None:
    with pytest.raises(NotABookmark):
        read_event_id(text, TOPICS)


def test_a_shortened_id_is_refused() -> None:
    text = event_id(EPOCH, TOPICS, 1, (BEGINNING, BEGINNING))
    with pytest.raises(NotABookmark):
        read_event_id(text[:-8], TOPICS)


def test_places_are_those_of_redis() -> None:
    assert Place.of(b"1796028000123-4") == Place(1_796_028_000_123, 4)
    assert str(Place(1_796_028_000_123, 4)) == "1796028000123-4"
    assert Place(5, 10) > Place(5, 9) > BEGINNING
