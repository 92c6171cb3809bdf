"""The history in a view names no card that its player may not look up, whatever has been played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from gin_rules.game import Action, Card
from gin_rules.rummy.cards import CARD_TEXTS, DECK_SIZE, cards_of, mask_of, parse_card
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import RuleSet, rules_from_json
from gin_rules.rummy.seating import SEATS_AT
from gin_rules.rummy.state import State, pile_of
from gin_rules.rummy.view import View, seen
from tests.property.test_rummy_play import SEEDS
from tests.property.test_rummy_presets import VARIANTS, Reached, hands_in_play, states

RECYCLED = {"stock_end": "recycle", "knock_limit": 0, "hand_turn_cap": 90, "fixed_hands": 2}
FORMS: dict[str, RuleSet] = {
    **VARIANTS,
    "turned over": rules_from_json(RECYCLED),
    "open": rules_from_json({"discard_view": "spread", "fixed_hands": 3}),
    "open, turned over": rules_from_json({"discard_view": "spread", **RECYCLED}),
    "buried, turned over": rules_from_json({"buried_draw": True, **RECYCLED}),
}


def may_be_looked_up(hand: State, own: int | None) -> int:
    """The cards that this seat (None: a spectator) holds, sees, or saw change hands in the last turn, as a mask."""
    pile_is_open = hand.table.rules.discard_view == "spread" or hand.table.buried_draw
    found = 0 if own is None else hand.hands[own]
    found |= mask_of(hand.pile if pile_is_open else hand.pile[-1:]) | 1 << hand.table.upcard
    if hand.shown is not None:
        found |= hand.hands[hand.shown.knocker]
    turns = sum(action.startswith(("discard", "knock")) for action in hand.history)
    pile, turn = [hand.table.upcard], 0
    for action in hand.history:
        verb, _, rest = action.partition(" ")
        if verb == "take":
            at = len(pile) - 1 - (pile[::-1].index(parse_card(rest)) if rest else 0)
            if pile_is_open or turn >= turns - 1:
                found |= mask_of(pile[at:])
            del pile[at:]
        elif verb == "discard":
            pile.append(parse_card(rest))
            turn += 1
        elif verb in ("knock", "layoff"):  # what they name lies on the table
            found |= mask_of(parse_card(text) for text in CARD_TEXTS if text in rest)
    return found


def with_another_past(hand: State, own: int | None, rng: Random) -> State:
    """The same hand for this seat: cards that it cannot look up are others, wherever they lie or are named."""
    known = may_be_looked_up(hand, own)
    unknown = [card for card in range(DECK_SIZE) if not known >> card & 1]
    others = rng.sample(unknown, len(unknown))
    into = {Card(card): Card(card) for card in range(DECK_SIZE)} | {
        Card(card): Card(other) for card, other in zip(unknown, others, strict=True)
    }

    def other_action(action: Action) -> Action:
        verb, _, rest = action.partition(" ")
        return Action(f"discard {CARD_TEXTS[into[parse_card(rest)]]}") if verb == "discard" else action

    played: Any = None
    for action in hand.history:
        played = (played, other_action(action))
    return hand.replace(
        hand=mask_of(into[card] for card in cards_of(hand.hand)),
        other=mask_of(into[card] for card in cards_of(hand.other)),
        stock=tuple(into[card] for card in hand.stock),
        top=pile_of(tuple(into[card] for card in hand.pile)),
        played=played,
    )


def with_other_pasts(state: Reached, seat: int | None, rng: Random) -> Reached:
    if isinstance(state, State):
        return with_another_past(state, seat, rng)
    return state._replace(
        boards=tuple(
            board._replace(
                hand=with_another_past(board.hand, board.players.index(seat) if seat in board.players else None, rng)
            )
            for board in state.boards
        )
    )


def view_for(state: Reached, seat: int | None) -> View:
    return GIN_RUMMY.spectator_view(state) if seat is None else GIN_RUMMY.view(state, seat)


@pytest.mark.parametrize("name", FORMS)
@given(seed=SEEDS)
@settings(max_examples=3, deadline=None)
def test_history_does_not_change_with_what_its_player_may_not_look_up(name: str, seed: int) -> None:
    rng, rules = Random(seed), FORMS[name]
    for state in states(rules, seed):
        if rng.random() > 0.08:
            continue
        for seat in (None, *range(SEATS_AT[rules.seating])):
            other = with_other_pasts(state, seat, rng)
            assert GIN_RUMMY.view_to_json(view_for(other, seat)) == GIN_RUMMY.view_to_json(view_for(state, seat))


@pytest.mark.parametrize("name", FORMS)
@given(seed=SEEDS)
@settings(max_examples=3, deadline=None)
def test_history_tells_every_move_and_every_card_of_the_last_turn(name: str, seed: int) -> None:
    rng, rules = Random(seed), FORMS[name]
    for state in states(rules, seed):
        if rng.random() > 0.08:
            continue
        for _, hand in hands_in_play(state):
            view = GIN_RUMMY.spectator_view(hand)
            told = seen(view)
            assert [each.text.split(" ")[0] for each in told] == [action.split(" ")[0] for action in hand.history]
            assert all(
                each.text in (action, action.split(" ")[0]) for each, action in zip(told, hand.history, strict=True)
            )
            ends = [at for at, action in enumerate(hand.history) if action.startswith(("discard", "knock"))]
            for each in told[ends[-2] + 1 if len(ends) > 1 else 0 :]:
                assert (each.card is None) == (each.text.split(" ")[0] in ("draw", "pass", "big_gin", "layoff", "done"))
            if view.pile is not None and not hand.recycled:
                assert tuple(each.text for each in told) == hand.history
