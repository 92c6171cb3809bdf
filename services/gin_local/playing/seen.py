"""A player's view as the API gives it, made into the view that the bots decide from.

The history of a hand of Gin Rummy does not name what may not be looked up any more. Who sits at the table saw it
nevertheless; `Memory` keeps what a player at the table would remember.

Left out of the views, because no bot looks at them: the hands that are over, cuts, corrections and the other hands of
a larger table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gin_rules.game import Action, Card, ScoreLine, Seen, game_named
from gin_rules.rummy.cards import parse_card
from gin_rules.rummy.view import ShownKnock
from gin_rules.rummy.view import View as RummyView
from gin_rules.word.cards import Deck, deck_named
from gin_rules.word.declaration import DeclaredWord, Shown
from gin_rules.word.view import View as WordView


class Memory:
    """The history of the hand being played, of one match of Gin Rummy, from what its player saw at each turn.

    Where something was missed, because the program was started in the middle of a hand, the history stays empty until
    the next hand: it only tells less.
    """

    def __init__(self) -> None:
        self._hand = 0
        self._lost = False
        self._actions: list[Action] = []
        self._pile: list[str] = []
        self._turns = 0
        self._stock = 0

    @property
    def history(self) -> tuple[Action, ...]:
        """What happened in the hand so far; empty when some of it was missed."""
        return () if self._lost else tuple(self._actions)

    def saw(self, view: Mapping[str, Any]) -> None:
        """Look at the table when it is this player's turn."""
        if view["hand_number"] != self._hand:
            self._begin(view)
        if self._lost or view["phase"] == "layoff":
            return
        missed = view["turns"] - self._turns
        if missed == 0:
            self._add_passes(view)
        elif missed == 1:
            self._add_turn(view)
        else:
            self._lost = True
        self._stock = view["stock_size"]

    def acted(self, action: str) -> None:
        """This player's own action was taken."""
        self._actions.append(Action(action))
        verb, _, rest = action.partition(" ")
        if verb == "take":
            at = self._pile.index(rest) if rest in self._pile else len(self._pile) - 1
            del self._pile[at:]
        elif verb == "draw":
            self._stock -= 1
        elif verb == "discard":
            self._pile.append(rest)
            self._turns += 1
            if self._stock == 0:
                self._turn_over()

    def _begin(self, view: Mapping[str, Any]) -> None:
        # A hand is first seen before its player's first turn, unless the program was started later.
        self._hand, self._lost = view["hand_number"], view["phase"] == "discard" or view["turns"] > 1
        self._actions, self._pile = [], [view["upcard"]]
        self._turns, self._stock = 0, 31

    def _add_passes(self, view: Mapping[str, Any]) -> None:
        # Before the first draw the other player may have passed.
        passes = {"offer_dealer": 1, "first_draw": 2}.get(view["phase"], len(self._actions))
        self._actions += [Action("pass")] * (passes - len(self._actions))

    def _add_turn(self, view: Mapping[str, Any]) -> None:
        thrown = view["top_discard"]
        if thrown is None:
            self._lost = True
            return
        if not self._actions and view["seat"] == view["dealer"] and view["stock_size"] == self._stock - 1:
            self._lost = True  # a draw is never the first action of a hand: passes were missed
            return
        if view["stock_size"] == self._stock:
            taken = max(len(self._pile) + 1 - view["pile_size"], 1)
            text = "take" if taken == 1 else f"take {self._pile[-taken]}"
            self._actions.append(Action(text))
            del self._pile[-taken:]
        else:
            self._actions.append(Action("draw"))
            self._stock -= 1
        self._actions.append(Action(f"discard {thrown}"))
        self._pile.append(thrown)
        self._turns += 1
        if self._stock == 0:
            self._turn_over()

    def _turn_over(self) -> None:
        self._stock = len(self._pile) - 1
        del self._pile[:-1]


def view_of(document: Mapping[str, Any], history: Sequence[Action] = ()) -> RummyView | WordView:
    """The view of a seat's document (`Game.view_to_json`); `history` stands in where the document leaves cards out."""
    return _rummy(document, history) if document["game"] == "rummy" else _word(document)


def _rummy(document: Mapping[str, Any], history: Sequence[Action]) -> RummyView:
    told = [Action(one["text"]) for one in document["history"]]
    shown = document["shown"]
    return RummyView(
        game="rummy",
        rules=game_named("rummy").rules_from_json(document["rules"]),
        seat=document["seat"],
        to_act=document["to_act"],
        legal_actions=tuple(document["legal_actions"]),
        phase=document["phase"],
        hand_number=document["hand_number"],
        dealer=document["dealer"],
        totals=tuple(document["totals"]),
        hand=_cards(document["hand"]),
        hand_sizes=tuple(document["hand_sizes"]),
        stock_size=document["stock_size"],
        top_discard=_card(document["top_discard"]),
        pile=None if document["pile"] is None else _cards(document["pile"]),
        pile_size=document["pile_size"],
        upcard=parse_card(document["upcard"]),
        knock_limit=document["knock_limit"],
        taken=_card(document["taken"]),
        turns=document["turns"],
        history=tuple(history if "discard" in told else told),
        shown=None
        if shown is None
        else ShownKnock(shown["knocker"], tuple(map(_cards, shown["melds"])), _cards(shown["unmatched"])),
        cuts=(),
        results=(),
        outcome=None,
        games=tuple(tuple(game) for game in document["games"]),
        players=tuple(document["players"]),
    )


def _word(document: Mapping[str, Any]) -> WordView:
    deck = deck_named(document["rules"]["deck"])
    return WordView(
        game="word",
        rules=game_named("word").rules_from_json(document["rules"]),
        seat=document["seat"],
        to_act=document["to_act"],
        legal_actions=tuple(document["legal_actions"]),
        phase=document["phase"],
        hand_number=document["hand_number"],
        dealer=document["dealer"],
        totals=tuple(document["totals"]),
        target=document["target"],
        hand=_letters(deck, document["hand"]),
        hand_sizes=tuple(document["hand_sizes"]),
        stock_size=document["stock_size"],
        upcard=None if document["upcard"] is None else deck.parse(document["upcard"]),
        pile_size=document["pile_size"],
        spent_size=document["spent_size"],
        taken=None if document["taken"] is None else deck.parse(document["taken"]),
        turns=document["turns"],
        barred=tuple(document["barred"]),
        ginner=document["ginner"],
        challenged=document["challenged"],
        shown=tuple(None if shown is None else _shown(deck, shown) for shown in document["shown"]),
        challenges=tuple(ScoreLine(one["seat"], one["reason"], one["points"]) for one in document["challenges"]),
        history=tuple(Seen(**one) for one in document["history"]),
        two_letter_words=tuple(document["two_letter_words"]),
        cuts=(),
        results=(),
        corrections=(),
        outcome=None,
    )


def _shown(deck: Deck, document: Mapping[str, Any]) -> Shown:
    words = tuple(
        DeclaredWord(
            word=word["word"],
            suit=word["suit"],
            cards=_letters(deck, word["cards"]),
            points=word["points"],
            verdict=word["verdict"],
        )
        for word in document["words"]
    )
    return Shown(words, _letters(deck, document["unused"]))


def _cards(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(map(parse_card, texts))


def _card(text: str | None) -> Card | None:
    return None if text is None else parse_card(text)


def _letters(deck: Deck, texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(map(deck.parse, texts))
