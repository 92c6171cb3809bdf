"""Deadwood, discards and layoffs against brute force."""

from __future__ import annotations

from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gin_rules.game import Card
from gin_rules.rummy.cards import CARD_VALUES, SUIT_MASK, cards_of, mask_of, value_of
from gin_rules.rummy.deadwood import (
    _least_with_sets,
    arrangements_leaving,
    best_arrangement,
    best_discards,
    can_meld,
    is_meld,
    least_after_discard,
    least_deadwood,
    melds_in,
)
from gin_rules.rummy.large_hands import least_of_many
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.settlement import settle
from tests.property import brute_force


def dense_hand(rng: Random, size: int) -> list[Card]:
    """Cards of few ranks, or near one another in a suit: full of melds that compete."""
    if rng.random() < 0.5:
        ranks = rng.sample(range(13), 5)
        pool = [suit * 13 + rank for suit in range(4) for rank in ranks]
    else:
        low = rng.randrange(7)
        pool = [suit * 13 + rank for suit in range(4) for rank in range(low, low + 6)]
    return [Card(card) for card in rng.sample(pool, size)]


SEEDS = st.integers(0, 10**9)


@given(st.sets(st.integers(0, 51), min_size=1, max_size=11), SEEDS)
@settings(max_examples=150, deadline=None)
def test_least_deadwood_is_the_brute_force_minimum(any_hand: set[int], seed: int) -> None:
    for hand in ([Card(card) for card in any_hand], dense_hand(Random(seed), 10)):
        least = least_deadwood(hand)
        assert least == brute_force.least_deadwood(frozenset(hand))
        arrangement = best_arrangement(hand)
        assert arrangement.deadwood == least
        melded = [card for meld in arrangement.melds for card in meld]
        assert len(set(melded)) == len(melded)
        assert value_of(mask_of(hand) & ~mask_of(melded)) == least


@given(SEEDS)
@settings(max_examples=100, deadline=None)
def test_best_discards_are_the_brute_force_ones(seed: int) -> None:
    rng = Random(seed)
    hand = dense_hand(rng, 11) if rng.random() < 0.7 else [Card(card) for card in rng.sample(range(52), 11)]
    banned = rng.choice([None, *hand])
    left = {card: brute_force.least_deadwood(frozenset(hand) - {card}) for card in hand}
    assert least_after_discard(mask_of(hand)) == min(left.values())
    allowed = {card: deadwood for card, deadwood in left.items() if card != banned}
    best = min(allowed.values())
    assert best_discards(hand, banned) == (
        best,
        tuple(sorted(card for card in allowed if allowed[card] == best)),
    )


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_many_cards_by_ranks_agree_with_trying_every_set(seed: int) -> None:
    rng = Random(seed)
    for hand in (dense_hand(rng, 11), dense_hand(rng, 17), rng.sample(range(52), 20)):
        mask = mask_of(Card(card) for card in hand)
        suits = [mask >> first & SUIT_MASK for first in (0, 13, 26, 39)]
        c, d, h, s = suits
        ranks = c & d & (h | s) | h & s & (c | d)
        if ranks:
            assert least_of_many(c, d, h, s) == _least_with_sets(c, d, h, s, ranks)


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_more_cards_than_eleven_are_exact_too(seed: int) -> None:
    rng = Random(seed)
    hand = rng.sample(range(52), 15)
    assert least_deadwood([Card(card) for card in hand]) == brute_force.least_deadwood(frozenset(hand))


@given(st.sets(st.integers(0, 51), max_size=7))
def test_melds_are_recognised_as_brute_force_does(cards: set[int]) -> None:
    assert is_meld(mask_of(Card(card) for card in cards)) == brute_force.is_meld(frozenset(cards))


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_card_can_meld_if_some_meld_of_the_hand_holds_it(seed: int) -> None:
    hand = dense_hand(Random(seed), 10)
    melded = frozenset().union(*brute_force.melds(frozenset(hand)))
    assert {card for card in hand if can_meld(card, mask_of(hand))} == melded


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_every_meld_of_a_hand_is_found(seed: int) -> None:
    hand = dense_hand(Random(seed), 10)
    found = {frozenset(cards_of(meld)) for meld in melds_in(mask_of(hand))}
    assert {meld for meld in found if len(meld) <= 5} == set(brute_force.melds(frozenset(hand)))
    assert all(brute_force.is_meld(meld) for meld in found)


@given(SEEDS)
@settings(max_examples=100, deadline=None)
def test_settlement_is_the_brute_force_minimum_over_own_melds_and_layoffs(seed: int) -> None:
    rng = Random(seed)
    pool = dense_hand(rng, 20)
    knocker, defender = pool[:10], pool[10:]
    least = least_deadwood(knocker)
    assume(least > 0)
    settlement = settle(knocker, defender, RuleSet(), knock_limit=98)
    payoffs = [
        brute_force.least_with_layoffs(
            tuple(frozenset(cards_of(meld)) for meld in melds), frozenset(int(card) for card in defender)
        )
        for melds in arrangements_leaving(mask_of(knocker), least)
    ]
    assert settlement.knocker_deadwood == least
    assert settlement.defender_deadwood == max(payoffs)
    laid = [card for layoff in settlement.layoffs for card in layoff.cards]
    own = [card for meld in settlement.defender_melds for card in meld]
    assert len({*laid, *own}) == len(laid) + len(own)
    left = set(defender) - {*laid, *own}
    assert sum(CARD_VALUES[card] for card in left) == settlement.defender_deadwood
    assert all(is_meld(mask_of((*layoff.meld, *layoff.cards))) for layoff in settlement.layoffs)
