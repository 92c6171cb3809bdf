"""Settings: what is missing or wrong is named."""

import base64

import pytest

from gin_servicekit.settings import USUAL_LIMITS, Budget, Settings, SettingsError

KEY = base64.urlsafe_b64encode(bytes(32)).decode()
GOOD = {"DATABASE_URL": "postgresql://x", "REDIS_URL": "redis://x", "GINHALL_TOKEN_PUBLIC_KEY": KEY}


def test_defaults_are_for_production() -> None:
    settings = Settings.from_environment(GOOD)
    assert (settings.outbox_resend_seconds, settings.tick_seconds) == (30, 1)
    assert settings.token_private_key is None


@pytest.mark.parametrize("name", GOOD)
def test_a_missing_variable_is_named(name: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_environment({key: value for key, value in GOOD.items() if key != name})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GINHALL_OUTBOX_RESEND_SECONDS", "soon"),
        ("GINHALL_OUTBOX_RESEND_SECONDS", "0"),
        ("GINHALL_TICK_SECONDS", "-1"),
        ("GINHALL_LIMIT_SIGN_INS", "many"),
        ("GINHALL_LIMIT_SIGN_UPS", "10"),
        ("GINHALL_LIMIT_GUESTS", "0/60"),
        ("GINHALL_LIMIT_WRITES", "10/-1"),
        ("GINHALL_TOKEN_PUBLIC_KEY", "short"),
        ("GINHALL_TOKEN_PRIVATE_KEY", "!" * 43),
    ],
)
def test_an_unusable_value_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_environment({**GOOD, name: value})


def test_a_limit_is_so_many_requests_in_so_many_seconds() -> None:
    assert Settings.from_environment(GOOD | {"GINHALL_LIMIT_WRITES": ""}).limits == USUAL_LIMITS
    limits = Settings.from_environment(GOOD | {"GINHALL_LIMIT_WRITES": "5/60"}).limits
    assert limits == USUAL_LIMITS._replace(writes=Budget(5, 60))


def test_who_has_no_private_key_cannot_sign() -> None:
    with pytest.raises(SettingsError, match="GINHALL_TOKEN_PRIVATE_KEY"):
        _ = Settings.from_environment(GOOD).signing_key
