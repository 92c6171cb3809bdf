"""The pages of the ratings service: players and leaderboards. They read what REST reads."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import quote

from flask import Blueprint, Flask, Response, make_response, render_template, request

from gin_bots import bots
from gin_ratings.domain import curve
from gin_ratings.domain.curve import Point
from gin_ratings.domain.elo import NEWCOMER, uncertainty
from gin_ratings.domain.players import PLAYER_ID
from gin_ratings.use_cases import cursors, encounters, lookups
from gin_servicekit.problems import NotFound
from gin_servicekit.service import Service

MATCHES_SHOWN = 20
OPPONENTS_SHOWN = 12
RANKS_SHOWN = 50
ACTIVE_DAYS = 90
GAMES = {"rummy": "Gin Rummy", "word": "Word Gin"}
_BOT_TITLES = {bot.name: bot.title for bot in bots()}
POPULATIONS = {"people": "people only", "open": "people and bots"}


def add_pages(app: Flask, service: Service) -> None:
    pages = Blueprint("pages", __name__, template_folder="templates")
    for a_filter in (bot_name, player_path, pool_name, points, change, day):
        pages.add_app_template_filter(a_filter)

    @pages.get("/players/<string:player_id>")
    def player(player_id: str) -> str:
        _check(player_id)
        after = cursors.time_and_match(request.args.get("cursor"))
        with service.transaction() as tx:
            found = lookups.player_ratings(tx, player_id)
            matches = encounters.played(tx, player_id, after, MATCHES_SHOWN)
            met = [] if after else encounters.opponents(tx, player_id, OPPONENTS_SHOWN)
            shadow = {row.pool: row for row in lookups.shadow_ratings(tx, player_id)}
        last = matches.items[-1] if matches.more else None
        return render_template(
            "player.html",
            player=found,
            matches=matches.items,
            next_cursor=cursors.encode(last.finished_at.isoformat(), last.match_id) if last else None,
            first_page=after is None,
            opponents=met,
            shadow=shadow,
        )

    @pages.get("/players/<string:player_id>/<string:game>/<string:population>/curve.svg")
    def rating_curve(player_id: str, game: str, population: str) -> Response:
        _check(player_id)
        with service.transaction() as tx:
            name, changes = lookups.rating_curve(tx, player_id, f"{game}/{population}")
        start = Point(0, changes[0].before if changes else NEWCOMER.rating, uncertainty(0.0))
        drawn = curve.draw(
            [start, *(Point(n, c.after, uncertainty(c.effective_games)) for n, c in enumerate(changes, 1))]
        )
        response = make_response(
            render_template("curve.svg", curve=drawn, size=curve, name=name or player_id, pool=f"{game}/{population}")
        )
        response.mimetype = "image/svg+xml"
        response.headers["Cache-Control"] = "public, max-age=10"
        return response

    @pages.get("/leaderboards")
    def leaderboards() -> str:
        with service.transaction() as tx:
            rows = lookups.list_pools(tx)
            tops = {
                row.pool: lookups.leaderboard(
                    tx, row.pool, established=row.established > 0, active_days=None, after=None, limit=5
                ).items
                for row in rows
            }
        return render_template("leaderboards.html", pools=rows, tops=tops)

    @pages.get("/leaderboards/<string:game>/<string:population>")
    def leaderboard(game: str, population: str) -> str:
        provisional = request.args.get("standing") == "provisional"
        active = request.args.get("active") == "1"
        with service.transaction() as tx:
            page = lookups.leaderboard(
                tx,
                f"{game}/{population}",
                established=not provisional,
                active_days=ACTIVE_DAYS if active else None,
                after=cursors.rating_and_player(request.args.get("cursor")),
                limit=RANKS_SHOWN,
            )
        last = page.items[-1] if page.more else None
        return render_template(
            "leaderboard.html",
            pool=f"{game}/{population}",
            provisional=provisional,
            active=active,
            active_days=ACTIVE_DAYS,
            players=page.items,
            next_cursor=cursors.encode(last.rating, last.player_id) if last else None,
        )

    app.register_blueprint(pages)


def _check(player_id: str) -> None:
    if not PLAYER_ID.fullmatch(player_id):
        raise NotFound("there is no such player", "player_id")


def bot_name(player_id: str) -> str:
    """A computer opponent of casual play, who has no account and so no name here: `Simple`, `Word learner 2`.
    Any other id stays as it is.
    """
    bot, seat = _casual_bot(player_id)
    return f"{_BOT_TITLES[bot]} {seat}".strip() if bot else player_id


def player_path(player_id: str) -> str:
    """Where a player is told of; a computer opponent of casual play, among the bots."""
    bot, _ = _casual_bot(player_id)
    return f"/bots/{bot}" if bot else f"/players/{quote(player_id)}"


def _casual_bot(player_id: str) -> tuple[str, str]:
    """Which bot this is, and the seat that tells it from others of its kind; empty where there is none."""
    prefix, _, rest = player_id.partition("bot-")
    bot, _, seat = rest.rpartition("-")
    if prefix or not {rest, bot} & set(_BOT_TITLES):
        return "", ""
    return (rest, "") if rest in _BOT_TITLES else (bot, seat)


def pool_name(pool: str | None) -> str:
    """A pool for people: `Gin Rummy, people and bots`."""
    if pool is None:
        return "unrated"
    game, population = pool.split("/")
    return f"{GAMES.get(game, game)}, {POPULATIONS.get(population, population)}"


def points(rating: float) -> str:
    """A rating or a deviation in whole points."""
    return f"{rating:.0f}"


def change(value: float | None) -> str:
    """A change of rating with its sign, to a tenth: +4.3, −12.0, ±0."""
    if value is None:
        return ""
    return "±0" if round(value, 1) == 0 else f"{value:+.1f}".replace("-", "−")


def day(time: datetime) -> str:
    """A date for people: `30 Nov 2026`."""
    return f"{time.day} {time:%b %Y}"
