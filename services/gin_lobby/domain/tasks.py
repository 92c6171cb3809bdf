"""Tasks that the lobby sends itself."""

FOLLOW_PLAYERS = "lobby.follow_players"
"""Tournaments follow players who got another name, or are gone."""
