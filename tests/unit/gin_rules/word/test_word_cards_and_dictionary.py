"""Decks, dictionaries and the lists that organisers bring (source 000, rules 3 and 9)."""

from __future__ import annotations

import gzip
import hashlib
import runpy
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest

from gin_rules.word import dictionary as dictionaries
from gin_rules.word.cards import (
    SUIT_NAMES,
    SUITS,
    InvalidCards,
    InvalidDeck,
    UnknownDeck,
    deck_named,
    read_deck,
    register_deck,
)
from gin_rules.word.dictionary import (
    BUILT_IN,
    Dictionary,
    InvalidDictionary,
    UnknownDictionary,
    canonical_text,
    dictionary_named,
    dictionary_of,
    dictionary_with_hash,
    hash_of_dictionary,
    read_dictionary,
    register_dictionary,
)

DECK = deck_named("ginhall-124")
FOLDER = resources.files("gin_rules.word") / "data" / "dictionaries"
ROOT = Path(__file__).parents[4]


def test_deck_has_124_cards_31_in_each_suit() -> None:
    assert DECK.size == 124
    assert Counter(DECK.suits) == dict.fromkeys(SUITS, 31)


def test_each_suit_holds_the_agreed_letters() -> None:
    usual = Counter("eee" + "aionrt" * 2 + "ubcdfghklmpsvwy")
    for suit, rare in zip(SUITS, "jqxz", strict=True):
        letters = Counter(letter for letter, of in zip(DECK.letters, DECK.suits, strict=True) if of == suit)
        assert letters == usual + Counter(rare)


def test_suits_have_a_shape_besides_their_colour() -> None:
    assert list(SUIT_NAMES.values()) == ["red circle", "green square", "blue hexagon", "yellow octagon"]


def test_card_text_is_letter_suit_and_a_copy_number_where_needed() -> None:
    assert len(set(DECK.texts)) == 124
    assert {"Er1", "Er2", "Er3", "Sr", "Jr", "Qg", "Xb", "Zy"} <= set(DECK.texts)
    for card, text in enumerate(DECK.texts):
        assert DECK.parse(text) == card
    for wrong in ("Er", "Er4", "er1", "Jg", "7c", ""):
        with pytest.raises(InvalidCards):
            DECK.parse(wrong)


def test_decks_can_be_added_and_a_name_keeps_its_cards() -> None:
    deck = read_deck('{"name": "vowels", "each_suit": {"a": 6, "e": 7}, "extra": {"g": {"a": 1}}}')
    assert deck.size == 4 * 13 + 1
    assert deck.texts[:2] == ("Ar1", "Ar2")
    assert "Ag7" in deck.texts
    register_deck(deck)
    register_deck(deck)
    assert deck_named("vowels") == deck
    with pytest.raises(InvalidDeck, match="vowels"):
        register_deck(read_deck('{"name": "vowels", "each_suit": {"a": 6}}'))
    with pytest.raises(InvalidDeck, match="ginhall-124"):
        register_deck(read_deck('{"name": "ginhall-124", "each_suit": {"a": 6}}'))
    with pytest.raises(UnknownDeck):
        deck_named("../cards")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[", "not JSON"),
        ("[]", "JSON object"),
        ('{"each_suit": {"a": 1}}', "name"),
        ('{"name": "d", "jokers": 2}', "jokers"),
        ('{"name": "d", "each_suit": {"A": 1}}', "'A'"),
        ('{"name": "d", "each_suit": {"a": -1}}', "count of 'a'"),
        ('{"name": "d", "each_suit": {"a": true}}', "count of 'a'"),
        ('{"name": "d", "each_suit": 3}', "count by letter"),
        ('{"name": "d", "extra": {"k": {}}}', "suits"),
        ('{"name": "d"}', "0"),
        ('{"name": "d", "each_suit": {"a": 65}}', "260"),
    ],
)
def test_bad_deck_file_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidDeck, match=reason):
        read_deck(text)


def test_built_in_dictionary_is_the_one_it_is_known_by() -> None:
    content = gzip.decompress((FOLDER / "scowl-60.txt.gz").read_bytes())
    words = content.decode("ascii").split()
    assert content.decode("ascii") == canonical_text(words)
    assert hashlib.sha256(content).hexdigest() == BUILT_IN["scowl-60"] == dictionary_named("scowl-60").sha256
    assert dictionary_of("again", words) == dictionary_named("scowl-60")
    assert len(words) == 76_618


def test_capitalized_words_and_proper_names_are_not_acceptable() -> None:
    scowl = dictionary_named("scowl-60")
    assert all(word.isascii() and word.isalpha() and word.islower() for word in scowl.words)
    for name in ("london", "england", "monday", "english", "Cat", "don't", "NATO", "nato"):
        assert name not in scowl
    for word in ("cat", "quiet", "color", "zebra", "qi"):
        assert word in scowl


def test_two_letter_words_are_those_of_our_own_list() -> None:
    own = (FOLDER / "two_letter_words.txt").read_text(encoding="utf-8").split()
    assert own == sorted(set(own))
    assert dictionary_named("scowl-60").two_letter_words == tuple(own)


def test_word_list_has_its_licence_and_origin_beside_it() -> None:
    assert "Kevin Atkinson" in (FOLDER / "scowl-60.copyright.txt").read_text(encoding="utf-8")
    assert BUILT_IN["scowl-60"] in (FOLDER / "scowl-60.origin.md").read_text(encoding="utf-8")
    assert "SCOWL" in (ROOT / "NOTICE").read_text(encoding="utf-8")


def test_word_list_can_be_made_again(tmp_path: Path) -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "make_word_list.py"))
    for kind in tool["KINDS"]:
        for size in tool["SIZES"]:
            (tmp_path / f"{kind}.{size}").write_text("", encoding="utf-8")
    lists = {"english-words.10": "cat\nLondon\ncat's\nks\na\nmedium\n", "american-words.60": "colour\ncaf\xe9\ncat\n"}
    for name, text in lists.items():
        (tmp_path / name).write_text(text, encoding="iso-8859-1")
    own = (FOLDER / "two_letter_words.txt").read_text(encoding="utf-8").split()
    assert tool["words_of"](tmp_path) == sorted([*own, "cat", "colour", "medium"])


def test_damaged_dictionary_file_is_not_played_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionaries, "BUILT_IN", {"scowl-60": "0" * 64})
    dictionaries._built_in_dictionary.cache_clear()
    with pytest.raises(InvalidDictionary, match="not those it is known by"):
        dictionary_with_hash("0" * 64)
    dictionaries._built_in_dictionary.cache_clear()


def test_organisers_list_is_read_whatever_its_order_and_line_ends() -> None:
    club = read_dictionary("club", b"zoo\r\nat\r\nto\ncat")
    assert club.words == {"at", "cat", "to", "zoo"}
    assert club.two_letter_words == ("at", "to")
    assert club.longest == 3
    assert club.sha256 == hashlib.sha256(b"at\ncat\nto\nzoo\n").hexdigest()
    assert club == dictionary_of("other-name", ["cat", "zoo", "to", "at"])
    assert read_dictionary("club", b"at\n") != club


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"cat\nDog\n", 2, "'Dog' is not all lower-case"),
        (b"cat\ndon't\n", 2, "not all lower-case"),
        ("caf\u00e9\n".encode(), 1, "not all lower-case"),
        (b"cat dog\n", 1, "not all lower-case"),
        (b" cat\n", 1, "not all lower-case"),
        (b"\xef\xbb\xbfcat\n", 1, "not all lower-case"),
        (b"cat\na\n", 2, "shorter than 2"),
        (b"cat\nabcdefghijklmnop\n", 2, "longer than 15"),
        (b"cat\ndog\ncat\n", 3, "stands in line 1"),
        (b"cat\n\ndog\n", 2, "no word stands here"),
        (b"cat\n\n", 2, "no word stands here"),
        (b"cat\ncaf\xe9\n", 2, "not UTF-8"),
        (b"", None, "no words"),
    ],
)
def test_bad_list_is_refused_with_the_line_at_fault(content: bytes, line: int | None, reason: str) -> None:
    with pytest.raises(InvalidDictionary, match=reason) as refused:
        read_dictionary("club", content)
    assert refused.value.line == line


def test_bad_name_of_a_dictionary_is_refused() -> None:
    for name in ("", "Club", "../club", "a" * 65):
        with pytest.raises(InvalidDictionary, match="not a name"):
            read_dictionary(name, b"cat\n")


def test_registered_dictionary_is_found_by_name_and_by_hash() -> None:
    first = read_dictionary("evening-club", b"at\ncat\n")
    register_dictionary(first)
    assert dictionary_named("evening-club") == first
    second = read_dictionary("evening-club", b"at\ncat\ndog\n")
    register_dictionary(second)
    assert hash_of_dictionary("evening-club") == second.sha256
    assert dictionary_with_hash(first.sha256).words == {"at", "cat"}
    with pytest.raises(UnknownDictionary):
        dictionary_named("nobody")
    with pytest.raises(UnknownDictionary):
        dictionary_with_hash("f" * 64)


def test_name_of_a_built_in_dictionary_cannot_be_given_to_other_words() -> None:
    with pytest.raises(InvalidDictionary, match="scowl-60"):
        register_dictionary(read_dictionary("scowl-60", b"cat\n"))


def test_dictionary_of_the_same_words_is_equal_whatever_its_name() -> None:
    one: Dictionary = dictionary_of("one", ["cat"])
    assert one == dictionary_of("two", ["cat", "cat"])
    assert hash(one) == hash(dictionary_of("two", ["cat"]))
