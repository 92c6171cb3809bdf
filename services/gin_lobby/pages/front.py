"""The front page, for a stranger first of all: play the computer at once, or look what is on. And all tournaments."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, render_template, request

from gin_bots import FRIENDLY, Bot, bots_for
from gin_lobby.domain.tournament import BEFORE_START, ENDED, Tournament, TournamentState
from gin_lobby.store import tournaments
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.service import Service
from gin_web.presets import GAME_NAMES, Preset, presets_for_two

SHOWN = 6
PAGE = 48


class GameOffer(NamedTuple):
    """A game against the computer, as the form at /play/computer takes it."""

    game: str
    title: str
    about: str
    bots: tuple[Bot, ...]
    """Weakest first."""
    friendly: str
    """The bot for who does not choose."""
    presets: tuple[Preset, ...]


_ABOUT = {
    "rummy": "Build sets and runs, keep your deadwood low, and knock before the computer does.",
    "word": "The same idea with letters: ten cards, all of them in words, and bluffs that may be challenged.",
}


def _offers() -> list[GameOffer]:
    return [
        GameOffer(game, title, _ABOUT[game], bots_for(game), FRIENDLY[game], presets_for_two(game))
        for game, title in GAME_NAMES.items()
    ]


class Section(NamedTuple):
    title: str
    anchor: str
    none_yet: str
    tournaments: list[Tournament]


_SECTIONS = (
    ("Running now", "running", "Nothing is being played just now.", (TournamentState.RUNNING,)),
    ("Upcoming", "upcoming", "Nothing is announced just now.", BEFORE_START),
    ("Finished", "finished", "No tournament has ended yet.", ENDED),
)


def front_pages(service: Service) -> Blueprint:
    pages = Blueprint("front", __name__, template_folder="templates")

    @pages.get("/")
    def front() -> str:
        with service.transaction() as tx:
            sections = _sections(tx)
        return render_template("front.html", offers=_offers(), sections=sections)

    @pages.get("/tournaments")
    def all_tournaments() -> str:
        before = parse_id(request.args.get("before", ""))
        with service.transaction() as tx:
            if before is None:
                running, upcoming, _ = _sections(tx)
                sections = [running, upcoming]
            else:
                sections = []
            ended = tournaments.page(tx, ENDED, None, before, PAGE)
        sections.append(Section("Finished", "finished", "No tournament has ended yet.", ended))
        return render_template(
            "tournaments.html", sections=sections, older=ended[-1].tournament_id if len(ended) == PAGE else None
        )

    return pages


def _sections(tx: Transaction) -> list[Section]:
    return [
        Section(title, anchor, none_yet, tournaments.page(tx, states, None, None, SHOWN if states is ENDED else PAGE))
        for title, anchor, none_yet, states in _SECTIONS
    ]
