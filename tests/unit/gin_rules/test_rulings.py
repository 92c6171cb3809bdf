"""Rulings of an arbiter (source 004, Incorrect Deals, Exposed Cards, Score Disputes)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from gin_rules.game import Termination
from gin_rules.record import (
    BrokenReplay,
    InvalidRecord,
    MatchRecord,
    RecordedRuling,
    record_from_text,
    record_to_text,
    replay,
)
from gin_rules.rulings import RefusedRuling, Ruling
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.transcript import read_transcript, transcript
from gin_rules.verify import verify
from tests.unit.gin_rules.dealing import arranged_deck, match_of, play
from tests.unit.gin_rules.playing import recorded

TEN = "4c 5c 6c Jd Js Jh 2d 2h 2s Ah"  # 1 deadwood
WEAK = "As 3h 5d 6h 7d 8h Tc Ts Kd Kh"  # 70, lays off nothing on TEN
NONDEALER_WINS = arranged_deck(TEN, WEAK, "Qs", "Kc")
WIN = ("pass", "pass", "draw", "knock Kc")
"""The nondealer knocks: 69 points."""


def ruling(kind: Any, hand: int, points: tuple[int, ...] | None = None, reason: str = "") -> Ruling:
    return Ruling(kind, hand, points, reason, "Arbiter")


def rule(state: Any, *rulings: Ruling) -> Any:
    for one in rulings:
        state = GIN_RUMMY.rule(state, one)
    return state


def after_hands(count: int, **rules: Any) -> Any:
    state = match_of([NONDEALER_WINS], **rules)
    for _ in range(count):
        state = play(state, *WIN)
    return state


def test_last_score_is_corrected_freely_until_the_next_hand_begins() -> None:
    state = rule(after_hands(1), ruling("correct", 1, (0, 60)), ruling("correct", 1, (0, 61)))
    assert GIN_RUMMY.totals(state) == (0, 61)
    view = GIN_RUMMY.view_to_json(GIN_RUMMY.view(state, 0))
    assert view["totals"] == [0, 61]
    assert view["corrections"] == [{"hand": 1, "points": [0, 60]}, {"hand": 1, "points": [0, 61]}]


def test_later_corrections_need_a_reason() -> None:
    begun = play(after_hands(1), "pass")
    for reason in ("", "  "):
        with pytest.raises(RefusedRuling, match="reason"):
            rule(begun, ruling("correct", 1, (0, 60), reason))
    assert GIN_RUMMY.totals(rule(begun, ruling("correct", 1, (0, 60), "the ace was not counted"))) == (0, 60)
    with pytest.raises(RefusedRuling, match="reason"):
        rule(after_hands(2, target=200), ruling("correct", 1, (0, 60)))


def test_correction_is_added_and_the_score_stays_as_it_was_counted() -> None:
    state = rule(after_hands(1), ruling("correct", 1, (0, 60)))
    (result,) = GIN_RUMMY.hand_results(state)
    assert (result.points, result.totals) == ((0, 69), (0, 69))
    assert GIN_RUMMY.hand_results(play(state, *WIN))[1].totals == (69, 60)


def test_last_score_of_a_finished_match_is_corrected_freely_and_may_reopen_it() -> None:
    over = after_hands(1, target=69)
    assert GIN_RUMMY.outcome(over) is not None
    state = rule(over, ruling("correct", 1, (0, 68)))
    assert GIN_RUMMY.outcome(state) is None
    assert (state.table.number, state.table.dealer, GIN_RUMMY.totals(state)) == (2, 1, (0, 68))


def test_correction_between_hands_may_end_the_match_and_take_it_back() -> None:
    state = after_hands(1)
    over = rule(state, ruling("correct", 1, (0, 100)))
    outcome = GIN_RUMMY.outcome(over)
    assert outcome is not None
    assert (outcome.winner, outcome.termination, outcome.totals) == (1, Termination.TARGET, (0, 100))
    again = rule(over, ruling("correct", 1, (0, 99)))
    assert GIN_RUMMY.to_act(again) == 0
    assert again.hands == state.hands


def test_correction_in_the_middle_of_a_hand_counts_when_that_hand_is_over() -> None:
    state = rule(play(after_hands(1), "pass"), ruling("correct", 1, (0, 100), "the bonus was forgotten"))
    assert GIN_RUMMY.outcome(state) is None
    over = play(state, "pass", "draw", "knock Kc")
    outcome = GIN_RUMMY.outcome(over)
    assert outcome is not None
    assert (outcome.winner, outcome.totals) == (1, (69, 100))


def test_correction_that_moves_the_win_moves_the_hand_and_the_deal() -> None:
    state = rule(after_hands(1, dealer="winner"), ruling("correct", 1, (28, 0)))
    assert state.table.dealer == 0
    state = rule(after_hands(1, fixed_hands=1), ruling("correct", 1, (28, 0)))
    outcome = GIN_RUMMY.outcome(state)
    assert outcome is not None
    assert (outcome.hands_won, outcome.undercuts, outcome.winner) == ((1, 0), (0, 0), 0)
    none = GIN_RUMMY.outcome(rule(state, ruling("correct", 1, (0, 0))))
    assert none is not None
    assert (none.hands_won, none.winner) == ((0, 0), None)


@pytest.mark.parametrize(
    ("points", "why"),
    [((0, 69), "already"), ((5, 5), "only one"), ((0, -1), "below zero"), ((0, 0, 9), "each seat"), (None, "names")],
)
def test_score_that_a_hand_cannot_have_is_refused(points: tuple[int, ...] | None, why: str) -> None:
    with pytest.raises(RefusedRuling, match=why):
        rule(after_hands(1), ruling("correct", 1, points))


def test_only_hands_that_are_over_are_corrected() -> None:
    for hand in (2, 3):
        with pytest.raises(RefusedRuling, match="not over"):
            rule(after_hands(1), ruling("correct", hand, (0, 5)))
    with pytest.raises(RefusedRuling, match="names the hand"):
        rule(after_hands(1), ruling("correct", 0, (0, 5)))


def test_misdeal_found_before_the_first_play_is_dealt_again_by_the_same_dealer() -> None:
    state = after_hands(1)
    again = rule(state, ruling("redeal", 2))
    assert (again.table.dealer, again.table.number, again.turn) == (1, 2, 0)
    assert again.hands != state.hands
    assert GIN_RUMMY.totals(again) == (0, 69)
    twice = rule(again, ruling("redeal", 2))
    assert len(GIN_RUMMY.decks(twice)) == 4


def test_correction_after_a_redeal_keeps_the_new_cards() -> None:
    again = rule(after_hands(1), ruling("redeal", 2))
    assert rule(again, ruling("correct", 1, (0, 60))).hands == again.hands


def test_hand_that_has_begun_is_not_dealt_again() -> None:
    with pytest.raises(RefusedRuling, match="begun"):
        rule(play(after_hands(1), "pass"), ruling("redeal", 2))
    for hand in (1, 3):
        with pytest.raises(RefusedRuling, match="not being played"):
            rule(after_hands(1), ruling("redeal", hand))


def test_voided_hand_has_no_score_and_the_same_dealer_deals_again() -> None:
    state = rule(play(after_hands(1), "pass", "pass", "draw"), ruling("void_hand", 2, reason="the stock fell over"))
    assert (state.table.number, state.table.dealer) == (3, 1)
    assert GIN_RUMMY.hand_results(state)[1].ended == "void"
    assert GIN_RUMMY.hand_results(state)[1].hands is None


def test_voided_hand_is_none_of_a_fixed_number() -> None:
    state = rule(after_hands(1, fixed_hands=2), ruling("void_hand", 2, reason="why"))
    assert GIN_RUMMY.outcome(state) is None
    assert GIN_RUMMY.outcome(play(state, *WIN)) is not None


def test_void_match_is_over_and_won_by_nobody() -> None:
    state = rule(play(after_hands(1), "pass"), ruling("void_match", 0, reason="wrong opponents"))
    outcome = GIN_RUMMY.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.termination, outcome.totals) == (None, Termination.VOID, (0, 69))
    with pytest.raises(RefusedRuling, match="void"):
        rule(state, ruling("correct", 1, (0, 60), "why"))


@pytest.mark.parametrize("kind", ["void_hand", "void_match"])
def test_to_void_needs_a_reason(kind: str) -> None:
    with pytest.raises(RefusedRuling, match="reason"):
        rule(after_hands(1), ruling(kind, 2 if kind == "void_hand" else 0))


def test_only_a_correction_names_points() -> None:
    with pytest.raises(RefusedRuling, match="points"):
        rule(after_hands(1), ruling("redeal", 2, (1, 0)))


def busy_arbiter(state: Any, actions: int) -> Sequence[Ruling]:
    """A redeal at the start, a free correction, a reasoned one, a voided hand."""
    results = GIN_RUMMY.hand_results(state)
    if actions == 0:
        return [ruling("redeal", 1)]
    if len(results) == 1 and not state.history:
        winner = results[0].winner or 0
        return [ruling("correct", 1, (40, 0) if winner == 0 else (0, 40))]
    if len(results) == 1 and len(state.history) == 3:
        return [ruling("void_hand", 2, reason="a card lay on the floor")]
    if len(results) == 2 and len(state.history) == 2:
        return [ruling("correct", 1, (41, 0), "counted again")]
    return []


def ruled() -> MatchRecord:
    return recorded({}, arbiter=busy_arbiter)


def test_record_with_rulings_holds_and_round_trips() -> None:
    record = ruled()
    assert [entry.ruling.kind for entry in record.rulings] == ["redeal", "correct", "void_hand", "correct"]
    assert verify(record) is None
    assert record_from_text(record_to_text(record)) == record
    assert read_transcript(transcript(record)) == record
    assert len(list(replay(record))) == len(record.actions) + 5
    assert len(record.decks) == len(record.scores) + 1


def changed(record: MatchRecord, index: int, **changes: Any) -> MatchRecord:
    rulings = list(record.rulings)
    rulings[index] = replace(rulings[index], **changes)
    return replace(record, rulings=tuple(rulings))


def found(record: MatchRecord) -> tuple[str, int]:
    finding = verify(record)
    assert finding is not None
    return finding[:2]


def test_first_ruling_that_does_not_follow_is_found() -> None:
    record = ruled()
    assert found(changed(record, 1, ruling=ruling("correct", 1, (0, 99)))) == ("ruling", 2)
    assert found(changed(record, 1, totals=(1, 2))) == ("ruling", 2)
    assert found(changed(record, 3, ruling=replace(record.rulings[3].ruling, reason=""))) == ("ruling", 4)
    assert found(changed(record, 2, at=record.rulings[0].at - timedelta(days=1))) == ("ruling", 3)
    assert found(changed(record, 3, after=10_000)) == ("ruling", 4)
    assert found(changed(record, 3, after=-1)) == ("ruling", 4)
    assert found(replace(record, rulings=record.rulings[1:]))[0] == "action"
    reason = replace(record.rulings[3].ruling, reason="another")
    assert found(changed(record, 3, ruling=reason)) == ("seal", 0)


def test_ruling_that_is_refused_breaks_the_replay() -> None:
    record = changed(ruled(), 0, ruling=ruling("redeal", 7))
    with pytest.raises(BrokenReplay) as broken:
        list(replay(record))
    assert (broken.value.what, broken.value.index) == ("ruling", 0)


def test_time_of_a_ruling_has_a_zone() -> None:
    with pytest.raises(InvalidRecord, match="zone"):
        RecordedRuling(0, datetime(2026, 1, 1), ruling("redeal", 1))  # noqa: DTZ001 - the point of the test


def test_ruling_of_an_unknown_kind_is_no_record() -> None:
    with pytest.raises(InvalidRecord, match="bribe"):
        record_from_text(record_to_text(ruled()).replace('"redeal"', '"bribe"'))
