"""Hands as people and programs write them, and the least deadwood of one."""

from typing import Any, NamedTuple

from gin_local.desk.failures import DeskError
from gin_rules.game import Card
from gin_rules.rummy.cards import CARD_TEXTS, InvalidCards, mask_of, mask_text, parse_cards, value_of
from gin_rules.rummy.deadwood import best_arrangement, best_discards_of_mask

HAND = 10
HAND_AFTER_DRAW = 11


class Judged(NamedTuple):
    """The least deadwood of a hand of ten, or of a hand of eleven after its best discard."""

    deadwood: int
    melds: tuple[tuple[Card, ...], ...]
    best_discards: tuple[Card, ...]
    """Every card of eleven whose discard leaves that deadwood, by suit and rank; the melds are those that are left
    after the first of them. Empty for a hand of ten.
    """
    unmelded: tuple[Card, ...]
    """The cards that count, by suit and rank."""


def read_hand(cards: object, whose: str = "") -> tuple[Card, ...]:
    """The cards of a text such as ``4c 5c 6c`` or of a list of such texts, in order.

    Raises `DeskError` for something else, an unknown card or one named twice; `whose` hand it is begins the reason.
    """
    prefix = f"{whose}: " if whose else ""
    if isinstance(cards, list) and all(isinstance(card, str) for card in cards):
        cards = " ".join(cards)
    if not isinstance(cards, str):
        raise DeskError(f"{prefix}cards are written as a text such as 4c 5c 6c")
    try:
        return parse_cards(cards)
    except InvalidCards as wrong:
        raise DeskError(f"{prefix}{_named_twice(cards) or wrong}") from wrong


def judge_hand(cards: object) -> Judged:
    """The least deadwood of ten cards, or of eleven after the best discard. Raises `DeskError`."""
    hand = read_hand(cards)
    if len(hand) not in (HAND, HAND_AFTER_DRAW):
        raise DeskError(f"a hand has {HAND} cards, or {HAND_AFTER_DRAW} before the discard; these are {len(hand)}")
    kept = mask_of(hand)
    discards: tuple[Card, ...] = ()
    if len(hand) == HAND_AFTER_DRAW:
        _, discards = best_discards_of_mask(kept)
        kept ^= 1 << discards[0]
        hand = tuple(card for card in hand if card != discards[0])
    deadwood, melds = best_arrangement(hand)
    melded = {card for meld in melds for card in meld}
    return Judged(deadwood, melds, discards, tuple(card for card in sorted(hand) if card not in melded))


def judged_to_json(judged: Judged) -> dict[str, Any]:
    """``deadwood`` and ``melds``, and ``best_discards`` of a hand of eleven."""
    document: dict[str, Any] = {"deadwood": judged.deadwood, "melds": card_texts(judged.melds)}
    if judged.best_discards:
        document["best_discards"] = [CARD_TEXTS[card] for card in judged.best_discards]
    return document


def judged_to_text(judged: Judged) -> str:
    """The same for people: the melds, what counts, and the sum."""
    lines = []
    if judged.best_discards:
        lines.append(f"Best discard: {' or '.join(CARD_TEXTS[card] for card in judged.best_discards)}")
    after = f" after {CARD_TEXTS[judged.best_discards[0]]}" if judged.best_discards else ""
    lines.append(f"Melds{after}: {melds_text(judged.melds)}")
    lines.append(f"Deadwood{after}: {counted_text(mask_of(judged.unmelded))}")
    return "\n".join(lines)


def card_texts(groups: tuple[tuple[Card, ...], ...]) -> list[list[str]]:
    """Groups of cards as lists of texts."""
    return [[CARD_TEXTS[card] for card in group] for group in groups]


def melds_text(melds: tuple[tuple[Card, ...], ...]) -> str:
    """Melds for people, such as ``4c 5c 6c / 7d 7h 7s``."""
    return " / ".join(" ".join(CARD_TEXTS[card] for card in meld) for meld in melds) or "none"


def counted_text(cards: int) -> str:
    """The value of a mask's cards and the cards, such as ``22 (Kd Qh 2s)``."""
    return f"{value_of(cards)} ({mask_text(cards, ' ')})" if cards else "0"


def _named_twice(text: str) -> str | None:
    # The parser tells that a card comes twice; people who look at ten cards want to know which.
    letters = "".join(text.split())
    seen: set[str] = set()
    for at in range(0, len(letters), 2):
        card = letters[at : at + 2]
        if card not in CARD_TEXTS:
            return None
        if card in seen:
            return f"{card} is named twice"
        seen.add(card)
    return None
