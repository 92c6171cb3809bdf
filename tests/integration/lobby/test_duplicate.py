"""Duplicate tournaments: the same cards at all tables of a round, and who did better with them."""

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gin_lobby.tasks import advance_due
from gin_messages.match import SeatResult
from tests.integration.lobby.conftest import Lobby, Match, ended

SWISS: dict[str, Any] = {"kind": "duplicate", "format": {"kind": "swiss", "rounds": 2}}
PLAN: dict[str, Any] = {"name": "Friday", "starts_at": (datetime.now(UTC) + timedelta(days=1)).isoformat()}


def started(lobby: Lobby, bots: int, format_: dict[str, Any], **plan: Any) -> tuple[str, list[str]]:
    tournament_id = lobby.with_bots(bots, format=format_, **plan)
    lobby.start(tournament_id)
    return tournament_id, lobby.seeds(tournament_id)


def finish(lobby: Lobby, match: Match, first: int, second: int, **changes: Any) -> None:
    """The match ends with these game points."""
    places = (1 if first >= second else 2, 1 if second >= first else 2)
    points = (first, second)
    seats = [SeatResult(player, places[at], points[at], 2, 0) for at, player in enumerate(match.seats)]
    lobby.finish(ended(lobby, match, list(match.seats), **({"seats": seats} | changes)))


def play(lobby: Lobby, tournament_id: str, *scores: tuple[int, int]) -> list[Match]:
    """The matches in play end with these points, by table; returns them."""
    matches = lobby.in_play(tournament_id)
    for match, points in zip(matches, scores, strict=True):
        finish(lobby, match, *points)
    advance_due(lobby.service)
    return matches


def points(lobby: Lobby, tournament_id: str, number: int | None = None) -> dict[str, float]:
    at = "" if number is None else f"?round={number}"
    return {line["player_id"]: line["points"] for line in lobby.see(tournament_id, f"/standings{at}")["standings"]}


def pairings(lobby: Lobby, tournament_id: str, number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = lobby.see(tournament_id, f"/pairings?round={number}")["pairings"]
    return found


def test_the_rules_that_shared_deals_need_are_set_by_the_format(lobby: Lobby) -> None:
    shown = lobby.see(lobby.tournament(format=SWISS | {"hands": 6}, rules={"preset": "traditional"}))
    rules = shown["rules"]
    assert (rules["fixed_hands"], rules["dealer"], rules["target"]) == (6, "alternate", 100)
    assert (rules["match_bonuses"], rules["win_margin"]) == ("none", 0)
    assert (shown["rounds"], shown["format"]["hands"]) == (2, 6)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"rules": {"fixed_hands": 5}}, "rules.fixed_hands"),
        ({"rules": {"dealer": "loser"}}, "rules.dealer"),
        ({"rules": {"target": 50}}, "rules.target"),
        ({"rules": {"win_margin": 10}}, "rules.win_margin"),
        ({"rules": {"match_bonuses": "traditional"}}, "rules.match_bonuses"),
        ({"rules": {"preset": "hollywood"}}, "rules.scoring"),
        ({"rules": {"match_hand_cap": 2}}, "rules.fixed_hands"),
        ({"rules": {"preset": "rotation3"}}, "rules.seats"),
        ({"game": "word"}, "game"),
        ({"format": SWISS | {"hands": 0}}, "format.hands"),
        ({"format": SWISS | {"ranking": "mood"}}, "format.ranking"),
        ({"format": {"kind": "duplicate", "format": {"kind": "arena"}}}, "format.format"),
        ({"format": {"kind": "duplicate", "format": {"kind": "swiss", "best_of": 3}}}, "format.format.best_of"),
        ({"format": {"kind": "duplicate", "format": {"kind": "round_robin"}}, "capacity": 257}, "capacity"),
        (
            {"format": {"kind": "stages", "stages": [{"format": SWISS}, {"format": {"kind": "single_elimination"}}]}},
            "format.stages[0].format.kind",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_field(lobby: Lobby, change: dict[str, Any], field: str) -> None:
    answer = lobby.organiser.post("/api/v1/tournaments", PLAN | {"format": SWISS} | change)
    assert (answer.status_code, [error["field"] for error in answer.json["errors"]]) == (422, [field])
    assert lobby.anonymous.get("/api/v1/tournaments").json["tournaments"] == []


def edited(lobby: Lobby, tournament_id: str, **changes: Any) -> Any:
    return lobby.organiser.patch(f"/api/v1/tournaments/{tournament_id}", changes, headers={"If-Match": "*"})


def test_another_number_of_hands_and_another_format_change_the_rules_with_them(lobby: Lobby) -> None:
    body = PLAN | {"format": SWISS, "rules": {"gin_bonus": 20}}
    tournament_id = lobby.organiser.post("/api/v1/tournaments", body).json["tournament_id"]
    longer = edited(lobby, tournament_id, format=SWISS | {"hands": 9})
    assert (longer.json["rules"]["fixed_hands"], longer.json["rules"]["gin_bonus"]) == (9, 20)
    plain = edited(lobby, tournament_id, format=SWISS["format"])
    assert (plain.json["rules"]["fixed_hands"], plain.json["rules"]["gin_bonus"]) == (None, 20)


def test_all_tables_of_a_round_are_opened_with_the_same_deals_and_every_round_with_others(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 7, SWISS)
    play(lobby, tournament_id, (60, 0), (30, 0), (0, 0))
    first, second = lobby.wishes()[:3], lobby.wishes()[3:]
    assert [len({wish["deal_id"] for wish in wishes}) for wishes in (first, second)] == [1, 1]
    assert first[0]["deal_id"] != second[0]["deal_id"]
    assert {(wish["deal_tables"], wish["first_dealer"]) for wish in lobby.wishes()} == {(3, 0)}
    assert {wish["rules"]["fixed_hands"] for wish in lobby.wishes()} == {4}
    started(lobby, 2, SWISS)
    assert lobby.wishes()[-1]["deal_id"] not in {first[0]["deal_id"], second[0]["deal_id"]}


def test_a_match_of_another_format_shares_no_deals(lobby: Lobby) -> None:
    started(lobby, 2, SWISS["format"])
    assert [(wish["deal_id"], wish["deal_tables"]) for wish in lobby.wishes()] == [(None, None)]


def test_standings_are_the_differences_to_the_field_and_a_bye_has_none(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 7, SWISS)
    resting = next(p["first_id"] for p in pairings(lobby, tournament_id, 1) if p["result"] == "bye")
    matches = play(lobby, tournament_id, (60, 0), (30, 0), (0, 0))
    expected = {resting: 0.0}
    for match, gain in zip(matches, (45, 0, -45), strict=True):
        expected |= {match.seats[0]: gain, match.seats[1]: -gain}
    assert points(lobby, tournament_id, 1) == expected
    assert [p["differences"] for p in pairings(lobby, tournament_id, 1)] == [[45, -45], [0, 0], [-45, 45], None]
    best = {matches[0].seats[0], matches[2].seats[1], resting}
    assert any(set(p["fixture"]["seats"]) < best for p in pairings(lobby, tournament_id, 2)), "paired by differences"


def test_no_table_shows_its_difference_before_the_last_of_its_round_is_over(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 4, SWISS)
    one, other = lobby.in_play(tournament_id)
    finish(lobby, one, 60, 0)
    assert [p["differences"] for p in pairings(lobby, tournament_id, 1)] == [None, None]
    page = lobby.anonymous.get(f"/tournaments/{tournament_id}").text
    assert "All tables play the same 4 deals." in page
    assert "when the last table is over" in page
    finish(lobby, other, 10, 0)
    advance_due(lobby.service)
    assert [p["differences"] for p in pairings(lobby, tournament_id, 1)] == [[50, -50], [-50, 50]]
    page = lobby.anonymous.get(f"/tournaments/{tournament_id}").text
    assert "+50" in page
    assert "−50" in page
    assert "Duplicate Swiss" in page


def test_the_pairings_as_csv_have_both_differences(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 4, SWISS)
    play(lobby, tournament_id, (60, 0), (10, 5))
    text = lobby.anonymous.get(f"/api/v1/tournaments/{tournament_id}/pairings.csv?round=1").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["seat_1_difference"], row["seat_2_difference"]) for row in rows] == [("55", "-55"), ("-55", "55")]
    plain, _ = started(lobby, 2, SWISS["format"])
    assert "difference" not in lobby.anonymous.get(f"/api/v1/tournaments/{plain}/pairings.csv").text


def test_the_cross_table_and_the_bracket_show_who_did_better_with_the_cards(lobby: Lobby) -> None:
    tournament_id, _ = started(
        lobby, 4, {"kind": "duplicate", "format": {"kind": "single_elimination"}, "ranking": "format"}
    )
    matches = play(lobby, tournament_id, (60, 0), (10, 0))
    final = {match.seats[at] for match, at in zip(matches, (0, 1), strict=True)}
    assert set(lobby.in_play(tournament_id)[0].seats) == final
    shown = lobby.see(tournament_id, "/bracket")["brackets"][0]["matches"]
    won = {side["player_id"] for match in shown for side in match["sides"] if side["won"]}
    assert won == final
    (table,) = lobby.see(tournament_id, "/cross-table")["tables"]
    results = {row["player_id"]: row["cells"][0][0]["result"] for row in table["rows"]}
    assert {player for player, result in results.items() if result == "win"} == final


def test_a_level_table_of_a_knockout_advances_the_better_seed(lobby: Lobby) -> None:
    tournament_id, seeds = started(
        lobby, 4, {"kind": "duplicate", "format": {"kind": "single_elimination"}, "ranking": "format"}
    )
    play(lobby, tournament_id, (30, 0), (30, 0))
    assert set(lobby.in_play(tournament_id)[0].seats) == set(seeds[:2])


def test_who_does_not_come_or_gives_up_has_the_lowest_difference_of_the_round(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 8, SWISS)
    one, two, absent, quitter = lobby.in_play(tournament_id)
    finish(lobby, one, 60, 0)
    finish(lobby, two, 0, 20)
    finish(lobby, absent, 0, 0, ending="no_show", seats=[SeatResult(p, at, 0, 0, 0) for p, at in ranked(absent, 1)])
    ahead = [SeatResult(quitter.seats[0], 2, 90, 2, 0), SeatResult(quitter.seats[1], 1, 10, 0, 0)]
    finish(lobby, quitter, 90, 10, ending="forfeit", seats=ahead)
    advance_due(lobby.service)
    gained = points(lobby, tournament_id, 1)
    assert [gained[player] for player in (*one.seats, *two.seats)] == [80, -80, -80, 80]
    assert [gained[player] for player in (*absent.seats, *quitter.seats)] == [-80, 0, -80, 0]


def ranked(match: Match, loser: int) -> list[tuple[str, int]]:
    """The players of the match with their places; the first, for 1, comes second."""
    return [(player, 2 if at + 1 == loser else 1) for at, player in enumerate(match.seats)]


def test_an_annulled_table_is_not_played_again_as_its_players_know_the_cards(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 4, SWISS | {"format": {"kind": "swiss", "rounds": 1}})
    one, void = lobby.in_play(tournament_id)
    finish(lobby, one, 60, 0)
    finish(lobby, void, 0, 0, ending="void")
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "finished"
    assert len(lobby.wishes()) == 2
    gained = points(lobby, tournament_id)
    assert [gained[player] for player in (*one.seats, *void.seats)] == [60, -60, 0, 0]


def test_mirrored_deals_are_played_twice_with_the_seats_swapped(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 4, {"kind": "duplicate", "format": {"kind": "round_robin"}, "mirrored": True})
    first = play(lobby, tournament_id, (60, 0), (30, 0))
    second = lobby.in_play(tournament_id)
    assert [match.seats for match in second] == [match.seats[::-1] for match in first]
    assert len({wish["deal_id"] for wish in lobby.wishes()}) == 1
    assert {wish["deal_tables"] for wish in lobby.wishes()} == {4}
    play(lobby, tournament_id, (70, 0), (10, 0))
    assert [p["differences"] for p in pairings(lobby, tournament_id, 1)] == [[-30, 30], [30, -30]]
    assert [len(p["matches"]) for p in pairings(lobby, tournament_id, 1)] == [2, 2]
    assert [p["result"] for p in pairings(lobby, tournament_id, 1)] == ["second_wins", "first_wins"]
    assert lobby.see(tournament_id)["current_round"] == 2


def correct(lobby: Lobby, tournament_id: str, body: dict[str, Any]) -> Any:
    path = f"/api/v1/tournaments/{tournament_id}/corrections"
    seen = lobby.organiser.post(f"{path}/preview", body)
    assert seen.status_code == 200, seen.json
    done = lobby.organiser.post(path, body | {"digest": seen.json["digest"]})
    assert done.status_code == 201, done.json
    return done.json


def test_a_corrected_score_moves_everybody_who_held_the_same_cards(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 6, SWISS | {"format": {"kind": "swiss", "rounds": 1}})
    matches = play(lobby, tournament_id, (60, 0), (30, 0), (0, 0))
    tallies = [{"game_points": 0}, {"game_points": 0}]
    slot = pairings(lobby, tournament_id, 1)[0]["slot"]
    correct(
        lobby, tournament_id, {"slot": slot, "result": {"outcome": "draw", "tallies": tallies}, "reason": "miscounted"}
    )
    gained = points(lobby, tournament_id)
    assert [gained[match.seats[0]] for match in matches] == [-15, 30, -15]


def test_a_mirrored_encounter_is_corrected_as_a_whole(lobby: Lobby) -> None:
    tournament_id, _ = started(
        lobby, 2, {"kind": "duplicate", "format": {"kind": "swiss", "rounds": 1}, "mirrored": True}
    )
    (match,) = play(lobby, tournament_id, (60, 0))
    play(lobby, tournament_id, (20, 0))
    tallies = [{"game_points": 10}, {"game_points": 50}]
    slot = pairings(lobby, tournament_id, 1)[0]["slot"]
    correct(
        lobby, tournament_id, {"slot": slot, "result": {"outcome": "second_wins", "tallies": tallies}, "reason": "slip"}
    )
    assert points(lobby, tournament_id) == {match.seats[0]: -40, match.seats[1]: 40}


def test_a_round_that_is_paired_anew_gets_other_cards(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 4, SWISS)
    seats = [match.seats for match in lobby.in_play(tournament_id)]
    swapped = [[seats[0][0], seats[1][0]]]
    path = f"/api/v1/tournaments/{tournament_id}/rounds/1/pairing"
    answer = lobby.organiser.post(path, {"manual_pairs": swapped, "reason": "wrong list"})
    assert answer.status_code == 200, answer.json
    before, after = lobby.wishes()[:2], lobby.wishes()[2:]
    assert len({wish["deal_id"] for wish in after}) == 1
    assert after[0]["deal_id"] != before[0]["deal_id"]
    assert {wish["deal_tables"] for wish in after} == {2}
    play(lobby, tournament_id, (60, 0), (10, 0))
    assert sorted(points(lobby, tournament_id, 1).values()) == [-50, -50, 50, 50]


def test_who_withdraws_from_a_round_robin_forfeits_without_a_difference_for_anybody(lobby: Lobby) -> None:
    tournament_id, seeds = started(
        lobby, 4, {"kind": "duplicate", "format": {"kind": "round_robin", "annul_below_half": False}}
    )
    play(lobby, tournament_id, (10, 0), (30, 0))
    lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{seeds[0]}")
    play(lobby, tournament_id, (0, 0), (0, 0))  # opened before
    before = points(lobby, tournament_id, 2)
    play(lobby, tournament_id, (50, 0))
    after = points(lobby, tournament_id, 3)
    assert after[seeds[0]] == before[seeds[0]]
    assert lobby.see(tournament_id)["state"] == "finished"
