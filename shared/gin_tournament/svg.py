"""Drawings that stand anywhere: in a page, in an `<img>`, on their own; light and dark without a script.

A drawing carries its own colours. They are attributes for light, so that it can be read where a page forbids styles,
and rules for both that apply within this drawing alone: everything in them hangs on a class made of its content.
There are no ids, so that any number of drawings may stand in one page.
"""

from __future__ import annotations

import unicodedata
from hashlib import blake2b
from xml.sax.saxutils import escape as _escape
from xml.sax.saxutils import quoteattr

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

_COLOURS = {
    # class: (attribute, light, dark)
    "ground": ("fill", "#f6f4ee", "#121815"),
    "box": ("fill", "#ffffff", "#1b2320"),
    "edge": ("stroke", "#cfcaba", "#3a4741"),
    "line": ("stroke", "#a9b3ad", "#56655d"),
    "ink": ("fill", "#1c2420", "#e9eeea"),
    "soft": ("fill", "#5a665f", "#a3b0a9"),
    "accent": ("fill", "#0b5d45", "#6fd3b0"),
    "red": ("fill", "#a3231c", "#ff9a90"),
    "stripe": ("fill", "#eef3ef", "#202b26"),
}
_NARROW = frozenset("iIljftr.,:;'|!()[]{}·-“”‘’` ")
_BROAD = frozenset("mwMW@%&—…")


class Drawing:
    """Shapes and texts in pixels, x to the right and y down; `document` makes the file of them."""

    def __init__(self, title: str, description: str) -> None:
        self._title = title
        self._description = description
        self._parts: list[str] = []
        self._width = 0.0
        self._height = 0.0

    def box(self, x: float, y: float, width: float, height: float, look: str = "box", *, radius: float = 6) -> None:
        """A filled rectangle; one with the look `box` has an edge."""
        edged = ' stroke="#cfcaba"' if look == "box" else ""
        kind = f"{look} edge" if look == "box" else look
        self._parts.append(
            f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" '
            f'rx="{_n(radius)}" fill="{_COLOURS[look][1]}"{edged}/>'
        )
        self._grow(x + width, y + height)

    def path(self, points: str) -> None:
        """A thin line along SVG path data."""
        self._parts.append(f'<path class="line" d="{points}" fill="none" stroke="{_COLOURS["line"][1]}"/>')

    def text(
        self,
        x: float,
        y: float,
        text: str,
        look: str = "ink",
        *,
        room: float | None = None,
        size: float = 13,
        bold: bool = False,
        italic: bool = False,
        anchor: str = "start",
    ) -> None:
        """A line of text with its base at `y`, clipped to `room` pixels; the whole then shows on hovering."""
        shown = text if room is None else clip(text, room, size * (1.06 if bold else 1))
        weight = ' font-weight="600"' if bold else ""
        style = ' font-style="italic"' if italic else ""
        at = "" if anchor == "start" else f' text-anchor="{anchor}"'
        height = "" if size == 13 else f' font-size="{_n(size)}"'
        whole = "" if shown == text else f"<title>{escape(text)}</title>"
        self._parts.append(
            f'<text class="{look}" x="{_n(x)}" y="{_n(y)}" fill="{_COLOURS[look][1]}"{height}{weight}{style}{at}>'
            f"{whole}{escape(shown)}</text>"
        )

    def begin(self, title: str) -> None:
        """What follows until `end` belongs together and is called so."""
        self._parts.append(f"<g><title>{escape(title)}</title>")

    def end(self) -> None:
        self._parts.append("</g>")

    def _grow(self, right: float, bottom: float) -> None:
        self._width, self._height = max(self._width, right), max(self._height, bottom)

    def document(self, margin: float = 16) -> str:
        """The whole as an SVG document, as large as what was drawn."""
        width, height = _n(self._width + margin), _n(self._height + margin)
        body = "".join(self._parts)
        name = "gin-" + blake2b((self._title + body).encode(), digest_size=5).hexdigest()
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(printable(self._title))} '
            f'font-family="{FONT}" font-size="13">'
            f"<title>{escape(self._title)}</title><desc>{escape(self._description)}</desc>"
            f"<style>{_rules(name)}</style>"
            f'<rect class="ground" width="{width}" height="{height}" rx="10" fill="{_COLOURS["ground"][1]}"/>'
            f"{body}</svg>\n"
        )


def _rules(name: str) -> str:
    def rules(at: int) -> str:
        return "".join(f".{name} .{look}{{{c[0]}:{c[at]}}}" for look, c in _COLOURS.items())

    return (
        f".{name} text{{font-variant-numeric:tabular-nums}}{rules(1)}@media (prefers-color-scheme:dark){{{rules(2)}}}"
    )


def clip(text: str, room: float, size: float) -> str:
    """The text, or as much of it as fits into `room` pixels with an ellipsis."""
    if width(text, size) <= room:
        return text
    room -= width("…", size)
    kept = ""
    for letter in text:
        room -= width(letter, size)
        if room < 0:
            break
        kept += letter
    return kept.rstrip() + "…"


def width(text: str, size: float) -> float:
    """About how many pixels wide a text is, rather too many than too few."""
    return size * sum(map(_em, text))


def _em(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if letter in _NARROW:
        return 0.36
    if letter in _BROAD:
        return 0.95
    return 0.7 if letter.isupper() else 0.59


def printable(text: str) -> str:
    """Without the control characters that XML cannot hold."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def escape(text: str) -> str:
    return _escape(printable(text))


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
