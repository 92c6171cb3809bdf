"""Names of the tasks that the engine asks of itself."""

PLAY = "engine.play"
