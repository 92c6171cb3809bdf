"""How every Celery process of the house is configured."""

from __future__ import annotations

from celery import Celery
from kombu import Exchange, Queue

from gin_messages.routes import SERVICES

# Unnamed exchange: a message goes straight to the queue of its routing key. With a named one, kombu keeps the
# bindings in Redis, and after Redis was emptied it refuses to publish until every worker has declared them anew.
_DIRECT = Exchange("", type="direct")


def new_celery(name: str, redis_url: str) -> Celery:
    """A Celery application on the broker `redis_url`, without a result backend."""
    celery = Celery(name, broker=redis_url, set_as_current=False)
    celery.conf.update(
        task_queues=[Queue(service, _DIRECT, routing_key=service) for service in SERVICES],
        task_default_queue=name,
        task_default_exchange="",
        task_default_routing_key=name,
        task_create_missing_queues=False,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        enable_utc=True,
        # Early acknowledgement: a task that dies with its worker is not redelivered by the broker after an hour,
        # but sent again by its producer within seconds, because the consumer never confirmed it.
        task_acks_late=False,
        # A message whose acknowledgement is lost with the connection keeps its place in the prefetch window. With a
        # window of one the worker then asks for nothing more and does not even see that the connection is gone.
        # (What still goes deaf is restarted by the watchdog.)
        worker_prefetch_multiplier=4,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        task_publish_retry=False,
        broker_transport_options={
            "socket_connect_timeout": 2,
            "socket_timeout": 10,
            "health_check_interval": 10,
            # Sending gives up at once while Redis is away. (A worker's own connection is tried for ever, see above.)
            "max_retries": 0,
            "interval_start": 0,
            "interval_step": 0,
            "interval_max": 0,
        },
    )
    return celery
