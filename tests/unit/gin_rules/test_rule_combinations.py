"""Which two rules go together: every pair of changes to the standard game, against a table of those that do not."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from gin_rules.game import InvalidRules
from gin_rules.rummy.rules import RuleSet, rules_from_json, rules_to_json

Choice = tuple[str, Any]

CHOICES: tuple[Choice, ...] = (
    ("seating", "rotation3"),
    ("seating", "pairs4"),
    ("seating", "rotation4"),
    ("scoring", "hollywood"),
    ("target", 50),
    ("win_margin", 10),
    ("fixed_hands", 3),
    ("fixed_hands", 4),
    ("match_hand_cap", 3),
    ("match_hand_cap", 4),
    ("knock_limit", 0),
    ("knock_limit", 5),
    ("oklahoma", True),
    ("oklahoma_ace", "one"),
    ("oklahoma_spades", "deadwood"),
    ("oklahoma_spades", "all"),
    ("gin_bonus", 20),
    ("undercut_bonus", 10),
    ("big_gin", True),
    ("big_gin_bonus", 50),
    ("match_bonuses", "traditional"),
    ("stock_end", "one"),
    ("stock_end", "recycle"),
    ("recycle_shuffled", True),
    ("buried_draw", True),
    ("dealer", "loser"),
    ("dealer", "winner"),
    ("layoffs", "manual"),
    ("hand_turn_cap", 50),
    ("discard_view", "spread"),
    ("advice", False),
)

NEEDS: dict[str, Choice] = {
    "oklahoma_ace": ("oklahoma", True),
    "oklahoma_spades": ("oklahoma", True),
    "big_gin_bonus": ("big_gin", True),
    "recycle_shuffled": ("stock_end", "recycle"),
}
"""Rules that mean something only beside another."""

EXCLUDED: tuple[tuple[str, Any, str, Any, str], ...] = (
    # one rule, its values, another rule, its values, the one that is named at fault
    ("fixed_hands", (3, 4), "target", (50,), "target"),
    ("fixed_hands", (3, 4), "win_margin", (10,), "win_margin"),
    ("fixed_hands", (4,), "match_hand_cap", (3,), "fixed_hands"),
    ("fixed_hands", (3, 4), "scoring", ("hollywood",), "fixed_hands"),
    ("oklahoma", (True,), "knock_limit", (0, 5), "knock_limit"),
    ("knock_limit", (0,), "undercut_bonus", (10,), "undercut_bonus"),
    ("knock_limit", (0,), "layoffs", ("manual",), "layoffs"),
    ("seating", ("rotation3", "pairs4", "rotation4"), "scoring", ("hollywood",), "scoring"),
    ("seating", ("rotation3", "pairs4", "rotation4"), "dealer", ("loser", "winner"), "dealer"),
    ("seating", ("pairs4", "rotation4"), "fixed_hands", (3,), "fixed_hands"),
    ("seating", ("pairs4", "rotation4"), "match_hand_cap", (3,), "match_hand_cap"),
)


def faults(pair: tuple[Choice, Choice]) -> set[str]:
    """The fields that the tables name at fault; none if the two go together."""
    given = dict(pair)
    found = {name for name in given if name in NEEDS and NEEDS[name] not in pair}
    for one, values, other, others, named in EXCLUDED:
        if given.get(one, ()) in values and given.get(other, ()) in others:
            found.add(named)
    return found


PAIRS = [pair for pair in combinations(CHOICES, 2) if pair[0][0] != pair[1][0]]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " and ".join(f"{name} {value}" for name, value in pair))
def test_two_rules_go_together_or_the_field_at_fault_is_named(pair: tuple[Choice, Choice]) -> None:
    expected = faults(pair)
    if not expected:
        rules = rules_from_json(dict(pair))
        assert rules_from_json(rules_to_json(rules)) == rules == RuleSet(**dict(pair))
        return
    with pytest.raises(InvalidRules) as refused:
        rules_from_json(dict(pair))
    assert refused.value.field in expected
    assert refused.value.reason


def test_every_rule_has_its_choices_in_the_table() -> None:
    assert {name for name, _ in CHOICES} == set(rules_to_json(RuleSet()))
