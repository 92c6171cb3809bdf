"""The game engine: deals, referees and records every match."""
