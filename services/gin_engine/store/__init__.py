"""The SQL of the engine, beside the functions that run it."""
