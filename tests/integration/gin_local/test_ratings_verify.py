"""`ginhall ratings verify` on ledgers as the ratings service serves them."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.serving import make_server

from gin_ratings.app import app_of
from gin_servicekit.service import Service
from tests.integration.ratings.conftest import service
from tests.integration.ratings.deliveries import deliver, finished
from tests.support.desk_command import document, run

__all__ = ["service"]  # the fixture

LEDGER = "/api/v1/pools/rummy/open/ledger"


@pytest.fixture
def pages(service: Service) -> list[dict[str, Any]]:
    """The ledger of a small season, in pages of five entries."""
    players = ("ann", "ben", "cid")
    deliver(service, *(finished(f"m{n}", (players[n % 3], 1), (players[(n + 1) % 3], 2)) for n in range(9)))
    deliver(service, finished("table", ("ann", 2), ("ben", 1), ("cid", 2)))
    client = app_of(service).test_client()
    served, after = [], 0
    while after is not None:
        served.append(client.get(f"{LEDGER}?after={after}&limit=5").get_json())
        after = served[-1]["next_after"]
    return served


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Any], str]:
    def write(content: Any) -> str:
        path = tmp_path / "ledger.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    return write


def test_pages_as_they_were_served_hold(pages: list[dict[str, Any]], written: Callable[[Any], str]) -> None:
    verdict = document("ratings", "verify", written(pages))
    assert verdict == {"pool": "rummy/open", "holds": True, "entries": 21, "end_checked": True, "difference": None}


def test_lines_of_entries_hold_but_their_end_is_not_known(
    pages: list[dict[str, Any]], written: Callable[[Any], str]
) -> None:
    entries = [entry for page in pages for entry in page["entries"]]
    ended = run("ratings", "verify", written("\n".join(map(json.dumps, entries))))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "21 entries of 3 players" in ended.stdout
    assert "may be missing" in ended.stdout


def test_standard_input_is_read(pages: list[dict[str, Any]]) -> None:
    ended = run("ratings", "verify", "-", told="\n".join(map(json.dumps, pages)))
    assert ended.returncode == 0, ended.stderr


def test_first_entry_that_differs_is_named(pages: list[dict[str, Any]], written: Callable[[Any], str]) -> None:
    pages[1]["entries"][2]["after"] += 1
    ended = run("ratings", "verify", written(pages), "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["difference"]["sequence"] == 8
    assert "First at entry 8" in run("ratings", "verify", written(pages)).stdout


def test_ledger_without_its_last_match_does_not_reach_the_published_end(
    pages: list[dict[str, Any]], written: Callable[[Any], str]
) -> None:
    pages[-2]["entries"] = pages[-2]["entries"][:-2]  # the last match has three entries: two here, one on the last page
    ended = run("ratings", "verify", written(pages[:-1]), "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["difference"]["field"] == "head"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "empty"),
        ("{", "no JSON"),
        ("[1]", "part 1"),
        ('{"entries": [{}], "size": 1, "head_hash": ""}', "opponents"),
        ('{"entries": []}', "size"),
    ],
)
def test_what_is_no_ledger_is_refused_in_one_line(content: str, complaint: str, written: Callable[[Any], str]) -> None:
    ended = run("ratings", "verify", written(content))
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert complaint in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1


def test_file_that_is_not_there_is_refused() -> None:
    ended = run("ratings", "verify", "/nowhere/ledger.json")
    assert ended.returncode == 2
    assert "/nowhere/ledger.json" in ended.stderr


@pytest.fixture
def house(service: Service) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app_of(service), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_address_of_a_house_is_followed_page_by_page(service: Service, house: str) -> None:
    deliver(service, *(finished(f"m{n}", ("ann", 1), (f"p{n}", 2)) for n in range(300)))
    assert document("ratings", "verify", house + LEDGER)["entries"] == 600
