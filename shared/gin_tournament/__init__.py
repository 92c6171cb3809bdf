"""Pure tournament mathematics: pairing, tie-breaks, standings.

Entrants and results in, pairings and standings out. Nothing here reads a clock, draws a random number or
touches a network; points are `Fraction`, everything else `int`.
"""
