"""Gin Rummy as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gin_rules.game import Action, Card, Deals, Outcome, Seat
from gin_rules.rulings import Ruling
from gin_rules.rummy import arbitration, explanation, match, party, party_view, play, view
from gin_rules.rummy.cards import DECK_SIZE, card_text
from gin_rules.rummy.party import Party
from gin_rules.rummy.rules import RuleSet, rules_from_json, rules_to_json
from gin_rules.rummy.state import OVER, HandResult, State
from gin_rules.rummy.view import View
from gin_rules.score_sheet import ScoreSheet


class GinRummy:
    """Gin Rummy (sources 001 and 004) for two, or for three and four who play hands of two.

    See `gin_rules.game.Game` for the contract of each method. A match of two is a `State`, any other a `Party`.
    """

    name = "rummy"
    seat_counts = (2, 3, 4)

    def card_text(self, card: Card, rules: RuleSet | None = None) -> str:
        return card_text(card)

    def deck_size(self, rules: RuleSet) -> int:
        return DECK_SIZE

    def rules_from_json(self, mapping: Mapping[str, Any]) -> RuleSet:
        return rules_from_json(mapping)

    def rules_to_json(self, rules: RuleSet) -> dict[str, Any]:
        return rules_to_json(rules)

    def new_match(self, rules: RuleSet, seats: int, deals: Deals, *, first_dealer: Seat | None = None) -> State | Party:
        if rules.seating == "two":
            return match.new_match(rules, seats, deals, first_dealer)
        return party.new_party(rules, seats, deals, first_dealer)

    def to_act(self, state: State | Party) -> Seat | None:
        if isinstance(state, Party):
            return party.to_act(state)
        return None if state.phase == OVER else state.turn

    def legal_actions(self, state: State | Party) -> tuple[Action, ...]:
        return party.legal_actions(state) if isinstance(state, Party) else play.legal_actions(state)

    def apply(self, state: State | Party, action: Action) -> State | Party:
        return party.apply(state, action) if isinstance(state, Party) else play.apply(state, action)

    def outcome(self, state: State | Party) -> Outcome | None:
        return party.outcome(state) if isinstance(state, Party) else match.outcome(state)

    def hand_results(self, state: State | Party) -> tuple[HandResult, ...]:
        return state.results if isinstance(state, Party) else state.table.results

    def score_sheet(self, state: State | Party) -> ScoreSheet:
        table = state if isinstance(state, Party) else state.table
        seats = state.seats if isinstance(state, Party) else match.SEATS
        return explanation.score_sheet(table.rules, seats, table.results, table.corrections, self.outcome(state))

    def totals(self, state: State | Party) -> tuple[int, ...]:
        return party.totals(state) if isinstance(state, Party) else match.totals(state)

    def target(self, rules: RuleSet, seats: int) -> int:
        return rules.target

    def decks(self, state: State | Party) -> tuple[tuple[Card, ...], ...]:
        return party.decks(state) if isinstance(state, Party) else match.decks(state)

    def rule(self, state: State | Party, ruling: Ruling) -> State | Party:
        return party.rule(state, ruling) if isinstance(state, Party) else arbitration.rule(state, ruling)

    def hand_result_to_json(self, result: HandResult) -> dict[str, Any]:
        return view.hand_result_to_json(result)

    def view(self, state: State | Party, seat: Seat) -> View:
        return party_view.player_view(state, seat) if isinstance(state, Party) else view.player_view(state, seat)

    def spectator_view(self, state: State | Party) -> View:
        return party_view.spectator_view(state) if isinstance(state, Party) else view.spectator_view(state)

    def view_to_json(self, view_: View) -> dict[str, Any]:
        return view.view_to_json(view_)


GIN_RUMMY = GinRummy()
