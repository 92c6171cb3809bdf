"""Computer opponents: each sees what its player sees, nothing more."""

from gin_bots.catalogue import BOT_NAMES, BOTS, Bot, UnknownBot, bot_named, bots_for

__all__ = ["BOTS", "BOT_NAMES", "Bot", "UnknownBot", "bot_named", "bots_for"]
