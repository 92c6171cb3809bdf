import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from gin_messages.match import MatchFinished
from gin_ratings.domain import ledger
from gin_ratings.domain.ledger import Head, RatedMatch, Seat
from gin_ratings.domain.pools import MalformedPool, Pool
from gin_ratings.store import pools
from gin_ratings.use_cases.settlement import settle_matches
from gin_servicekit.service import Service
from tests.integration.ratings.deliveries import (
    OPEN,
    deliver,
    emitted,
    entries_of,
    envelope,
    finished,
    last_ratings,
    ratings_of,
)
from tests.support.locks import wait_for_lock
from tests.support.servers import Database

ANN_BEATS_BEN = finished("m1", ("ann", 1), ("ben", 2))


def head_of(service: Service, pool: Pool = OPEN) -> Head | None:
    with service.transaction() as tx:
        return pools.head(tx, pool)


def verdict_of(service: Service, match_id: str) -> str | None:
    with service.transaction() as tx:
        verdict: str | None = tx.scalar("SELECT verdict FROM matches WHERE match_id = %s", (match_id,))
    return verdict


def test_one_match_changes_two_ratings_and_leaves_one_message(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN)
    assert ratings_of(service) == {(OPEN, "ann"): 1520.0, (OPEN, "ben"): 1480.0}
    assert emitted(service) == [
        [
            {
                "match_id": "m1",
                "player_id": player,
                "pool": OPEN,
                "before": 1500.0,
                "after": after,
                "games": 1,
                "effective_games": 1.0,
                "sequence": sequence,
            }
            for sequence, (player, after) in enumerate([("ann", 1520.0), ("ben", 1480.0)], start=1)
        ]
    ]
    assert verdict_of(service, "m1") == "rated"


def test_message_that_comes_three_times_counts_once(service: Service) -> None:
    message = envelope(ANN_BEATS_BEN)
    deliver(service, message, message)
    deliver(service, message)
    assert len(entries_of(service)) == 2
    assert len(emitted(service)) == 1


def test_match_told_twice_under_other_message_ids_counts_once(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN, ANN_BEATS_BEN)
    deliver(service, ANN_BEATS_BEN)
    deliver(service, finished("m1", ("ann", 2), ("ben", 1)))
    assert len(entries_of(service)) == 2
    assert len(emitted(service)) == 1
    assert ratings_of(service) == {(OPEN, "ann"): 1520.0, (OPEN, "ben"): 1480.0}


def test_matches_of_one_batch_are_settled_one_after_the_other_and_told_together(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN, finished("m2", ("ben", 1), ("ann", 2)), finished("m0", ("ann", 1), ("cid", 2)))
    entries = entries_of(service)
    assert [(entry.match_id, entry.player_id) for entry in entries] == [
        ("m1", "ann"), ("m1", "ben"), ("m2", "ben"), ("m2", "ann"), ("m0", "ann"), ("m0", "cid"),
    ]  # fmt: skip
    assert entries[2].opponents[0].rating == entries[0].after
    assert entries[4].before == entries[3].after
    assert len(emitted(service)) == 1


@pytest.mark.parametrize(
    ("match", "verdict"),
    [
        (replace(ANN_BEATS_BEN, rating_pool=None), "no_pool"),
        (replace(ANN_BEATS_BEN, ending="void"), "void"),
        (replace(ANN_BEATS_BEN, ending="double_forfeit"), "double_forfeit"),
        (replace(ANN_BEATS_BEN, ending="no_show", hands_played=1), "no_show"),
    ],
)
def test_unrated_match_is_remembered_and_stays_unrated(service: Service, match: MatchFinished, verdict: str) -> None:
    deliver(service, match)
    assert verdict_of(service, "m1") == verdict
    deliver(service, ANN_BEATS_BEN)
    assert ratings_of(service) == {}
    assert emitted(service) == []


def test_match_that_was_given_up_is_rated(service: Service) -> None:
    deliver(service, replace(ANN_BEATS_BEN, ending="forfeit", hands_played=1))
    assert ratings_of(service)[OPEN, "ann"] == 1520.0


def test_pools_are_apart_and_a_new_one_opens_with_its_first_match(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN, finished("m2", ("ann", 1), ("ben", 2), pool="oklahoma/open"))
    assert ratings_of(service)["oklahoma/open", "ann"] == 1520.0
    assert [entry.sequence for entry in entries_of(service, Pool("oklahoma/open"))] == [1, 2]
    assert head_of(service, Pool("oklahoma/open")) != head_of(service)


def test_match_of_an_impossible_pool_does_not_hold_up_the_others(service: Service) -> None:
    wrong = finished("m2", ("ann", 1), ("ben", 2), pool="no pool at all")
    deliver(service, wrong, ANN_BEATS_BEN)
    assert [entry.match_id for entry in entries_of(service)] == ["m1", "m1"]
    with pytest.raises(MalformedPool):
        deliver(service, wrong)


def test_four_players_of_a_table_are_rated_against_each_other(service: Service) -> None:
    deliver(service, finished("m1", ("ann", 2), ("ben", 1), ("cid", 3), ("dot", 4)))
    entries = entries_of(service)
    assert [entry.after - 1500 for entry in entries] == pytest.approx([20 / 3, 20, -20 / 3, -20], abs=1e-6)
    assert [[o.player_id for o in entry.opponents] for entry in entries][1] == ["ann", "cid", "dot"]


def test_ratings_equal_a_recomputation_from_the_matches(service: Service) -> None:
    chance = random.Random(7)
    told = []
    for number in range(60):
        players = chance.sample("abcdefgh", chance.choice((2, 2, 2, 3, 4)))
        places = [chance.randint(1, len(players)) for _ in players]
        told.append(finished(f"m{number}", *zip(players, places, strict=True), target=chance.choice((25, 100, 250))))
    for start in range(0, 60, 25):
        deliver(service, *told[start : start + 25])

    entries = entries_of(service)
    assert ledger.verify(entries, head_of(service)) is None
    assert last_ratings(entries) == ratings_of(service)
    settled_at = {entry.match_id: entry.settled_at for entry in entries}
    matches = [
        RatedMatch(
            m.match_id, OPEN, m.target, tuple(Seat(s.player_id, s.place) for s in m.seats), settled_at[m.match_id]
        )
        for m in told
    ]
    assert ledger.compare(entries, ledger.recompute(matches)) is None


def test_two_matches_of_one_player_settling_at_once_both_count(service: Service) -> None:
    both_ready = threading.Barrier(2)

    def settle(opponent: str) -> None:
        both_ready.wait(timeout=60)
        deliver(service, finished(f"against {opponent}", ("ann", 1), (opponent, 2)))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(settle, ("ben", "cid")))
    entries = entries_of(service)
    assert ledger.verify(entries, head_of(service)) is None
    anns = [entry for entry in entries if entry.player_id == "ann"]
    assert [entry.games for entry in anns] == [1, 2]
    assert anns[1].before == anns[0].after
    assert ratings_of(service)[OPEN, "ann"] == anns[1].after


def settle_in_one_transaction(service: Service, *matches: MatchFinished) -> None:
    """Without the inbox, which would try again one by one after a deadlock and so hide it."""
    with service.transaction() as tx:
        settle_matches(tx, matches)


def test_matches_of_strangers_settling_at_once_stand_in_one_chain(service: Service) -> None:
    with ThreadPoolExecutor(1) as pool:
        with service.transaction() as tx:
            settle_matches(tx, [ANN_BEATS_BEN])
            other = pool.submit(settle_in_one_transaction, service, finished("m2", ("cid", 1), ("dot", 2)))
            wait_for_lock(service, 1)
        other.result(timeout=60)
    assert [entry.player_id for entry in entries_of(service)] == ["ann", "ben", "cid", "dot"]
    assert ledger.verify(entries_of(service), head_of(service)) is None


def test_batches_that_hold_the_same_matches_in_other_orders_wait_and_do_not_deadlock(service: Service) -> None:
    m1, m5, m9 = (finished(match_id, ("ann", 1), ("ben", 2)) for match_id in ("m1", "m5", "m9"))
    with ThreadPoolExecutor(2) as pool:
        with service.transaction() as tx:
            settle_matches(tx, [m5])
            falling = pool.submit(settle_in_one_transaction, service, m9, m5, m1)
            wait_for_lock(service, 1)
            rising = pool.submit(settle_in_one_transaction, service, m1, m9)
            wait_for_lock(service, 2)
        falling.result(timeout=60)
        rising.result(timeout=60)
    assert [entry.match_id for entry in entries_of(service)] == ["m5", "m5", "m9", "m9", "m1", "m1"]


def test_tables_that_seat_the_same_newcomers_in_other_orders_wait_and_do_not_deadlock(service: Service) -> None:
    with ThreadPoolExecutor(2) as pool:
        with service.transaction() as tx:
            settle_matches(tx, [finished("m1", ("eve", 1), ("fay", 2))])
            falling = pool.submit(
                settle_in_one_transaction, service, finished("m2", ("ian", 1), ("eve", 2), ("ann", 3))
            )
            wait_for_lock(service, 1)
            rising = pool.submit(settle_in_one_transaction, service, finished("m3", ("ann", 1), ("ian", 2)))
            wait_for_lock(service, 2)
        falling.result(timeout=60)
        rising.result(timeout=60)
    assert last_ratings(entries_of(service)) == ratings_of(service)
    assert ledger.verify(entries_of(service), head_of(service)) is None


def test_overlapping_batches_in_every_order_lose_nothing_and_never_deadlock(service: Service) -> None:
    chance = random.Random(3)
    told = [
        finished(f"m{number}", *zip(chance.sample("abcdef", 2), (1, 2), strict=True), pool=chance.choice((OPEN, "x/y")))
        for number in range(120)
    ]
    batches = [told[start : start + 20] for start in range(0, 120, 10)]
    for batch in batches:
        chance.shuffle(batch)
    ready = threading.Barrier(4)

    def settle(worker: int) -> None:
        ready.wait(timeout=60)
        for batch in batches[worker::4]:
            settle_in_one_transaction(service, *batch)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(settle, range(4)))
    entries = entries_of(service) + entries_of(service, Pool("x/y"))
    assert sorted({entry.match_id for entry in entries}) == sorted(match.match_id for match in told)
    assert len(entries) == 240
    assert last_ratings(entries) == ratings_of(service)
    for pool_name in (OPEN, Pool("x/y")):
        assert ledger.verify(entries_of(service, pool_name), head_of(service, pool_name)) is None


@pytest.mark.parametrize("statement", ["UPDATE ledger SET after = 3000", "DELETE FROM ledger", "TRUNCATE ledger"])
def test_ledger_refuses_to_be_changed(service: Service, statement: str) -> None:
    deliver(service, ANN_BEATS_BEN)
    before = entries_of(service)
    with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"), service.transaction() as tx:
        tx.connection.execute(statement.encode())
    assert entries_of(service) == before


def test_entry_changed_behind_the_tables_back_is_named(service: Service, admin_database: Database) -> None:
    deliver(service, ANN_BEATS_BEN, finished("m2", ("ben", 1), ("cid", 2)))
    with psycopg.connect(admin_database.admin_url) as connection:
        connection.execute("SET session_replication_role = replica")  # triggers sleep
        connection.execute("UPDATE gin_ratings.ledger SET after = after + 1 WHERE sequence = 3")
    difference = ledger.verify(entries_of(service), head_of(service))
    assert difference is not None
    assert (difference.sequence, difference.field) == (3, "hash")
