"""Where a house keeps its things."""

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gin_local.errors import HouseError

COMPOSE_FILE = "docker-compose.yml"
_SOCKET_PATH_BYTES = 90  # the system's limit is 104 to 108, and supervisord adds a suffix while it binds


@dataclass(frozen=True)
class Folders:
    """`root` is the checkout that holds the list of processes; `data` is all that outlives a stop."""

    root: Path
    data: Path

    @property
    def logs(self) -> Path:
        """One file a process."""
        return self.data / "logs"

    @property
    def run(self) -> Path:
        """What is true only while the house stands."""
        return self.data / "run"

    @property
    def secrets(self) -> Path:
        """Passwords and keys, for the owner's eyes alone."""
        return self.data / "secrets.env"

    @property
    def state(self) -> Path:
        """The addresses of the last start."""
        return self.run / "house.json"

    @property
    def compose(self) -> Path:
        """The list of processes."""
        return self.root / COMPOSE_FILE

    def make(self) -> None:
        """Make the folders that are missing.

        Raises:
            HouseError: they cannot be written.
        """
        try:
            for folder, mode in ((self.data, 0o711), (self.logs, 0o700), (self.run, 0o700)):
                if not folder.exists():
                    folder.mkdir(parents=True)
                    folder.chmod(mode)  # whatever the umask is: Postgres's account passes through the first
            probe = self.run / "writable"
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as error:
            raise HouseError(f"the data folder cannot be written: {error}") from error

    def socket(self) -> Path:
        """supervisord's Unix socket: in `run`, or where that path is too long for a socket, in a private
        temporary folder.
        """
        inside = self.run / "supervisor.sock"
        if len(os.fsencode(inside)) <= _SOCKET_PATH_BYTES:
            return inside
        tag = hashlib.sha256(os.fsencode(self.data)).hexdigest()[:12]
        folder = Path(tempfile.gettempdir()) / f"ginhall-run-{os.geteuid()}-{tag}"
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if folder.is_symlink() or status.st_uid != os.geteuid() or status.st_mode & 0o077:
            raise HouseError(f"{folder} is not this account's own private folder: remove it")
        return folder / "supervisor.sock"


def find_root(start: Path | None = None) -> Path:
    """The checkout: the nearest folder from `start` (the current one) upwards with a list of processes, or
    this package's own.

    Raises:
        HouseError: there is none.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (*(here, *here.parents), Path(__file__).resolve().parents[2]):
        if (folder / COMPOSE_FILE).is_file() and (folder / "services").is_dir():
            return folder
    raise HouseError(f"no {COMPOSE_FILE} of ginhall here: run this in a checkout")
