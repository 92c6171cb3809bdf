"""A tiny stand-in for the ratings."""
