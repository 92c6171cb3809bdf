"""Tables of three and four (source 004, Three or Four Players)."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from gin_rules.game import Action, IllegalAction, InvalidRules, Termination
from gin_rules.rulings import RefusedRuling, Ruling
from gin_rules.rummy.cards import parse_cards
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.party import Party
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.seating import seated
from gin_rules.verify import verify
from tests.unit.gin_rules.dealing import ArrangedDeals, arranged_deck
from tests.unit.gin_rules.playing import recorded

TEN = "4c 5c 6c Jd Js Jh 2d 2h 2s Ah"  # 1 deadwood
WEAK = "As 3h 5d 6h 7d 8h Tc Ts Kd Kh"  # 70, lays off nothing on TEN
NONDEALER_WINS = arranged_deck(TEN, WEAK, "Qs", "Kc")
WIN = ("pass", "pass", "draw", "knock Kc")
"""The nondealer of NONDEALER_WINS knocks: 69 points."""


def table(seats: int, *, first_dealer: int | None = 0, cuts: tuple[tuple[Any, ...], ...] = (), **rules: Any) -> Party:
    deals = ArrangedDeals((NONDEALER_WINS,), cuts)
    party = GIN_RUMMY.new_match(GIN_RUMMY.rules_from_json(rules), seats, deals, first_dealer=first_dealer)
    assert isinstance(party, Party)
    return party


def play(party: Party, *actions: str) -> Party:
    for action in actions:
        party = GIN_RUMMY.apply(party, Action(action))  # type: ignore[assignment]
    return party


def both(*actions: str) -> list[str]:
    """The same actions in the two hands of a round, which take turns."""
    return [action for action in actions for _ in range(2)]


def test_one_of_three_sits_out_each_hand_in_turn() -> None:
    party = table(3, preset="rotation3", target=1000)
    out = []
    for _ in range(6):
        (board,) = party.boards
        out += [seat for seat in range(3) if seat not in board.players]
        party = play(party, *WIN)
    assert out == [2, 0, 1, 2, 0, 1]


def test_deal_goes_round_the_three_also_after_a_hand_without_score() -> None:
    party = table(3, first_dealer=1, preset="rotation3", hand_turn_cap=2)
    dealers = []
    for _ in range(4):
        dealers.append(party.boards[0].players[0])
        party = play(party, "pass", "pass", "draw", "discard Kc", "draw", "discard Ac")
    assert dealers == [1, 2, 0, 1]
    assert {result.ended for result in party.results} == {"turns"}


def test_three_keep_own_totals_and_the_first_to_the_target_wins() -> None:
    party = table(3, preset="rotation3", target=138)
    totals = []
    while GIN_RUMMY.to_act(party) is not None:
        party = play(party, *WIN)
        totals.append(GIN_RUMMY.totals(party))
    assert totals == [(0, 69, 0), (0, 69, 69), (69, 69, 69), (69, 138, 69)]
    outcome = GIN_RUMMY.outcome(party)
    assert outcome is not None
    assert (outcome.winner, outcome.termination, outcome.hands_won) == (1, Termination.TARGET, (1, 2, 1))


def test_two_hands_are_open_at_once_and_take_turns() -> None:
    party = table(4, preset="pairs4")
    acted = []
    for action in both(*WIN[:3]):
        acted.append(GIN_RUMMY.to_act(party))
        party = play(party, action)
    assert acted == [1, 2, 0, 3, 1, 2]
    assert [len(board.hand.history) for board in party.boards] == [3, 3]


def test_partners_play_one_opponent_each_and_each_side_deals_one_hand() -> None:
    assert [seated(RuleSet(seating="pairs4"), 0, number) for number in (1, 2)] == [
        ((0, 1), (3, 2)),
        ((1, 0), (2, 3)),
    ]


def test_scores_of_partners_are_added_after_each_pair_of_hands() -> None:
    party = play(table(4, preset="pairs4", target=200), *both(*WIN))
    assert GIN_RUMMY.totals(party) == (69, 69, 69, 69)
    assert [result.points for result in party.results] == [(0, 69, 0, 0), (0, 0, 69, 0)]
    assert [result.totals for result in party.results] == [(0, 69, 0, 69), (69, 69, 69, 69)]


def test_partnership_match_is_decided_when_both_hands_of_the_pair_are_over() -> None:
    party = play(table(4, preset="pairs4", target=60), *both(*WIN[:3]), "knock Kc")
    assert GIN_RUMMY.totals(party) == (0, 69, 0, 69)
    assert GIN_RUMMY.outcome(party) is None
    party = play(party, "discard Kc", "draw", "discard Ac", "draw")
    assert GIN_RUMMY.outcome(party) is None
    assert GIN_RUMMY.to_act(party) == 2


def test_partnership_wins_together() -> None:
    party = table(4, preset="pairs4", fixed_hands=2, match_bonuses="traditional")
    party = play(party, *both(*WIN[:3]), "knock Kc", "discard 4c")
    while GIN_RUMMY.to_act(party) is not None:
        drawn = GIN_RUMMY.legal_actions(party)
        party = play(party, "draw" if "draw" in drawn else next(a for a in drawn if a.startswith("discard")))
    outcome = GIN_RUMMY.outcome(party)
    assert outcome is not None
    assert (outcome.winner, outcome.totals) == (1, (0, 69, 0, 69))
    assert outcome.final_scores == (0, 69 + 25 + 200, 0, 69 + 25 + 200)


def test_partnerships_with_equal_totals_draw() -> None:
    outcome = GIN_RUMMY.outcome(play(table(4, preset="pairs4", fixed_hands=2), *both(*WIN)))
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (None, Termination.FIXED_HANDS)


def test_four_change_opponents_every_round_and_meet_all_alike() -> None:
    rounds = [seated(RuleSet(seating="rotation4"), 0, number) for number in range(1, 7)]
    assert all(sorted(one + other) == [0, 1, 2, 3] for one, other in rounds)
    met = Counter(tuple(sorted(players)) for hands in rounds for players in hands)
    assert set(met.values()) == {2}
    assert len(met) == 6
    assert set(Counter(dealer for hands in rounds for dealer, _ in hands).values()) == {3}
    assert len({players for hands in rounds for players in hands}) == 12, "who deals changes when a pair meets again"
    opponents = [{frozenset(players) for players in hands} for hands in rounds]
    assert all(before != after for before, after in pairwise(opponents))


def test_four_keep_own_totals_and_an_equal_lead_plays_on() -> None:
    party = play(table(4, preset="rotation4", target=60), *both(*WIN))
    assert GIN_RUMMY.totals(party) == (0, 69, 0, 69)
    assert GIN_RUMMY.outcome(party) is None, "two lead with the same total"
    party = play(party, *both(*WIN))
    assert GIN_RUMMY.totals(party) == (69, 69, 0, 138)
    outcome = GIN_RUMMY.outcome(party)
    assert outcome is not None
    assert outcome.winner == 3


@pytest.mark.parametrize("preset", ["rotation3", "pairs4", "rotation4"])
def test_first_dealer_is_honoured_at_every_table(preset: str) -> None:
    seats = 3 if preset == "rotation3" else 4
    for dealer in range(seats):
        assert dealer in [board.players[0] for board in table(seats, first_dealer=dealer, preset=preset).boards]


def test_lowest_of_all_cuts_deals_and_a_tie_for_it_is_cut_again() -> None:
    cuts = tuple(parse_cards(text) for text in ("2c 2d Kc", "9c 9d 3h"))
    party = table(3, first_dealer=None, cuts=cuts, preset="rotation3")
    assert (party.first_dealer, len(party.cuts)) == (2, 2)
    cuts = (parse_cards("9c 9d 3h"),)
    assert len(table(3, first_dealer=None, cuts=cuts, preset="rotation3").cuts) == 1, "the tie is not for the lowest"


@pytest.mark.parametrize(
    ("preset", "seats"), [("standard", 3), ("standard", 4), ("rotation3", 2), ("rotation3", 4), ("pairs4", 2)]
)
def test_every_seating_has_its_number_of_seats(preset: str, seats: int) -> None:
    with pytest.raises(InvalidRules) as refused:
        GIN_RUMMY.new_match(
            GIN_RUMMY.rules_from_json({"preset": preset}), seats, ArrangedDeals((NONDEALER_WINS,), ()), first_dealer=0
        )
    assert refused.value.field == "seats"


def test_player_sees_the_own_hand_only_and_who_sits_out_sees_none() -> None:
    party = play(table(4, preset="pairs4"), "pass")
    view = GIN_RUMMY.view(party, 2)
    assert view.table is not None
    assert (view.players, view.seat, view.table.seat, view.table.to_act) == ((3, 2), 1, 2, 2)
    assert view.hand == tuple(sorted(parse_cards(TEN)))
    assert view.legal_actions == ("pass", "take")
    assert [hand.hand for hand in view.table.hands] == [(), ()]
    waiting = GIN_RUMMY.view(party, 0)
    assert (waiting.to_act, waiting.legal_actions) == (None, ())
    out = GIN_RUMMY.view(table(3, preset="rotation3"), 2)
    assert out.table is not None
    assert (out.seat, out.hand, out.table.seat) == (None, (), 2)
    assert json.dumps(GIN_RUMMY.view_to_json(view))
    with pytest.raises(ValueError, match="seat 3"):
        GIN_RUMMY.view(table(3, preset="rotation3"), 3)


def test_match_at_a_larger_table_that_is_over_takes_no_action() -> None:
    party = play(table(3, preset="rotation3", fixed_hands=1), *WIN)
    assert (GIN_RUMMY.to_act(party), GIN_RUMMY.legal_actions(party)) == (None, ())
    assert GIN_RUMMY.spectator_view(party).outcome is not None
    with pytest.raises(IllegalAction, match="over"):
        play(party, "draw")


@pytest.mark.parametrize(("preset", "seats"), [("rotation3", 3), ("pairs4", 4), ("rotation4", 4)])
def test_record_of_a_larger_table_holds(preset: str, seats: int) -> None:
    record = recorded({"preset": preset}, seats=seats, first_dealer=seats - 1)
    assert verify(record) is None
    assert record.outcome is not None
    assert len(record.outcome.totals) == seats
    assert len(record.decks) == len(record.scores)


def ruling(kind: Any, hand: int, points: tuple[int, ...] | None = None, reason: str = "") -> Ruling:
    return Ruling(kind, hand, points, reason, "Arbiter")


def test_misdeal_at_one_of_two_hands_is_dealt_again_alone() -> None:
    party = play(table(4, preset="pairs4"), "pass")
    again = GIN_RUMMY.rule(party, ruling("redeal", 2))
    assert isinstance(again, Party)
    assert again.boards[0] == party.boards[0]
    assert again.boards[1].hand.hands != party.boards[1].hand.hands
    assert again.boards[1].players == party.boards[1].players
    assert len(GIN_RUMMY.decks(again)) == 3
    with pytest.raises(RefusedRuling, match="begun"):
        GIN_RUMMY.rule(party, ruling("redeal", 1))


def test_voided_hand_at_a_larger_table_scores_nothing_and_the_seating_goes_on() -> None:
    party = GIN_RUMMY.rule(play(table(3, preset="rotation3"), "pass"), ruling("void_hand", 1, reason="cards shown"))
    assert isinstance(party, Party)
    assert [(result.ended, result.points) for result in party.results] == [("void", (0, 0, 0))]
    assert party.boards[0].players == (1, 2)


def test_correction_at_a_larger_table_is_free_until_the_next_round_begins() -> None:
    party = play(table(3, preset="rotation3"), *WIN)
    corrected = GIN_RUMMY.rule(party, ruling("correct", 1, (0, 60, 0)))
    assert GIN_RUMMY.totals(corrected) == (0, 60, 0)
    with pytest.raises(RefusedRuling, match="reason"):
        GIN_RUMMY.rule(play(party, "pass"), ruling("correct", 1, (0, 60, 0)))
    late = GIN_RUMMY.rule(play(party, "pass"), ruling("correct", 1, (0, 60, 0), "a card was counted twice"))
    assert GIN_RUMMY.totals(late) == (0, 60, 0)
    with pytest.raises(RefusedRuling, match="who played"):
        GIN_RUMMY.rule(party, ruling("correct", 1, (0, 0, 9)))
    over = GIN_RUMMY.rule(party, ruling("correct", 1, (0, 100, 0)))
    assert GIN_RUMMY.outcome(over) is not None
    assert GIN_RUMMY.outcome(GIN_RUMMY.rule(over, ruling("correct", 1, (0, 99, 0)))) is None


def test_hand_at_a_larger_table_that_is_over_cannot_be_voided() -> None:
    party = play(table(4, preset="pairs4"), *both(*WIN[:3]), "knock Kc")
    for number in (1, 3):
        with pytest.raises(RefusedRuling, match="not being played"):
            GIN_RUMMY.rule(party, ruling("void_hand", number, reason="why"))
    over = GIN_RUMMY.rule(party, ruling("void_match", 0, reason="the hall burned down"))
    assert GIN_RUMMY.to_act(over) is None
    with pytest.raises(RefusedRuling, match="void"):
        GIN_RUMMY.rule(over, ruling("void_hand", 2, reason="why"))
