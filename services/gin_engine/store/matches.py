"""Matches and their seats in Postgres. Every function takes many at once: a round opens and ends in batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from gin_engine.domain.match import PLAYING, Clock, Match, MatchId, Seat, SeatScore
from gin_engine.domain.problems import MatchMoved
from gin_engine.domain.results import Result
from gin_servicekit.database import Transaction
from gin_servicekit.word_lists import make_known


@dataclass(frozen=True, slots=True)
class Advance:
    """How a match went on: `result` and `seal` when that ended it, `bot_due_at` when a bot is to act next."""

    match: Match
    action_count: int
    hands_played: int
    last_action_at: datetime | None
    bot_due_at: datetime | None
    result: Result | None
    seal: str | None = None


_MATCHES = """
    SELECT match_id, tournament_id, round_number, game, rules, first_dealer, rating_pool, target, server_seed, salt,
           commitment, state, ending, reason, dealt, action_count, hands_played, last_action_at, deadline_at,
           opened_at, finished_at, casual, advice, bot_pace_seconds, idle_seconds, clock_move_ms, clock_bank_ms,
           turn_began_at, clock_due_at, ruling_count, arbiters, deal_id, deal_tables, seal,
           spectator_delay_seconds
      FROM matches JOIN match_secrets USING (match_id)
"""
_SEATS = """
    SELECT match_id, player_id, player_name, bot, entropy, acted_at, thinking_seconds, bank_ms, shown_name,
           owner_id, place, score, hands_won, undercuts
      FROM seats
"""


def find(tx: Transaction, match_id: str) -> Match | None:
    return _one(tx, match_id, "")


def lock(tx: Transaction, match_id: str) -> Match | None:
    """The match, which nobody else changes until this transaction ends."""
    return _one(tx, match_id, " FOR UPDATE OF matches")


def _one(tx: Transaction, match_id: str, locking: LiteralString) -> Match | None:
    """In one round trip.

    The seats need a statement of their own: one that waits for a lock sees what it does not lock as it was before.
    """
    with tx.connection.cursor(row_factory=dict_row) as found, tx.connection.cursor() as seats:
        with tx.connection.pipeline():
            found.execute(_MATCHES + " WHERE match_id = %s" + locking, (match_id,))
            seats.execute(_SEATS + " WHERE match_id = %s ORDER BY seat", (match_id,))
        row = found.fetchone()
        seated = tuple(map(_seat, seats))
    if row is None:
        return None
    _make_words_known(tx, [row])
    return _match(row, seated)


def _make_words_known(tx: Transaction, rows: Sequence[dict[str, Any]]) -> None:
    """Whoever has a match can read its rules, in whatever process."""
    make_known(tx, [row["rules"] for row in rows if row["game"] == "word"])


def claim_bot_due(tx: Transaction, limit: int, *, only_bots: bool) -> list[Match]:
    """Matches in which a bot is to act, oldest first, that no other transaction has claimed.

    `only_bots` chooses between those of bots alone and those in which a client waits.
    """
    ids = tx.scalars(
        """
        SELECT match_id FROM matches WHERE only_bots = %s AND bot_due_at <= %s
         ORDER BY bot_due_at LIMIT %s FOR UPDATE SKIP LOCKED
        """,
        (only_bots, tx.now, limit),
    )
    return load(tx, ids)


def claim_overdue(tx: Transaction, limit: int) -> list[Match]:
    """Undecided matches past their deadline that wait for a client, not for one of our bots."""
    ids = tx.scalars(
        """
        SELECT match_id FROM matches WHERE state = 'playing' AND deadline_at <= %s AND bot_due_at IS NULL
         ORDER BY deadline_at LIMIT %s FOR UPDATE SKIP LOCKED
        """,
        (tx.now, limit),
    )
    return load(tx, ids)


def lock_playing(tx: Transaction, match_ids: Sequence[str]) -> list[Match]:
    """Those of the matches that are still undecided, locked in one order so that two batches cannot deadlock."""
    ids = tx.scalars(
        "SELECT match_id FROM matches WHERE match_id = ANY(%s) AND state = 'playing' ORDER BY match_id FOR UPDATE",
        (list(match_ids),),
    )
    return load(tx, ids)


def load(tx: Transaction, match_ids: Sequence[str]) -> list[Match]:
    """Those of the matches that are there, in the order asked for."""
    ids = list(match_ids)
    if not ids:
        return []
    rows = tx.dicts(_MATCHES + " WHERE match_id = ANY(%s) ORDER BY array_position(%s::text[], match_id)", (ids, ids))
    seats: dict[str, list[Seat]] = defaultdict(list)
    for row in tx.connection.execute(_SEATS + " WHERE match_id = ANY(%s) ORDER BY match_id, seat", (ids,)):
        seats[row[0]].append(_seat(row))
    _make_words_known(tx, rows)
    return [_match(row, tuple(seats[row["match_id"]])) for row in rows]


def _seat(row: Sequence[Any]) -> Seat:
    _, player_id, name, bot, entropy, acted_at, thinking, bank_ms, shown_name, owner_id, *score = row
    result = None if score[0] is None else SeatScore(*score)
    return Seat(player_id, name, bot, entropy, acted_at, thinking, result, bank_ms, shown_name, owner_id)


def _match(row: dict[str, Any], seats: tuple[Seat, ...]) -> Match:
    move_ms, bank_ms = row.pop("clock_move_ms"), row.pop("clock_bank_ms")
    clock = None if move_ms is None else Clock(move_ms, bank_ms)
    return Match(**{**row, "arbiters": tuple(row["arbiters"])}, clock=clock, seats=seats)


def hold(tx: Transaction, match_ids: Sequence[str]) -> None:
    """Until this transaction ends, no other one opens or cancels these matches, whether they are there or not."""
    tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(match_id, 0))"
        " FROM (SELECT DISTINCT unnest(%s::text[]) AS match_id ORDER BY 1) AS held",
        (list(match_ids),),
    )


def insert(tx: Transaction, matches: Sequence[Match], bot_due: frozenset[MatchId]) -> frozenset[MatchId]:
    """Stores matches that are not there yet, and tells which those were."""
    ordered = sorted(matches, key=lambda match: match.match_id)
    if not ordered:
        return frozenset()
    inserted: frozenset[MatchId] = frozenset(
        tx.scalars(
            """
            INSERT INTO matches (match_id, tournament_id, round_number, game, rules, first_dealer, rating_pool, target,
                                 commitment, state, ending, reason, dealt, deadline_at, opened_at, finished_at,
                                 bot_due_at, only_bots, casual, advice, bot_pace_seconds, idle_seconds,
                                 clock_move_ms, clock_bank_ms, arbiters, deal_id, deal_tables,
                                 spectator_delay_seconds)
            SELECT * FROM unnest(
                %s::text[], %s::text[], %s::integer[], %s::text[], %s::jsonb[], %s::smallint[], %s::text[],
                %s::integer[], %s::text[], %s::text[], %s::text[], %s::text[], %s::boolean[], %s::timestamptz[],
                %s::timestamptz[], %s::timestamptz[], %s::timestamptz[], %s::boolean[], %s::boolean[], %s::boolean[],
                %s::float[], %s::integer[], %s::integer[], %s::integer[], %s::jsonb[], %s::text[], %s::integer[],
                %s::integer[])
            ON CONFLICT DO NOTHING RETURNING match_id
            """,
            (
                [m.match_id for m in ordered],
                [m.tournament_id for m in ordered],
                [m.round_number for m in ordered],
                [m.game for m in ordered],
                [Jsonb(m.rules) for m in ordered],
                [m.first_dealer for m in ordered],
                [m.rating_pool for m in ordered],
                [m.target for m in ordered],
                [m.commitment for m in ordered],
                [m.state for m in ordered],
                [m.ending for m in ordered],
                [m.reason for m in ordered],
                [m.dealt for m in ordered],
                [m.deadline_at for m in ordered],
                [m.opened_at for m in ordered],
                [m.finished_at for m in ordered],
                [tx.now if m.match_id in bot_due else None for m in ordered],
                [m.only_bots for m in ordered],
                [m.casual for m in ordered],
                [m.advice for m in ordered],
                [m.bot_pace_seconds for m in ordered],
                [m.idle_seconds for m in ordered],
                [m.clock and m.clock.move_ms for m in ordered],
                [m.clock and m.clock.bank_ms for m in ordered],
                [Jsonb(m.arbiters) for m in ordered],
                [m.deal_id for m in ordered],
                [m.deal_tables for m in ordered],
                [m.spectator_delay_seconds for m in ordered],
            ),
        )
    )
    new = [match for match in ordered if match.match_id in inserted]
    tx.execute(
        "INSERT INTO match_secrets SELECT * FROM unnest(%s::text[], %s::bytea[], %s::bytea[])",
        ([m.match_id for m in new], [m.server_seed for m in new], [m.salt for m in new]),
    )
    copy_into = """
        COPY seats (match_id, seat, player_id, player_name, bot, entropy, bank_ms, owner_id,
                    place, score, hands_won, undercuts)
        FROM STDIN
    """
    with tx.connection.cursor() as cursor, cursor.copy(copy_into) as copy:
        for match in new:
            for number, seat in enumerate(match.seats):
                player = (seat.player_id, seat.player_name, seat.bot, seat.entropy, seat.bank_ms, seat.owner_id)
                copy.write_row((match.match_id, number, *player, *_score(seat.result)))
    return inserted


def advance(tx: Transaction, advances: Sequence[Advance]) -> None:
    """Writes how locked matches went on. Raises MatchMoved when one is not where it was: nothing may commit."""
    if not advances:
        return
    moved = tx.execute(
        """
        UPDATE matches m
           SET action_count = a.reached, hands_played = a.hands, last_action_at = a.last_action_at,
               bot_due_at = a.bot_due_at, state = a.state, ending = a.ending, seal = a.seal,
               finished_at = CASE WHEN a.ending IS NULL THEN NULL ELSE %s::timestamptz END
          FROM unnest(%s::text[], %s::integer[], %s::integer[], %s::integer[], %s::timestamptz[], %s::timestamptz[],
                      %s::text[], %s::text[], %s::text[])
               AS a (match_id, expected, reached, hands, last_action_at, bot_due_at, state, ending, seal)
         WHERE m.match_id = a.match_id AND m.state = 'playing' AND m.action_count = a.expected
        """,
        (
            tx.now,
            [a.match.match_id for a in advances],
            [a.match.action_count for a in advances],
            [a.action_count for a in advances],
            [a.hands_played for a in advances],
            [a.last_action_at for a in advances],
            [a.bot_due_at for a in advances],
            [PLAYING if a.result is None else a.result.state for a in advances],
            [None if a.result is None else a.result.ending for a in advances],
            [a.seal for a in advances],
        ),
    )
    if moved != len(advances):
        raise MatchMoved(f"{len(advances) - moved} of {len(advances)} matches are not where they were")
    _score_seats(tx, [a for a in advances if a.result is not None])


def _score_seats(tx: Transaction, ended: Sequence[Advance]) -> None:
    scores = [
        (a.match.match_id, number, *_score(score))
        for a in ended
        if a.result is not None
        for number, score in enumerate(a.result.seats)
    ]
    if scores:
        tx.execute(
            """
            UPDATE seats s
               SET place = r.place, score = r.score, hands_won = r.hands_won, undercuts = r.undercuts
              FROM unnest(%s::text[], %s::integer[], %s::integer[], %s::integer[], %s::integer[], %s::integer[])
                   AS r (match_id, seat, place, score, hands_won, undercuts)
             WHERE s.match_id = r.match_id AND s.seat = r.seat
            """,
            [list(column) for column in zip(*scores, strict=True)],
        )


def note_reason(tx: Transaction, reasons: dict[MatchId, str]) -> None:
    """Why matches were cancelled."""
    if not reasons:
        return
    tx.execute(
        "UPDATE matches m SET reason = r.reason FROM unnest(%s::text[], %s::text[]) AS r (match_id, reason)"
        " WHERE m.match_id = r.match_id",
        (list(reasons), list(reasons.values())),
    )


def note_acted(tx: Transaction, match: Match, seat: int) -> None:
    """A client acted for the seat just now; the match had waited for it since the action before."""
    tx.execute(
        "UPDATE seats SET acted_at = %s, thinking_seconds = thinking_seconds + %s WHERE match_id = %s AND seat = %s",
        (tx.now, match.waited_seconds(tx.now), match.match_id, seat),
    )


def put_off_deadline(tx: Transaction, match: Match) -> None:
    """Where people play without a clock, each action gives the next one as much time."""
    if match.idle_seconds is not None:
        tx.execute(
            "UPDATE matches SET deadline_at = %s WHERE match_id = %s",
            (match.deadline_after(tx.now), match.match_id),
        )


def put_off_bots(tx: Transaction, match_id: MatchId, until: datetime) -> None:
    """The bots of a match rest until then."""
    tx.execute(
        "UPDATE matches SET bot_due_at = %s WHERE match_id = %s AND bot_due_at IS NOT NULL",
        (until, match_id),
    )


def remember_cancellations(tx: Transaction, reasons: dict[str, str]) -> None:
    """For matches that are not there yet: should one be opened later, it is void."""
    tx.execute(
        "INSERT INTO early_cancellations (match_id, reason, cancelled_at)"
        " SELECT match_id, reason, %s FROM unnest(%s::text[], %s::text[]) AS c (match_id, reason)"
        " ON CONFLICT DO NOTHING",
        (tx.now, list(reasons), list(reasons.values())),
    )


def cancelled_early(tx: Transaction, match_ids: Sequence[str]) -> dict[str, str]:
    """Why, for those of the matches that were cancelled before they were opened."""
    rows = tx.dicts("SELECT match_id, reason FROM early_cancellations WHERE match_id = ANY(%s)", (list(match_ids),))
    return {row["match_id"]: row["reason"] for row in rows}


def page(
    tx: Transaction,
    *,
    tournament_id: str | None,
    round_number: int | None,
    player_id: str | None,
    state: str | None,
    after: str,
    limit: int,
) -> list[Match]:
    """Matches by id, from the first one after `after`; a filter that is None lets all pass."""
    ids = tx.scalars(
        """
        SELECT m.match_id FROM matches m
         WHERE m.match_id > %(after)s
           AND (%(tournament_id)s::text IS NULL OR m.tournament_id = %(tournament_id)s)
           AND (%(round_number)s::integer IS NULL OR m.round_number = %(round_number)s)
           AND (%(state)s::text IS NULL OR m.state = %(state)s)
           AND (%(player_id)s::text IS NULL OR m.match_id IN (
                    SELECT s.match_id FROM seats s WHERE s.player_id = %(player_id)s))
         ORDER BY m.match_id LIMIT %(limit)s
        """,
        {
            "after": after,
            "tournament_id": tournament_id,
            "round_number": round_number,
            "state": state,
            "player_id": player_id,
            "limit": limit,
        },
    )
    return load(tx, ids)


def _score(score: SeatScore | None) -> tuple[int | None, ...]:
    return (None,) * 4 if score is None else (score.place, score.score, score.hands_won, score.undercuts)
