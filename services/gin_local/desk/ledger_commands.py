"""`ginhall ratings verify`."""

from __future__ import annotations

import json
import sys
from typing import Final

import click

from gin_local.desk.failures import DeskError, Refused
from gin_local.desk.ledgers import check_ledger, read_ledger, verdict_to_json, verdict_to_text

_DOES_NOT_HOLD: Final = 1


@click.group()
def ratings() -> None:
    """Recompute ratings from their public ledger."""


@ratings.command()
@click.argument("ledger")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def verify(ledger: str, as_json: bool) -> None:
    """Recompute a pool from LEDGER: a file, - for standard input, or the address of a ledger of a running house.

    Exit status 0 when every number and hash follows; 1 when one does not, and the first such entry is named; 2 for
    what cannot be read.
    """
    try:
        read = read_ledger(ledger)
    except DeskError as wrong:
        raise Refused(wrong) from wrong
    difference = check_ledger(read)
    click.echo(json.dumps(verdict_to_json(read, difference)) if as_json else verdict_to_text(read, difference))
    if difference is not None:
        sys.exit(_DOES_NOT_HOLD)
