"""The engine's worker: `celery -A gin_engine.worker:celery worker -Q engine`."""

from __future__ import annotations

import os

from gin_engine.tasks import DUTIES, HANDLERS, TASKS
from gin_servicekit.logs import configure_logging
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings
from gin_servicekit.worker import new_worker

configure_logging("engine")
celery = new_worker(Service.start("engine", Settings.from_environment(os.environ)), HANDLERS, TASKS, DUTIES)
