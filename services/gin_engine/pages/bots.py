"""/bots: the computer opponents of each game from the weakest to the strongest; /bots/{name}: one of them."""

from __future__ import annotations

from flask import Blueprint, render_template

from gin_bots import BASELINES, UnknownBot, bot_named, bots_for
from gin_servicekit.problems import NotFound
from gin_web.presets import GAME_NAMES, presets_for_two


def pages() -> Blueprint:
    blueprint = Blueprint("bot_pages", __name__, template_folder="templates")

    @blueprint.get("/bots")
    def ladders() -> str:
        return render_template(
            "bots.html",
            games=GAME_NAMES,
            ladders={game: bots_for(game) for game in GAME_NAMES},
            baselines={game: bot_named(name) for game, name in BASELINES.items()},
        )

    @blueprint.get("/bots/<string:name>")
    def one(name: str) -> str:
        try:
            bot = bot_named(name)
        except UnknownBot as unknown:
            raise NotFound("there is no such bot") from unknown
        return render_template(
            "bot.html",
            bot=bot,
            games=GAME_NAMES,
            ladders={game: bots_for(game) for game in bot.games},
            baselines={game: bot_named(BASELINES[game]) for game in bot.games},
            presets={game: presets_for_two(game) for game in bot.games},
        )

    return blueprint
