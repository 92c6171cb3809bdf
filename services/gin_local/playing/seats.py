"""Plays every seat of one player on a server, by the public API alone."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import urlencode

from gin_bots import Bot
from gin_local.errors import HouseError
from gin_local.playing.seen import Memory, view_of
from gin_local.rest import Client, RefusedError

Tell = Callable[..., None]
"""Called with the name of what happened and its details."""

_ENDED = ("finished", "cancelled")


class WrongToken(HouseError):
    """The token is not one of ours, or may not do what is needed."""


def account_of(token: str) -> str:
    """The account, and so the player, that a token speaks for. Only the server can tell whether it is good."""
    try:
        payload = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return str(claims["sub"])
    except (IndexError, ValueError, KeyError, TypeError) as wrong:
        raise WrongToken("this is no token of a Ginhall server: ask for one with POST /api/v1/tokens") from wrong


@dataclass
class Seats:
    """The seats of `player_id`, played by `bot`. Every match that it has played in is told when it ends."""

    client: Client
    player_id: str
    bot: Bot
    tell: Tell
    _memories: dict[str, Memory] = field(default_factory=dict)

    def act(self, tournament_id: str | None) -> int:
        """Play on in every match until others are to act. Returns the number of matches that are being played.

        Raises `HouseError` when the server does not answer; what was done so far stands.
        """
        query = {"player_id": self.player_id, "state": "playing", "limit": "100"}
        if tournament_id is not None:
            query["tournament_id"] = tournament_id
        playing: set[str] = set()
        cursor: str | None = None
        while True:
            page = self.client.get("/api/v1/matches?" + urlencode(query | ({"cursor": cursor} if cursor else {})))
            for match in page["matches"]:
                playing.add(match["match_id"])
                self._play(match)
            cursor = page["next_cursor"]
            if cursor is None:
                break
        for match_id in [known for known in self._memories if known not in playing]:
            self._finish(match_id)
        return len(self._memories)

    def _play(self, match: dict[str, Any]) -> None:
        match_id = match["match_id"]
        if match["game"] not in self.bot.games:
            return
        if match_id not in self._memories:
            self._memories[match_id] = Memory()
            names = [seat["name"] for seat in match["seats"] if seat["player_id"] != self.player_id]
            self.tell("match", match_id=match_id, opponents=names, tournament_id=match["tournament_id"])
        path = f"/api/v1/matches/{match_id}"
        seat = self.client.get(f"{path}/seat")
        while seat["state"] == "playing" and seat["to_act"] == seat["seat"]:
            seat = self._act_once(path, match_id, seat)
        if seat["state"] != "playing":
            self._finish(match_id)

    def _act_once(self, path: str, match_id: str, seat: dict[str, Any]) -> dict[str, Any]:
        memory, document = self._memories[match_id], seat["view"]
        if document["game"] == "rummy":
            memory.saw(document)
        chance = Random(f"{match_id} {seat['action_count']}")  # noqa: S311 - repeatable is what is wanted
        action = self.bot.choose_action(view_of(document, memory.history), chance)
        try:
            after = self.client.post(f"{path}/actions", {"action": action, "action_count": seat["action_count"]})
        except RefusedError as refused:
            if refused.status != 409:
                raise
            # An earlier try arrived though its answer did not, or the match is over: look again.
            after = self.client.get(f"{path}/seat")
            if after["action_count"] == seat["action_count"] and after["to_act"] == seat["seat"]:
                raise
        except HouseError:
            # Whether the action arrived is not known, and a wrong memory misleads: it starts anew.
            self._memories[match_id] = Memory()
            raise
        if document["game"] == "rummy":
            memory.acted(action)
        return dict(after)

    def _finish(self, match_id: str) -> None:
        match = self.client.get(f"/api/v1/matches/{match_id}")
        del self._memories[match_id]
        seats = match["seats"]
        own = next((seat for seat in seats if seat["player_id"] == self.player_id), None)
        self.tell(
            "result",
            match_id=match_id,
            place=own and own["place"],
            score=own and own["score"],
            scores={seat["name"]: seat["score"] for seat in seats},
            ending=match["ending"],
        )


@dataclass
class Entry:
    """A tournament that the player is to play."""

    client: Client
    player_id: str
    tournament_id: str
    tell: Tell
    _state: str | None = None
    _entered: bool = False
    _checked_in: bool = False

    def follow(self) -> bool:
        """Enter as soon as it can be entered, and check in. Returns whether the tournament is over.

        Raises `RefusedError` for a tournament that cannot be entered or is not there.
        """
        path = f"/api/v1/tournaments/{self.tournament_id}"
        found = self.client.get(path)
        state = found["state"]
        if state != self._state:
            self._state = state
            self.tell("tournament", tournament_id=self.tournament_id, name=found["name"], state=state)
        if state in _ENDED:
            return True
        if not self._entered and state != "announced":
            self._enter(path)
        if state == "check_in" and not self._checked_in:
            self.client.post(f"{path}/entrants/{self.player_id}/check-in")
            self._checked_in = True
        return False

    def _enter(self, path: str) -> None:
        try:
            entrant = self.client.post(f"{path}/entrants", {"player_id": self.player_id})
            self.tell("entered", tournament_id=self.tournament_id, state=entrant["state"])
        except RefusedError as refused:
            if not str(refused.problem.get("type", "")).endswith(":already-entered"):
                raise
        self._entered = True
