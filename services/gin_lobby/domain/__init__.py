"""What the lobby speaks of, and what can be wrong with a request; no database, no HTTP."""
