"""Our tie-breaks beside gacrux', which computes them by FIDE C.07 of March 2026, unplayed rounds included."""

from __future__ import annotations

import pytest

from gin_tournament.document import TournamentDocument
from gin_tournament.round_robin import RoundRobin
from gin_tournament.swiss_rounds import Swiss
from gin_tournament.trf import CODES
from gin_tournament.trf_writer import write_trf
from tests.oracles import gacrux_pairing
from tests.support.swiss_play import played_out

AMONG_THE_TIED = ("direct_encounter",)
ONLY_BY_PLAY = ("koya",)  # ours leaves out forfeits
BY_THEMSELVES = tuple(name for name in CODES if name not in AMONG_THE_TIED)


def compare(tournament: TournamentDocument, names: tuple[str, ...], *, swiss: bool = True) -> None:
    report = write_trf(tournament)
    lines = tournament.format.standings(tournament.situation)
    columns = tournament.format.columns
    for name in names:
        theirs = gacrux_pairing.tie_breaks(report, [CODES[name]], swiss=swiss)
        ours = {int(line.entrant): (line.points, line.tie_breaks[columns.index(name)]) for line in lines}
        assert theirs == ours, (name, report)


@pytest.mark.parametrize("seed", range(8))
def test_every_value_is_the_same_where_everybody_plays(seed: int) -> None:
    compare(played_out(Swiss(rounds=5, tie_breaks=BY_THEMSELVES), 8 + 2 * seed, seed, absences=False), BY_THEMSELVES)


@pytest.mark.parametrize("seed", range(12))
def test_every_value_is_the_same_with_byes_forfeits_absences_and_withdrawals(seed: int) -> None:
    names = tuple(name for name in BY_THEMSELVES if name not in ONLY_BY_PLAY)
    compare(played_out(Swiss(rounds=5, tie_breaks=names), 9 + 2 * seed, seed, absences=True), names)


@pytest.mark.parametrize("seed", range(12))
def test_direct_encounter_gives_the_same_places(seed: int) -> None:
    tournament = played_out(Swiss(rounds=4, tie_breaks=AMONG_THE_TIED), 5 + seed, seed, absences=seed % 2 == 1)
    lines = tournament.format.standings(tournament.situation)
    theirs = gacrux_pairing.places(write_trf(tournament), ["DE"])
    assert {int(line.entrant): line.rank for line in lines} == theirs


@pytest.mark.parametrize("size", [4, 5, 7, 10])
def test_a_round_robin_has_the_same_values(size: int) -> None:
    names = tuple(name for name in BY_THEMSELVES if "buchholz" not in name)
    format_ = RoundRobin(tie_breaks=names)

    compare(played_out(format_, size, size, absences=False), names, swiss=False)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_soak_of_a_thousand_tournaments_beside_gacrux() -> None:
    names = tuple(name for name in BY_THEMSELVES if name not in ONLY_BY_PLAY)
    for seed in range(100, 1_100):
        compare(played_out(Swiss(rounds=7, tie_breaks=names), 12 + seed % 50, seed, absences=True), names)
