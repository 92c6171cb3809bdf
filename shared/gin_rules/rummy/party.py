"""Matches at a table of three or four (source 004, Three or Four Players).

Each hand is one between two players, played by the same code as any other: a `State` of its own, in which seat 0 is
the hand's dealer. Hands of one round are open at once and none depends on another, so they take turns, action by
action: next is the open hand with the fewest actions, the first of equal ones. Scores count when a hand is over;
whether the match is over is asked at the end of a round.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from gin_rules.game import Action, Card, Deals, IllegalAction, InvalidRules, Outcome, ScoreLine, Seat, Termination
from gin_rules.rulings import Ruling
from gin_rules.rummy import play, scoring
from gin_rules.rummy.arbitration import check_open, check_ruling, check_unplayed, corrected
from gin_rules.rummy.match import choose_dealer, deal_hand, decks_to, end_without_score
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.seating import HANDS_A_ROUND, SEATS_AT, seated
from gin_rules.rummy.state import OVER, Correction, HandResult, State


class Board(NamedTuple):
    """One hand of a round. `players` are the table seats of the hand's seats 0 (who deals) and 1."""

    number: int
    players: tuple[Seat, Seat]
    hand: State
    """Over when the hand is."""


class Party(NamedTuple):
    """A match of three or four after some actions. Tuples are by seat unless they say otherwise."""

    rules: RuleSet
    deals: Deals
    cuts: tuple[tuple[Card, ...], ...]
    first_dealer: Seat
    results: tuple[HandResult, ...]
    """In the order in which the hands ended."""
    corrections: tuple[Correction, ...]
    misdeals: tuple[int, ...]
    boards: tuple[Board, ...]
    """The hands of the round being played, those that are over included."""
    termination: Termination | None

    @property
    def seats(self) -> int:
        return SEATS_AT[self.rules.seating]


def new_party(rules: RuleSet, seats: int, deals: Deals, first_dealer: Seat | None) -> Party:
    """The state after the first deal. Raises `InvalidRules` for a number of seats that is not the seating's."""
    if seats != SEATS_AT[rules.seating]:
        raise InvalidRules("seats", f"{rules.seating} is played by {SEATS_AT[rules.seating]}")
    cuts, dealer = choose_dealer(deals, seats, first_dealer)
    return _deal_round(Party(rules, deals, cuts, dealer, (), (), (), (), None))


def next_board(party: Party) -> int | None:
    """Which board the next action is for; None when the match is over."""
    if party.termination is not None:
        return None
    open_boards = [at for at, board in enumerate(party.boards) if board.hand.phase != OVER]
    return min(open_boards, key=lambda at: (party.boards[at].hand.action_count, at))


def to_act(party: Party) -> Seat | None:
    """The seat that the next action is taken from; None when the match is over."""
    at = next_board(party)
    if at is None:
        return None
    board = party.boards[at]
    return board.players[board.hand.turn]


def legal_actions(party: Party) -> tuple[Action, ...]:
    """What the seat to act may do."""
    at = next_board(party)
    return () if at is None else play.legal_actions(party.boards[at].hand)


def apply(party: Party, action: Action) -> Party:
    """The state after an action of the seat to act. Raises `IllegalAction`."""
    at = next_board(party)
    if at is None:
        raise IllegalAction(action, "the match is over")
    return _with_hand(party, at, play.apply(party.boards[at].hand, action))


def totals(party: Party) -> tuple[int, ...]:
    """Points so far, after every correction; partners share theirs."""
    return scoring.standing(party.rules, party.seats, party.results, party.corrections).totals


def outcome(party: Party) -> Outcome | None:
    """How the match ended; None while it is played."""
    if party.termination is None:
        return None
    return scoring.outcome(party.rules, party.seats, party.results, party.corrections, party.termination)


def decks(party: Party) -> tuple[tuple[Card, ...], ...]:
    """Every deck dealt, misdeals before the decks that replaced them."""
    return decks_to(party.deals, party.boards[-1].number, party.misdeals)


def rule(party: Party, ruling: Ruling) -> Party:
    """The state after a ruling, as in a match of two; a voided hand is not played again, the seating goes on.

    Raises `RefusedRuling`.
    """
    check_ruling(ruling, party.termination)
    if ruling.kind == "void_match":
        return party._replace(termination=Termination.VOID)
    over = party.termination is not None
    begun = any(board.hand.played is not None for board in party.boards)
    if ruling.kind == "correct":
        this_round = ruling.hand >= party.boards[0].number
        last_round = ruling.hand >= party.boards[0].number - HANDS_A_ROUND[party.rules.seating]
        free = this_round or (last_round and not begun)
        added = corrected(ruling, party.results, party.corrections, party.seats, free=free)
        party = party._replace(corrections=added, termination=None)
        return _go_on(party) if over or not begun else party
    at = next((at for at, board in enumerate(party.boards) if board.number == ruling.hand), None)
    check_open(ruling, not over and at is not None and party.boards[at].hand.phase != OVER)
    assert at is not None
    board = party.boards[at]
    if ruling.kind == "void_hand":
        return _with_hand(party, at, end_without_score(board.hand.replace(shown=None), "void"))
    check_unplayed(board.hand.played is not None)
    misdeals = (*party.misdeals, board.number)
    dealt = board._replace(hand=_deal(party.rules, party.deals, board.number, misdeals))
    return party._replace(misdeals=misdeals, boards=(*party.boards[:at], dealt, *party.boards[at + 1 :]))


def _with_hand(party: Party, at: int, hand: State) -> Party:
    board = party.boards[at]._replace(hand=hand)
    party = party._replace(boards=(*party.boards[:at], board, *party.boards[at + 1 :]))
    if hand.phase != OVER:
        return party
    result = _at_the_table(hand.table.results[0], board.players, party.seats)
    found = scoring.standing(party.rules, party.seats, (*party.results, result), party.corrections)
    party = party._replace(results=(*party.results, result._replace(totals=found.totals)))
    return _go_on(party) if all(board.hand.phase == OVER for board in party.boards) else party


def _go_on(party: Party) -> Party:
    termination = scoring.standing(party.rules, party.seats, party.results, party.corrections).termination
    return _deal_round(party) if termination is None else party._replace(termination=termination)


def _deal_round(party: Party) -> Party:
    hands = HANDS_A_ROUND[party.rules.seating]
    done = len(party.results)
    boards = tuple(
        Board(number, players, _deal(party.rules, party.deals, number, party.misdeals))
        for number, players in enumerate(seated(party.rules, party.first_dealer, done // hands + 1), done + 1)
    )
    return party._replace(boards=boards)


def _deal(rules: RuleSet, deals: Deals, number: int, misdeals: tuple[int, ...]) -> State:
    return deal_hand(_rules_of_a_hand(rules), deals, number=number, dealer=0, misdeals=misdeals)


@lru_cache(maxsize=64)
def _rules_of_a_hand(rules: RuleSet) -> RuleSet:
    # One hand is a whole match of two; what only matters from hand to hand is at its default.
    return replace(
        rules, seating="two", fixed_hands=1, target=100, win_margin=0, match_bonuses="none", match_hand_cap=1
    )


def _at_the_table(result: HandResult, players: tuple[Seat, Seat], seats: int) -> HandResult:
    def by_seat(values: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(values[players.index(seat)] if seat in players else 0 for seat in range(seats))

    hands = result.hands
    return result._replace(
        dealer=players[result.dealer],
        knocker=None if result.knocker is None else players[result.knocker],
        winner=None if result.winner is None else players[result.winner],
        points=by_seat(result.points),
        lines=tuple(ScoreLine(players[line.seat], line.reason, line.points) for line in result.lines),
        hands=None
        if hands is None
        else tuple(hands[players.index(seat)] if seat in players else () for seat in range(seats)),
        players=players,
    )
