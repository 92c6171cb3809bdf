"""What the desk's settlement reads, and the limit that an upcard sets."""

import pytest

from gin_local.desk.failures import DeskError
from gin_local.desk.settling import read_ended_hand, read_rules, settle_hand, settlement_to_text

KNOCK = {"knocker": "4c 5c 6c Jd Js Jh 2d 2h 2s 8d", "defender": "9c 9d 9h Tc Td Th Kc Kd Kh 8h"}


def _points(**more: object) -> int:
    return settle_hand(read_ended_hand({**KNOCK, **more})).points


@pytest.mark.parametrize(("upcard", "limit"), [("2c", 2), ("7h", 7), ("Ac", 0)])
def test_oklahoma_upcard_sets_the_limit(upcard: str, limit: int) -> None:
    with pytest.raises(DeskError, match=f"the limit is {limit}"):
        _points(rules="oklahoma", upcard=upcard)


@pytest.mark.parametrize("upcard", ["8c", "Kh", None])
def test_oklahoma_upcard_of_eight_a_face_or_none_lets_eight_knock(upcard: str | None) -> None:
    assert _points(rules="oklahoma", upcard=upcard) == 25


def test_ace_may_set_the_limit_at_one_point() -> None:
    with pytest.raises(DeskError, match="the limit is 1"):
        _points(rules={"preset": "oklahoma", "oklahoma_ace": "one"}, upcard="Ad")


def test_upcard_means_nothing_in_other_games() -> None:
    assert _points(upcard="2s") == 25


@pytest.mark.parametrize("melds", ["4c5c6c/JdJsJh/2d2h2s", '[["4c","5c","6c"],["Jd","Js","Jh"],["2d","2h","2s"]]'])
def test_melds_are_read_as_actions_write_them_or_as_json(melds: str) -> None:
    assert _points(melds=melds) == 25


@pytest.mark.parametrize("melds", ["[", "[" * 100_000, 7, [7], {"4c": 1}, "4c5"])
def test_melds_that_cannot_be_read_are_refused(melds: object) -> None:
    with pytest.raises(DeskError, match="melds"):
        _points(melds=melds)


@pytest.mark.parametrize("rules", [7, [], {"rule": 1}, {"knock_limit": 11}, "poker"])
def test_rules_that_cannot_be_played_are_refused(rules: object) -> None:
    with pytest.raises(DeskError, match="rules"):
        read_rules(rules)


def test_lines_of_the_score_add_up_to_the_points() -> None:
    agreed = {"preset": "oklahoma", "oklahoma_spades": "all"}
    ended = read_ended_hand({**KNOCK, "defender": "9c 9d 9h Tc Td Th Kc Kd Kh 5s", "rules": agreed, "upcard": "9s"})
    settlement = settle_hand(ended)
    told = settlement_to_text(ended, settlement).splitlines()
    lines = [int(line.split()[-1]) for line in told if line.startswith("  ")]
    assert lines == [3, 25, 28]
    assert told[-1] == "Undercut: the defender wins 56."


def test_hands_that_buried_discards_made_larger_are_settled_whole() -> None:
    larger = {
        "knocker": "4c 5c 6c Jd Js Jh 2d 2h 2s Ac Ad",
        "defender": "9c 9d 9h Tc Td Th Kc Kd Kh 8h 5h 3s",
        "rules": {"buried_draw": True, "big_gin": True},
    }
    settlement = settle_hand(read_ended_hand(larger))
    assert (settlement.result, settlement.points) == ("knock", 16 - 2)


def test_hand_of_nine_is_none_with_buried_discards_either() -> None:
    short = KNOCK["defender"].rsplit(" ", 1)[0]
    with pytest.raises(DeskError, match="defender: a hand has 10 cards or more; these are 9"):
        read_ended_hand({**KNOCK, "defender": short, "rules": {"buried_draw": True}})
