"""Gin Rummy as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gin_rules.game import Action, Card, Deals, Outcome, Seat
from gin_rules.rummy import match, play, view
from gin_rules.rummy.cards import DECK_SIZE, card_text
from gin_rules.rummy.rules import RuleSet, rules_from_json, rules_to_json
from gin_rules.rummy.state import OVER, HandResult, State
from gin_rules.rummy.view import View


class GinRummy:
    """Gin Rummy for two (sources 001 and 004). See `gin_rules.game.Game` for the contract of each method."""

    name = "rummy"
    seat_counts = (2,)

    def card_text(self, card: Card, rules: RuleSet | None = None) -> str:
        return card_text(card)

    def deck_size(self, rules: RuleSet) -> int:
        return DECK_SIZE

    def rules_from_json(self, mapping: Mapping[str, Any]) -> RuleSet:
        return rules_from_json(mapping)

    def rules_to_json(self, rules: RuleSet) -> dict[str, Any]:
        return rules_to_json(rules)

    def new_match(self, rules: RuleSet, seats: int, deals: Deals) -> State:
        return match.new_match(rules, seats, deals)

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

    def hand_result_to_json(self, result: HandResult) -> dict[str, Any]:
        return view.hand_result_to_json(result)

    def view(self, state: State, seat: Seat) -> View:
        return view.player_view(state, seat)

    def spectator_view(self, state: State) -> View:
        return view.spectator_view(state)

    def view_to_json(self, view_: View) -> dict[str, Any]:
        return view.view_to_json(view_)


GIN_RUMMY = GinRummy()
