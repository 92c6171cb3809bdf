"""`ginhall words`: what a referee of Word Gin looks up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from gin_local.desk.failures import Refused
from gin_rules.game import GameError
from gin_rules.word.cards import InvalidCards
from gin_rules.word.desk import BestWords, Ruling, best_words, check_words, dictionary_of_rules, two_letter_words
from gin_rules.word.dictionary import BUILT_IN, dictionary_names, read_dictionary, register_dictionary
from gin_rules.word.rules import RuleSet
from gin_rules.word.word_finder import Layout

_F = TypeVar("_F", bound=Callable[..., Any])
_NOT_IN_A_NAME: Final = re.compile(r"[^a-z0-9._-]+")
_A_LINE: Final = 16


def _options(command: _F) -> _F:
    command = click.option("--json", "as_json", is_flag=True, help="For programs.")(command)
    return click.option(
        "--dictionary",
        metavar="NAME|FILE",
        help="A dictionary by name, or a file with one word a line.  [default: scowl-60]",
    )(command)


@click.group()
def words() -> None:
    """Look words up for a match of Word Gin."""


@words.command()
@click.argument("asked", metavar="WORD...", nargs=-1, required=True)
@_options
def check(asked: tuple[str, ...], dictionary: str | None, as_json: bool) -> None:
    """Rule on each WORD: whether it holds against a challenge, why, and what is at stake."""
    rules = _rules(dictionary)
    rulings = check_words(asked, rules)
    if as_json:
        document = {"dictionary": rules.dictionary, "words": [ruling._asdict() for ruling in rulings]}
        click.echo(json.dumps(document))
        return
    width = max(len(ruling.word) for ruling in rulings)
    for ruling in rulings:
        click.echo(f"{ruling.word:<{width}}  {_ruling_text(ruling)}")


@words.command("two-letter")
@_options
def two_letter(dictionary: str | None, as_json: bool) -> None:
    """List every acceptable word of two letters: the card that all players are given."""
    rules = _rules(dictionary)
    found = two_letter_words(rules)
    if as_json:
        click.echo(json.dumps({"dictionary": rules.dictionary, "words": list(found)}))
        return
    for start in range(0, len(found), _A_LINE):
        click.echo(" ".join(found[start : start + _A_LINE]))


@words.command()
@click.argument("cards", nargs=-1, required=True)
@_options
def best(cards: tuple[str, ...], dictionary: str | None, as_json: bool) -> None:
    """Find the words that pay best in one to eleven CARDS, and the Gin in ten or eleven: "Er1 Qg Tb2 …".

    A card is its letter and its suit, r, g, b or y, with a number where the suit has the letter more than once.
    """
    rules = _rules(dictionary)
    try:
        found = best_words(" ".join(cards), rules)
    except (GameError, InvalidCards) as wrong:
        raise Refused(wrong) from wrong
    click.echo(json.dumps(_best_to_json(rules, found)) if as_json else _best_to_text(found))


def _rules(dictionary: str | None) -> RuleSet:
    if dictionary is None:
        return RuleSet()
    try:
        if dictionary in dictionary_names():
            return RuleSet(dictionary=dictionary)
        path = Path(dictionary)
        if not path.exists():
            names = ", ".join(dictionary_names())
            raise Refused(f"{dictionary} is neither a file nor a dictionary; there are: {names}")
        name = _NOT_IN_A_NAME.sub("-", path.stem.lower()).lstrip("._-")[:60] or "file"
        if name in BUILT_IN:
            name = f"my-{name}"
        register_dictionary(read_dictionary(name, path.read_bytes()))
        rules = RuleSet(dictionary=name)
        dictionary_of_rules(rules)
    except (OSError, GameError) as wrong:
        raise Refused(f"{dictionary}: {wrong}") from wrong
    return rules


def _ruling_text(ruling: Ruling) -> str:
    verdict = "acceptable" if ruling.acceptable else "not acceptable"
    told = f"{verdict}: {ruling.reason}"
    if ruling.acceptable:
        told += f"; {ruling.points} points"
    if ruling.at_stake:
        told += f"; a challenge moves {ruling.at_stake}"
    return told


def _best_to_json(rules: RuleSet, found: BestWords) -> dict[str, Any]:
    return {
        "dictionary": rules.dictionary,
        "score": found.score,
        **_layout_to_json(found.layout),
        "gin": None if found.gin is None else {**_layout_to_json(found.gin), "face_down": found.face_down},
    }


def _layout_to_json(layout: Layout) -> dict[str, Any]:
    return {
        "words": list(layout.texts),
        "points": layout.points,
        "unused": list(layout.unused),
        "unused_points": layout.unused_points,
        "longest": layout.longest,
    }


def _best_to_text(found: BestWords) -> str:
    layout = found.layout
    lines = [
        f"Words:   {' '.join(layout.texts) or 'none'} ({layout.points})",
        f"Unused:  {' '.join(layout.unused) or 'none'} ({-layout.unused_points})",
        f"Score:   {found.score}",
    ]
    if found.gin is not None:
        face_down = f", {found.face_down} face down" if found.face_down else ""
        lines.append(f"Gin:     {' '.join(found.gin.texts)} ({found.gin.points}{face_down})")
    return "\n".join(lines)
