"""The one beat of the house: a dumb tick for every service. `celery -A gin_servicekit.beat:celery beat`.

It holds no state and decides nothing. Two of them, or none for a while, do no harm: what is due lies in Postgres.
"""

from __future__ import annotations

import os

from celery import Celery

from gin_messages.routes import SERVICES, tick_task
from gin_servicekit.celery_app import new_celery


def new_beat(redis_url: str, tick_seconds: float) -> Celery:
    celery = new_celery("beat", redis_url)
    celery.conf.beat_schedule = {
        tick_task(service): {
            "task": tick_task(service),
            "schedule": tick_seconds,
            # A worker that was away must not find hours of ticks waiting.
            "options": {"queue": service, "expires": max(10 * tick_seconds, 10)},
        }
        for service in SERVICES
    }
    celery.conf.beat_max_loop_interval = tick_seconds
    return celery


celery = new_beat(os.environ["REDIS_URL"], float(os.environ.get("GINHALL_TICK_SECONDS", "1")))
