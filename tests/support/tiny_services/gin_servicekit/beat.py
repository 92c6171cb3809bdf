"""A tick a second for every worker."""

import os

from celery import Celery

celery = Celery("beat", broker=os.environ["REDIS_URL"])
celery.conf.beat_schedule = {
    queue: {"task": f"{queue}.tick", "schedule": 1.0, "options": {"queue": queue}}
    for queue in ("lobby", "engine", "ratings")
}
