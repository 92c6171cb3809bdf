"""Who plays whom at a table of three or four (source 004, Three or Four Players).

Hands come in rounds: one hand at a time for three players, two at once for four. The deal goes round.
"""

from __future__ import annotations

from typing import Final

from gin_rules.game import Seat
from gin_rules.rummy.rules import RuleSet

SEATS_AT: Final = {"two": 2, "rotation3": 3, "pairs4": 4, "rotation4": 4}
HANDS_A_ROUND: Final = {"two": 1, "rotation3": 1, "pairs4": 2, "rotation4": 2}

# Four players by their distance from the first dealer, the dealer of each hand first. In six rounds everybody meets
# everybody twice, once as dealer.
_ROTATION4: Final = (
    ((0, 1), (2, 3)),
    ((2, 0), (1, 3)),
    ((3, 0), (1, 2)),
    ((1, 0), (3, 2)),
    ((0, 2), (3, 1)),
    ((0, 3), (2, 1)),
)


def seated(rules: RuleSet, first_dealer: Seat, round_number: int) -> tuple[tuple[Seat, Seat], ...]:
    """The hands of a round (numbered from 1), each as its dealer and the other player."""
    turn = round_number - 1
    if rules.seating == "rotation3":
        # The deal passes to the left, the player left of the dealer plays, the third sits out.
        dealer = (first_dealer + turn) % 3
        return ((dealer, (dealer + 1) % 3),)
    if rules.seating == "rotation4":
        hands = _ROTATION4[turn % len(_ROTATION4)]
        return tuple(((first_dealer + one) % 4, (first_dealer + other) % 4) for one, other in hands)
    # Partners sit across. Seats 0 and 1 play each other, so do 2 and 3; each side deals one of the two hands.
    swapped = (turn + (first_dealer in (1, 2))) % 2
    return ((1, 0), (2, 3)) if swapped else ((0, 1), (3, 2))
