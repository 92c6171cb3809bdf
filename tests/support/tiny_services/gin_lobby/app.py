"""The API of the tiny lobby."""

from tiny import api


def create_app() -> api.Application:
    """What gunicorn serves."""
    return api.application("gin_lobby")
