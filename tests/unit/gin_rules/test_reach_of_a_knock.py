"""Whether a knock is in reach is found out fast, and is never found out wrongly."""

from random import Random

import pytest

from gin_rules.rummy.cards import SUIT_MASK, mask_of
from gin_rules.rummy.deadwood import a_discard_can_leave, least_after_discard, melds_in

_ALL_MELDS = melds_in((1 << 52) - 1)


def _hand(rng: Random, melds: int, cards: int) -> int:
    hand = 0
    for meld in rng.sample(_ALL_MELDS, melds):
        if (hand | meld).bit_count() <= cards:
            hand |= meld
    for card in rng.sample(range(52), 52):
        if hand.bit_count() < cards:
            hand |= 1 << card
    return hand


@pytest.mark.parametrize("melds", [0, 1, 2, 3])
@pytest.mark.parametrize("cards", [11, 16])
def test_a_knock_is_in_reach_exactly_when_a_discard_leaves_no_more_than_the_limit(melds: int, cards: int) -> None:
    rng = Random(100 * melds + cards)
    for _ in range(500):
        hand = _hand(rng, melds, cards)
        suits = (hand & SUIT_MASK, hand >> 13 & SUIT_MASK, hand >> 26 & SUIT_MASK, hand >> 39)
        least = least_after_discard(hand)
        for limit in {0, 10, least, max(least - 1, 0)}:
            assert a_discard_can_leave(limit, *suits) == (least <= limit)


def test_four_tens_and_four_kings_leave_their_best_discard() -> None:
    hand = mask_of(range(9, 52, 13)) | mask_of(range(12, 52, 13)) | 0b111  # type: ignore[arg-type]  # indices are cards
    assert a_discard_can_leave(0, hand & SUIT_MASK, hand >> 13 & SUIT_MASK, hand >> 26 & SUIT_MASK, hand >> 39)
