"""What the engine refuses, by name."""

from __future__ import annotations

from gin_servicekit.problems import Conflict, Forbidden, InvalidField, NotFound


class MatchNotFound(NotFound):
    slug = "match-not-found"


class NotYourSeat(Forbidden):
    """The caller's account sits at no seat of the match for which a client acts."""

    slug = "not-your-seat"


class PlayerGone(Forbidden):
    """Whose account was deleted sits down nowhere any more."""

    slug = "player-gone"


class NoSuchSeat(InvalidField):
    """The match has fewer seats."""

    slug = "no-such-seat"


class NotYourTurn(Conflict):
    slug = "not-your-turn"


class MatchIsOver(Conflict):
    slug = "match-is-over"


class OutOfTime(Conflict):
    """The clock of the caller's seat is used up: the match is lost within a moment."""

    slug = "out-of-time"


class MatchStillPlaying(Conflict):
    """The record is secret until the match is over."""

    slug = "match-still-playing"


class NeverDealt(Conflict):
    """The match was void from the start: there is nothing to show of it."""

    slug = "never-dealt"


class HandNotFound(NotFound):
    """The match has no hand of this number."""

    slug = "hand-not-found"


class AdviceNotAllowed(Forbidden):
    """The match is played without advice."""

    slug = "advice-not-allowed"


class WordsRefused(InvalidField):
    """Words that the caller's own cards cannot lay."""

    slug = "words-refused"


class NeverSealed(Conflict):
    """The match was never dealt, or it ended before seals were published."""

    slug = "never-sealed"


class StaleActionCount(Conflict):
    """The caller decided on a state that is no longer the present one."""

    slug = "stale-action-count"


class ActionRefused(InvalidField):
    """The rules do not allow the action in the present state, which stays as it was."""

    slug = "illegal-action"


class AlreadyDealt(Conflict):
    """Entropy counts before the deal alone: after it, who chose it could choose the cards."""

    slug = "already-dealt"


class DealsInPlay(Conflict):
    """Other tables still play the same cards: until the last of them is over, nobody sees what was played here."""

    slug = "deals-in-play"


class NoRematch(Conflict):
    """The match is one that cannot be played again just so."""

    slug = "no-rematch"


class NotTheArbiter(Forbidden):
    """The caller may not rule on this match."""

    slug = "not-the-arbiter"


class RulingRefused(Conflict):
    """The rules do not allow the ruling in the present state, which stays as it was."""

    slug = "ruling-refused"


class TableNotFound(NotFound):
    slug = "table-not-found"


class NotYourTable(Forbidden):
    """The caller has no such part at the table."""

    slug = "not-your-table"


class WrongInvitation(Forbidden):
    """The table is for who has its link."""

    slug = "wrong-invitation"


class GuestsAreUnrated(Forbidden):
    """Who has not signed up plays unrated matches only."""

    slug = "guests-are-unrated"


class TableNotWaiting(Conflict):
    """The match has begun, or the table is closed."""

    slug = "table-not-waiting"


class TableFull(Conflict):
    """No seat is free for the caller."""

    slug = "table-full"


class TooManyTables(Conflict):
    """One person waits at a few tables at most."""

    slug = "too-many-tables"


class CannotStart(Conflict):
    """What was agreed at the table can no longer be played."""

    slug = "cannot-start"


class WordListNotFound(NotFound):
    slug = "word-list-not-found"


class WordListRefused(InvalidField):
    """A word list that cannot be used; `field` is its name, or the line at fault."""

    slug = "word-list-refused"


class WordListClash(Conflict):
    """A name means one list for good, and a list has one name."""

    slug = "word-list-clash"


class TooManyWordLists(Conflict):
    """One account brings a few lists at most."""

    slug = "too-many-word-lists"


class CannotOpen(Exception):
    """A match that cannot be played as it was asked for; the text says why."""


class MatchMoved(Exception):
    """A guarded transition found its match in another state than the one that was locked."""
