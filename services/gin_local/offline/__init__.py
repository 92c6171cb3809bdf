"""Tournaments without a house: what is in a file is paired and ranked here; and a house elsewhere is asked."""
