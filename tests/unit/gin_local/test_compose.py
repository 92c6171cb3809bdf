"""The list of processes, and the variables in it."""

from pathlib import Path

import pytest

from gin_local.compose import Condition, interpolate, read_services
from gin_local.errors import ComposeError

_ROOT = Path(__file__).resolve().parents[3]
_SECRETS = {
    name: name.lower()
    for name in (
        "POSTGRES_PASSWORD",
        "LOBBY_DB_PASSWORD",
        "ENGINE_DB_PASSWORD",
        "RATINGS_DB_PASSWORD",
        "GINHALL_TOKEN_PRIVATE_KEY",
        "GINHALL_TOKEN_PUBLIC_KEY",
    )
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"),
        ("$FULL", "full"),
        ("a-${FULL}-b", "a-full-b"),
        ("${ABSENT}", ""),
        ("${ABSENT:-default}", "default"),
        ("${EMPTY:-default}", "default"),
        ("${EMPTY-default}", ""),
        ("${ABSENT-default}", "default"),
        ("${FULL:?message}", "full"),
        ("${EMPTY?message}", ""),
        ("${FULL:+other}", "other"),
        ("${EMPTY:+other}", ""),
        ("${EMPTY+other}", "other"),
        ("${ABSENT:-http://${FULL}:8000}/x", "http://full:8000/x"),
        ("${FULL:-${ABSENT:?never needed}}", "full"),
        ("$$FULL costs $$5", "$FULL costs $5"),
    ],
)
def test_variable_is_filled_in(text: str, value: str) -> None:
    assert interpolate(text, {"FULL": "full", "EMPTY": ""}) == value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("${ABSENT:?the password}", "ABSENT must be set: the password"),
        ("${EMPTY:?the password}", "EMPTY must be set"),
        ("${ABSENT?}", "it has no default"),
        ("${ABSENT", "not closed"),
        ("${}", "names no variable"),
        ("${FULL/a/b}", "not understood"),
        ("5 $ a round", "lone"),
    ],
)
def test_unusable_variable_is_refused_with_its_reason(text: str, complaint: str) -> None:
    with pytest.raises(ComposeError, match=complaint):
        interpolate(text, {"FULL": "full", "EMPTY": ""})


def test_service_is_read_with_its_anchors_command_and_dependencies(tmp_path: Path) -> None:
    path = tmp_path / "docker-compose.yml"
    path.write_text(
        """
x-shared: &shared { COLOUR: "${COLOUR:-red}", SHARED: 1 }
services:
  first: { image: "a:1", command: [run, "two words"], restart: "no" }
  second:
    command: serve "two words" --port ${PORT:-80}
    environment: { <<: *shared, FLAG: true, HANDED: , LOST: }
    restart: unless-stopped
    stop_grace_period: 1m30s
    healthcheck: { test: [CMD, ask, "${PORT:-80}"] }
    depends_on: { first: { condition: service_completed_successfully } }
"""
    )
    services = read_services(path, {"HANDED": "through"})
    first, second = services["first"], services["second"]
    assert (first.command, first.one_shot, first.stop_seconds) == (("run", "two words"), True, 10)
    assert second.command == ("serve", "two words", "--port", "80")
    assert second.environment == {"COLOUR": "red", "SHARED": "1", "FLAG": "true", "HANDED": "through"}
    assert second.after == {"first": Condition.COMPLETED}
    assert (second.one_shot, second.stop_seconds, second.health) == (False, 90, ("ask", "80"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("services: [", "not YAML"),
        ("volumes: {}", "no `services`"),
        ("services: {a: {depends_on: [b]}}", "a depends on b"),
        ("services: {a: {stop_grace_period: soon}}", "stop_grace_period"),
        ("services: {a: 3}", "must be a mapping"),
    ],
)
def test_malformed_list_is_refused_with_its_reason(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "docker-compose.yml"
    path.write_text(text)
    with pytest.raises(ComposeError, match=complaint):
        read_services(path, {})


def test_missing_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ComposeError, match="cannot be read"):
        read_services(tmp_path / "docker-compose.yml", {})


@pytest.mark.parametrize("secret", sorted(_SECRETS))
def test_no_secret_of_production_has_a_default(secret: str) -> None:
    others = {name: value for name, value in _SECRETS.items() if name != secret}
    with pytest.raises(ComposeError, match=f"{secret} must be set"):
        read_services(_ROOT / "docker-compose.yml", others)


def test_only_the_lobby_holds_the_key_that_signs() -> None:
    services = read_services(_ROOT / "docker-compose.yml", _SECRETS)
    holders = {name for name, service in services.items() if "GINHALL_TOKEN_PRIVATE_KEY" in service.environment}
    assert holders == {"lobby-migrate", "lobby-api", "lobby-worker"}


@pytest.mark.parametrize("service", ["lobby", "engine", "ratings"])
def test_service_enters_the_database_as_its_own_role_alone(service: str) -> None:
    services = read_services(_ROOT / "docker-compose.yml", _SECRETS)
    for process in ("migrate", "api", "worker"):
        environment = services[f"{service}-{process}"].environment
        assert environment["DATABASE_URL"] == (
            f"postgresql://gin_{service}:{service}_db_password@postgres:5432/ginhall"
        )
        assert not any("POSTGRES" in name or "ADMIN" in name for name in environment)
