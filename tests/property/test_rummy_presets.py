"""Random play under every preset, at tables of two, three and four."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from gin_bots import bot_named
from gin_rules.game import Action, IllegalAction
from gin_rules.rummy.cards import cards_of
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.party import Party
from gin_rules.rummy.rules import PRESETS, RuleSet, rules_from_json
from gin_rules.rummy.seating import HANDS_A_ROUND, SEATS_AT
from gin_rules.rummy.state import State
from gin_rules.shuffle import SeededDeals
from tests.property.test_rummy_play import SEED, SEEDS, plausible_actions, with_hidden_cards_mixed

LARGER = ("rotation3", "pairs4", "rotation4")
VARIANTS: dict[str, RuleSet] = {
    **PRESETS,
    **{f"{name}, manual layoffs": rules_from_json({"preset": name, "layoffs": "manual"}) for name in LARGER},
    "rotation4, buried": rules_from_json({"preset": "rotation4", "buried_draw": True, "stock_end": "recycle"}),
    "pairs4, oklahoma": rules_from_json({"preset": "pairs4", "oklahoma": True, "oklahoma_spades": "all"}),
}
Reached = State | Party


def states(rules: RuleSet, seed: int) -> Iterator[Reached]:
    """Every state of a match in which sense and chance mix."""
    rng, seats = Random(seed), SEATS_AT[rules.seating]
    state: Reached = GIN_RUMMY.new_match(rules, seats, SeededDeals(SEED, (), str(seed)))
    yield state
    while (seat := GIN_RUMMY.to_act(state)) is not None:
        bot = bot_named("simple" if rng.random() < 0.8 else "random")
        state = GIN_RUMMY.apply(state, bot.choose_action(GIN_RUMMY.view(state, seat), rng))
        yield state


def hands_in_play(state: Reached) -> list[tuple[tuple[int, int], State]]:
    """The players of each hand by table seat, and the hand."""
    if isinstance(state, Party):
        return [(board.players, board.hand) for board in state.boards]
    return [((0, 1), state)]


def tries(state: Reached) -> set[str]:
    """What a client might try: everything plausible in any of the hands."""
    texts: set[str] = set()
    for _, hand in hands_in_play(state):
        texts |= plausible_actions(hand)
    return texts


@pytest.mark.parametrize("name", VARIANTS)
@given(seed=SEEDS)
@settings(max_examples=4, deadline=None)
def test_exactly_the_legal_actions_are_accepted_under_every_preset(name: str, seed: int) -> None:
    rng = Random(seed)
    for state in states(VARIANTS[name], seed):
        over = GIN_RUMMY.to_act(state) is None
        if rng.random() > 0.04 and not over:
            continue
        legal = GIN_RUMMY.legal_actions(state)
        assert len(set(legal)) == len(legal)
        assert bool(legal) != over
        accepted = set()
        for text in tries(state) | set(legal):
            try:
                GIN_RUMMY.apply(state, Action(text))
            except IllegalAction:
                continue
            accepted.add(text)
        assert accepted == set(legal)


def with_hidden_mixed(state: Reached, seat: int | None, rng: Random) -> Reached | None:
    """The same state for this seat (None: for everybody): cards that it must not know exchanged in every hand.

    None where a hand lies open for layoffs.
    """
    if any(hand.shown is not None for _, hand in hands_in_play(state)):
        return None
    if isinstance(state, State):
        return _mixed(state, seat, rng)
    return state._replace(
        boards=tuple(
            board._replace(hand=_mixed(board.hand, board.players.index(seat) if seat in board.players else None, rng))
            for board in state.boards
        )
    )


def _mixed(hand: State, own: int | None, rng: Random) -> State:
    if own is not None:
        return with_hidden_cards_mixed(hand, own, rng)
    for seat in (0, 1, 0):  # each mix exchanges one hand and the stock
        hand = with_hidden_cards_mixed(hand, seat, rng)
    return hand


@pytest.mark.parametrize("name", VARIANTS)
@given(seed=SEEDS)
@settings(max_examples=3, deadline=None)
def test_views_do_not_change_with_what_their_player_must_not_know(name: str, seed: int) -> None:
    rng = Random(seed)
    rules = VARIANTS[name]
    for state in states(rules, seed):
        if rng.random() > 0.08:
            continue
        for seat in (None, *range(SEATS_AT[rules.seating])):
            mixed = with_hidden_mixed(state, seat, rng)
            if mixed is not None:
                assert seen(mixed, seat) == seen(state, seat)


def seen(state: Reached, seat: int | None) -> Any:
    view = GIN_RUMMY.spectator_view(state) if seat is None else GIN_RUMMY.view(state, seat)
    return view, GIN_RUMMY.view_to_json(view)


@pytest.mark.parametrize("name", VARIANTS)
@given(seed=SEEDS)
@settings(max_examples=3, deadline=None)
def test_only_the_seat_to_act_has_legal_actions(name: str, seed: int) -> None:
    rng = Random(seed)
    rules = VARIANTS[name]
    for state in states(rules, seed):
        if rng.random() > 0.2:
            continue
        for seat in range(SEATS_AT[rules.seating]):
            view = GIN_RUMMY.view(state, seat)
            expected = GIN_RUMMY.legal_actions(state) if seat == GIN_RUMMY.to_act(state) else ()
            assert view.legal_actions == expected
            assert (view.to_act is not None and view.to_act == view.seat) == bool(expected)


@pytest.mark.parametrize("name", LARGER)
@given(seed=SEEDS)
@settings(max_examples=4, deadline=None)
def test_every_card_of_every_open_hand_is_in_exactly_one_place(name: str, seed: int) -> None:
    for state in states(PRESETS[name], seed):
        for _, hand in hands_in_play(state):
            places = [*cards_of(hand.hands[0]), *cards_of(hand.hands[1]), *hand.stock[hand.drawn :], *hand.pile]
            assert len(places) == len(set(places)) == 52


@pytest.mark.parametrize("name", LARGER)
@given(seed=SEEDS)
@settings(max_examples=6, deadline=None)
def test_matches_of_more_than_two_end_with_totals_that_their_hands_explain(name: str, seed: int) -> None:
    rules = PRESETS[name]
    *_, final = states(rules, seed)
    outcome = GIN_RUMMY.outcome(final)
    assert outcome is not None
    results = GIN_RUMMY.hand_results(final)
    seats = SEATS_AT[rules.seating]
    own = [sum(result.points[seat] for result in results) for seat in range(seats)]
    together = [own[seat] + own[(seat + 2) % 4] for seat in range(4)] if name == "pairs4" else own
    assert list(outcome.totals) == together == list(GIN_RUMMY.totals(final))
    assert outcome.winner is not None
    assert outcome.totals[outcome.winner] == max(outcome.totals) >= rules.target
    assert len(results) % HANDS_A_ROUND[name] == 0
    for result in results:
        assert all(not result.points[seat] for seat in range(seats) if seat not in result.players)
        assert result.dealer in result.players
        for line in result.lines:
            assert line.seat == result.winner
        assert sum(line.points for line in result.lines) == sum(result.points)
