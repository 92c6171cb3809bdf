"""What can be wrong with a request, as exceptions that know nothing of HTTP but their status.

A service's domain defines its own by subclassing; http_errors.py turns each into RFC 9457 problem+json once.
"""

from __future__ import annotations

from typing import ClassVar


class Problem(Exception):
    """A refusal with a stable name. `field` names the part of the request at fault, e.g. "rules.target"."""

    status: ClassVar[int] = 400
    slug: ClassVar[str]

    def __init__(self, detail: str, field: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field


class NotFound(Problem):
    status = 404
    slug = "not-found"


class Unauthenticated(Problem):
    """No token, or one that is expired, revoked or not ours."""

    status = 401
    slug = "unauthenticated"


class Forbidden(Problem):
    """The caller is known and may not do this."""

    status = 403
    slug = "forbidden"


class CrossSite(Forbidden):
    """A browser sent its session along with what a page of another site, or nobody knows which, made it send."""

    slug = "cross-site"


class Conflict(Problem):
    """The request is fine, but the thing is not in a state that allows it."""

    status = 409
    slug = "conflict"


class InvalidField(Problem):
    """A value is well-formed and still not possible."""

    status = 422
    slug = "invalid-field"


class IdempotencyKeyReused(Problem):
    """The same Idempotency-Key came with another request."""

    status = 422
    slug = "idempotency-key-reused"


class TooManyRequests(Problem):
    """Asked more often than one account or address may; the answer tells when to try again."""

    status = 429
    slug = "too-many-requests"


class Unavailable(Problem):
    """Something that the request needs is away for the moment; trying again soon helps."""

    status = 503
    slug = "unavailable"
