"""Duplicate play: tables that play the same cards, the seats exchanged, so that luck in the deal weighs for nobody.

The tables share one deal id, seed, salt and entropy; all of it is revealed when the last of them is over. The same
dealer begins at each, the deal alternates, and the number of hands is fixed: so hand and seat name the same cards at
every table.
"""

from __future__ import annotations

from collections.abc import Sequence

from gin_rules.game import GameError
from gin_rules.record import MatchRecord
from gin_rules.verify import Finding, verify

_SHARED = ("game", "rules", "deal_id", "algorithm", "commitment", "entropy", "seed", "salt", "first_dealer")


class NotDuplicate(GameError):
    """Records that are not those of tables with the same cards; the message names the field that differs."""


def verify_duplicate(records: Sequence[MatchRecord]) -> tuple[int, Finding] | None:
    """The first record that does not hold (counted from 0) with what is wrong in it, or None when all hold.

    Raises `NotDuplicate` unless the records share their cards and seat them alike, and `verify`'s errors.
    """
    for record in records[1:]:
        for field in _SHARED:
            if getattr(record, field) != getattr(records[0], field):
                raise NotDuplicate(f"{record.match_id} and {records[0].match_id} differ in {field}")
    for record in records:
        if record.rules.get("fixed_hands") is None or record.rules.get("dealer") != "alternate":
            raise NotDuplicate("tables compare only over a fixed number of hands with an alternating deal")
        if record.first_dealer is None:
            raise NotDuplicate("the first dealer must be agreed")
    for at, record in enumerate(records):
        finding = verify(record)
        if finding is not None:
            return at, finding
    return None
