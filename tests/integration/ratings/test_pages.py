from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from gin_ratings.tasks import follow_ledgers
from gin_servicekit.service import Service
from tests.integration.ratings.deliveries import deliver, finished, renamed


@pytest.fixture
def season(service: Service) -> None:
    deliver(service, renamed("ann", "Ann <b>♠</b>", 1), renamed("ben", "Ben", 1, kind="bot"), renamed("dot", "Dot", 1))
    deliver(service, *(finished(f"m{n}", ("ann", 1), ("ben", 2), target=250) for n in range(30)))
    deliver(service, finished("tie", ("ben", 1), ("cid", 1)))
    follow_ledgers(service)


def text(client: FlaskClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.get_data(as_text=True)


@pytest.mark.usefixtures("season")
def test_player_page_tells_rating_opponents_matches_and_shadow(client: FlaskClient) -> None:
    page = text(client, "/players/ann")
    assert "Ann &lt;b&gt;♠&lt;/b&gt;" in page
    assert "<b>♠</b>" not in page
    assert 'href="/players/ben"' in page
    assert 'href="/replays/m29"' in page
    assert "Glicko-2" in page
    assert "/players/ann/rummy/open/curve.svg" in page
    older = text(client, "/players/ann?cursor=" + page.split("?cursor=")[1].split('"')[0])
    assert "Earlier matches" in older
    assert 'href="/replays/m0"' in older or 'href="/replays/m1"' in older


@pytest.mark.usefixtures("season")
def test_player_without_a_match_has_a_page(client: FlaskClient) -> None:
    assert "No match has been played yet" in text(client, "/players/dot")
    text(client, "/players/nobody", 404)


@pytest.mark.usefixtures("season")
def test_curve_is_a_drawing_that_names_its_player(client: FlaskClient) -> None:
    answer = client.get("/players/ann/rummy/open/curve.svg")
    assert answer.mimetype == "image/svg+xml"
    drawing = ElementTree.fromstring(answer.get_data())
    assert drawing.findtext("{http://www.w3.org/2000/svg}title") == "Rating of Ann <b>♠</b>: Gin Rummy, people and bots"
    text(client, "/players/nobody/rummy/open/curve.svg", 404)
    text(client, "/players/ann/chess/open/curve.svg", 404)


@pytest.mark.usefixtures("season")
def test_leaderboards_keep_the_established_apart(client: FlaskClient) -> None:
    assert "Gin Rummy, people and bots" in text(client, "/leaderboards")
    assert 'href="/players/ann"' in text(client, "/leaderboards/rummy/open")
    provisional = text(client, "/leaderboards/rummy/open?standing=provisional")
    assert 'href="/players/cid"' in provisional
    assert 'href="/players/ann"' not in provisional
    assert "Nobody stands on this list yet" in text(client, "/leaderboards/word/people")
    text(client, "/leaderboards/chess/people", 404)
