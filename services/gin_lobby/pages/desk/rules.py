"""The games that the forms offer, with their presets and the rules that organisers change most."""

from __future__ import annotations

from dataclasses import dataclass

from gin_lobby.pages.desk.fields import Field, Option

KEPT = "kept"
_LIKE_PRESET = Option("", "As the preset says")


@dataclass(frozen=True, slots=True)
class GameOffer:
    key: str
    title: str
    presets: tuple[Option, ...]
    fields: tuple[Field, ...]


def _number(name: str, label: str, least: int, most: int, hint: str = "") -> Field:
    return Field(f"rules.{name}", label, "number", hint=hint, least=least, most=most, required=False)


def _yes_no(name: str, label: str) -> Field:
    options = (_LIKE_PRESET, Option("yes", "Yes"), Option("no", "No"))
    return Field(f"rules.{name}", label, "yes_no", options=options, required=False)


def _choice(name: str, label: str, *options: tuple[str, str]) -> Field:
    of = (_LIKE_PRESET, *(Option(*option) for option in options))
    return Field(f"rules.{name}", label, "choice", options=of, required=False)


_GAMES = (
    GameOffer(
        "rummy",
        "Gin Rummy",
        (
            Option("standard", "Standard, to 100 points"),
            Option("short", "Quick, to 50 points"),
            Option("long", "Long, to 150 points"),
            Option("oklahoma", "Oklahoma: the upcard sets the knocking limit"),
            Option("straight", "Straight: no knocking, only gin"),
            Option("big_gin", "Big gin counts"),
            Option("hollywood", "Hollywood: three games at once"),
            Option("traditional", "Traditional bonuses, to 250 points"),
        ),
        (
            _number("target", "Points that win the match", 1, 1000),
            _number("fixed_hands", "Or so many hands instead", 1, 1000, "The higher total wins; a tie is a draw."),
            _number("knock_limit", "Most deadwood of a knock", 0, 10, "0: only gin ends a hand."),
            _number("gin_bonus", "Bonus for gin", 0, 100),
            _number("undercut_bonus", "Bonus for an undercut", 0, 100),
            _yes_no("oklahoma", "Oklahoma: the upcard sets the limit"),
            _yes_no("big_gin", "Big gin"),
            _choice(
                "layoffs", "Laying off", ("automatic", "The house lays off best"), ("manual", "The defender lays off")
            ),
            _choice("dealer", "Next to deal", ("alternate", "In turn"), ("loser", "Who lost"), ("winner", "Who won")),
            _choice("discard_view", "Of the discard pile one sees", ("top", "The top card"), ("spread", "All cards")),
            _choice(
                "seating",
                "At tables of more than two",
                ("two", "Tables of two only"),
                ("rotation3", "Three in turn"),
                ("rotation4", "Four in turn"),
                ("pairs4", "Four as partners"),
            ),
            _yes_no("advice", "Players may ask for their melds and deadwood"),
        ),
    ),
    GameOffer(
        "word",
        "Word Gin",
        (Option("standard", "Standard, to 200 points"), Option("short", "Quick, to 100 points")),
        (
            _number("target", "Points that win the match", 1, 10_000),
            _number("fixed_hands", "Or so many hands instead", 1, 1000, "The highest total wins; a tie is a draw."),
            _number("min_word", "Letters of the shortest word", 2, 10),
            _number("gin_bonus", "Bonus for gin", 0, 1000),
            _number("longest_word_bonus", "Bonus for each letter of the longest word", 0, 1000),
            _number("challenge_factor", "A challenge moves the points of the word times", 1, 10),
            _choice(
                "refuted_letters",
                "The letters of a refuted word",
                ("unused", "Count as unused, besides the penalty"),
                ("free", "Cost nothing more"),
            ),
            _yes_no("return_ban", "The card just taken may not be discarded at once"),
        ),
    ),
)
GAMES = {game.key: game for game in _GAMES}
