"""Guests whose browser has forgotten them are removed."""

from __future__ import annotations

from datetime import timedelta

from gin_lobby.store import accounts, former_names, lost_guests
from gin_servicekit.database import Transaction

AFTER = timedelta(days=5)
"""A session is good for 30 days after it was last used, and nobody signs in to a guest's account: then the guest is
lost. Matches at tables end at the latest 30 days after somebody last acted, a little later than that."""
AT_ONCE = 100


def remove_lost_guests(tx: Transaction) -> int:
    """Removes some guests who cannot come back and have nothing in play; tells how many.

    What they played stays as it is: the engine and the ratings keep the names of their guests, and players who
    entered a tournament stay in it.
    """
    lost = lost_guests.claim(tx, tx.now - AFTER, AT_ONCE)
    if lost:
        lost_guests.remove(tx, lost)
    return len(lost)


def forget_old_tokens(tx: Transaction) -> None:
    """Tokens that have been over for as long as makes a guest a lost one are removed: nobody is let in by them."""
    accounts.remove_tokens(tx, tx.now - AFTER)


def forget_old_names(tx: Transaction) -> None:
    """Names that were given up long ago are free again."""
    former_names.prune(tx)
