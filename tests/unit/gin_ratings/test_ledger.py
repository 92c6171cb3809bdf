import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime

from gin_ratings.domain import ledger
from gin_ratings.domain.elo import Standing
from gin_ratings.domain.ledger import EMPTY, GENESIS, Head, RatedMatch, Seat

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def match(match_id: str, *seats: tuple[str, int], target: int = 100) -> RatedMatch:
    return RatedMatch(match_id, "rummy/open", target, tuple(Seat(*seat) for seat in seats), NOON)


THREE_MATCHES = [
    match("m1", ("ann", 1), ("ben", 2)),
    match("m2", ("cid", 2), ("ann", 1), ("ben", 3), target=250),
    match("m3", ("ben", 1), ("ann", 1), target=25),
]


def test_first_match_between_newcomers_moves_both_by_twenty() -> None:
    (ann, ben), head = ledger.settle(EMPTY, THREE_MATCHES[0], {})
    assert (ann.before, ann.after, ann.k, ann.m, ann.games) == (1500, 1520, 40, 1.0, 1)
    assert (ben.before, ben.after, ben.k, ben.m, ben.games) == (1500, 1480, 40, 1.0, 1)
    assert (ann.previous_hash, ben.previous_hash) == (GENESIS, ann.hash)
    assert head == Head(2, ben.hash)


def test_hash_of_an_entry_can_be_recomputed_with_nothing_but_json_and_sha256() -> None:
    entry = ledger.settle(EMPTY, THREE_MATCHES[0], {})[0][0]
    text = (
        '{"after":1520,"before":1500,"effective_games":1,"games":1,"k":40,"kind":"match","m":1,"match_id":"m1",'
        '"opponents":[{"place":2,"player_id":"ben","rating":1500}],"place":1,"player_id":"ann","pool":"rummy/open",'
        f'"previous_hash":"{GENESIS}","sequence":1,"settled_at":"2026-03-01T12:00:00.000000Z","target":100}}'
    )
    assert json.loads(text) == ledger.hashed_part(entry)
    assert entry.hash == hashlib.sha256(text.encode()).hexdigest()


def test_all_players_of_a_match_are_rated_by_the_standings_before_it() -> None:
    standings = {"ann": Standing(1600, 80, 80.0), "ben": Standing(1500, 20, 20.0)}
    ann, ben = ledger.settle(EMPTY, THREE_MATCHES[0], standings)[0]
    assert (ann.k, ben.k) == (10, 20)
    assert ann.opponents[0].rating == 1500
    assert ben.opponents[0].rating == 1600
    assert ben.after - ben.before == -2 * (ann.after - ann.before)


def test_recomputed_ledger_verifies() -> None:
    entries = list(ledger.recompute(THREE_MATCHES))
    assert len(entries) == 7
    assert ledger.verify(entries, Head(7, entries[-1].hash)) is None
    assert list(ledger.matches_of(entries)) == THREE_MATCHES


def rehash(entries: list[ledger.Entry]) -> list[ledger.Entry]:
    """What a forger does: a false number, and a chain that is right again."""
    chain, forged = GENESIS, []
    for entry in entries:
        entry = replace(entry, previous_hash=chain)
        chain = ledger.entry_hash(entry)
        forged.append(replace(entry, hash=chain))
    return forged


def test_false_rating_is_found_even_when_the_chain_was_made_anew() -> None:
    entries = list(ledger.recompute(THREE_MATCHES))
    entries[2] = replace(entries[2], after=entries[2].after + 1)
    difference = ledger.verify(rehash(entries))
    assert difference is not None
    assert (difference.sequence, difference.field) == (3, "after")


def test_entry_without_opponents_or_target_is_named_not_stumbled_over() -> None:
    entries = list(ledger.recompute(THREE_MATCHES))
    without_opponents, without_target = replace(entries[0], opponents=()), replace(entries[0], target=-5)
    for field, first in (("opponents", without_opponents), ("target", without_target)):
        forged = rehash([first, *entries[1:]])
        difference = ledger.verify(forged)
        assert difference is not None
        assert (difference.sequence, difference.field) == (1, field)


def test_missing_entry_in_the_middle_is_found() -> None:
    entries = list(ledger.recompute(THREE_MATCHES))
    difference = ledger.verify(rehash(entries[:3] + entries[4:]))
    assert difference is not None
    assert difference.sequence == 4


def test_ledger_cut_off_at_its_end_is_found_by_the_published_head() -> None:
    entries = list(ledger.recompute(THREE_MATCHES))
    head = Head(7, entries[-1].hash)
    assert ledger.verify(entries[:5]) is None
    difference = ledger.verify(entries[:5], head)
    assert difference is not None
    assert (difference.field, difference.expected) == ("head", head)
    half_a_match = ledger.verify(entries[:4])
    assert half_a_match is not None
    assert (half_a_match.sequence, half_a_match.field) == (5, "entry")
