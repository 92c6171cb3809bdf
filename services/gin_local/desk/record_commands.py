"""`ginhall verify` and `ginhall replay`."""

from __future__ import annotations

import json
import sys
from typing import Final

import click

from gin_local.desk.failures import DeskError, Refused
from gin_local.desk.records import check_record, read_record, take_words, verdict_to_json, verdict_to_text
from gin_local.desk.replaying import Step, step_to_json, step_to_text, steps_of
from gin_rules.game import GameError
from gin_rules.record import BrokenReplay, MatchRecord

_DOES_NOT_HOLD: Final = 1
_HELP: Final = "Enter: next, a number: go to that step, q: quit"


_WORDS = click.option(
    "--dictionary",
    metavar="FILE|ADDRESS",
    help="The words that a match of Word Gin was played with, where they do not come with this program: as a house"
    " serves them at /api/v1/word-lists/SHA256.",
)


@click.command()
@click.argument("record")
@_WORDS
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def verify(record: str, dictionary: str | None, as_json: bool) -> None:
    """Check RECORD: a file, - for standard input, or the address of a record of a running house.

    Exit status 0 when all of it follows; 1 when something does not, and the first such action, deal or score is
    named; 2 for what cannot be read, or whose seed is not revealed yet.
    """
    try:
        take_words(dictionary)
        verdict = check_record(read_record(record))
    except DeskError as wrong:
        raise Refused(wrong) from wrong
    click.echo(json.dumps(verdict_to_json(verdict), indent=2) if as_json else verdict_to_text(verdict))
    if verdict.finding is not None:
        sys.exit(_DOES_NOT_HOLD)


@click.command()
@click.argument("record")
@_WORDS
@click.option("--json", "as_json", is_flag=True, help="For programs: every step in one document.")
def replay(record: str, dictionary: str | None, as_json: bool) -> None:
    """Step through RECORD: a file, - for standard input, or the address of a record of a running house.

    Enter shows the next step, a number jumps to that step, q quits. Where no terminal is, all steps are printed.
    Exit status 1 at an action that does not follow, 2 for what cannot be read.
    """
    try:
        take_words(dictionary)
        match = read_record(record)
        steps, broken = _steps(match)
    except (DeskError, GameError) as wrong:
        raise Refused(wrong) from wrong
    if as_json:
        click.echo(json.dumps(_document(match, steps, broken)))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _walk(match, steps)
    else:
        for step in steps:
            click.echo(step_to_text(match, step))
    if broken is not None:
        click.echo(f"The record does not hold: {broken}", err=True)
        sys.exit(_DOES_NOT_HOLD)


def _steps(record: MatchRecord) -> tuple[list[Step], BrokenReplay | None]:
    steps = []
    try:
        for step in steps_of(record):
            steps.append(step)  # noqa: PERF402 - what was reached before a break is kept
    except BrokenReplay as broken:
        return steps, broken
    return steps, None


def _document(record: MatchRecord, steps: list[Step], broken: BrokenReplay | None) -> dict[str, object]:
    return {
        "match_id": record.match_id,
        "game": record.game,
        "seats": list(record.seats),
        "steps": [step_to_json(record, step) for step in steps],
        "broken": None if broken is None else {"action": broken.index + 1, "reason": broken.reason},
    }


def _walk(record: MatchRecord, steps: list[Step]) -> None:
    click.echo(_HELP)
    at = 0
    while at < len(steps):
        click.echo(step_to_text(record, steps[at]))
        wanted = _answer()
        while wanted and not is_step(wanted, len(steps)):
            if wanted.lower() == "q":
                return
            click.echo(f"{_HELP}; steps are 0 to {len(steps) - 1}")
            wanted = _answer()
        at = int(wanted) if wanted else at + 1


def is_step(text: str, steps: int) -> bool:
    """Whether the text is the number of one of so many steps, counted from 0."""
    # What has more digits than their number is none, and may be too long to be read as a number.
    return text.isascii() and text.isdecimal() and len(text) <= len(str(steps)) and int(text) < steps


def _answer() -> str:
    try:
        return input("> ").strip()
    except EOFError:
        return "q"
