"""Series: when a recurring tournament starts.

A rule (RFC 5545, RRULE) runs on the wall clock of an IANA time zone: "every Sunday at 02:30 in New York".
Some of those times do not exist, when clocks go forward, and some exist twice, when they go back. What
happens then is stated with the series and never left to chance:

| policy | the hour that does not exist | the hour that exists twice |
|---|---|---|
| `GapPolicy.AFTER` | as long after the change as it was meant to be after it: 02:30 becomes 03:30 | |
| `GapPolicy.AT_CHANGE` | the moment of the change: 02:30 becomes 03:00 | |
| `GapPolicy.SKIP` | the occurrence is left out | |
| `FoldPolicy.FIRST` | | the first time |
| `FoldPolicy.SECOND` | | the second time |

Never twice: an occurrence has one key, its wall-clock time as the rule gives it, whatever the policy makes
of it and whatever becomes of the zone's rules later. Keys are what makes an occurrence unique in a series.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from itertools import islice, takewhile
from math import gcd
from re import compile as pattern
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dateutil.rrule import rrule, rrulestr  # type: ignore[import-untyped]  # ships without types

from gin_tournament.errors import InvalidFormatError

_LONGEST_RULE = 500
_MOST_OCCURRENCES = 10_000
_LONGEST_INTERVAL = 366
_EVERYWHERE = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYHOUR", "BYMINUTE"})
_IN_MONTHS = _EVERYWHERE | {"BYMONTH", "BYMONTHDAY", "BYSETPOS"}
_PARTS = {"DAILY": _EVERYWHERE, "WEEKLY": _EVERYWHERE, "MONTHLY": _IN_MONTHS, "YEARLY": _IN_MONTHS}
"""What each FREQ may be refined by."""

_MONTH_DAY, _DAY = r"-?(0?[1-9]|[12]\d|3[01])", "(MO|TU|WE|TH|FR|SA|SU)"
_VALUES = {
    "FREQ": "[A-Z]+",
    "INTERVAL": r"\d{1,3}",
    "COUNT": r"\d{1,5}",
    "UNTIL": r"\d{8}(T\d{6}Z?)?",
    "WKST": _DAY,
    "BYDAY": _DAY,
    "BYHOUR": r"[01]?\d|2[0-3]",
    "BYMINUTE": r"[0-5]?\d",
    "BYMONTH": "0?[1-9]|1[0-2]",
    "BYMONTHDAY": _MONTH_DAY,
    "BYSETPOS": r"-?[1-9]\d{0,2}",
}
_NUMBERED_DAYS = {"MONTHLY": f"([+-]?[1-5])?{_DAY}", "YEARLY": rf"([+-]?([1-9]|[1-4]\d|5[0-3]))?{_DAY}"}
_SINGLE = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"})
"""How each value is written; all but the single ones are lists. The library lets by what means nothing, or reads it as
it thinks best, and stumbles over a sixth Sunday only in the December in which it looks for it."""


_EARLIEST = datetime.min.replace(tzinfo=UTC) + timedelta(days=3)
_LATEST = datetime(9990, 1, 1, tzinfo=UTC)
"""Nothing is sought beyond: there must be room for the days that a zone adds, and for the library's last step."""


class GapPolicy(Enum):
    """What becomes of a local time that the clocks jump over."""

    AFTER = "after"
    AT_CHANGE = "at_change"
    SKIP = "skip"


class FoldPolicy(Enum):
    """Which of two equal local times is meant."""

    FIRST = "first"
    SECOND = "second"


class Occurrence(NamedTuple):
    """`key` is the local time of the rule, as "2027-03-14T02:30:00"; `starts_at` is aware UTC."""

    key: str
    starts_at: datetime


@dataclass(frozen=True, slots=True)
class Recurrence:
    """`rule` is the value of an RRULE ("FREQ=WEEKLY;BYDAY=SU"); `first` the naive local time that it starts
    from; `zone` an IANA name. An UNTIL is local time, or UTC with a "Z" and then turned into local time.

    Raises `InvalidFormatError`, which names the field, where one of them means nothing, and for a FREQ of less
    than a day. Where a policy moves an occurrence onto the time of another, only the other takes place.
    """

    rule: str
    first: datetime
    zone: str
    gap: GapPolicy = GapPolicy.AFTER
    fold: FoldPolicy = FoldPolicy.FIRST

    def __post_init__(self) -> None:
        if self.first.tzinfo is not None or self.first.microsecond:
            raise InvalidFormatError("first", "must be a local time in whole seconds, without an offset")
        _zone(self.zone)
        parts = _parts(self)
        if "COUNT" in parts and "UNTIL" in parts:
            raise InvalidFormatError("rule", "has either a COUNT or an UNTIL")
        for last in ("COUNT", "UNTIL"):
            parts.pop(last, None)
        if next(iter(_read(parts, _ages_later(parts, self.first))), None) is None:
            raise InvalidFormatError("rule", "never comes true")

    def occurrences(self, after: datetime, until: datetime) -> Iterator[Occurrence]:
        """Those that start later than `after` and no later than `until`, both aware, in order of time."""
        zone = _zone(self.zone)
        # A day on each side, as local times and UTC differ by less, and by how much depends on the day.
        start = max(after, _EARLIEST).astimezone(zone).replace(tzinfo=None) - timedelta(days=1)
        end = min(until, _LATEST).astimezone(zone).replace(tzinfo=None) + timedelta(days=1)
        found: dict[datetime, str] = {}
        for local in self._local_times(start, end):
            starts_at = self.at(local) if local >= start else None
            if starts_at is not None and after < starts_at <= until:
                found[starts_at] = local.isoformat()  # what was moved onto another gives way to it
        return iter([Occurrence(key, starts_at) for starts_at, key in sorted(found.items())])

    def _local_times(self, start: datetime, end: datetime) -> Iterator[datetime]:
        """The local times of the rule up to `end`, from the first or, where nothing is counted, from before `start`."""
        parts = _parts(self)
        count = int(parts.pop("COUNT", "0")) or None
        first = self.first
        if count is None and start > first:
            parts, first = _forwarded(parts, first, start)
        return takewhile(lambda local: local <= end, islice(_read(parts, first), count))

    def next_after(self, moment: datetime, within: timedelta = timedelta(days=1500)) -> Occurrence | None:
        """The first that starts later than `moment`; None where there is none within that time."""
        end = moment + within
        step = timedelta(days=30)
        while moment < end:
            found = next(self.occurrences(moment, min(moment + step, end)), None)
            if found is not None:
                return found
            moment, step = moment + step, step * 2
        return None

    def at(self, local: datetime) -> datetime | None:
        """What a local time of the rule means, in UTC; None where the policy leaves it out."""
        zone = _zone(self.zone)
        early = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
        late = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
        if early == late:
            return early
        if early < late:  # exists twice
            return early if self.fold is FoldPolicy.FIRST else late
        # In a gap the reading with the offset from before the change (fold 0) is the later moment.
        if self.gap is GapPolicy.AFTER:
            return early
        return None if self.gap is GapPolicy.SKIP else _change_between(late, early, zone)


def _forwarded(parts: dict[str, str], first: datetime, start: datetime) -> tuple[dict[str, str], datetime]:
    """The same rule from a period of its own shortly before `start`: years are not walked through day by day."""
    interval = int(parts.get("INTERVAL", "1"))
    frequency = parts["FREQ"]
    if frequency in ("DAILY", "WEEKLY"):
        period = interval * (7 if frequency == "WEEKLY" else 1)
        passed = ((start - first).days // period - 1) * period
        return parts, first + timedelta(days=max(passed, 0))
    months = interval * (12 if frequency == "YEARLY" else 1)
    passed = (((start.year - first.year) * 12 + start.month - first.month) // months - 1) * months
    if passed <= 0:
        return parts, first
    explicit = dict(parts)
    if "BYDAY" not in parts and "BYMONTHDAY" not in parts:
        explicit["BYMONTHDAY"] = str(first.day)
        if frequency == "YEARLY":
            explicit.setdefault("BYMONTH", str(first.month))
    years, month = divmod(first.month - 1 + passed, 12)
    month = 0 if frequency == "YEARLY" else month
    return explicit, first.replace(year=first.year + years, month=month + 1, day=1)


def _ages_later(parts: dict[str, str], first: datetime) -> datetime:
    """A day some whole 400 years later on which the rule looks the same: the library seeks what never comes to the end
    of time, which is near from there."""
    interval = int(parts.get("INTERVAL", "1"))
    periods = {"MONTHLY": 4800, "YEARLY": 400, "WEEKLY": 20_871, "DAILY": 146_097}[parts["FREQ"]]
    unit = interval // gcd(interval, periods)
    cycles = (9_599 - first.year) // 400 // unit * unit
    return first.replace(year=first.year + 400 * max(cycles, 0))


def _change_between(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The second at which the offset changes, by halving; there is one change between the two moments."""
    old = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + timedelta(seconds=(after - before) // timedelta(seconds=2))
        if middle.astimezone(zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as unknown:
        raise InvalidFormatError("zone", f"{name!r} is no IANA time zone") from unknown


def _parts(recurrence: Recurrence) -> dict[str, str]:
    """The rule by its parts, an UNTIL in UTC turned into the local time of the series."""
    rule = recurrence.rule.strip().upper().removeprefix("RRULE:")
    named = [part.partition("=") for part in rule.split(";")]
    parts = {name: value for name, _, value in named}
    if len(rule) > _LONGEST_RULE or len(parts) != len(named):
        raise InvalidFormatError("rule", "must be one RRULE, such as FREQ=WEEKLY;BYDAY=SU")
    frequency = parts.get("FREQ", "")
    if frequency not in _PARTS:
        raise InvalidFormatError("rule", f"FREQ must be one of {', '.join(_PARTS)}")
    for name, value in parts.items():
        if name not in _PARTS[frequency]:
            raise InvalidFormatError("rule", f"{name} cannot stand with FREQ={frequency}")
        form = _NUMBERED_DAYS.get(frequency, _DAY) if name == "BYDAY" else _VALUES[name]
        values = [value] if name in _SINGLE else value.split(",")
        if not value.isascii() or any(pattern(form).fullmatch(one) is None for one in values):
            raise InvalidFormatError("rule", f"{name} cannot be read: {value}")
    for name, most in (("COUNT", _MOST_OCCURRENCES), ("INTERVAL", _LONGEST_INTERVAL)):
        if name in parts and not 1 <= int(parts[name]) <= most:
            raise InvalidFormatError("rule", f"{name} must be from 1 to {most}")
    if frequency == "DAILY" and "BYDAY" in parts and parts.get("INTERVAL", "1") != "1":
        raise InvalidFormatError("rule", "BYDAY and an INTERVAL cannot stand together with FREQ=DAILY")
    if "UNTIL" in parts:
        parts["UNTIL"] = _local_until(parts["UNTIL"], _zone(recurrence.zone))
    return parts


def _local_until(value: str, zone: ZoneInfo) -> str:
    """The last local time of a rule; a date alone means its whole day."""
    if len(value) == len("20270314"):
        return f"{value}T235959"
    if not value.endswith("Z"):
        return value
    try:
        until = datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        return f"{until.astimezone(zone):%4Y%m%dT%H%M%S}"
    except (ValueError, OverflowError) as wrong:
        raise InvalidFormatError("rule", f"UNTIL cannot be read: {value}") from wrong


def _read(parts: dict[str, str], first: datetime) -> rrule:
    try:
        return rrulestr(";".join(f"{name}={value}" for name, value in parts.items()), dtstart=first)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as wrong:
        raise InvalidFormatError("rule", f"cannot be read: {wrong}") from wrong


class CatchUp(Enum):
    """What to do with an occurrence at a given moment."""

    NOT_YET = "not_yet"
    START = "start"
    START_LATE = "start_late"
    MISSED = "missed"
    DONE = "done"  # it was started or given up before: never again


def catch_up(starts_at: datetime, now: datetime, grace: timedelta, *, settled: bool) -> CatchUp:
    """What to do with an occurrence whose time may have passed while nobody looked.

    Within `grace` after its time it starts late, after that it is missed; `settled` tells that it was
    started, skipped or marked as missed before. All times are aware.
    """
    if settled:
        return CatchUp.DONE
    if now < starts_at:
        return CatchUp.NOT_YET
    if now == starts_at:
        return CatchUp.START
    return CatchUp.START_LATE if now - starts_at <= grace else CatchUp.MISSED


def due(occurrences: list[Occurrence], settled: frozenset[str], now: datetime, grace: timedelta) -> dict[str, CatchUp]:
    """What to do with each occurrence of one series, by key. At most one is to be started: where several are
    within their grace, the latest starts and the others are missed."""
    found = {o.key: catch_up(o.starts_at, now, grace, settled=o.key in settled) for o in occurrences}
    ready = [o for o in occurrences if found[o.key] in (CatchUp.START, CatchUp.START_LATE)]
    for stale in sorted(ready, key=lambda o: (o.starts_at, o.key))[:-1]:
        found[stale.key] = CatchUp.MISSED
    return found
