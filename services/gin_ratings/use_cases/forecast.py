"""What a match between two players would do to their ratings."""

from __future__ import annotations

from dataclasses import dataclass

from gin_ratings.domain import elo
from gin_ratings.domain.elo import NEWCOMER, Opponent, Standing
from gin_ratings.store import players, ratings
from gin_ratings.use_cases.lookups import known_pool
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two. `expected` is the share of the point, 0 to 1; the others are changes in points."""

    player_id: str
    name: str | None
    rating: float
    uncertainty: float
    provisional: bool
    k: int
    expected: float
    if_wins: float
    if_ties: float
    if_loses: float


@dataclass(frozen=True, slots=True)
class Forecast:
    pool: str
    target: int
    m: float
    a: Side
    b: Side


def forecast(tx: Transaction, pool: str, a: str, b: str, target: int) -> Forecast:
    """By the ratings of this moment; who has none in the pool counts as a newcomer.

    Raises InvalidField when a player would meet themselves, NotFound naming the side of whom nothing was ever told.
    """
    known = known_pool(tx, pool)
    if a == b:
        raise InvalidField("nobody plays against themselves", "b")
    names, standings = dict[str, str | None](), dict[str, Standing]()
    for side, player_id in (("a", a), ("b", b)):
        rows = ratings.listed(tx, None, player_id, None, None)
        copy = players.find(tx, player_id)
        if copy is None and not rows:
            raise NotFound(f"there is no player {player_id}", side)
        names[player_id] = copy.name if copy else None
        standings[player_id] = next((row.standing for row in rows if row.pool == known), NEWCOMER)
    weight = elo.match_weight(target)
    return Forecast(
        pool=known,
        target=target,
        m=weight,
        a=_side(a, names[a], standings[a], b, standings[b], weight),
        b=_side(b, names[b], standings[b], a, standings[a], weight),
    )


def _side(
    player_id: str, name: str | None, standing: Standing, opponent_id: str, opponent: Standing, weight: float
) -> Side:
    k = elo.k_factor(standing.effective_games)

    def change(place: int, opponent_place: int) -> float:
        other = Opponent(opponent_id, opponent.rating, opponent_place)
        return elo.settled_change(k, weight, standing.rating, place, [other])

    return Side(
        player_id=player_id,
        name=name,
        rating=standing.rating,
        uncertainty=elo.uncertainty(standing.effective_games),
        provisional=standing.provisional,
        k=k,
        expected=elo.expected_score(standing.rating, opponent.rating, weight),
        if_wins=change(1, 2),
        if_ties=change(1, 1),
        if_loses=change(2, 1),
    )
