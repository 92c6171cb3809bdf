"""The Celery worker: `celery -A gin_ratings.worker:celery worker -Q ratings`."""

from __future__ import annotations

import os

from gin_messages.routes import RATINGS
from gin_ratings.tasks import DUTIES, HANDLERS
from gin_servicekit.logs import configure_logging
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings
from gin_servicekit.worker import new_worker

configure_logging(RATINGS)
celery = new_worker(
    Service.start(RATINGS, Settings.from_environment(os.environ)), handlers=HANDLERS, tasks={}, duties=DUTIES
)
