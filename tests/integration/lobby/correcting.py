"""What tests of corrections do: look at one, do it, and read what it left."""

from typing import Any

from tests.integration.lobby.conftest import Lobby
from tests.support.services import Api

KNOCKOUT = {"kind": "single_elimination"}
FIRST, SECOND = {"outcome": "first_wins"}, {"outcome": "second_wins"}


def wish(slot: str, result: dict[str, Any] = SECOND, **more: Any) -> dict[str, Any]:
    return {"slot": slot, "result": result, "reason": "the slip was misread"} | more


def look(lobby: Lobby, tournament_id: str, body: dict[str, Any], who: Api | None = None) -> Any:
    path = f"/api/v1/tournaments/{tournament_id}/corrections/preview"
    return (who or lobby.organiser).post(path, body)


def do(lobby: Lobby, tournament_id: str, body: dict[str, Any], digest: str, **options: Any) -> Any:
    path = f"/api/v1/tournaments/{tournament_id}/corrections"
    return lobby.organiser.post(path, body | {"digest": digest}, **options)


def correct(lobby: Lobby, tournament_id: str, body: dict[str, Any]) -> Any:
    seen = look(lobby, tournament_id, body)
    assert seen.status_code == 200, seen.json
    done = do(lobby, tournament_id, body, seen.json["digest"])
    assert done.status_code == 201, done.json
    assert done.json == seen.json, "what was seen is what was done"
    return done.json


def log(lobby: Lobby, tournament_id: str, what: str = "result_corrected") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = lobby.see(tournament_id, f"/log?what={what}")["entries"]
    return found


def by_slot(lobby: Lobby, tournament_id: str) -> dict[str, dict[str, Any]]:
    return {p["slot"]: p for p in lobby.see(tournament_id, "/pairings")["pairings"]}
