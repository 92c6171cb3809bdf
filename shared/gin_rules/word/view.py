"""What a player, or everybody, may know of a match: the only way by which a hand leaves the rules.

A view is built from the public part of the state and the hand of its own seat. The order of the stock, other hands
that are not on the table and the face-down card of a Gin are never in it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gin_rules.game import Action, Card, Outcome, ScoreLine, Seat, Seen, outcome_to_json
from gin_rules.word.cards import Deck, deck_named
from gin_rules.word.declaration import Cards, Shown
from gin_rules.word.match import outcome
from gin_rules.word.play import legal_actions
from gin_rules.word.rules import RuleSet, rules_to_json, target_of
from gin_rules.word.state import OVER, Correction, HandResult, State


class View(NamedTuple):
    """What one seat may know. Tuples are by seat unless they say otherwise."""

    game: str
    rules: RuleSet
    seat: Seat | None
    """None for a spectator."""
    to_act: Seat | None
    legal_actions: tuple[Action, ...]
    """In the order of `gin_rules.word.play.legal_actions`; empty unless this seat is to act."""
    phase: str
    hand_number: int
    dealer: Seat
    totals: tuple[int, ...]
    """After the hands that are over; `challenges` of this hand are not in them yet."""
    target: int
    hand: Cards
    """Own cards in the order of the deck; empty for a spectator."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    upcard: Card | None
    """The up card now; None between taking it and discarding when the pile has no other."""
    pile_size: int
    spent_size: int
    """Cards put aside after earlier hands."""
    taken: Card | None
    """The up card that the player to act has taken this turn."""
    turns: int
    """Turns completed in this hand, of all players."""
    barred: tuple[bool, ...]
    """Who may not Gin on the next turn, or on this one."""
    ginner: Seat | None
    """Who has played the eleventh card face down."""
    challenged: Seat | None
    """Whose words may be challenged now, or who is to reveal."""
    shown: tuple[Shown | None, ...]
    """Hands on the table."""
    challenges: tuple[ScoreLine, ...]
    """Points moved by challenges in this hand, in order."""
    history: tuple[Seen, ...]
    """What everybody saw happen in this hand, in order."""
    two_letter_words: tuple[str, ...]
    """The card that lists all acceptable two-letter words (source 000, rule 3), sorted."""
    cuts: tuple[Cards, ...]
    """Cards cut for the first deal, by attempt and seat."""
    results: tuple[HandResult, ...]
    corrections: tuple[Correction, ...]
    """What an arbiter lets hands count instead, in order; not by seat."""
    outcome: Outcome | None


def player_view(state: State, seat: Seat) -> View:
    """What the player in this seat may know. Raises `ValueError` for a seat that is not at the table."""
    if not 0 <= seat < state.table.seats:
        raise ValueError(f"there is no seat {seat}")
    return _view(state, seat)


def spectator_view(state: State) -> View:
    """What everybody may know: no hand, no legal actions."""
    return _view(state, None)


def view_to_json(view: View) -> dict[str, Any]:
    """A view as plain JSON values; cards are texts. `letter_points` and suits are in the rules and the texts."""
    deck = deck_named(view.rules.deck)
    return {
        "game": view.game,
        "rules": rules_to_json(view.rules),
        "seat": view.seat,
        "to_act": view.to_act,
        "legal_actions": list(view.legal_actions),
        "phase": view.phase,
        "hand_number": view.hand_number,
        "dealer": view.dealer,
        "totals": list(view.totals),
        "target": view.target,
        "hand": deck.texts_of(view.hand),
        "hand_sizes": list(view.hand_sizes),
        "stock_size": view.stock_size,
        "upcard": None if view.upcard is None else deck.texts[view.upcard],
        "pile_size": view.pile_size,
        "spent_size": view.spent_size,
        "taken": None if view.taken is None else deck.texts[view.taken],
        "turns": view.turns,
        "barred": list(view.barred),
        "ginner": view.ginner,
        "challenged": view.challenged,
        "shown": [None if hand is None else _shown_to_json(deck, hand) for hand in view.shown],
        "challenges": _lines_to_json(view.challenges),
        "history": [{"seat": seat, "text": text, "card": card} for seat, text, card in view.history],
        "two_letter_words": list(view.two_letter_words),
        "cuts": [deck.texts_of(cut) for cut in view.cuts],
        "results": [hand_result_to_json(result) for result in view.results],
        "corrections": [{"hand": one.hand, "points": list(one.points)} for one in view.corrections],
        "outcome": None if view.outcome is None else outcome_to_json(view.outcome),
    }


def hand_result_to_json(result: HandResult) -> dict[str, Any]:
    """A hand result as plain JSON values."""
    deck = deck_named(result.deck)
    return {
        "number": result.number,
        "dealer": result.dealer,
        "ended": result.ended,
        "ginner": result.ginner,
        "winner": result.winner,
        "points": list(result.points),
        "totals": list(result.totals),
        "lines": _lines_to_json(result.lines),
        "shown": None if result.shown is None else [_shown_to_json(deck, hand) for hand in result.shown],
        "turns": result.turns,
    }


def _view(state: State, seat: Seat | None) -> View:
    table, showdown = state.table, state.showdown
    over = state.phase == OVER
    return View(
        game="word",
        rules=table.rules,
        seat=seat,
        to_act=None if over else state.turn,
        legal_actions=legal_actions(state) if seat == state.turn else (),
        phase=state.phase,
        hand_number=table.number,
        dealer=table.dealer,
        totals=table.totals,
        target=target_of(table.rules, table.seats),
        hand=() if seat is None else state.hands[seat],
        hand_sizes=tuple(len(hand) for hand in state.hands),
        stock_size=len(state.stock),
        upcard=state.pile[-1] if state.pile else None,
        pile_size=len(state.pile),
        spent_size=len(state.spent),
        taken=state.taken,
        turns=state.turns,
        barred=state.barred,
        ginner=None if showdown is None else showdown.ginner,
        challenged=None if showdown is None else showdown.challenged,
        shown=(None,) * table.seats if showdown is None else showdown.shown,
        challenges=state.challenges,
        history=state.history,
        two_letter_words=table.dictionary.two_letter_words if table.rules.min_word == 2 else (),
        cuts=table.cuts,
        results=table.results,
        corrections=table.corrections,
        outcome=outcome(state),
    )


def _shown_to_json(deck: Deck, shown: Shown) -> dict[str, Any]:
    return {
        "words": [
            {
                "text": word.text,
                "word": word.word,
                "suit": word.suit,
                "cards": deck.texts_of(word.cards),
                "points": word.points,
                "verdict": word.verdict,
            }
            for word in shown.words
        ],
        "unused": deck.texts_of(shown.unused),
    }


def _lines_to_json(lines: tuple[ScoreLine, ...]) -> list[dict[str, Any]]:
    return [{"seat": line.seat, "reason": line.reason, "points": line.points} for line in lines]
