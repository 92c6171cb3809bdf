import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from gin_servicekit.service import Service
from tests.integration.ratings.deliveries import deliver, finished, renamed


@pytest.fixture
def matches(service: Service) -> None:
    deliver(service, renamed("ann", "Ann", 1), renamed("ben", "Ben", 1))
    deliver(
        service,
        finished("m1", ("ann", 1), ("ben", 2)),
        finished("m2", ("ben", 1), ("ann", 2), ending="forfeit"),
        finished("m3", ("ann", 1), ("ben", 1), pool=None),
        finished("m4", ("ann", 1), ("ben", 2), ending="no_show"),
        finished("m5", ("ann", 1), ("ben", 1), ending="void"),
        finished("m6", ("ann", 1), ("ben", 1), ending="void", pool=None),
        finished("m7", ("cid", 1), ("ann", 2), ("ben", 3), pool="word/people"),
        finished("m8", ("cid", 1), ("ben", 2)),
    )


def get(client: FlaskClient, path: str, status: int = 200) -> Any:
    response = client.get(path)
    assert response.status_code == status, response.get_data(as_text=True)
    return json.loads(response.get_data())


def record(tallies: list[dict[str, Any]]) -> dict[tuple[str, str | None], tuple[int, int, int]]:
    return {(t["opponent_id"], t["pool"]): (t["wins"], t["ties"], t["losses"]) for t in tallies}


@pytest.mark.usefixtures("matches")
def test_head_to_head_counts_what_was_played_in_each_pool(client: FlaskClient) -> None:
    found = get(client, "/api/v1/ratings/ann/opponents/ben")
    assert record(found["tallies"]) == {
        ("ben", "rummy/open"): (1, 0, 1),
        ("ben", None): (0, 1, 0),
        ("ben", "word/people"): (1, 0, 0),
    }
    assert {match["match_id"] for match in found["matches"]} == {"m1", "m2", "m3", "m7"}
    mirrored = get(client, "/api/v1/ratings/ben/opponents/ann")
    assert record(mirrored["tallies"])["ann", "word/people"] == (0, 0, 1)


@pytest.mark.usefixtures("matches")
def test_opponents_are_told_the_most_frequent_first(client: FlaskClient) -> None:
    tallies = get(client, "/api/v1/ratings/ben/opponents")["opponents"]
    assert (tallies[0]["opponent_id"], tallies[0]["name"], tallies[0]["pool"]) == ("ann", "Ann", "rummy/open")
    assert record(tallies)["cid", "rummy/open"] == (0, 0, 1)
    assert len(get(client, "/api/v1/ratings/ben/opponents?limit=1")["opponents"]) == 1


@pytest.mark.usefixtures("matches")
def test_matches_say_what_they_did_to_each_rating(client: FlaskClient) -> None:
    listed = get(client, "/api/v1/ratings/ann/matches")["matches"]
    by_id = {match["match_id"]: match for match in listed}
    assert by_id.keys() == {"m1", "m2", "m3", "m7"}
    ann, ben = by_id["m1"]["seats"]
    assert (ann["player_id"], ann["name"], ann["place"], ann["change"]) == ("ann", "Ann", 1, 20)
    assert (ben["place"], ben["change"]) == (2, -20)
    assert [seat["change"] for seat in by_id["m3"]["seats"]] == [None, None]


@pytest.mark.usefixtures("matches")
def test_matches_come_page_by_page(client: FlaskClient) -> None:
    seen = []
    query = "?limit=1"
    while query:
        page = get(client, f"/api/v1/ratings/ann/matches{query}")
        seen += [match["match_id"] for match in page["matches"]]
        query = f"?limit=1&cursor={page['next_cursor']}" if page["next_cursor"] else ""
    assert sorted(seen) == ["m1", "m2", "m3", "m7"]


@pytest.mark.usefixtures("matches")
def test_nobody_meets_themselves_or_a_stranger(client: FlaskClient) -> None:
    problem = get(client, "/api/v1/ratings/ann/opponents/ann", 422)
    assert problem["errors"][0]["field"] == "opponent_id"
    get(client, "/api/v1/ratings/ann/opponents/nobody", 404)
    get(client, "/api/v1/ratings/nobody/opponents", 404)
    get(client, "/api/v1/ratings/nobody/matches", 404)
    assert get(client, "/api/v1/ratings/ann/matches?cursor=bm90", 422)["errors"][0]["field"] == "cursor"
