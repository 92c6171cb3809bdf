"""The form of a series: how often, from when, and the plan of its tournaments."""

from __future__ import annotations

from typing import Any

from gin_lobby.domain.series import Series
from gin_lobby.pages.desk.fields import EMPTY, Field, Option, Typed, read
from gin_lobby.pages.desk.times import START, WrongTime, local
from gin_tournament.recurrence import FoldPolicy, GapPolicy

DAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday"}
DAYS["SU"] = "Sunday"
_WEEKS = (
    Option("1", "first"),
    Option("2", "second"),
    Option("3", "third"),
    Option("4", "fourth"),
    Option("-1", "last"),
)
_REPEATS = (
    Option("weekly", "Every week"),
    Option("fortnightly", "Every other week"),
    Option("daily", "Every day"),
    Option("monthly", "Every month, on such a weekday"),
    Option("own", "By a rule of my own (RRULE)"),
)
NAME = Field("name", "Name", hint="All of its tournaments are called so.")
RULE = (
    Field("repeats", "How often", "choice", "weekly", options=_REPEATS),
    Field("week", "In which week of the month", "choice", "1", "For every month only.", _WEEKS),
    Field("rule", "Rule", hint="Such as FREQ=WEEKLY;BYDAY=SU, from RFC 5545.", longest=500, required=False),
)
_DATE, _TIME, _ZONE = START
WHEN = (
    Field("start_date", "From day on", "date", hint="The weekday of this day is the one on which it comes again."),
    _TIME,
    _ZONE,
    Field(
        "gap",
        "At a time that the clocks jump over",
        "choice",
        GapPolicy.AFTER.value,
        options=(
            Option(GapPolicy.AFTER.value, "As long after the change"),
            Option(GapPolicy.AT_CHANGE.value, "At the change"),
            Option(GapPolicy.SKIP.value, "Not on that day"),
        ),
    ),
    Field(
        "fold",
        "At a time that comes twice",
        "choice",
        FoldPolicy.FIRST.value,
        options=(Option(FoldPolicy.FIRST.value, "The first"), Option(FoldPolicy.SECOND.value, "The second")),
    ),
    Field("ahead_days", "Registration opens so many days before", "number", "14", least=1, most=366),
)
FIELDS = (NAME, *RULE, *WHEN)


def read_series(typed: Typed) -> tuple[dict[str, Any], dict[str, str]]:
    """The fields of a series but its template, as REST names them, and what is wrong by field of the form."""
    reading = read(FIELDS, typed)
    values, errors = dict(reading.values), dict(reading.errors)
    if {"start_date", "start_time", "repeats", "week", "rule"} & set(errors):
        return {}, errors
    try:
        first_at = local(values["start_date"], values["start_time"])
    except WrongTime as wrong:
        return {}, errors | {wrong.field: str(wrong)}
    day = list(DAYS)[first_at.weekday()]
    if values["repeats"] == "own" and not values["rule"]:
        errors["rule"] = EMPTY
    rule = {
        "weekly": f"FREQ=WEEKLY;BYDAY={day}",
        "fortnightly": f"FREQ=WEEKLY;INTERVAL=2;BYDAY={day}",
        "daily": "FREQ=DAILY",
        "monthly": f"FREQ=MONTHLY;BYDAY={values['week']}{day}",
        "own": values["rule"],
    }[values["repeats"]]
    kept = {name: values.get(name) for name in ("name", "zone", "gap", "fold", "ahead_days")}
    return {**kept, "rule": rule, "first_at": first_at}, errors


def typed_series(series: Series) -> dict[str, list[str]]:
    """What the form holds for a series that is there."""
    return {
        "name": [series.name],
        "repeats": ["own"],
        "week": ["1"],
        "rule": [series.rule],
        "start_date": [f"{series.first_at:%Y-%m-%d}"],
        "start_time": [f"{series.first_at:%H:%M:%S}".removesuffix(":00")],
        "zone": [series.zone],
        "gap": [series.gap],
        "fold": [series.fold],
        "ahead_days": [str(series.ahead_days)],
    }


def field_at_fault(field: str | None) -> str | None:
    """The field of the form for one that REST names."""
    if field is None:
        return None
    return {"first_at": "start_date"}.get(field, field.removeprefix("tournament."))
