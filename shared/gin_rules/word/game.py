"""Word Gin as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gin_rules.game import Action, Card, Deals, Outcome, Seat
from gin_rules.rulings import Ruling
from gin_rules.score_sheet import ScoreSheet
from gin_rules.word import arbitration, explanation, match, play, view
from gin_rules.word.cards import deck_named
from gin_rules.word.rules import RuleSet, rules_from_json, rules_to_json, target_of
from gin_rules.word.state import OVER, HandResult, State
from gin_rules.word.view import View


class WordGin:
    """Word Gin for two to four (source 000). See `gin_rules.game.Game` for the contract of each method."""

    name = "word"
    seat_counts = match.SEAT_COUNTS

    def card_text(self, card: Card, rules: RuleSet) -> str:
        return deck_named(rules.deck).texts[card]

    def deck_size(self, rules: RuleSet) -> int:
        return deck_named(rules.deck).size

    def rules_from_json(self, mapping: Mapping[str, Any]) -> RuleSet:
        return rules_from_json(mapping)

    def rules_to_json(self, rules: RuleSet) -> dict[str, Any]:
        return rules_to_json(rules)

    def new_match(self, rules: RuleSet, seats: int, deals: Deals, *, first_dealer: Seat | None = None) -> State:
        return match.new_match(rules, seats, deals, first_dealer)

    def to_act(self, state: State) -> Seat | None:
        return None if state.phase == OVER else state.turn

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        return play.legal_actions(state)

    def apply(self, state: State, action: Action) -> State:
        return play.apply(state, action)

    def outcome(self, state: State) -> Outcome | None:
        return match.outcome(state)

    def hand_results(self, state: State) -> tuple[HandResult, ...]:
        return state.table.results

    def score_sheet(self, state: State) -> ScoreSheet:
        return explanation.score_sheet(state.table, match.outcome(state))

    def totals(self, state: State) -> tuple[int, ...]:
        return match.totals(state)

    def target(self, rules: RuleSet, seats: int) -> int:
        return target_of(rules, seats)

    def decks(self, state: State) -> tuple[tuple[Card, ...], ...]:
        return match.decks(state)

    def rule(self, state: State, ruling: Ruling) -> State:
        return arbitration.rule(state, ruling)

    def hand_result_to_json(self, result: HandResult) -> dict[str, Any]:
        return view.hand_result_to_json(result)

    def view(self, state: State, seat: Seat) -> View:
        return view.player_view(state, seat)

    def spectator_view(self, state: State) -> View:
        return view.spectator_view(state)

    def view_to_json(self, view_: View) -> dict[str, Any]:
        return view.view_to_json(view_)


WORD_GIN = WordGin()
