"""The REST interface of the engine."""
