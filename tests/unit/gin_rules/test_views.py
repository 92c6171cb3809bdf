"""What players and spectators may know."""

from __future__ import annotations

import json

import pytest

from gin_rules.game import IllegalAction
from gin_rules.rummy.cards import mask_of, parse_card, parse_cards
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.state import State
from gin_rules.rummy.view import AdviceRefused, advise, seen, sightings
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
        assert ("discard 9s" in [each.text for each in seen(view)]) == (pile is not None)


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


OPENING = ("pass", "pass", "draw", "discard 9s", "take", "discard Kc", "draw", "discard Th")


def told(state: State) -> list[str]:
    """The history that everybody sees: `1 take 9s` for a card that seat 1 took from the pile."""
    views = [GIN_RUMMY.view(state, 0), GIN_RUMMY.view(state, 1), GIN_RUMMY.spectator_view(state)]
    histories = [GIN_RUMMY.view_to_json(view)["history"] for view in views]
    assert histories[0] == histories[1] == histories[2]
    texts = []
    for each in histories[0]:
        verb, _, rest = each["text"].partition(" ")
        assert not rest or rest[:2] == each["card"]
        texts.append(" ".join(filter(None, (str(each["seat"]), verb, each["card"]))))
    return texts


def test_history_names_the_cards_of_the_last_turn_alone_where_only_the_top_discard_may_be_seen() -> None:
    state = play(arranged_match(stock="9s 5h"), *OPENING[:4])
    assert told(state) == ["1 pass", "0 pass", "1 draw", "1 discard 9s"]
    state = play(state, "take")
    assert told(state)[3:] == ["1 discard 9s", "0 take 9s"]
    state = play(state, "discard Kc")
    assert told(state)[3:] == ["1 discard 9s", "0 take 9s", "0 discard Kc"]
    state = play(state, "draw")  # the last turn is still the one of seat 0
    assert told(state)[3:] == ["1 discard 9s", "0 take 9s", "0 discard Kc", "1 draw"]
    state = play(state, "discard Th")
    assert told(state)[3:] == ["1 discard", "0 take", "0 discard", "1 draw", "1 discard Th"]


def test_history_names_every_open_card_where_the_pile_may_be_inspected() -> None:
    for rules in ({"discard_view": "spread"}, {"buried_draw": True}):
        state = play(arranged_match(stock="9s 5h", **rules), *OPENING)
        assert told(state)[2:] == [
            "1 draw",
            "1 discard 9s",
            "0 take 9s",
            "0 discard Kc",
            "1 draw",
            "1 discard Th",
        ]


def test_history_names_a_buried_card_that_was_taken() -> None:
    state = arranged_match(stock="3d 5h", buried_draw=True)
    state = play(state, "pass", "pass", "draw", "discard 3d", "draw", "discard 5h", "take 3d")
    assert told(state)[-2:] == ["0 discard 5h", "1 take 3d"]
    assert GIN_RUMMY.view_to_json(GIN_RUMMY.view(state, DEALER))["history"][-1]["text"] == "take 3d"


def test_taken_upcard_is_named_until_the_turn_after_it_is_over() -> None:
    state = play(arranged_match(), "pass", "take")
    assert told(state) == ["1 pass", "0 take Js"]
    state = play(state, "discard Kc", "draw")
    assert told(state) == ["1 pass", "0 take Js", "0 discard Kc", "1 draw"]
    assert told(play(state, "discard Th"))[1:3] == ["0 take", "0 discard"]


def test_history_names_no_card_of_a_pile_that_is_the_stock_now() -> None:
    for rules in ({}, {"discard_view": "spread"}):
        state = draw_and_throw(play(arranged_match(stock_end="recycle", **rules), "pass", "pass"), 31)
        assert state.recycled == 1
        assert [each for each in told(state) if "discard" in each and len(each) > len("0 discard")] == [
            f"{1 - state.turn} {state.history[-1]}"
        ]
        again = draw_and_throw(state, 2)
        named = [each for each in told(again) if "discard" in each and len(each) > len("0 discard")]
        assert len(named) == (1 if not rules else 3)


def test_history_tells_a_knock_and_what_is_laid_off_on_it() -> None:
    knocker, defender = "6c 7c 8c Jd Js Jh 2d 2h 2s 3d", "5c 4c Kc Kd 9h 9s Ah 3s Qs Td"
    state = arranged_match(knocker, defender, "Qc", "Ks", layoffs="manual")
    state = play(state, "pass", "pass", "draw", "knock Ks", "layoff 5c on 6c7c8c")
    written = GIN_RUMMY.view_to_json(GIN_RUMMY.spectator_view(state))["history"]
    assert written[2:] == [
        {"seat": NONDEALER, "text": "draw", "card": None},
        {"seat": NONDEALER, "text": "knock Ks", "card": "Ks"},
        {"seat": DEALER, "text": "layoff 5c on 6c7c8c", "card": None},
    ]


def test_history_begins_anew_with_each_hand() -> None:
    state = draw_and_throw(play(arranged_match(), "pass", "pass"), 29)
    assert (state.table.number, told(state)) == (2, [])
