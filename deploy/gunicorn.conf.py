"""gunicorn's settings, the same for every API: threads, and sizes from the environment."""

import gc
import os
from pathlib import Path
from typing import Any

bind = os.environ.get("GINHALL_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("GINHALL_API_PROCESSES", "2"))
threads = int(os.environ.get("GINHALL_API_THREADS", "8"))
worker_class = "gthread"

timeout = 30  # a process whose main loop is silent for so long is replaced
graceful_timeout = 20  # less than the grace period in docker-compose.yml, so that nobody is cut off by a kill
keepalive = 15  # longer than the gateway leaves a connection idle between two requests of one page
backlog = 256  # beyond it a burst is refused at the door rather than queued without end

# The heartbeat file must not wait for a slow disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - gunicorn makes an unlinked file there
control_socket_disable = True  # the supervisor is the only hand on these processes
accesslog = None  # services log requests themselves, by their routes: an address may hold a secret
errorlog = "-"


def post_worker_init(_worker: Any) -> None:
    """What a process imported before its first request is never garbage: the cycle collector need not walk it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
