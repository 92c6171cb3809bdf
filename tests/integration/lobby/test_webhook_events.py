"""What webhooks are told: every event of the documentation, when it is true, and only to those who may see it."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import jsonschema_rs
import pytest

from gin_lobby.domain.webhooks import CHOOSABLE, EVENTS, EventType
from gin_lobby.tasks import advance_due, follow_players, keep_presence
from gin_lobby.use_cases import results
from gin_lobby.use_cases.tournaments import cancel_tournament
from gin_messages.ratings import RatingChange, RatingsUpdated
from gin_servicekit.auth import Caller
from gin_servicekit.database import parse_id
from tests.integration.lobby.browsing import PASSWORD
from tests.integration.lobby.conftest import Lobby
from tests.integration.lobby.correcting import FIRST, SECOND, correct, wish
from tests.integration.lobby.hooking import Hooks, hooks
from tests.support.services import Api

__all__ = ["hooks"]  # the fixture
MATCH = "01990000-0000-7000-8000-000000000009"


def at(tournament_id: str, what: str = "") -> str:
    return f"/api/v1/tournaments/{tournament_id}{what}"


def draft(lobby: Lobby, who: Api, **more: Any) -> str:
    starts_at = (lobby.clock() + timedelta(hours=1)).isoformat()
    body = {"name": "Draft", "rounds": 3, "starts_at": starts_at, "draft": True, **more}
    tournament_id: str = who.post("/api/v1/tournaments", body).json["tournament_id"]
    return tournament_id


def sent(hooks: Hooks) -> None:
    """After a moment, in which what is coalesced comes together."""
    hooks.lobby.clock.move(seconds=5)
    hooks.send()


def rated(hooks: Hooks, player_id: str) -> None:
    with hooks.lobby.service.transaction() as tx:
        change = RatingChange(MATCH, player_id, "rummy/open", 1500.0, 1510.0, 1, 1.0, 1)
        results.copy_ratings(tx, [RatingsUpdated([change])])


def cancel_and_fail(hooks: Hooks, tournament_id: str) -> None:
    caller = Caller(hooks.lobby.organiser_id, frozenset(), administrator=False, token_id="")
    with hooks.lobby.service.transaction() as tx:
        cancel_tournament(tx, caller, parse_id(tournament_id), "a mistake")
        raise ZeroDivisionError


def course_of_a_tournament(hooks: Hooks) -> Iterator[str]:
    """All that can happen to a tournament, and to one that is cancelled; tells which events must have come by now."""
    lobby, organiser = hooks.lobby, hooks.lobby.organiser
    tournament_id = lobby.tournament(format={"kind": "double_elimination"}, check_in_minutes=30)
    yield EventType.TOURNAMENT_ANNOUNCED
    yield EventType.REGISTRATION_OPENED
    read = organiser.get(at(tournament_id))
    assert (
        organiser.patch(at(tournament_id), {"name": "Saturday"}, headers={"If-Match": read.headers["ETag"]}).status_code
        == 200
    )
    yield EventType.TOURNAMENT_CHANGED
    lobby.enter(tournament_id, lobby.organiser_id)
    for number in range(3):
        lobby.enter(tournament_id, lobby.bot(f"Bot {number}"))
    yield EventType.ENTRANTS_CHANGED
    lobby.clock.move(minutes=31)
    advance_due(lobby.service)
    yield EventType.CHECK_IN_OPENED
    organiser.post(at(tournament_id, f"/entrants/{lobby.organiser_id}/check-in"))
    lobby.start(tournament_id)
    yield EventType.TOURNAMENT_STARTED
    yield EventType.ROUND_PAIRED
    yield EventType.MATCH_OPENED
    yield EventType.MATCH_WAITING
    yield EventType.STANDINGS_CHANGED
    assert organiser.post(at(tournament_id, "/pause"), {"reason": "fire alarm"}).status_code == 200
    yield EventType.TOURNAMENT_PAUSED
    assert organiser.delete(at(tournament_id, "/pause")).status_code == 200
    yield EventType.TOURNAMENT_RESUMED
    lobby.play_out(tournament_id, lobby.seeds(tournament_id))
    yield EventType.MATCH_FINISHED
    yield EventType.ROUND_FINISHED
    yield EventType.TOURNAMENT_FINISHED
    final = lobby.see(tournament_id, "/pairings")["pairings"][-1]
    upset = SECOND if final["first_id"] == lobby.seeds(tournament_id)[0] else FIRST
    assert correct(lobby, tournament_id, wish(final["slot"], upset))["reopens"]
    yield EventType.RESULT_CORRECTED
    yield EventType.TOURNAMENT_REOPENED
    other = lobby.with_bots(4)
    lobby.start(other)
    assert organiser.post(at(other, "/cancellation"), {"reason": "no light"}).status_code == 200
    yield EventType.TOURNAMENT_CANCELLED
    yield EventType.MATCH_CANCELLED
    rated(hooks, lobby.organiser_id)
    yield EventType.RATING_CHANGED


def test_every_event_of_the_documentation_is_told_in_the_course_of_a_tournament_as_it_says(hooks: Hooks) -> None:
    hooks.make()
    expected = set()
    for event in course_of_a_tournament(hooks):
        expected.add(event)
        sent(hooks)
        assert event in hooks.types(), f"{event} is told when it is true"
    assert hooks.types() == expected == set(CHOOSABLE)
    document = hooks.lobby.anonymous.get("/api/v1/openapi/lobby.json").json["webhooks"]
    for told in hooks.told():
        kind = EVENTS[EventType(told["type"])]
        assert set(told["data"]) == {*kind.fields, "urls"}
        assert set(told["data"]["urls"]) == set(kind.urls)
        content = document[told["type"]]["post"]["requestBody"]["content"]
        jsonschema_rs.validate(content["application/json"]["schema"], told)
    assert len(set(hooks.there.ids())) == len(hooks.there.received), "each once"


def test_the_addresses_in_an_event_lead_to_what_it_is_about(hooks: Hooks) -> None:
    hooks.make()
    tournament_id = hooks.lobby.with_bots(4)
    hooks.lobby.start(tournament_id)
    sent(hooks)
    followed = {
        url
        for told in hooks.told()
        for name, url in told["data"]["urls"].items()
        if name in ("tournament", "entrants", "pairings", "standings")
    }
    assert len(followed) >= 4
    for url in followed:
        assert hooks.lobby.anonymous.get(url.removeprefix("http://localhost")).status_code == 200, url


def test_nothing_is_told_of_what_was_taken_back_with_its_transaction(hooks: Hooks) -> None:
    hooks.make()
    tournament_id = hooks.lobby.tournament()
    sent(hooks)
    before = len(hooks.there.received)
    with pytest.raises(ZeroDivisionError):
        cancel_and_fail(hooks, tournament_id)
    sent(hooks)
    assert len(hooks.there.received) == before
    assert hooks.lobby.organiser.post(at(tournament_id, "/cancellation"), {"reason": "really"}).status_code == 200
    sent(hooks)
    assert "tournament.cancelled" in hooks.types()


def test_a_draft_is_told_to_its_organiser_alone(hooks: Hooks) -> None:
    lobby = hooks.lobby
    ada, _ = lobby.sign_up("Ada")
    hooks.make(ada)
    own = hooks.make()
    tournament_id = draft(lobby, lobby.organiser)
    assert lobby.organiser.patch(at(tournament_id), {"name": "Other"}, headers={"If-Match": "*"}).status_code == 200
    sent(hooks)
    assert [told["type"] for told in hooks.told()] == ["tournament.changed"]
    assert len(hooks.deliveries(own)) == 1
    announced = lobby.organiser.post(at(tournament_id, "/publication"))
    assert announced.status_code == 200
    sent(hooks)
    assert [told["type"] for told in hooks.told()[1:]] == ["tournament.announced"] * 2


def test_who_may_not_see_it_any_more_when_it_is_sent_is_not_told(hooks: Hooks) -> None:
    lobby = hooks.lobby
    ada, ada_id = lobby.sign_up("Ada")
    made = hooks.make(ada)
    tournament_id = draft(lobby, lobby.organiser)
    with lobby.service.transaction() as tx:
        tx.execute("UPDATE accounts SET administrator = true WHERE account_id = %s", (ada_id,))
    lobby.organiser.patch(at(tournament_id), {"name": "Other"}, headers={"If-Match": "*"})
    hooks.spread()
    with lobby.service.transaction() as tx:
        tx.execute("UPDATE accounts SET administrator = false WHERE account_id = %s", (ada_id,))
    assert hooks.send() == 0
    assert hooks.there.received == []
    (delivery,) = ada.get(f"/api/v1/webhooks/{made['webhook_id']}/deliveries").json["deliveries"]
    assert delivery["state"] == "withheld"


def test_standings_that_change_often_are_told_once(hooks: Hooks) -> None:
    hooks.make(events=["standings.changed"])
    tournament_id = hooks.lobby.with_bots(4)
    hooks.lobby.start(tournament_id)
    hooks.lobby.play_round(tournament_id)
    assert hooks.send() == 0, "not before it has come together"
    sent(hooks)
    (told,) = hooks.told()
    assert told["data"]["round"] == 2, "as it was at last"
    hooks.lobby.play_round(tournament_id)
    sent(hooks)
    assert len(hooks.told()) == 2


def test_a_webhook_hears_of_the_tournaments_that_it_was_made_for_alone(hooks: Hooks) -> None:
    lobby = hooks.lobby
    ada, ada_id = lobby.sign_up("Ada")
    starts = lobby.clock() + timedelta(days=1)
    plan = {"name": "Weekly", "rule": "FREQ=WEEKLY", "first_at": starts.strftime("%Y-%m-%dT%H:%M:%S"), "zone": "UTC"}
    series = lobby.organiser.post("/api/v1/series", plan | {"tournament": {"rounds": 3}})
    assert series.status_code == 201, series.json
    one, played, neither = lobby.tournament(), lobby.tournament(), lobby.tournament()
    occurrences = lobby.anonymous.get(f"/api/v1/series/{series.json['series_id']}/occurrences").json["occurrences"]
    of_series = next(o["tournament_id"] for o in occurrences if o["tournament_id"])
    ada.post(at(played, "/entrants"), {"player_id": ada_id})
    heard = {}
    for name, narrowed in {
        one: {"tournament_id": one},
        of_series: {"series_id": series.json["series_id"]},
        played: {"mine": True},
    }.items():
        heard[hooks.make(ada, ["tournament.changed"], **narrowed)["webhook_id"]] = name
    for tournament_id in (one, played, neither, of_series):
        changed = lobby.organiser.patch(at(tournament_id), {"name": "Other"}, headers={"If-Match": "*"})
        assert changed.status_code == 200, changed.json
    sent(hooks)
    for webhook_id, name in heard.items():
        found = ada.get(f"/api/v1/webhooks/{webhook_id}/deliveries").json["deliveries"]
        bodies = [ada.get(f"/api/v1/webhooks/{webhook_id}/deliveries/{d['event_id']}").json["body"] for d in found]
        assert [body["data"]["tournament_id"] for body in bodies] == [name]


def test_matches_and_ratings_are_told_to_whose_they_are_and_no_other(hooks: Hooks) -> None:
    lobby = hooks.lobby
    ada, ada_id = lobby.sign_up("Ada")
    bob, _ = lobby.sign_up("Bob")
    personal = ["match.waiting", "rating.changed"]
    hooks.make(ada, personal)
    hooks.make(bob, personal)
    robbie = ada.post("/api/v1/players", {"name": "Robbie", "kind": "bot"}).json["player_id"]
    house_bot = ada.post("/api/v1/players", {"name": "Simon", "kind": "bot", "bot": "simple"}).json["player_id"]
    tournament_id = lobby.tournament()
    for player_id in (ada_id, robbie, house_bot):
        ada.post(at(tournament_id, "/entrants"), {"player_id": player_id})
    lobby.enter(tournament_id, lobby.bot("Other"))
    lobby.start(tournament_id)
    rated(hooks, house_bot)
    sent(hooks)
    told = sorted((t["type"], t["data"]["player_id"]) for t in hooks.told())
    assert told == sorted([("match.waiting", ada_id), ("match.waiting", robbie), ("rating.changed", house_bot)])
    waiting = next(t["data"] for t in hooks.told() if t["type"] == "match.waiting")
    assert waiting["deadline_at"] is not None
    assert waiting["urls"]["seat"].endswith(f"/matches/{waiting['match_id']}/seat")


def test_that_somebody_deleted_their_account_is_told_of_the_tournaments_that_they_left(hooks: Hooks) -> None:
    lobby = hooks.lobby
    ada, ada_id = lobby.sign_up("Ada")
    tournament_id = lobby.tournament()
    ada.post(at(tournament_id, "/entrants"), {"player_id": ada_id})
    hooks.make(events=["entrants.changed"])
    assert ada.post("/api/v1/accounts/me/deletion", {"password": PASSWORD}).status_code == 200
    follow_players(lobby.service)
    sent(hooks)
    assert [told["data"]["tournament_id"] for told in hooks.told()] == [tournament_id]


def test_a_check_in_that_is_prolonged_is_told(hooks: Hooks) -> None:
    lobby = hooks.lobby
    tournament_id = lobby.with_bots(2, check_in_minutes=30)
    keep_presence(lobby.service)
    lobby.clock.move(minutes=31)
    keep_presence(lobby.service)
    advance_due(lobby.service)
    hooks.make(events=["tournament.changed"])
    lobby.clock.move(minutes=10)
    keep_presence(lobby.service)
    sent(hooks)
    assert [told["data"]["tournament_id"] for told in hooks.told()] == [tournament_id]


def test_what_nobody_wants_to_know_is_not_kept(hooks: Hooks) -> None:
    hooks.lobby.with_bots(4)
    with hooks.lobby.service.transaction() as tx:
        assert tx.scalar("SELECT count(*) FROM webhook_events") == 0
    in_a_week = (hooks.lobby.clock() + timedelta(days=7)).isoformat()
    hooks.make(tournament_id=hooks.lobby.tournament(starts_at=in_a_week))
    other = hooks.lobby.with_bots(2)
    hooks.lobby.start(other)
    sent(hooks)
    with hooks.lobby.service.transaction() as tx:
        assert tx.scalar("SELECT count(*) FROM webhook_events") == 0
