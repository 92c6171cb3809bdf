"""A tiny stand-in for live events."""
