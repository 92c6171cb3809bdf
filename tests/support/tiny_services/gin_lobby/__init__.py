"""A tiny stand-in for the lobby."""
