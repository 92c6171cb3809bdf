"""Word lists that organisers brought to the engine: tournaments may name them too."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from gin_messages.word_lists import WordListAdded
from gin_rules.word.dictionary import InvalidDictionary, dictionary_of
from gin_servicekit.database import Transaction
from gin_servicekit.word_lists import keep

log = structlog.get_logger()


def copy_word_lists(tx: Transaction, added: Sequence[WordListAdded]) -> None:
    """Keeps each list once, however often it is told of."""
    for message in added:
        try:
            dictionary = dictionary_of(message.list_name, message.words.split())
        except InvalidDictionary as wrong:
            log.error("word_list_refused", name=message.list_name, reason=wrong.reason)
            continue
        if dictionary.sha256 != message.sha256:
            log.error("word_list_refused", name=message.list_name, reason="other words than its hash tells")
            continue
        keep(tx, dictionary, message.added_by)
