"""The lobby: players, tournaments, registrations, pairings, standings."""
