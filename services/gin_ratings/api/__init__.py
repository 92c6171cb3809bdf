"""The REST interface of the ratings service."""
