"""What the house tells a player about the own cards, where the match is played with advice.

It is worked out from the player's own view alone, so it can tell nothing that the player may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gin_engine.domain.problems import AdviceNotAllowed, WordsRefused
from gin_engine.store.states import state_of
from gin_engine.use_cases.show_matches import find, seat_of
from gin_rules.game import game_named
from gin_rules.rummy.cards import cards_text
from gin_rules.rummy.deadwood import best_arrangement
from gin_rules.rummy.view import View as RummyView
from gin_rules.word.cards import deck_named
from gin_rules.word.declaration import RefusedDeclaration, lay_words
from gin_rules.word.dictionary import dictionary_with_hash
from gin_rules.word.view import View as WordView
from gin_servicekit.database import Transaction


def show_advice(tx: Transaction, match_id: str, account_id: str, words: Sequence[str]) -> dict[str, Any]:
    """Melds and deadwood of the own cards, or which of `words` are in the dictionary.

    Raises MatchNotFound, NotYourSeat, AdviceNotAllowed, and WordsRefused for words that the own cards cannot lay:
    the dictionary is not to be asked about the words of others.
    """
    match = find(tx, match_id)
    seat = seat_of(match, account_id)
    if not match.dealt or not match.gives_advice:
        raise AdviceNotAllowed("this match is played without advice")
    view = game_named(match.game).view(state_of(tx, match), seat)
    return word_advice(view, words) if match.game == "word" else rummy_advice(view)


def rummy_advice(view: RummyView) -> dict[str, Any]:
    """Deadwood and melds of the own cards as they are, and after each discard that is legal now."""
    deadwood, melds = best_arrangement(view.hand)
    discards = [action.split(" ")[1] for action in view.legal_actions if action.startswith("discard ")]
    by_discard = {}
    for card in view.hand:
        text = cards_text((card,))
        if text in discards:
            left, kept = best_arrangement(other for other in view.hand if other != card)
            by_discard[text] = {"deadwood": left, "melds": [cards_text(meld).split() for meld in kept]}
    return {
        "deadwood": deadwood,
        "melds": [cards_text(meld).split() for meld in melds],
        "discards": by_discard,
    }


def word_advice(view: WordView, words: Sequence[str]) -> dict[str, Any]:
    """Which of the words are in the dictionary of the match, with their points."""
    try:
        laid = lay_words(deck_named(view.rules.deck), view.rules, view.hand, words)
    except RefusedDeclaration as refused:
        raise WordsRefused(str(refused), "words") from refused
    known = dictionary_with_hash(view.rules.dictionary_sha256)
    return {"words": [{"text": word.text, "points": word.points, "is_word": word.word in known} for word in laid.words]}
