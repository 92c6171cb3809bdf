"""What the lobby refuses, each with a stable name for clients."""

from __future__ import annotations

from gin_servicekit.problems import Conflict, Forbidden, InvalidField


class NameTaken(Conflict):
    slug = "name-taken"


class AlreadySignedUp(Conflict):
    """The guest has a name and a password by now."""

    slug = "already-signed-up"


class NoAccount(Forbidden):
    """The token is a bot's, or its account is gone."""

    slug = "no-account"


class WrongPassword(Forbidden):
    """The account is unknown or the password wrong; which of them is not told."""

    status = 401
    slug = "wrong-password"


class NotTheOrganiser(Forbidden):
    slug = "not-the-organiser"


class NotYourPlayer(Forbidden):
    slug = "not-your-player"


class WrongState(Conflict):
    """The tournament is not in a state in which this can be done."""

    slug = "wrong-tournament-state"


class AlreadyEntered(Conflict):
    slug = "already-entered"


class NotEntered(Conflict):
    slug = "not-entered"


class NotAdmitted(InvalidField):
    slug = "not-admitted"


class ChallengeRefused(Conflict):
    """The two may not meet on the ladder now; the text says why."""

    slug = "challenge-refused"
