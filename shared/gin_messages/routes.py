"""Who receives what. A consumer has one queue, named after it; a message becomes one Celery task per consumer."""

from __future__ import annotations

from gin_messages.envelope import Message
from gin_messages.match import (
    ArbitersNamed,
    CancelMatch,
    DeadlineMoved,
    MatchFinished,
    OpenMatch,
    ResultCorrected,
)
from gin_messages.players import PlayerChanged, PlayerLeft
from gin_messages.ratings import EarlierRatingsUpdated, RatingsUpdated
from gin_messages.word_lists import WordListAdded

LOBBY = "lobby"
ENGINE = "engine"
RATINGS = "ratings"
SERVICES = (LOBBY, ENGINE, RATINGS)

CONSUMERS: dict[type[Message], tuple[str, ...]] = {
    OpenMatch: (ENGINE,),
    CancelMatch: (ENGINE,),
    MatchFinished: (LOBBY, RATINGS),
    DeadlineMoved: (ENGINE,),
    ArbitersNamed: (ENGINE,),
    ResultCorrected: (RATINGS,),
    RatingsUpdated: (LOBBY,),
    EarlierRatingsUpdated: (LOBBY,),
    PlayerChanged: (RATINGS, ENGINE),
    PlayerLeft: (ENGINE,),
    WordListAdded: (LOBBY,),
}


def delivery_task(consumer: str, name: str, version: int) -> str:
    """The Celery task by which `consumer` receives messages of that name and version."""
    return f"{consumer}.on_{name}.v{version}"


def receipt_task(producer: str) -> str:
    """The Celery task by which `producer` learns that a consumer has its messages safe in its own database."""
    return f"{producer}.on_receipt.v1"


def tick_task(service: str) -> str:
    """The Celery task that beat sends to every service, again and again."""
    return f"{service}.tick"
