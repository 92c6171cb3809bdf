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


class WrongRecoveryCode(Forbidden):
    """The account is unknown or the code not one of its; which of them is not told."""

    status = 401
    slug = "wrong-recovery-code"


class LinkOver(Forbidden):
    """A link for a new password was used, replaced or is too old, or never was one."""

    status = 404
    slug = "link-over"


class RenamedRecently(Conflict):
    """The account got another name not long ago; the text says when it can again."""

    slug = "renamed-recently"


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


class ResultJustCame(Conflict):
    """What was decided rests on something that a result has just changed."""

    slug = "result-just-came"


class CorrectionRefused(Conflict):
    """The result cannot be corrected so; the text says why."""

    slug = "correction-refused"


class PreviewOutdated(Conflict):
    """What would be done is not what was seen."""

    status = 412
    slug = "preview-outdated"


class Outdated(Conflict):
    """Somebody has changed it since it was read."""

    status = 412
    slug = "outdated"


class PreconditionRequired(Conflict):
    """The request must say which version it wants to change."""

    status = 428
    slug = "precondition-required"


class PairingRefused(Conflict):
    """The round cannot be paired so; the text says why."""

    slug = "pairing-refused"


class NotInReport(Conflict):
    """A report in FIDE's format has no way to say something about this tournament."""

    slug = "not-in-report"


class ImportRefused(InvalidField):
    """Lines of a list of entrants are bad, and none of it was entered."""

    slug = "import-refused"


class TooManyWebhooks(Conflict):
    """An account has as many as one may have."""

    slug = "too-many-webhooks"


class WebhookNotActive(Conflict):
    """Nothing is sent to a webhook that is paused or disabled."""

    slug = "webhook-not-active"


class DeliveryWaits(Conflict):
    """It is about to be sent as it is."""

    slug = "delivery-waits"
