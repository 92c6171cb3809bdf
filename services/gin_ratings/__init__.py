"""Ratings: pools, the append-only ledger, leaderboards."""
