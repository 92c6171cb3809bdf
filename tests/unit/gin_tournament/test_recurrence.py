"""Series: local times that do not exist, that exist twice, and machines that were off."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from gin_tournament.errors import InvalidFormatError
from gin_tournament.recurrence import CatchUp, FoldPolicy, GapPolicy, Occurrence, Recurrence, catch_up, due


def utc(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


def local(text: str) -> datetime:
    """A local time without an offset."""
    return datetime.fromisoformat(text)


def starts(series: Recurrence, after: datetime, until: datetime) -> list[datetime]:
    return [occurrence.starts_at for occurrence in series.occurrences(after, until)]


NEW_YORK = "America/New_York"
SUNDAYS = "FREQ=WEEKLY;BYDAY=SU"


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (GapPolicy.AFTER, utc(2027, 3, 14, 7, 30)),  # 03:30 EDT
        (GapPolicy.AT_CHANGE, utc(2027, 3, 14, 7, 0)),  # 03:00 EDT
        (GapPolicy.SKIP, None),
    ],
)
def test_half_past_two_does_not_exist_in_new_york_on_14_march_2027(gap: GapPolicy, expected: datetime | None) -> None:
    series = Recurrence(SUNDAYS, local("2027-03-07 02:30"), NEW_YORK, gap)
    found = starts(series, utc(2027, 3, 1), utc(2027, 3, 22))
    assert found == [t for t in (utc(2027, 3, 7, 7, 30), expected, utc(2027, 3, 21, 6, 30)) if t]


@pytest.mark.parametrize(
    ("fold", "expected"),
    [(FoldPolicy.FIRST, utc(2027, 11, 7, 5, 30)), (FoldPolicy.SECOND, utc(2027, 11, 7, 6, 30))],
)
def test_half_past_one_exists_twice_in_new_york_on_7_november_2027(fold: FoldPolicy, expected: datetime) -> None:
    series = Recurrence(SUNDAYS, local("2027-10-31 01:30"), NEW_YORK, fold=fold)
    found = starts(series, utc(2027, 10, 25), utc(2027, 11, 15))
    assert found == [utc(2027, 10, 31, 5, 30), expected, utc(2027, 11, 14, 6, 30)]


def test_local_time_stays_the_same_through_the_year_and_utc_moves() -> None:
    series = Recurrence("FREQ=MONTHLY;BYMONTHDAY=1", local("2027-01-01 20:00"), NEW_YORK)
    found = starts(series, utc(2027, 1, 1), utc(2028, 1, 1))
    assert [t.hour for t in found] == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]


def test_lord_howe_jumps_half_an_hour() -> None:
    # Clocks go from 02:00 (+10:30) to 02:30 (+11) on 3 October 2027 and back from 02:00 to 01:30 on 4 April.
    gap = {
        policy: Recurrence("FREQ=DAILY", local("2027-10-03 02:15"), "Australia/Lord_Howe", policy)
        for policy in GapPolicy
    }
    day = (utc(2027, 10, 2, 12), utc(2027, 10, 3, 12))
    assert starts(gap[GapPolicy.AFTER], *day) == [utc(2027, 10, 2, 15, 45)]  # 02:45
    assert starts(gap[GapPolicy.AT_CHANGE], *day) == [utc(2027, 10, 2, 15, 30)]  # 02:30
    assert starts(gap[GapPolicy.SKIP], *day) == []
    fold = {
        policy: Recurrence("FREQ=DAILY", local("2027-04-04 01:45"), "Australia/Lord_Howe", fold=policy)
        for policy in FoldPolicy
    }
    day = (utc(2027, 4, 3, 12), utc(2027, 4, 4, 12))
    assert starts(fold[FoldPolicy.FIRST], *day) == [utc(2027, 4, 3, 14, 45)]
    assert starts(fold[FoldPolicy.SECOND], *day) == [utc(2027, 4, 3, 15, 15)]


def test_zone_that_drops_daylight_saving_time_stays_put_from_then_on() -> None:
    # Mexico City changed its clocks until 2022 and has not since.
    series = Recurrence("FREQ=MONTHLY", local("2022-01-15 20:00"), "America/Mexico_City")
    found = starts(series, utc(2022, 1, 1), utc(2024, 1, 1))
    assert [t.hour for t in found[:12]] == [2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 2]
    assert {t.hour for t in found[12:]} == {2}


def test_day_that_a_zone_skipped_altogether_is_a_gap_of_a_day() -> None:
    # Samoa left out 30 December 2011.
    series = Recurrence("FREQ=DAILY", local("2011-12-29 12:00"), "Pacific/Apia", GapPolicy.SKIP)
    assert starts(series, utc(2011, 12, 29), utc(2012, 1, 1)) == [
        utc(2011, 12, 29, 22),
        utc(2011, 12, 30, 22),
        utc(2011, 12, 31, 22),
    ]


def test_key_is_the_local_time_of_the_rule_whatever_the_policy_makes_of_it() -> None:
    keys = set()
    for gap in (GapPolicy.AFTER, GapPolicy.AT_CHANGE):
        series = Recurrence(SUNDAYS, local("2027-03-14 02:30"), NEW_YORK, gap)
        keys |= {occurrence.key for occurrence in series.occurrences(utc(2027, 3, 14), utc(2027, 3, 15))}
    assert keys == {"2027-03-14T02:30:00"}


def test_occurrence_moved_onto_another_gives_way_to_it() -> None:
    series = Recurrence("FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30", local("2027-03-14 02:30"), NEW_YORK)
    found = list(series.occurrences(utc(2027, 3, 14), utc(2027, 3, 15)))
    assert found == [Occurrence("2027-03-14T03:30:00", utc(2027, 3, 14, 7, 30))]


def test_questions_that_follow_one_another_give_every_occurrence_exactly_once() -> None:
    series = Recurrence("FREQ=DAILY;BYHOUR=1,2", local("2027-03-01 01:30"), NEW_YORK)
    whole = list(series.occurrences(utc(2027, 3, 1), utc(2027, 12, 1)))
    pieces: list[Occurrence] = []
    moment = utc(2027, 3, 1)
    while moment < utc(2027, 12, 1):
        later = min(moment + timedelta(hours=7), utc(2027, 12, 1))
        pieces += series.occurrences(moment, later)
        moment = later
    assert pieces == whole
    assert len({occurrence.key for occurrence in whole}) == len(whole) == len({o.starts_at for o in whole})


def test_count_and_until_end_a_series() -> None:
    span = (utc(2027, 1, 1), utc(2028, 1, 1))
    first = local("2027-03-07 02:30")
    assert len(starts(Recurrence("FREQ=WEEKLY;COUNT=3", first, NEW_YORK), *span)) == 3
    assert len(starts(Recurrence("FREQ=WEEKLY;UNTIL=20270314", first, NEW_YORK), *span)) == 2
    assert len(starts(Recurrence("FREQ=WEEKLY;UNTIL=20270321T062959Z", first, NEW_YORK), *span)) == 2
    assert len(starts(Recurrence("FREQ=WEEKLY;UNTIL=20270321T063000Z", first, NEW_YORK), *span)) == 3
    ended = Recurrence("FREQ=WEEKLY;COUNT=3", first, NEW_YORK)
    assert ended.next_after(utc(2027, 3, 8)) == Occurrence("2027-03-14T02:30:00", utc(2027, 3, 14, 7, 30))
    assert ended.next_after(utc(2027, 4, 1)) is None


@pytest.mark.parametrize(
    ("rule", "zone"),
    [
        ("FREQ=HOURLY", "UTC"),
        ("FREQ=SECONDLY", "UTC"),
        ("FREQ=DAILY;INTERVAL=0", "UTC"),
        ("FREQ=DAILY;COUNT=-1", "UTC"),
        ("FREQ=DAILY;COUNT=x", "UTC"),
        ("FREQ=DAILY;COUNT=2;UNTIL=20270101", "UTC"),
        ("FREQ=DAILY;UNTIL=20270101T0Z", "UTC"),
        ("FREQ=DAILY;INTERVAL=2;BYDAY=MO", "UTC"),
        ("FREQ=DAILY;BYMONTHDAY=31", "UTC"),
        ("FREQ=WEEKLY;BYDAY=XX", "UTC"),
        ("FREQ=WEEKLY;FREQ=DAILY", "UTC"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "UTC"),
        ("FREQ=WEEKLY\nEXDATE:20270101T000000", "UTC"),
        ("", "UTC"),
        ("FREQ=DAILY", "Mars/Olympus"),
        ("FREQ=DAILY", "../zones"),
    ],
)
def test_rules_and_zones_that_mean_nothing_are_refused(rule: str, zone: str) -> None:
    with pytest.raises(InvalidFormatError):
        Recurrence(rule, local("2027-01-01 12:00"), zone)


def test_first_time_is_local() -> None:
    with pytest.raises(InvalidFormatError):
        Recurrence("FREQ=DAILY", utc(2027, 1, 1), "UTC")


def test_rule_that_never_comes_true_is_refused_in_a_moment() -> None:
    started = time.process_time()
    with pytest.raises(InvalidFormatError, match="never comes true"):
        Recurrence("FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", local("2027-01-01 00:00"), "UTC")
    assert time.process_time() - started < 10


NOON, GRACE = utc(2027, 5, 1, 12), timedelta(minutes=30)


@pytest.mark.parametrize(
    ("minutes_late", "expected"),
    [
        (-1, CatchUp.NOT_YET),
        (0, CatchUp.START),
        (1, CatchUp.START_LATE),
        (30, CatchUp.START_LATE),
        (31, CatchUp.MISSED),
    ],
)
def test_machine_that_was_off_starts_late_within_the_grace_and_then_never(minutes_late: int, expected: CatchUp) -> None:
    now = NOON + timedelta(minutes=minutes_late)
    assert catch_up(NOON, now, GRACE, settled=False) is expected
    assert catch_up(NOON, now, GRACE, settled=True) is CatchUp.DONE


def test_of_several_that_were_slept_through_only_the_latest_starts() -> None:
    occurrences = [Occurrence(f"k{minute}", NOON + timedelta(minutes=minute)) for minute in (-60, -20, -10, 5)]
    assert due(occurrences, frozenset(), NOON, GRACE) == {
        "k-60": CatchUp.MISSED,
        "k-20": CatchUp.MISSED,
        "k-10": CatchUp.START_LATE,
        "k5": CatchUp.NOT_YET,
    }
    assert due(occurrences, frozenset({"k-10"}), NOON, GRACE)["k-10"] is CatchUp.DONE


def test_a_rule_of_long_ago_is_read_from_near_by_and_gives_the_same() -> None:
    rules = (
        "FREQ=DAILY;INTERVAL=3;BYHOUR=1,2;BYMINUTE=0,30",
        "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,MO,WE;WKST=SU",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;WKST=WE",
        "FREQ=WEEKLY",
        "FREQ=MONTHLY",
        "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31,-1",
        "FREQ=MONTHLY;BYDAY=MO,TU,FR;BYSETPOS=-1",
        "FREQ=YEARLY",
        "FREQ=YEARLY;INTERVAL=3;BYMONTH=3,11",
        "FREQ=YEARLY;INTERVAL=2;BYDAY=20MO",
        "FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR",
    )
    for rule in rules:
        for first in ("2001-05-31 02:30", "2003-11-01 01:30", "2004-02-29 20:00", "2012-12-31 23:30"):
            series = Recurrence(rule, local(first), NEW_YORK)
            from_the_first = list(series.occurrences(utc(2000, 1, 1), utc(2031, 1, 1)))
            for year in (2013, 2020, 2027):
                near_by = list(series.occurrences(utc(year, 3, 10), utc(year + 3, 3, 20)))
                expected = [o for o in from_the_first if utc(year, 3, 10) < o.starts_at <= utc(year + 3, 3, 20)]
                assert near_by == expected, (rule, first, year)


def test_a_rule_since_the_year_one_takes_no_walk_through_the_ages(monkeypatch: pytest.MonkeyPatch) -> None:
    hours = ",".join(map(str, range(24)))
    series = Recurrence(f"FREQ=DAILY;BYHOUR={hours};BYMINUTE=0", local("0001-01-01 00:00"), NEW_YORK)
    read = 0

    def counted(moment: datetime) -> datetime | None:
        nonlocal read
        read += 1
        return moment.replace(tzinfo=UTC)

    monkeypatch.setattr(Recurrence, "at", lambda _, moment: counted(moment))
    assert series.next_after(utc(2027, 1, 1)) is not None
    assert read < 24 * 40


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MONTHLY;BYDAY=9SU",
        "FREQ=MONTHLY;BYDAY=6SU",
        "FREQ=YEARLY;BYDAY=60MO",
        "FREQ=WEEKLY;BYDAY=1SU",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=MONTHLY;BYMONTHDAY=-32",
        "FREQ=YEARLY;BYMONTH=13",
        "FREQ=DAILY;BYHOUR=24",
        "FREQ=DAILY;UNTIL=2027",
        "FREQ=DAILY;UNTIL=00010101T000000Z",
        "FREQ=WEEKLY;INTERVAL=1_0",
        "FREQ=WEEKLY;INTERVAL=\u0661",
        "FREQ=WEEKLY;BYDAY=SU\nRDATE:20270101",
        "FREQ=WEEKLY;BYDAY=SU,",
    ],
)
def test_a_part_that_means_nothing_is_refused_and_not_guessed(rule: str) -> None:
    with pytest.raises(InvalidFormatError) as refused:
        Recurrence(rule, local("2027-01-01 20:00"), NEW_YORK)
    assert refused.value.field == "rule"


def test_the_ends_of_time_have_no_occurrences_and_no_errors() -> None:
    series = Recurrence("FREQ=DAILY", local("2027-01-01 20:00"), "Pacific/Kiritimati")
    last = datetime.max.replace(tzinfo=UTC)
    first = datetime.min.replace(tzinfo=UTC)
    assert list(series.occurrences(first, first + timedelta(days=1))) == []
    assert list(series.occurrences(last - timedelta(days=30), last)) == []
    weekly = Recurrence("FREQ=WEEKLY", local("2027-01-03 20:00"), NEW_YORK)
    assert list(weekly.occurrences(last - timedelta(days=30), last)) == []
