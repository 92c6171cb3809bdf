"""What can be listened to, and who may."""

from __future__ import annotations

import re

from gin_servicekit.auth import Caller, Scope
from gin_servicekit.problems import Forbidden, InvalidField

MOST_TOPICS = 20
_OPEN_TO_ALL = re.compile(r"(?:tables|tournaments|(?:table|tournament):[A-Za-z0-9_-]{1,64})")
_PERSONAL = re.compile(r"(?:player|seat):[A-Za-z0-9_-]{1,64}")


def checked_topics(wanted: list[str]) -> tuple[str, ...]:
    """The topics without doubles, in one order whatever the order asked for. Raises InvalidField."""
    topics = tuple(sorted(set(wanted)))
    if len(topics) > MOST_TOPICS:
        raise InvalidField(f"at most {MOST_TOPICS} topics for a connection", "topic")
    for topic in topics:
        if not _OPEN_TO_ALL.fullmatch(topic) and not _PERSONAL.fullmatch(topic):
            raise InvalidField("there is no such topic", "topic")
    return topics


def is_personal(topic: str) -> bool:
    """Whether a single account may listen to it."""
    return _PERSONAL.fullmatch(topic) is not None


def require_own(topic: str, who: Caller) -> None:
    """Raises Forbidden unless the personal topic is the caller's, and for a topic of seats where the token is not for
    playing: it carries cards.
    """
    kind, _, account_id = topic.partition(":")
    if account_id != who.account_id:
        raise Forbidden("only the player may listen to this topic")
    if kind == "seat" and Scope.PLAY not in who.scopes:
        raise Forbidden(f"the token lacks the scope {Scope.PLAY.value!r}")
