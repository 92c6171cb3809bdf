"""Organisers' word lists, kept in the table `word_lists` of every service that reads rules of Word Gin.

Rules name a dictionary, and the rules of the game look it up in a registry of the process. A service reads what lies
in its database into that registry before it reads rules: whichever process reads them finds the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gin_rules.word.dictionary import (
    Dictionary,
    InvalidDictionary,
    canonical_text,
    dictionary_names,
    dictionary_of,
    is_known_hash,
    register_dictionary,
)
from gin_servicekit.database import Transaction


def keep(tx: Transaction, dictionary: Dictionary, added_by: str) -> bool:
    """Stores the list. False where its words, or others of its name, are there already: then nothing changes."""
    return bool(
        tx.execute(
            """
            INSERT INTO word_lists (sha256, name, words, count, longest, added_by, added_at)
            VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
            """,
            (
                dictionary.sha256,
                dictionary.name,
                canonical_text(dictionary.words),
                len(dictionary.words),
                dictionary.longest,
                added_by,
                tx.now,
            ),
        )
    )


def make_known(tx: Transaction, rule_sets: Iterable[Mapping[str, Any]]) -> None:
    """Registers in this process the lists that these rules (as JSON, not checked yet) name and that are stored here.

    What is not stored stays unknown: reading the rules refuses it with the field named.
    """
    hashes, names = set(), set()
    for rules in rule_sets:
        name, sha256 = rules.get("dictionary"), rules.get("dictionary_sha256")
        if isinstance(sha256, str) and sha256:
            hashes.add(sha256)
        elif isinstance(name, str):
            names.add(name)
    wanted = [sha256 for sha256 in hashes if not is_known_hash(sha256)]
    called = [name for name in names - set(dictionary_names()) if "\0" not in name]
    if not wanted and not called:
        return
    rows = tx.dicts(
        "SELECT sha256, name, words FROM word_lists WHERE sha256 = ANY(%s) OR name = ANY(%s)",
        ([sha256 for sha256 in wanted if "\0" not in sha256], called),
    )
    for row in rows:
        dictionary = dictionary_of(row["name"], row["words"].split())
        if dictionary.sha256 != row["sha256"]:
            raise InvalidDictionary(f"the stored words of {row['name']!r} are not those it is known by")
        register_dictionary(dictionary)
