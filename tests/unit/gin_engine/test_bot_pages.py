"""The pages of the bots tell what the catalogue holds."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from gin_bots import BASELINES, bots, bots_for
from gin_engine.pages import bots as bot_pages
from gin_servicekit.problems import NotFound
from gin_web.site import add_site


@pytest.fixture
def client() -> FlaskClient:
    app = Flask(__name__, static_folder=None)
    add_site(app)
    app.register_blueprint(bot_pages.pages())
    app.testing = True
    return app.test_client()


def seen(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.text)


def test_every_bot_stands_in_the_ladder_of_its_game_weakest_first(client: FlaskClient) -> None:
    page = seen(client, "/bots")
    for game in BASELINES:
        ladder = page.partition(f'<h2 id="{game}">')[2].partition("</section>")[0]
        assert re.findall(r'href="/bots/([^"]+)"', ladder) == [bot.name for bot in bots_for(game)]


def test_a_bot_shows_its_measured_rate_and_its_interval(client: FlaskClient) -> None:
    for bot in bots():
        page = seen(client, f"/bots/{bot.name}")
        for measured in bot.measurements:
            low, high = (f"{100 * end:.1f}" for end in measured.interval)
            assert f"{100 * measured.win_rate:.1f} %" in page
            assert f"{low} % to {high} %, {measured.matches} matches" in page


def test_one_click_plays_the_bot_by_the_form_that_opens_a_table(client: FlaskClient) -> None:
    page = seen(client, "/bots/expert")
    form = page.partition('<form class="form" method="post" action="/play/computer">')[2].partition("</form>")[0]
    assert 'name="game" value="rummy"' in form
    assert 'name="bot" value="expert"' in form
    assert '<option value="standard">' in form


def test_an_unknown_bot_is_not_found(client: FlaskClient) -> None:
    with pytest.raises(NotFound):
        client.get("/bots/deep")
