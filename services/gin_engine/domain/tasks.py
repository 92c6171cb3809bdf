"""Names of the tasks that the engine asks of itself."""

PLAY = "engine.play"
"""Matches of bots alone go on."""
REPLY = "engine.reply"
"""Bots act where a client waits for them."""
