"""Nobody is entered by others; who may enter is what the tournament says; arbiters may what they are named for."""

from datetime import timedelta
from typing import Any

import pytest

from gin_lobby.use_cases import results
from gin_messages.ratings import EarlierRatingChange, EarlierRatingsUpdated, RatingChange, RatingsUpdated
from tests.integration.lobby.conftest import Lobby
from tests.support.services import Api, token_for

ID = "01990000-0000-7000-8000-000000000001"


def entrants(tournament_id: str) -> str:
    return f"/api/v1/tournaments/{tournament_id}/entrants"


def join(api: Api, tournament_id: str, player_id: str, **more: Any) -> Any:
    return api.post(entrants(tournament_id), {"player_id": player_id} | more)


def rated(lobby: Lobby, player: str, rating: float, sequence: int = 1, effective: float = 50.0) -> None:
    change = RatingChange("m", player, "rummy/open", 1500.0, rating, 40, effective, sequence)
    with lobby.service.transaction() as tx:
        results.copy_ratings(tx, [RatingsUpdated([change])])


def test_whom_the_organiser_enters_is_invited_and_in_once_they_accept(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(capacity=2, invitation_code="sesame")
    ada, ada_id = lobby.sign_up("Ada")
    assert join(lobby.organiser, tournament_id, ada_id).json["state"] == "invited"
    assert join(lobby.organiser, tournament_id, ada_id).status_code == 409
    assert ada.get("/api/v1/notices").json["entries"][0]["what"] == "invited"
    for number in range(2):
        assert lobby.enter(tournament_id, lobby.bot(f"Bot {number}")).json["state"] == "registered"
    accepted = join(ada, tournament_id, ada_id)
    assert (accepted.status_code, accepted.json["state"]) == (201, "waitlisted"), "an invitation holds no place"
    assert join(ada, tournament_id, ada_id).status_code == 409


def test_who_was_invited_may_decline_and_who_does_not_answer_does_not_play(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2)
    ada, ada_id = lobby.sign_up("Ada")
    bob, bob_id = lobby.sign_up("Bob")
    for person in (ada_id, bob_id):
        join(lobby.organiser, tournament_id, person)
    assert ada.delete(f"{entrants(tournament_id)}/{ada_id}").json["state"] == "withdrawn"
    assert bob.post(f"{entrants(tournament_id)}/{bob_id}/check-in").status_code == 409
    lobby.start(tournament_id)
    seated = {seat for match in lobby.in_play(tournament_id) for seat in match.seats}
    assert seated.isdisjoint({ada_id, bob_id})


def test_the_owner_of_a_bot_answers_for_it(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    ada, _ = lobby.sign_up("Ada")
    bot = ada.post("/api/v1/players", {"name": "Ada's bot", "kind": "bot", "bot": "simple"}).json["player_id"]
    assert join(lobby.organiser, tournament_id, bot).json["state"] == "invited"
    assert join(ada, tournament_id, bot).json["state"] == "registered"


@pytest.mark.parametrize(("code", "status"), [("sesame", 201), ("Sesame", 422), ("", 422), (None, 422)])
def test_an_invitation_code_must_be_said_and_is_never_shown(lobby: Lobby, code: str | None, status: int) -> None:
    tournament_id = lobby.tournament(invitation_code="sesame")
    ada, ada_id = lobby.sign_up("Ada")
    assert join(ada, tournament_id, ada_id, invitation_code=code).status_code == status
    shown = lobby.anonymous.get(f"/api/v1/tournaments/{tournament_id}")
    assert shown.json["invitation_required"] is True
    assert "sesame" not in shown.text


@pytest.mark.parametrize(
    ("rules", "rating", "effective", "admitted"),
    [
        ({"rating_min": 1600}, 1600.0, 50.0, True),
        ({"rating_min": 1600}, 1599.9, 50.0, False),
        ({"rating_max": 1600}, 1600.1, 50.0, False),
        ({"rating_min": 1400, "rating_max": 1600}, None, 0.0, True),
        ({"rating_min": 1501}, None, 0.0, False),
        ({"admits_provisional": False}, 1500.0, 29.9, False),
        ({"admits_provisional": False}, 1500.0, 30.0, True),
        ({"admits_provisional": False}, None, 0.0, False),
    ],
)
def test_ratings_decide_who_may_enter(
    lobby: Lobby, rules: dict[str, Any], rating: float | None, effective: float, admitted: bool
) -> None:
    tournament_id = lobby.tournament(**rules)
    ada, ada_id = lobby.sign_up("Ada")
    if rating is not None:
        rated(lobby, ada_id, rating, effective=effective)
    answer = join(ada, tournament_id, ada_id)
    assert answer.status_code == (201 if admitted else 422), answer.json


def test_rating_bounds_that_let_nobody_in_are_refused(lobby: Lobby) -> None:
    plan = {"name": "x", "rounds": 1, "starts_at": (lobby.clock() + timedelta(hours=1)).isoformat()}
    answer = lobby.organiser.post("/api/v1/tournaments", plan | {"rating_min": 1600, "rating_max": 1500})
    assert (answer.status_code, answer.json["errors"][0]["field"]) == (422, "rating_min")


def test_a_compensated_rating_is_the_newer_though_it_has_no_more_games(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(rating_min=1550)
    ada, ada_id = lobby.sign_up("Ada")
    rated(lobby, ada_id, 1600.0, sequence=7)
    rated(lobby, ada_id, 1540.0, sequence=9)
    rated(lobby, ada_id, 1570.0, sequence=8)
    assert join(ada, tournament_id, ada_id).status_code == 422


def test_a_rating_that_was_sent_before_results_could_be_corrected_is_still_read(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(rating_min=1550)
    ada, ada_id = lobby.sign_up("Ada")
    change = EarlierRatingChange("m", ada_id, "rummy/open", 1500.0, 1600.0, 1)
    with lobby.service.transaction() as tx:
        results.copy_earlier_ratings(tx, [EarlierRatingsUpdated([change])])
    assert join(ada, tournament_id, ada_id).status_code == 201


FOR_THE_ORGANISER = [
    ("patch", "", {"name": "Mine"}),
    ("post", "/registration", None),
    ("post", "/publication", None),
    ("post", "/cancellation", {"reason": "x"}),
    ("put", f"/arbiters/{ID}", None),
    ("delete", f"/arbiters/{ID}", None),
]
FOR_ARBITERS_TOO = [
    ("post", "/corrections/preview", {"slot": "1.1", "result": {"outcome": "draw"}, "reason": "x"}),
    ("post", "/corrections", {"slot": "1.1", "result": {"outcome": "draw"}, "reason": "x", "digest": "0" * 64}),
    ("post", "/pause", {"reason": "x"}),
    ("delete", "/pause", None),
    ("post", "/announcements", {"text": "x"}),
    ("post", "/rounds/1/extension", {"minutes": 1, "reason": "x"}),
    ("put", "/rounds/9/wishes", {}),
    ("post", "/rounds/1/pairing", {"reason": "x"}),
    ("put", "/forbidden-pairs", {"pairs": []}),
    ("post", "/decision", {"choices": ["end_early"]}),
]
FOR_THE_PLAYER_TOO = [
    ("post", "/entrants", None),
    ("delete", "/entrants/{player}", None),
    ("post", "/entrants/{player}/check-in", None),
    ("put", "/entrants/{player}/rest", {}),
    ("delete", "/entrants/{player}/rest", None),
]


@pytest.mark.parametrize("role", ["organiser", "administrator", "arbiter", "other organiser", "player", "stranger"])
def test_every_route_is_open_to_those_whose_it_is_and_to_nobody_else(lobby: Lobby, role: str) -> None:
    tournament_id, others = lobby.tournament(), lobby.tournament()
    players = dict(lobby.sign_up(name)[::-1] for name in ("Player", "Arbiter", "Stranger", "Foreigner", "Somebody"))
    player, arbiter, stranger, foreigner, somebody = players
    lobby.organiser.put(f"/api/v1/tournaments/{tournament_id}/arbiters/{arbiter}")
    lobby.organiser.put(f"/api/v1/tournaments/{others}/arbiters/{foreigner}")
    for person in (player, somebody):
        join(players[person], tournament_id, person)
    api = {
        "organiser": lobby.organiser,
        "administrator": lobby.anonymous.as_(token_for(stranger, administrator=True)),
        "arbiter": players[arbiter],
        "other organiser": players[foreigner],  # an arbiter, but of another tournament
        "player": players[player],
        "stranger": players[stranger],
    }[role]
    is_organiser = role in ("organiser", "administrator")
    table = [(call, is_organiser) for call in FOR_THE_ORGANISER]
    table += [(call, is_organiser or role == "arbiter") for call in FOR_ARBITERS_TOO]
    table += [(call, is_organiser or role == "arbiter") for call in FOR_THE_PLAYER_TOO]
    for (method, what, body), allowed in table:
        path = f"/api/v1/tournaments/{tournament_id}{what.format(player=somebody)}"
        sent = {"player_id": somebody} if what == "/entrants" else body
        answer = api.delete(path) if method == "delete" else getattr(api, method)(path, sent)
        assert (answer.status_code == 403) == (not allowed), (role, method, what, answer.status_code)
    if role == "player":
        own = f"/api/v1/tournaments/{tournament_id}/entrants/{player}"
        assert api.put(f"{own}/rest", {}).status_code == 200
        assert api.delete(own).status_code == 200


def test_an_arbiter_who_is_dismissed_may_nothing_any_more(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2)
    ada, ada_id = lobby.sign_up("Ada")
    path = f"/api/v1/tournaments/{tournament_id}"
    named = lobby.organiser.put(f"{path}/arbiters/{ada_id}")
    assert named.json == {"arbiters": [{"account_id": ada_id, "name": "Ada"}]}
    assert lobby.see(tournament_id, "/arbiters") == named.json
    assert ada.post(f"{path}/pause", {"reason": "x"}).status_code == 200
    assert lobby.organiser.delete(f"{path}/arbiters/{ada_id}").json == {"arbiters": []}
    assert lobby.organiser.delete(f"{path}/arbiters/{ada_id}").status_code == 404
    assert ada.delete(f"{path}/pause").status_code == 403
    assert lobby.organiser.put(f"{path}/arbiters/{lobby.bot('Bot')}").status_code == 422


def test_the_engine_hears_who_may_rule_with_each_match_and_whenever_that_changes(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2)
    _, ada_id = lobby.sign_up("Ada")
    path = f"/api/v1/tournaments/{tournament_id}/arbiters/{ada_id}"
    lobby.organiser.put(path)
    lobby.start(tournament_id)
    (opened,) = lobby.outbox("open_match")
    organiser = lobby.organiser.get("/api/v1/accounts/me").json["player_id"]
    assert opened["arbiters"] == [organiser, ada_id]
    assert [seat["owner_id"] for seat in opened["seats"]] == [organiser] * 2
    lobby.organiser.put(path)
    lobby.organiser.delete(path)
    assert [told["arbiters"] for told in lobby.outbox("arbiters_named")] == [[organiser, ada_id], [organiser]]
