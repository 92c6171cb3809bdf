"""What may be known at a table of three or four: the views of its hands, each as between two."""

from __future__ import annotations

from gin_rules.game import Seat
from gin_rules.rummy import party as parties
from gin_rules.rummy import view
from gin_rules.rummy.party import Board, Party
from gin_rules.rummy.view import TableView, View


def player_view(party: Party, seat: Seat) -> View:
    """The player's own hand, or as a spectator that of others while this seat sits out.

    Raises `ValueError` for a seat that is not at the table.
    """
    if seat not in range(party.seats):
        raise ValueError(f"there is no seat {seat}")
    own = next((board for board in party.boards if seat in board.players), None)
    return _view(party, own or party.boards[0], seat)


def spectator_view(party: Party) -> View:
    """The hand that the next action is for, or the first hand of the last round."""
    return _view(party, party.boards[parties.next_board(party) or 0], None)


def _view(party: Party, board: Board, seat: Seat | None) -> View:
    table = TableView(
        seat=seat,
        to_act=parties.to_act(party),
        totals=parties.totals(party),
        hands=tuple(_hand_view(party, other, None) for other in party.boards),
    )
    return _hand_view(party, board, seat)._replace(table=table)


def _hand_view(party: Party, board: Board, seat: Seat | None) -> View:
    # A hand waits while another one of its round is to go on: then nobody is to act in it.
    own = board.players.index(seat) if seat in board.players else None
    shown = view.spectator_view(board.hand) if own is None else view.player_view(board.hand, own)
    if parties.to_act(party) not in board.players:
        shown = shown._replace(to_act=None, legal_actions=())
    totals = parties.totals(party)
    return shown._replace(
        rules=party.rules,
        totals=tuple(totals[player] for player in board.players),
        cuts=party.cuts,
        results=party.results,
        corrections=party.corrections,
        outcome=parties.outcome(party),
        players=board.players,
    )
