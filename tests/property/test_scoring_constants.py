"""Every number of the scoring, pinned by what it does: change one and a test here fails.

The numbers on the right are those of the rule texts (sources 001 and 004) or of our own rule set; none is read from
the product.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gin_rules.game import InvalidRules, Outcome, Termination
from gin_rules.rummy.cards import cards_of, mask_of, parse_cards
from gin_rules.rummy.deadwood import best_discards, is_meld, least_deadwood
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.match import deal_hand
from gin_rules.rummy.rules import PRESETS, RuleSet, rules_from_json
from gin_rules.rummy.scoring import outcome, standing
from gin_rules.rummy.settlement import RefusedKnock, settle
from gin_rules.rummy.state import HandResult
from tests.unit.gin_rules.dealing import ArrangedDeals, arranged_deck, arranged_match, draw_and_throw, play

GIN = "4c 5c 6c Jd Js Jh 2d 2h 2s 3c"
KNOCK = "4c 5c 6c Jd Js Jh 2d 2h 2s Ah"  # 1 deadwood
LOSER = "As 3h 5d 6h 7d 8h Tc Ts Kd Kh"  # 70, lays off nothing on these
EIGHT = "4c 5c 6c Jd Js Jh 2d 2h 2s 8h"
FIVE = "9c 9d 9h Tc Td Th Qd Qh Qc 5s"
OTHER_EIGHT = "9c 9d 9h Tc Td Th Qd Qh Qc 8s"


def points(knocker: str, defender: str, *, preset: str = "standard", **how: Any) -> int:
    rules = PRESETS[preset]
    return settle(parse_cards(knocker), parse_cards(defender), rules, **how).points


def limit(upcard: str, **rules: Any) -> int:
    """The knock limit of a hand with this upcard."""
    (card,) = parse_cards(upcard)
    others = [other for other in cards_of((1 << 52) - 1) if other != card]
    deck = (*others[:20], card, *others[20:])
    return deal_hand(rules_from_json(rules), ArrangedDeals((deck,), ()), number=1, dealer=0).table.limit


def least_stock(stock_end: str) -> int:
    """Cards in the stock after the discard that ends a hand in which everybody draws and throws."""
    state = play(arranged_match(stock_end=stock_end, fixed_hands=1), "pass", "pass")
    while GIN_RUMMY.outcome(state) is None:
        state = draw_and_throw(state, 1)
    return state.stock_size


def draws_before_recycling() -> int:
    """Cards drawn before the pile is turned over."""
    state = play(arranged_match(stock_end="recycle"), "pass", "pass")
    while not state.recycled:
        state = draw_and_throw(state, 1)
    return state.turns


def dead_turns(**rules: Any) -> int:
    """Turns after which a hand that never ends is dead."""
    state = play(arranged_match(stock_end="recycle", fixed_hands=1, **rules), "pass", "pass")
    while GIN_RUMMY.outcome(state) is None:
        state = draw_and_throw(state, 1)
    return state.turns


def some_hands(*hands: tuple[int, int]) -> list[HandResult]:
    found = []
    for number, pair in enumerate(hands, 1):
        winner = None if pair == (0, 0) else pair.index(max(pair))
        ended = "stock" if winner is None else "knock"
        found.append(HandResult(number, 0, ended, winner, winner, pair, (), (), None, None, 9))  # type: ignore[arg-type]
    return found


def ends(rules: RuleSet, *hands: tuple[int, int]) -> Termination | None:
    return standing(rules, 2, some_hands(*hands)).termination


def final(*hands: tuple[int, int]) -> tuple[int, ...]:
    found: Outcome = outcome(PRESETS["traditional"], 2, some_hands(*hands), (), Termination.TARGET)
    return found.final_scores


def value(cards: str) -> int:
    return least_deadwood(parse_cards(cards))


def most_accepted(field: str, most: int, **rules: Any) -> int:
    """The largest value that the rule takes, looked for around `most`."""
    return max(number for number in range(most - 3, most + 4) if accepted(field, number, **rules))


def least_accepted(field: str, least: int, **rules: Any) -> int:
    return min(number for number in range(least - 3, least + 4) if accepted(field, number, **rules))


def accepted(field: str, number: int, **rules: Any) -> bool:
    try:
        RuleSet(**{field: number, **rules})
    except InvalidRules:
        return False
    return True


@pytest.mark.parametrize(
    ("what", "found", "is_"),
    [
        ("gin bonus beside 70 deadwood", lambda: points(GIN, LOSER), 25 + 70),
        ("knock is the difference alone", lambda: points(KNOCK, LOSER), 70 - 1),
        ("undercut bonus beside the difference of three", lambda: points(EIGHT, FIVE), 25 + 3),
        ("undercut bonus of a tie", lambda: points(EIGHT, OTHER_EIGHT), 25),
        (
            "big gin bonus",
            lambda: points(f"{GIN} 3d 3h 3s", LOSER.replace("3h", "5h"), preset="big_gin", big_gin=True),
            31 + 72,
        ),
        ("gin bonus of szwsxs", lambda: points(GIN, LOSER, preset="szwsxs"), 95),
        ("undercut bonus of szwsxs", lambda: points(EIGHT, FIVE, preset="szwsxs"), 28),
        ("knock limit", lambda: limit("Kc"), 10),
        ("knock limit of straight gin", lambda: limit("Kc", preset="straight"), 0),
        ("oklahoma limit of an ace that asks for gin", lambda: limit("Ac", preset="oklahoma"), 0),
        ("oklahoma limit of an ace at one", lambda: limit("Ac", preset="oklahoma", oklahoma_ace="one"), 1),
        ("oklahoma limit of a two", lambda: limit("2c", preset="oklahoma"), 2),
        ("oklahoma limit of a nine", lambda: limit("9c", preset="oklahoma"), 9),
        ("oklahoma limit of a jack", lambda: limit("Jc", preset="oklahoma"), 10),
        ("oklahoma limit of a king", lambda: limit("Kd", preset="oklahoma"), 10),
        ("stock that ends a hand", lambda: least_stock("two"), 2),
        ("stock that ends a longer hand", lambda: least_stock("one"), 1),
        ("stock is empty before the pile is turned over", draws_before_recycling, 31),
        ("turn cap of a hand", dead_turns, 200),
        ("turn cap as agreed", lambda: dead_turns(hand_turn_cap=7), 7),
        ("game bonus and 25 a hand won", lambda: final((200, 0), (0, 30), (60, 0)), (260 + 100 + 50, 30 + 25)),
        ("shutout bonus besides", lambda: final((200, 0), (60, 0)), (260 + 100 + 100 + 50, 0)),
        ("target of the traditional game", lambda: ends(PRESETS["traditional"], (250, 0)), Termination.TARGET),
        ("just below that target", lambda: ends(PRESETS["traditional"], (249, 0)), None),
        ("value of ace and two", lambda: value("Ac 2d"), 3),
        ("values from three to nine", lambda: value("3c 4d 5h 6s 7c 8d 9h"), 42),
        ("values of ten and faces", lambda: value("Tc Jd Qh Ks"), 40),
        ("cards dealt", lambda: [hand.bit_count() for hand in arranged_match().hands], [10, 10]),
        ("stock after the deal", lambda: arranged_match().stock_size, 31),
        ("least cards of a set", lambda: [is_meld(mask_of(parse_cards(s))) for s in ("7c7d", "7c7d7h")], [False, True]),
        ("least cards of a run", lambda: [is_meld(mask_of(parse_cards(s))) for s in ("7c8c", "7c8c9c")], [False, True]),
        ("eleven melded cards leave nothing", lambda: best_discards(parse_cards(f"{GIN} 3d"))[0], 0),
    ],
)  # fmt: skip
def test_number_is_that_of_the_rules(what: str, found: Any, is_: object) -> None:
    assert found() == is_, what


@pytest.mark.parametrize(("name", "target"), [("standard", 100), ("szwsxs", 100), ("straight", 100), ("oklahoma", 100),
    ("big_gin", 100), ("short", 50), ("long", 150), ("rotation3", 100)])  # fmt: skip
def test_target_ends_the_game_and_one_point_less_does_not(name: str, target: int) -> None:
    rules = replace(PRESETS[name], seating="two")
    assert ends(rules, (target, 0)) is Termination.TARGET
    assert ends(rules, (target - 1, 0)) is None


@pytest.mark.parametrize(("preset", "target"), [("rotation3", 100), ("pairs4", 100), ("rotation4", 100)])
def test_target_of_the_larger_tables(preset: str, target: int) -> None:
    assert PRESETS[preset].target == target


@pytest.mark.parametrize("spades", ["none", "deadwood", "all"])
def test_spade_upcard_doubles_by_two(spades: str) -> None:
    rules = rules_from_json({"preset": "oklahoma", "oklahoma_spades": spades})
    gin = settle(parse_cards(GIN), parse_cards(LOSER), rules, spade_upcard=True).points
    undercut = settle(parse_cards(EIGHT), parse_cards(FIVE), rules, spade_upcard=True).points
    assert (gin, undercut) == {"none": (95, 28), "deadwood": (165, 31), "all": (190, 56)}[spades]


def test_knock_with_eleven_deadwood_is_one_too_many() -> None:
    assert settle(parse_cards("4c 5c 6c Jd Js Jh 2d 2h 2s Th"), parse_cards(LOSER), PRESETS["standard"]).result
    with pytest.raises(RefusedKnock):
        settle(parse_cards("4c 5c 6c Jd Js Jh Ad 2h 3s 5d"), parse_cards(LOSER), PRESETS["standard"])


def test_match_without_an_end_is_over_after_three_hundred_hands() -> None:
    assert ends(PRESETS["standard"], *[(0, 0)] * 300) is Termination.HAND_CAP
    assert ends(PRESETS["standard"], *[(0, 0)] * 299) is None


def test_standard_game_asks_for_a_lead_of_one_point_and_no_more() -> None:
    assert ends(PRESETS["standard"], (100, 0), (0, 100)) is None
    assert ends(PRESETS["standard"], (101, 0), (0, 100)) is Termination.TARGET
    margin = replace(PRESETS["standard"], win_margin=10)
    assert ends(margin, (100, 0), (0, 91)) is None
    assert ends(margin, (100, 0), (0, 90)) is Termination.TARGET


def test_hollywood_has_three_games() -> None:
    sheets = standing(PRESETS["hollywood"], 2, some_hands((9, 0), (8, 0), (7, 0), (6, 0))).sheets
    assert [sheet.points for sheet in sheets] == [(30, 0), (21, 0), (13, 0)]
    assert ends(PRESETS["hollywood"], (100, 0), (100, 0)) is None
    assert ends(PRESETS["hollywood"], (100, 0), (100, 0), (100, 0)) is Termination.TARGET
    assert ends(PRESETS["hollywood"], (100, 0), (100, 0), (99, 0)) is None


@pytest.mark.parametrize(
    ("field", "least", "most", "with_"),
    [
        ("target", 1, 1000, {}),
        ("win_margin", 0, 1000, {}),
        ("match_hand_cap", 1, 1000, {}),
        ("knock_limit", 0, 10, {}),
        ("gin_bonus", 0, 100, {}),
        ("undercut_bonus", 0, 100, {}),
        ("big_gin_bonus", 0, 200, {"big_gin": True}),
        ("hand_turn_cap", 2, 1000, {}),
        ("fixed_hands", 1, 1000, {"match_hand_cap": 1000}),
    ],
)
def test_rule_takes_no_number_beyond_its_limits(field: str, least: int, most: int, with_: dict[str, Any]) -> None:
    assert least_accepted(field, least, **with_) == least
    assert most_accepted(field, most, **with_) == most


def test_arranged_hands_are_what_their_names_say() -> None:
    assert [value(hand) for hand in (GIN, KNOCK, LOSER, EIGHT, FIVE, OTHER_EIGHT)] == [0, 1, 70, 8, 5, 8]
    assert arranged_deck()
