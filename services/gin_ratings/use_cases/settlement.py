"""Rates finished matches: the one place where ratings change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gin_messages.match import MatchFinished
from gin_messages.ratings import RatingChange, RatingsUpdated
from gin_ratings.domain import ledger
from gin_ratings.domain.elo import Standing
from gin_ratings.domain.ledger import Entry, Head, RatedMatch, Seat
from gin_ratings.domain.pools import Pool, parse_pool
from gin_ratings.domain.verdicts import Verdict, judge
from gin_ratings.store import ledger as ledger_store
from gin_ratings.store import matches, pools, ratings
from gin_ratings.store.matches import JudgedMatch
from gin_ratings.store.ratings import Key
from gin_servicekit.database import Transaction


def settle_matches(tx: Transaction, finished: Sequence[MatchFinished]) -> None:
    """Each match is settled once, in the order given, by the ratings of that moment; the first word on a match counts.

    Locks matches, then players, then pools, each in the order of their ids: settlements at the same time wait for
    one another and never for each other. Emits one RatingsUpdated with all changes, if there are any.

    Raises MalformedPool when a match names a pool that cannot be one; then nothing is settled.
    """
    judged: dict[str, JudgedMatch] = {}
    for match in finished:
        judged.setdefault(match.match_id, _judge(match))
    pools.open_missing(tx, {Pool(match.pool) for match in judged.values() if match.pool})
    new = matches.remember(tx, list(judged.values()))
    rated = [
        RatedMatch(match.match_id, match.pool, match.target, match.seats, tx.now)
        for match in judged.values()
        if match.pool and match.verdict is Verdict.RATED and match.match_id in new
    ]
    if rated:
        _rate(tx, rated)


def _judge(match: MatchFinished) -> JudgedMatch:
    pool = None if match.rating_pool is None else parse_pool(match.rating_pool)
    return JudgedMatch(
        match_id=match.match_id,
        pool=pool,
        verdict=judge(pool, match.ending, [seat.player_id for seat in match.seats]),
        ending=match.ending,
        target=match.target,
        seats=tuple(Seat(seat.player_id, seat.place) for seat in match.seats),
        finished_at=match.finished_at,
    )


def _rate(tx: Transaction, rated: Sequence[RatedMatch]) -> None:
    standings = ratings.lock(tx, {Key(Pool(match.pool), seat.player_id) for match in rated for seat in match.seats})
    heads = pools.lock_heads(tx, {Pool(match.pool) for match in rated})
    written: list[Entry] = []
    for match in rated:
        pool = Pool(match.pool)
        at_table = {seat.player_id: standings[Key(pool, seat.player_id)] for seat in match.seats}
        entries, heads[pool] = ledger.settle(heads[pool], match, at_table)
        standings.update((Key(pool, entry.player_id), ledger.standing_after(entry)) for entry in entries)
        written += entries
    close_settlement(tx, written, standings, heads)


def close_settlement(
    tx: Transaction, written: Sequence[Entry], standings: Mapping[Key, Standing], heads: Mapping[Pool, Head]
) -> None:
    """Writes the entries and what follows from them, and tells everybody. All of it must be locked."""
    ledger_store.append(tx, written)
    ratings.write(tx, standings)
    pools.move_heads(tx, heads)
    tx.emit(RatingsUpdated([_told(entry) for entry in written]))


def _told(entry: Entry) -> RatingChange:
    return RatingChange(
        match_id=entry.match_id,
        player_id=entry.player_id,
        pool=entry.pool,
        before=entry.before,
        after=entry.after,
        games=entry.games,
        effective_games=entry.effective_games,
        sequence=entry.sequence,
    )
