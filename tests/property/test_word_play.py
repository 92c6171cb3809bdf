"""What holds in every state of Word Gin that legal play can reach, under any rule set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from gin_bots import bot_named
from gin_rules.game import Action, Card, IllegalAction
from gin_rules.record import RecordedAction, record_from_text, record_match, record_to_text, replay
from gin_rules.shuffle import SeededDeals, commitment
from gin_rules.verify import verify
from gin_rules.word.cards import SUITS, read_deck, register_deck
from gin_rules.word.game import WORD_GIN
from gin_rules.word.rules import RuleSet
from gin_rules.word.state import State

SEED = bytes(32)
SEEDS = st.integers(0, 10**9)

# Sixty cards: a deck that two hands of four players empty, so that spent cards come back often.
register_deck(
    read_deck('{"name": "test-60", "each_suit": {"a": 3, "e": 3, "t": 2, "n": 2, "o": 2, "d": 1, "g": 1, "s": 1}}')
)


class Setup(NamedTuple):
    rules: RuleSet
    seats: int
    seed: int


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Any playable rule set and number of players, with matches that are soon over."""
    rules: dict[str, Any] = {
        "deck": draw(st.sampled_from(["ginhall-124", "test-60"])),
        "match_hand_cap": draw(st.integers(2, 3)),
        "min_word": draw(st.sampled_from([2, 2, 3])),
        "gin_bonus": draw(st.sampled_from([0, 10])),
        "longest_word_bonus": draw(st.sampled_from([0, 10])),
        "challenge_factor": draw(st.integers(1, 3)),
        "refuted_letters": draw(st.sampled_from(["unused", "free"])),
        "return_ban": draw(st.booleans()),
        "hand_turn_cap": draw(st.sampled_from([2, 6, 15])),
        "target": draw(st.sampled_from([None, 40])),
    }
    return Setup(RuleSet(**rules), draw(st.sampled_from([2, 3, 4])), draw(SEEDS))


def bluff(state: State, rng: Random) -> Action:
    """A declaration of any words, or any other legal action."""
    legal = WORD_GIN.legal_actions(state)
    action = rng.choice(legal)
    verb, *rest = action.split()
    if verb not in ("gin", "reveal") or not rest:
        return action
    words = []
    for word in rest[1:] if verb == "gin" else rest:
        letters = list(word[:-1])
        rng.shuffle(letters)
        cut = rng.randrange(len(letters) + 1)
        parts = ["".join(letters[:cut]), "".join(letters[cut:])]
        fit = all(len(part) >= state.table.rules.min_word for part in parts)
        words += [part + word[-1] for part in (parts if fit else ["".join(letters)])]
    return Action(" ".join([verb, *rest[:1], *words] if verb == "gin" else [verb, *words]))


def states(setup: Setup) -> Iterator[tuple[State, Action | None]]:
    """Each state of a match with its action. Sense, bluffs and chance mix, so that hands end in all ways."""
    rng = Random(setup.seed)
    deals = SeededDeals(SEED, (), str(setup.seed), WORD_GIN.deck_size(setup.rules))
    state = WORD_GIN.new_match(setup.rules, setup.seats, deals)
    while (seat := WORD_GIN.to_act(state)) is not None:
        chance = rng.random()
        if chance < 0.4:
            action = bot_named("wordsmith-50").choose_action(WORD_GIN.view(state, seat), rng)
        else:
            action = bluff(state, rng) if chance < 0.8 else rng.choice(WORD_GIN.legal_actions(state))
        yield state, action
        state = WORD_GIN.apply(state, action)
    yield state, None


def kinds(state: State, cards: tuple[Card, ...]) -> Counter[str]:
    deck = state.table.deck
    return Counter(deck.letters[card].upper() + deck.suits[card] for card in cards)


def kinds_of_words(words: list[str]) -> Counter[str]:
    return Counter(letter + word[-1] for word in words for letter in word[:-1])


def is_allowed(state: State, action: str) -> bool:
    """The rule text once more, by counting letters: whether the action may be taken."""
    verb, *rest = action.split(" ")
    hand, rules, deck = state.hands[state.turn], state.table.rules, state.table.deck
    if state.phase == "draw":
        return action in ("take", "draw")
    if state.phase == "discard" and verb in ("discard", "gin") and rest:
        out = next((card for card in hand if deck.texts[card] == rest[0]), None)
        if out is None or (rules.return_ban and out == state.taken):
            return False
        if verb == "discard":
            return len(rest) == 1
        kept = tuple(card for card in hand if card != out)
        return (
            not state.barred[state.turn]
            and are_words(rest[1:], rules)
            and kinds_of_words(rest[1:]) == kinds(state, kept)
        )
    if state.phase == "challenge" and state.showdown is not None:
        shown = state.showdown.shown[state.showdown.challenged]
        assert shown is not None
        waiting = {word.text for word in shown.words if word.verdict == "unchallenged"}
        return action == "pass" or (verb == "challenge" and len(rest) == 1 and rest[0] in waiting)
    if state.phase == "reveal" and verb == "reveal":
        return are_words(rest, rules) and kinds_of_words(rest) <= kinds(state, hand)
    return False


def are_words(texts: list[str], rules: RuleSet) -> bool:
    return all(re.fullmatch(f"[A-Z]{{{rules.min_word},}}[{SUITS}]", text) for text in texts)


def attempts(state: State, rng: Random) -> set[str]:
    """What a client might try: other phases' actions, cards not held, and declarations with small faults."""
    texts = set(WORD_GIN.legal_actions(state)) | {bluff(state, rng) for _ in range(5)}
    for text in list(texts):
        words = text.split(" ")
        at = rng.randrange(len(words))
        texts |= {
            " ".join(words[:at] + words[at + 1 :]),
            " ".join([*words, words[at]]),
            " ".join([*words[:at], words[at][:-1], *words[at + 1 :]]),
            " ".join([*words[:at], words[at][:-1] + rng.choice(SUITS), *words[at + 1 :]]),
            " ".join([*words[:at], words[at].lower(), *words[at + 1 :]]),
            f"{text} ",
        }
    held = " ".join(state.table.deck.texts_of(state.hands[state.turn]))
    return texts | {
        "take",
        "draw",
        "pass",
        "reveal",
        "gin",
        "discard",
        "challenge",
        "",
        "fold",
        f"gin {held}",
        "reveal ATr",
    }


@given(setups())
@settings(max_examples=25, deadline=None)
def test_exactly_what_the_rules_allow_is_accepted(setup: Setup) -> None:
    rng = Random(setup.seed)
    for state, _ in states(setup):
        if rng.random() > 0.2 or state.phase == "over":
            continue
        for text in sorted(attempts(state, rng)):
            try:
                WORD_GIN.apply(state, Action(text))
            except IllegalAction:
                assert not is_allowed(state, text), text
            else:
                assert is_allowed(state, text), text


@given(setups())
@settings(max_examples=25, deadline=None)
def test_every_way_to_act_is_listed_and_every_listed_action_is_accepted(setup: Setup) -> None:
    rng = Random(setup.seed)
    for state, action in states(setup):
        legal = WORD_GIN.legal_actions(state)
        assert len(set(legal)) == len(legal)
        assert bool(legal) == (action is not None)
        if action is None:
            continue
        if rng.random() < 0.2:
            for listed in legal:
                WORD_GIN.apply(state, listed)
        verb, *rest = action.split(" ")
        if verb == "gin":
            assert any(listed.startswith(f"gin {rest[0]} ") for listed in legal)
        elif verb == "reveal":
            assert len([listed for listed in legal if listed != "reveal"]) == 1 or not rest
        else:
            assert action in legal


@given(setups())
@settings(max_examples=40, deadline=None)
def test_every_card_is_always_in_exactly_one_place(setup: Setup) -> None:
    size = WORD_GIN.deck_size(setup.rules)
    for state, _ in states(setup):
        face_down = [] if state.showdown is None else [state.showdown.face_down]
        places = [*state.stock, *state.pile, *state.spent, *face_down]
        for hand in state.hands:
            places += hand
        assert len(places) == size
        assert set(places) == set(range(size))
        if state.showdown is not None:
            for seat, shown in enumerate(state.showdown.shown):
                if shown is not None:
                    lying = [card for word in shown.words for card in word.cards] + list(shown.unused)
                    assert sorted(lying) == list(state.hands[seat])


@given(setups())
@settings(max_examples=40, deadline=None)
def test_every_match_ends_with_an_outcome_that_its_hands_explain(setup: Setup) -> None:
    *_, (final, _) = states(setup)
    outcome = WORD_GIN.outcome(final)
    assert outcome is not None
    results = WORD_GIN.hand_results(final)
    assert outcome.hands_played == len(results) <= setup.rules.match_hand_cap
    for seat in range(setup.seats):
        assert outcome.totals[seat] == sum(result.points[seat] for result in results)
        assert outcome.hands_won[seat] == sum(result.winner == seat for result in results)
        assert outcome.gins[seat] == sum(result.ginner == seat for result in results)
        for result in results:
            assert result.points[seat] == sum(line.points for line in result.lines if line.seat == seat)
    best = [seat for seat in range(setup.seats) if outcome.totals[seat] == max(outcome.totals)]
    assert outcome.winner == (best[0] if len(best) == 1 else None)
    for before, after in pairwise(results):
        assert after.dealer == (before.dealer if before.ginner is None else before.ginner)


def with_hidden_cards_mixed(state: State, seat: int | None, rng: Random) -> State:
    """The same state for this seat (None: for an onlooker): all cards that it cannot see exchanged at random."""
    on_table = (None,) * state.table.seats if state.showdown is None else state.showdown.shown
    closed = [other for other in range(state.table.seats) if other != seat and on_table[other] is None]
    face_down = [] if state.showdown is None or state.showdown.ginner == seat else [state.showdown.face_down]
    # What lies under the up card and what was put aside was seen, but nobody sees it now.
    hidden = [*state.stock, *state.pile[:-1], *state.spent, *face_down]
    for other in closed:
        hidden += state.hands[other]
    rng.shuffle(hidden)

    def some(count: int) -> tuple[Card, ...]:
        taken = tuple(hidden[:count])
        del hidden[:count]
        return taken

    hands = list(state.hands)
    for other in closed:
        hands[other] = tuple(sorted(some(len(hands[other]))))
    showdown = state.showdown
    if showdown is not None and face_down:
        showdown = showdown._replace(face_down=some(1)[0])
    return state._replace(
        hands=tuple(hands),
        stock=some(len(state.stock)),
        pile=(*some(len(state.pile) - 1), state.pile[-1]) if state.pile else (),
        spent=tuple(sorted(some(len(state.spent)))),
        showdown=showdown,
    )


@given(setups())
@settings(max_examples=40, deadline=None)
def test_views_of_states_that_differ_only_in_hidden_cards_are_equal(setup: Setup) -> None:
    rng = Random(setup.seed)
    for state, _ in states(setup):
        if rng.random() > 0.3 or state.phase == "over":
            continue
        for seat in range(setup.seats):
            mixed = with_hidden_cards_mixed(state, seat, rng)
            assert WORD_GIN.view(mixed, seat) == WORD_GIN.view(state, seat)
            assert WORD_GIN.view_to_json(WORD_GIN.view(mixed, seat)) == WORD_GIN.view_to_json(
                WORD_GIN.view(state, seat)
            )
        onlooker = with_hidden_cards_mixed(state, None, rng)
        assert WORD_GIN.spectator_view(onlooker) == WORD_GIN.spectator_view(state)


@given(setups())
@settings(max_examples=15, deadline=None)
def test_bots_choose_legal_actions_that_depend_on_their_view_alone(setup: Setup) -> None:
    rng = Random(setup.seed)
    for state, _ in states(setup):
        seat = WORD_GIN.to_act(state)
        if seat is None or rng.random() > 0.3:
            continue
        for name in ("random", "wordsmith", "wordsmith-50"):
            action = bot_named(name).choose_action(WORD_GIN.view(state, seat), Random(1))
            WORD_GIN.apply(state, action)
            mixed = with_hidden_cards_mixed(state, seat, rng)
            assert bot_named(name).choose_action(WORD_GIN.view(mixed, seat), Random(1)) == action


@given(setups())
@settings(max_examples=25, deadline=None)
def test_replay_of_the_record_gives_every_state_again(setup: Setup) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    reached = list(states(setup))
    actions = [
        RecordedAction(state.turn, action, start + timedelta(seconds=number))
        for number, (state, action) in enumerate(reached)
        if action is not None
    ]
    record = record_match(
        game=WORD_GIN,
        rules=setup.rules,
        match_id=str(setup.seed),
        seats=tuple("abcd"[: setup.seats]),
        commitment=commitment(b"salt", SEED),
        entropy=(),
        seed=SEED,
        salt=b"salt",
        actions=actions,
    )
    assert record_from_text(record_to_text(record)) == record
    assert list(replay(record)) == [state for state, _ in reached]
    assert verify(record) is None
