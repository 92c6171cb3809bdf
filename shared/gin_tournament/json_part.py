"""A value out of somebody's JSON and the place where it stands, so that whatever is wrong can be pointed at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from gin_tournament.errors import InvalidDocumentError

LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Part:
    """`path` is that of `value` in the whole, such as `rounds[1].pairings[0]`; "" for the whole itself."""

    value: Any
    path: str = ""

    def wrong(self, problem: str) -> InvalidDocumentError:
        """The error that says so of this place."""
        return InvalidDocumentError(self.path or "the document", problem)

    def members(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Part]:
        """The members of an object. Raises `InvalidDocumentError` for any that is missing or unknown."""
        if not isinstance(self.value, dict):
            raise self.wrong("must be an object")
        for name in self.value:
            if name not in required and name not in optional:
                known = ", ".join([*required, *optional])
                raise InvalidDocumentError(self._inside(str(name)), f"is not known here; there are: {known}")
        for name in required:
            if name not in self.value:
                raise InvalidDocumentError(self._inside(name), "is missing")
        return {name: Part(value, self._inside(name)) for name, value in self.value.items()}

    def items(self) -> list[Part]:
        if not isinstance(self.value, list):
            raise self.wrong("must be a list")
        return [Part(value, f"{self.path}[{at}]") for at, value in enumerate(self.value)]

    def text(self) -> str:
        """A text that is not empty, prints, and has no blanks at its ends."""
        value = self.value
        if not isinstance(value, str):
            raise self.wrong("must be a text")
        if not 1 <= len(value) <= LONGEST_TEXT or value != value.strip() or not value.isprintable():
            raise self.wrong(f"must be 1 to {LONGEST_TEXT} printable characters without blanks at the ends")
        return value

    def whole(self, least: int, most: int) -> int:
        if type(self.value) is not int or not least <= self.value <= most:
            raise self.wrong(f"must be a whole number from {least} to {most}")
        return self.value

    def choice(self, choices: Collection[str]) -> str:
        if not isinstance(self.value, str) or self.value not in choices:
            raise self.wrong(f"must be one of {', '.join(choices)}")
        return self.value

    def _inside(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name
