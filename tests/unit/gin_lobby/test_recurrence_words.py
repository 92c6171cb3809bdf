"""When a series comes again, in words."""

from __future__ import annotations

import pytest

from gin_lobby.pages.recurrence_words import recurrence


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=WEEKLY;BYDAY=MO", "every Monday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "every other Friday"),
        ("FREQ=DAILY", "every day"),
        ("FREQ=MONTHLY;BYDAY=-1SU", "the last Sunday of every month"),
        ("FREQ=MONTHLY;BYDAY=2TU", "the second Tuesday of every month"),
        ("FREQ=WEEKLY;BYDAY=MO,WE", "FREQ=WEEKLY;BYDAY=MO,WE"),
        ("FREQ=MONTHLY;BYDAY=9SU", "FREQ=MONTHLY;BYDAY=9SU"),
    ],
)
def test_rules_of_the_forms_are_told_in_words_and_others_as_they_are(rule: str, words: str) -> None:
    assert recurrence(rule) == words
