"""Who might call a service that knows accounts alone: an organiser or arbiter is somebody to it."""

from __future__ import annotations

from collections.abc import Callable

from gin_servicekit.auth import Scope
from tests.support.services import token_for

ANN, BOB, ELSE = (f"01990000-0000-7000-8000-00000000000{digit}" for digit in "abc")
BOT_SCOPES = (Scope.PLAY, Scope.TOURNAMENT_READ, Scope.TOURNAMENT_WRITE)
# The token of each; the player is Ann.
ROLES: dict[str, Callable[[], str | None]] = {
    "stranger": lambda: None,
    "guest": lambda: token_for(ELSE, guest=True),
    "somebody": lambda: token_for(ELSE),
    "bot": lambda: token_for(ELSE, *BOT_SCOPES),
    "player": lambda: token_for(ANN),
    "administrator": lambda: token_for(ELSE, administrator=True),
}
