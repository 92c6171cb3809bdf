"""Makes up for results that were corrected or voided: by appending to the ledger, never by editing it."""

from __future__ import annotations

from collections.abc import Sequence

from gin_messages.match import ResultCorrected
from gin_ratings.domain import ledger
from gin_ratings.domain.ledger import CORRECTION, REVERSAL, UNRATED, Entry, Past, RatedMatch, Seat
from gin_ratings.domain.pools import Pool
from gin_ratings.domain.verdicts import Verdict, judge
from gin_ratings.store import corrections, matches, pools, ratings
from gin_ratings.store import ledger as ledger_store
from gin_ratings.store.corrections import ToldCorrection
from gin_ratings.store.matches import ToldMatch
from gin_ratings.store.ratings import Key
from gin_ratings.use_cases.settlement import close_settlement
from gin_servicekit.database import Transaction

CORRECTIONS_PER_TRANSACTION = 100


def settle_corrections(tx: Transaction, corrected: Sequence[ResultCorrected]) -> None:
    """Each correction counts once, however often it comes. Of several for one match the highest revision counts,
    in whatever order they come; one that comes before the end of its match waits for it.
    """
    corrections.remember(
        tx,
        [
            ToldCorrection(
                c.match_id,
                c.revision,
                c.ending,
                tuple(Seat(seat.player_id, seat.place) for seat in c.seats),
                c.reason,
                c.corrected_at,
            )
            for c in corrected
        ],
    )
    _settle(tx, sorted({correction.match_id for correction in corrected}))


def settle_waiting(tx: Transaction) -> int:
    """Settles corrections whose match was told after them; tells for how many matches."""
    waiting = corrections.waiting(tx, CORRECTIONS_PER_TRANSACTION)
    if waiting:
        _settle(tx, waiting)
    return len(waiting)


def _settle(tx: Transaction, match_ids: Sequence[str]) -> None:
    """Locks matches, then players, then pools, each in the order of their ids, as every settlement does."""
    told = {match.match_id: match for match in matches.lock(tx, match_ids)}
    newest = {correction.match_id: correction for correction in corrections.take(tx, list(told))}
    counting = {id_: c for id_, c in newest.items() if c.revision > told[id_].revision}
    if not counting:
        return
    matches.revise(tx, {id_: correction.revision for id_, correction in counting.items()})
    pasts = ledger_store.pasts(tx, list(counting))
    settlements = [
        settlement
        for match_id, correction in counting.items()
        for settlement in _settlements(tx, told[match_id], correction, pasts.get(match_id, UNRATED))
    ]
    if settlements:
        _append(tx, settlements, pasts)


def _settlements(tx: Transaction, match: ToldMatch, correction: ToldCorrection, past: Past) -> list[RatedMatch]:
    """What has to be taken back and given: nothing where the places stay as they are."""
    is_rated = judge(match.pool, correction.ending, [seat.player_id for seat in correction.seats]) is Verdict.RATED
    earlier = tuple(Seat(entry.player_id, entry.place) for entry in past.counting)
    if match.pool is None or (correction.seats if is_rated else ()) == earlier:
        return []
    wanted = [(REVERSAL, earlier)] if earlier else []
    if is_rated:
        wanted.append((CORRECTION, correction.seats))
    return [
        RatedMatch(match.match_id, match.pool, match.target, seats, tx.now, kind, correction.revision)
        for kind, seats in wanted
    ]


def _append(tx: Transaction, settlements: Sequence[RatedMatch], pasts: dict[str, Past]) -> None:
    standings = ratings.lock(tx, {Key(Pool(s.pool), seat.player_id) for s in settlements for seat in s.seats})
    heads = pools.lock_heads(tx, {Pool(settlement.pool) for settlement in settlements})
    written: list[Entry] = []
    for settlement in settlements:
        pool, past = Pool(settlement.pool), pasts.get(settlement.match_id, UNRATED)
        at_table = {seat.player_id: standings[Key(pool, seat.player_id)] for seat in settlement.seats}
        entries, heads[pool] = ledger.compensate(heads[pool], settlement, past, at_table)
        pasts[settlement.match_id] = past.then(entries)
        standings.update((Key(pool, entry.player_id), ledger.standing_after(entry)) for entry in entries)
        written += entries
    close_settlement(tx, written, standings, heads)
