"""A bracket as a drawing: rounds from left to right, who comes through joined to where they play next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gin_tournament.bracket_view import BracketView, Match, Side
from gin_tournament.model import EntrantId
from gin_tournament.svg import Drawing

WIDTH = 214
ROW = 22
GAP = 16
COLUMN = WIDTH + 36
PITCH = 2 * ROW + GAP
MARGIN = 16
HEADING = 28
_SCORE_ROOM = 34
_UNDECIDED = ("to_come", "playing")
_NOTES = {
    "first_forfeits": "without play",
    "second_forfeits": "without play",
    "double_forfeit": "both forfeit",
    "void": "annulled",
    "playing": "being played",
}


class _Place(NamedTuple):
    """`column` counts from 0; `row` is the middle of the box in pitches."""

    column: int
    row: float


def draw_bracket(views: Sequence[BracketView], names: Mapping[EntrantId, str], title: str) -> str:
    """SVG of all knockouts of a tournament, one below the other."""
    drawing = Drawing(f"Bracket of {title}", _described(views, names))
    y = float(MARGIN)
    for view in views:
        if view.title:
            drawing.text(MARGIN, y + 18, view.title, "accent", size=17, bold=True)
            y += 36
        y = _Sheet(drawing, view, names).draw(y) + 2 * GAP
    if not views:
        drawing.box(MARGIN, MARGIN, 360, 44)
        drawing.text(MARGIN + 16, MARGIN + 27, "The bracket is not drawn yet.", "soft")
    return drawing.document()


def _described(views: Sequence[BracketView], names: Mapping[EntrantId, str]) -> str:
    words = []
    for view in views:
        what = f"{view.title}: " if view.title else ""
        decided = sum(match.state not in _UNDECIDED for match in view.matches)
        words.append(
            f"{what}{view.kind.replace('_', ' ')} of {view.field_size}, "
            f"{decided} of {len(view.matches)} encounters decided"
            + (f"; {names.get(view.champion, view.champion)} has won." if view.champion else ".")
        )
    return " ".join(words) or "Not drawn yet."


class _Sheet:
    """One knockout on the drawing."""

    def __init__(self, drawing: Drawing, view: BracketView, names: Mapping[EntrantId, str]) -> None:
        self._drawing = drawing
        self._names = names
        self._matches = {match.slot: match for match in view.matches}
        self._sections: dict[str, list[Match]] = {}
        for match in view.matches:
            self._sections.setdefault(match.section, []).append(match)
        self._placed: dict[str, _Place] = {}
        self._top: dict[str, float] = {}

    def draw(self, y: float) -> float:
        """Draws everything below `y`; tells where it ends."""
        final = self._sections.pop("Grand final", [])
        columns = 0
        top = y
        for title, matches in self._sections.items():
            if title:
                self._drawing.text(MARGIN, y + 15, title, "accent", size=15, bold=True)
                y += HEADING
            rows = self._arrange(matches)
            self._draw_section(matches, y + HEADING)
            columns = max(columns, 1 + max(self._placed[match.slot].column for match in matches))
            y += HEADING + rows * PITCH + GAP
        if final:
            y = max(y, self._draw_final(final, columns, top))
        return y

    def _arrange(self, matches: Sequence[Match]) -> float:
        """Gives every match of a section its place: behind its feeders, in the middle of them."""
        rounds = sorted({match.round for match in matches})
        feeding = {slot for match in matches for slot in match.feeders}
        roots = [match for match in matches if match.slot not in feeding]
        roots.sort(key=lambda match: (-match.round, match.slot == "3P"))
        self._next = 0.0
        for root in roots:
            self._place(root, rounds)
        return self._next

    def _place(self, match: Match, rounds: Sequence[int]) -> float:
        rows = [self._place(self._matches[slot], rounds) for slot in match.feeders if slot in self._matches]
        if not rows:
            rows = [self._next + 0.5]
            self._next += 1
        row = sum(rows) / len(rows)
        self._placed[match.slot] = _Place(rounds.index(match.round), row)
        return row

    def _draw_section(self, matches: Sequence[Match], y: float) -> None:
        headed: set[int] = set()
        for match in matches:
            self._top[match.slot] = y
        for match in sorted(matches, key=lambda match: (match.round, match.slot == "3P")):
            column = self._placed[match.slot].column
            x = self._left(match.slot)
            if column not in headed:
                self._drawing.text(x + 2, y - 8, match.title, room=WIDTH, size=12, bold=True)
                headed.add(column)
            elif match.slot == "3P":
                self._drawing.text(x + 2, self._middle(match.slot) - ROW - 5, match.title, size=12, bold=True)
            for slot in match.feeders:
                self._join(slot, match.slot)
            self._draw_match(match)

    def _draw_final(self, matches: Sequence[Match], column: int, top: float) -> float:
        """The grand final stands beside both trees, in the middle of their finals."""
        ends = [self._last_of(section) for section in self._sections.values()]
        middle = sum(self._middle(slot) for slot in ends) / len(ends) if ends else top + HEADING + PITCH / 2
        for at, match in enumerate(matches):
            self._top[match.slot] = middle - PITCH / 2
            self._placed[match.slot] = _Place(column + at, 0.5)
            x, y = self._left(match.slot), self._middle(match.slot)
            self._drawing.text(x + 2, y - ROW - 6, match.title, room=WIDTH, size=12, bold=True)
            for slot in ends if at == 0 else match.feeders:
                self._join(slot, match.slot)
            self._draw_match(match)
        return middle + PITCH

    @staticmethod
    def _last_of(matches: Sequence[Match]) -> str:
        return max(matches, key=lambda match: match.round).slot

    def _left(self, slot: str) -> float:
        return MARGIN + self._placed[slot].column * COLUMN

    def _middle(self, slot: str) -> float:
        return self._top[slot] + self._placed[slot].row * PITCH

    def _join(self, slot: str, to: str) -> None:
        x, end = self._left(slot) + WIDTH, self._left(to)
        bend = end - (COLUMN - WIDTH) / 2
        self._drawing.path(f"M{x:g} {self._middle(slot):g}H{bend:g}V{self._middle(to):g}H{end:g}")

    def _draw_match(self, match: Match) -> None:
        x, y = self._left(match.slot), self._middle(match.slot) - ROW
        self._drawing.begin(self._told(match))
        self._drawing.text(x + WIDTH - 4, y - 3.5, match.slot, "soft", size=9.5, anchor="end")
        self._drawing.box(x, y, WIDTH, 2 * ROW)
        self._drawing.path(f"M{x + 1:g} {y + ROW:g}H{x + WIDTH - 1:g}")
        decided = match.state not in _UNDECIDED
        for at, side in enumerate(match.sides):
            self._draw_side(x, y + at * ROW + 15.5, side, decided)
        self._drawing.end()

    def _draw_side(self, x: float, y: float, side: Side, decided: bool) -> None:
        if side.entrant is None:
            self._drawing.text(
                x + 32, y, "–" if decided else side.origin, "soft", room=WIDTH - 40, size=12, italic=True
            )
            return
        self._drawing.text(x + 25, y, str(side.seed), "soft", size=11, anchor="end")
        look = "ink" if side.won or not decided else "soft"
        name = self._names.get(side.entrant, side.entrant)
        self._drawing.text(x + 32, y, name, look, room=WIDTH - 38 - _SCORE_ROOM, bold=side.won)
        if side.score:
            score = "accent" if side.won else "soft"
            self._drawing.text(x + WIDTH - 8, y, side.score, score, bold=side.won, anchor="end", room=_SCORE_ROOM)
        elif side.won:
            self._drawing.text(x + WIDTH - 8, y, "✓", "accent", bold=True, anchor="end")

    def _told(self, match: Match) -> str:
        """The encounter in words."""
        words = []
        for side in match.sides:
            name = side.origin if side.entrant is None else self._names.get(side.entrant, side.entrant)
            words.append(f"{name} {side.score}".rstrip() + (" (won)" if side.won else ""))
        note = _NOTES.get(match.state, "")
        return f"{match.title}, {match.slot}: {' – '.join(words)}" + (f"; {note}" if note else "")
