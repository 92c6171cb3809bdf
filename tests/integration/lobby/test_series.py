from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest

from gin_lobby.tasks import advance_due, make_series
from tests.integration.lobby.conftest import Lobby

WEEKLY = {
    "name": "Sunday night",
    "rule": "FREQ=WEEKLY;BYDAY=SU",
    "first_at": "2027-01-03T20:00:00",
    "zone": "America/New_York",
    "ahead_days": 14,
    "tournament": {"rounds": 3, "rules": {"preset": "short"}, "capacity": 16},
}


def at(lobby: Lobby, moment: str) -> None:
    """Moves the clock to a time in UTC."""
    lobby.clock.move(seconds=(datetime.fromisoformat(moment).replace(tzinfo=UTC) - lobby.clock()).total_seconds())


def create(lobby: Lobby, **changes: Any) -> str:
    answer = lobby.organiser.post("/api/v1/series", WEEKLY | changes)
    assert answer.status_code == 201, answer.json
    series_id: str = answer.json["series_id"]
    return series_id


def occurrences(lobby: Lobby, series_id: str, **query: str) -> list[dict[str, Any]]:
    asked = "&".join(f"{name}={value.replace('+', '%2B')}" for name, value in query.items())
    answer = lobby.anonymous.get(f"/api/v1/series/{series_id}/occurrences?{asked}")
    assert answer.status_code == 200, answer.json
    found: list[dict[str, Any]] = answer.json["occurrences"]
    return found


def starts(rows: list[dict[str, Any]]) -> list[str]:
    return [datetime.fromisoformat(row["starts_at"]).strftime("%Y-%m-%dT%H:%MZ") for row in rows]


def tick(lobby: Lobby) -> None:
    make_series(lobby.service)


@pytest.fixture
def in_january(lobby: Lobby) -> Lobby:
    at(lobby, "2027-01-01T12:00:00")
    return lobby


def test_tournaments_of_the_days_ahead_are_made_at_once_and_open(in_january: Lobby) -> None:
    rows = occurrences(in_january, create(in_january))
    assert [row["state"] for row in rows[:4]] == ["made", "made", "planned", "planned"]
    assert starts(rows[:3]) == ["2027-01-04T01:00Z", "2027-01-11T01:00Z", "2027-01-18T01:00Z"]
    made = in_january.see(rows[0]["tournament_id"])
    assert (made["name"], made["state"], made["capacity"]) == ("Sunday night", "registration", 16)
    assert made["rules"]["target"] == 50
    assert datetime.fromisoformat(made["starts_at"]) == datetime(2027, 1, 4, 1, tzinfo=UTC)


def test_each_later_one_is_made_when_its_time_comes_and_only_once(in_january: Lobby) -> None:
    series_id = create(in_january)
    tick(in_january)
    assert [r["state"] for r in occurrences(in_january, series_id)].count("made") == 2
    at(in_january, "2027-01-04T01:00:00")
    tick(in_january)
    tick(in_january)
    rows = occurrences(in_january, series_id)
    assert starts([r for r in rows if r["state"] == "made"]) == [
        "2027-01-04T01:00Z", "2027-01-11T01:00Z", "2027-01-18T01:00Z",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("zone", "first_at", "rule", "gap", "fold", "expected"),
    [
        # New York, 14 March 2027: 02:30 does not exist.
        ("America/New_York", "2027-03-07T02:30:00", "FREQ=WEEKLY;BYDAY=SU", "after", "first",
         ["2027-03-07T07:30Z", "2027-03-14T07:30Z", "2027-03-21T06:30Z"]),
        ("America/New_York", "2027-03-07T02:30:00", "FREQ=WEEKLY;BYDAY=SU", "at_change", "first",
         ["2027-03-07T07:30Z", "2027-03-14T07:00Z", "2027-03-21T06:30Z"]),
        ("America/New_York", "2027-03-07T02:30:00", "FREQ=WEEKLY;BYDAY=SU", "skip", "first",
         ["2027-03-07T07:30Z", "2027-03-21T06:30Z"]),
        # New York, 7 November 2027: 01:30 exists twice.
        ("America/New_York", "2027-10-31T01:30:00", "FREQ=WEEKLY;BYDAY=SU;COUNT=3", "after", "first",
         ["2027-10-31T05:30Z", "2027-11-07T05:30Z", "2027-11-14T06:30Z"]),
        ("America/New_York", "2027-10-31T01:30:00", "FREQ=WEEKLY;BYDAY=SU;COUNT=3", "after", "second",
         ["2027-10-31T05:30Z", "2027-11-07T06:30Z", "2027-11-14T06:30Z"]),
        # Lord Howe goes forward by half an hour on 3 October 2027: 02:15 does not exist.
        ("Australia/Lord_Howe", "2027-10-02T02:15:00", "FREQ=DAILY;COUNT=3", "after", "first",
         ["2027-10-01T15:45Z", "2027-10-02T15:45Z", "2027-10-03T15:15Z"]),
    ],
)  # fmt: skip
def test_nights_when_clocks_change(
    lobby: Lobby, zone: str, first_at: str, rule: str, gap: str, fold: str, expected: list[str]
) -> None:
    first = datetime.fromisoformat(first_at)
    at(lobby, (first - timedelta(days=2)).isoformat())
    series_id = create(lobby, zone=zone, first_at=first_at, rule=rule, gap=gap, fold=fold, ahead_days=30)
    rows = occurrences(lobby, series_id)
    assert starts(rows)[: len(expected)] == expected
    assert {row["state"] for row in rows[: len(expected)]} == {"made"}


@pytest.mark.parametrize("key", ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "2027-01-04T20:00:00", "soon"])
def test_a_time_that_is_no_occurrence_cannot_be_skipped(in_january: Lobby, key: str) -> None:
    path = f"/api/v1/series/{create(in_january)}/occurrences/{key}/skip"
    assert in_january.organiser.post(path, {"reason": "Never"}).status_code == 404


def test_occurrences_at_the_end_of_time_are_none(in_january: Lobby) -> None:
    series_id = create(in_january)
    assert len(occurrences(in_january, series_id, since="9999-12-01T00:00:00Z", until="9999-12-31T23:59:59Z")) <= 4


def test_an_occurrence_can_be_skipped_before_and_after_it_is_made(in_january: Lobby) -> None:
    series_id = create(in_january)
    first, _, third, *_ = occurrences(in_january, series_id)
    for row in (first, third):
        path = f"/api/v1/series/{series_id}/occurrences/{row['key']}/skip"
        skipped = in_january.organiser.post(path, {"reason": "The hall is closed"})
        assert (skipped.status_code, skipped.json["state"]) == (200, "skipped")
        again = in_january.organiser.post(path, {"reason": "Twice"})
        assert again.status_code == 409
    assert in_january.see(first["tournament_id"])["ended_because"] == "The hall is closed"
    at(in_january, "2027-01-12T12:00:00")
    tick(in_january)
    rows = occurrences(in_january, series_id)
    assert [row["state"] for row in rows if row["key"] == third["key"]] == ["skipped"]
    assert [row["state"] for row in rows if row["key"] == "2027-01-24T20:00:00"] == ["made"]


def test_a_skipped_occurrence_can_be_planned_again(in_january: Lobby) -> None:
    series_id = create(in_january)
    made, _, planned, *_ = occurrences(in_january, series_id)
    path = f"/api/v1/series/{series_id}/occurrences/{planned['key']}/skip"
    in_january.organiser.post(path, {"reason": "Perhaps not"})
    at(in_january, "2027-01-10T12:00:00")
    tick(in_january)
    assert in_january.organiser.delete(path).status_code == 200
    rows = {row["key"]: row["state"] for row in occurrences(in_january, series_id)}
    assert rows[planned["key"]] == "made"
    gone = f"/api/v1/series/{series_id}/occurrences/{made['key']}/skip"
    assert in_january.organiser.delete(gone).status_code == 409


def test_one_occurrence_is_edited_alone(in_january: Lobby) -> None:
    series_id = create(in_january)
    first, *_ = occurrences(in_january, series_id)
    path = f"/api/v1/tournaments/{first['tournament_id']}"
    moved = in_january.organiser.patch(path, {"starts_at": "2027-01-04T03:00:00Z"}, headers={"If-Match": "*"})
    assert moved.status_code == 200, moved.json
    assert starts(occurrences(in_january, series_id)[:2]) == ["2027-01-04T03:00Z", "2027-01-11T01:00Z"]
    tick(in_january)
    assert len([r for r in occurrences(in_january, series_id) if r["state"] == "made"]) == 2


def test_a_changed_series_holds_for_what_is_not_made_yet(in_january: Lobby) -> None:
    series_id = create(in_january)
    path = f"/api/v1/series/{series_id}"
    etag = in_january.anonymous.get(path).headers["ETag"]
    changes = {"name": "Sunday late", "tournament": {"capacity": 8}}
    assert in_january.organiser.patch(path, changes).status_code == 428
    assert in_january.organiser.patch(path, changes, headers={"If-Match": etag}).status_code == 200
    assert in_january.organiser.patch(path, changes, headers={"If-Match": etag}).status_code == 412
    at(in_january, "2027-01-10T12:00:00")
    tick(in_january)
    first, second, *_ = (r for r in occurrences(in_january, series_id) if r["state"] == "made")
    assert (in_january.see(first["tournament_id"])["name"], in_january.see(second["tournament_id"])["name"]) == (
        "Sunday night", "Sunday late",
    )  # fmt: skip
    later = in_january.see(second["tournament_id"])
    assert (later["capacity"], later["rules"]["target"]) == (8, 50)


def change(lobby: Lobby, series_id: str, **changes: Any) -> None:
    answer = lobby.organiser.patch(f"/api/v1/series/{series_id}", changes, headers={"If-Match": "*"})
    assert answer.status_code == 200, answer.json


def test_made_tournaments_move_with_the_hour_of_their_series(in_january: Lobby) -> None:
    series_id = create(in_january)
    first, second, *_ = occurrences(in_january, series_id)
    change(in_january, series_id, first_at="2027-01-03T18:30:00")
    rows = occurrences(in_january, series_id)
    assert starts(rows[:3]) == ["2027-01-03T23:30Z", "2027-01-10T23:30Z", "2027-01-17T23:30Z"]
    assert [row["tournament_id"] for row in rows[:3]] == [first["tournament_id"], second["tournament_id"], None]
    assert [row["key"] for row in rows[:2]] == ["2027-01-03T18:30:00", "2027-01-10T18:30:00"]
    (told,) = in_january.see(first["tournament_id"], "/log?what=edited")["entries"]
    assert told["reason"] == "the times of the series have changed"
    at(in_january, "2027-01-10T12:00:00")
    tick(in_january)
    assert len({row["starts_at"] for row in occurrences(in_january, series_id)}) == len(rows)


def test_made_tournaments_move_with_the_zone_of_their_series(in_january: Lobby) -> None:
    series_id = create(in_january)
    change(in_january, series_id, zone="Europe/London")
    rows = occurrences(in_january, series_id)
    assert starts(rows[:2]) == ["2027-01-03T20:00Z", "2027-01-10T20:00Z"]
    assert [row["state"] for row in rows[:3]] == ["made", "made", "planned"]


def test_what_stays_when_the_times_of_a_series_change(in_january: Lobby) -> None:
    series_id = create(in_january)
    first, second, *_ = occurrences(in_january, series_id)
    alone = {"starts_at": "2027-01-04T03:00:00Z"}
    path = f"/api/v1/tournaments/{first['tournament_id']}"
    assert in_january.organiser.patch(path, alone, headers={"If-Match": "*"}).status_code == 200
    change(in_january, series_id, rule="FREQ=WEEKLY;BYDAY=MO", first_at="2027-01-04T20:00:00")
    made = [row for row in occurrences(in_january, series_id) if row["state"] == "made"]
    kept = {row["tournament_id"]: row["key"] for row in made}
    assert (kept[first["tournament_id"]], kept[second["tournament_id"]]) == (first["key"], second["key"])
    assert starts(made) == ["2027-01-04T03:00Z", "2027-01-05T01:00Z", "2027-01-11T01:00Z", "2027-01-12T01:00Z"]


def test_an_ended_series_makes_nothing_more(in_january: Lobby) -> None:
    series_id = create(in_january)
    assert in_january.organiser.post(f"/api/v1/series/{series_id}/end").json["state"] == "ended"
    assert in_january.organiser.post(f"/api/v1/series/{series_id}/end").status_code == 409
    at(in_january, "2027-02-10T12:00:00")
    tick(in_january)
    rows = occurrences(in_january, series_id, since="2027-01-01T00:00:00Z", until="2027-03-01T00:00:00Z")
    assert [row["state"] for row in rows] == ["made", "made"]


def test_what_was_slept_through_before_it_was_made_is_missed_and_never_made(in_january: Lobby) -> None:
    series_id = create(in_january)
    at(in_january, "2027-02-20T12:00:00")
    tick(in_january)
    tick(in_january)
    rows = occurrences(in_january, series_id, since="2027-01-01T00:00:00Z", until="2027-03-14T00:00:00Z")
    states = [row["state"] for row in rows]
    assert states == ["made"] * 2 + ["missed"] * 5 + ["made"] * 2 + ["planned"]
    assert len({row["key"] for row in rows}) == len(rows)


def test_of_several_slept_through_only_the_latest_starts_late(in_january: Lobby) -> None:
    template = {"rounds": 1, "late_start_grace_minutes": 180}
    series_id = create(
        in_january, rule="FREQ=DAILY;BYHOUR=18,19,20;COUNT=3", first_at="2027-01-03T18:00:00", tournament=template
    )
    made = [row["tournament_id"] for row in occurrences(in_january, series_id)][:3]
    for tournament_id in made:
        for name in ("One", "Two"):
            in_january.enter(tournament_id, in_january.bot(name))
    at(in_january, "2027-01-04T01:30:00")
    advance_due(in_january.service)
    first, second, third = (in_january.see(tournament_id) for tournament_id in made)
    assert (first["state"], second["state"], third["state"]) == ("cancelled", "cancelled", "running")
    assert first["ended_because"] == "missed: a later one of its series starts instead"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"rule": "FREQ=SECONDLY"}, "rule"),
        ({"rule": "FREQ=WEEKLY;BYDAY=XX"}, "rule"),
        ({"rule": "FREQ=MONTHLY;BYDAY=9SU"}, "rule"),
        ({"rule": "FREQ=WEEKLY;UNTIL=00010101T000000Z"}, "rule"),
        ({"rule": "FREQ=DAILY;BYHOUR=0,1,2,3,4,5;BYMINUTE=0,10,20,30,40"}, "rule"),
        ({"rule": "FREQ=YEARLY;UNTIL=20270102"}, "rule"),
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"first_at": "2027-01-03T20:00:00Z"}, "first_at"),
        ({"first_at": "tomorrow"}, "first_at"),
        ({"gap": "never"}, "gap"),
        ({"ahead_days": 0}, "ahead_days"),
        ({"tournament": {"rounds": 0}}, "tournament.rounds"),
        ({"tournament": {"rounds": 3, "starts_at": "2027-01-03T20:00:00Z"}}, "tournament.starts_at"),
        ({"tournament": {"rounds": 3, "capacity": 2, "minimum_entrants": 4}}, "tournament.capacity"),
        ({"tournament": {"rounds": 3, "rules": {"preset": "none"}}}, "tournament.rules.preset"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_by_name(in_january: Lobby, changes: dict[str, Any], field: str) -> None:
    answer = in_january.organiser.post("/api/v1/series", WEEKLY | changes)
    assert answer.status_code == 422, answer.json
    assert [error["field"] for error in answer.json["errors"]] == [field]
    assert in_january.anonymous.get("/api/v1/series").json["series"] == []


def test_only_its_organiser_changes_a_series(in_january: Lobby) -> None:
    series_id = create(in_january)
    key = occurrences(in_january, series_id)[0]["key"]
    stranger, _ = in_january.sign_up("Stranger")
    path = f"/api/v1/series/{series_id}"
    assert stranger.patch(path, {"name": "Mine"}, headers={"If-Match": "*"}).status_code == 403
    assert stranger.post(f"{path}/end").status_code == 403
    assert stranger.post(f"{path}/occurrences/{key}/skip", {"reason": "No"}).status_code == 403
    assert stranger.delete(f"{path}/occurrences/{key}/skip").status_code == 403
    assert (
        in_january.organiser.post(f"{path}/occurrences/2027-01-05T20:00:00/skip", {"reason": "No"}).status_code == 404
    )
    assert in_january.organiser.post(f"{path}/occurrences/never/skip", {"reason": "No"}).status_code == 404
    assert in_january.anonymous.get("/api/v1/series/nothing").status_code == 404


def test_invitation_code_of_a_series_is_not_told(in_january: Lobby) -> None:
    template = {**WEEKLY["tournament"], "invitation_code": "open sesame"}  # type: ignore[dict-item]
    series_id = create(in_january, tournament=template)
    assert "sesame" not in in_january.anonymous.get(f"/api/v1/series/{series_id}").text


def test_calendar_has_one_event_for_each_occurrence_and_keeps_its_name(in_january: Lobby) -> None:
    series_id = create(in_january)
    one_off = in_january.tournament(name="One night, only; really")

    def events(path: str) -> dict[str, Any]:
        answer = in_january.anonymous.get(path)
        assert answer.headers["Content-Type"].startswith("text/calendar")
        calendar = icalendar.Calendar.from_ical(answer.data)
        return {str(event["UID"]): event for event in calendar.walk("VEVENT")}

    before = events(f"/api/v1/series/{series_id}/calendar.ics")
    first, third = f"{series_id}-2027-01-03T20:00:00@ginhall", f"{series_id}-2027-01-17T20:00:00@ginhall"
    assert before[first]["DTSTART"].dt == datetime(2027, 1, 4, 1, tzinfo=UTC)
    assert (before[first]["STATUS"], before[third]["STATUS"]) == ("CONFIRMED", "TENTATIVE")
    key = "2027-01-03T20:00:00"
    in_january.organiser.post(f"/api/v1/series/{series_id}/occurrences/{key}/skip", {"reason": "Frost"})
    at(in_january, "2027-01-10T12:00:00")
    tick(in_january)
    after = events(f"/api/v1/series/{series_id}/calendar.ics")
    assert (after[first]["STATUS"], after[third]["STATUS"]) == ("CANCELLED", "CONFIRMED")
    assert after[first]["DESCRIPTION"] == "Frost"
    everything = events("/api/v1/calendar.ics")
    assert everything.keys() >= after.keys() | {f"{one_off}@ginhall"}
    assert everything[f"{one_off}@ginhall"]["SUMMARY"] == "One night, only; really"


def test_calendar_answers_304_as_long_as_nothing_changes(in_january: Lobby) -> None:
    create(in_january)
    answer = in_january.anonymous.get("/api/v1/calendar.ics")
    again = in_january.anonymous.get("/api/v1/calendar.ics", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_pages_show_what_is_ahead(in_january: Lobby) -> None:
    series_id = create(in_january)
    in_january.tournament(name="One <b>night</b>")
    page = in_january.anonymous.get("/calendar").text
    assert "Sunday night" in page
    assert "Monday, 4 January 2027" in page
    assert "One &lt;b&gt;night&lt;/b&gt;" in page
    page = in_january.anonymous.get(f"/series/{series_id}").text
    assert "every Sunday" in page
    assert in_january.anonymous.get("/series/nothing").status_code == 404
