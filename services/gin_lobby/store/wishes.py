"""By what rounds are drawn up: manual pairs, concessions and rests, in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.types.json import Jsonb

from gin_lobby.domain.tournament import PlayerId
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class RoundWish:
    round_number: int
    manual_pairs: list[list[str]]
    allow: list[str]


@dataclass(frozen=True, slots=True)
class Rest:
    """Round 0 is until further notice."""

    player_id: PlayerId
    round_number: int


def wishes(tx: Transaction, tournament_id: UUID) -> dict[int, RoundWish]:
    """By the number of the round."""
    found = tx.rows(
        RoundWish,
        "SELECT round_number, manual_pairs, allow FROM round_wishes WHERE tournament_id = %s",
        (tournament_id,),
    )
    return {wish.round_number: wish for wish in found}


def write(tx: Transaction, tournament_id: UUID, wish: RoundWish) -> None:
    tx.execute(
        "INSERT INTO round_wishes (tournament_id, round_number, manual_pairs, allow) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT (tournament_id, round_number) DO UPDATE"
        " SET manual_pairs = excluded.manual_pairs, allow = excluded.allow",
        (tournament_id, wish.round_number, Jsonb(wish.manual_pairs), wish.allow),
    )


def rests(tx: Transaction, tournament_id: UUID) -> list[Rest]:
    return tx.rows(
        Rest,
        "SELECT player_id, round_number FROM rests WHERE tournament_id = %s ORDER BY player_id, round_number",
        (tournament_id,),
    )


def rest(tx: Transaction, tournament_id: UUID, player_id: UUID, rounds: Sequence[int]) -> None:
    tx.execute_many(
        "INSERT INTO rests (tournament_id, player_id, round_number) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        [(tournament_id, player_id, number) for number in rounds],
    )


def rest_no_more(tx: Transaction, tournament_id: UUID, player_id: UUID, after: int) -> int:
    """Takes back the rests of a player in rounds after that one, and those until further notice; tells how many."""
    return tx.execute(
        "DELETE FROM rests WHERE tournament_id = %s AND player_id = %s AND (round_number > %s OR round_number = 0)",
        (tournament_id, player_id, after),
    )
