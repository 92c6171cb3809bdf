"""The worker of the tiny engine."""

from tiny import work

celery = work.worker("engine")
