"""The secrets of a house on one machine."""

import base64
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from gin_local.errors import HouseError
from gin_local.keys import keep_secrets, new_secrets, token_key_pair


def _raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=")


def test_public_key_verifies_what_the_private_key_signs() -> None:
    private, public = token_key_pair()
    assert len(_raw(private)) == len(_raw(public)) == 32
    signature = Ed25519PrivateKey.from_private_bytes(_raw(private)).sign(b"a token")
    Ed25519PublicKey.from_public_bytes(_raw(public)).verify(signature, b"a token")


def test_no_two_secrets_are_alike() -> None:
    drawn = [*new_secrets().values(), *new_secrets().values()]
    assert len(set(drawn)) == len(drawn)


def test_secrets_are_made_once_and_only_their_owner_may_read_them(tmp_path: Path) -> None:
    path = tmp_path / "secrets.env"
    first = dict(keep_secrets(path))
    assert keep_secrets(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_newer_version_adds_its_secret_and_keeps_the_others(tmp_path: Path) -> None:
    path = tmp_path / "secrets.env"
    first = dict(keep_secrets(path))
    lines = [line for line in path.read_text().splitlines() if not line.startswith("REDIS_PASSWORD=")]
    path.write_text("\n".join(lines) + "\n")
    second = dict(keep_secrets(path))
    assert second.pop("REDIS_PASSWORD") != first.pop("REDIS_PASSWORD")
    assert second == first


def test_half_a_key_pair_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secrets.env"
    path.write_text("GINHALL_TOKEN_PUBLIC_KEY=abc\n")
    with pytest.raises(HouseError, match="one half"):
        keep_secrets(path)


def test_broken_line_is_refused_rather_than_replaced(tmp_path: Path) -> None:
    path = tmp_path / "secrets.env"
    path.write_text("POSTGRES_PASSWORD\n")
    with pytest.raises(HouseError, match="NAME=value"):
        keep_secrets(path)
