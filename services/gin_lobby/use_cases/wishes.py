"""By what a round is drawn up, as the format reads it."""

from __future__ import annotations

from gin_lobby.domain.tournament import Tournament
from gin_lobby.store import wishes
from gin_servicekit.database import Transaction
from gin_tournament.correction import Wishes
from gin_tournament.format import Choice, Rulings
from gin_tournament.model import EntrantId, Pairing


def wishes_by_round(tx: Transaction, tournament: Tournament, upto: int) -> dict[int, Wishes]:
    """The wishes for rounds 1 to `upto`, each with the forbidden pairs of the tournament."""
    by_round = wishes.wishes(tx, tournament.tournament_id)
    rests = wishes.rests(tx, tournament.tournament_id)
    forbidden = tuple((EntrantId(one), EntrantId(other)) for one, other in tournament.forbidden_pairs)
    found = {}
    for number in range(1, upto + 1):
        wish = by_round.get(number)
        found[number] = Wishes(
            Rulings(
                manual_pairs=tuple(Pairing(EntrantId(a), EntrantId(b)) for a, b in wish.manual_pairs) if wish else (),
                forbidden_pairs=forbidden,
                allow=tuple(Choice(word) for word in wish.allow) if wish else (),
            ),
            frozenset(EntrantId(str(rest.player_id)) for rest in rests if rest.round_number in (0, number)),
        )
    return found
