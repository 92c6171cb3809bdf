"""Organisers bring their own word lists for Word Gin."""

from __future__ import annotations

from gin_engine.domain.problems import TooManyWordLists, WordListClash, WordListNotFound, WordListRefused
from gin_engine.store import word_lists as store
from gin_engine.store.word_lists import WordList
from gin_messages.word_lists import WordListAdded
from gin_rules.word.dictionary import (
    BUILT_IN,
    InvalidDictionary,
    canonical_text,
    dictionary_named,
    dictionary_of,
    read_dictionary,
)
from gin_servicekit import word_lists
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import Forbidden

MOST_BYTES = 1_000_000
"""Of a list as it is sent. A process that plays with one keeps about ten times as much in memory."""
MOST_LISTS = 10
"""That one account may bring."""


def add_word_list(tx: Transaction, caller: Caller, name: str, content: bytes) -> WordList:
    """Stores a list for good; the same list a second time is the one that is there.

    Raises Forbidden for a guest, WordListRefused naming `name` or the line at fault, WordListClash where the name
    means other words or the words have another name, or TooManyWordLists.
    """
    if caller.guest:
        raise Forbidden("sign up to bring word lists")
    if len(content) > MOST_BYTES:
        raise WordListRefused(f"a list has at most {MOST_BYTES} bytes", "words")
    try:
        dictionary_of(name, ("word",))
    except InvalidDictionary as wrong:
        raise WordListRefused(wrong.reason, "name") from None
    try:
        dictionary = read_dictionary(name, content)
    except InvalidDictionary as wrong:
        raise WordListRefused(wrong.reason, "words" if wrong.line is None else f"line {wrong.line}") from None
    for known, sha256 in BUILT_IN.items():
        _check_apart(name, dictionary.sha256, known, sha256)
    brought = store.count_of(tx, caller.account_id)
    for other in store.clashing(tx, name, dictionary.sha256):
        _check_apart(name, dictionary.sha256, other.name, other.sha256)
        return other
    if brought >= MOST_LISTS:
        raise TooManyWordLists(f"one account brings at most {MOST_LISTS} lists")
    if not word_lists.keep(tx, dictionary, caller.account_id):
        raise WordListClash("somebody has just brought a list of this name, or with these words", "name")
    words = canonical_text(dictionary.words)
    tx.emit(WordListAdded(name, dictionary.sha256, words, caller.account_id))
    count, longest = len(dictionary.words), dictionary.longest
    return WordList(dictionary.sha256, name, count, longest, caller.account_id, tx.now)


def list_word_lists(tx: Transaction, after: str, limit: int) -> tuple[list[WordList], bool]:
    """At most `limit` lists by name, after the name `after`, and whether there are more."""
    found = store.page(tx, after, limit + 1)
    return found[:limit], len(found) > limit


def words_with_hash(tx: Transaction, sha256: str) -> str:
    """The canonical list with this hash, one word a line, also of a dictionary that comes with the game.

    Raises WordListNotFound.
    """
    for name, known in BUILT_IN.items():
        if known == sha256:
            return canonical_text(dictionary_named(name).words)
    words = store.words_of(tx, sha256)
    if words is None:
        raise WordListNotFound("there is no such word list")
    return words


def _check_apart(name: str, sha256: str, other_name: str, other_sha256: str) -> None:
    """Raises WordListClash where one name would mean two lists, or one list have two names."""
    if name == other_name and sha256 != other_sha256:
        raise WordListClash(f"{name} is the name of other words", "name")
    if name != other_name and sha256 == other_sha256:
        raise WordListClash(f"these words are known as {other_name} already", "name")
