"""From hand to hand: cut, deal, score, end of the match (source 004, sections 3 and 5)."""

from __future__ import annotations

from typing import Final, Literal

from gin_rules.game import Card, Deals, GameError, InvalidRules, Outcome, ScoreLine, Seat, Termination
from gin_rules.rummy import scoring
from gin_rules.rummy.cards import CARD_VALUES, DECK_SIZE, cards_of, mask_of
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.settlement import Settlement
from gin_rules.rummy.state import NO_CARD, OFFER_NONDEALER, OVER, Correction, HandResult, State, Table

SEATS = 2
_DEAD_STOCK = {"two": 2, "one": 1, "recycle": 0}
_MOST_CUTS = 1000
_EVERY_CARD: Final = (1 << DECK_SIZE) - 1


class UnfairDeals(GameError):
    """Deals that cannot be: not a full deck, or cuts that tie for ever."""


def new_match(rules: RuleSet, seats: int, deals: Deals, first_dealer: Seat | None = None) -> State:
    """Deal the first hand; cut for the deal unless the first dealer is given.

    Raises `InvalidRules` unless there are two seats and the dealer sits at one of them.
    """
    if seats != SEATS:
        raise InvalidRules("seats", "gin rummy is played by two")
    cuts, dealer = choose_dealer(deals, SEATS, first_dealer)
    return deal_hand(rules, deals, number=1, dealer=dealer, cuts=cuts)


def choose_dealer(deals: Deals, seats: int, agreed: Seat | None) -> tuple[tuple[tuple[Card, ...], ...], Seat]:
    """The cuts that were needed, and who deals first: the one agreed on, or whoever cuts the lowest card.

    An ace is low, and a tie for the lowest card is cut again (source 004, Choosing the First Dealer).
    """
    if agreed is not None:
        if agreed not in range(seats):
            raise InvalidRules("first_dealer", f"there is no seat {agreed}")
        return (), agreed
    cuts: list[tuple[Card, ...]] = []
    for attempt in range(1, _MOST_CUTS + 1):
        cuts.append(deals.cut(attempt, seats))
        ranks = [card % 13 for card in cuts[-1]]
        if ranks.count(min(ranks)) == 1:
            return tuple(cuts), ranks.index(min(ranks))
    raise UnfairDeals("the cut for the deal always ties")


def outcome(state: State) -> Outcome | None:
    """How the match ended; None while it is played."""
    table = state.table
    if table.termination is None:
        return None
    return scoring.outcome(table.rules, SEATS, table.results, table.corrections, table.termination)


def totals(state: State) -> tuple[int, ...]:
    """Points so far, after every correction."""
    return state.table.totals


def decks(state: State) -> tuple[tuple[Card, ...], ...]:
    """Every deck dealt, misdeals before the decks that replaced them."""
    table = state.table
    return decks_to(table.deals, table.number, table.misdeals)


def decks_to(deals: Deals, last: int, misdeals: tuple[int, ...]) -> tuple[tuple[Card, ...], ...]:
    """The decks of all hands up to the last."""
    return tuple(
        _deck(deals, number, again) for number in range(1, last + 1) for again in range(misdeals.count(number) + 1)
    )


def score_hand(state: State, knocker: Seat, settlement: Settlement) -> State:
    """Score a settled hand, then deal the next one or end the match."""
    table = state.table
    winner = knocker if settlement.winner == "knocker" else 1 - knocker
    points = (settlement.points, 0) if winner == 0 else (0, settlement.points)
    result = HandResult(
        number=table.number,
        dealer=table.dealer,
        ended=settlement.result,
        knocker=knocker,
        winner=winner,
        points=points,
        totals=table.totals,
        lines=_score_lines(winner, settlement),
        settlement=settlement,
        hands=tuple(cards_of(hand) for hand in state.hands),
        turns=state.turns,
    )
    return _after_hand(state, result)


def end_without_score(state: State, ended: Literal["stock", "turns", "void"]) -> State:
    """End a dead hand (source 004, Exhausted Stock): nobody scores, nobody shows."""
    table = state.table
    result = HandResult(
        number=table.number,
        dealer=table.dealer,
        ended=ended,
        knocker=None,
        winner=None,
        points=(0, 0),
        totals=table.totals,
        lines=(),
        settlement=None,
        hands=None,
        turns=state.turns,
    )
    return _after_hand(state, result)


def go_on(state: State) -> State:
    """Deal the next hand, or end the match, as the hands that are over and their corrections stand now."""
    table = state.table
    found = scoring.standing(table.rules, SEATS, table.results, table.corrections)
    return _go_on(state, table.results, found.totals, found.termination)


def _after_hand(state: State, result: HandResult) -> State:
    table = state.table
    results = (*table.results, result)
    totals, termination = scoring.after_hand(table.rules, SEATS, table.totals, results, table.corrections)
    if totals != result.totals:
        results = (*table.results, result._replace(totals=totals))
    return _go_on(state, results, totals, termination)


def _go_on(
    state: State, results: tuple[HandResult, ...], totals: tuple[int, ...], termination: Termination | None
) -> State:
    table = state.table
    if termination is not None:
        over = table.replace(results=results, totals=totals, termination=termination)
        return state.replace(table=over, phase=OVER, shown=None)
    return deal_hand(
        table.rules,
        table.deals,
        number=len(results) + 1,
        dealer=_next_dealer(table.rules, results[-1], table.corrections),
        cuts=table.cuts,
        results=results,
        corrections=table.corrections,
        misdeals=table.misdeals,
        totals=totals,
    )


def _next_dealer(rules: RuleSet, result: HandResult, corrections: tuple[Correction, ...]) -> Seat:
    dealer = result.dealer
    last = scoring.counted((result,), corrections)[0] if corrections else result
    if last.ended == "void":
        return dealer
    if rules.dealer == "alternate":
        return 1 - dealer
    if last.winner is None:
        return dealer
    return last.winner if rules.dealer == "winner" else 1 - last.winner


def deal_hand(
    rules: RuleSet,
    deals: Deals,
    *,
    number: int,
    dealer: Seat,
    cuts: tuple[tuple[Card, ...], ...] = (),
    results: tuple[HandResult, ...] = (),
    corrections: tuple[Correction, ...] = (),
    misdeals: tuple[int, ...] = (),
    totals: tuple[int, ...] = (0, 0),
) -> State:
    """The start of a hand (source 004, Shuffling and Dealing)."""
    # One card at a time, the nondealer first; the twenty-first is turned up.
    deck = _deck(deals, number, misdeals.count(number))
    nondealers, dealers = mask_of(deck[0:20:2]), mask_of(deck[1:20:2])
    if len(deck) != DECK_SIZE or nondealers | dealers | mask_of(deck[20:]) != _EVERY_CARD:
        raise UnfairDeals(f"the deck of hand {number} is not 52 different cards")
    upcard = deck[20]
    table = Table(
        rules=rules,
        deals=deals,
        cuts=cuts,
        results=results,
        corrections=corrections,
        misdeals=misdeals,
        totals=totals,
        number=number,
        dealer=dealer,
        upcard=upcard,
        limit=_knock_limit(rules, upcard),
        dead_stock=_DEAD_STOCK[rules.stock_end],
        turn_cap=rules.hand_turn_cap,
        buried_draw=rules.buried_draw,
        termination=None,
    )
    return State(
        table=table,
        phase=OFFER_NONDEALER,
        turn=1 - dealer,
        hand=nondealers,
        other=dealers,
        stock=deck[21:],
        drawn=0,
        top=(None, upcard),
        taken=NO_CARD,
        turns=0,
        played=None,
        recycled=0,
        shown=None,
    )


def _knock_limit(rules: RuleSet, upcard: Card) -> int:
    # Source 004, Oklahoma Gin.
    if not rules.oklahoma:
        return rules.knock_limit
    if upcard % 13 == 0:
        return 0 if rules.oklahoma_ace == "gin" else 1
    return CARD_VALUES[upcard]


def _score_lines(winner: Seat, settlement: Settlement) -> tuple[ScoreLine, ...]:
    lines = []
    if settlement.bonus:
        lines.append(ScoreLine(winner, f"{settlement.result} bonus", settlement.bonus))
    if settlement.result in ("gin", "big_gin"):
        lines.append(ScoreLine(winner, "opponent's deadwood", settlement.difference))
    else:
        larger = max(settlement.knocker_deadwood, settlement.defender_deadwood)
        smaller = min(settlement.knocker_deadwood, settlement.defender_deadwood)
        lines.append(ScoreLine(winner, f"deadwood {larger} - {smaller}", settlement.difference))
    extra = settlement.points - settlement.bonus - settlement.difference
    if extra:
        what = "everything" if settlement.doubled == "all" else "the deadwood"
        lines.append(ScoreLine(winner, f"spade upcard doubles {what}", extra))
    return tuple(lines)


def _deck(deals: Deals, number: int, misdeals: int) -> tuple[Card, ...]:
    # The cards of a misdeal are gathered and shuffled again.
    deck = deals.deck(number)
    for time in range(1, misdeals + 1):
        deck = deals.reshuffle(number, time, deck)
    return deck
