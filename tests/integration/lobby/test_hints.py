"""What is announced of tournaments: that their page, or the list of them, is another one now."""

import json
from typing import Any

import redis

from gin_lobby.tasks import advance_due
from tests.integration.lobby.conftest import Lobby


def heard(lobby: Lobby, topic: str) -> list[dict[str, Any]]:
    """The data of every hint of a topic since it was last asked for."""
    with redis.Redis.from_url(lobby.service.settings.redis_url) as client:
        entries: Any = client.xrange(f"live:{topic}")
        client.delete(f"live:{topic}")
    assert {fields[b"e"] for _, fields in entries} <= {b"changed"}
    return [json.loads(fields[b"d"]) for _, fields in entries]


def test_whatever_moves_a_tournament_on_is_told_once(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    topic = f"tournament:{tournament_id}"
    where = {"tournament_id": tournament_id, "state": "announced", "round": 0}
    assert heard(lobby, topic) == [where, where | {"state": "registration"}]
    assert heard(lobby, "tournaments") == [{}, {}]
    for name in ("One", "Two", "Three", "Four"):
        lobby.enter(tournament_id, lobby.bot(name))
    assert heard(lobby, topic) == [where | {"state": "registration"}] * 4
    lobby.start(tournament_id)
    assert heard(lobby, topic) == [where | {"state": "running", "round": 1}]
    assert heard(lobby, "tournaments") == [{}]


def test_a_decided_pairing_is_told_on_its_page_and_a_new_round_in_lists_as_well(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    topic = f"tournament:{tournament_id}"
    heard(lobby, topic), heard(lobby, "tournaments")
    lobby.play_round(tournament_id)
    assert [data["round"] for data in heard(lobby, topic)] == [1, 2]
    assert heard(lobby, "tournaments") == [{}]


def test_the_end_is_told(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, rounds=1)
    lobby.start(tournament_id)
    heard(lobby, f"tournament:{tournament_id}")
    lobby.play_round(tournament_id)
    assert heard(lobby, f"tournament:{tournament_id}")[-1]["state"] == "finished"


def test_a_refused_request_tells_nothing(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    heard(lobby, f"tournament:{tournament_id}")
    assert lobby.enter(tournament_id, "01990000-0000-7000-8000-00000000dead").status_code == 422
    advance_due(lobby.service)
    assert heard(lobby, f"tournament:{tournament_id}") == []


def test_spectators_wait_as_long_as_the_organiser_says(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, spectator_delay_seconds=90)
    assert lobby.see(tournament_id)["spectator_delay_seconds"] == 90
    lobby.start(tournament_id)
    assert [wish["spectator_delay_seconds"] for wish in lobby.wishes()] == [90]


def test_without_a_word_spectators_do_not_wait(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2)
    assert lobby.see(tournament_id)["spectator_delay_seconds"] == 0
    lobby.start(tournament_id)
    assert "spectator_delay_seconds" not in lobby.wishes()[0]


def test_a_delay_beyond_an_hour_is_refused_by_name(lobby: Lobby) -> None:
    for delay in (-1, 3601, 1.5, "90"):
        plan = {"name": "Friday", "rounds": 1, "starts_at": "2030-01-01T00:00:00Z", "spectator_delay_seconds": delay}
        refused = lobby.organiser.post("/api/v1/tournaments", plan)
        assert refused.status_code == 422
        assert refused.json["errors"][0]["field"] == "spectator_delay_seconds"
