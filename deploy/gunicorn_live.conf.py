"""gunicorn's settings for live events: one process with a greenlet for each connection."""

import gc
import os
import resource
from pathlib import Path
from typing import Any

_WATCHERS = int(os.environ.get("GINHALL_LIVE_WATCHERS", "12000"))
_SPARE = 500  # connections for health checks, and for those who are told that there is no room

bind = os.environ.get("GINHALL_BIND", "127.0.0.1:8000")
workers = 1
worker_class = "gevent"
worker_connections = _WATCHERS + _SPARE

timeout = 30  # a process whose main loop is silent for so long is replaced
graceful_timeout = 5  # the connections are ended from inside at once; less than the grace period in docker-compose.yml
keepalive = 2  # an idle connection must not hold up the end of the process
backlog = 4096  # all come back at once after a restart

worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - gunicorn makes an unlinked file there
control_socket_disable = True  # the supervisor is the only hand on these processes
accesslog = None
errorlog = "-"

# Every connection is an open file. Where the system allows fewer, the service lets fewer in.
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
_wanted = worker_connections + _SPARE
if _soft < _wanted:
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (_wanted if _hard == resource.RLIM_INFINITY else min(_wanted, _hard), _hard)
    )


def post_worker_init(worker: Any) -> None:
    """When the process is asked to end, its connections end too: they would never do so by themselves.

    What it imported is never garbage, and thousands of connections are mostly none either: the cycle collector need
    not walk them all the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    worker.wsgi.extensions["ginhall-live"].serve_while(lambda: worker.alive)
