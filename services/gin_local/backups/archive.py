"""The file that a backup is: a zip of what every table holds, with a manifest by which it is checked before it is used.

`manifest.json` is written last, so that a file which was cut off has none. The table `players` of the schema
`gin_lobby` is the member `gin_lobby/players.copy`, in the text format of Postgres's COPY, which every version reads.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from importlib import metadata
from typing import IO, Any, Final

from gin_local.errors import HouseError

FORMAT: Final = 1
SCHEMAS: Final = ("gin_lobby", "gin_engine", "gin_ratings")
TOKEN_KEYS: Final = ("GINHALL_TOKEN_PRIVATE_KEY", "GINHALL_TOKEN_PUBLIC_KEY")
_MANIFEST, _KEYS = "manifest.json", "keys.json"
_BLOCK_BYTES = 1 << 20

Tell = Callable[[str, int], None]
"""Hears of progress: what is being worked on, and so many bytes of it are done since the last time."""


class BackupError(HouseError):
    """The file is no backup that can be restored here; the text says why."""


@dataclass(frozen=True, slots=True)
class TablePart:
    """What the file holds of one table: `sha256` and `size` are of its member, unpacked."""

    columns: list[str]
    rows: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class SchemaPart:
    """One service's tables by name, the sequences by name (last value, whether it was given out), and the migrations
    that had run, as (package, name, digest).
    """

    migrations: list[tuple[str, str, str]]
    tables: dict[str, TablePart] = field(default_factory=dict)
    sequences: dict[str, tuple[int, bool]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup is. `keys` is the SHA-256 of the signing keys in it, None where they are kept elsewhere."""

    version: str
    made_at: str
    postgres: str
    schemas: dict[str, SchemaPart]
    keys: str | None
    format: int = FORMAT

    @property
    def rows(self) -> int:
        return sum(table.rows for schema in self.schemas.values() for table in schema.tables.values())

    @property
    def size(self) -> int:
        """Bytes of all tables, unpacked."""
        return sum(table.size for schema in self.schemas.values() for table in schema.tables.values())


def version() -> str:
    """Of this program; "unknown" where it was not installed, as in the image."""
    with suppress(metadata.PackageNotFoundError):
        return metadata.version("ginhall")
    return "unknown"


def member(schema: str, table: str) -> str:
    """The name of the member that holds a table."""
    return f"{schema}/{table}.copy"


class BackupWriter:
    """Writes a backup into a file that need not be seekable."""

    def __init__(self, target: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=5)

    def table(
        self, name: str, blocks: Iterable[bytes | bytearray | memoryview], tell: Callable[[int], None]
    ) -> tuple[int, str]:
        """Writes a member; its size and SHA-256."""
        digest, size = hashlib.sha256(), 0
        with self._zip.open(zipfile.ZipInfo(name), "w", force_zip64=True) as out:
            for block in blocks:
                digest.update(block)
                size += len(block)
                out.write(block)
                tell(len(block))
        return size, digest.hexdigest()

    def keys(self, keys: Mapping[str, str]) -> str:
        """Writes the signing keys; their SHA-256."""
        text = json.dumps(dict(sorted(keys.items())))
        self._zip.writestr(_KEYS, text)
        return hashlib.sha256(text.encode()).hexdigest()

    def finish(self, manifest: Manifest) -> None:
        """Writes the manifest: only now the file is a backup."""
        self._zip.writestr(_MANIFEST, json.dumps(asdict(manifest), indent=1))
        self._zip.close()


class Backup:
    """A backup that is read. Raises BackupError where the file is none, or of a later kind."""

    def __init__(self, source: IO[bytes]) -> None:
        try:
            self._zip = zipfile.ZipFile(source)
            document = json.loads(self._zip.read(_MANIFEST))
        except (zipfile.BadZipFile, KeyError, ValueError) as problem:
            raise BackupError("this is no backup of a house, or not a whole one") from problem
        if document.get("format") != FORMAT:
            raise BackupError("a later version of ginhall made this backup: restore it with that one")
        self.manifest = _manifest(document)

    def check(self, tell: Tell) -> None:
        """Reads everything once. Raises BackupError unless every part is there and as it was written."""
        for schema, part in self.manifest.schemas.items():
            for table, expected in part.tables.items():
                digest, size = hashlib.sha256(), 0
                try:
                    for block in self.blocks(schema, table):
                        digest.update(block)
                        size += len(block)
                        tell(f"checking {schema}.{table}", len(block))
                except (KeyError, zipfile.BadZipFile, EOFError, OSError) as problem:
                    raise BackupError(f"the backup is damaged: {schema}.{table} cannot be read") from problem
                if (size, digest.hexdigest()) != (expected.size, expected.sha256):
                    raise BackupError(f"the backup is damaged: {schema}.{table} is not what was saved")
        self.keys()

    def blocks(self, schema: str, table: str) -> Iterable[bytes]:
        """What COPY wrote of a table."""
        with self._zip.open(member(schema, table)) as source:
            while block := source.read(_BLOCK_BYTES):
                yield block

    def keys(self) -> dict[str, str]:
        """The signing keys, none where they are kept elsewhere. Raises BackupError where they are damaged."""
        if self.manifest.keys is None:
            return {}
        try:
            text = self._zip.read(_KEYS)
        except (KeyError, zipfile.BadZipFile) as problem:
            raise BackupError("the backup is damaged: its keys cannot be read") from problem
        if hashlib.sha256(text).hexdigest() != self.manifest.keys:
            raise BackupError("the backup is damaged: its keys are not what was saved")
        found = json.loads(text)
        return {name: str(found[name]) for name in TOKEN_KEYS if name in found}


def _manifest(document: Mapping[str, Any]) -> Manifest:
    try:
        schemas = {
            name: SchemaPart(
                [(package, file, digest) for package, file, digest in part["migrations"]],
                {table: TablePart(**told) for table, told in part["tables"].items()},
                {sequence: (int(last), bool(called)) for sequence, (last, called) in part["sequences"].items()},
            )
            for name, part in document["schemas"].items()
        }
        if set(schemas) != set(SCHEMAS):
            raise BackupError("the backup does not hold all services")
        return Manifest(document["version"], document["made_at"], document["postgres"], schemas, document["keys"])
    except (KeyError, TypeError, ValueError) as problem:
        raise BackupError("the backup's manifest cannot be read") from problem
