"""The worker of the tiny lobby."""

from tiny import work

celery = work.worker("lobby")
