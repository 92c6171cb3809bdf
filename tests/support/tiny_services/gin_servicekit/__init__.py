"""A tiny stand-in for the plumbing."""
