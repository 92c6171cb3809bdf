"""The presets in words: nothing is typed twice, so every field that a preset changes must have its phrase."""

from __future__ import annotations

import pytest

from gin_rules.rummy.rules import PRESETS, STANDARD
from gin_rules.word.rules import PRESETS as WORD_PRESETS
from gin_web.presets import columns, presets


@pytest.mark.parametrize(("game", "names"), [("rummy", list(PRESETS)), ("word", list(WORD_PRESETS))])
def test_every_preset_of_the_rules_is_told_with_a_fact_for_each_column(game: str, names: list[str]) -> None:
    told = presets(game)
    assert [one.name for one in told] == names
    assert {len(one.facts) for one in told} == {len(columns(game))}
    assert len({one.title for one in told}) == len(told)


def test_equal_rules_are_said_to_be_the_same() -> None:
    found = {one.name: one for one in presets("rummy")}
    assert found["szwsxs"].same_as == found["standard"].title
    assert [one.name for one in found.values() if one.same_as] == ["szwsxs"]


def test_facts_and_sentences_come_from_the_rule_sets() -> None:
    found = {one.name: one for one in presets("rummy")}
    assert found["standard"].facts[0] == str(STANDARD.target)
    assert found["short"].sentence == f"Played to {PRESETS['short'].target} points."
    assert found["straight"].facts[1:4] == ("gin only", f"+{STANDARD.gin_bonus}", "–")
    assert found["rotation3"].seats == (3,)
    assert found["pairs4"].seats == (4,)
    assert next(one for one in presets("word") if one.name == "short").facts[:3] == ("100", "100", "100")
