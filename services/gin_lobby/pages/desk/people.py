"""Whom an organiser means who types a name, or an id where several have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from gin_lobby.domain.tournament import EntrantRow
from gin_lobby.store import entrant_lists
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import InvalidField


def player_named(tx: Transaction, text: str, field: str) -> UUID:
    """Raises InvalidField where it is nobody, or several."""
    known = parse_id(text)
    if known is not None:
        return known
    return _only(entrant_lists.players_named(tx, [text.casefold()]).get(text.casefold(), []), text, field)


def entrant_named(entrants: Iterable[EntrantRow], text: str, field: str) -> UUID:
    """The same among those who are in a tournament."""
    known = parse_id(text)
    wanted = text.casefold()
    found = [e.player_id for e in entrants if e.player_id == known or e.name.casefold() == wanted]
    return _only(found, text, field)


def names_of_pairs(pairs: Iterable[Iterable[str]], names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each pair as the value of a form and as a text for people."""
    found = []
    for pair in pairs:
        ids = list(pair)
        found.append((" ".join(ids), " – ".join(names.get(player, "somebody") for player in ids)))
    return found


def _only(found: Sequence[UUID], text: str, field: str) -> UUID:
    if not found:
        raise InvalidField(f"nobody here is called {text}", field)
    if len(found) > 1:
        raise InvalidField(
            f"{len(found)} are called {text}: give the id, which stands in the address of a player", field
        )
    (only,) = found
    return only
