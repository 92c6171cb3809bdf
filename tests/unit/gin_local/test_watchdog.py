"""A worker that lives but consumes nothing is restarted; any other is left alone."""

from pathlib import Path

import pytest

from gin_local.errors import HouseError
from gin_local.readiness import Answer
from gin_local.supervision import ProcessInfo
from gin_local.watchdog import end_container, is_stalled, main, stalled_workers


def _told(idle_seconds: float | None) -> Answer:
    return Answer(503, {"worker_seconds_since_consumed": idle_seconds})


def _running(name: str, uptime_seconds: int = 600, state: str = "RUNNING") -> ProcessInfo:
    return ProcessInfo(name, state, 7, uptime_seconds, "")


@pytest.mark.parametrize(
    ("answer", "uptime_seconds", "stalled"),
    [
        (_told(21), 600, True),
        (_told(20), 600, False),
        (_told(None), 61, True),
        (_told(None), 20, False),
        (_told(600), 10, False),
        (Answer(None), 600, False),
        (Answer(502, {}), 600, False),
    ],
)
def test_worker_is_stalled_after_a_minute_without_a_task(answer: Answer, uptime_seconds: int, stalled: bool) -> None:
    assert is_stalled(answer, uptime_seconds) is stalled


def test_only_the_stalled_worker_is_restarted() -> None:
    processes = [_running("beat"), _running("lobby-worker"), _running("engine-worker")]
    answers = {"lobby-worker": _told(1), "engine-worker": _told(90)}
    assert stalled_workers(processes, answers) == ["engine-worker"]


def test_worker_that_supervisord_already_restarts_is_left_to_it() -> None:
    assert stalled_workers([_running("lobby-worker", 0, "BACKOFF")], {"lobby-worker": _told(90)}) == []


def test_beat_is_suspected_first_when_every_worker_stalls() -> None:
    processes = [_running("beat"), _running("lobby-worker"), _running("engine-worker")]
    answers = {"lobby-worker": _told(90), "engine-worker": _told(90)}
    assert stalled_workers(processes, answers) == ["beat", "lobby-worker", "engine-worker"]


@pytest.mark.skipif(not Path("/proc/1/comm").exists(), reason="only Linux has containers with an init of their own")
def test_outside_a_container_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gin_local.watchdog._INIT_PROGRAMS", frozenset({"an init that no machine runs"}))
    with pytest.raises(HouseError, match="nothing was ended"):
        end_container()


def test_unknown_words_are_answered_with_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dance"]) == 2
    assert "watchdog watch SOCKET" in capsys.readouterr().err
