"""Tournaments and entrants in Postgres.

One piece, though long: what an entrant may become depends on the row of the tournament, which is locked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from psycopg.types.json import Jsonb

from gin_lobby.domain.tournament import EntrantRow, EntrantState, Tournament
from gin_servicekit.database import Transaction


def insert(tx: Transaction, t: Tournament) -> None:
    tx.execute(
        """
        INSERT INTO tournaments (
            tournament_id, organiser_id, name, game, rules, format, rounds, admits, capacity, minimum_entrants,
            starts_at, check_in_minutes, round_minutes, lots_seed, state, due_at, score_after,
            created_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            t.tournament_id,
            t.organiser_id,
            t.name,
            t.game,
            Jsonb(t.rules),
            Jsonb(t.format),
            t.rounds,
            t.admits,
            t.capacity,
            t.minimum_entrants,
            t.starts_at,
            t.check_in_minutes,
            t.round_minutes,
            t.lots_seed,
            t.state,
            t.due_at,
            t.score_after,
            t.created_at,
        ),
    )
    _play(tx, t)
    conduct(tx, t)


def conduct(tx: Transaction, t: Tournament) -> None:
    """Writes how the tournament is conducted; what its other columns say is not touched."""
    tx.execute(
        """
        INSERT INTO conduct (tournament_id, late_start_grace_minutes, paused_at, paused_seconds, rating_min, rating_max,
                             admits_provisional, invitation_code, forbidden_pairs, question)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (tournament_id) DO UPDATE
           SET late_start_grace_minutes = excluded.late_start_grace_minutes, paused_at = excluded.paused_at,
               paused_seconds = excluded.paused_seconds, rating_min = excluded.rating_min,
               rating_max = excluded.rating_max, admits_provisional = excluded.admits_provisional,
               invitation_code = excluded.invitation_code, forbidden_pairs = excluded.forbidden_pairs,
               question = excluded.question
        """,
        (
            t.tournament_id,
            t.late_start_grace_minutes,
            t.paused_at,
            t.paused_seconds,
            t.rating_min,
            t.rating_max,
            t.admits_provisional,
            t.invitation_code,
            Jsonb(t.forbidden_pairs),
            None if t.question is None else Jsonb(t.question),
        ),
    )


def edit(tx: Transaction, t: Tournament) -> None:
    """Writes what an organiser may change. The tournament must be locked."""
    tx.execute(
        """
        UPDATE tournaments
           SET name = %s, game = %s, rules = %s, format = %s, rounds = %s, admits = %s, capacity = %s,
               minimum_entrants = %s, starts_at = %s, check_in_minutes = %s, round_minutes = %s, due_at = %s
         WHERE tournament_id = %s
        """,
        (
            t.name,
            t.game,
            Jsonb(t.rules),
            Jsonb(t.format),
            t.rounds,
            t.admits,
            t.capacity,
            t.minimum_entrants,
            t.starts_at,
            t.check_in_minutes,
            t.round_minutes,
            t.due_at,
            t.tournament_id,
        ),
    )
    tx.execute("DELETE FROM tournament_clocks WHERE tournament_id = %s", (t.tournament_id,))
    tx.execute("DELETE FROM spectator_delays WHERE tournament_id = %s", (t.tournament_id,))
    _play(tx, t)
    conduct(tx, t)


def _play(tx: Transaction, t: Tournament) -> None:
    """How its matches are played and seen, where the tournament says anything about that."""
    if t.clock is not None:
        tx.execute("INSERT INTO tournament_clocks VALUES (%s, %s)", (t.tournament_id, Jsonb(t.clock)))
    if t.spectator_delay_seconds:
        tx.execute(
            "INSERT INTO spectator_delays (tournament_id, seconds) VALUES (%s, %s)",
            (t.tournament_id, t.spectator_delay_seconds),
        )


def set_organiser(tx: Transaction, tournament_id: UUID, organiser_id: UUID) -> None:
    """The tournament must be locked."""
    tx.execute(
        "UPDATE tournaments SET organiser_id = %s WHERE tournament_id = %s",
        (organiser_id, tournament_id),
    )


def reschedule(tx: Transaction, tournament_id: UUID, starts_at: datetime, due_at: datetime | None) -> None:
    """Gives a tournament that has not started another start. It must be locked."""
    tx.execute(
        "UPDATE tournaments SET starts_at = %s, due_at = %s WHERE tournament_id = %s",
        (starts_at, due_at, tournament_id),
    )


def checking_in(tx: Transaction) -> list[Tournament]:
    """Those whose check-in is open, locked one after another in the order of their ids."""
    ids = tx.scalars("SELECT tournament_id FROM tournaments WHERE state = 'check_in' ORDER BY tournament_id FOR UPDATE")
    return [tournament for tournament_id in ids if (tournament := find(tx, tournament_id)) is not None]


# Every column by its name, so that a later version may add some while this one runs.
_SELECT: LiteralString = """
    SELECT t.tournament_id, organiser_id, name, game, rules, format, rounds, admits, capacity, minimum_entrants,
           starts_at, check_in_minutes, round_minutes, lots_seed, state, current_round, ended_because, due_at,
           score_after, created_at, started_at, ended_at,
           coalesce(late_start_grace_minutes, 120) AS late_start_grace_minutes, paused_at,
           coalesce(paused_seconds, 0) AS paused_seconds, rating_min, rating_max,
           coalesce(admits_provisional, true) AS admits_provisional, invitation_code,
           coalesce(forbidden_pairs, '[]') AS forbidden_pairs, question,
           coalesce((SELECT seconds FROM spectator_delays d WHERE d.tournament_id = t.tournament_id), 0)
               AS spectator_delay_seconds,
           (SELECT clock FROM tournament_clocks c WHERE c.tournament_id = t.tournament_id) AS clock
      FROM tournaments t LEFT JOIN conduct USING (tournament_id)
"""


def find(tx: Transaction, tournament_id: UUID) -> Tournament | None:
    return tx.row(Tournament, _SELECT + " WHERE t.tournament_id = %s", (tournament_id,))


def several(tx: Transaction, tournament_ids: Sequence[UUID]) -> list[Tournament]:
    """Those of the ids that are there, in no particular order."""
    return tx.rows(Tournament, _SELECT + " WHERE t.tournament_id = ANY(%s)", (list(tournament_ids),))


def lock(tx: Transaction, tournament_id: UUID) -> Tournament | None:
    """Everything that changes a tournament takes this lock first, so its changes happen one after another."""
    # Two statements: only one that begins after the lock was given sees what the transaction before it did.
    tx.execute("SELECT FROM tournaments WHERE tournament_id = %s FOR UPDATE", (tournament_id,))
    tx.catch_up()
    return find(tx, tournament_id)


def claim_due(tx: Transaction) -> Tournament | None:
    """Locks the tournament that has been due for longest, passing over those that somebody else works on."""
    claimed: UUID | None = tx.scalar(
        """
        SELECT tournament_id FROM tournaments t
         WHERE due_at <= %s
           AND NOT EXISTS (SELECT FROM conduct c WHERE c.tournament_id = t.tournament_id AND c.paused_at IS NOT NULL)
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
        """,
        (tx.now,),
    )
    return None if claimed is None else find(tx, claimed)


def look_at(tx: Transaction, tournament_id: UUID, due_at: datetime | None) -> None:
    """Says when to look at a tournament next; None: not before a result makes it due."""
    tx.execute("UPDATE tournaments SET due_at = %s WHERE tournament_id = %s", (due_at, tournament_id))


def put_off(tx: Transaction, tournament_id: UUID, time: datetime) -> None:
    """Neither steps nor scoring before this time."""
    tx.execute(
        """
        UPDATE tournaments
           SET score_after = %(time)s, due_at = CASE WHEN due_at < %(time)s THEN %(time)s ELSE due_at END
         WHERE tournament_id = %(id)s
        """,
        {"time": time, "id": tournament_id},
    )


def score_not_before(tx: Transaction, tournament_id: UUID, time: datetime) -> None:
    tx.execute("UPDATE tournaments SET score_after = %s WHERE tournament_id = %s", (time, tournament_id))


def change_state(tx: Transaction, t: Tournament, state: str, due_at: datetime | None) -> bool:
    """Guarded by the state and round in which `t` was read: False when it has moved on since."""
    return bool(
        tx.execute(
            "UPDATE tournaments SET state = %s, due_at = %s"
            " WHERE tournament_id = %s AND state = %s AND current_round = %s",
            (state, due_at, t.tournament_id, t.state, t.current_round),
        )
    )


def start(tx: Transaction, t: Tournament, rounds: int | None) -> bool:
    """It runs from now on, for so many rounds as far as known. Guarded like `change_state`."""
    return bool(
        tx.execute(
            "UPDATE tournaments SET state = 'running', due_at = NULL, started_at = %s, rounds = %s"
            " WHERE tournament_id = %s AND state = %s AND current_round = %s",
            (tx.now, rounds, t.tournament_id, t.state, t.current_round),
        )
    )


def reopen(tx: Transaction, t: Tournament) -> bool:
    """A finished tournament runs again, and is due. Guarded like `change_state`."""
    return bool(
        tx.execute(
            "UPDATE tournaments SET state = 'running', ended_at = NULL, due_at = %s"
            " WHERE tournament_id = %s AND state = %s AND current_round = %s",
            (tx.now, t.tournament_id, t.state, t.current_round),
        )
    )


def end(tx: Transaction, t: Tournament, state: str, because: str | None) -> bool:
    """Guarded like `change_state`."""
    return bool(
        tx.execute(
            "UPDATE tournaments SET state = %s, ended_because = %s, ended_at = %s, due_at = NULL"
            " WHERE tournament_id = %s AND state = %s AND current_round = %s",
            (state, because, tx.now, t.tournament_id, t.state, t.current_round),
        )
    )


def page(
    tx: Transaction,
    states: Sequence[str] | None,
    organiser_id: UUID | None,
    before: UUID | None,
    limit: int,
    reader: UUID | None = None,
) -> list[Tournament]:
    """Newest first; `before` is the last id of the page before. Drafts are shown to the organiser alone."""
    return tx.rows(
        Tournament,
        _SELECT
        + """
         WHERE (%(states)s::text[] IS NULL OR state = ANY(%(states)s))
           AND (%(organiser)s::uuid IS NULL OR organiser_id = %(organiser)s)
           AND (%(before)s::uuid IS NULL OR t.tournament_id < %(before)s)
           AND (state <> 'draft' OR organiser_id = %(reader)s)
         ORDER BY t.tournament_id DESC LIMIT %(limit)s
        """,
        {
            "states": None if states is None else list(states),
            "organiser": organiser_id,
            "before": before,
            "limit": limit,
            "reader": reader,
        },
    )


def entrants(tx: Transaction, tournament_id: UUID) -> list[EntrantRow]:
    """In the order of seeds, before the start in the order of entry."""
    return tx.rows(
        EntrantRow,
        """
        SELECT e.player_id, p.name, p.kind, p.bot, e.state, e.checked_in, e.joined_at, e.seed, e.rating, p.owner_id
          FROM entrants e JOIN players p USING (player_id)
         WHERE e.tournament_id = %s ORDER BY e.seed NULLS LAST, e.place_in_line
        """,
        (tournament_id,),
    )


def entrant(tx: Transaction, tournament_id: UUID, player_id: UUID) -> EntrantRow | None:
    return tx.row(
        EntrantRow,
        """
        SELECT e.player_id, p.name, p.kind, p.bot, e.state, e.checked_in, e.joined_at, e.seed, e.rating, p.owner_id
          FROM entrants e JOIN players p USING (player_id)
         WHERE e.tournament_id = %s AND e.player_id = %s
        """,
        (tournament_id, player_id),
    )


def entrant_state(tx: Transaction, tournament_id: UUID, player_id: UUID) -> str | None:
    state: str | None = tx.scalar(
        "SELECT state FROM entrants WHERE tournament_id = %s AND player_id = %s", (tournament_id, player_id)
    )
    return state


def count_registered(tx: Transaction, tournament_id: UUID) -> int:
    count = tx.scalar(
        "SELECT count(*) FROM entrants WHERE tournament_id = %s AND state = 'registered'", (tournament_id,)
    )
    return int(count)


def enter(tx: Transaction, tournament_id: UUID, player_id: UUID, state: EntrantState, checked_in: bool) -> None:
    """A new entrant; one who withdrew before the start comes back at the end of the line."""
    tx.execute("DELETE FROM entrants WHERE tournament_id = %s AND player_id = %s", (tournament_id, player_id))
    tx.execute(
        "INSERT INTO entrants (tournament_id, player_id, state, checked_in, joined_at) VALUES (%s, %s, %s, %s, %s)",
        (tournament_id, player_id, state, checked_in, tx.now),
    )


def invite(tx: Transaction, tournament_id: UUID, player_id: UUID) -> None:
    """Somebody who may enter; who took part before and left keeps the seed of then."""
    tx.execute(
        """
        INSERT INTO entrants (tournament_id, player_id, state, checked_in, joined_at)
        VALUES (%s, %s, 'invited', false, %s)
        ON CONFLICT (tournament_id, player_id) DO UPDATE SET state = 'invited'
        """,
        (tournament_id, player_id, tx.now),
    )


def enter_late(tx: Transaction, tournament_id: UUID, player_id: UUID, pool: str) -> None:
    """An entrant of a tournament that runs, with the lowest seed; who was seeded before has the seed of then."""
    tx.execute(
        """
        INSERT INTO entrants (tournament_id, player_id, state, checked_in, joined_at, seed, rating)
        SELECT %(id)s, %(player)s, 'registered', true, %(now)s,
               (SELECT coalesce(max(seed), 0) + 1 FROM entrants WHERE tournament_id = %(id)s),
               (SELECT rating FROM player_ratings WHERE player_id = %(player)s AND pool = %(pool)s)
        ON CONFLICT (tournament_id, player_id) DO UPDATE
           SET state = excluded.state, checked_in = true, seed = coalesce(entrants.seed, excluded.seed),
               rating = coalesce(entrants.rating, excluded.rating)
        """,
        {"id": tournament_id, "player": player_id, "now": tx.now, "pool": pool},
    )


def set_entrant_state(tx: Transaction, tournament_id: UUID, player_id: UUID, state: EntrantState) -> None:
    tx.execute(
        "UPDATE entrants SET state = %s WHERE tournament_id = %s AND player_id = %s",
        (state, tournament_id, player_id),
    )


def promote(tx: Transaction, tournament_id: UUID, places: int | None) -> None:
    """Moves the first `places` of the waitlist into the field, or all of it."""
    tx.execute(
        """
        UPDATE entrants SET state = 'registered'
         WHERE tournament_id = %(id)s AND player_id IN (
                 SELECT player_id FROM entrants WHERE tournament_id = %(id)s AND state = 'waitlisted'
                  ORDER BY place_in_line LIMIT %(places)s::int)
        """,
        {"id": tournament_id, "places": places},
    )


def check_in(tx: Transaction, tournament_id: UUID, player_id: UUID) -> None:
    tx.execute(
        "UPDATE entrants SET checked_in = true WHERE tournament_id = %s AND player_id = %s",
        (tournament_id, player_id),
    )


def drop_absent(tx: Transaction, tournament_id: UUID) -> int:
    """Drops everyone in the field or on the waitlist who has not checked in; returns how many."""
    return tx.execute(
        "UPDATE entrants SET state = 'dropped'"
        " WHERE tournament_id = %s AND state IN ('registered', 'waitlisted') AND NOT checked_in",
        (tournament_id,),
    )


def seed_field(tx: Transaction, tournament_id: UUID, pool: str) -> None:
    """Seeds the field by rating in the pool, strongest first; unrated last, in the order of entry."""
    tx.execute(
        """
        UPDATE entrants e SET seed = ranked.seed, rating = ranked.rating
          FROM (SELECT f.player_id, r.rating,
                       row_number() OVER (ORDER BY r.rating DESC NULLS LAST, f.place_in_line) AS seed
                  FROM entrants f
                  LEFT JOIN player_ratings r ON r.player_id = f.player_id AND r.pool = %(pool)s
                 WHERE f.tournament_id = %(id)s AND f.state = 'registered') AS ranked
         WHERE e.tournament_id = %(id)s AND e.player_id = ranked.player_id
        """,
        {"id": tournament_id, "pool": pool},
    )
