"""Unplayed rounds in tie-breaks, article by article (FIDE C.07, article 16, March 2026)."""

from __future__ import annotations

from fractions import Fraction

from gin_tournament.model import Bye, ByeKind, DecidedPairing, Entrant, EntrantId, Outcome, Pairing, Round
from gin_tournament.standings import rank

HALF = Fraction(1, 2)
A, B, C, D = (EntrantId(name) for name in "ABCD")
ENTRANTS = [Entrant(name, seed) for seed, name in enumerate((A, B, C, D), 1)]


def played(number: int, *games: tuple[EntrantId, Outcome, EntrantId], byes: tuple[Bye, ...] = ()) -> Round:
    pairings = tuple(DecidedPairing(Pairing(first, second), outcome) for first, outcome, second in games)
    return Round(number, pairings, byes)


def buchholz(history: list[Round], name: str = "buchholz") -> dict[EntrantId, Fraction]:
    return {line.entrant: line.tie_breaks[0] for line in rank(ENTRANTS, history, [name])}


WIN, DRAW = Outcome.FIRST_WINS, Outcome.DRAW


def test_requested_bye_at_the_end_counts_as_a_draw_for_the_opponents() -> None:
    history = [
        played(1, (A, WIN, B), (C, WIN, D)),
        played(2, (A, WIN, C), byes=(Bye(B, ByeKind.REQUESTED_ZERO), Bye(D, ByeKind.REQUESTED_ZERO))),
    ]
    # B has 0 but counts 1/2 for A; C has 1.
    assert buchholz(history)[A] == 1 + HALF


def test_requested_bye_before_a_round_played_counts_what_it_gave() -> None:
    history = [
        played(1, (A, WIN, C), byes=(Bye(B, ByeKind.REQUESTED_ZERO), Bye(D, ByeKind.REQUESTED_ZERO))),
        played(2, (A, WIN, B), (C, WIN, D)),
    ]
    assert buchholz(history)[A] == 1


def test_absence_after_withdrawal_counts_as_draws_for_the_opponents() -> None:
    history = [played(1, (A, WIN, B), (C, WIN, D)), played(2, (A, DRAW, C)), played(3, (C, WIN, A))]
    # B was absent in rounds 2 and 3: 0 + 1/2 + 1/2. C has 2 1/2, met twice.
    assert buchholz(history)[A] == 1 + 2 * (2 + HALF)


def test_own_bye_counts_as_a_dummy_with_the_own_score_but_no_more_than_draws_throughout() -> None:
    history = [
        played(1, (B, WIN, C), byes=(Bye(A, ByeKind.PAIRING_ALLOCATED),)),
        played(2, (A, WIN, B)),
    ]
    # A has 2, the dummy of round 1 at most two draws: 1. B has 1.
    assert buchholz(history)[A] == 2


def test_forfeit_counts_as_a_dummy_no_stronger_than_the_opponent_who_was_paired() -> None:
    history = [
        played(1, (A, Outcome.SECOND_FORFEITS, D), (B, WIN, C)),
        played(2, (A, WIN, B), (C, WIN, D)),
    ]
    # A has 2, D has 0: the dummy has 0. B has 1.
    assert buchholz(history)[A] == 1


def test_own_score_bounds_the_dummy_of_a_forfeit_loss() -> None:
    history = [
        played(1, (A, Outcome.SECOND_FORFEITS, D), (B, WIN, C)),
        played(2, (A, WIN, B), (C, WIN, D)),
    ]
    # D has 0, A has 2: the dummy has 0. C has 1.
    assert buchholz(history)[D] == 1


def test_cut_takes_a_voluntary_unplayed_round_before_any_lower_opponent() -> None:
    history = [
        played(1, (A, WIN, B), (C, WIN, D)),
        played(2, (A, WIN, C), (D, WIN, B)),
        played(3, (C, WIN, D), byes=(Bye(A, ByeKind.REQUESTED_HALF), Bye(B, ByeKind.PAIRING_ALLOCATED))),
    ]
    # A: B has 1, C has 2, and the dummy of the half bye min(2 1/2, 1 1/2). The dummy goes, not B.
    assert buchholz(history)[A] == 4 + HALF
    assert buchholz(history, "buchholz_cut_1")[A] == 3
    assert buchholz(history, "median_buchholz")[A] == 1


def test_sonneborn_berger_counts_the_bye_as_points_taken_from_the_dummy() -> None:
    history = [
        played(1, (B, WIN, C), byes=(Bye(A, ByeKind.PAIRING_ALLOCATED),)),
        played(2, (A, WIN, B)),
    ]
    assert buchholz(history, "sonneborn_berger")[A] == 2


def test_annulled_pairing_is_unplayed_but_nobodys_wish() -> None:
    history = [played(1, (A, Outcome.VOID, B), (C, WIN, D)), played(2, (A, WIN, C), (B, WIN, D))]
    # A has 1: the dummy has 1, C has 1; the cut takes one of them and not the void round by preference.
    assert buchholz(history)[A] == 2
    assert buchholz(history, "buchholz_cut_1")[A] == 1


def test_a_whole_table_with_every_kind_of_unplayed_round_by_hand() -> None:
    """Points: a 2½, e 2, b 1½, c 1, d ½. As an opponent d counts 1: the absence at the end is a draw."""
    entrants = [Entrant(EntrantId(name), seed) for seed, name in enumerate("abcde", 1)]

    def met(first: str, second: str, outcome: Outcome) -> DecidedPairing:
        return DecidedPairing(Pairing(EntrantId(first), EntrantId(second)), outcome)

    history = [
        Round(
            1,
            (met("a", "c", Outcome.FIRST_WINS), met("d", "b", Outcome.SECOND_WINS)),
            (Bye(EntrantId("e"), ByeKind.PAIRING_ALLOCATED),),
        ),
        Round(
            2,
            (met("b", "a", Outcome.DRAW), met("e", "c", Outcome.SECOND_FORFEITS)),
            (Bye(EntrantId("d"), ByeKind.REQUESTED_HALF),),
        ),
        Round(3, (met("a", "e", Outcome.FIRST_WINS), met("c", "b", Outcome.FIRST_WINS))),
    ]
    names = ("buchholz", "buchholz_cut_1", "sonneborn_berger", "progressive", "wins")
    found = {line.entrant: [float(value) for value in line.tie_breaks] for line in rank(entrants, history, names)}
    assert found == {
        "a": [1 + 1.5 + 2, 1.5 + 2, 1 + 0.5 * 1.5 + 2, 1 + 1.5 + 2.5, 2],
        "b": [1 + 2.5 + 1, 2.5 + 1, 1 + 0.5 * 2.5, 1 + 1.5 + 1.5, 1],
        "c": [2.5 + 1 + 1.5, 2.5 + 1.5, 1.5, 0 + 0 + 1, 1],
        "d": [1.5 + 0.5 + 0.5, 1.5 + 0.5, 0.5 * 0.5, 0 + 0.5 + 0.5, 0],
        "e": [1.5 + 1 + 2.5, 1.5 + 2.5, 1.5 + 1, 1 + 2 + 2, 0],
    }


def test_a_forfeit_by_oneself_is_cut_before_a_weaker_opponent_16_5() -> None:
    history = [
        played(1, (A, Outcome.FIRST_FORFEITS, B), (C, WIN, D)),
        played(2, (A, WIN, C), (B, WIN, D)),
        played(3, (A, WIN, D), (B, WIN, C)),
    ]
    assert buchholz(history)[A] == 2 + 1 + 0
    assert buchholz(history, "buchholz_cut_1")[A] == 1 + 0
