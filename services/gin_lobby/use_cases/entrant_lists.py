"""Entering a whole list of players at once: all of it, what is good of it, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from gin_lobby.domain.entrant_list import BadLine, EntrantList, Line
from gin_lobby.domain.problems import ImportRefused, WrongState
from gin_lobby.domain.tournament import EntrantRow
from gin_lobby.store import entrant_lists as store
from gin_lobby.use_cases.entrants import enter
from gin_lobby.use_cases.tournaments import organised
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import Problem

SHOWN_FAULTS = 1_000


@dataclass(frozen=True, slots=True)
class Entered:
    line: int
    entrant: EntrantRow


@dataclass(frozen=True, slots=True)
class ImportReport:
    entered: list[Entered]
    bad: list[BadLine]
    ignored: list[str]


def import_list(
    tx: Transaction, caller: Caller, tournament_id: UUID | None, wanted: EntrantList, *, skip_bad: bool
) -> ImportReport:
    """Enters everybody on the list, best seeds first, as `enter` does for one.

    Without `skip_bad` one bad line refuses the whole list: raises ImportRefused, which names each line and column.
    Raises NotFound, NotTheOrganiser, and WrongState where nobody can enter now.
    """
    organised(tx, caller, tournament_id)
    by_name = store.players_named(tx, sorted({line.name.casefold() for line in wanted.lines if line.name}))
    names = store.names_of(tx, [known for line in wanted.lines if (known := parse_id(line.id))])
    bad = list(wanted.bad)
    entered: list[Entered] = []
    in_list: dict[UUID, int] = {}
    for line in wanted.lines:
        found = _who(line, by_name, names)
        if isinstance(found, UUID) and found in in_list:
            found = BadLine(line.number, 0, f"is the same player as line {in_list[found]}")
        if isinstance(found, BadLine):
            bad.append(found)
            continue
        in_list[found] = line.number
        try:
            entered.append(Entered(line.number, enter(tx, caller, tournament_id, found)))
        except Problem as problem:
            if isinstance(problem, WrongState) and not entered:
                raise  # it is not this line that is wrong
            bad.append(BadLine(line.number, line.columns.get("id") or line.columns["name"], problem.detail))
    bad.sort()
    entered.sort(key=lambda entry: entry.line)
    if bad and not skip_bad:
        refused = ImportRefused(f"{len({b.line for b in bad})} lines are bad, and nobody was entered")
        refused.faults = [(b.place, b.problem) for b in bad[:SHOWN_FAULTS]]
        raise refused
    return ImportReport(entered, bad, list(wanted.ignored))


def _who(line: Line, by_name: dict[str, list[UUID]], names: dict[UUID, str]) -> UUID | BadLine:
    """The player whom a line means, or why that cannot be told."""
    if line.id:
        known = parse_id(line.id)
        if known is None or known not in names:
            return BadLine(line.number, line.columns["id"], f"there is no player {line.id}")
        if line.name and names[known].casefold() != line.name.casefold():
            problem = f"player {line.id} is called {names[known]}, not {line.name}"
            return BadLine(line.number, line.columns["name"], problem)
        return known
    found = by_name.get(line.name.casefold(), [])
    if not found:
        return BadLine(line.number, line.columns["name"], f"there is no player called {line.name}")
    if len(found) > 1:
        return BadLine(line.number, line.columns["name"], f"{len(found)} players are called {line.name}: give the id")
    return found[0]
