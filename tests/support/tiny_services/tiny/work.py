"""A worker whose one task says that it was consumed."""

import os
import time

import redis
from celery import Celery


def worker(queue: str) -> Celery:
    """The Celery application that consumes `queue`."""
    celery = Celery(queue, broker=os.environ["REDIS_URL"])
    celery.conf.update(broker_connection_retry_on_startup=True, accept_content=["json"])

    @celery.task(name=f"{queue}.tick")
    def tick() -> None:
        with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
            client.set(f"consumed:{queue}", time.time())

    return celery
