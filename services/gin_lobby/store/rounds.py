"""Rounds, pairings and the published standings in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from psycopg.types.json import Jsonb

from gin_lobby.domain.problems import ResultJustCame
from gin_lobby.domain.tournament import MatchId, PairingId, PairingRow, PlayerId, RoundRow, TournamentId
from gin_servicekit.database import Transaction


def begin_round(
    tx: Transaction, tournament_id: TournamentId, number: int, deadline_at: datetime, pairings: Sequence[PairingRow]
) -> None:
    """Stores a round with its pairings and makes it the current one.

    Raises psycopg.errors.UniqueViolation when the round or a slot exists or somebody would be paired twice.
    """
    tx.execute(
        "INSERT INTO rounds (tournament_id, number, state, paired_at, deadline_at) VALUES (%s, %s, 'playing', %s, %s)",
        (tournament_id, number, tx.now, deadline_at),
    )
    insert_pairings(tx, tournament_id, number, pairings)
    tx.execute(
        "UPDATE tournaments SET current_round = %s WHERE tournament_id = %s AND current_round = %s",
        (number, tournament_id, number - 1),
    )


def insert_pairings(tx: Transaction, tournament_id: TournamentId, number: int, pairings: Sequence[PairingRow]) -> None:
    """Stores pairings of a round that is there."""
    tx.execute_many(
        "INSERT INTO pairings (pairing_id, tournament_id, round_number, table_number, slot, fixture, first_id,"
        " second_id, result, ended, decided_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            (
                p.pairing_id,
                tournament_id,
                number,
                p.table_number,
                p.slot,
                Jsonb(p.fixture),
                p.first_id,
                p.second_id,
                p.result,
                None if p.ended is None else Jsonb(p.ended),
                tx.now if p.result else None,
            )
            for p in pairings
        ],
    )
    tx.execute(
        """
        INSERT INTO pairing_players (tournament_id, round_number, player_id, pairing_id, seat)
        SELECT tournament_id, round_number, player_id::uuid, pairing_id, seat
          FROM pairings
         CROSS JOIN LATERAL jsonb_array_elements_text(fixture->'seats') WITH ORDINALITY AS seats (player_id, seat)
         WHERE pairing_id = ANY(%s)
        """,
        ([p.pairing_id for p in pairings],),
    )


def decide(tx: Transaction, decided: Sequence[PairingRow]) -> None:
    """Writes the results of pairings. A decided pairing stays as it is."""
    tx.execute_many(
        "UPDATE pairings SET result = %s, ended = %s, first_score = %s, second_score = %s, decided_at = %s"
        " WHERE pairing_id = %s AND result IS NULL",
        [(p.result, Jsonb(p.ended), p.first_score, p.second_score, tx.now, p.pairing_id) for p in decided],
    )


def correct(tx: Transaction, corrected: PairingRow) -> bool:
    """Gives a decided pairing another result. False where it is not decided."""
    return bool(
        tx.execute(
            "UPDATE pairings SET result = %s, ended = %s, first_score = %s, second_score = %s"
            " WHERE pairing_id = %s AND result IS NOT NULL",
            (
                corrected.result,
                Jsonb(corrected.ended),
                corrected.first_score,
                corrected.second_score,
                corrected.pairing_id,
            ),
        )
    )


def take_back(tx: Transaction, tournament_id: UUID, pairing_ids: Sequence[PairingId]) -> list[MatchId]:
    """Removes pairings that nobody has played, and remembers their matches; tells which those are.

    Whoever reports a result of one of them meanwhile waits, and then finds it replaced.
    Raises ResultJustCame where a result of one of them waits to be scored, or a match of theirs has ended.
    """
    ids = list(pairing_ids)
    tx.execute("SELECT FROM matches WHERE pairing_id = ANY(%s) ORDER BY match_id FOR UPDATE", (ids,))
    played = tx.scalar(
        "SELECT count(*) FROM matches m LEFT JOIN reported_results r USING (match_id)"
        " WHERE m.pairing_id = ANY(%s) AND (m.ended IS NOT NULL OR r.match_id IS NOT NULL)",
        (ids,),
    )
    if played:
        raise ResultJustCame("a result has just come in: look at the consequences again")
    taken = tx.scalars(
        """
        INSERT INTO replaced_matches (match_id, tournament_id, round_number, slot, seats, replaced_at)
        SELECT m.match_id, m.tournament_id, p.round_number, p.slot, m.seats, %s
          FROM matches m JOIN pairings p USING (pairing_id) WHERE m.pairing_id = ANY(%s)
        RETURNING match_id
        """,
        (tx.now, ids),
    )
    tx.execute("DELETE FROM matches WHERE pairing_id = ANY(%s)", (ids,))
    tx.execute("DELETE FROM pairing_players WHERE pairing_id = ANY(%s)", (ids,))
    tx.execute("DELETE FROM pairings WHERE tournament_id = %s AND pairing_id = ANY(%s)", (tournament_id, ids))
    return [MatchId(match_id) for match_id in sorted(taken)]


def absent_in_a_row(
    tx: Transaction, tournament_id: UUID, pairing_ids: Sequence[PairingId], times: int
) -> list[PlayerId]:
    """Those who sit in these pairings and came to none of the last `times` encounters that they should have played.

    Byes, annulled encounters and those settled beforehand are passed over.
    """
    found = tx.scalars(
        """
        SELECT player_id
          FROM (SELECT pp.player_id,
                       CASE p.result WHEN 'places' THEN p.ended->'places'->>(pp.seat - 1) = '0'
                                     WHEN 'double_forfeit' THEN true
                                     WHEN 'first_forfeits' THEN pp.seat = 1
                                     WHEN 'second_forfeits' THEN pp.seat = 2
                                     ELSE false END AS absent,
                       row_number() OVER (PARTITION BY pp.player_id ORDER BY p.round_number DESC) AS latest
                  FROM pairing_players pp JOIN pairings p USING (pairing_id)
                 WHERE pp.tournament_id = %(id)s
                   AND pp.player_id IN (SELECT player_id FROM pairing_players WHERE pairing_id = ANY(%(pairings)s))
                   AND p.result NOT IN ('bye', 'void') AND NOT p.fixture ? 'settled') AS sat
         WHERE latest <= %(times)s
         GROUP BY player_id HAVING count(*) = %(times)s AND bool_and(absent)
         ORDER BY player_id
        """,
        {"id": tournament_id, "pairings": list(pairing_ids), "times": times},
    )
    return [PlayerId(player_id) for player_id in found]


def tables(tx: Transaction, tournament_id: UUID, number: int) -> int:
    """The highest table number of a round; 0 where it has none."""
    highest = tx.scalar(
        "SELECT coalesce(max(table_number), 0) FROM pairings WHERE tournament_id = %s AND round_number = %s",
        (tournament_id, number),
    )
    return int(highest)


def play_on(tx: Transaction, tournament_id: UUID, number: int, deadline_at: datetime) -> None:
    """A round in which something is to be played again, at least until that time."""
    tx.execute(
        "UPDATE rounds SET state = 'playing', scored_at = NULL, deadline_at = greatest(deadline_at, %s)"
        " WHERE tournament_id = %s AND number = %s",
        (deadline_at, tournament_id, number),
    )


def shift_deadlines(tx: Transaction, tournament_id: UUID, by: timedelta, number: int | None = None) -> None:
    """Moves the deadlines of rounds that are being played: of one, or of all."""
    tx.execute(
        "UPDATE rounds SET deadline_at = deadline_at + %s WHERE tournament_id = %s AND state = 'playing'"
        " AND (%s::int IS NULL OR number = %s)",
        (by, tournament_id, number, number),
    )


def void_undecided(tx: Transaction, tournament_id: UUID) -> None:
    """Declares pairings without a result void."""
    tx.execute(
        "UPDATE pairings SET result = 'void', ended = %s, decided_at = %s WHERE tournament_id = %s AND result IS NULL",
        (Jsonb({"outcome": "void"}), tx.now, tournament_id),
    )


def close_rounds(tx: Transaction, tournament_id: UUID) -> list[int]:
    """Closes the rounds in which everything is decided; tells which were still open."""
    return tx.scalars(
        """
        UPDATE rounds r SET state = 'scored', scored_at = %s
         WHERE r.tournament_id = %s AND r.state = 'playing' AND NOT EXISTS (
                SELECT FROM pairings p
                 WHERE p.tournament_id = r.tournament_id AND p.round_number = r.number AND p.result IS NULL)
        RETURNING number
        """,
        (tx.now, tournament_id),
    )


def pairings(tx: Transaction, tournament_id: UUID, number: int | None = None) -> list[PairingRow]:
    """Of one round, or of all, by round and table."""
    return tx.rows(
        PairingRow,
        """
        SELECT pairing_id, round_number, table_number, slot, fixture, first_id, second_id, result, ended,
               first_score, second_score
          FROM pairings
         WHERE tournament_id = %(id)s AND (%(number)s::int IS NULL OR round_number = %(number)s)
         ORDER BY round_number, table_number
        """,
        {"id": tournament_id, "number": number},
    )


def undecided(tx: Transaction, pairing_ids: Sequence[PairingId]) -> list[PairingRow]:
    """Those of these pairings that have no result, by round and table."""
    return tx.rows(
        PairingRow,
        """
        SELECT pairing_id, round_number, table_number, slot, fixture, first_id, second_id, result, ended,
               first_score, second_score
          FROM pairings WHERE pairing_id = ANY(%s) AND result IS NULL
         ORDER BY round_number, table_number
        """,
        (list(pairing_ids),),
    )


def rounds(tx: Transaction, tournament_id: UUID) -> list[RoundRow]:
    return tx.rows(
        RoundRow,
        "SELECT number, state, paired_at, deadline_at, scored_at FROM rounds WHERE tournament_id = %s ORDER BY number",
        (tournament_id,),
    )


def publish_standings(tx: Transaction, tournament_id: UUID, number: int, body: str, etag: str) -> None:
    tx.execute(
        """
        INSERT INTO standings (tournament_id, round_number, body, etag) VALUES (%s, %s, %s, %s)
        ON CONFLICT (tournament_id, round_number) DO UPDATE SET body = excluded.body, etag = excluded.etag
        """,
        (tournament_id, number, body, etag),
    )


def standings_with(tx: Transaction, tournament_id: UUID, player_id: str) -> list[tuple[int, str]]:
    """Round and body of the standings in which the player stands. The tournament must be locked."""
    rows = tx.dicts(
        "SELECT round_number, body FROM standings WHERE tournament_id = %s AND strpos(body, %s) > 0"
        " ORDER BY round_number",
        (tournament_id, player_id),
    )
    return [(row["round_number"], row["body"]) for row in rows]


@dataclass(frozen=True, slots=True)
class PublishedStandings:
    """The bytes that every reader gets, and their strong ETag."""

    body: str
    etag: str


def standings(tx: Transaction, tournament_id: UUID, number: int | None) -> PublishedStandings | None:
    """As of a round, or the newest."""
    return tx.row(
        PublishedStandings,
        """
        SELECT body, etag FROM standings
         WHERE tournament_id = %(id)s AND (%(number)s::int IS NULL OR round_number = %(number)s)
         ORDER BY round_number DESC LIMIT 1
        """,
        {"id": tournament_id, "number": number},
    )


def standings_etag(tx: Transaction, tournament_id: UUID, number: int | None) -> str | None:
    """The ETag of what `standings` gives, without the bytes."""
    etag: str | None = tx.scalar(
        """
        SELECT etag FROM standings
         WHERE tournament_id = %(id)s AND (%(number)s::int IS NULL OR round_number = %(number)s)
         ORDER BY round_number DESC LIMIT 1
        """,
        {"id": tournament_id, "number": number},
    )
    return etag
