"""Accounts, tokens and bots."""

import dataclasses
import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import redis

from gin_lobby.app import lobby_app
from gin_lobby.tasks import republish_revocations
from tests.integration.lobby.conftest import Lobby
from tests.support.services import Api, token_for

PERSON = {"name": "Ada", "password": "a long password"}


def test_a_name_can_be_taken_once_in_whatever_case(lobby: Lobby) -> None:
    assert lobby.anonymous.post("/api/v1/accounts", PERSON).status_code == 201
    again = lobby.anonymous.post("/api/v1/accounts", PERSON | {"name": "ADA"})
    assert again.status_code == 409
    assert again.json["type"] == "urn:ginhall:problem:name-taken"
    assert again.json["errors"][0]["field"] == "name"


def test_a_refused_sign_up_leaves_no_player(lobby: Lobby) -> None:
    before = len(lobby.anonymous.get("/api/v1/players").json["players"])
    lobby.anonymous.post("/api/v1/accounts", PERSON | {"name": "organiser"})
    assert len(lobby.anonymous.get("/api/v1/players").json["players"]) == before


def test_a_wrong_password_gets_no_token_and_does_not_tell_whether_the_name_exists(lobby: Lobby) -> None:
    wrong = lobby.anonymous.post("/api/v1/tokens", {"name": "Organiser", "password": "guess"})
    nobody = lobby.anonymous.post("/api/v1/tokens", {"name": "Nobody", "password": "guess"})
    assert wrong.status_code == nobody.status_code == 401
    assert wrong.json == nobody.json


def test_a_token_without_the_scope_is_refused(lobby: Lobby) -> None:
    lobby.anonymous.post("/api/v1/accounts", PERSON)
    token = lobby.anonymous.post("/api/v1/tokens", PERSON | {"scopes": ["play"]}).json["token"]
    answer = lobby.anonymous.as_(token).post("/api/v1/players", {"name": "B", "kind": "bot", "bot": "simple"})
    assert answer.status_code == 403
    assert "account" in answer.json["detail"]


def test_a_revoked_token_is_refused_and_the_others_stay_good(lobby: Lobby) -> None:
    lobby.anonymous.post("/api/v1/accounts", PERSON)
    first, second = (lobby.anonymous.post("/api/v1/tokens", PERSON).json for _ in range(2))
    ada = lobby.anonymous.as_(second["token"])
    assert ada.delete(f"/api/v1/tokens/{first['token_id']}").status_code == 204
    # A fresh process has nothing cached and must learn it from Redis.
    fresh = Api(lobby_app(lobby.service).test_client())
    assert fresh.as_(first["token"]).get("/api/v1/accounts/me").status_code == 401
    assert fresh.as_(second["token"]).get("/api/v1/accounts/me").json["name"] == "Ada"


def test_nobody_revokes_the_token_of_another(lobby: Lobby) -> None:
    lobby.anonymous.post("/api/v1/accounts", PERSON)
    token = lobby.anonymous.post("/api/v1/tokens", PERSON).json
    assert lobby.organiser.delete(f"/api/v1/tokens/{token['token_id']}").status_code == 404
    assert lobby.anonymous.as_(token["token"]).get("/api/v1/accounts/me").status_code == 200


def test_a_bot_belongs_to_whoever_made_it(lobby: Lobby) -> None:
    made = lobby.organiser.post("/api/v1/players", {"name": "Robbie", "kind": "bot", "bot": "simple"})
    assert made.status_code == 201
    seen = lobby.anonymous.get(f"/api/v1/players/{made.json['player_id']}").json
    assert (seen["owner_id"], seen["bot"], seen["kind"]) == (lobby.organiser_id, "simple", "bot")


def test_an_unknown_bot_is_refused_with_the_names_of_those_there_are(lobby: Lobby) -> None:
    answer = lobby.organiser.post("/api/v1/players", {"name": "R", "kind": "bot", "bot": "genius"})
    assert answer.status_code == 422
    assert answer.json["errors"][0]["field"] == "bot"
    assert "simple" in answer.json["detail"]


def test_players_come_in_pages_that_miss_nobody(lobby: Lobby) -> None:
    made = {lobby.bot(f"Bot {number}") for number in range(5)}
    seen: list[str] = []
    cursor = ""
    while True:
        page = lobby.anonymous.get(f"/api/v1/players?kind=bot&limit=2{cursor}").json
        seen += [player["player_id"] for player in page["players"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert len(seen) == 5
    assert set(seen) == made


def test_the_same_idempotency_key_makes_one_bot(lobby: Lobby) -> None:
    body = {"name": "Once", "kind": "bot", "bot": "simple"}
    first = lobby.organiser.post("/api/v1/players", body, headers={"Idempotency-Key": "k1"})
    second = lobby.organiser.post("/api/v1/players", body, headers={"Idempotency-Key": "k1"})
    assert second.json == first.json
    assert second.headers["Idempotent-Replayed"] == "true"
    other = lobby.organiser.post("/api/v1/players", body | {"name": "Twice"}, headers={"Idempotency-Key": "k1"})
    assert other.status_code == 422
    assert other.json["type"] == "urn:ginhall:problem:idempotency-key-reused"
    assert len(lobby.anonymous.get("/api/v1/players?kind=bot").json["players"]) == 1


def test_the_owner_of_a_bot_gets_a_token_that_plays_as_it_and_can_revoke_it(lobby: Lobby) -> None:
    own = lobby.organiser.post("/api/v1/players", {"name": "Mine", "kind": "bot"}).json["player_id"]
    ada, _ = lobby.sign_up("Ada")
    assert ada.post(f"/api/v1/players/{own}/tokens", {}).status_code == 403
    token = lobby.organiser.post(f"/api/v1/players/{own}/tokens", {}).json
    assert (token["account_id"], "account" in token["scopes"]) == (own, False)
    tournament_id = lobby.tournament()
    entered = lobby.anonymous.as_(token["token"]).post(
        f"/api/v1/tournaments/{tournament_id}/entrants", {"player_id": own}
    )
    assert entered.status_code == 201
    assert token["token_id"] in {t["token_id"] for t in lobby.organiser.get("/api/v1/tokens").json["tokens"]}
    assert lobby.organiser.delete(f"/api/v1/tokens/{token['token_id']}").status_code == 204


def test_a_built_in_bot_plays_by_itself_and_needs_no_token(lobby: Lobby) -> None:
    answer = lobby.organiser.post(f"/api/v1/players/{lobby.bot('Robbie')}/tokens", {})
    assert answer.status_code == 422
    assert lobby.organiser.post(f"/api/v1/players/{lobby.organiser_id}/tokens", {}).status_code == 404


def test_a_revocation_that_redis_lost_is_published_again_by_the_tick(lobby: Lobby) -> None:
    lobby.anonymous.post("/api/v1/accounts", PERSON)
    token = lobby.anonymous.post("/api/v1/tokens", PERSON).json
    lobby.anonymous.as_(token["token"]).delete(f"/api/v1/tokens/{token['token_id']}")
    with redis.Redis.from_url(lobby.service.settings.redis_url) as client:
        client.flushdb()
    republish_revocations(lobby.service)
    fresh = Api(lobby_app(lobby.service).test_client())
    assert fresh.as_(token["token"]).get("/api/v1/accounts/me").status_code == 401


def test_a_token_can_be_revoked_while_redis_is_away(lobby: Lobby) -> None:
    settings = dataclasses.replace(lobby.service.settings, redis_url="redis://127.0.0.1:1/0")
    cut_off = Api(lobby_app(dataclasses.replace(lobby.service, settings=settings)).test_client())
    cut_off.post("/api/v1/accounts", PERSON)
    token = cut_off.post("/api/v1/tokens", PERSON).json
    assert cut_off.as_(token["token"]).delete(f"/api/v1/tokens/{token['token_id']}").status_code == 204


def test_a_bots_token_and_one_of_an_account_that_is_gone_create_nothing(lobby: Lobby) -> None:
    own = lobby.organiser.post("/api/v1/players", {"name": "Mine", "kind": "bot"}).json["player_id"]
    bot = lobby.anonymous.as_(lobby.organiser.post(f"/api/v1/players/{own}/tokens", {}).json["token"])
    gone = lobby.anonymous.as_(token_for("01990000-0000-7000-8000-000000000001", now=lobby.clock()))
    plan = {"name": "Friday", "rounds": 3, "starts_at": (lobby.clock() + timedelta(hours=1)).isoformat()}
    for api in (bot, gone):
        assert api.post("/api/v1/tournaments", plan).status_code == 403
    assert gone.post("/api/v1/players", {"name": "B", "kind": "bot"}).json["type"] == "urn:ginhall:problem:no-account"


def test_two_strangers_may_choose_the_same_key_and_a_password_leaves_no_plain_trace(lobby: Lobby) -> None:
    same = {"Idempotency-Key": "1"}
    assert lobby.anonymous.post("/api/v1/accounts", PERSON, headers=same).status_code == 201
    other = lobby.anonymous.post("/api/v1/accounts", {"name": "Bob", "password": "another one"}, headers=same)
    assert other.status_code == 201
    again = lobby.anonymous.post("/api/v1/accounts", PERSON, headers=same)
    assert again.headers["Idempotent-Replayed"] == "true"
    body = json.dumps(PERSON).encode()
    guess = hashlib.sha256(b"\n".join((b"POST", b"/api/v1/accounts?", body))).hexdigest()
    with lobby.service.transaction() as tx:
        assert guess not in tx.scalars("SELECT fingerprint FROM idempotency_keys")


@pytest.mark.parametrize("name", ["ADA L", "Ａda L", "Ada  L", "Αdа L", "Ada I"], ids=ascii)
def test_a_name_that_looks_like_one_that_is_taken_is_taken(lobby: Lobby, name: str) -> None:
    lobby.sign_up("Ada l")
    answer = lobby.anonymous.post("/api/v1/accounts", PERSON | {"name": name})
    assert (answer.status_code, answer.json["errors"][0]["field"]) in [(409, "name"), (422, "name")]


def test_whoever_types_a_name_in_another_case_or_width_signs_in(lobby: Lobby) -> None:
    lobby.anonymous.post("/api/v1/accounts", PERSON | {"name": "Élodie"})
    for name in ("élodie", "ÉLODIE", "Ｅ\u0301lodie"):
        assert lobby.anonymous.post("/api/v1/tokens", PERSON | {"name": name}).status_code == 201


def test_accounts_from_before_names_were_compared_by_looks_keep_their_names_and_sign_in(lobby: Lobby) -> None:
    """The older of two that look alike has the looks to itself, the other is not locked out."""
    older, younger = PERSON | {"name": "Ada"}, {"name": "Bob", "password": "his own password"}
    for person in (older, younger):
        lobby.anonymous.post("/api/v1/accounts", person)
        lobby.clock.move(seconds=1)
    with lobby.service.transaction() as tx:
        tx.execute("DELETE FROM account_skeletons")
        tx.execute("UPDATE accounts SET name = 'Ａｄａ' WHERE name = 'Bob'")
    assert lobby.anonymous.post("/api/v1/accounts", PERSON | {"name": "ada"}).status_code == 409
    assert lobby.anonymous.post("/api/v1/accounts", PERSON | {"name": "Cleo"}).status_code == 201
    assert lobby.anonymous.post("/api/v1/tokens", older).status_code == 201
    assert lobby.anonymous.post("/api/v1/tokens", younger | {"name": "Ａｄａ"}).status_code == 201


def test_of_many_who_want_one_name_at_once_one_gets_it(lobby: Lobby) -> None:
    names = ["Ada", "ADA", "ada", "Ａda", "ａda", "aDa"]
    with ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(lambda name: lobby.anonymous.post("/api/v1/accounts", PERSON | {"name": name}).status_code, names)
        )
    assert sorted(answers) == [201, 409, 409, 409, 409, 409]
