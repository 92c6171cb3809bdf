"""A lobby with an organiser, on a real database."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from gin_lobby.app import lobby_app
from gin_lobby.domain.tournament import TournamentId
from gin_lobby.tasks import advance_due
from gin_lobby.use_cases import accounts, results
from gin_messages.match import MatchFinished, SeatResult
from gin_servicekit.service import Service
from tests.support.services import Api, Clock, start_service, token_for


class Match(NamedTuple):
    """A match in play, as REST shows it."""

    tournament_id: str
    round: int
    slot: str
    match_id: str
    seats: tuple[str, ...]


@dataclass
class Lobby:
    """What a test does with a lobby. `organiser` and `anonymous` speak HTTP; the rest is the engine's part."""

    service: Service
    clock: Clock
    anonymous: Api
    organiser: Api
    organiser_id: str

    def sign_up(self, name: str) -> tuple[Api, str]:
        """A person: an API with their token, and their player id."""
        person = {"name": name, "password": "correct horse battery"}
        player_id = self.anonymous.post("/api/v1/accounts", person).json["player_id"]
        token = self.anonymous.post("/api/v1/tokens", person).json["token"]
        return self.anonymous.as_(token), player_id

    def bot(self, name: str) -> str:
        answer = self.organiser.post("/api/v1/players", {"name": name, "kind": "bot", "bot": "simple"})
        player_id: str = answer.json["player_id"]
        return player_id

    def tournament(self, **plan: Any) -> str:
        """A tournament whose registration is open; it starts in an hour."""
        starts_at = (self.clock() + timedelta(hours=1)).isoformat()
        short_form = {} if isinstance(plan.get("format"), dict) else {"rounds": 3}
        plan = {"name": "Friday", "starts_at": starts_at} | short_form | plan
        answer = self.organiser.post("/api/v1/tournaments", plan)
        assert answer.status_code == 201, answer.json
        tournament_id: str = answer.json["tournament_id"]
        opened = self.organiser.post(f"/api/v1/tournaments/{tournament_id}/registration")
        assert opened.status_code == 200, opened.json
        return tournament_id

    def with_bots(self, count: int, **plan: Any) -> str:
        tournament_id = self.tournament(**plan)
        for number in range(1, count + 1):
            self.enter(tournament_id, self.bot(f"Bot {number}"))
        return tournament_id

    def enter(self, tournament_id: str, player_id: str) -> Any:
        return self.organiser.post(f"/api/v1/tournaments/{tournament_id}/entrants", {"player_id": player_id})

    def start(self, tournament_id: str) -> None:
        """Moves the clock to the start and lets the tick do its work."""
        self.clock.move(hours=1)
        advance_due(self.service)

    def see(self, tournament_id: str, what: str = "") -> Any:
        answer = self.anonymous.get(f"/api/v1/tournaments/{tournament_id}{what}")
        assert answer.status_code == 200, answer.json
        return answer.json

    def undecided(self, tournament_id: str) -> list[dict[str, Any]]:
        pairings = self.see(tournament_id, "/pairings")["pairings"]
        return [p | {"tournament_id": tournament_id} for p in pairings if p["result"] is None]

    def finish(self, *finished: MatchFinished) -> None:
        """What the engine's message does, and the scoring that it asks for."""
        with self.service.transaction() as tx:
            results.report_results(tx, finished)
        for tournament_id in {message.tournament_id for message in finished}:
            with self.service.transaction() as tx:
                results.score(tx, TournamentId(UUID(tournament_id)))

    def outbox(self, name: str) -> list[dict[str, Any]]:
        """Bodies of the messages of this name that the lobby has emitted."""
        with self.service.transaction() as tx:
            return tx.scalars("SELECT payload->'body' FROM outbox WHERE name = %s ORDER BY message_id", (name,))

    def play_round(self, tournament_id: str) -> None:
        """Everybody who deals first wins."""
        self.finish(*(won_by_first(self, pairing) for pairing in self.undecided(tournament_id)))
        advance_due(self.service)

    def in_play(self, tournament_id: str) -> list[Match]:
        """The matches that are being played, in the order of rounds and tables."""
        pairings = self.see(tournament_id, "/pairings")["pairings"]
        return [
            Match(tournament_id, p["round"], p["slot"], m["match_id"], tuple(m["seats"]))
            for p in pairings
            for m in p["matches"]
            if m["ended"] is None
        ]

    def play_matches(self, tournament_id: str, strength: Sequence[str]) -> None:
        """Every match in play ends in the order of `strength`, the strongest first."""
        self.finish(*(ended(self, match, strength) for match in self.in_play(tournament_id)))
        advance_due(self.service)

    def play_out(self, tournament_id: str, strength: Sequence[str], most: int = 100) -> Any:
        """Plays matches in the order of `strength` until the tournament is over, and returns it."""
        for _ in range(most):
            tournament = self.see(tournament_id)
            if tournament["state"] != "running":
                return tournament
            self.play_matches(tournament_id, strength)
        raise AssertionError(f"not over after playing {most} times")

    def seeds(self, tournament_id: str) -> list[str]:
        """The player ids, seed 1 first."""
        return [e["player_id"] for e in self.see(tournament_id, "/entrants")["entrants"]]

    def ranking(self, tournament_id: str) -> list[tuple[int, str]]:
        """Rank and player, best first."""
        return [(s["rank"], s["player_id"]) for s in self.see(tournament_id, "/standings")["standings"]]

    def wishes(self) -> list[dict[str, Any]]:
        """The matches that the engine was asked for, oldest first."""
        with self.service.transaction() as tx:
            return tx.scalars("SELECT payload->'body' FROM outbox WHERE name = 'open_match' ORDER BY payload->>'id'")


def ended(lobby: Lobby, match: Match, strength: Sequence[str], **changes: Any) -> MatchFinished:
    """A match at which the seats come in in the order of `strength`; the first gets 100, each next 20 less."""
    places = {player: place for place, player in enumerate(sorted(match.seats, key=strength.index), start=1)}
    seats = [SeatResult(player, places[player], 120 - 20 * places[player], 4, 0) for player in match.seats]
    pairing = {
        "match_id": match.match_id,
        "tournament_id": match.tournament_id,
        "round": match.round,
        "first_id": "",
        "second_id": "",
    }
    return won_by_first(lobby, pairing, **({"seats": seats} | changes))


def won_by_first(lobby: Lobby, pairing: dict[str, Any], **changes: Any) -> MatchFinished:
    """A match in which the first seat wins 100 to 40."""
    fields: dict[str, Any] = {
        "match_id": pairing["match_id"],
        "tournament_id": pairing["tournament_id"],
        "round_number": pairing["round"],
        "game": "rummy",
        "rating_pool": "rummy/open",
        "target": 100,
        "ending": "played",
        "seats": [
            SeatResult(pairing["first_id"], 1, 100, 4, 1),
            SeatResult(pairing["second_id"], 2, 40, 2, 0),
        ],
        "hands_played": 6,
        "finished_at": lobby.clock(),
    }
    return MatchFinished(**(fields | changes))


@pytest.fixture
def lobby(database_url: Callable[[str], str], redis_url: str) -> Iterator[Lobby]:
    clock = Clock()
    service = start_service("lobby", database_url, redis_url, clock)
    anonymous = Api(lobby_app(service).test_client())
    house = Lobby(service, clock, anonymous, anonymous, "")
    with service.transaction() as tx:
        organiser = accounts.sign_up(tx, "Organiser", "the organiser's password")
    house.organiser_id = str(organiser.player_id)
    house.organiser = anonymous.as_(token_for(house.organiser_id))
    yield house
    service.database.close()
