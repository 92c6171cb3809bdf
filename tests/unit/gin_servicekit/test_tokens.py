"""Tokens: only what the lobby signed, for as long as it said."""

from datetime import UTC, datetime, timedelta

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gin_servicekit.auth import Caller, TokenVerifier, sign_token
from gin_servicekit.problems import Unauthenticated
from tests.support.services import PRIVATE_KEY, PUBLIC_KEY

NOW = datetime.now(UTC)


def verifier(monkeypatch: pytest.MonkeyPatch) -> TokenVerifier:
    """One that knows of no revocation, and has no Redis to ask."""
    made = TokenVerifier(PUBLIC_KEY, "redis://127.0.0.1:1/0")
    monkeypatch.setattr(made, "_looked_at", float("inf"))
    return made


def signed(key: bytes = PRIVATE_KEY, now: datetime = NOW, administrator: bool = False) -> str:
    lifetime = timedelta(hours=1)
    return sign_token(key, "ada", frozenset({"play"}), administrator=administrator, now=now, lifetime=lifetime)[0]


def test_a_token_says_who_and_what_for(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = verifier(monkeypatch).verify(signed(administrator=True))
    assert (caller.account_id, caller.scopes, caller.administrator) == ("ada", frozenset({"play"}), True)
    assert isinstance(caller, Caller)


def test_an_expired_token_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unauthenticated, match="expired"):
        verifier(monkeypatch).verify(signed(now=NOW - timedelta(hours=2)))


def test_a_token_of_another_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unauthenticated, match="not one of ours"):
        verifier(monkeypatch).verify(signed(key=bytes(32)))


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_that_names_another_algorithm_is_refused(monkeypatch: pytest.MonkeyPatch, algorithm: str) -> None:
    claims = {"iss": "ginhall", "sub": "ada", "jti": "1", "exp": NOW + timedelta(hours=1), "scope": "play"}
    forged = jwt.encode(claims, PUBLIC_KEY if algorithm == "HS256" else "", algorithm=algorithm)
    with pytest.raises(Unauthenticated):
        verifier(monkeypatch).verify(forged)


@pytest.mark.parametrize("missing", ["exp", "sub", "jti"])
def test_a_token_without_a_claim_that_we_need_is_refused(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    claims = {"iss": "ginhall", "sub": "ada", "jti": "1", "exp": NOW + timedelta(hours=1)}
    key = Ed25519PrivateKey.from_private_bytes(PRIVATE_KEY)
    del claims[missing]
    with pytest.raises(Unauthenticated):
        verifier(monkeypatch).verify(jwt.encode(claims, key, algorithm="EdDSA"))


def test_a_token_that_was_good_before_expires_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    checking, token = verifier(monkeypatch), signed()
    assert checking.verify(token).account_id == "ada"
    monkeypatch.setattr("gin_servicekit.auth.time.time", lambda: (NOW + timedelta(hours=1, seconds=1)).timestamp())
    with pytest.raises(Unauthenticated, match="expired"):
        checking.verify(token)


def test_a_token_that_was_good_before_can_be_revoked(monkeypatch: pytest.MonkeyPatch) -> None:
    checking, token = verifier(monkeypatch), signed()
    found = checking.verify(token)
    monkeypatch.setattr(checking, "_revoked", frozenset({found.token_id}))
    with pytest.raises(Unauthenticated, match="revoked"):
        checking.verify(token)


def test_a_token_that_differs_in_its_last_letters_from_a_good_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    checking, token = verifier(monkeypatch), signed()
    checking.verify(token)
    with pytest.raises(Unauthenticated, match="not one of ours"):
        checking.verify(token[:-8] + "AAAAAAAA")
