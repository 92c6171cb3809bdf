"""Cross tables as a drawing, one below the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gin_tournament.cross_table import EVERYBODY, CrossTable, Meeting, Row, points_text, short
from gin_tournament.model import EntrantId
from gin_tournament.svg import Drawing, width

MOST_ROWS = 256
MARGIN = 16
ROW = 26
_RANK = 40
_NAME = 190
_POINTS = 54
_SIZE = 13
_LOOKS = {"win": "accent", "forfeit_win": "accent", "bye": "accent", "draw": "ink", "half_bye": "ink", "place": "ink"}


def draw_cross_tables(tables: Sequence[CrossTable], names: Mapping[EntrantId, str], title: str) -> str:
    """SVG of all tables. Of a table of more than 256 the first 256 are drawn, and the drawing says so."""
    rows = sum(len(table.rows) for table in tables)
    drawing = Drawing(f"Cross table of {title}", f"Results of {rows} entrants, by rank. {' '.join(_KEYS)}")
    y = float(MARGIN)
    for table in tables:
        y = _draw(drawing, table, names, y) + ROW
    for line in _KEYS:
        drawing.box(MARGIN, y - 14, width(line, 12), 20, "ground")
        drawing.text(MARGIN, y, line, "soft", size=12)
        y += 18
    return drawing.document()


_KEYS = (
    "W won, D drew, L lost, B bye, H half bye, Z absent,",
    "X won without play, F forfeited, N annulled,",
    "· being played; a number is the opponent’s rank.",
)


def _draw(drawing: Drawing, table: CrossTable, names: Mapping[EntrantId, str], y: float) -> float:
    heading = f"Stage {table.stage}, group {table.group}" if table.group else ""
    if heading:
        drawing.text(MARGIN, y + 16, heading, "accent", size=15, bold=True)
        y += ROW + 4
    shown = table.rows[:MOST_ROWS]
    ranks = {row.standing.entrant: row.standing.rank for row in table.rows}
    columns = len(shown) if table.layout == EVERYBODY else len(table.columns)
    texts = [[_text(cell, ranks, table.layout) for cell in row.cells[:columns]] for row in shown]
    cell = max([30.0, *(width(text, _SIZE) + 12 for row in texts for text in row)])
    left = MARGIN + _RANK + _NAME + _POINTS
    whole = _RANK + _NAME + _POINTS + columns * cell
    drawing.box(MARGIN, y, whole + 8, (len(shown) + 1) * ROW + 4)
    _head(drawing, columns, left, cell, y)
    for at, (row, words) in enumerate(zip(shown, texts, strict=True)):
        top = y + (at + 1) * ROW
        if at % 2 == 0:
            drawing.box(MARGIN + 1, top, whole + 6, ROW, "stripe", radius=0)
        _row(drawing, row, names, top + 17.5)
        for column, word in enumerate(words):
            x = left + column * cell + cell / 2
            if table.layout == EVERYBODY and column == at:
                drawing.box(left + column * cell + 3, top + 3, cell - 6, ROW - 6, "ground", radius=3)
            elif word:
                look = _LOOKS.get(row.cells[column][0].result or "", "soft")
                drawing.text(x, top + 17.5, word, look, anchor="middle", bold=look == "accent")
    y += (len(shown) + 1) * ROW + 4
    if len(shown) < len(table.rows):
        drawing.text(MARGIN, y + 18, f"The first {len(shown)} of {len(table.rows)} are shown.", "soft", size=12)
        y += ROW
    return y


def _head(drawing: Drawing, columns: int, left: float, cell: float, y: float) -> None:
    base = y + 18
    drawing.text(MARGIN + _RANK - 12, base, "#", "soft", size=12, anchor="end")
    drawing.text(MARGIN + _RANK, base, "Player", "soft", size=12)
    drawing.text(left - 12, base, "Points", "soft", size=12, anchor="end")
    for column in range(columns):
        drawing.text(left + column * cell + cell / 2, base, str(column + 1), "soft", size=12, anchor="middle")


def _row(drawing: Drawing, row: Row, names: Mapping[EntrantId, str], base: float) -> None:
    standing = row.standing
    drawing.text(MARGIN + _RANK - 12, base, str(standing.rank), "soft", anchor="end")
    drawing.text(MARGIN + _RANK, base, names.get(standing.entrant, standing.entrant), room=_NAME - 10, bold=True)
    x = MARGIN + _RANK + _NAME + _POINTS - 12
    drawing.text(x, base, points_text(standing.points), bold=True, anchor="end")


def _text(meetings: Sequence[Meeting], ranks: Mapping[EntrantId, int], layout: str) -> str:
    return " ".join(short(meeting, ranks, layout) for meeting in meetings)
