"""The process `celery -A gin_lobby.worker:celery worker -Q lobby`."""

from __future__ import annotations

import os

from gin_lobby.tasks import lobby_worker
from gin_servicekit.logs import configure_logging
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings

configure_logging("lobby")
celery = lobby_worker(Service.start("lobby", Settings.from_environment(os.environ)))
