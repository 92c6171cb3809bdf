"""A tiny stand-in for the engine."""
