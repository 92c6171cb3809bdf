"""Every format by its name, and its settings as JSON.

A format is an object with its `kind` and its settings; settings left out have their defaults. Points are
written as strings where they are no whole numbers ("1/2"). Formats inside formats are written the same way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from types import NoneType
from typing import Any, cast, get_args, get_origin, get_type_hints

from gin_tournament.arena import Arena
from gin_tournament.double_elimination import DoubleElimination
from gin_tournament.duplicate import Duplicate
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import Format, Situation
from gin_tournament.ladder import Ladder
from gin_tournament.pods import Pods
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.stages import GroupTable, Stages
from gin_tournament.swiss_rounds import Swiss

_ALL: tuple[type[Format], ...] = (
    Swiss,
    RoundRobin,
    SingleElimination,
    DoubleElimination,
    Arena,
    Ladder,
    Pods,
    Duplicate,
    Stages,
)
FORMATS: dict[str, type[Format]] = {format_.kind: format_ for format_ in _ALL}


def opens_while_playing(format_: Format) -> bool:
    """False where `next_round` only ever waits as long as anything is undecided: then there is no need to ask."""
    if isinstance(format_, Stages):
        return any(opens_while_playing(stage.format) for stage in format_.stages)
    return isinstance(format_, Arena | Ladder)


def tables(format_: Format, situation: Situation) -> tuple[GroupTable, ...]:
    """The standings as they are shown: one table, or one for each group of each stage that has begun."""
    if isinstance(format_, Stages):
        return format_.tables(situation)
    return (GroupTable(1, "", format_, format_.standings(situation)),)


def to_json(format_: Format) -> dict[str, Any]:
    """The format with all its settings, ready for `json.dumps`."""
    return cast(dict[str, Any], _written(format_))


def from_json(document: Mapping[str, Any]) -> Format:
    """The format that `to_json` wrote, or somebody by hand.

    Raises `InvalidFormatError`, which names the field, for everything that is no format.
    """
    return _format(document, "")


def _written(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        kind = getattr(value, "kind", None)
        named = {} if kind is None else {"kind": kind}
        return named | {f.name: _written(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, tuple):
        return [_written(item) for item in value]
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return value


def _format(document: Any, path: str) -> Format:
    if not isinstance(document, Mapping):
        raise InvalidFormatError(path, "must be an object")
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in FORMATS:
        raise InvalidFormatError(_join(path, "kind"), f"must be one of {', '.join(FORMATS)}")
    settings = {name: value for name, value in document.items() if name != "kind"}
    return cast(Format, _object(FORMATS[kind], settings, path))


def _object(type_: type[Any], document: Any, path: str, usual: object = MISSING) -> Any:
    # What is left out is as in `usual`, where the setting has such a value of its own.
    if not isinstance(document, Mapping):
        raise InvalidFormatError(path, "must be an object")
    hints = get_type_hints(type_)
    known = {f.name: f for f in fields(type_)}
    for name in document:
        if name not in known:
            raise InvalidFormatError(_join(path, str(name)), "is no setting of this format")
    for name, field in known.items():
        if name not in document and field.default is MISSING and usual is MISSING:
            raise InvalidFormatError(_join(path, name), "is missing")
    values = {} if usual is MISSING else {name: getattr(usual, name) for name in known}
    values |= {
        name: _value(hints[name], value, _join(path, name), known[name].default) for name, value in document.items()
    }
    try:
        return type_(**values)
    except InvalidFormatError as wrong:
        raise InvalidFormatError(_join(path, wrong.field), wrong.problem) from wrong


def _value(hint: Any, value: Any, path: str, usual: object) -> Any:
    if hint is Format:
        return _format(value, path)
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise InvalidFormatError(path, "must be a list")
        return tuple(_value(get_args(hint)[0], item, f"{path}[{at}]", MISSING) for at, item in enumerate(value))
    if hint is Fraction:
        return _fraction(value, path)
    if is_dataclass(hint):
        return _object(cast(type[Any], hint), value, path, usual)
    if type(value) is not hint:
        raise InvalidFormatError(path, f"must be {_NAMES[hint]}, not {_NAMES.get(type(value), 'something else')}")
    return value


_NAMES = {
    int: "a whole number",
    str: "a text",
    bool: "true or false",
    float: "a decimal",
    list: "a list",
    dict: "an object",
    NoneType: "null",
}
_FRACTION = re.compile(r"[0-9]{1,4}(/[1-9][0-9]{0,3})?")


def _fraction(value: Any, path: str) -> Fraction:
    written = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not _FRACTION.fullmatch(written):
        raise InvalidFormatError(path, 'must be a whole number below 10000 or a fraction such as "1/2"')
    return Fraction(written)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name
