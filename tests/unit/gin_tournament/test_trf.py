"""TRF26: columns as FIDE's specification counts them, and what is refused with line and column."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from gin_tournament.document import TournamentDocument, read_document
from gin_tournament.format import Encounter, Fixture, OpenedRound, Result, Rulings, Situation
from gin_tournament.model import STANDARD_SCORING, ByeKind, Entrant, EntrantId, Outcome
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.swiss_rounds import Swiss
from gin_tournament.trf import InvalidTrfError, NotInTrfError, Report
from gin_tournament.trf_reader import read_trf
from gin_tournament.trf_writer import write_trf

NAMES = {EntrantId(str(n)): f"Player, {n}" for n in range(1, 7)}
ENTRANTS = tuple(Entrant(EntrantId(str(n)), n, 2000 - n) for n in range(1, 6))


def one_round(*outcomes: Outcome) -> OpenedRound:
    """1 meets 3 and 2 meets 4; 5 has the bye."""
    pairs = (("1", "3"), ("4", "2"))
    encounters = [
        Encounter(Fixture(f"1.{at}", tuple(map(EntrantId, seats))), Result(outcome))
        for at, (seats, outcome) in enumerate(zip(pairs, outcomes, strict=True), 1)
    ]
    bye = Fixture("1.3", (EntrantId("5"),), bye=ByeKind.PAIRING_ALLOCATED)
    return OpenedRound(1, (*encounters, Encounter(bye, Result())))


def document(*outcomes: Outcome, format_: Swiss | RoundRobin | None = None) -> TournamentDocument:
    return TournamentDocument(format_ or Swiss(), Situation(ENTRANTS, (one_round(*outcomes),)), NAMES, "Zürich Öpen")


def lines(text: str, tag: str) -> list[str]:
    assert text.endswith("\r\n")
    return [line for line in text.split("\r\n") if line.startswith(tag)]


def test_fields_stand_in_the_columns_of_the_specification() -> None:
    text = write_trf(document(Outcome.FIRST_WINS, Outcome.DRAW))
    first, second, *_, last = lines(text, "001")
    assert (first[4:8], first[14:47].rstrip(), first[48:52]) == ("   1", "Player, 1", "1999")
    assert (first[80:84], first[85:89]) == (" 1.0", "   2")  # behind the bye, whose dummy is stronger
    assert (first[91:95], first[96], first[98]) == ("   3", "w", "1")
    assert (second[91:95], second[96], second[98]) == ("   4", "b", "=")
    assert (last[91:95], last[96], last[98]) == ("0000", "-", "U")
    assert lines(text, "012") == ["012 Zurich Open"]
    assert lines(text, "062") == ["062 5"]
    assert lines(text, "142") == ["142 5"]
    assert lines(text, "202") == ["202 BH/C1,BH,DE,WON"]


@pytest.mark.parametrize(
    ("outcome", "letters"),
    [
        (Outcome.FIRST_WINS, "10"),
        (Outcome.SECOND_WINS, "01"),
        (Outcome.DRAW, "=="),
        (Outcome.FIRST_FORFEITS, "-+"),
        (Outcome.SECOND_FORFEITS, "+-"),
        (Outcome.DOUBLE_FORFEIT, "--"),
        (Outcome.VOID, "ZZ"),
    ],
)
def test_every_outcome_has_its_letters(outcome: Outcome, letters: str) -> None:
    one, _, three, *_ = lines(write_trf(document(outcome, Outcome.DRAW)), "001")
    assert one[98] + three[98] == letters


def test_what_was_written_is_read_again() -> None:
    outcomes = (Outcome.SECOND_FORFEITS, Outcome.SECOND_WINS)
    found = read_trf(write_trf(document(*outcomes)))
    assert found.situation.entrants == ENTRANTS
    played = {e.fixture.seats: (e.outcome, e.fixture.bye) for e in found.situation.encounters()}
    assert played == {
        ("1", "3"): (outcomes[0], None),
        ("4", "2"): (outcomes[1], None),
        ("5",): (None, ByeKind.PAIRING_ALLOCATED),
    }
    assert found.names == {name: text for name, text in NAMES.items() if name != "6"}


def test_wishes_for_the_next_round_are_told_and_read() -> None:
    base = document(Outcome.DRAW, Outcome.DRAW)
    wishes = replace(
        base.situation,
        withdrawn=frozenset({EntrantId("1")}),
        sitting_out=frozenset({EntrantId("2")}),
        rulings=Rulings(forbidden_pairs=((EntrantId("3"), EntrantId("5")),)),
    )
    text = write_trf(replace(base, situation=wishes))
    assert lines(text, "240") == ["240 H 002    2", "240 Z 002    1"]
    assert lines(text, "260") == ["260 002 005    3    5"]
    found = read_trf(text).situation
    assert found.sitting_out == {"1", "2"}
    assert found.rulings.forbidden_pairs == (("3", "5"),)


def test_acceleration_is_told_in_fictitious_points_and_only_baku_is_read() -> None:
    text = write_trf(document(Outcome.DRAW, Outcome.DRAW, format_=Swiss(rounds=9, accelerated=True)))
    assert lines(text, "250") == ["250       1.0 001 003    1    4", "250       0.5 004 005    1    4"]
    found = read_trf(text).format
    assert isinstance(found, Swiss)
    assert found.accelerated
    with pytest.raises(InvalidTrfError, match="Baku"):
        read_trf(text.replace("001 003    1    4", "001 003    1    3"))


def test_other_points_are_told_and_read() -> None:
    three = replace(STANDARD_SCORING, win=Fraction(3), forfeit_win=Fraction(3), bye=Fraction(3), draw=Fraction(1))
    scoring = replace(three, half_bye=Fraction(1))
    text = write_trf(document(Outcome.FIRST_WINS, Outcome.DRAW, format_=Swiss(scoring=scoring)))
    assert lines(text, "162") == ["162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0"]
    assert lines(text, "001")[0][80:84] == " 3.0"
    assert read_trf(text).format == replace(read_trf(text).format, scoring=scoring)


@pytest.mark.parametrize(
    ("scoring", "why"),
    [
        (replace(STANDARD_SCORING, forfeit_win=Fraction(0)), "win by forfeit"),
        (replace(STANDARD_SCORING, half_bye=Fraction(0)), "half bye"),
        (replace(STANDARD_SCORING, draw=Fraction(1, 3), half_bye=Fraction(1, 3)), "tenths"),
    ],
)
def test_points_that_a_report_cannot_tell_are_refused(scoring: object, why: str) -> None:
    with pytest.raises(NotInTrfError, match=why):
        write_trf(document(Outcome.DRAW, Outcome.DRAW, format_=Swiss(scoring=scoring)))  # type: ignore[arg-type]


def test_a_knockout_cannot_be_reported() -> None:
    with pytest.raises(NotInTrfError, match="single elimination"):
        write_trf(TournamentDocument(SingleElimination(), Situation(ENTRANTS), NAMES))


def test_dates_and_a_double_round_robin_are_told() -> None:
    doubled = document(Outcome.DRAW, Outcome.DRAW, format_=RoundRobin(legs=2))
    text = write_trf(doubled, Report(starts_on=date(2027, 1, 8), round_dates=(date(2027, 1, 8), date(2027, 1, 9))))
    assert lines(text, "042") == ["042 2027/01/08"]
    assert lines(text, "132")[0][91:] == "27/01/08  27/01/09"
    assert lines(text, "192") == ["192 BERGER_DOUBLEROUNDROBIN"]
    assert read_trf(text).format == RoundRobin(legs=2, tie_breaks=("direct_encounter", "sonneborn_berger", "wins"))


def test_before_the_first_round_the_colour_of_seed_one_is_told() -> None:
    for seed in range(6):
        fresh = TournamentDocument(Swiss(), Situation(ENTRANTS, seed=seed), NAMES)
        answer = fresh.format.next_round(fresh.situation)
        expected = "W" if any(f.seats[0] == "1" for f in answer.fixtures) else "B"  # type: ignore[union-attr]
        assert lines(write_trf(fresh), "152") == [f"152 {expected}"]


def entrant(number: int, *cells: str) -> str:
    return f"001 {number:>4}      {'Player':<33} {'':4} {'':3} {'':11} {'':10}  0.0    1" + "".join(
        f"  {c}" for c in cells
    )


GOOD = (entrant(1, "   2 w 1"), entrant(2, "   1 b 0"))


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (("012 Nothing",), 1, 1),
        ((entrant(1, "   2 w 1"),), 1, 92),
        ((entrant(1, "   2 w 1"), entrant(2, "   1 b 1")), 1, 99),
        ((entrant(1, "   2 w 1"), entrant(2, "   1 w 0")), 1, 97),
        ((entrant(1, "   2 w 1"), entrant(2, "0000 - U")), 1, 92),
        ((entrant(1, "   1 w 1"),), 1, 92),
        ((entrant(1, "   2 w X"), entrant(2, "   1 b 0")), 1, 99),
        ((entrant(1, "   x w 1"),), 1, 92),
        ((*GOOD, entrant(2)), 3, 5),
        ((*GOOD, "240 Q 002 0001"), 3, 5),
        ((*GOOD, "240 H 002 0009"), 3, 11),
        ((*GOOD, "260 001 002    1    7"), 3, 18),
        ((*GOOD, "162  Q 1.0"), 3, 6),
        ((*GOOD, "162  W1,00"), 3, 7),
        ((*GOOD, "310   1 India"), 3, 1),
        ((*GOOD, "142 many"), 3, 5),
    ],
)
def test_what_is_no_report_is_refused_with_line_and_column(text: tuple[str, ...], line: int, column: int) -> None:
    with pytest.raises(InvalidTrfError) as caught:
        read_trf("\n".join(text))
    assert (caught.value.line, caught.value.column) == (line, column), caught.value


def test_older_reports_with_their_additions_are_read() -> None:
    text = "\n".join(["### a remark", "XXR 7", *GOOD, entrant(3, "0000 - F", "0000 - H"), entrant(4), "XXZ 1 2"])
    found = read_trf(text)
    assert found.format == Swiss(rounds=7)
    assert found.situation.sitting_out == {"1", "2", "3"}
    assert [e.fixture.bye for e in found.situation.encounters()] == [None, ByeKind.PAIRING_ALLOCATED]


def test_a_pairing_without_results_is_still_being_played() -> None:
    (encounter,) = read_trf("\n".join((entrant(1, "   2 w"), entrant(2, "   1 b")))).situation.encounters()
    assert not encounter.is_decided


def test_a_document_can_be_reported() -> None:
    text = write_trf(read_document({"format": "swiss", "entrants": [{"id": "a"}, {"id": "b"}], "name": "Tiny"}))
    assert lines(text, "001")[0][14:15] == "a"
