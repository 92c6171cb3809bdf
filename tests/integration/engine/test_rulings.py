"""Arbiters rule by API: each ruling is one more event, and the record proves it."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from gin_engine.store import states
from gin_messages.match import ArbitersNamed, SeatPlan
from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.integration.engine.house import House, bot, person


@pytest.fixture
def duel(house: House) -> str:
    """A match of a tournament whose arbiter is `judge`."""
    return house.open(
        person("ann"), person("bob"), rules={"fixed_hands": 3}, tournament_id="t1", arbiters=["judge", "bob"]
    )


def rule(house: House, match_id: str, body: dict[str, Any], account: str = "judge", **token: Any) -> Any:
    token = {"scopes": ("tournament:write",)} | token
    return house.ask("POST", f"/matches/{match_id}/rulings", account, body, **token)


def play(house: House, match_id: str, rng: random.Random, until_hand: int = 1000) -> None:
    """People play random actions until the hand of this number is dealt, or to the end."""
    while True:
        shown = house.get(f"/{match_id}").json
        if shown["state"] != "playing" or shown["view"]["hand_number"] >= until_hand:
            return
        account = shown["seats"][shown["to_act"]]["player_id"]
        seat = house.seat(match_id, account)
        answer = house.act(match_id, account, rng.choice(seat["legal_actions"]), seat["action_count"])
        assert answer.status_code == 200, answer.text


def act_once(house: House, match_id: str) -> None:
    shown = house.get(f"/{match_id}").json
    account = shown["seats"][shown["to_act"]]["player_id"]
    seat = house.seat(match_id, account)
    assert house.act(match_id, account, seat["legal_actions"][-1], seat["action_count"]).status_code == 200


def proved(house: House, match_id: str) -> Any:
    """The record of the match, after checking it."""
    record = record_from_json(house.get(f"/{match_id}/record").json)
    assert verify(record) is None
    assert record.seal == house.get(f"/{match_id}/seal").json["seal"]
    return record


def test_a_misdeal_is_dealt_again(house: House, duel: str) -> None:
    before = house.seat(duel, "ann")["view"]["hand"]
    answer = rule(house, duel, {"kind": "redeal", "hand": 1, "reason": "a card was exposed"})
    assert answer.status_code == 201
    assert answer.json["arbiter_id"] == "judge"
    after = house.seat(duel, "ann")
    assert after["view"]["hand"] != before
    play(house, duel, random.Random(1))
    record = proved(house, duel)
    assert [entry.ruling.kind for entry in record.rulings] == ["redeal"]
    assert len(record.decks) == 4


def test_arbiters_who_are_named_later_may_rule_and_who_is_dismissed_may_no_more(house: House, duel: str) -> None:
    now = house.clock()
    house.receive(ArbitersNamed("t1", ["late"], now))
    house.receive(ArbitersNamed("t1", ["judge"], now - timedelta(seconds=1)))  # overtaken on the way
    later = house.open(person("ann"), person("bob"), tournament_id="t1", arbiters=["judge"])
    for match_id in (duel, later):
        for account, status in (("judge", 403), ("late", 201)):
            assert rule(house, match_id, {"kind": "redeal", "hand": 1}, account).status_code == status
            page = house.client.get(f"/tables/{match_id}/arbiter", headers=house.token(account, ["tournament:write"]))
            assert page.status_code == {403: 403, 201: 200}[status]


@pytest.mark.parametrize("plays", ["simple", None])
def test_nobody_rules_on_a_match_of_a_bot_of_theirs(house: House, plays: str | None) -> None:
    robin = SeatPlan("robin", "Robin", plays, owner_id="judge")
    match_id = house.open(robin, person("bob"), tournament_id="t1", arbiters=["judge", "chief"])
    refused = rule(house, match_id, {"kind": "redeal", "hand": 1})
    assert (refused.status_code, refused.json["type"]) == (403, "urn:ginhall:problem:not-the-arbiter")
    assert declare(house, match_id, {"seat": 1, "reason": "late"}).status_code == 403
    assert rule(house, match_id, {"kind": "redeal", "hand": 1}, administrator=True).status_code == 403
    assert rule(house, match_id, {"kind": "redeal", "hand": 1}, "chief").status_code == 201
    rowan = SeatPlan("rowan", "Rowan", None, owner_id="judge")
    among_themselves = house.open(robin, rowan, tournament_id="t1", arbiters=["judge"])
    assert rule(house, among_themselves, {"kind": "void_hand", "hand": 1, "reason": "torn"}).status_code == 201


def test_who_decided_before_a_ruling_does_not_act_after_it(house: House, duel: str) -> None:
    shown = house.get(f"/{duel}").json
    account = shown["seats"][shown["to_act"]]["player_id"]
    seat = house.seat(duel, account)
    rule(house, duel, {"kind": "redeal", "hand": 1})
    stale = house.act(duel, account, seat["legal_actions"][0], seat["action_count"])
    assert stale.status_code == 409
    assert stale.json["type"] == "urn:ginhall:problem:stale-action-count"
    assert house.seat(duel, account)["action_count"] == seat["action_count"] + 1


def test_the_score_of_a_hand_is_corrected_and_the_match_goes_on_with_it(house: House, duel: str) -> None:
    play(house, duel, random.Random(2), until_hand=2)
    answer = rule(house, duel, {"kind": "correct", "hand": 1, "points": [77, 0], "reason": "counted wrong"})
    assert answer.status_code == 201, answer.text
    assert answer.json["totals"] == [77, 0]
    assert house.seat(duel, "ann")["view"]["totals"] == [77, 0]
    listed = house.get(f"/{duel}/rulings").json["rulings"]
    assert listed == [answer.json]
    play(house, duel, random.Random(3))
    record = proved(house, duel)
    assert record.outcome is not None
    assert record.outcome.totals[0] >= 77
    (told,) = house.told(duel)
    assert [seat["score"] for seat in told["seats"]] == list(record.outcome.final_scores)


def test_a_hand_is_voided_with_a_reason(house: House, duel: str) -> None:
    act_once(house, duel)
    refused = rule(house, duel, {"kind": "void_hand", "hand": 1})
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:ruling-refused"
    assert rule(house, duel, {"kind": "void_hand", "hand": 1, "reason": "cards fell"}).status_code == 201
    assert house.get(f"/{duel}").json["view"]["hand_number"] == 2
    play(house, duel, random.Random(4))
    assert proved(house, duel).scores[0].ended == "void"


def test_a_correction_that_reaches_the_target_ends_the_match(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), rules={"target": 500}, arbiters=["judge"])
    play(house, match_id, random.Random(5), until_hand=2)
    rule(house, match_id, {"kind": "correct", "hand": 1, "points": [0, 500], "reason": "all of it"})
    (told,) = house.told(match_id)
    assert (told["ending"], [seat["place"] for seat in told["seats"]]) == ("played", [2, 1])
    proved(house, match_id)


def test_a_state_built_anew_has_the_rulings_in_their_places(
    house: House, duel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    act_once(house, duel)
    rule(house, duel, {"kind": "void_hand", "hand": 1, "reason": "cards fell"})
    rule(house, duel, {"kind": "redeal", "hand": 2})
    act_once(house, duel)
    rule(house, duel, {"kind": "correct", "hand": 1, "points": [5, 0], "reason": "agreed"})
    kept = [house.seat(duel, account) for account in ("ann", "bob")]
    monkeypatch.setattr(states, "_kept", states.KeptStates(4))
    assert [house.seat(duel, account) for account in ("ann", "bob")] == kept


def test_bots_go_on_after_a_ruling(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"), rules={"fixed_hands": 2}, first_dealer=0, arbiters=["judge"])
    house.play()
    voided = house.seat(match_id, "ann")["view"]["hand_number"]  # once in a while robin knocks before ann has played
    rule(house, match_id, {"kind": "void_hand", "hand": voided, "reason": "cards fell"})
    house.play()
    assert house.seat(match_id, "ann")["view"]["hand_number"] > voided
    assert house.seat(match_id, "ann")["to_act"] == 0


@pytest.mark.parametrize("account", ["eve", "ann", "bob", "organiser-of-another"])
def test_strangers_players_and_other_organisers_may_not_rule(house: House, duel: str, account: str) -> None:
    """Bob is an arbiter of the tournament, and plays in this match."""
    house.open(person("cid"), person("dan"), tournament_id="t2", arbiters=["organiser-of-another"])
    refused = rule(house, duel, {"kind": "redeal", "hand": 1}, account)
    assert refused.status_code == 403
    assert refused.json["type"] == "urn:ginhall:problem:not-the-arbiter"
    assert house.get(f"/{duel}/rulings").json == {"rulings": []}


def test_an_administrator_may_rule(house: House, duel: str) -> None:
    assert rule(house, duel, {"kind": "redeal", "hand": 1}, "root", administrator=True).status_code == 201


def test_a_ruling_needs_the_right_scope(house: House, duel: str) -> None:
    assert rule(house, duel, {"kind": "redeal", "hand": 1}, scopes=("play",)).status_code == 403
    assert house.ask("POST", f"/matches/{duel}/rulings", None, {}).status_code == 401
    assert rule(house, "nothing", {"kind": "redeal", "hand": 1}).status_code == 404


def test_nobody_rules_on_a_match_that_is_over(house: House, duel: str) -> None:
    house.cancel(duel)
    assert rule(house, duel, {"kind": "redeal", "hand": 1}).status_code == 409


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "kind"),
        ({"kind": "void_match", "hand": 1}, "kind"),
        ({"kind": "redeal"}, "hand"),
        ({"kind": "redeal", "hand": 0}, "hand"),
        ({"kind": "redeal", "hand": "1"}, "hand"),
        ({"kind": "correct", "hand": 1, "points": [1]}, "points"),
        ({"kind": "correct", "hand": 1, "points": [10**9, 0]}, "points.0"),
        ({"kind": "redeal", "hand": 1, "reason": "x" * 501}, "reason"),
        ({"kind": "redeal", "hand": 1, "arbiter": "me"}, "arbiter"),
    ],
)
def test_a_malformed_ruling_is_refused_by_field(house: House, duel: str, body: dict[str, Any], field: str) -> None:
    refused = rule(house, duel, body)
    assert refused.status_code == 422, refused.text
    assert field in {error["field"] for error in refused.json["errors"]}
    assert house.stored(duel)["ruling_count"] == 0


def test_a_ruling_that_the_rules_refuse_changes_nothing(house: House, duel: str) -> None:
    act_once(house, duel)
    for body in [
        {"kind": "redeal", "hand": 1},
        {"kind": "correct", "hand": 1, "points": [1, 0]},
        {"kind": "void_hand", "hand": 7, "reason": "which?"},
    ]:
        assert rule(house, duel, body).status_code == 409
    assert house.stored(duel)["ruling_count"] == 0


def test_rulings_are_never_edited(house: House, duel: str) -> None:
    rule(house, duel, {"kind": "redeal", "hand": 1})
    for statement in ("UPDATE rulings SET hand = 2", "DELETE FROM rulings"):
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"), house.service.transaction() as tx:
            tx.execute(statement)  # type: ignore[arg-type]  # one of the two above


def declare(house: House, match_id: str, body: dict[str, Any], account: str = "judge") -> Any:
    return house.ask("POST", f"/matches/{match_id}/forfeits", account, body, scopes=("tournament:write",))


def test_an_arbiter_declares_a_match_lost(house: House, duel: str) -> None:
    act_once(house, duel)
    answer = declare(house, duel, {"seat": 1, "reason": "bob had a second phone"})
    assert (answer.status_code, answer.json["ending"], answer.json["places"]) == (200, "forfeit", [1, 2])
    shown = house.get(f"/{duel}").json
    assert (shown["state"], shown["reason"]) == ("finished", "declared lost by an arbiter: bob had a second phone")
    assert [(seat["player_id"], seat["place"]) for seat in house.told(duel)[0]["seats"]] == [("ann", 1), ("bob", 2)]
    proved(house, duel)
    again = declare(house, duel, {"seat": 0, "reason": "ann too"})
    assert (again.status_code, again.json["type"]) == (409, "urn:ginhall:problem:match-is-over")


def test_a_match_is_declared_lost_by_its_arbiters_alone_and_for_a_seat_that_it_has(house: House, duel: str) -> None:
    body = {"seat": 0, "reason": "late"}
    assert [declare(house, duel, body, who).status_code for who in ("ann", "bob", "eve")] == [403] * 3
    for wrong in ({"seat": 2}, {"seat": 9}, {"seat": True}, {"seat": "0"}, {"reason": ""}, {"reason": "x" * 501}):
        assert declare(house, duel, body | wrong).status_code == 422, wrong
    assert declare(house, "no-such-match", body).status_code == 404
    assert house.get(f"/{duel}").json["state"] == "playing"
    assert house.told(duel) == []
