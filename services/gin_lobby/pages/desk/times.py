"""Times as organisers type them: a day and a time on the clocks of a zone."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from gin_lobby.pages.desk.fields import Field

START = (
    Field("start_date", "Day", "date"),
    Field("start_time", "Time", "time", "19:00"),
    Field("zone", "Time zone", "zone", "UTC", "The clocks that day and time are meant on, such as Europe/Vienna."),
)


class WrongTime(Exception):
    """`field` is the one of START that is at fault."""

    def __init__(self, text: str, field: str) -> None:
        super().__init__(text)
        self.field = field


@cache
def zones() -> tuple[str, ...]:
    """The names to choose from: places, and UTC."""
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))


def local(date: str, time: str) -> datetime:
    """Raises WrongTime."""
    try:
        day = datetime.strptime(date, "%Y-%m-%d")  # noqa: DTZ007  # a local time has no offset
    except ValueError:
        raise WrongTime("A day such as 2027-03-07, please.", "start_date") from None
    for form in ("%H:%M", "%H:%M:%S"):
        try:
            clock = datetime.strptime(time, form)  # noqa: DTZ007
        except ValueError:
            continue
        return datetime.combine(day.date(), clock.time())
    raise WrongTime("A time such as 19:30, please.", "start_time")


def moment(date: str, time: str, zone: str) -> datetime:
    """Aware UTC. Of a time that exists twice the first is meant. Raises WrongTime."""
    typed = local(date, time)
    if zone not in available_timezones():
        raise WrongTime("There is no such time zone: choose one of the list.", "zone")
    try:
        found = typed.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
        again = found.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    except OverflowError:
        raise WrongTime("The calendar does not reach that far.", "start_date") from None
    if again != typed:
        raise WrongTime(f"The clocks of {zone} are put forward then: there is no such time on this day.", "start_time")
    return found


def typed_of(time: datetime, zone: str) -> dict[str, list[str]]:
    """The same the other way round."""
    there = time.astimezone(ZoneInfo(zone))
    clock = f"{there:%H:%M:%S}" if there.second else f"{there:%H:%M}"
    return {"start_date": [f"{there:%Y-%m-%d}"], "start_time": [clock], "zone": [zone]}
