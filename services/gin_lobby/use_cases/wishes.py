"""By what a round is drawn up, as the format reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gin_lobby.domain.tournament import EntrantRow, EntrantState, Tournament
from gin_lobby.store import wishes
from gin_servicekit.database import Transaction
from gin_tournament.correction import Wishes
from gin_tournament.format import Choice, Rulings
from gin_tournament.model import EntrantId, Pairing


def wishes_of(tx: Transaction, tournament: Tournament, entrants: Sequence[EntrantRow], number: int) -> Wishes:
    """The wishes for one round; see `wishes_by_round`."""
    return wishes_by_round(tx, tournament, entrants, (number,))[number]


def wishes_by_round(
    tx: Transaction, tournament: Tournament, entrants: Sequence[EntrantRow], numbers: Iterable[int]
) -> dict[int, Wishes]:
    """The wishes for these rounds, each with the forbidden pairs of the tournament.

    Pairs with somebody who has left or sits out are left out: the other is paired like everybody.
    """
    by_round = wishes.wishes(tx, tournament.tournament_id)
    rests = wishes.rests(tx, tournament.tournament_id)
    field = {str(e.player_id) for e in entrants if e.seed is not None}
    there = {str(e.player_id) for e in entrants if e.seed is not None and e.state == EntrantState.REGISTERED}
    forbidden = tuple((EntrantId(a), EntrantId(b)) for a, b in tournament.forbidden_pairs if {a, b} <= field)
    found = {}
    for number in numbers:
        resting = {str(rest.player_id) for rest in rests if rest.round_number in (0, number)} & field
        wish = by_round.get(number)
        pairs = [(a, b) for a, b in wish.manual_pairs if {a, b} <= there - resting] if wish else []
        found[number] = Wishes(
            Rulings(
                manual_pairs=tuple(Pairing(EntrantId(a), EntrantId(b)) for a, b in pairs),
                forbidden_pairs=forbidden,
                allow=tuple(Choice(word) for word in wish.allow) if wish else (),
            ),
            frozenset(EntrantId(player) for player in resting),
        )
    return found
