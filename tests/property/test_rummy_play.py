"""What holds in every state that legal play can reach, under any rule set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gin_bots import bot_named
from gin_rules.game import Action, IllegalAction
from gin_rules.record import RecordedAction, record_from_text, record_match, record_to_text, replay
from gin_rules.rummy.cards import CARD_TEXTS, cards_of, mask_of
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.state import OVER, State
from gin_rules.shuffle import SeededDeals, commitment
from gin_rules.verify import verify

SEED = bytes(32)
SEEDS = st.integers(0, 10**9)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Any playable rule set, with matches that are soon over."""
    given_: dict[str, Any] = {
        "match_hand_cap": draw(st.integers(2, 4)),
        "stock_end": draw(st.sampled_from(["two", "one", "recycle"])),
        "buried_draw": draw(st.booleans()),
        "dealer": draw(st.sampled_from(["alternate", "loser", "winner"])),
        "layoffs": draw(st.sampled_from(["automatic", "manual"])),
        "hand_turn_cap": draw(st.sampled_from([20, 70, 100])),
        "discard_view": draw(st.sampled_from(["top", "spread"])),
        "match_bonuses": draw(st.sampled_from(["none", "traditional"])),
        "advice": draw(st.booleans()),
        "big_gin": draw(st.booleans()),
        "win_margin": draw(st.sampled_from([0, 10])),
    }
    if draw(st.integers(0, 4)) == 0:
        given_ |= {"scoring": "hollywood", "target": draw(st.sampled_from([20, 100]))}
    if draw(st.booleans()):
        given_ |= {"oklahoma": True, "oklahoma_spades": draw(st.sampled_from(["none", "deadwood", "all"]))}
    else:
        given_["knock_limit"] = draw(st.integers(0, 10))
        if not given_["knock_limit"]:
            given_["layoffs"] = "automatic"
    given_["recycle_shuffled"] = given_["stock_end"] == "recycle" and draw(st.booleans())
    return RuleSet(**given_)


def states(rules: RuleSet, seed: int) -> Iterator[tuple[State, Action | None]]:
    """Each state of a match with its action. Sense and chance mix, so that hands end in all ways."""
    rng = Random(seed)
    state = GIN_RUMMY.new_match(rules, 2, SeededDeals(SEED, (), str(seed)))
    while (seat := GIN_RUMMY.to_act(state)) is not None:
        bot = bot_named("simple" if rng.random() < 0.6 else "random")
        action = bot.choose_action(GIN_RUMMY.view(state, seat), rng)
        yield state, action
        state = GIN_RUMMY.apply(state, action)
    yield state, None


def plausible_actions(state: State) -> set[str]:
    """Everything that a client might try, legal or not."""
    texts = {"pass", "take", "draw", "big_gin", "done", "discard", "knock", "layoff", "", "fold"}
    for card in CARD_TEXTS:
        texts |= {f"take {card}", f"discard {card}", f"knock {card}"}
        texts |= {f"layoff {card} on {meld}" for meld in ("4c5c6c", "7c7d7h", "9hThJh")}
    if state.shown is not None:
        for meld, laid in zip(state.shown.melds, state.shown.laid, strict=True):
            lying = "".join(CARD_TEXTS[card] for card in cards_of(meld | laid))
            texts |= {f"layoff {card} on {lying}" for card in CARD_TEXTS}
    return texts


@given(rule_sets(), SEEDS)
@settings(max_examples=25, deadline=None)
def test_exactly_the_legal_actions_are_accepted(rules: RuleSet, seed: int) -> None:
    rng = Random(seed)
    for state, _ in states(rules, seed):
        if rng.random() > 0.15 and state.shown is None and state.phase != OVER:
            continue
        legal = GIN_RUMMY.legal_actions(state)
        assert len(set(legal)) == len(legal)
        accepted = set()
        for text in plausible_actions(state) | set(legal):
            try:
                GIN_RUMMY.apply(state, Action(text))
            except IllegalAction:
                continue
            accepted.add(text)
        assert accepted == set(legal)


@given(rule_sets(), SEEDS)
@settings(max_examples=40, deadline=None)
def test_every_card_is_always_in_exactly_one_place(rules: RuleSet, seed: int) -> None:
    for state, _ in states(rules, seed):
        places = [
            *cards_of(state.hands[0]),
            *cards_of(state.hands[1]),
            *state.stock[state.drawn :],
            *state.pile,
        ]
        assert len(places) == 52
        assert len(set(places)) == 52


@given(rule_sets(), SEEDS)
@settings(max_examples=40, deadline=None)
def test_every_match_ends_with_an_outcome_that_its_hands_explain(rules: RuleSet, seed: int) -> None:
    final = None
    for final, _ in states(rules, seed):  # noqa: B007 - the last state is what is wanted
        pass
    assert final is not None
    outcome = GIN_RUMMY.outcome(final)
    assert outcome is not None
    results = GIN_RUMMY.hand_results(final)
    assert outcome.hands_played == len(results) <= rules.match_hand_cap
    for seat in (0, 1):
        if rules.scoring == "single":
            assert outcome.totals[seat] == sum(result.points[seat] for result in results)
        assert outcome.hands_won[seat] == sum(result.winner == seat for result in results)
    for result in results:
        for seat in (0, 1):
            assert result.points[seat] == sum(line.points for line in result.lines if line.seat == seat)
    if outcome.winner is None:
        assert outcome.totals[0] == outcome.totals[1]
    else:
        assert outcome.totals[outcome.winner] > outcome.totals[1 - outcome.winner]


def with_hidden_cards_mixed(state: State, seat: int, rng: Random) -> State:
    """The same state for this seat: the opponent's cards and the stock exchanged among one another."""
    other = 1 - seat
    left = state.stock[state.drawn :]
    hidden = [*cards_of(state.hands[other]), *left]
    rng.shuffle(hidden)
    count = state.hands[other].bit_count()
    hands = [state.hands[0], state.hands[1]]
    hands[other] = mask_of(hidden[:count])
    stock = (*state.stock[: state.drawn], *hidden[count:])
    return state.replace(hand=hands[state.turn], other=hands[1 - state.turn], stock=stock)


@given(rule_sets(), SEEDS)
@settings(max_examples=40, deadline=None)
def test_views_of_states_that_differ_only_in_hidden_cards_are_equal(rules: RuleSet, seed: int) -> None:
    rng = Random(seed)
    for state, _ in states(rules, seed):
        if state.shown is not None:
            continue  # the knocker's cards lie open
        for seat in (0, 1):
            mixed = with_hidden_cards_mixed(state, seat, rng)
            assert GIN_RUMMY.view(mixed, seat) == GIN_RUMMY.view(state, seat)
            assert GIN_RUMMY.spectator_view(mixed) == GIN_RUMMY.spectator_view(state)


@given(rule_sets(), SEEDS)
@settings(max_examples=25, deadline=None)
def test_views_leave_no_secret_in_json(rules: RuleSet, seed: int) -> None:
    rng = Random(seed)
    for state, _ in states(rules, seed):
        if rng.random() < 0.1 and state.shown is None:
            for seat in (0, 1):
                mixed = with_hidden_cards_mixed(state, seat, rng)
                assert GIN_RUMMY.view_to_json(GIN_RUMMY.view(mixed, seat)) == GIN_RUMMY.view_to_json(
                    GIN_RUMMY.view(state, seat)
                )


@given(rule_sets(), SEEDS)
@settings(max_examples=25, deadline=None)
def test_replay_of_the_record_gives_every_state_again(rules: RuleSet, seed: int) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    reached = list(states(rules, seed))
    actions = [
        RecordedAction(state.turn, action, start + timedelta(seconds=number))
        for number, (state, action) in enumerate(reached)
        if action is not None
    ]
    record = record_match(
        game=GIN_RUMMY,
        rules=rules,
        match_id=str(seed),
        seats=("a", "b"),
        commitment=commitment(b"salt", SEED),
        entropy=(),
        seed=SEED,
        salt=b"salt",
        actions=actions,
    )
    assert record_from_text(record_to_text(record)) == record
    assert list(replay(record)) == [state for state, _ in reached]
    assert verify(record) is None


@given(rule_sets(), SEEDS)
@settings(max_examples=25, deadline=None)
def test_deal_passes_on_as_the_rules_say(rules: RuleSet, seed: int) -> None:
    *_, (final, _) = states(rules, seed)
    for before, after in pairwise(GIN_RUMMY.hand_results(final)):
        if rules.dealer == "alternate":
            assert after.dealer == 1 - before.dealer
        elif before.winner is None:
            assert after.dealer == before.dealer
        else:
            assert (after.dealer == before.winner) == (rules.dealer == "winner")
