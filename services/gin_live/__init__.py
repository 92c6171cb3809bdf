"""Live events: Redis streams out to browsers as server-sent events."""
