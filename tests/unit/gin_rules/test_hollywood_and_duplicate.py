"""Three games scored at once, a fixed number of hands, and tables that play the same cards."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest

from gin_rules.duplicate import NotDuplicate, verify_duplicate
from gin_rules.game import Termination
from gin_rules.record import MatchRecord, record_match
from gin_rules.replay import replay
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.scoring import after_hand, games_by_hand, outcome, standing
from gin_rules.rummy.state import Correction, HandResult
from gin_rules.verify import verify
from tests.unit.gin_rules.dealing import arranged_deck, match_of, play
from tests.unit.gin_rules.playing import recorded


def hands(*points: tuple[int, int]) -> list[HandResult]:
    """Hands with these points; (0, 0) is a hand without score."""
    found = []
    for number, pair in enumerate(points, 1):
        winner = None if pair == (0, 0) else pair.index(max(pair))
        ended = "stock" if winner is None else "knock"
        found.append(HandResult(number, 0, ended, winner, winner, pair, (), (), None, None, 9))
    return found


def games(rules: RuleSet, *points: tuple[int, int]) -> list[tuple[int, ...]]:
    return [sheet.points for sheet in standing(rules, 2, hands(*points)).sheets]


HOLLYWOOD = RuleSet(scoring="hollywood")


@pytest.mark.parametrize(
    "rules",
    [
        RuleSet(),
        RuleSet(target=60, win_margin=20),
        RuleSet(fixed_hands=3),
        RuleSet(match_hand_cap=4),
        HOLLYWOOD,
    ],
)
@pytest.mark.parametrize("corrections", [(), (Correction(1, (0, 45)),)])
def test_scoring_hand_by_hand_gives_the_standing_of_all_hands(
    rules: RuleSet, corrections: tuple[Correction, ...]
) -> None:
    played = hands((30, 0), (0, 0), (0, 50), (40, 0), (0, 45), (60, 0))
    totals: tuple[int, ...] = (0, 0)
    for count in range(1, len(played) + 1):
        totals, termination = after_hand(rules, 2, totals, played[:count], corrections)
        found = standing(rules, 2, played[:count], corrections)
        assert (totals, termination) == (found.totals, found.termination)


def test_first_win_counts_in_one_game_the_second_in_two_later_ones_in_three() -> None:
    assert games(HOLLYWOOD, (10, 0)) == [(10, 0), (0, 0), (0, 0)]
    assert games(HOLLYWOOD, (10, 0), (20, 0)) == [(30, 0), (20, 0), (0, 0)]
    assert games(HOLLYWOOD, (10, 0), (20, 0), (5, 0), (7, 0)) == [(42, 0), (32, 0), (12, 0)]


def test_wins_of_each_player_are_counted_apart_and_dead_hands_not_at_all() -> None:
    assert games(HOLLYWOOD, (10, 0), (0, 0), (0, 8), (20, 0), (0, 9)) == [(30, 17), (20, 9), (0, 0)]


def test_game_that_is_over_takes_no_more_points_and_a_shut_out_player_begins_in_the_next() -> None:
    assert games(HOLLYWOOD, (60, 0), (60, 0), (0, 30), (0, 5)) == [(120, 0), (60, 35), (0, 5)]


def test_hollywood_match_is_over_when_all_three_games_are() -> None:
    two = standing(HOLLYWOOD, 2, hands((60, 0), (60, 0), (50, 0)))
    assert [sheet.over for sheet in two.sheets] == [True, True, False]
    assert two.termination is None
    three = standing(HOLLYWOOD, 2, hands((60, 0), (60, 0), (50, 0), (50, 0)))
    assert (three.termination, three.totals) == (Termination.TARGET, (120 + 110 + 100, 0))


def test_hollywood_total_is_the_sum_of_the_games_and_bonuses_are_paid_in_each() -> None:
    deck = arranged_deck("4c 5c 6c Jd Js Jh 2d 2h 2s Ah", "As 3h 5d 6h 7d 8h Tc Ts Kd Kh", "Qs", "Kc")
    state = match_of([deck], preset="hollywood", target=60, match_bonuses="traditional")
    seen = []
    while GIN_RUMMY.to_act(state) is not None:
        state = play(state, "pass", "pass", "draw", "knock Kc")
        seen.append(GIN_RUMMY.view(state, 0).games)
    assert seen == [
        ((0, 69), (0, 0), (0, 0)),
        ((0, 69), (69, 0), (0, 0)),
        ((0, 69), (69, 0), (0, 69)),
    ], "each win of 69 points ends a game; seat 0 was shut out of the first"
    outcome = GIN_RUMMY.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.totals) == (1, (69, 138))
    assert outcome.final_scores == (69 + 225, 138 + 2 * 225)


def test_hollywood_margin_is_asked_in_each_game() -> None:
    rules = replace(HOLLYWOOD, win_margin=50)
    found = standing(rules, 2, hands((0, 60), (101, 0)))
    assert not found.sheets[0].over
    assert standing(HOLLYWOOD, 2, hands((0, 60), (101, 0))).sheets[0].over


def test_record_of_a_hollywood_match_holds() -> None:
    record = recorded({"preset": "hollywood", "target": 50})
    assert verify(record) is None
    assert record.outcome is not None
    assert record.outcome.termination is Termination.TARGET


@lru_cache(maxsize=8)
def table(match_id: str, bots: str = "simple", bot_seed: int = 7) -> MatchRecord:
    return recorded(
        {"fixed_hands": 4},
        match_id=match_id,
        deal_id="round 1, board 7",
        first_dealer=0,
        entropy=(b"shared", b""),
        bots=bots,
        bot_seed=bot_seed,
    )


def swapped(record: MatchRecord) -> MatchRecord:
    """The same play with the players exchanged."""
    assert record.seed is not None
    assert record.salt is not None
    return record_match(
        game=GIN_RUMMY,
        rules=GIN_RUMMY.rules_from_json(record.rules),
        match_id=record.match_id,
        deal_id=record.deal_id,
        seats=tuple(reversed(record.seats)),
        commitment=record.commitment,
        entropy=record.entropy,
        seed=record.seed,
        salt=record.salt,
        actions=record.actions,
        first_dealer=record.first_dealer,
    )


def test_duplicate_tables_deal_the_same_cards_to_exchanged_players() -> None:
    one, other = table("t-1"), swapped(table("t-2", "random", 3))
    assert one.decks == other.decks
    assert one.seats == tuple(reversed(other.seats))
    assert next(replay(one)).hands == next(replay(other)).hands
    assert one.actions != other.actions
    assert verify_duplicate([one, other]) is None


def test_seat_deals_the_same_hands_at_every_duplicate_table() -> None:
    dealers = []
    for record in (table("t-1"), table("t-2", "random", 3)):
        *_, last = replay(record)
        dealers.append([result.dealer for result in GIN_RUMMY.hand_results(last)])
    assert dealers == [[0, 1, 0, 1]] * 2


def test_wrong_table_among_duplicates_is_named() -> None:
    wrong = replace(table("t-2", "random", 3), outcome=None)
    found = verify_duplicate([table("t-1"), wrong])
    assert found is not None
    assert (found[0], found[1].what) == (1, "outcome")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"deal_id": "another"}, "deal_id"),
        ({"seed": bytes(32)}, "seed"),
        ({"entropy": (b"", b"")}, "entropy"),
        ({"first_dealer": 1}, "first_dealer"),
    ],
)
def test_tables_that_do_not_share_their_cards_are_no_duplicates(change: dict[str, object], why: str) -> None:
    other: MatchRecord = replace(table("t-1"), **change)  # type: ignore[arg-type]
    with pytest.raises(NotDuplicate, match=why):
        verify_duplicate([table("t-1"), other])


def test_duplicates_need_a_fixed_number_of_hands_an_alternating_deal_and_an_agreed_dealer() -> None:
    for record, why in (
        (recorded({"target": 20}, first_dealer=0), "fixed number"),
        (recorded({"fixed_hands": 2, "dealer": "loser"}, first_dealer=0), "alternating"),
        (recorded({"fixed_hands": 2}), "first dealer"),
    ):
        with pytest.raises(NotDuplicate, match=why):
            verify_duplicate([record, record])


def test_hollywood_of_a_thousand_hands_enters_each_in_every_open_game() -> None:
    rules = RuleSet(scoring="hollywood", target=1000, win_margin=1000, match_hand_cap=1000)
    found = standing(rules, 2, hands(*[(5, 0), (0, 5)] * 500))
    # Each side's first win counts in one game, the second in two.
    assert [sheet.points for sheet in found.sheets] == [(2500, 2500), (2495, 2495), (2490, 2490)]
    assert [sheet.wins for sheet in found.sheets] == [(500, 500), (499, 499), (498, 498)]
    assert found.termination is Termination.HAND_CAP
    last, one = games_by_hand(rules, 2, hands(*[(5, 0), (0, 5)] * 500), ())[-1], hands((5, 0))
    assert last == tuple(sheet.points for sheet in found.sheets)
    assert games_by_hand(rules, 2, one, [Correction(1, (0, 7))]) == [((0, 7), (0, 0), (0, 0))]
    assert games_by_hand(RuleSet(), 2, one, ()) == [()]


def test_shutout_at_a_larger_table_means_that_nobody_else_scored() -> None:
    rules = RuleSet(seating="rotation3", match_bonuses="traditional")

    def final(*points: tuple[int, int, int]) -> tuple[int, ...]:
        found = [
            HandResult(number, 0, "knock", seat, seat, each, (0, 0, 0), (), None, None, 9)
            for number, each in enumerate(points, 1)
            for seat in [each.index(max(each))]
        ]
        return outcome(rules, 3, found, (), Termination.TARGET).final_scores

    assert final((100, 0, 0)) == (100 + 25 + 100 + 100, 0, 0)
    assert final((0, 5, 0), (100, 0, 0)) == (100 + 25 + 100, 5 + 25, 0)


def test_gin_that_a_correction_gives_to_the_other_player_is_no_gin_any_more() -> None:
    gin = hands((40, 0))[0]._replace(ended="gin")
    undercut = hands((0, 30))[0]._replace(number=2, ended="undercut")

    def counts(*corrections: Correction) -> tuple[tuple[int, ...], ...]:
        found = outcome(RuleSet(fixed_hands=2), 2, [gin, undercut], corrections, Termination.FIXED_HANDS)
        return found.hands_won, found.gins, found.undercuts

    assert counts() == ((1, 1), (1, 0), (0, 1))
    assert counts(Correction(1, (45, 0)), Correction(2, (0, 25))) == ((1, 1), (1, 0), (0, 1))
    assert counts(Correction(1, (0, 7)), Correction(2, (3, 0))) == ((1, 1), (0, 0), (0, 0))
