"""Who listens to what, and how a hint reaches them. Nothing here waits but `join`, which asks Redis."""

from __future__ import annotations

import json
import time
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import redis
import structlog
from gevent.event import AsyncResult, Event

from gin_live.measures import Measures
from gin_live.places import BEGINNING, Bookmark, Place, event_id
from gin_live.streams import Entry, Streams
from gin_live.watcher import Sending, Watcher, frame, of_topic, sign_of_life
from gin_servicekit.announcements import KEPT_SECONDS
from gin_servicekit.problems import TooManyRequests, Unavailable

log = structlog.get_logger()

RESET = "reset"
RETRY_MILLISECONDS = 2000  # how long a browser waits before it comes back


@dataclass(eq=False, slots=True)
class Topic:
    """One stream. Entries up to `read` are known, up to `told` told; those in between are held back."""

    name: str
    read: Place
    told: Place
    groups: set[Group] = field(default_factory=set)
    held_back: deque[Entry] = field(default_factory=deque)


@dataclass(eq=False, slots=True)
class Group:
    """Connections that listen to the same topics: each frame is made once for all of them."""

    names: tuple[str, ...]
    topics: tuple[Topic, ...]
    watchers: set[Watcher] = field(default_factory=set)

    def places(self) -> tuple[Place, ...]:
        return tuple(topic.told for topic in self.topics)


class Hub:
    """All connections of this process. Greenlets change places only where `join` waits: elsewhere it is consistent."""

    def __init__(self, streams: Streams, measures: Measures, most_watchers: int, most_of_one_address: int) -> None:
        self.topics: dict[str, Topic] = {}
        self.groups: dict[tuple[str, ...], Group] = {}
        self.epoch: bytes | None = None  # None while nobody knows which Redis this is
        self.changed = Event()  # there are new topics
        self.generation = 0  # rises with every new topic
        self.closed = False
        self._streams = streams
        self._measures = measures
        self._most_watchers = most_watchers
        self._most_of_one_address = most_of_one_address
        self._members: dict[Watcher, Group] = {}
        self._by_address: Counter[str] = Counter()
        self._asked: dict[str, AsyncResult] = {}  # where to begin with topics, while Redis is being asked

    def join(self, names: tuple[str, ...], bookmark: Bookmark | None, watcher: Watcher) -> Sending:
        """The stream of bytes for a connection to these topics, which goes on at its bookmark where it has one.

        Raises Unavailable where there is no room, while Redis is away, and when the process is about to end, and
        TooManyRequests where there is no room for this address.
        """
        try:
            told = self._places_of_new(names)
            # From here on nothing waits until the connection is a member: it misses nothing.
            self._require_room()
            self._require_room_for(watcher.address)
            group = self._group(names, told)
            snapshot, epoch = group.places(), self.epoch
            assert epoch is not None
            self._members[watcher] = group
            self._by_address[watcher.address] += 1
            group.watchers.add(watcher)
            self._measures.watchers.set(len(self._members))
            first = f"retry: {RETRY_MILLISECONDS}\n".encode()
            if bookmark is None:
                first += sign_of_life(event_id(epoch, names, time.time(), snapshot))
            else:
                first += self._missed(group, bookmark, epoch, snapshot)
        except BaseException as problem:
            self.leave(watcher)
            if not isinstance(problem, redis.RedisError):
                raise
            log.warning("cannot_join", problem=str(problem))
            raise Unavailable("live events are away for a moment") from problem
        return Sending(watcher, first, self.leave)

    def leave(self, watcher: Watcher) -> None:
        """Forgets a connection, and what nobody listens to any more. Doing it twice changes nothing."""
        group = self._members.pop(watcher, None)
        if group is None:
            return
        group.watchers.discard(watcher)
        self._by_address[watcher.address] -= 1
        if not self._by_address[watcher.address]:
            del self._by_address[watcher.address]
        self._measures.watchers.set(len(self._members))
        if group.watchers:
            return
        del self.groups[group.names]
        for topic in group.topics:
            topic.groups.discard(group)
            if not topic.groups:
                del self.topics[topic.name]
        self._measures.topics.set(len(self.topics))

    def take(self, entries: Mapping[str, Sequence[Entry]], now_ms: float) -> None:
        """New entries of streams, oldest first: told to whoever listens, or held back until they are due."""
        for place, name, entry in sorted((e.place, name, e) for name, added in entries.items() for e in added):
            topic = self.topics.get(name)
            if topic is None or place <= topic.read:
                continue
            topic.read = place
            if entry.due_ms > now_ms:
                topic.held_back.append(entry)
            else:
                # What may be told at once makes moot what is held back: the match is over.
                topic.held_back.clear()
                self._tell(topic, entry, now_ms)

    def tell_due(self, now_ms: float) -> float | None:
        """Tells what was held back and is due; returns when the next is, in Unix milliseconds."""
        next_ms: float | None = None
        held_back = 0
        for topic in list(self.topics.values()):
            while topic.held_back and topic.held_back[0].due_ms <= now_ms:
                self._tell(topic, topic.held_back.popleft(), now_ms)
            if topic.held_back:
                held_back += len(topic.held_back)
                due_ms = topic.held_back[0].due_ms
                next_ms = due_ms if next_ms is None else min(next_ms, due_ms)
        self._measures.held_back.set(held_back)
        return next_ms

    def begin_epoch(self, epoch: bytes) -> None:
        """Redis is another one than before, or was away: whatever came in between, nobody has heard it."""
        if epoch != self.epoch:
            for topic in self.topics.values():
                topic.read = topic.told = BEGINNING
                topic.held_back.clear()
        self.epoch = epoch
        for group in list(self.groups.values()):
            self._send(group, self._reset(group, epoch, group.places()))

    def beat(self) -> Iterable[None]:
        """A sign of life for every connection, group by group, so that others get their turn in between."""
        for group in list(self.groups.values()):
            if self.epoch is not None:
                self._send(group, sign_of_life(event_id(self.epoch, group.names, time.time(), group.places())))
            yield

    def end(self, watchers: Iterable[Watcher], reason: str) -> None:
        """Ends these connections; their clients may come back."""
        for watcher in watchers:
            watcher.end()
            self._measures.dropped.labels(reason).inc()

    def members(self) -> list[Watcher]:
        return list(self._members)

    def close(self) -> None:
        """Ends every connection, and lets nobody in any more."""
        self.closed = True
        self.end(self.members(), "shutdown")

    def _require_room(self) -> None:
        if self.closed or self.epoch is None:
            raise Unavailable("live events are away for a moment")
        if len(self._members) >= self._most_watchers:
            self._measures.refused.inc()
            raise Unavailable("as many listen already as there is room for")

    def _require_room_for(self, address: str) -> None:
        if self._by_address[address] >= self._most_of_one_address:
            self._measures.refused.inc()
            raise TooManyRequests(f"{self._most_of_one_address} connections from your address listen already")

    def _places_of_new(self, names: tuple[str, ...]) -> dict[str, Place]:
        """Where to begin with the topics to which nobody else listens yet."""
        self._require_room()
        told: dict[str, Place] = {}
        while missing := [name for name in names if name not in self.topics and name not in told]:
            others = {self._asked[name] for name in missing if name in self._asked}
            mine = [name for name in missing if name not in self._asked]
            if mine:
                told |= self._ask_places(mine)
            for answer in others:
                told |= answer.get()
        return told

    def _ask_places(self, names: Sequence[str]) -> dict[str, Place]:
        """Asks Redis, for everybody who wants to know the same meanwhile: many come to a table at once."""
        answer = AsyncResult()
        self._asked |= dict.fromkeys(names, answer)
        try:
            places = self._streams.told_so_far(names, int(time.time() * 1000))
            answer.set(places)
        except BaseException as problem:
            answer.set_exception(problem)
            raise
        finally:
            for name in names:
                del self._asked[name]
        return places

    def _group(self, names: tuple[str, ...], told: Mapping[str, Place]) -> Group:
        group = self.groups.get(names)
        if group is None:
            for name in names:
                if name not in self.topics:
                    self.topics[name] = Topic(name, told[name], told[name])
                    self.generation += 1
                    self.changed.set()
            group = self.groups[names] = Group(names, tuple(self.topics[name] for name in names))
            for topic in group.topics:
                topic.groups.add(group)
            self._measures.topics.set(len(self.topics))
        return group

    def _missed(self, group: Group, bookmark: Bookmark, epoch: bytes, snapshot: tuple[Place, ...]) -> bytes:
        """What came between the bookmark and the moment of joining, or a reset where that cannot be told."""
        is_old = time.time() - bookmark.issued_at >= KEPT_SECONDS
        if bookmark.epoch != epoch or is_old:
            return self._reset(group, epoch, snapshot)
        places = dict(zip(group.names, bookmark.places, strict=True))
        stretches = {name: (places[name], last) for name, last in zip(group.names, snapshot, strict=True)}
        behind = {name: (known, last) for name, (known, last) in stretches.items() if known != last}
        found = self._streams.since(behind) if behind else {}
        if found is None or any(known > last for known, last in behind.values()):
            return self._reset(group, epoch, snapshot)
        self._measures.resumed.inc()
        return self._replay(group, epoch, places, found) or sign_of_life(
            event_id(epoch, group.names, time.time(), snapshot)
        )

    def _replay(
        self, group: Group, epoch: bytes, places: dict[str, Place], found: Mapping[str, Sequence[Entry]]
    ) -> bytes:
        frames = []
        now = time.time()
        in_order = sorted((entry.place, name, entry) for name, entries in found.items() for entry in entries)
        for place, name, entry in in_order:
            places[name] = place
            if entry.due_ms <= now * 1000:
                mark = event_id(epoch, group.names, now, [places[topic] for topic in group.names])
                frames.append(frame(entry.event, mark, of_topic(name, entry.data)))
        return b"".join(frames)

    def _tell(self, topic: Topic, entry: Entry, now_ms: float) -> None:
        topic.told = entry.place
        self._measures.events.inc()
        self._measures.lag.observe(max(0.0, now_ms - max(entry.due_ms, entry.place.milliseconds)) / 1000)
        assert self.epoch is not None
        data = of_topic(topic.name, entry.data)
        for group in list(topic.groups):
            mark = event_id(self.epoch, group.names, now_ms / 1000, group.places())
            self._send(group, frame(entry.event, mark, data))

    def _send(self, group: Group, some_bytes: bytes) -> None:
        stuck = [watcher for watcher in group.watchers if not watcher.offer(some_bytes)]
        self._measures.sent.inc(len(group.watchers) - len(stuck))
        for watcher in stuck:
            # It has not read for long. It comes back when it can, with the id of what it got last.
            watcher.cut()
            self.leave(watcher)
            self._measures.dropped.labels("slow").inc()
            log.info("watcher_dropped", reason="slow", topics=group.names)

    def _reset(self, group: Group, epoch: bytes, places: Sequence[Place]) -> bytes:
        self._measures.resets.inc()
        return frame(RESET, event_id(epoch, group.names, time.time(), places), json.dumps({"topics": group.names}))
