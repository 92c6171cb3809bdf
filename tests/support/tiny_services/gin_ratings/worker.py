"""The worker of the tiny ratings."""

from tiny import work

celery = work.worker("ratings")
