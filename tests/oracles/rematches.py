"""How likely two who have met meet again in the losers' bracket, every encounter being even.

Written from the definition and without the bracket's own code: a survivor of the losers' bracket is a
distribution over (winners' round that sent it down, table of that round). Two who were sent down from
rounds r < s have met exactly if the second was the one who beat the first in round r, which has the
probability 1/2^(s-r) if the table of round s lies above that of round r, and is impossible otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

Origin = tuple[int, int]
Survivor = dict[Origin, Fraction]
Placing = tuple[int, ...]
Placings = Callable[[int], Iterable[Placing]]


def _have_met(one: Origin, other: Origin) -> Fraction:
    (early, table), (late, above) = sorted([one, other])
    if early == late or table >> (late - early) != above:
        return Fraction(0)
    return Fraction(1, 2 ** (late - early))


def _match(one: Survivor, other: Survivor) -> tuple[Fraction, Survivor]:
    again = sum((p * q * _have_met(a, b) for a, p in one.items() for b, q in other.items()), Fraction(0))
    winner: Survivor = {}
    for side in (one, other):
        for origin, chance in side.items():
            winner[origin] = winner.get(origin, Fraction(0)) + chance / 2
    return again, winner


def _first_round(rounds: int) -> list[Survivor]:
    tables = range(2 ** (rounds - 2))
    return [_match({(1, 2 * i): Fraction(1)}, {(1, 2 * i + 1): Fraction(1)})[1] for i in tables]


def _step(
    survivors: Sequence[Survivor], number: int, placing: Placing
) -> tuple[tuple[Fraction, Fraction], list[Survivor]]:
    """The losers of winners' round `number` come in: table placing[i] to survivor i; then survivors meet."""
    met = [_match(survivor, {(number, placing[i]): Fraction(1)}) for i, survivor in enumerate(survivors)]
    dropping, survivors = sum((again for again, _ in met), Fraction(0)), [winner for _, winner in met]
    if len(survivors) == 1:
        return (dropping, Fraction(0)), survivors
    met = [_match(survivors[i], survivors[i + 1]) for i in range(0, len(survivors), 2)]
    return (dropping, sum((again for again, _ in met), Fraction(0))), [winner for _, winner in met]


def expected_rematches(rounds: int, placings: Sequence[Placing]) -> tuple[Fraction, ...]:
    """Expected rematches in rounds 2, 3, … of the losers' bracket, for 2**rounds places."""
    survivors = _first_round(rounds)
    found: tuple[Fraction, ...] = ()
    for number, placing in enumerate(placings, 2):
        costs, survivors = _step(survivors, number, placing)
        found = (*found, *costs)
    return found


def least_rematches(rounds: int, choices: Placings) -> tuple[Fraction, ...]:
    """The least that any of the placings offered for each round can do, the earliest round counting most."""
    states: list[tuple[tuple[Fraction, ...], list[Survivor]]] = [((), _first_round(rounds))]
    for number in range(2, rounds + 1):
        tried = []
        for costs, survivors in states:
            for placing in choices(2 ** (rounds - number)):
                more, left = _step(survivors, number, placing)
                tried.append(((*costs, *more), left))
        least = min(costs for costs, _ in tried)
        states = [state for state in tried if state[0] == least]
    return states[0][0]
