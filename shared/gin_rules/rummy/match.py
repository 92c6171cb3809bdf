"""From hand to hand: cut, deal, score, end of the match (source 004, sections 3 and 5)."""

from __future__ import annotations

from typing import Literal

from gin_rules.game import Card, Deals, GameError, InvalidRules, Outcome, ScoreLine, Seat, Termination
from gin_rules.rummy.cards import CARD_VALUES, cards_of, mask_of
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.settlement import Settlement
from gin_rules.rummy.state import NO_CARD, OFFER_NONDEALER, OVER, HandResult, State, Table

SEATS = 2
_DEAD_STOCK = {"two": 2, "one": 1, "recycle": 0}
_MOST_CUTS = 1000


class UnfairDeals(GameError):
    """Deals that cannot be: not a full deck, or cuts that tie for ever."""


def new_match(rules: RuleSet, seats: int, deals: Deals, first_dealer: Seat | None = None) -> State:
    """Deal the first hand; cut for the deal unless the first dealer is given.

    Raises `InvalidRules` unless there are two seats and the dealer sits at one of them.
    """
    if seats != SEATS:
        raise InvalidRules("seats", "gin rummy is played by two")
    if first_dealer is not None:
        if first_dealer not in range(SEATS):
            raise InvalidRules("first_dealer", f"there is no seat {first_dealer}")
        return _deal(rules, deals, (), (), (0, 0), first_dealer)
    cuts: list[tuple[Card, ...]] = []
    while not cuts or cuts[-1][0] % 13 == cuts[-1][1] % 13:
        if len(cuts) == _MOST_CUTS:
            raise UnfairDeals("the cut for the deal always ties")
        cuts.append(deals.cut(len(cuts) + 1, SEATS))
    dealer = 0 if cuts[-1][0] % 13 < cuts[-1][1] % 13 else 1
    return _deal(rules, deals, tuple(cuts), (), (0, 0), dealer)


def outcome(state: State) -> Outcome | None:
    """How the match ended; None while it is played."""
    table = state.table
    if table.termination is None:
        return None
    totals = table.totals
    winner = None if totals[0] == totals[1] else totals.index(max(totals))
    won = _count_wins(table.results, ("knock", "gin", "big_gin", "undercut"))
    final = list(totals)
    if table.rules.match_bonuses == "traditional":
        for seat in range(SEATS):
            final[seat] += 25 * won[seat]
        if winner is not None:
            final[winner] += 100 if totals[1 - winner] else 200
    return Outcome(
        winner=winner,
        totals=totals,
        final_scores=tuple(final),
        hands_played=len(table.results),
        termination=table.termination,
        hands_won=won,
        gins=_count_wins(table.results, ("gin", "big_gin")),
        undercuts=_count_wins(table.results, ("undercut",)),
    )


def score_hand(state: State, knocker: Seat, settlement: Settlement) -> State:
    """Score a settled hand, then deal the next one or end the match."""
    winner = knocker if settlement.winner == "knocker" else 1 - knocker
    points = (settlement.points, 0) if winner == 0 else (0, settlement.points)
    totals = state.table.totals
    result = HandResult(
        number=state.table.number,
        dealer=state.table.dealer,
        ended=settlement.result,
        knocker=knocker,
        winner=winner,
        points=points,
        totals=(totals[0] + points[0], totals[1] + points[1]),
        lines=_score_lines(winner, settlement),
        settlement=settlement,
        hands=tuple(cards_of(hand) for hand in state.hands),
        turns=state.turns,
    )
    return _after_hand(state, result)


def end_without_score(state: State, ended: Literal["stock", "turns"]) -> State:
    """End a dead hand (source 004, Exhausted Stock): nobody scores, nobody shows."""
    result = HandResult(
        number=state.table.number,
        dealer=state.table.dealer,
        ended=ended,
        knocker=None,
        winner=None,
        points=(0, 0),
        totals=state.table.totals,
        lines=(),
        settlement=None,
        hands=None,
        turns=state.turns,
    )
    return _after_hand(state, result)


def _after_hand(state: State, result: HandResult) -> State:
    table = state.table
    results = (*table.results, result)
    totals = (result.totals[0], result.totals[1])
    termination = _termination(table.rules, len(results), totals)
    if termination is not None:
        over = table._replace(results=results, totals=totals, termination=termination)
        return state._replace(table=over, phase=OVER)
    dealer = _next_dealer(table.rules, result)
    return _deal(table.rules, table.deals, table.cuts, results, totals, dealer)


def _termination(rules: RuleSet, hands: int, totals: tuple[int, int]) -> Termination | None:
    if rules.fixed_hands is not None:
        return Termination.FIXED_HANDS if hands == rules.fixed_hands else None
    lead = abs(totals[0] - totals[1])
    if max(totals) >= rules.target and lead >= max(rules.win_margin, 1):
        return Termination.TARGET
    return Termination.HAND_CAP if hands == rules.match_hand_cap else None


def _next_dealer(rules: RuleSet, result: HandResult) -> Seat:
    if rules.dealer == "alternate":
        return 1 - result.dealer
    if result.winner is None:
        return result.dealer
    return result.winner if rules.dealer == "winner" else 1 - result.winner


def _deal(
    rules: RuleSet,
    deals: Deals,
    cuts: tuple[tuple[Card, ...], ...],
    results: tuple[HandResult, ...],
    totals: tuple[int, int],
    dealer: Seat,
) -> State:
    # One card at a time, the nondealer first; the twenty-first is turned up.
    number = len(results) + 1
    deck = deals.deck(number)
    nondealers, dealers = mask_of(deck[0:20:2]), mask_of(deck[1:20:2])
    if len(deck) != 52 or (mask_of(deck)).bit_count() != 52:
        raise UnfairDeals(f"the deck of hand {number} is not 52 different cards")
    upcard = deck[20]
    table = Table(
        rules=rules,
        deals=deals,
        cuts=cuts,
        results=results,
        totals=totals,
        number=number,
        dealer=dealer,
        upcard=upcard,
        limit=_knock_limit(rules, upcard),
        dead_stock=_DEAD_STOCK[rules.stock_end],
        termination=None,
    )
    return State(
        table=table,
        phase=OFFER_NONDEALER,
        turn=1 - dealer,
        hands=(nondealers, dealers) if dealer else (dealers, nondealers),
        stock=deck[21:],
        drawn=0,
        pile=(upcard,),
        taken=NO_CARD,
        turns=0,
        history=(),
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


def _count_wins(results: tuple[HandResult, ...], ends: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(sum(result.winner == seat and result.ended in ends for result in results) for seat in range(SEATS))
