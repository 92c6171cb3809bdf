"""Swiss pairing, rule by rule."""

from __future__ import annotations

import pytest

from gin_tournament.acceleration import baku
from gin_tournament.errors import InvalidEntrantsError, InvalidHistoryError, InvalidRequestError
from gin_tournament.model import Bye, ByeKind, DecidedPairing, Entrant, EntrantId, Outcome, Pairing, Round
from gin_tournament.swiss import CannotPair, Choice, Paired, Reason, pair_round

WIN, DRAW, LOSS = Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS


def field(count: int) -> list[Entrant]:
    return [Entrant(EntrantId(f"e{seed}"), seed) for seed in range(1, count + 1)]


def name(seed: int) -> EntrantId:
    return EntrantId(f"e{seed}")


def scored(number: int, *games: tuple[int, Outcome, int], byes: tuple[tuple[int, ByeKind], ...] = ()) -> Round:
    return Round(
        number,
        tuple(DecidedPairing(Pairing(name(a), name(b)), outcome) for a, outcome, b in games),
        tuple(Bye(name(seed), kind) for seed, kind in byes),
    )


def paired(answer: Paired | CannotPair) -> Paired:
    assert isinstance(answer, Paired)
    return answer


def seeds(answer: Paired | CannotPair) -> list[tuple[int, int]]:
    """Pairs by seed, lower number first, in table order."""
    tables = paired(answer).pairings
    return [(min(pair), max(pair)) for pair in ((int(a[1:]), int(b[1:])) for a, b in tables)]


def test_first_round_pairs_the_top_half_with_the_bottom_half_in_seed_order() -> None:
    assert seeds(pair_round(field(8), (), round_number=1)) == [(1, 5), (2, 6), (3, 7), (4, 8)]


def test_first_round_deals_alternate_from_table_to_table() -> None:
    tables = paired(pair_round(field(8), (), round_number=1, seed=1)).pairings
    assert [pair.first for pair in tables] == [name(1), name(6), name(3), name(8)]
    other = paired(pair_round(field(8), (), round_number=1, seed=2)).pairings
    assert [pair.first for pair in other] == [name(5), name(2), name(7), name(4)]


def test_odd_field_gives_the_bye_to_the_lowest_seed_in_the_first_round() -> None:
    answer = paired(pair_round(field(5), (), round_number=1))
    assert answer.bye == Bye(name(5), ByeKind.PAIRING_ALLOCATED)


def test_bye_goes_to_the_lowest_points_before_the_lowest_seed() -> None:
    history = [scored(1, (1, LOSS, 3), (2, LOSS, 4), byes=((5, ByeKind.PAIRING_ALLOCATED),))]
    assert paired(pair_round(field(5), history, round_number=2)).bye == Bye(name(2), ByeKind.PAIRING_ALLOCATED)


def test_win_without_play_leaves_no_claim_to_a_bye() -> None:
    history = [
        scored(1, (1, WIN, 2), (3, Outcome.FIRST_FORFEITS, 4), byes=((5, ByeKind.PAIRING_ALLOCATED),)),
        scored(2, (4, LOSS, 1), (5, LOSS, 3), byes=((2, ByeKind.PAIRING_ALLOCATED),)),
    ]
    # One point each but for entrant 1: 2, 4 and 5 had a free win, so 3 it is.
    assert paired(pair_round(field(5), history, round_number=3)).bye == Bye(name(3), ByeKind.PAIRING_ALLOCATED)


def test_bye_goes_to_fewer_unplayed_rounds_at_equal_points() -> None:
    history = [scored(1, (1, WIN, 2), byes=((3, ByeKind.REQUESTED_ZERO),))]
    assert paired(pair_round(field(3), history, round_number=2)).bye == Bye(name(2), ByeKind.PAIRING_ALLOCATED)


def test_nobody_meets_an_opponent_again() -> None:
    history = [scored(1, (1, DRAW, 3), (2, DRAW, 4))]
    assert seeds(pair_round(field(4), history, round_number=2)) == [(1, 4), (2, 3)]


@pytest.mark.parametrize("outcome", [Outcome.FIRST_FORFEITS, Outcome.DOUBLE_FORFEIT, Outcome.VOID])
def test_pairing_that_was_not_played_may_be_paired_again(outcome: Outcome) -> None:
    history = [scored(1, (1, outcome, 2))]
    assert seeds(pair_round(field(2), history, round_number=2)) == [(1, 2)]


def test_odd_bracket_floats_its_lowest_placed_down() -> None:
    history = [scored(1, (1, WIN, 4), (2, WIN, 5), (3, WIN, 6))]
    answer = seeds(pair_round(field(6), history, round_number=2))
    assert answer[0] == (1, 2)
    assert (3, 5) in answer  # three players 3, 4, 5, 6 fold: 3 with 5, 4 with 6


def test_nobody_floats_down_twice_within_two_rounds_while_another_can() -> None:
    history = [
        scored(1, (1, WIN, 6), (2, WIN, 5), byes=((3, ByeKind.PAIRING_ALLOCATED), (4, ByeKind.REQUESTED_ZERO))),
    ]
    # 3 sank with the bye; without it 3, the lowest placed of the winners, would float.
    answer = seeds(pair_round(field(6), history, round_number=2))
    assert (1, 3) in answer


def test_those_who_dealt_first_meet_those_who_did_not() -> None:
    history = [scored(1, (1, WIN, 8), (2, WIN, 7), (6, LOSS, 3), (5, LOSS, 4))]
    # Among the winners 1 and 2 dealt first, 3 and 4 second: the fold 1-3, 2-4 suits.
    tables = paired(pair_round(field(8), history, round_number=2)).pairings
    assert tables[0] == Pairing(name(3), name(1))
    assert tables[1] == Pairing(name(4), name(2))
    crossed = [scored(1, (1, WIN, 8), (7, LOSS, 2), (3, WIN, 6), (5, LOSS, 4))]
    # Now 1 and 3 dealt first: 1 meets 4, next to his ideal opponent, and 2 meets 3.
    assert seeds(pair_round(field(8), crossed, round_number=2))[:2] == [(1, 4), (2, 3)]


def test_whoever_dealt_first_less_often_deals_first() -> None:
    history = [scored(1, (1, DRAW, 2), (3, DRAW, 4))]
    answer = paired(pair_round(field(4), history, round_number=2))
    assert {pair.first for pair in answer.pairings} == {name(2), name(4)}


def test_equal_balance_is_settled_by_the_latest_round_in_which_deals_differed() -> None:
    history = [
        scored(1, (1, DRAW, 3), (4, DRAW, 2)),
        scored(2, (4, DRAW, 1), (2, DRAW, 3)),
    ]
    tables = paired(pair_round(field(4), history, round_number=3)).pairings
    assert Pairing(name(1), name(2)) in tables  # 2 dealt first last time
    assert Pairing(name(3), name(4)) in tables


def test_first_deals_never_forbid_a_pairing() -> None:
    history = [scored(1, (1, DRAW, 2), (3, DRAW, 4)), scored(2, (1, DRAW, 4), (3, DRAW, 2))]
    assert seeds(pair_round(field(4), history, round_number=3)) == [(1, 3), (2, 4)]


def test_withdrawn_and_requested_byes_sit_out_and_late_entrants_join_with_no_points() -> None:
    history = [scored(1, (1, WIN, 3), (2, WIN, 4))]
    answer = paired(pair_round(field(6), history, round_number=2, withdrawn=[name(3)], requested_byes=[name(4)]))
    assert answer.bye is None
    assert seeds(answer) == [(1, 2), (5, 6)]


def test_forbidden_pair_does_not_meet() -> None:
    answer = pair_round(field(4), (), round_number=1, forbidden_pairs=[(name(3), name(1))])
    assert seeds(answer) == [(1, 4), (2, 3)]


def test_manual_pair_is_kept_with_its_deal_while_the_rest_is_paired() -> None:
    manual = Pairing(name(6), name(1))
    answer = paired(pair_round(field(6), (), round_number=1, manual_pairs=[manual]))
    assert answer.pairings[0] == manual
    assert seeds(answer) == [(1, 6), (2, 4), (3, 5)]


def test_rest_below_is_kept_pairable_even_if_a_bracket_could_pair_itself() -> None:
    # 1 and 2 lead and have not met; 3 and 4 have met: they must be torn apart.
    history = [scored(1, (3, DRAW, 4), byes=((1, ByeKind.PAIRING_ALLOCATED), (2, ByeKind.PAIRING_ALLOCATED)))]
    assert seeds(pair_round(field(4), history, round_number=2)) == [(1, 3), (2, 4)]


def test_floater_who_would_have_to_float_on_stays_though_others_floated_lately() -> None:
    free = ByeKind.PAIRING_ALLOCATED
    history = [
        scored(1, (3, WIN, 4), byes=((1, free), (2, free), (5, free))),
        scored(2, (3, WIN, 5), byes=((1, free), (2, free), (4, free))),
    ]
    # 3 has met both entrants of the next bracket; 1 and 2 sank with their byes, and still 2 must go.
    assert seeds(pair_round(field(6), history, round_number=3)) == [(1, 3), (2, 4), (5, 6)]


def test_two_who_have_met_get_an_answer_with_choices() -> None:
    history = [scored(1, (1, WIN, 2))]
    answer = pair_round(field(2), history, round_number=2)
    assert answer == CannotPair(Reason.NO_LEGAL_PAIRING, (Choice.ALLOW_REMATCH, Choice.END_EARLY))


def test_allowed_rematch_is_made_only_where_needed_and_as_few_as_will_do() -> None:
    history = [scored(1, (1, WIN, 2))]
    answer = paired(pair_round(field(2), history, round_number=2, allow=[Choice.ALLOW_REMATCH]))
    assert seeds(answer) == [(1, 2)]
    assert answer.conceded == (Choice.ALLOW_REMATCH,)
    free = paired(pair_round(field(4), history, round_number=2, allow=[Choice.ALLOW_REMATCH]))
    assert (1, 2) not in seeds(free)
    assert free.conceded == ()


def test_second_bye_needs_leave_when_everybody_had_one() -> None:
    had = tuple((seed, ByeKind.PAIRING_ALLOCATED) for seed in (1, 2, 3))
    history = [scored(1, byes=had)]
    answer = pair_round(field(3), history, round_number=2)
    assert answer == CannotPair(Reason.NO_ELIGIBLE_BYE, (Choice.ALLOW_SECOND_BYE, Choice.END_EARLY))
    granted = paired(pair_round(field(3), history, round_number=2, allow=[Choice.ALLOW_SECOND_BYE]))
    assert granted.bye == Bye(name(3), ByeKind.PAIRING_ALLOCATED)


def test_choices_that_help_only_together_are_marked_so() -> None:
    history = [scored(1, (1, WIN, 2))]
    answer = pair_round(field(2), history, round_number=2, forbidden_pairs=[(name(1), name(2))])
    assert answer == CannotPair(
        Reason.NO_LEGAL_PAIRING,
        (Choice.ALLOW_REMATCH, Choice.LIFT_FORBIDDEN_PAIRS, Choice.END_EARLY),
        together=True,
    )


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_cannot_be_paired(count: int) -> None:
    answer = pair_round(field(count), (), round_number=1)
    assert answer == CannotPair(Reason.TOO_FEW_ENTRANTS, (Choice.END_EARLY,))


def test_baku_acceleration_pairs_the_upper_half_among_itself_at_first() -> None:
    entrants = field(8)
    acceleration = baku(entrants, total_rounds=9)
    assert len(acceleration.first_group) == 4
    answer = pair_round(entrants, (), round_number=1, acceleration=acceleration)
    assert seeds(answer) == [(1, 3), (2, 4), (5, 7), (6, 8)]


def test_baku_virtual_points_fall_to_a_half_and_then_to_nothing() -> None:
    acceleration = baku(field(8), total_rounds=9)
    assert [acceleration.virtual_points(name(1), number) * 2 for number in range(1, 7)] == [2, 2, 2, 1, 1, 0]
    assert acceleration.virtual_points(name(5), 1) == 0


def test_contradictory_input_is_refused() -> None:
    with pytest.raises(InvalidEntrantsError):
        pair_round([Entrant(name(1), 1), Entrant(name(1), 2)], (), round_number=1)
    with pytest.raises(InvalidEntrantsError):
        pair_round(field(2), (), round_number=1, withdrawn=[name(9)])
    with pytest.raises(InvalidHistoryError):
        pair_round(field(4), [scored(1, (1, WIN, 2), (2, WIN, 3))], round_number=2)
    with pytest.raises(InvalidHistoryError):
        pair_round(field(2), [scored(1, (1, WIN, 9))], round_number=2)
    with pytest.raises(InvalidRequestError):
        pair_round(field(4), (), round_number=1, manual_pairs=[Pairing(name(1), name(2)), Pairing(name(2), name(3))])
    with pytest.raises(InvalidRequestError):
        pair_round(field(4), (), round_number=1, manual_pairs=[Pairing(name(1), name(2))], withdrawn=[name(1)])
