"""When a series comes again, in words."""

from __future__ import annotations

import re

_DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
_WEEKS = {"1": "first", "2": "second", "3": "third", "4": "fourth", "-1": "last"}


def recurrence(rule: str) -> str:
    """`every Monday`, `every other Friday`, `every day`, `the last Sunday of every month`; a rule that says more than
    the forms of the desk stays as it is.
    """
    if rule == "FREQ=DAILY":
        return "every day"
    if weekly := re.fullmatch(r"FREQ=WEEKLY;(INTERVAL=2;)?BYDAY=([A-Z]{2})", rule):
        return f"every {'other ' if weekly[1] else ''}{_DAYS.get(weekly[2], rule)}"
    if monthly := re.fullmatch(r"FREQ=MONTHLY;BYDAY=(-?\d)([A-Z]{2})", rule):
        week, day = _WEEKS.get(monthly[1]), _DAYS.get(monthly[2])
        return f"the {week} {day} of every month" if week and day else rule
    return rule
