"""Gin Rummy in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import click

from gin_local.playing.table import NotUnderstood
from gin_rules.game import Action, Card, Seen
from gin_rules.rummy.cards import CARD_TEXTS, InvalidCards, parse_card
from gin_rules.rummy.state import HandResult
from gin_rules.rummy.view import AdviceRefused, View, advise, seen

_SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_LETTERS: Final = {symbol: letter for letter, symbol in _SYMBOLS.items()}
_SHORT: Final = {"t": "take", "d": "draw", "p": "pass", "b": "big_gin", "big gin": "big_gin", "done": "done"}

_HELP: Final = """\
  t           take the top discard         t 7c   take a discard further down, where the rules allow it
  d           draw from the stock          p      pass, when the first card is offered
  7c          discard the seven of clubs (c ♣, d ♦, h ♥, s ♠; A 2 … 9 T J Q K)
  k 7c        knock, or go gin, discarding it; k 7c 4c5c6c/8d8h8s names the melds that you show
  b           big gin, with eleven cards in melds
  1, 2, …     lay off the card of that number; done when you are ready
  a           advice: your melds and deadwood
  m           the moves of this hand
  s           the score so far
  q           leave
A card that was discarded lies: nothing can be undone."""


def card_shown(card: Card) -> str:
    """A card with the symbol of its suit, red suits in red: ``7♣``, ``10♥``."""
    rank, suit = CARD_TEXTS[card][0], CARD_TEXTS[card][1]
    text = f"{'10' if rank == 'T' else rank}{_SYMBOLS[suit]}"
    return click.style(text, fg="red") if suit in "dh" else text


class RummyTable:
    """Hands by suit, piles, and what may be done."""

    help = _HELP

    def lines(self, view: View, names: Sequence[str]) -> list[str]:
        top = "none" if view.top_discard is None else card_shown(view.top_discard)
        table = [f"Discard: {top}   Stock: {view.stock_size} cards   Knock with at most {view.knock_limit}"]
        if view.pile is not None and len(view.pile) > 1:
            table.append(f"The pile, top first: {_cards(reversed(view.pile))}")
        if view.shown is not None:
            melds = "   ".join(_cards(meld) for meld in view.shown.melds)
            table.append(
                f"{names[view.players[view.shown.knocker]]} shows {melds}   beside {_cards(view.shown.unmatched)}"
            )
        if view.hand:
            suits = [[card for card in view.hand if card // 13 == suit] for suit in range(4)]
            table.append(f"Your hand: {'   '.join(_cards(suit) for suit in suits if suit)}")
        return table

    def prompt(self, view: View) -> str:
        actions = view.legal_actions
        if view.phase == "layoff":
            fitting = [
                f"{at} {self.told(action).removeprefix('lays off ')}" for at, action in enumerate(actions[:-1], 1)
            ]
            return f"Lay off: {', '.join(fitting)}, or done"
        if view.phase == "discard":
            knocks = [_shown_text(action[6:]) for action in actions if action.startswith("knock")]
            may = [f"knock with k and one of {' '.join(knocks)}"] if knocks else []
            return " or ".join(["Discard a card", *may, *(["b for big gin"] if "big_gin" in actions else [])])
        words = {"take": "t take", "draw": "d draw", "pass": "p pass"}
        buried = [_shown_text(action[5:]) for action in actions if action.startswith("take ")]
        may = [words[action] for action in actions if action in words]
        return " or ".join(may + ([f"t and one of {' '.join(buried)}"] if buried else []))

    def action(self, view: View, typed: str) -> Action:
        text = " ".join(typed.split())
        for symbol, letter in _LETTERS.items():
            text = text.replace(symbol, letter)
        if text in view.legal_actions:
            return Action(text)
        low = text.lower()
        if view.phase == "layoff" and low.isdecimal() and 0 < int(low) < len(view.legal_actions):
            return view.legal_actions[int(low) - 1]
        if low in _SHORT:
            return Action(_SHORT[low])
        verb, _, rest = low.partition(" ")
        if verb in ("k", "knock", "g", "gin") and rest:
            card, *melds = rest.split(" ")
            return Action(" ".join(["knock", _card(card), *("/".join(map(_meld, meld.split("/"))) for meld in melds)]))
        if verb in ("t", "take") and rest:
            return Action(f"take {_card(rest)}")
        if verb in ("discard", "x") and rest:
            return Action(f"discard {_card(rest)}")
        return Action(f"discard {_card(low)}")

    def card(self, view: View, card: Card) -> str:
        return card_shown(card)

    def result(self, result: HandResult, names: Sequence[str]) -> list[str]:
        settled = result.settlement
        if settled is None or result.knocker is None:
            return []
        defender = next(seat for seat in result.players if seat != result.knocker)
        lines = [
            _laid_out(names[result.knocker], settled.knocker_melds, settled.knocker_deadwood),
            _laid_out(names[defender], settled.defender_melds, settled.defender_deadwood),
        ]
        for cards, meld in settled.layoffs:
            lines.append(f"  {names[defender]}: laid off {_cards(cards)} on {_cards(meld)}")
        return lines

    def told(self, action: Action) -> str:
        return self._told(Seen(0, action))

    def course(self, view: View) -> list[tuple[int, str]]:
        return [(view.players[each.seat], self._told(each)) for each in seen(view)]

    def _told(self, done: Seen) -> str:
        verb, _, rest = done.text.partition(" ")
        if verb == "layoff":
            card, meld = rest.split(" on ")
            lies = " ".join(_shown_text(meld[at : at + 2]) for at in range(0, len(meld), 2))
            return f"lays off {_shown_text(card)} on {lies}"
        if verb in ("discard", "knock"):
            thrown = _shown_text(rest[:2]) if rest else "a card"
            return f"{'throws' if verb == 'discard' else 'knocks, throwing'} {thrown}"
        if verb == "take":
            if rest:
                return f"takes {_shown_text(rest)} and all above it"
            return f"takes {_shown_text(done.card)} from the pile" if done.card else "takes the top discard"
        return {"draw": "draws from the stock", "pass": "passes", "big_gin": "has big gin", "done": "is ready"}[verb]

    def advice(self, view: View) -> str:
        try:
            deadwood, melds = advise(view)
        except AdviceRefused as refused:
            raise NotUnderstood(str(refused)) from refused
        shown = "   ".join(_cards(meld) for meld in melds) or "none"
        return f"Melds: {shown}   Deadwood: {deadwood}"


def _laid_out(name: str, melds: Sequence[Sequence[Card]], deadwood: int) -> str:
    return f"  {name}: {'   '.join(map(_cards, melds)) or 'no meld'}   deadwood {deadwood}"


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(card_shown, cards))


def _shown_text(text: str) -> str:
    return card_shown(parse_card(text))


def _card(typed: str) -> str:
    text = typed.replace("10", "T")
    text = text[:-1].upper() + text[-1:].lower()
    try:
        return CARD_TEXTS[parse_card(text)]
    except InvalidCards as unknown:
        raise NotUnderstood(f"{typed!r} is neither a card nor a move; ? shows what can be typed") from unknown


def _meld(typed: str) -> str:
    text = typed.replace("10", "T")
    return "".join(_card(text[at : at + 2]) for at in range(0, len(text), 2))
