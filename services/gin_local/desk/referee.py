"""`ginhall deadwood` and `ginhall settle`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from gin_local.desk.failures import DeskError, Refused
from gin_local.desk.hands import judge_hand, judged_to_json, judged_to_text
from gin_local.desk.lines import answer_lines
from gin_local.desk.settling import (
    read_ended_hand,
    read_rules,
    settle_hand,
    settlement_to_json,
    settlement_to_text,
)
from gin_rules.rummy.rules import STANDARD, RuleSet

STANDARD_INPUT = ("-",)


@click.command()
@click.argument("cards", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def deadwood(cards: tuple[str, ...], as_json: bool) -> None:
    """Tell the least deadwood of CARDS and the melds that leave it, such as "4c 5c 6c 7c 7d 7h 7s Kd Qh 2s".

    Of eleven cards, tell the best discards too, and the deadwood and melds after the first of them. With - for
    CARDS, read one {"hand": "…"} a line from standard input and write one JSON answer a line.
    """
    if cards == STANDARD_INPUT:
        answer_lines(sys.stdin.buffer, sys.stdout.buffer, lambda data: judged_to_json(judge_hand(_hand_of(data))))
        return
    try:
        judged = judge_hand(" ".join(cards))
    except DeskError as wrong:
        raise Refused(wrong) from wrong
    click.echo(json.dumps(judged_to_json(judged)) if as_json else judged_to_text(judged))


@click.command()
@click.argument("source", required=False)
@click.option("--knocker", help="The ten cards that the knocker keeps; eleven are big gin, where it is played.")
@click.option("--defender", help="The defender's ten cards.")
@click.option("--melds", help="The melds that the knocker shows: 4c5c6c/7d7h7s.  [default: the best]")
@click.option("--preset", help="A rule set by name.  [default: standard]")
@click.option("--rules", "rules_file", help="A JSON file with the rules that differ from a preset.")
@click.option("--upcard", help="The first upcard: in Oklahoma it sets the limit, and a spade may double.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def settle(
    source: str | None,
    knocker: str | None,
    defender: str | None,
    melds: str | None,
    preset: str | None,
    rules_file: str | None,
    upcard: str | None,
    as_json: bool,
) -> None:
    """Settle a hand that the knocker ended: layoffs, deadwood, who wins how many points, and why.

    With - read one {"knocker": "…", "defender": "…"} a line from standard input, with "melds", "rules" and "upcard"
    where they are needed, and write one JSON answer a line; --preset and --rules are for lines without rules.
    """
    try:
        rules = _rules(preset, rules_file)
        if source is not None:
            _check_source(source, knocker, defender, melds, upcard)
            answer_lines(
                sys.stdin.buffer,
                sys.stdout.buffer,
                lambda data: settlement_to_json(settle_hand(read_ended_hand(data, rules))),
            )
            return
        hand = {"knocker": knocker, "defender": defender, "melds": melds, "upcard": upcard}
        ended = read_ended_hand(hand, rules)
        settlement = settle_hand(ended)
    except DeskError as wrong:
        raise Refused(wrong) from wrong
    click.echo(json.dumps(settlement_to_json(settlement)) if as_json else settlement_to_text(ended, settlement))


def _hand_of(data: dict[str, Any]) -> object:
    if "hand" not in data:
        raise DeskError("the hand is missing")
    return data["hand"]


def _check_source(source: str, *alone: str | None) -> None:
    if source != "-":
        raise DeskError(f"{source!r} is not known here: give --knocker and --defender, or - for standard input")
    if any(option is not None for option in alone):
        raise DeskError("with - the hands, melds and upcards come from standard input")


def _rules(preset: str | None, file: str | None) -> RuleSet:
    if file is None:
        return STANDARD if preset is None else read_rules(preset)
    if preset is not None:
        raise DeskError('--preset and --rules exclude each other: the file may name its "preset"')
    try:
        return read_rules(json.loads(Path(file).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as wrong:
        raise DeskError(f"rules: {file} cannot be read: {wrong}") from wrong
