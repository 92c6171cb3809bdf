"""Everything at the same moment: one round is made, one place given, one result counted, one player advanced."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import UUID

from gin_lobby.tasks import advance_due
from gin_lobby.use_cases import pauses, results
from gin_messages.match import SeatResult
from gin_servicekit.auth import Caller
from tests.integration.lobby.conftest import Lobby, won_by_first


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """What each of them gave, all of them having begun together."""
    start = Barrier(len(works))

    def begin(work: Callable[[], Any]) -> Any:
        start.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return [done.result() for done in [pool.submit(begin, work) for work in works]]


def path(tournament_id: str, what: str) -> str:
    return f"/api/v1/tournaments/{tournament_id}{what}"


def test_a_round_paired_by_many_workers_at_once_is_there_once(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(8)
    lobby.clock.move(hours=1)
    at_once(*[lambda: advance_due(lobby.service)] * 6)
    assert [r["number"] for r in lobby.see(tournament_id, "/rounds")["rounds"]] == [1]
    assert len(lobby.undecided(tournament_id)) == len(lobby.wishes()) == 4


def test_who_waited_for_a_tournament_tells_a_later_time_than_whom_they_waited_for(lobby: Lobby) -> None:
    """Of two words on the deadline of a match the engine believes the later one: here that it is paused."""
    tournament_id = lobby.with_bots(2)
    lobby.start(tournament_id)
    organiser = Caller(lobby.organiser_id, frozenset(), administrator=False, token_id="")
    more_time = {"minutes": 5, "reason": "the clock stood"}
    with lobby.service.transaction() as waited:
        lobby.clock.move(seconds=1)
        assert lobby.organiser.post(path(tournament_id, "/rounds/1/extension"), more_time).status_code == 200
        lobby.clock.move(seconds=1)
        pauses.pause(waited, organiser, UUID(tournament_id), "tea")
    latest = max(lobby.outbox("deadline_moved"), key=lambda told: told["moved_at"])
    assert latest["deadline_at"] is None


def test_a_round_paired_again_twice_at_once_leaves_everybody_one_table(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(8)
    lobby.start(tournament_id)
    again = path(tournament_id, "/rounds/1/pairing")
    codes = at_once(*[lambda: lobby.organiser.post(again, {"reason": "twice"}).status_code] * 3)
    assert set(codes) == {200}
    seats = [seat for match in lobby.in_play(tournament_id) for seat in match.seats]
    assert sorted(seats) == sorted(lobby.seeds(tournament_id))
    assert len(lobby.wishes()) - len(lobby.outbox("cancel_match")) == 4


def test_a_hundred_who_want_the_last_place_get_one_and_the_waitlist_in_order(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(capacity=5)
    for number in range(4):
        lobby.enter(tournament_id, lobby.bot(f"There {number}"))
    bots = [lobby.bot(f"Late {number}") for number in range(100)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda bot: lobby.enter(tournament_id, bot), bots))
    assert Counter(a.json["state"] for a in answers) == {"registered": 1, "waitlisted": 99}
    line = [e for e in lobby.see(tournament_id, "/entrants")["entrants"] if e["state"] == "waitlisted"]
    leaver = lobby.see(tournament_id, "/entrants")["entrants"][0]["player_id"]
    at_once(*[lambda: lobby.organiser.delete(path(tournament_id, f"/entrants/{leaver}")).status_code] * 4)
    now = {e["player_id"]: e["state"] for e in lobby.see(tournament_id, "/entrants")["entrants"]}
    assert now[line[0]["player_id"]] == "registered", "the first in line moves up, once"
    assert sorted(now.values()).count("registered") == 5


def test_two_different_results_of_one_match_at_once_count_as_one(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    pairing = lobby.undecided(tournament_id)[0]
    first, second = pairing["first_id"], pairing["second_id"]
    upset = [SeatResult(first, 2, 10, 1, 0), SeatResult(second, 1, 100, 4, 0)]
    told = [won_by_first(lobby, pairing), won_by_first(lobby, pairing, seats=upset)] * 2
    at_once(*[lambda message=message: lobby.finish(message) for message in told])
    points = {s["player_id"]: s["points"] for s in lobby.see(tournament_id, "/standings")["standings"]}
    assert sorted((points[first], points[second])) == [0, 1]


def test_who_withdraws_while_it_starts_is_either_seated_or_not_in_it(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(5)
    leaver = lobby.seeds(tournament_id)[0]
    lobby.clock.move(hours=1)
    gone = path(tournament_id, f"/entrants/{leaver}")
    code, _ = at_once(lambda: lobby.organiser.delete(gone).status_code, lambda: advance_due(lobby.service))
    assert code == 200
    for _ in range(3):
        advance_due(lobby.service)
        lobby.play_round(tournament_id)
    assert lobby.see(tournament_id)["state"] == "finished"
    later = [p for p in lobby.see(tournament_id, "/pairings")["pairings"] if p["round"] > 1]
    assert leaver not in {seat for p in later for seat in p["fixture"]["seats"]}


def test_everybody_withdrawing_at_once_ends_it(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(6)
    lobby.start(tournament_id)
    leave = [
        lambda seat=seat: lobby.organiser.delete(path(tournament_id, f"/entrants/{seat}")).status_code
        for seat in lobby.seeds(tournament_id)
    ]
    assert set(at_once(*leave)) == {200}
    lobby.play_round(tournament_id)
    ended = lobby.see(tournament_id)
    assert (ended["state"], ended["current_round"]) == ("finished", 1)


def test_everybody_withdrawing_as_it_starts_cancels_or_ends_it(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    leave = [
        lambda seat=seat: lobby.organiser.delete(path(tournament_id, f"/entrants/{seat}"))
        for seat in lobby.seeds(tournament_id)
    ]
    lobby.clock.move(hours=1)
    at_once(*leave, lambda: advance_due(lobby.service))
    advance_due(lobby.service)
    lobby.play_round(tournament_id)
    assert lobby.see(tournament_id)["state"] in ("cancelled", "finished")


def test_the_last_result_as_it_is_cancelled_counts_or_is_void(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, rounds=1)
    lobby.start(tournament_id)
    (pairing,) = lobby.undecided(tournament_id)

    def last_result() -> None:
        with lobby.service.transaction() as tx:
            results.report_results(tx, [won_by_first(lobby, pairing)])
        advance_due(lobby.service)

    cancel = path(tournament_id, "/cancellation")
    _, code = at_once(last_result, lambda: lobby.organiser.post(cancel, {"reason": "closing"}).status_code)
    advance_due(lobby.service)
    (after,) = lobby.see(tournament_id, "/pairings")["pairings"]
    ended = lobby.see(tournament_id)
    assert (code, ended["state"]) in ((200, "cancelled"), (409, "finished"))
    assert after["result"] in ("first_wins", "void")
    assert lobby.see(tournament_id, "/standings")["complete"] is True


def test_a_pause_as_the_next_round_is_due_comes_before_it_or_after(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(8)
    lobby.start(tournament_id)
    for pairing in lobby.undecided(tournament_id):
        lobby.finish(won_by_first(lobby, pairing))
    stop = path(tournament_id, "/pause")
    code, *_ = at_once(
        lambda: lobby.organiser.post(stop, {"reason": "fire"}).status_code,
        *[lambda: advance_due(lobby.service)] * 3,
    )
    assert code == 200
    advance_due(lobby.service)
    open_ = {p["match_id"] for p in lobby.undecided(tournament_id)}
    assert len(open_) in (0, 4)
    assert {m["match_id"] for m in lobby.outbox("deadline_moved")} >= open_, "none of them has a deadline"
    lobby.organiser.delete(stop)
    for _ in range(4):
        advance_due(lobby.service)
        lobby.play_round(tournament_id)
    assert lobby.see(tournament_id)["state"] == "finished"


def test_pausing_twice_at_once_pauses_once(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2)
    stop = path(tournament_id, "/pause")
    codes = at_once(*[lambda: lobby.organiser.post(stop, {"reason": "fire"}).status_code] * 4)
    assert sorted(codes) == [200, 409, 409, 409]
