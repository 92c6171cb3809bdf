"""The fast code of Gin Rummy against brute force: deadwood, discards, settlements, whole matches.

Hands are random, or clustered on a few neighbouring ranks, where runs and sets compete for the same cards.
Seeds are fixed: a failure names the hands and comes back on every run. `make soak` (marker `soak`) compares
many more.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from gin_rules.game import game_named
from gin_rules.rummy import deadwood as fast_deadwood
from gin_rules.rummy import settlement as fast_settlement
from gin_rules.rummy.cards import card_text, parse_cards
from gin_rules.rummy.rules import PRESETS
from gin_rules.shuffle import SEED_BYTES, SeededDeals
from tests.oracles.rummy_hands import (
    DECK,
    RANKS,
    Melds,
    Settlement,
    all_arrangements,
    all_melds,
    best_discards,
    cards_of,
    is_meld,
    least_arrangements,
    least_deadwood,
    settle,
    total,
)
from tests.oracles.rummy_play import Hand, Match

STANDARD = PRESETS["standard"]
BIG_GIN = PRESETS["big_gin"]

# Hands


def clustered_cards(rng: random.Random) -> list[str]:
    """All cards of three to six neighbouring ranks."""
    width = rng.randint(3, 6)
    lowest = rng.randint(0, len(RANKS) - width)
    return [card for card in DECK if card[0] in RANKS[lowest : lowest + width]]


def some_hands(seed: int, count: int, size: int) -> Iterator[tuple[str, ...]]:
    """Hands of `size` cards, half of them random and half clustered, in random order."""
    rng = random.Random(seed)
    for number in range(count):
        cards = clustered_cards(rng) if number % 2 else list(DECK)
        yield tuple(rng.sample(cards, size))


def with_melds(rng: random.Random, hand: set[str], cards: Sequence[str], most: int, size: int) -> set[str]:
    """The hand with up to `most` melds of these cards added while it holds no more than `size` cards."""
    melds = all_melds(cards)
    grown = set(hand)
    for meld in rng.sample(melds, min(len(melds), 12)):
        if most and not meld & grown and len(grown | meld) <= size:
            grown |= meld
            most -= 1
    return grown


def knocking_hand(rng: random.Random, limit: int, size: int = 10) -> tuple[str, ...]:
    """A hand that may be knocked with: melds of a cluster or of the deck, filled up with low cards."""
    while True:
        cards = clustered_cards(rng) if rng.random() < 0.6 else DECK
        hand = with_melds(rng, set(), cards, most=3, size=size)
        low = [card for card in DECK if card[0] in RANKS[:8] and card not in hand]
        hand.update(rng.sample(low, size - len(hand)))
        least = least_deadwood(hand)
        # Left to itself, every second hand is gin; knocks are where layoffs matter.
        if least <= limit and (least > 0 or limit == 0 or rng.random() < 0.15):
            return tuple(rng.sample(sorted(hand), size))


def defending_hand(rng: random.Random, knocker: Sequence[str]) -> tuple[str, ...]:
    """Ten cards that the knocker does not hold: random, such as may be laid off, or melds with such."""
    left = [card for card in DECK if card not in knocker]
    kind = rng.randrange(4)
    if kind == 0:
        return tuple(rng.sample(left, 10))
    hand = with_melds(rng, set(), left, most=kind - 1, size=10)
    ends = [card for card in left if any(is_meld(meld | {card}) for meld in all_melds(knocker))]
    near = [card for card in left if any(_neighbours(card, end) for end in ends)]
    fitting = [card for card in dict.fromkeys(ends + near) if card not in hand]
    hand.update(rng.sample(fitting, min(len(fitting), rng.randint(0, 10 - len(hand)))))
    low = [card for card in left if card not in hand and card[0] in RANKS[: rng.choice((6, 13))]]
    rest = low if len(low) + len(hand) >= 10 else [card for card in left if card not in hand]
    return tuple(rng.sample(sorted(hand | set(rng.sample(rest, 10 - len(hand)))), 10))


def _neighbours(card: str, other: str) -> bool:
    apart = abs(RANKS.index(card[0]) - RANKS.index(other[0]))
    return apart == 0 or (card[1] == other[1] and apart <= 2)


# The product, in the words of the oracle


def product_cards(cards: Iterable[str]) -> Sequence[Any]:
    return parse_cards(" ".join(cards))


def texts(cards: Iterable[Any]) -> tuple[str, ...]:
    return tuple(card_text(card) for card in cards)


def word(value: object) -> str:
    """A result or a side as the oracle names it, from a text or an enumeration of texts."""
    return str(getattr(value, "value", value)).lower().replace("_", " ")


def product_settlement(
    knocker: Sequence[str],
    defender: Sequence[str],
    rules: Any,
    limit: int | None = None,
    melds: Melds | None = None,
    big_gin: bool = False,
) -> Any:
    named = None if melds is None else tuple(tuple(product_cards(sorted(meld))) for meld in melds)
    hands = product_cards(knocker), product_cards(defender)
    return fast_settlement.settle(*hands, rules, knock_limit=limit, melds=named, big_gin=big_gin)


# Comparisons


def compare_deadwood(hand: tuple[str, ...]) -> None:
    least = least_deadwood(hand)
    cards = product_cards(hand)
    assert fast_deadwood.least_deadwood(cards) == least, hand
    best = fast_deadwood.best_arrangement(cards)
    melds = [texts(meld) for meld in best.melds]
    used = [card for meld in melds for card in meld]
    assert best.deadwood == least, hand
    assert all(is_meld(meld) for meld in melds), (hand, melds)
    assert len(used) == len(set(used)), (hand, melds)
    assert set(used) <= set(hand), (hand, melds)
    assert total(hand) - total(used) == least, (hand, melds)


def compare_discards(eleven: tuple[str, ...]) -> None:
    deadwood, cards = fast_deadwood.best_discards(product_cards(eleven))
    assert (deadwood, frozenset(texts(cards))) == best_discards(eleven), eleven


def compare_settlement(mine: Settlement, theirs: Any, described: object) -> None:
    fast = (
        word(theirs.result),
        word(theirs.winner),
        theirs.points,
        theirs.knocker_deadwood,
        theirs.defender_deadwood,
    )
    assert fast == tuple(mine[:5]), described


def compare_knock(rng: random.Random) -> None:
    """A knock under random bonuses and limit: unnamed, and with each of a few arrangements named."""
    limit = rng.choice((10, 10, 10, rng.randint(0, 9)))
    gin, undercut = rng.choice((20, 25)), rng.choice((10, 20, 25))
    rules = replace(STANDARD, gin_bonus=gin, undercut_bonus=undercut)
    knocker = knocking_hand(rng, limit)
    defender = defending_hand(rng, knocker)
    described = (" ".join(knocker), " ".join(defender), limit, gin, undercut)
    mine = settle(knocker, defender, knock_limit=limit, gin_bonus=gin, undercut_bonus=undercut)
    theirs = product_settlement(knocker, defender, rules, limit)
    compare_settlement(mine, theirs, described)
    compare_presence_of_layoffs(mine, theirs, defender, described)
    if mine.result == "gin":
        return
    showable = [melds for melds, deadwood in all_arrangements(knocker) if deadwood <= limit]
    for melds in rng.sample(showable, min(2, len(showable))):
        named = settle(knocker, defender, knock_limit=limit, melds=melds, gin_bonus=gin, undercut_bonus=undercut)
        theirs = product_settlement(knocker, defender, rules, limit, melds)
        compare_settlement(named, theirs, (*described, melds))


def compare_presence_of_layoffs(mine: Settlement, theirs: Any, defender: Sequence[str], described: object) -> None:
    """Layoffs are told when the least deadwood needs them, and never against gin."""
    if mine.result == "gin":
        assert not theirs.layoffs, described
    elif mine.defender_deadwood < least_deadwood(defender):
        assert theirs.layoffs, described


def compare_big_gin(rng: random.Random) -> None:
    eleven = knocking_hand(rng, 0, size=11)
    defender = defending_hand(rng, eleven)
    mine = settle(eleven, defender, big_gin_bonus=31)
    theirs = product_settlement(eleven, defender, BIG_GIN, big_gin=True)
    compare_settlement(mine, theirs, (" ".join(eleven), " ".join(defender)))
    assert not theirs.layoffs


def compare_refusal(rng: random.Random) -> None:
    """A named meld with a card changed for one that is not held, or a meld named twice, is refused."""
    knocker = knocking_hand(rng, 10)
    defender = defending_hand(rng, knocker)
    melds = least_arrangements(knocker)[0].melds
    stranger = rng.choice([card for card in DECK if card not in knocker])
    spoiled = (frozenset([*sorted(melds[0])[1:], stranger]), *melds[1:])
    for wrong in (spoiled, (*melds, melds[0]), (frozenset(sorted(melds[0])[:2]), *melds[1:])):
        with pytest.raises(Exception) as refusal:  # noqa: PT011 - the name of the product's exception is its own
            product_settlement(knocker, defender, STANDARD, 10, wrong)
        assert type(refusal.value).__module__.startswith("gin_rules"), refusal.value


def test_least_deadwood_and_arrangement_of_ten_cards() -> None:
    for hand in some_hands(seed=10, count=5_000, size=10):
        compare_deadwood(hand)


def test_least_deadwood_of_other_hand_sizes() -> None:
    for size in (0, 1, 2, 3, 7, 9, 11, 12):
        for hand in some_hands(seed=size, count=100, size=size):
            compare_deadwood(hand)


def test_best_discards_of_eleven_cards() -> None:
    for eleven in some_hands(seed=11, count=4_000, size=11):
        compare_discards(eleven)


def test_settlements_of_knocks() -> None:
    rng = random.Random(12)
    for _ in range(1_000):
        compare_knock(rng)


def test_big_gin() -> None:
    rng = random.Random(13)
    for _ in range(50):
        compare_big_gin(rng)


def test_wrong_named_melds_are_refused() -> None:
    rng = random.Random(14)
    for _ in range(100):
        compare_refusal(rng)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_soak_of_a_hundred_thousand_hands_of_ten_and_of_eleven() -> None:
    for hand in some_hands(seed=1010, count=100_000, size=10):
        compare_deadwood(hand)
    for eleven in some_hands(seed=1111, count=100_000, size=11):
        compare_deadwood(eleven)
        compare_discards(eleven)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_soak_of_twenty_thousand_joint_layoffs() -> None:
    rng = random.Random(1212)
    for _ in range(20_000):
        compare_knock(rng)


# Whole matches


class ProductMatch:
    """One match of the product in the words of the oracle: all that this test supposes of its states."""

    def __init__(self, seed: int) -> None:
        self.game: Any = game_named("rummy")
        deals = SeededDeals(bytes(SEED_BYTES), (), f"in step {seed}")
        self.state: Any = self.game.new_match(STANDARD, 2, deals)

    def to_act(self) -> int | None:
        """The player whose choice is due, None when the match is over."""
        seat = self.game.to_act(self.state)
        return None if seat is None else int(seat)

    def hand(self, player: int) -> frozenset[str]:
        return frozenset(texts(self.game.view(self.state, player).hand))

    def totals(self) -> list[int]:
        return list(self.game.view(self.state, 0).totals)

    def legal(self) -> dict[str, Any]:
        """Legal actions by their text; knocks with named melds are left out."""
        actions = {str(action): action for action in self.game.legal_actions(self.state)}
        return {text: action for text, action in actions.items() if text.count(" ") < 2}

    def play(self, action: Any) -> None:
        self.state = self.game.apply(self.state, action)


def begin_hand(product: ProductMatch, match: Match) -> Hand:
    """Deal to the oracle what the product dealt. Unseen cards lie in any order until they appear."""
    hands = (product.hand(0), product.hand(1))
    unseen = [card for card in DECK if card not in hands[0] | hands[1]]
    return match.deal(hands, unseen[0], unseen[1:])


def reveal(hand: Hand, source: str, card: str) -> None:
    """Put the card that was taken or drawn where the oracle takes it from."""
    if source == "draw":
        if card in hand.stock:
            place = hand.stock.index(card)
            hand.stock[0], hand.stock[place] = card, hand.stock[0]
        else:  # it lies under the pile in place of the passed upcard, which nobody has seen
            hand.pile[0], hand.stock[0] = hand.stock[0], card
    elif len(hand.pile) == 1 and hand.pile[0] != card:
        hand.stock[hand.stock.index(card)], hand.pile[0] = hand.pile[0], card


def choose(rng: random.Random, hand: Hand, legal: Sequence[str], eagerness: float) -> str:
    """Any legal action one time in five, else sensible play: it brings about every kind of end.

    `eagerness` is the chance to knock when that is possible without gin.
    """
    if rng.random() < 0.2:
        return rng.choice([text for text in legal if not text.startswith("knock")])
    held = hand.hands[hand.to_act]
    if hand.phase == "discard":
        deadwood, cards = best_discards(held, banned=hand.taken)
        card = rng.choice(sorted(cards))
        knocks = deadwood == 0 or (deadwood <= 10 and rng.random() < eagerness)
        return f"knock {card}" if knocks else f"discard {card}"
    # The upcard of an opening offer is hidden from the oracle until somebody takes it.
    if hand.phase == "draw" and "take" in legal:
        after, _ = best_discards(held | {hand.pile[-1]}, banned=hand.pile[-1])
        return "take" if after < least_deadwood(held) else "draw"
    return rng.choice(legal)


def play_hand(product: ProductMatch, match: Match, rng: random.Random) -> None:
    hand = begin_hand(product, match)
    eagerness = rng.choice((0.0, 0.3, 1.0))
    while match.hand is not None:
        assert product.to_act() == hand.to_act
        actions = product.legal()
        assert frozenset(actions) == hand.legal(), (hand.phase, hand.hands, hand.pile, len(hand.stock))
        text = choose(rng, hand, sorted(actions), eagerness)
        player, before = hand.to_act, product.hand(hand.to_act)
        product.play(actions[text])
        if text in ("take", "draw"):
            (card,) = product.hand(player) - before
            reveal(hand, text, card)
        match.play(text)


def compare_match(seed: int) -> Match:
    """Play a match in step. Every choice offered, every dealer, every score and the end must agree."""
    product, rng = ProductMatch(seed), random.Random(seed)
    first = product.to_act()
    assert first is not None
    match = Match(first_dealer=1 - first)
    while match.winner is None:
        play_hand(product, match, rng)
        assert product.totals() == match.totals, match.scores[-1]
    assert product.to_act() is None
    return match


def test_matches_played_in_step() -> None:
    results = {score.result for seed in range(20) for score in compare_match(seed).scores}
    assert results >= {"knock", "gin", "undercut"}


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_soak_of_matches_played_in_step() -> None:
    results = {score.result for seed in range(1_000, 1_500) for score in compare_match(seed).scores}
    assert results == {"knock", "gin", "undercut", "no score"}


def test_cards_are_written_alike() -> None:
    assert texts(product_cards(DECK)) == DECK
    assert cards_of(" ".join(DECK)) == DECK
