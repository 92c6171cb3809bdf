"""Corrections among other things that happen in the same moment: real parallel requests on a real database."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gin_lobby.tasks import advance_due
from gin_lobby.use_cases import results
from tests.integration.lobby.conftest import Lobby, won_by_first
from tests.integration.lobby.correcting import do, log, look, wish


def test_two_corrections_at_once_are_done_one_after_the_other_or_refused(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(8)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    bodies = [wish("1.1"), wish("1.2"), wish("1.1", {"outcome": "draw"}), wish("1.3")]
    digests = [look(lobby, tournament_id, body).json["digest"] for body in bodies]
    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(lambda at: do(lobby, tournament_id, bodies[at], digests[at]).status_code, range(4)))
    assert codes.count(201) == len(log(lobby, tournament_id)) >= 1
    assert set(codes) <= {201, 412}
    pairings = lobby.see(tournament_id, "/pairings")["pairings"]
    second = sorted(s for p in pairings if p["round"] == 2 for s in p["fixture"]["seats"])
    assert second == sorted(lobby.seeds(tournament_id))


def test_one_correction_sent_many_times_is_done_once(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    digest = look(lobby, tournament_id, wish("1.1")).json["digest"]
    key = {"headers": {"Idempotency-Key": "once"}}

    def send(_: int) -> int:
        code: int = do(lobby, tournament_id, wish("1.1"), digest, headers=dict(key["headers"])).status_code
        return code

    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(send, range(6)))
    assert set(codes) == {201}
    assert len(log(lobby, tournament_id)) == 1


def test_results_that_come_in_while_a_round_is_paired_anew_are_counted_or_made_void(lobby: Lobby) -> None:
    """Never lost in between: each match played is decided in the tournament, or the ratings hear that it is void."""
    tournament_id = lobby.with_bots(8)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    old = {p["match_id"]: p for p in lobby.undecided(tournament_id)}

    def report(pairing: dict[str, Any]) -> None:
        with lobby.service.transaction() as tx:
            results.report_results(tx, [won_by_first(lobby, pairing)])

    def fix() -> None:
        seen = look(lobby, tournament_id, wish("1.1")).json
        do(lobby, tournament_id, wish("1.1"), seen["digest"])

    with ThreadPoolExecutor(5) as pool:
        corrected = pool.submit(fix)
        list(pool.map(report, old.values()))
        corrected.result()
    lobby.clock.move(seconds=60)
    advance_due(lobby.service)
    now = {m["match_id"]: m for p in lobby.see(tournament_id, "/pairings")["pairings"] for m in p["matches"]}
    voided = {t["match_id"] for t in lobby.outbox("result_corrected") if t["ending"] == "void"}
    for match_id in old:
        assert (match_id in voided) != (match_id in now), "counted or void, and not both"
        assert match_id in voided or now[match_id]["ended"] is not None
    while lobby.see(tournament_id)["state"] == "running":
        lobby.clock.move(seconds=60)
        lobby.play_round(tournament_id)
    assert lobby.see(tournament_id, "/standings")["complete"] is True
