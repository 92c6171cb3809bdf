"""What the ratings worker receives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from gin_messages.envelope import Envelope, Message
from gin_messages.match import MatchFinished
from gin_messages.players import PlayerChanged
from gin_ratings.use_cases.player_names import copy_players
from gin_ratings.use_cases.settlement import settle_matches
from gin_ratings.use_cases.shadowing import follow_ledger, pools_behind
from gin_servicekit.database import Transaction
from gin_servicekit.inbox import Handler
from gin_servicekit.service import Service
from gin_servicekit.worker import Work


def on_match_finished(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    settle_matches(tx, [cast(MatchFinished, envelope.body) for envelope in envelopes])


def on_player_changed(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    copy_players(tx, [cast(PlayerChanged, envelope.body) for envelope in envelopes])


HANDLERS: Mapping[type[Message], Handler] = {
    MatchFinished: on_match_finished,
    PlayerChanged: on_player_changed,
}


def follow_ledgers(service: Service) -> None:
    """The shadow catches up with every pool, in as many transactions as that takes."""
    with service.transaction() as tx:
        behind = pools_behind(tx)
    for pool in behind:
        taken = 1
        while taken:
            with service.transaction() as tx:
                taken = follow_ledger(tx, pool)


DUTIES: Sequence[Work] = (follow_ledgers,)
