"""Corrected and voided results: made up for by appending, once, in whatever order they are told."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from flask.testing import FlaskClient

from gin_messages.envelope import Message
from gin_ratings.domain import ledger
from gin_ratings.domain.ledger import CORRECTION, MATCH, REVERSAL, Head
from gin_ratings.store import pools
from gin_ratings.tasks import settle_waiting_corrections
from gin_servicekit.service import Service
from tests.integration.ratings.deliveries import (
    OPEN,
    corrected,
    deliver,
    emitted,
    entries_of,
    envelope,
    finished,
    last_ratings,
    ratings_of,
)

ANN_BEATS_BEN = finished("m1", ("ann", 1), ("ben", 2))
BEN_BEAT_ANN = corrected("m1", ("ann", 2), ("ben", 1))
IT_WAS_VOID = corrected("m1", ("ann", 1), ("ben", 1), ending="void")


def assert_true_to_its_ledger(service: Service) -> None:
    entries = entries_of(service)
    with service.transaction() as tx:
        head = pools.head(tx, OPEN)
    assert isinstance(head, Head)
    assert ledger.verify(entries, head) is None
    standing = {key: rating for key, rating in ratings_of(service).items() if key in last_ratings(entries)}
    assert standing == last_ratings(entries)


def test_a_corrected_result_is_reversed_and_given_anew(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN)
    deliver(service, BEN_BEAT_ANN)
    lines = [(e.kind, e.revision, e.player_id, e.place, e.before, e.after, e.games) for e in entries_of(service)]
    assert lines == [
        (MATCH, 0, "ann", 1, 1500, 1520, 1),
        (MATCH, 0, "ben", 2, 1500, 1480, 1),
        (REVERSAL, 1, "ann", 1, 1520, 1500, 0),
        (REVERSAL, 1, "ben", 2, 1480, 1500, 0),
        (CORRECTION, 1, "ann", 2, 1500, 1480, 1),
        (CORRECTION, 1, "ben", 1, 1500, 1520, 1),
    ]
    assert ratings_of(service) == {(OPEN, "ann"): 1480, (OPEN, "ben"): 1520}
    assert [change["sequence"] for change in emitted(service)[1]] == [3, 4, 5, 6]
    assert_true_to_its_ledger(service)


@pytest.mark.parametrize("ending", ["void", "no_show", "double_forfeit"])
def test_a_result_that_turns_out_unplayed_is_only_reversed(service: Service, ending: str) -> None:
    deliver(service, ANN_BEATS_BEN)
    deliver(service, corrected("m1", ("ann", 1), ("ben", 2), ending=ending))
    assert [e.kind for e in entries_of(service)] == [MATCH, MATCH, REVERSAL, REVERSAL]
    assert ratings_of(service) == {(OPEN, "ann"): 1500, (OPEN, "ben"): 1500}
    assert_true_to_its_ledger(service)


def test_a_no_show_that_was_played_after_all_is_rated_as_of_now(service: Service) -> None:
    deliver(service, finished("m1", ("ann", 1), ("ben", 2), ending="no_show"))
    deliver(service, finished("m2", ("ann", 1), ("cid", 2)))
    deliver(service, BEN_BEAT_ANN)
    ann, ben = entries_of(service)[2:]
    assert (ann.kind, ann.before, ann.opponents[0].rating) == (CORRECTION, 1520, 1500)
    assert (ben.kind, ben.before, ben.opponents[0].rating) == (CORRECTION, 1500, 1520)
    assert_true_to_its_ledger(service)


def test_a_correction_three_rounds_back_gives_what_the_result_would_have_given_then(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN)
    for number in (2, 3, 4):
        deliver(service, finished(f"m{number}", ("ann", 1), ("cid", 2)), finished(f"n{number}", ("ben", 1), ("dot", 2)))
    before = ratings_of(service)
    deliver(service, BEN_BEAT_ANN)
    after = ratings_of(service)
    assert after[OPEN, "ann"] == before[OPEN, "ann"] - 40
    assert after[OPEN, "ben"] == before[OPEN, "ben"] + 40
    assert (after[OPEN, "cid"], after[OPEN, "dot"]) == (before[OPEN, "cid"], before[OPEN, "dot"])
    assert_true_to_its_ledger(service)


def test_a_correction_taken_back_leaves_every_rating_as_it_was(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN, finished("m2", ("ben", 1), ("ann", 2), target=250))
    before = ratings_of(service)
    deliver(service, BEN_BEAT_ANN)
    deliver(service, corrected("m1", ("ann", 1), ("ben", 1), ending="void", revision=2))
    deliver(service, corrected("m1", ("ann", 1), ("ben", 2), revision=3))
    assert ratings_of(service) == before
    assert_true_to_its_ledger(service)


def test_a_correction_that_keeps_the_places_writes_nothing(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN)
    deliver(service, corrected("m1", ("ann", 1), ("ben", 2)))
    assert len(entries_of(service)) == 2
    assert len(emitted(service)) == 1


def test_a_correction_told_three_times_counts_once(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN)
    message = envelope(BEN_BEAT_ANN)
    deliver(service, message, message)
    deliver(service, message)
    deliver(service, BEN_BEAT_ANN)
    assert len(entries_of(service)) == 6
    assert_true_to_its_ledger(service)


def test_a_correction_before_its_match_waits_for_it(service: Service) -> None:
    deliver(service, BEN_BEAT_ANN)
    settle_waiting_corrections(service)
    assert entries_of(service) == []
    deliver(service, ANN_BEATS_BEN)
    settle_waiting_corrections(service)
    settle_waiting_corrections(service)
    assert [e.kind for e in entries_of(service)] == [MATCH] * 2 + [REVERSAL] * 2 + [CORRECTION] * 2
    assert ratings_of(service) == {(OPEN, "ann"): 1480, (OPEN, "ben"): 1520}
    assert_true_to_its_ledger(service)


def test_the_later_of_two_corrections_counts_though_it_came_first(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN)
    deliver(service, corrected("m1", ("ann", 1), ("ben", 1), revision=2))
    deliver(service, BEN_BEAT_ANN)
    assert ratings_of(service) == {(OPEN, "ann"): 1500, (OPEN, "ben"): 1500}
    assert [e.revision for e in entries_of(service)] == [0, 0, 2, 2, 2, 2]
    assert_true_to_its_ledger(service)


def test_an_unrated_match_is_corrected_without_a_trace_in_any_ledger(service: Service) -> None:
    deliver(service, finished("m1", ("ann", 1), ("ben", 2), pool=None))
    deliver(service, BEN_BEAT_ANN)
    assert ratings_of(service) == {}


def test_tables_of_four_are_corrected_seat_by_seat(service: Service) -> None:
    deliver(service, finished("m1", ("ann", 1), ("ben", 2), ("cid", 3), ("dot", 4)))
    deliver(service, corrected("m1", ("ann", 4), ("ben", 2), ("cid", 3), ("dot", 1)))
    found = ratings_of(service)
    assert (found[OPEN, "ann"], found[OPEN, "dot"]) == (1480, 1520)
    assert sum(found.values()) == 6000
    assert_true_to_its_ledger(service)


@pytest.mark.parametrize("seed", range(6))
def test_any_order_and_any_number_of_deliveries_gives_the_same_ratings(service: Service, seed: int) -> None:
    """The corrected changes are those of the first settlement, so that only that of the matches matters."""
    matches: list[Message] = [
        ANN_BEATS_BEN,
        finished("m2", ("ann", 1), ("cid", 2)),
        finished("m3", ("ben", 1), ("cid", 2)),
    ]
    fixes: list[Message] = [
        BEN_BEAT_ANN,
        corrected("m1", ("ann", 1), ("ben", 1), revision=2),
        corrected("m2", ("ann", 2), ("cid", 1)),
        corrected("m3", ("ben", 1), ("cid", 1), ending="void"),
        corrected("m3", ("ben", 2), ("cid", 1), revision=2),
    ]
    lots = random.Random(seed)
    told = [*fixes, *lots.choices(fixes, k=4)]
    lots.shuffle(told)
    places = sorted(lots.choices(range(len(told) + 1), k=len(matches)), reverse=True)
    for match, place in zip(reversed(matches), places, strict=True):
        told.insert(place, match)
    for message in told:
        deliver(service, message)
    settle_waiting_corrections(service)
    total = dict.fromkeys(("ann", "ben", "cid"), 1500.0)
    latest = {}
    for entry in entries_of(service):
        if entry.kind == MATCH:
            latest[entry.match_id, entry.player_id] = entry
    wanted = {
        ("m1", "ann"): 1,
        ("m1", "ben"): 1,
        ("m2", "ann"): 2,
        ("m2", "cid"): 1,
        ("m3", "ben"): 2,
        ("m3", "cid"): 1,
    }
    for (match_id, player), entry in latest.items():
        (opponent,) = entry.opponents
        other = opponent._replace(place=wanted[match_id, opponent.player_id])
        place = wanted[match_id, player]
        total[player] += ledger.elo.settled_change(entry.k, entry.m, entry.before, place, [other])
    assert {player: ratings_of(service)[OPEN, player] for player in total} == total
    assert_true_to_its_ledger(service)


def test_corrections_while_results_come_in_lose_no_update(service: Service) -> None:
    """Many workers at once: two matches of one player, each result thrice, and corrections in between."""
    work: list[Message] = []
    for number in range(12):
        pair = (("ann", 1), ("ben", 2)) if number % 2 else (("cid", 1), ("ann", 2))
        swapped = tuple((player, 3 - place) for player, place in pair)
        work += [finished(f"m{number}", *pair)] * 3 + [corrected(f"m{number}", *swapped)] * 2
        work += [corrected(f"m{number}", *pair, ending="void", revision=2)] if number % 3 == 0 else []
    random.Random(7).shuffle(work)
    start = threading.Barrier(6)

    def worker(at: int) -> None:
        start.wait()
        for message in work[at::6]:
            deliver(service, message)
            settle_waiting_corrections(service)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(worker, range(6)))
    settle_waiting_corrections(service)
    assert_true_to_its_ledger(service)
    counting = {}
    for entry in entries_of(service):
        counting[entry.match_id] = entry.kind, entry.revision
    assert counting == {f"m{n}": (REVERSAL, 2) if n % 3 == 0 else (CORRECTION, 1) for n in range(12)}
    games = {e.player_id: e.games for e in entries_of(service)}
    assert games == {"ann": 8, "ben": 4, "cid": 4}


def test_the_public_ledger_of_a_corrected_match_can_be_checked_by_anyone(service: Service, client: FlaskClient) -> None:
    deliver(service, ANN_BEATS_BEN)
    deliver(service, BEN_BEAT_ANN)
    page = client.get("/api/v1/pools/rummy/open/ledger").get_json()
    assert ["revision" in entry for entry in page["entries"]] == [False, False, True, True, True, True]
    read = [ledger.entry_from_json(entry) for entry in page["entries"]]
    assert ledger.verify(read, Head(page["size"], page["head_hash"])) is None
    history = client.get("/api/v1/ratings/ann/history?pool=rummy/open").get_json()
    assert [change["kind"] for change in history["changes"]] == [CORRECTION, REVERSAL, MATCH]


def test_no_earlier_entry_can_be_edited(service: Service) -> None:
    deliver(service, ANN_BEATS_BEN)
    deliver(service, BEN_BEAT_ANN)
    with pytest.raises(psycopg.errors.RestrictViolation), service.transaction() as tx:
        tx.execute("UPDATE ledger SET after = 1500 WHERE kind = 'match'")
