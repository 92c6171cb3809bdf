"""Word Gin in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

import click

from gin_local.playing.table import NotUnderstood
from gin_rules.game import Action, Card, Seen
from gin_rules.word.cards import SUIT_NAMES, Deck, deck_named
from gin_rules.word.declaration import Shown
from gin_rules.word.state import HandResult
from gin_rules.word.view import View

_SYMBOLS: Final = {"r": "●", "g": "■", "b": "⬢", "y": "◆"}
_COLOURS: Final = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
_SHORT: Final = {"t": "take", "d": "draw", "p": "pass"}

_HELP: Final = """\
  t           take the up card             d      draw from the deck
  Er          discard the E of red (r ●, g ■, b ⬢, y ◆)
  gin Vb CATr DOGg ATb ONy    Gin: V of blue face down, all others in words, each of one suit
  c CATr      challenge a word             p      pass
  reveal CATr DOGg            your words, after somebody's Gin; reveal alone shows none
  2           the two-letter words
  m           the moves of this hand
  s           the score so far
  q           leave
A card that was discarded lies: nothing can be undone."""


class WordTable:
    """Hands by suit, the up card, words on the table, and what may be done."""

    help = _HELP

    def lines(self, view: View, names: Sequence[str]) -> list[str]:
        deck = deck_named(view.rules.deck)
        up = "none" if view.upcard is None else _card_shown(deck, view.upcard)
        table = [f"Up card: {up}   Deck: {view.stock_size} cards   Target: {view.target}"]
        for seat, shown in enumerate(view.shown):
            if shown is not None:
                table.append(f"{names[seat]} shows {_words(shown)}")
        if view.hand:
            suits = groupby(view.hand, key=lambda card: deck.suits[card])
            table.append(f"Your hand: {'   '.join(_suit_shown(deck, suit, list(cards)) for suit, cards in suits)}")
        return table

    def prompt(self, view: View) -> str:
        if view.phase == "challenge":
            words = [action.partition(" ")[2] for action in view.legal_actions[1:]]
            return f"p pass, or challenge with c and one of {' '.join(words)}"
        if view.phase == "reveal":
            return "reveal and your words, or reveal alone"
        if view.phase == "draw":
            return "t take or d draw"
        barred = view.seat is not None and view.barred[view.seat]
        return "Discard a card" + ("; you may not Gin on this turn" if barred else ", or gin, a card and your words")

    def action(self, view: View, typed: str) -> Action:
        words = typed.split()
        verb = words[0].lower()
        if verb in _SHORT and len(words) == 1:
            return Action(_SHORT[verb])
        if verb in ("take", "draw", "pass") and len(words) == 1:
            return Action(verb)
        deck = deck_named(view.rules.deck)
        if verb == "gin" and len(words) > 2:
            return Action(" ".join(["gin", _own_card(deck, view, words[1]), *map(_word, words[2:])]))
        if verb in ("c", "challenge") and len(words) == 2:
            return Action(f"challenge {_word(words[1])}")
        if verb in ("r", "reveal"):
            return Action(" ".join(["reveal", *map(_word, words[1:])]))
        if verb in ("discard", "x") and len(words) == 2:
            return Action(f"discard {_own_card(deck, view, words[1])}")
        return Action(f"discard {_own_card(deck, view, typed.strip())}")

    def card(self, view: View, card: Card) -> str:
        return _card_shown(deck_named(view.rules.deck), card)

    def result(self, result: HandResult, names: Sequence[str]) -> list[str]:
        shown = result.shown or ()
        return [f"  {name}: {_words(hand)}" for name, hand in zip(names, shown, strict=False)]

    def told(self, action: Action) -> str:
        verb, _, rest = action.partition(" ")
        if verb == "gin":  # the first card lies face down
            return self._told(Seen(0, f"gin {rest.partition(' ')[2]}"))
        return self._told(Seen(0, action))

    def course(self, view: View) -> list[tuple[int, str]]:
        return [(each.seat, self._told(each)) for each in view.history]

    def _told(self, done: Seen) -> str:
        verb, _, rest = done.text.partition(" ")
        if verb == "discard":
            return f"throws {_named(rest)}"
        if verb == "take" and done.card:
            return f"takes {_named(done.card)}"
        if verb == "gin":
            return f"has Gin: {rest}"
        if verb == "challenge":
            return f"challenges {rest}"
        if verb == "reveal":
            return f"reveals {rest or 'no word'}"
        return {"take": "takes the up card", "draw": "draws from the deck", "pass": "passes"}[verb]

    def advice(self, view: View) -> str:
        return f"Two-letter words: {' '.join(view.two_letter_words) or 'none'}"


def _card_shown(deck: Deck, card: Card) -> str:
    suit = deck.suits[card]
    return click.style(f"{deck.letters[card].upper()}{_SYMBOLS[suit]}", fg=_COLOURS[suit])


def _suit_shown(deck: Deck, suit: str, cards: Iterable[Card]) -> str:
    letters = " ".join(deck.letters[card].upper() for card in cards)
    return click.style(f"{_SYMBOLS[suit]}{suit} {letters}", fg=_COLOURS[suit])


def _named(text: str) -> str:
    return f"{text[0]} of {SUIT_NAMES[text[1]]}"


def _words(shown: Shown) -> str:
    marks = {"unchallenged": "", "stands": " (stands)", "refuted": " (refuted)"}
    return ", ".join(f"{word.text}{marks[word.verdict]}" for word in shown.words) or "no word"


def _word(typed: str) -> str:
    return typed[:-1].upper() + typed[-1].lower()


def _own_card(deck: Deck, view: View, typed: str) -> str:
    # Copies of a letter are alike, so that their number need not be typed.
    wanted = typed[:1].upper() + typed[1:].lower()
    for card in view.hand:
        text = deck.texts[card]
        if wanted in (text, text[:2]):
            return text
    raise NotUnderstood(f"you hold no {typed!r}, and it is no move; ? shows what can be typed")
