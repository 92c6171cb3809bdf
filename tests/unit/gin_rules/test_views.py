"""What players and spectators may know."""

from __future__ import annotations

import json

import pytest

from gin_rules.game import IllegalAction
from gin_rules.rummy.cards import mask_of, parse_card, parse_cards
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.view import AdviceRefused, View, advise, sightings
from tests.unit.gin_rules.dealing import (
    DEALER,
    NONDEALER,
    PLAIN_DEALER,
    PLAIN_NONDEALER,
    arranged_match,
    draw_and_throw,
    play,
)


def test_player_sees_the_own_hand_and_the_size_of_the_other() -> None:
    view = GIN_RUMMY.view(play(arranged_match(), "take"), DEALER)
    assert view.hand == tuple(sorted(parse_cards(PLAIN_DEALER)))
    assert view.hand_sizes == (10, 11)
    assert (view.seat, view.to_act, view.legal_actions) == (DEALER, NONDEALER, ())
    assert view.taken == parse_card("Js")


def test_spectator_sees_no_hand_and_has_no_actions() -> None:
    view = GIN_RUMMY.spectator_view(arranged_match())
    assert (view.seat, view.hand, view.legal_actions) == (None, (), ())
    assert GIN_RUMMY.view_to_json(view)["advice"] is None


def test_seat_that_is_not_at_the_table_has_no_view() -> None:
    with pytest.raises(ValueError, match="seat 2"):
        GIN_RUMMY.view(arranged_match(), 2)


def test_json_of_a_hand_names_no_card_of_the_opponent_or_the_stock() -> None:
    state = draw_and_throw(play(arranged_match(), "pass", "pass"), 4)
    for seat, other in ((NONDEALER, PLAIN_DEALER), (DEALER, PLAIN_NONDEALER)):
        written = json.dumps(GIN_RUMMY.view_to_json(GIN_RUMMY.view(state, seat)))
        hidden = [
            *other.split(),
            *(text for text in ("Qc", "Ks", "9h") if parse_card(text) in state.stock[4:]),
        ]
        # The cut is public and shows an ace and a king of clubs.
        assert [text for text in hidden if f'"{text}"' in written.replace('["Ac", "Kc"]', "")] == []


def test_only_the_top_discard_is_shown_unless_the_pile_is_spread() -> None:
    for rules, pile in (({}, None), ({"discard_view": "spread"}, parse_cards("Js 9s Ts"))):
        state = play(arranged_match(stock="9s Ts", **rules), "pass", "pass", "draw", "discard 9s", "draw", "discard Ts")
        view = GIN_RUMMY.view(state, NONDEALER)
        assert (view.top_discard, view.pile_size, view.pile) == (parse_card("Ts"), 3, pile)
        assert (GIN_RUMMY.view_to_json(view)["history"] is None) == (pile is None)


def test_pile_can_be_inspected_where_buried_discards_may_be_taken() -> None:
    assert GIN_RUMMY.view(arranged_match(buried_draw=True), DEALER).pile == parse_cards("Js")


def test_advice_is_given_unless_the_match_is_played_without() -> None:
    hand = "4c 5c 6c 9d Th Ah 2d 7s Qd 8h"
    view = GIN_RUMMY.view(arranged_match(hand, "Kc Jc 9c 3s Td Kh Ks 6h 4s 2s"), NONDEALER)
    assert advise(view) == (47, (parse_cards("4c 5c 6c"),))
    assert GIN_RUMMY.view_to_json(view)["advice"] == {"deadwood": 47, "melds": [["4c", "5c", "6c"]]}
    silent = GIN_RUMMY.view(arranged_match(advice=False), NONDEALER)
    assert GIN_RUMMY.view_to_json(silent)["advice"] is None
    with pytest.raises(AdviceRefused):
        advise(silent)


def test_hands_of_a_dead_deal_are_never_shown() -> None:
    state = draw_and_throw(play(arranged_match(), "pass", "pass"), 29)
    (result,) = GIN_RUMMY.view_to_json(GIN_RUMMY.view(state, DEALER))["results"]
    assert (result["ended"], result["hands"], result["settlement"]) == ("stock", None, None)


def test_sightings_tell_what_was_taken_thrown_and_declined() -> None:
    state = arranged_match(stock="9s 5h Ts")
    state = play(state, "pass", "pass", "draw", "discard 9s", "take", "discard Kc", "draw", "discard Th", "draw")
    state = play(state, "discard 9s")
    seen = sightings(GIN_RUMMY.view(state, NONDEALER))
    assert seen.held == (0, 0)
    assert seen.thrown[DEALER] == mask_of(parse_cards("Kc 9s"))
    assert seen.thrown[NONDEALER] == mask_of(parse_cards("9s Th"))
    assert seen.declined[DEALER] == mask_of(parse_cards("Js Th"))
    assert seen.declined[NONDEALER] == mask_of(parse_cards("Js Kc"))
    state = play(state, "take", "discard Ac")
    assert sightings(GIN_RUMMY.view(state, DEALER)).held[NONDEALER] == mask_of(parse_cards("9s"))


def test_sightings_follow_a_buried_draw() -> None:
    state = arranged_match(stock="3d 5h", buried_draw=True)
    state = play(state, "pass", "pass", "draw", "discard 3d", "draw", "discard 5h", "take 3d")
    assert sightings(GIN_RUMMY.view(state, DEALER)).held[NONDEALER] == mask_of(parse_cards("3d 5h"))


def test_finished_match_shows_its_outcome_and_takes_no_action() -> None:
    state = draw_and_throw(play(arranged_match(fixed_hands=1), "pass", "pass"), 29)
    written = GIN_RUMMY.view_to_json(GIN_RUMMY.view(state, DEALER))
    assert written["outcome"]["termination"] == "fixed_hands"
    assert (written["to_act"], written["legal_actions"], written["phase"]) == (None, [], "over")
    for action in ("draw", "take", "pass", "discard Ac", "done"):
        with pytest.raises(IllegalAction, match="the match is over"):
            play(state, action)


def test_what_happened_lately_tells_no_more_of_the_pile_than_was_just_seen() -> None:
    state = draw_and_throw(play(arranged_match(), "pass", "pass"), 4)

    def lately(view: View) -> list[tuple[int, str]]:
        return [(each["seat"], each["text"]) for each in GIN_RUMMY.view_to_json(view)["recent"]]

    mover, waiting = state.turn, 1 - state.turn
    discards = [action for action in state.history if action.startswith("discard")]
    assert len(discards) == 4
    assert lately(GIN_RUMMY.view(state, mover)) == [(waiting, "draw"), (waiting, discards[-1])]
    assert lately(GIN_RUMMY.view(state, waiting)) == []
    assert lately(GIN_RUMMY.spectator_view(state)) == [(waiting, discards[-1])]
    opening = play(arranged_match(), "pass")
    assert lately(GIN_RUMMY.view(opening, DEALER)) == [(NONDEALER, "pass")]
