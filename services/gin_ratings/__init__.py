"""The ratings service: Elo in pools, kept in a ledger that anyone can recompute."""
