"""The API of the tiny ratings."""

from tiny import api


def create_app() -> api.Application:
    """What gunicorn serves."""
    return api.application("gin_ratings")
