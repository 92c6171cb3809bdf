"""The ledger of a pool: entries chained by hashes, from which everyone can recompute every rating.

An entry says what one match did to one player. Its hash is the SHA-256, in hexadecimal, of the canonical JSON
(RFC 8785) of `hashed_part(entry)`: every field but the hash itself, the hash of the entry before included. The first
entry names GENESIS. The entries of one match stand together, in seat order.

A corrected result changes no entry. It appends a reversal, which takes back what the result that counted so far had
given, and then, where the new result is rated, a correction, which gives what it would have given in its place: by the
K, the weight and the ratings of the match's first entries, however long ago that was (docs/ratings.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any, NamedTuple

from gin_ratings.domain import elo
from gin_ratings.domain.canonical import canonical_json
from gin_ratings.domain.elo import NEWCOMER, Opponent, Standing

GENESIS = "0" * 64
MATCH = "match"  # the kind of an entry that a match made
REVERSAL = "reversal"  # takes back what a result gave that does not count any more
CORRECTION = "correction"  # gives what the corrected result is worth


class Seat(NamedTuple):
    """Who sat there, and at which place they finished: 1 is best, equal places are ties."""

    player_id: str
    place: int


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match that counts, with at least two players, no one twice. `target` is in points.

    A reversal or a correction of it is one too: `seats` then have the places that are taken back or given, and
    `revision`, from 1, says which correction of the match it belongs to.
    """

    match_id: str
    pool: str
    target: int
    seats: tuple[Seat, ...]
    settled_at: datetime
    kind: str = MATCH
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger. `opponents` stand in seat order; `games` and `effective_games` are those after it.

    `revision` is 0 but for reversals and corrections.
    """

    pool: str
    sequence: int
    kind: str
    match_id: str
    player_id: str
    place: int
    target: int
    opponents: tuple[Opponent, ...]
    k: int
    m: float
    before: float
    after: float
    games: int
    effective_games: float
    settled_at: datetime
    previous_hash: str
    hash: str
    revision: int = 0


class Past(NamedTuple):
    """What a ledger holds of one match: its first entries, and those that count now, both in seat order."""

    first: tuple[Entry, ...] = ()
    counting: tuple[Entry, ...] = ()

    def then(self, entries: Sequence[Entry]) -> Past:
        """With the entries of one more settlement of the match behind it."""
        if not entries:
            return self
        counting = () if entries[0].kind == REVERSAL else tuple(entries)
        return Past(self.first or tuple(entries), counting)


UNRATED = Past()


class Head(NamedTuple):
    """The end of a pool's ledger: how many entries it has, and the hash of the last."""

    size: int
    hash: str


EMPTY = Head(0, GENESIS)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a ledger first departs from its recomputation. `field` is "entry" when one of them has no such entry."""

    sequence: int
    field: str
    found: Any
    expected: Any


def rfc3339(moment: datetime) -> str:
    """UTC with six digits of fraction: 2026-03-01T12:00:00.000000Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def hashed_part(entry: Entry) -> dict[str, Any]:
    """The JSON object whose canonical form is hashed. Only reversals and corrections have a `revision`."""
    revision = {"revision": entry.revision} if entry.revision else {}
    return {
        "pool": entry.pool,
        "sequence": entry.sequence,
        "kind": entry.kind,
        "match_id": entry.match_id,
        "player_id": entry.player_id,
        "place": entry.place,
        "target": entry.target,
        "opponents": [
            {"player_id": player_id, "rating": rating, "place": place} for player_id, rating, place in entry.opponents
        ],
        "k": entry.k,
        "m": entry.m,
        "before": entry.before,
        "after": entry.after,
        "games": entry.games,
        "effective_games": entry.effective_games,
        "settled_at": rfc3339(entry.settled_at),
        "previous_hash": entry.previous_hash,
        **revision,
    }


def entry_from_json(document: Mapping[str, Any]) -> Entry:
    """An entry as the public ledger gives it. Raises TypeError, KeyError or ValueError for anything else."""
    opponents = tuple(Opponent(o["player_id"], float(o["rating"]), o["place"]) for o in document["opponents"])
    settled_at = datetime.fromisoformat(document["settled_at"])
    return Entry(**{**document, "opponents": opponents, "settled_at": settled_at})


def entry_hash(entry: Entry) -> str:
    return hashlib.sha256(canonical_json(hashed_part(entry))).hexdigest()


def settle(head: Head, match: RatedMatch, standings: Mapping[str, Standing]) -> tuple[list[Entry], Head]:
    """The entries that `match` appends after `head`, and the new head.

    `standings` holds the players as they are at this moment; who is missing there is a newcomer. All players of the
    match are rated by the standings before it.
    """
    weight = elo.match_weight(match.target)
    at_table = [Opponent(s.player_id, standings.get(s.player_id, NEWCOMER).rating, s.place) for s in match.seats]
    entries = []
    for seat, (player_id, rating, place) in enumerate(at_table):
        standing = standings.get(player_id, NEWCOMER)
        opponents = tuple(at_table[:seat] + at_table[seat + 1 :])
        k = elo.k_factor(standing.effective_games)
        unsealed = Entry(
            pool=match.pool,
            sequence=head.size + 1,
            kind=match.kind,
            match_id=match.match_id,
            player_id=player_id,
            place=place,
            target=match.target,
            opponents=opponents,
            k=k,
            m=weight,
            before=rating,
            after=rating + elo.settled_change(k, weight, rating, place, opponents),
            games=standing.games + 1,
            effective_games=standing.effective_games + weight * weight,
            settled_at=match.settled_at,
            previous_hash=head.hash,
            hash="",
            revision=match.revision,
        )
        entry = _with_hash(unsealed, entry_hash(unsealed))
        entries.append(entry)
        head = Head(entry.sequence, entry.hash)
    return entries, head


def compensate(
    head: Head, match: RatedMatch, past: Past, standings: Mapping[str, Standing]
) -> tuple[list[Entry], Head]:
    """The entries that a reversal or a correction appends after `head`, and the new head.

    A reversal takes back the very change of each entry that counts. A correction of a match that was never rated is
    settled like a match of this moment. `standings` are the players as they are now.
    """
    if match.kind == CORRECTION and not past.first:
        return settle(head, match, standings)
    places = {seat.player_id: seat.place for seat in match.seats}
    entries = []
    for origin in past.counting if match.kind == REVERSAL else past.first:
        standing = standings.get(origin.player_id, NEWCOMER)
        unsealed = (_reversed if match.kind == REVERSAL else _corrected)(origin, standing, places)
        unsealed = replace(
            unsealed,
            sequence=head.size + 1,
            kind=match.kind,
            settled_at=match.settled_at,
            previous_hash=head.hash,
            revision=match.revision,
        )
        entry = _with_hash(unsealed, entry_hash(unsealed))
        entries.append(entry)
        head = Head(entry.sequence, entry.hash)
    return entries, head


def _reversed(counting: Entry, standing: Standing, _: Mapping[str, int]) -> Entry:
    games = standing.games - 1
    left = standing.effective_games - counting.m * counting.m
    return replace(
        counting,
        before=standing.rating,
        after=standing.rating - (counting.after - counting.before),
        games=games,
        # Sums of doubles need not come back to where they were; nobody has less than none.
        effective_games=max(left, 0.0) if games else 0.0,
    )


def _corrected(first: Entry, standing: Standing, places: Mapping[str, int]) -> Entry:
    place = places.get(first.player_id, first.place)
    opponents = tuple(o._replace(place=places.get(o.player_id, o.place)) for o in first.opponents)
    return replace(
        first,
        place=place,
        opponents=opponents,
        before=standing.rating,
        after=standing.rating + elo.settled_change(first.k, first.m, first.before, place, opponents),
        games=standing.games + 1,
        effective_games=standing.effective_games + first.m * first.m,
    )


def _with_hash(entry: Entry, digest: str) -> Entry:
    # dataclasses.replace() takes thirty times as long, and this runs for every player of every match.
    object.__setattr__(entry, "hash", digest)
    return entry


def standing_after(entry: Entry) -> Standing:
    return Standing(entry.after, entry.games, entry.effective_games)


def recompute(matches: Iterable[RatedMatch]) -> Iterator[Entry]:
    """The whole ledger of one pool from nothing: `matches` are those that count, in the order of settling."""
    head, standings, pasts = EMPTY, dict[str, Standing](), dict[str, Past]()
    for match in matches:
        past = pasts.get(match.match_id, UNRATED)
        if match.kind in (REVERSAL, CORRECTION):
            entries, head = compensate(head, match, past, standings)
        else:
            entries, head = settle(head, match, standings)
        pasts[match.match_id] = past.then(entries)
        standings.update((entry.player_id, standing_after(entry)) for entry in entries)
        yield from entries


def matches_of(entries: Sequence[Entry]) -> Iterator[RatedMatch]:
    """The matches behind a ledger, each as the first of its entries tells it.

    A seat that is missing from the ledger, or was added to it, so shows as a difference in the recomputation.
    """
    at = 0
    while at < len(entries):
        first = entries[at]
        seats = (Seat(first.player_id, first.place), *(Seat(o.player_id, o.place) for o in first.opponents))
        yield RatedMatch(first.match_id, first.pool, first.target, seats, first.settled_at, first.kind, first.revision)
        at += len(seats)


def compare(entries: Iterable[Entry], expected: Iterable[Entry]) -> Difference | None:
    """The first entry, and in it the first field, in which the two ledgers differ; None when they are the same."""
    for sequence, (found, wanted) in enumerate(zip_longest(entries, expected), start=1):
        if found is None or wanted is None:
            return Difference(sequence, "entry", found, wanted)
        if found != wanted:
            for field in fields(Entry):
                was, should = getattr(found, field.name), getattr(wanted, field.name)
                if was != should:
                    return Difference(sequence, field.name, was, should)
    return None


def verify(entries: Sequence[Entry], head: Head | None = None) -> Difference | None:
    """Recomputes a pool from its own ledger, which must be whole; None when every number and hash is right.

    Without `head` a ledger that was cut off at its end looks whole; with the published head it does not.
    """
    chain = GENESIS
    for sequence, entry in enumerate(entries, start=1):
        if entry.previous_hash != chain:
            return Difference(sequence, "previous_hash", entry.previous_hash, chain)
        if entry.hash != (digest := entry_hash(entry)):
            return Difference(sequence, "hash", entry.hash, digest)
        chain = entry.hash
        if entry.target < 1:
            return Difference(sequence, "target", entry.target, "at least 1")
        if not entry.opponents:
            return Difference(sequence, "opponents", entry.opponents, "at least one")
    difference = compare(entries, recompute(matches_of(entries)))
    if difference is None and head is not None and head != Head(len(entries), chain):
        return Difference(len(entries), "head", Head(len(entries), chain), head)
    return difference
