"""Who may listen, until when, and what happens to those who are too many or too slow."""

import socket
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import jwt

from gin_servicekit.auth import Scope, publish_revocations
from tests.integration.live.conftest import Live
from tests.support.live import PATIENCE_SECONDS, Listener, until
from tests.support.services import token_for

ANN, BOB = "01990000-0000-7000-8000-00000000000a", "01990000-0000-7000-8000-00000000000b"


def test_a_player_hears_what_is_hers(live: Live) -> None:
    listener = live.listen(f"player:{ANN}", "tables", token=token_for(ANN))
    live.announce(f"player:{BOB}", "called", match_id="1")
    live.announce(f"player:{ANN}", "called", match_id="2")
    assert listener.wait_for(1)[0].data == {"topic": f"player:{ANN}", "match_id": "2"}


def test_the_session_of_a_page_is_as_good_as_a_token(live: Live) -> None:
    cookies = {"Cookie": f"ginhall_session={token_for(ANN)}"}
    listener = Listener(live.process.port, (f"player:{ANN}",), headers=cookies)
    live.listeners.append(listener)
    live.announce(f"player:{ANN}", "called", match_id="1")
    assert listener.wait_for(1)[0].event == "called"
    assert Listener(live.process.port, (f"player:{BOB}",), headers=cookies).status == 403


def test_nobody_hears_what_is_anothers(live: Live) -> None:
    cases = (
        (None, 401),
        ("not a token", 401),
        (token_for(ANN, now=datetime.now(UTC) - timedelta(hours=2)), 401),
        (token_for(BOB), 403),
        (token_for(BOB, administrator=True), 403),
    )
    for token, status in cases:
        for topic in (f"player:{ANN}", f"seat:{ANN}"):
            refused = live.listen("tables", topic, token=token)
            assert (refused.status, refused.problem["status"]) == (status, status)
            assert refused.answer_headers["Content-Type"] == "application/problem+json"


def test_what_a_seat_sees_is_heard_with_a_token_to_play_alone(live: Live) -> None:
    for scope in set(Scope) - {Scope.PLAY}:
        refused = live.listen(f"seat:{ANN}", token=token_for(ANN, scope))
        assert (refused.status, refused.problem["detail"]) == (403, "the token lacks the scope 'play'")
    listener = live.listen(f"seat:{ANN}", token=token_for(ANN, Scope.PLAY))
    live.announce(f"seat:{BOB}", "seen", match_id="1", view={"hand": ["As"]})
    live.announce(f"seat:{ANN}", "seen", match_id="1", view={"hand": ["Kd"]})
    assert listener.wait_for(1)[0].data == {"topic": f"seat:{ANN}", "match_id": "1", "view": {"hand": ["Kd"]}}


def test_a_revoked_token_ends_its_streams_within_seconds_and_no_other(live: Live) -> None:
    token, other = token_for(ANN), token_for(ANN)
    mine, open_to_all = live.listen(f"player:{ANN}", token=token), live.listen("tables", token=token)
    still = live.listen(f"player:{ANN}", token=other)
    token_id = jwt.decode(token, options={"verify_signature": False})["jti"]
    publish_revocations(live.redis_url, {token_id: datetime.now(UTC) + timedelta(hours=1)}, datetime.now(UTC))
    until(lambda: mine.ended, "the end of the stream")
    live.announce(f"player:{ANN}", "called", match_id="1")
    assert still.wait_for(1)[0].event == "called"
    assert mine.events == []
    assert not open_to_all.ended
    assert live.listen(f"player:{ANN}", token=token, last_event_id=mine.last_event_id).status == 401


def test_beyond_the_limit_nobody_is_let_in_and_a_place_that_is_left_is_given_again(
    start_live: Callable[..., Live],
) -> None:
    live = start_live(GINHALL_LIVE_WATCHERS="3", GINHALL_LIVE_HEARTBEAT_SECONDS="0.2")
    listeners = [live.listen("tables") for _ in range(3)]
    refused = live.listen("tables")
    assert (refused.status, refused.problem["status"]) == (503, 503)
    assert int(refused.answer_headers["Retry-After"]) > 0
    assert live.process.measure("live_refused_total") == 1
    live.announce("tables", "changed")
    assert [listener.wait_for(1)[0].event for listener in listeners] == ["changed"] * 3
    listeners[0].close()
    until(lambda: live.process.measure("live_watchers") == 2, "the place is free")
    assert live.listen("tables").status == 200


def test_a_personal_stream_ends_with_the_token_that_began_it(live: Live) -> None:
    soon_over = token_for(ANN, now=datetime.now(UTC) - timedelta(hours=1) + timedelta(seconds=2))
    mine, still = live.listen(f"player:{ANN}", token=soon_over), live.listen(f"player:{ANN}", token=token_for(ANN))
    assert mine.status == 200
    until(lambda: mine.ended, "the end of the stream")
    live.announce(f"player:{ANN}", "called", match_id="1")
    assert still.wait_for(1)[0].event == "called"
    assert mine.events == []


def test_one_address_gets_only_so_many_places_and_others_still_find_room(start_live: Callable[..., Live]) -> None:
    live = start_live(GINHALL_LIVE_WATCHERS_PER_ADDRESS="2", GINHALL_LIVE_HEARTBEAT_SECONDS="0.2")

    def listen(address: str) -> Listener:
        listener = Listener(live.process.port, ("tables",), headers={"X-Forwarded-For": address})
        live.listeners.append(listener)
        return listener

    first, *_ = [listen("203.0.113.7") for _ in range(2)]
    refused = listen("203.0.113.7")
    assert (refused.status, refused.problem["type"]) == (429, "urn:ginhall:problem:too-many-requests")
    assert int(refused.answer_headers["Retry-After"]) > 0
    assert listen("203.0.113.8").status == 200
    # Of IPv6 a client has a whole network.
    assert [listen(f"2001:db8::{number}").status for number in (1, 2, 3)] == [200, 200, 429]
    first.close()
    until(lambda: live.process.measure("live_watchers") == 4, "the place is free")
    assert listen("203.0.113.7").status == 200


def test_whoever_does_not_read_is_dropped_and_the_others_hear_everything(live: Live) -> None:
    topic = live.named("table:1")
    dropped = live.process.measure('live_dropped_total{reason="slow"}')
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", live.process.port))
        slow.sendall(f"GET /live/v1/events?topic={quote(topic)} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        quick = live.listen("table:1")
        until(lambda: live.process.measure("live_watchers") >= 2, "both listen")
        sent = 0
        deadline = time.monotonic() + PATIENCE_SECONDS
        while live.process.measure('live_dropped_total{reason="slow"}') == dropped:
            assert time.monotonic() < deadline, "the slow one was never dropped"
            for _ in range(50):
                live.announce("table:1", padding="x" * 500, n=sent)
                sent += 1
            quick.wait_for(sent)
    assert [data["n"] for data in quick.told()] == list(range(sent))
    assert not quick.ended


def test_a_process_that_is_asked_to_end_ends_its_streams_well(start_live: Callable[..., Live]) -> None:
    live = start_live()
    listeners = [live.listen("tables", f"table:{n}") for n in range(5)]
    assert live.process.stop() == 0
    for listener in listeners:
        until(lambda listener=listener: listener.ended, "the end of a stream")  # type: ignore[misc]  # bound now
    assert "graceful timeout" not in live.process.log.read_text().lower()


def test_it_tells_how_it_fares(live: Live) -> None:
    before = live.process.measure("live_events_total")
    listener = live.listen("table:1")
    live.announce("table:1", n=1)
    listener.wait_for(1)
    assert live.process.measure("live_events_total") == before + 1
    assert live.process.measure("live_reading") == 1
    assert live.process.measure("live_topics") >= 1
    assert live.process.measure("live_lag_seconds_count") >= 1
