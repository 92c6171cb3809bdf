"""Read `docker-compose.yml`, the one list of processes, as far as this project uses it.

Known: `command`, `environment`, `image`, `depends_on` with conditions, `restart`, `stop_grace_period`,
`healthcheck.test`, YAML anchors and merge keys, and every form of `${VARIABLE}` that Docker Compose knows.
What only Docker needs (volumes, networks, build) is left alone.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml

from gin_local.errors import ComposeError

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OPERATORS = (":-", ":?", ":+", "-", "?", "+")
_GRACE = re.compile(r"(?:(\d+)m)?(?:(\d+)s)?")
_DEFAULT_GRACE_SECONDS = 10


class Condition(StrEnum):
    """What a service waits for in another before it starts."""

    STARTED = "service_started"
    HEALTHY = "service_healthy"
    COMPLETED = "service_completed_successfully"


@dataclass(frozen=True)
class Service:
    """One process of the house, with every variable filled in.

    `one_shot` processes run to their end once, on every start; all others are kept alive. `after` names the
    services that come first, and what is waited for in each. `stop_seconds` is the time between the request
    to end and the kill.
    """

    name: str
    image: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    after: Mapping[str, Condition]
    one_shot: bool
    stop_seconds: int
    health: tuple[str, ...]


def read_services(path: Path, variables: Mapping[str, str]) -> dict[str, Service]:
    """The services of the compose file at `path`, by name, in the order in which they are written.

    Raises:
        ComposeError: the file cannot be read, names an unknown service, or needs a variable that is not set.
    """
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ComposeError(f"the list of processes cannot be read: {error}") from error
    except yaml.YAMLError as error:
        raise ComposeError(f"{path} is not YAML: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("services"), dict):
        raise ComposeError(f"{path} has no `services`")
    services = {name: _service(name, _fill(body, variables), variables) for name, body in document["services"].items()}
    for service in services.values():
        for needed in service.after:
            if needed not in services:
                raise ComposeError(f"{service.name} depends on {needed}, which {path} does not list")
    return services


def _service(name: str, body: Any, variables: Mapping[str, str]) -> Service:
    if not isinstance(body, dict):
        raise ComposeError(f"{name} must be a mapping")
    return Service(
        name=name,
        image=str(body.get("image", "")),
        command=_words(body.get("command")),
        environment=_environment(body.get("environment"), variables),
        after=_after(body.get("depends_on")),
        one_shot=str(body.get("restart", "no")).split(":")[0] in ("no", "False", "on-failure"),
        stop_seconds=_seconds(name, body.get("stop_grace_period")),
        health=_health((body.get("healthcheck") or {}).get("test")),
    )


def _words(command: Any) -> tuple[str, ...]:
    if command is None:
        return ()
    return tuple(shlex.split(command)) if isinstance(command, str) else tuple(str(word) for word in command)


def _health(test: Any) -> tuple[str, ...]:
    words = _words(test)
    return words[1:] if words and words[0] in ("CMD", "CMD-SHELL") else words


def _environment(body: Any, variables: Mapping[str, str]) -> dict[str, str]:
    if isinstance(body, list):
        pairs = [(str(entry).partition("=")[0], str(entry).partition("=")[2] or None) for entry in body]
    else:
        pairs = [(str(name), None if value is None else _scalar(value)) for name, value in (body or {}).items()]
    environment = {}
    for name, value in pairs:
        if value is not None:
            environment[name] = value
        elif name in variables:  # a name alone hands the caller's own variable through
            environment[name] = variables[name]
    return environment


def _scalar(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _after(body: Any) -> dict[str, Condition]:
    if isinstance(body, list):
        return {str(name): Condition.STARTED for name in body}
    return {
        str(name): Condition((entry or {}).get("condition", "service_started")) for name, entry in (body or {}).items()
    }


def _seconds(name: str, period: Any) -> int:
    if period is None:
        return _DEFAULT_GRACE_SECONDS
    match = _GRACE.fullmatch(str(period))
    if match is None or not any(match.groups()):
        raise ComposeError(f"{name}: stop_grace_period must read like 30s or 1m30s, not {period!r}")
    return int(match[1] or 0) * 60 + int(match[2] or 0)


def _fill(node: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(node, str):
        return interpolate(node, variables)
    if isinstance(node, dict):
        return {key: _fill(value, variables) for key, value in node.items()}
    if isinstance(node, list):
        return [_fill(value, variables) for value in node]
    return node


def interpolate(text: str, variables: Mapping[str, str]) -> str:
    """`text` with every `$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `${NAME:+other}`
    replaced.

    Without the colon an empty value counts as set. Defaults may hold variables themselves; they are looked
    at only when needed. `$$` stands for one dollar sign. A variable that is not set and has no default is
    empty, as in Docker Compose.

    Raises:
        ComposeError: a needed variable is missing, or a brace is not closed.
    """
    parts: list[str] = []
    position = 0
    while (dollar := text.find("$", position)) >= 0:
        parts.append(text[position:dollar])
        following = text[dollar + 1 : dollar + 2]
        if following == "$":
            parts.append("$")
            position = dollar + 2
        elif following == "{":
            end = _closing_brace(text, dollar + 2)
            parts.append(_value(text[dollar + 2 : end], variables))
            position = end + 1
        elif match := _NAME.match(text, dollar + 1):
            parts.append(variables.get(match[0], ""))
            position = match.end()
        else:
            raise ComposeError(f"a lone $ in {text!r}: write $$")
    parts.append(text[position:])
    return "".join(parts)


def _closing_brace(text: str, start: int) -> int:
    depth = 1
    for position in range(start, len(text)):
        if text[position] == "{" and text[position - 1] == "$":
            depth += 1
        elif text[position] == "}":
            depth -= 1
            if depth == 0:
                return position
    raise ComposeError(f"a brace is not closed in {text!r}")


def _value(expression: str, variables: Mapping[str, str]) -> str:
    match = _NAME.match(expression)
    if match is None:
        raise ComposeError(f"${{{expression}}} names no variable")
    name, rest = match[0], expression[match.end() :]
    value = variables.get(name)
    if not rest:
        return value or ""
    operator = next((known for known in _OPERATORS if rest.startswith(known)), None)
    if operator is None:
        raise ComposeError(f"${{{expression}}} is not understood")
    argument = rest[len(operator) :]
    present = bool(value) if operator[0] == ":" else value is not None
    if operator[-1] == "+":
        return interpolate(argument, variables) if present else ""
    if present:
        return value or ""
    if operator[-1] == "?":
        raise ComposeError(f"{name} must be set: {interpolate(argument, variables) or 'it has no default'}")
    return interpolate(argument, variables)
