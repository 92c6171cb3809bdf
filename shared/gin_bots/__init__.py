"""Computer opponents: each sees what its player sees, nothing more."""

from gin_bots.catalogue import (
    BASELINES,
    BOT_NAMES,
    BOTS,
    FRIENDLY,
    Bot,
    Measurement,
    UnknownBot,
    bot_named,
    bots,
    bots_for,
)

__all__ = [
    "BASELINES",
    "BOTS",
    "BOT_NAMES",
    "FRIENDLY",
    "Bot",
    "Measurement",
    "UnknownBot",
    "bot_named",
    "bots",
    "bots_for",
]
