"""Backups of a house: a file that holds everything that must not be lost (docs/operations.md)."""
