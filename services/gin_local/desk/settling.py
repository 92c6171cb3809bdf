"""A hand that somebody ended, from two hands and a rule set to points that are explained."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from gin_local.desk.failures import DeskError
from gin_local.desk.hands import HAND, HAND_AFTER_DRAW, card_texts, counted_text, melds_text, read_hand
from gin_rules.game import Card, InvalidRules
from gin_rules.rummy.cards import CARD_TEXTS, CARD_VALUES, cards_text, mask_of, mask_text
from gin_rules.rummy.rules import STANDARD, RuleSet, rules_from_json
from gin_rules.rummy.settlement import RefusedKnock, Settlement, settle

_SPADES = 39  # the first of the spades


class EndedHand(NamedTuple):
    """What a referee is shown: both hands without the knocker's discard, and what was agreed."""

    knocker: tuple[Card, ...]
    """Eleven cards are big gin, unless buried discards may be taken: then hands have ten or more."""
    defender: tuple[Card, ...]
    melds: tuple[tuple[Card, ...], ...] | None
    """The melds that the knocker named; None lets the best be found."""
    rules: RuleSet
    upcard: Card | None
    """The first upcard, which means something in Oklahoma alone."""


def read_ended_hand(data: Mapping[str, Any], rules: RuleSet = STANDARD) -> EndedHand:
    """Read ``knocker``, ``defender`` and, if given, ``melds``, ``rules`` and ``upcard``; the rule set is `rules`
    without its own. Other names mean nothing. Raises `DeskError`.
    """
    for seat in ("knocker", "defender"):
        if data.get(seat) is None:
            raise DeskError(f"the {seat}'s hand is missing")
    if data.get("rules") is not None:
        rules = read_rules(data["rules"])
    knocker = read_hand(data["knocker"], "knocker")
    defender = read_hand(data["defender"], "defender")
    _check_counts(knocker, defender, rules)
    twice = mask_of(knocker) & mask_of(defender)
    if twice:
        raise DeskError(f"both hands hold {mask_text(twice, ' ')}")
    upcard = None
    if data.get("upcard") is not None:
        cards = read_hand(data["upcard"], "upcard")
        if len(cards) != 1:
            raise DeskError("upcard: one card was turned up")
        upcard = cards[0]
    return EndedHand(knocker, defender, _read_melds(data.get("melds")), rules, upcard)


def read_rules(agreed: object) -> RuleSet:
    """A rule set from a preset's name, or from an object with any rules that differ. Raises `DeskError`."""
    if isinstance(agreed, str):
        agreed = {"preset": agreed}
    if not isinstance(agreed, dict):
        raise DeskError("rules: write the name of a preset or an object of rules")
    try:
        return rules_from_json(agreed)
    except InvalidRules as wrong:
        raise DeskError(f"rules: {wrong}") from wrong


def settle_hand(ended: EndedHand) -> Settlement:
    """Settle it with the best layoffs. Raises `DeskError` for a knock that the rules refuse."""
    # Where buried discards may be taken hands grow: then eleven cards are those kept after a discard.
    big_gin = len(ended.knocker) == HAND_AFTER_DRAW and not ended.rules.buried_draw
    try:
        return settle(
            ended.knocker,
            ended.defender,
            ended.rules,
            knock_limit=_knock_limit(ended),
            melds=ended.melds,
            spade_upcard=ended.upcard is not None and ended.upcard >= _SPADES,
            big_gin=big_gin,
        )
    except RefusedKnock as refused:
        raise DeskError(f"knocker: {refused}") from refused


def settlement_to_json(settlement: Settlement) -> dict[str, Any]:
    """The settlement as plain JSON values."""
    return {
        "result": settlement.result,
        "points": settlement.points,
        "winner": settlement.winner,
        "knocker_deadwood": settlement.knocker_deadwood,
        "defender_deadwood": settlement.defender_deadwood,
        "knocker_melds": card_texts(settlement.knocker_melds),
        "defender_melds": card_texts(settlement.defender_melds),
        "layoffs": [
            {
                "cards": [CARD_TEXTS[card] for card in layoff.cards],
                "meld": [CARD_TEXTS[card] for card in layoff.meld],
            }
            for layoff in settlement.layoffs
        ],
    }


def settlement_to_text(ended: EndedHand, settlement: Settlement) -> str:
    """The layout, then the score line by line, then who wins how much."""
    shown = mask_of(card for meld in settlement.knocker_melds for card in meld)
    laid = mask_of(card for layoff in settlement.layoffs for card in layoff.cards)
    melded = mask_of(card for meld in settlement.defender_melds for card in meld)
    lines = [
        f"Knocker's melds:      {melds_text(settlement.knocker_melds)}",
        f"Knocker's deadwood:   {counted_text(mask_of(ended.knocker) & ~shown)}",
    ]
    lines.extend(
        f"Defender lays off:    {cards_text(layoff.cards)} on {cards_text(layoff.meld)}"
        for layoff in settlement.layoffs
    )
    lines.append(f"Defender's melds:     {melds_text(settlement.defender_melds)}")
    lines.append(f"Defender's deadwood:  {counted_text(mask_of(ended.defender) & ~laid & ~melded)}")
    lines.append("")
    lines.extend(f"  {reason:<34} {points:>4}" for reason, points in _score(settlement))
    name = settlement.result.replace("_", " ").capitalize()
    lines.append(f"{name}: the {settlement.winner} wins {settlement.points}.")
    return "\n".join(lines)


def _score(settlement: Settlement) -> list[tuple[str, int]]:
    larger = max(settlement.knocker_deadwood, settlement.defender_deadwood)
    smaller = min(settlement.knocker_deadwood, settlement.defender_deadwood)
    lines = [(f"difference of deadwood {larger} - {smaller}", settlement.difference)]
    if settlement.bonus:
        lines.append((f"bonus for {settlement.result.replace('_', ' ')}", settlement.bonus))
    doubled = settlement.points - settlement.difference - settlement.bonus
    if settlement.doubled != "none":
        what = "everything" if settlement.doubled == "all" else "the deadwood"
        lines.append((f"spade upcard doubles {what}", doubled))
    return lines


def _check_counts(knocker: tuple[Card, ...], defender: tuple[Card, ...], rules: RuleSet) -> None:
    if rules.buried_draw:
        for whose, hand in (("knocker", knocker), ("defender", defender)):
            if len(hand) < HAND:
                raise DeskError(f"{whose}: a hand has {HAND} cards or more; these are {len(hand)}")
        return
    if len(knocker) == HAND_AFTER_DRAW and not rules.big_gin:
        raise DeskError(
            f"knocker: {HAND_AFTER_DRAW} cards are big gin, which is not played: leave out the discarded card"
        )
    if len(knocker) not in (HAND, HAND_AFTER_DRAW):
        raise DeskError(f"knocker: {HAND} cards are kept after the discard; these are {len(knocker)}")
    if len(defender) != HAND:
        raise DeskError(f"defender: a hand has {HAND} cards; these are {len(defender)}")


def _knock_limit(ended: EndedHand) -> int:
    # Source 004, Oklahoma Gin. Without an upcard the limit is the highest that one can set.
    if not ended.rules.oklahoma or ended.upcard is None:
        return ended.rules.knock_limit
    if ended.upcard % 13 == 0:
        return 0 if ended.rules.oklahoma_ace == "gin" else 1
    return CARD_VALUES[ended.upcard]


def _read_melds(named: object) -> tuple[tuple[Card, ...], ...] | None:
    if named is None:
        return None
    if isinstance(named, str) and named.lstrip().startswith("["):
        try:
            named = json.loads(named)
        except (ValueError, RecursionError) as wrong:
            raise DeskError(f"melds: not JSON: {wrong}") from wrong
    if isinstance(named, str):
        named = named.split("/") if named.strip() else []
    if not isinstance(named, list):
        raise DeskError("melds: write them as 4c5c6c/7d7h7s or as a list of lists of cards")
    return tuple(read_hand(meld, "melds") for meld in named)
