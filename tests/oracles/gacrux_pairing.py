"""gacrux, an independent program that reads FIDE's reports, pairs by the Dutch rules of 2026 and computes tie-breaks.

It is asked through nothing but the reports that we write, so that every comparison is one of the writer too.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from gacrux.crosstabledutch import crosstable_dutch
from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch
from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

Pairs = frozenset[tuple[int, int]]


class _ColourlessTable(crosstable_dutch):
    def color_preference(self, cod: int, csq: str) -> str:
        return "nc"


class _Colourless(pairing_dutch):
    """The Dutch rules for people who do not mind their colours."""

    def get_crosstable(self, *arguments: Any) -> crosstable_dutch:
        return _ColourlessTable(*arguments)


def read(report: str) -> dict[str, Any]:
    """The tournament as gacrux reads it. Raises AssertionError where it complains of anything."""
    chessfile = trf2json()
    chessfile.parse_file(report, 0)
    status = chessfile.chessjson["status"]
    assert status["code"] == 0, status
    tournament: dict[str, Any] = chessfile.get_tournament(1)
    tournament["pairingSystem"] = ["dutch"]
    tournament["maxMeets"] = 1
    return tournament


def pair(report: str, *, colours: bool = True) -> Pairs | None:
    """Starting ranks who meet in the round to come, (white, black); (rank, 0) has the bye. None where the rules, those
    about colours included, leave no pairing."""
    tournament = read(report)
    kind = pairing_dutch if colours else _Colourless
    engine = kind(tournament, tournament["currentRound"] + 1, {"verbose": 0, "experimental": []})
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            brackets = engine.compute_pairing(False)
    except GacruxNoLegalPairing:
        return None
    return frozenset((p["w"], p["b"]) for bracket in brackets if bracket for p in bracket.get("pairs", ()))


def tie_breaks(report: str, codes: Sequence[str], *, swiss: bool = True) -> dict[int, tuple[Fraction, ...]]:
    """The values by starting rank, points first, of tie-breaks by FIDE's codes (C.07 of March 2026)."""
    lines = _ranking(report, codes, swiss=swiss)
    return {line["cid"]: tuple(Fraction(value or 0) for value in line["tiebreakScore"]) for line in lines}


def places(report: str, codes: Sequence[str], *, swiss: bool = True) -> dict[int, int]:
    """The rank by starting rank, by points and then these tie-breaks."""
    return {line["cid"]: line["rank"] for line in _ranking(report, codes, swiss=swiss)}


def _ranking(report: str, codes: Sequence[str], *, swiss: bool) -> list[dict[str, Any]]:
    tournament = read(report)
    parameters = {"swiss": swiss, "pre_determined": not swiss, "tiebreak": ["PTS", *codes], "check": False}
    engine = tiebreak(tournament, tournament["currentRound"], parameters)
    lines: list[dict[str, Any]] = engine.compute_tiebreaks(tournament, parameters)["competitors"]
    return lines


def who_meets(pairs: Iterable[tuple[int, int]]) -> frozenset[frozenset[int]]:
    """The same, whoever deals first."""
    return frozenset(frozenset(p) for p in pairs)
