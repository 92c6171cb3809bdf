"""Pure tournament mathematics: pairing, tie-breaks, standings."""
