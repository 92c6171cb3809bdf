"""Table sizes of formats, and the rules by which tables of each size play."""

from typing import Any

import pytest

from gin_lobby.domain.formats import (
    driven_format,
    known_rounds,
    most_entrants,
    pairs_by_wish,
    rests_by_wish,
    rules_at,
    table_sizes,
)
from gin_tournament.errors import InvalidFormatError

PODS: dict[str, Any] = {"kind": "pods"}
KNOCKOUT: dict[str, Any] = {"kind": "single_elimination"}


def stages(*formats: dict[str, Any], groups: int = 1) -> dict[str, Any]:
    first, *others = formats
    return {"kind": "stages", "stages": [{"format": first, "groups": groups}, *({"format": f} for f in others)]}


@pytest.mark.parametrize(
    ("document", "sizes"),
    [
        ({"kind": "swiss"}, (2,)),
        (PODS, (3, 4)),
        (PODS | {"tables_of_two": True}, (2, 3, 4)),
        (stages(PODS, KNOCKOUT), (2, 3, 4)),
        (stages({"kind": "round_robin"}, KNOCKOUT), (2,)),
    ],
)
def test_sizes_of_the_tables_that_can_occur(document: dict[str, Any], sizes: tuple[int, ...]) -> None:
    assert table_sizes(driven_format(document)) == sizes


@pytest.mark.parametrize(
    ("seating", "sizes", "seats", "expected"),
    [
        ("two", (2,), 2, "two"),
        ("rotation4", (2,), 2, "rotation4"),  # left for the rules to refuse
        ("two", (3, 4), 4, "rotation4"),
        ("two", (3, 4), 3, "rotation3"),
        ("pairs4", (2, 3, 4), 4, "pairs4"),
        ("pairs4", (2, 3, 4), 3, "rotation3"),
        ("pairs4", (2, 3, 4), 2, "two"),
    ],
)
def test_seating_of_a_table_of_gin_rummy(seating: str, sizes: tuple[int, ...], seats: int, expected: str) -> None:
    assert rules_at("rummy", {"seating": seating, "target": 50}, sizes, seats) == {"seating": expected, "target": 50}


def test_word_gin_has_the_same_rules_at_every_table() -> None:
    assert rules_at("word", {"target": None}, (3, 4), 3) == {"target": None}


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (stages({"kind": "round_robin"}, {"kind": "duplicate", "format": KNOCKOUT}), "stages[1].format.kind"),
    ],
)
def test_a_kind_that_cannot_be_run_yet_is_refused_by_name(document: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidFormatError) as refused:
        driven_format(document)
    assert refused.value.field == field


def test_a_duplicate_is_as_large_and_as_long_as_what_it_is_played_as() -> None:
    knockout = driven_format({"kind": "duplicate", "format": KNOCKOUT, "ranking": "format"})
    assert (table_sizes(knockout), most_entrants(knockout), known_rounds(knockout)) == ((2,), 1024, None)
    swiss = driven_format({"kind": "duplicate", "format": {"kind": "swiss", "rounds": 4}})
    assert (most_entrants(swiss), known_rounds(swiss)) == (10_000, 4)
    assert (pairs_by_wish(swiss), rests_by_wish(swiss)) == (True, True)
    assert (pairs_by_wish(knockout), rests_by_wish(knockout)) == (False, False)


def test_groups_take_as_many_times_what_one_takes() -> None:
    assert most_entrants(driven_format(KNOCKOUT)) == 1024
    assert most_entrants(driven_format(stages({"kind": "round_robin"}, KNOCKOUT, groups=4))) == 1024
    assert most_entrants(driven_format({"kind": "swiss"})) == 10_000
