import json
from itertools import pairwise
from typing import Any

import pytest
from flask.testing import FlaskClient

from gin_ratings.domain import ledger
from gin_ratings.domain.ledger import Head
from gin_servicekit.service import Service
from tests.integration.ratings.deliveries import deliver, finished, renamed


@pytest.fixture
def season(service: Service) -> None:
    """Ann wins sixteen long matches against Ben, who once ties with Cid; Dot is known and never played."""
    deliver(service, renamed("ann", "Ann ♠", 1), renamed("ben", "Ben", 1, kind="bot"), renamed("dot", "Dot", 1))
    deliver(service, *(finished(f"m{number}", ("ann", 1), ("ben", 2), target=250) for number in range(16)))
    deliver(service, finished("tie", ("ben", 1), ("cid", 1)))


def get(client: FlaskClient, path: str, status: int = 200) -> Any:
    response = client.get(path)
    assert response.status_code == status, response.get_data(as_text=True)
    if status != 200:
        assert response.content_type == "application/problem+json"
    return json.loads(response.get_data())


def walk(client: FlaskClient, path: str, name: str, limit: int) -> list[Any]:
    """The whole list called `name`, page by page."""
    items: list[Any] = []
    cursor = ""
    while True:
        page = get(client, f"{path}{'&' if '?' in path else '?'}limit={limit}{cursor}")
        assert len(page[name]) <= limit
        items += page[name]
        if page["next_cursor"] is None:
            return items
        cursor = f"&cursor={page['next_cursor']}"


@pytest.mark.usefixtures("season")
def test_list_of_ratings_tells_every_player_of_every_pool(client: FlaskClient, service: Service) -> None:
    deliver(service, finished("w", ("ann", 1), ("cid", 2), pool="word/people"))
    listed = walk(client, "/api/v1/ratings", "ratings", 2)
    assert [(item["pool"], item["player_id"]) for item in listed] == [
        ("rummy/open", "ann"), ("rummy/open", "ben"), ("rummy/open", "cid"), ("word/people", "ann"),
        ("word/people", "cid"),
    ]  # fmt: skip
    assert listed[0]["name"] == "Ann ♠"
    assert (listed[1]["name"], listed[1]["kind"]) == ("Ben", "bot")
    assert (listed[2]["name"], listed[2]["kind"]) == (None, None)
    assert [i["player_id"] for i in get(client, "/api/v1/ratings?pool=word/people")["ratings"]] == ["ann", "cid"]
    assert [i["pool"] for i in get(client, "/api/v1/ratings?player_id=cid")["ratings"]] == ["rummy/open", "word/people"]
    assert get(client, "/api/v1/ratings?player_id=nobody")["ratings"] == []


@pytest.mark.usefixtures("season")
def test_player_is_told_with_games_and_uncertainty(client: FlaskClient) -> None:
    ann = get(client, "/api/v1/ratings/ann")
    assert (ann["player_id"], ann["name"], ann["kind"]) == ("ann", "Ann ♠", "human")
    (rating,) = ann["ratings"]
    assert rating["pool"] == "rummy/open"
    assert rating["games"] == 16
    assert rating["effective_games"] == pytest.approx(40)
    assert rating["provisional"] is False
    assert rating["uncertainty"] == pytest.approx(51.6, abs=0.1)
    assert get(client, "/api/v1/ratings/cid")["ratings"][0]["provisional"] is True


@pytest.mark.usefixtures("season")
def test_known_player_without_a_match_has_no_ratings_and_an_unknown_one_is_not_found(client: FlaskClient) -> None:
    assert get(client, "/api/v1/ratings/dot")["ratings"] == []
    for path in ("/api/v1/ratings/nobody", "/api/v1/ratings/nobody/history?pool=rummy/open"):
        assert get(client, path, 404)["errors"][0]["field"] == "player_id"


@pytest.mark.usefixtures("season")
def test_history_runs_from_the_newest_entry_back(client: FlaskClient) -> None:
    history = walk(client, "/api/v1/ratings/ben/history?pool=rummy/open", "changes", 5)
    assert [item["match_id"] for item in history] == ["tie", *(f"m{number}" for number in reversed(range(16)))]
    assert all(newer["before"] == older["after"] for newer, older in pairwise(history))
    assert history[0]["opponents"] == [{"player_id": "cid", "name": None, "rating": 1500.0, "place": 1}]
    assert history[1]["opponents"][0]["name"] == "Ann ♠"
    assert history[-1]["finished_at"] == "2026-03-01T12:00:00.000000Z"
    assert get(client, "/api/v1/ratings/ben/history?pool=word/open")["changes"] == []


@pytest.mark.usefixtures("season")
def test_leaderboard_keeps_established_and_provisional_apart(client: FlaskClient) -> None:
    board = get(client, "/api/v1/leaderboards/rummy/open")
    assert (board["pool"], board["standing"]) == ("rummy/open", "established")
    assert [(item["rank"], item["player_id"]) for item in board["players"]] == [(1, "ann"), (2, "ben")]
    provisional = get(client, "/api/v1/leaderboards/rummy/open?standing=provisional")
    assert [(item["rank"], item["player_id"]) for item in provisional["players"]] == [(1, "cid")]
    assert len(get(client, "/api/v1/leaderboards/rummy/open?active_days=1")["players"]) == 2


def test_equal_ratings_share_a_rank_across_pages(client: FlaskClient, service: Service) -> None:
    deliver(service, *(finished(f"m{n}", (f"w{n}", 1), (f"l{n}", 2)) for n in range(3)))
    board = walk(client, "/api/v1/leaderboards/rummy/open?standing=provisional", "players", 2)
    assert [(i["rank"], i["player_id"]) for i in board] == [
        (1, "w0"), (1, "w1"), (1, "w2"), (4, "l0"), (4, "l1"), (4, "l2"),
    ]  # fmt: skip


@pytest.mark.usefixtures("season")
def test_anyone_can_recompute_the_pool_from_the_public_ledger(client: FlaskClient) -> None:
    entries, after = [], 0
    while True:
        page = get(client, f"/api/v1/pools/rummy/open/ledger?limit=10&after={after}")
        entries += [ledger.entry_from_json(item) for item in page["entries"]]
        if page["next_after"] is None:
            break
        after = page["next_after"]
    pool = next(item for item in get(client, "/api/v1/pools")["pools"] if item["pool"] == "rummy/open")
    assert pool == {
        "pool": "rummy/open", "size": 34, "head_hash": page["head_hash"], "players": 3, "established": 2,
    }  # fmt: skip
    assert ledger.verify(entries, Head(pool["size"], pool["head_hash"])) is None
    told = {item["player_id"]: item["rating"] for item in get(client, "/api/v1/ratings?pool=rummy/open")["ratings"]}
    assert told == {entry.player_id: entry.after for entry in entries}


def test_document_tells_that_errors_are_problems(client: FlaskClient) -> None:
    document = get(client, "/api/v1/openapi/ratings.json")
    for path, operations in document["paths"].items():
        for status, answer in operations["get"]["responses"].items():
            told = answer if "content" in answer else document["components"]["responses"][answer["$ref"].split("/")[-1]]
            media = "application/json" if status == "200" else "application/problem+json"
            assert (path, status, list(told["content"])) == (path, status, [media])


def test_new_house_has_four_empty_pools(client: FlaskClient) -> None:
    pools = get(client, "/api/v1/pools")["pools"]
    assert [pool["pool"] for pool in pools] == ["rummy/open", "rummy/people", "word/open", "word/people"]
    assert all((pool["size"], pool["players"], pool["head_hash"]) == (0, 0, "0" * 64) for pool in pools)
    assert get(client, "/api/v1/leaderboards/word/people")["players"] == []
    assert get(client, "/api/v1/pools/word/people/ledger")["entries"] == []


@pytest.mark.usefixtures("season")
def test_what_if_tells_exactly_what_the_match_then_does(client: FlaskClient, service: Service) -> None:
    told = get(client, "/api/v1/ratings/what-if?pool=rummy/open&a=cid&b=ann&target=25")
    assert told["m"] == 0.5
    assert told["a"]["expected"] + told["b"]["expected"] == pytest.approx(1)
    deliver(service, finished("really", ("cid", 1), ("ann", 2), target=25))
    for side, change in (("cid", told["a"]["if_wins"]), ("ann", told["b"]["if_loses"])):
        last = get(client, f"/api/v1/ratings/{side}/history?pool=rummy/open&limit=1")["changes"][0]
        assert last["after"] - last["before"] == change


@pytest.mark.usefixtures("season")
def test_what_if_takes_a_known_player_without_rating_as_a_newcomer(client: FlaskClient) -> None:
    told = get(client, "/api/v1/ratings/what-if?pool=word/open&a=dot&b=cid")
    assert (told["target"], told["a"]["rating"], told["a"]["k"]) == (100, 1500.0, 40)
    assert (told["a"]["if_wins"], told["a"]["if_ties"], told["a"]["if_loses"]) == (20.0, 0.0, -20.0)


CONDITIONAL = (
    "/api/v1/ratings",
    "/api/v1/ratings/ann",
    "/api/v1/ratings/ann/history?pool=rummy/open",
    "/api/v1/pools",
    "/api/v1/leaderboards/rummy/open",
    "/api/v1/pools/rummy/open/ledger",
)


@pytest.mark.usefixtures("season")
def test_same_answer_is_not_sent_twice(client: FlaskClient, service: Service) -> None:
    etags = {path: client.get(path).headers["ETag"] for path in CONDITIONAL}
    for path, etag in etags.items():
        assert not etag.startswith("W/")
        again = client.get(path, headers={"If-None-Match": etag})
        assert (path, again.status_code, again.get_data()) == (path, 304, b"")
    deliver(service, finished("news", ("ann", 2), ("ben", 1)))
    for path, etag in etags.items():
        assert (path, client.get(path, headers={"If-None-Match": etag}).status_code) == (path, 200)


BAD_QUESTIONS = [
    ("/ratings?limit=0", 422, "limit"),
    ("/ratings?limit=201", 422, "limit"),
    ("/ratings?limit=many", 422, "limit"),
    ("/ratings?limit=" + "9" * 5000, 422, "limit"),
    ("/ratings?cursor=nonsense", 422, "cursor"),
    ("/ratings?cursor=" + "W" * 401, 422, "cursor"),
    ("/ratings?cursor=bnVsbA", 422, "cursor"),  # null
    ("/ratings?cursor=WyJhXHUwMDAwIiwiYiJd", 422, "cursor"),  # a text with NUL
    ("/ratings?cursor=%E2%99%A0", 422, "cursor"),
    ("/leaderboards/rummy/open?cursor=W05hTiwiYSJd", 422, "cursor"),  # [NaN, "a"]
    ("/leaderboards/rummy/open?cursor=WzEsMl0", 422, "cursor"),
    ("/leaderboards/rummy/open?standing=all", 422, "standing"),
    ("/leaderboards/rummy/open?active_days=0", 422, "active_days"),
    ("/leaderboards/Rummy/open", 404, "pool"),
    ("/leaderboards/rummy/nobody", 404, "pool"),
    ("/ratings?pool=rummy", 422, "pool"),
    ("/ratings?pool=rummy/%00", 422, "pool"),
    ("/ratings?pool=rummy/open%0A", 422, "pool"),
    ("/ratings?pool=chess/open", 404, "pool"),
    ("/ratings?player_id=%00", 422, "player_id"),
    ("/ratings?player_id=ann%0A", 422, "player_id"),
    ("/ratings/ann/history", 422, "pool"),
    ("/ratings/ann/history?pool=rummy/open&cursor=WzFlOTld", 422, "cursor"),  # [1e99]
    ("/ratings/ann/history?pool=rummy/open&cursor=Wy0xXQ", 422, "cursor"),  # [-1]
    ("/pools/rummy/open/ledger?after=-1", 422, "after"),
    ("/pools/rummy/open/ledger?after=9223372036854775808", 422, "after"),
    ("/pools/rummy/open/ledger?limit=501", 422, "limit"),
    ("/pools/rummy/nobody/ledger", 404, "pool"),
    ("/ratings/what-if?a=ann&b=ben", 422, "pool"),
    ("/ratings/what-if?pool=rummy/open&a=ann", 422, "b"),
    ("/ratings/what-if?pool=rummy/open&a=ann&b=ann", 422, "b"),
    ("/ratings/what-if?pool=rummy/open&a=ann&b=nobody", 404, "b"),
    ("/ratings/what-if?pool=rummy/open&a=ann&b=ben&target=0", 422, "target"),
    ("/ratings/what-if?pool=rummy/open&a=ann&b=ben&target=1e3", 422, "target"),
]


@pytest.mark.usefixtures("season")
def test_bad_question_names_the_field_at_fault(client: FlaskClient) -> None:
    for path, status, field in BAD_QUESTIONS:
        errors = get(client, "/api/v1" + path, status)["errors"]
        assert (path, [error["field"] for error in errors]) == (path, [field])
