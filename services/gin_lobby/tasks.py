"""What the lobby's worker does: receive messages, and move due tournaments on."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta

import structlog
from celery import Celery

from gin_lobby.domain.series import SeriesId
from gin_lobby.domain.tasks import FOLLOW_PLAYERS
from gin_lobby.domain.tournament import TournamentId
from gin_lobby.store import accounts, departures, series, tournaments
from gin_lobby.store.departures import ChangeDue
from gin_lobby.store.presence import seen_at
from gin_lobby.store.results import to_score
from gin_lobby.use_cases import accounts as people
from gin_lobby.use_cases import advance, lost_guests, results
from gin_lobby.use_cases.departures import follow
from gin_lobby.use_cases.presence import LOOK_EVERY, look_around
from gin_lobby.use_cases.series import make_occurrences
from gin_lobby.use_cases.word_lists import copy_word_lists
from gin_lobby.webhook_runners import WebhookRunners, tidy_webhooks
from gin_messages.envelope import Envelope, Message
from gin_messages.match import MatchFinished
from gin_messages.ratings import EarlierRatingsUpdated, RatingsUpdated
from gin_messages.word_lists import WordListAdded
from gin_servicekit.auth import publish_revocations
from gin_servicekit.database import UNAVAILABLE, Transaction
from gin_servicekit.inbox import Handler
from gin_servicekit.service import Service
from gin_servicekit.worker import new_worker

log = structlog.get_logger()
TRY_AGAIN = timedelta(seconds=15)
NOW_AND_THEN_SECONDS = 60
FOLLOWING_SECONDS = 2.0


def lobby_worker(service: Service) -> Celery:
    handlers: Mapping[type[Message], Handler] = {
        MatchFinished: on_match_finished,
        RatingsUpdated: on_ratings_updated,
        EarlierRatingsUpdated: on_earlier_ratings_updated,
        WordListAdded: on_word_list_added,
    }
    return new_worker(
        service,
        handlers,
        tasks={results.ADVANCE: advance_due, FOLLOW_PLAYERS: follow_players},
        duties=[
            make_series,
            keep_presence,
            advance_due,
            follow_players,
            republish_revocations,
            WebhookRunners().tick,
            _now_and_then(compare_names),
            _now_and_then(remove_lost_guests),
            _now_and_then(tidy_webhooks),
        ],
    )


def on_match_finished(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    results.report_results(tx, [e.body for e in envelopes if isinstance(e.body, MatchFinished)])


def on_ratings_updated(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    results.copy_ratings(tx, [e.body for e in envelopes if isinstance(e.body, RatingsUpdated)])


def on_earlier_ratings_updated(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    results.copy_earlier_ratings(tx, [e.body for e in envelopes if isinstance(e.body, EarlierRatingsUpdated)])


def on_word_list_added(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    copy_word_lists(tx, [e.body for e in envelopes if isinstance(e.body, WordListAdded)])


def keep_presence(service: Service) -> None:
    """Notes that the machine is on, and makes up for the time in which it was off."""
    with service.transaction() as tx:
        seen = seen_at(tx)
        if seen is None or tx.now - seen >= LOOK_EVERY:
            look_around(tx)


def advance_due(service: Service) -> None:
    """Scores what was reported, then takes steps until no tournament is due."""
    with service.transaction() as tx:
        waiting = to_score(tx)
    for tournament_id in waiting:
        with _held_back_on_failure(service) as working_on, service.transaction() as tx:
            working_on.append(tournament_id)
            results.score(tx, tournament_id)
    more = True
    while more:
        with _held_back_on_failure(service) as working_on, service.transaction() as tx:
            due = tournaments.claim_due(tx)
            more = due is not None
            if due is not None:
                working_on.append(due.tournament_id)
                advance.step(tx, due)


def make_series(service: Service) -> None:
    """Makes the tournaments of every series that is due, each series in a transaction of its own."""
    more = True
    while more:
        claimed: list[SeriesId] = []
        try:
            with service.transaction() as tx:
                due = series.claim_due(tx)
                more = due is not None
                if due is not None:
                    claimed.append(due.series_id)
                    make_occurrences(tx, due)
        except UNAVAILABLE:
            raise
        except Exception:
            if not claimed:
                raise
            log.exception("series_failed", series_id=str(claimed[0]))
            with service.transaction() as tx:
                series.put_off(tx, claimed[0], tx.now + TRY_AGAIN)


def follow_players(service: Service) -> None:
    """Tournaments follow players who got another name or are gone, each in a transaction of its own.

    Only for a moment at a time: whoever owned a thousand bots must not keep the next round from being paired.
    """
    stop_at, more = time.monotonic() + FOLLOWING_SECONDS, True
    while more and time.monotonic() < stop_at:
        claimed: list[ChangeDue] = []
        try:
            with service.transaction() as tx:
                due = departures.claim_due(tx)
                more = due is not None
                if due is not None:
                    claimed.append(due)
                    follow(tx, due)
        except UNAVAILABLE:
            raise
        except Exception:
            if not claimed:
                raise
            log.exception("player_not_followed", tournament_id=str(claimed[0].tournament_id))
            with service.transaction() as tx:
                departures.put_off(tx, claimed[0], tx.now + TRY_AGAIN)


@contextlib.contextmanager
def _held_back_on_failure(service: Service) -> Iterator[list[TournamentId]]:
    """Puts off the tournament whose work failed, so that it holds up no other. An absent database is no failure."""
    working_on: list[TournamentId] = []
    try:
        yield working_on
    except UNAVAILABLE:
        raise
    except Exception:
        if not working_on:
            raise
        log.exception("tournament_failed", tournament_id=str(working_on[0]))
        with service.transaction() as tx:
            tournaments.put_off(tx, working_on[0], tx.now + TRY_AGAIN)


def republish_revocations(service: Service) -> None:
    """Redis may have been emptied: what was revoked must not come back."""
    with service.transaction() as tx:
        revoked = accounts.revoked_tokens(tx)
    publish_revocations(service.settings.redis_url, revoked, service.clock())


def compare_names(service: Service) -> None:
    """Accounts that are older than the comparison of names by their looks take part in it from now on."""
    with service.transaction() as tx:
        people.compare_by_skeleton(tx)


def remove_lost_guests(service: Service) -> None:
    """Guests who cannot come back are removed, some at a time, and so are tokens that were over long ago; names that
    were reserved long enough are free.
    """
    removed = 1
    while removed:
        with service.transaction() as tx:
            removed = lost_guests.remove_lost_guests(tx)
        if removed:
            log.info("guests_removed", guests=removed)
    with service.transaction() as tx:
        lost_guests.forget_old_tokens(tx)
        lost_guests.forget_old_names(tx)


def _now_and_then(duty: Callable[[Service], None]) -> Callable[[Service], None]:
    """A duty that reads too much for every tick: at the first one, then every NOW_AND_THEN_SECONDS in this process."""
    last = float("-inf")

    def seldom(service: Service) -> None:
        nonlocal last
        if time.monotonic() - last >= NOW_AND_THEN_SECONDS:
            duty(service)
            last = time.monotonic()

    return seldom
