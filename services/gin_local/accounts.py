"""Whom a server runs as, and where that account may go.

Postgres refuses to run as root. Started by root, it runs as `nobody`, which may not enter a checkout under
a folder such as `/root` (mode 700). Then its files go to a folder of their own elsewhere; nobody's
permissions are loosened but those of folders made here.
"""

import hashlib
import os
import pwd
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gin_local.errors import HouseError

SHELTERS = (Path("/var/lib"), Path(tempfile.gettempdir()))


@dataclass(frozen=True)
class Account:
    """An account of this machine that owns nothing else."""

    name: str
    uid: int
    gid: int


def unprivileged_account() -> Account | None:
    """The account to drop to, or None where this process is not root and has nothing to drop.

    Raises:
        HouseError: root, on a machine without an account `nobody`.
    """
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise HouseError("Postgres must not run as root, and this machine has no account `nobody`") from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def may_enter(account: Account | None, folder: Path) -> bool:
    """Whether `account` may pass through `folder`, asked of the system itself in that account's name."""
    return _may(account, folder, "x")


def may_run(account: Account | None, program: Path) -> bool:
    """Whether `account` may read and run the file `program`, asked likewise."""
    return _may(account, program, "xr")


def _may(account: Account | None, path: Path, rights: str) -> bool:
    if account is None:
        return all(os.access(path, {"x": os.X_OK, "r": os.R_OK}[right]) for right in rights)
    check = " && ".join(f'test -{right} "$1"' for right in rights)
    outcome = subprocess.run(  # noqa: S603 - fixed words; the path is an argument, not shell text
        ["/bin/sh", "-c", check, "sh", str(path)],
        user=account.uid,
        group=account.gid,
        extra_groups=[],
        cwd="/",
        check=False,
        capture_output=True,
    )
    return outcome.returncode == 0


def shelter(home: Path, shelters: Sequence[Path] = SHELTERS) -> Path:
    """A folder outside `home` that every account may enter, always the same one for the same `home`; made
    on the first call.

    Raises:
        HouseError: no shelter can be written, or somebody else owns the folder of that name.
    """
    name = "ginhall-" + hashlib.sha256(os.fsencode(home.resolve())).hexdigest()[:12]
    reasons = []
    for place in shelters:
        folder = place / name
        try:
            folder.mkdir(mode=0o711, exist_ok=True)
        except OSError as error:
            reasons.append(str(error))
            continue
        status = folder.lstat()
        if folder.is_symlink() or status.st_uid != os.geteuid():
            raise HouseError(f"{folder} belongs to somebody else; remove it, or choose another data folder")
        folder.chmod(0o755)  # made above, whatever the umask was
        return folder
    raise HouseError("no folder for Postgres that an unprivileged account may enter: " + "; ".join(reasons))
