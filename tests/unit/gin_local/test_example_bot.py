"""The example program of docs/bots.md, where it meets what an earlier run of it has done."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "bot.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("example_bot", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def refusing(example: Any, slug: str) -> Any:
    def server(_method: str, _path: str, _body: Any) -> Any:
        raise example.Refused(409, {"type": f"urn:ginhall:problem:{slug}", "detail": "no"})

    return server


def test_whoever_starts_it_again_need_not_enter_again(example: Any) -> None:
    example.enter(refusing(example, "already-entered"), "/api/v1/tournaments/1", "me")


def test_a_tournament_that_cannot_be_entered_ends_it(example: Any) -> None:
    with pytest.raises(example.Refused, match="no"):
        example.enter(refusing(example, "wrong-tournament-state"), "/api/v1/tournaments/1", "me")
