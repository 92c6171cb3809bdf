"""Fields of the desk's forms: how each is shown, read and kept.

The name of a field is the path at which the plan of a tournament keeps its value, and by which a refusal names it:
`rules.target`, `format.stages[0].groups`. So whatever is wrong with a plan is told beside the field that says it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gin_lobby.domain.names import why_not_a_name
from gin_servicekit.problems import Problem

EMPTY = "Please fill this in."
Typed = Mapping[str, Sequence[str]]
"""What a form holds, by the names of fields: of most one text, of a list several."""
_STEP = re.compile(r"[^.\[\]]+|\[\d+\]")


class Option(NamedTuple):
    value: str
    label: str


class WrongValue(Exception):
    """What was typed means nothing here; the text is for whoever typed it."""


@dataclass(frozen=True, slots=True)
class Field:
    """One question. `kind` says what it is read as:

    text: a text; long: a longer one, on one line; number: a whole number, shown as so many `scale`; decimal;
    switch: true or false; yes_no: true, false or nothing; choice: the text of an option; number_choice: its number;
    numbers: whole numbers with commas between; list: the options chosen in `places` selects, in this order;
    texts: all texts of this name, as they are; date, time, zone, entrant, occurrence, hidden: a text.
    What may be left empty is read as None.
    """

    name: str
    label: str
    kind: str = "text"
    default: str | Sequence[str] = ""
    hint: str = ""
    options: tuple[Option, ...] = ()
    least: int | None = None
    most: int | None = None
    scale: int = 1
    required: bool = True
    longest: int = 80
    places: int = 1

    @property
    def defaults(self) -> Sequence[str]:
        return [self.default] if isinstance(self.default, str) else self.default

    def read(self, texts: Sequence[str]) -> Any:
        """Raises WrongValue."""
        if self.kind == "switch":
            return bool(texts and texts[0])
        if self.kind == "texts":
            return list(texts)
        if self.kind == "list":
            return self._several([text for text in texts if text])
        text = texts[0].strip() if texts else ""
        if self.kind == "numbers":
            return [_number(part) for part in text.split(",") if part.strip()]
        if not text:
            if self.required:
                raise WrongValue(EMPTY)
            return None
        return self._one(text)

    def _one(self, text: str) -> Any:
        if self.kind in ("choice", "yes_no", "number_choice") and text not in {o.value for o in self.options}:
            raise WrongValue("Please choose one of these.")
        match self.kind:
            case "number":
                return self._ranged(_number(text)) * self.scale
            case "number_choice":
                return _number(text)
            case "decimal":
                return _decimal(text)
            case "yes_no":
                return text == "yes"
            case "text" | "long":
                text = " ".join(text.split())
                if len(text) > self.longest:
                    raise WrongValue(f"At most {self.longest} characters.")
                reason = why_not_a_name(text)
                if reason:
                    raise WrongValue(sentence(reason))
            case _ if not text.isprintable():
                raise WrongValue("Only printable characters.")
        return text

    def _ranged(self, number: int) -> int:
        if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            raise WrongValue(f"From {self.least} to {self.most}, please.")
        return number

    def _several(self, texts: list[str]) -> list[str]:
        if not set(texts) <= {option.value for option in self.options}:
            raise WrongValue("Please choose one of these.")
        if len(set(texts)) < len(texts):
            raise WrongValue("One is chosen twice.")
        return texts

    def shown(self, value: Any) -> Sequence[str]:
        """What the form holds for a value that was kept."""
        match value:
            case None:
                return [""]
            case bool():
                return ["yes" if value else "no"] if self.kind == "yes_no" else ["on" if value else ""]
            case list() | tuple():
                return [",".join(map(str, value))] if self.kind == "numbers" else [str(item) for item in value]
            case int() if self.scale > 1:
                return [str(value // self.scale)]
            case float() if value == int(value):
                return [str(int(value))]
        return [str(value)]


class Reading(NamedTuple):
    """The values by name, and what is wrong, by name as well. Fields in error have no value."""

    values: dict[str, Any]
    errors: dict[str, str]


def read(fields: Iterable[Field], typed: Typed) -> Reading:
    values, errors = {}, {}
    for field in fields:
        try:
            values[field.name] = field.read(typed.get(field.name, ()))
        except WrongValue as wrong:
            errors[field.name] = str(wrong)
    return Reading(values, errors)


def place(document: dict[str, Any], path: str, value: Any) -> None:
    """Puts the value at its path; lists on the way must have the item already."""
    *way, last = _steps(path)
    inner: Any = document
    for step in way:
        inner = inner.setdefault(step, {}) if isinstance(inner, dict) else inner[step]
    inner[last] = value


def found(document: Any, path: str, otherwise: Any = None) -> Any:
    """The value at a path, or `otherwise` where there is none."""
    for step in _steps(path):
        try:
            document = document[step]
        except (KeyError, IndexError, TypeError):
            return otherwise
    return document


def blamed(problem: Problem, names: Iterable[str]) -> dict[str, str]:
    """The problem beside the field that it names, or a field around it; empty where no field shown is at fault."""
    known, at = set(names), problem.field or ""
    while at and at not in known:
        at = at.rpartition("[" if at.endswith("]") else ".")[0]
    return {at: sentence(problem.detail)} if at else {}


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + ("" if text.endswith("?") else ".")


def _steps(path: str) -> list[str | int]:
    return [int(step[1:-1]) if step.startswith("[") else step for step in _STEP.findall(path)]


def _number(text: str) -> int:
    text = text.strip()
    if not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
        raise WrongValue("A whole number, please.")
    return int(text)


def _decimal(text: str) -> float:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        raise WrongValue("A number, please.") from None
    if not math.isfinite(number) or abs(number) > 100_000:
        raise WrongValue("A number that a rating can have, please.")
    return number
