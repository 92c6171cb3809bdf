"""Tournaments written down by hand: what is read, and what is refused with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from gin_tournament.document import read_document
from gin_tournament.errors import InvalidDocumentError
from gin_tournament.format import CannotPair, Finished, Open
from gin_tournament.model import EntrantId
from gin_tournament.next_pairings import next_round, pairings_to_json, ranked_by

DOCS = Path(__file__).resolve().parents[3] / "docs" / "tournaments"
SCHEMA = jsonschema_rs.validator_for(json.loads((DOCS / "offline.schema.json").read_text(encoding="utf-8")))
EXAMPLE: dict[str, Any] = json.loads((DOCS / "offline.md").read_text().split("```json\n")[1].split("```")[0])


def tournament(kind: Any = "swiss", entrants: str = "abcd", **fields: Any) -> dict[str, Any]:
    return {"format": kind, "entrants": [{"id": name} for name in entrants], **fields}


def won(*pairs: str, result: str = "first_wins") -> dict[str, Any]:
    return {"pairings": [{"first": a, "second": b, "result": result} for a, b in pairs]}


def next_of(document: dict[str, Any]) -> dict[str, Any]:
    assert SCHEMA.is_valid(document)
    answer = next_round(read_document(document))
    assert isinstance(answer, Open), answer
    return pairings_to_json(answer.fixtures)


def meets(found: dict[str, Any]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in found["pairings"]}


def test_the_example_of_the_docs_is_paired() -> None:
    found = next_of(EXAMPLE)
    assert list(found) == ["pairings", "bye"]
    assert "cyd" not in {name for pair in found["pairings"] for name in pair}
    assert found["bye"] is None


def test_the_first_round_of_a_swiss_pairs_halves_and_leaves_the_last_seed_over() -> None:
    found = next_of(tournament(entrants="abcde"))
    assert (meets(found), found["bye"]) == ({frozenset("ac"), frozenset("bd")}, "e")
    assert next_of(tournament())["bye"] is None


def test_without_seeds_the_higher_rating_comes_first_and_the_unrated_last_as_listed() -> None:
    rated = [{"id": "x"}, {"id": "low", "rating": 900}, {"id": "y", "rating": None}, {"id": "high", "rating": 1800}]
    document = read_document({"format": "swiss", "entrants": rated})
    assert [entrant.id for entrant in document.situation.entrants] == ["high", "low", "x", "y"]


def test_nobody_meets_again_but_after_a_forfeit() -> None:
    assert meets(next_of(tournament(rounds=[won("ac", "bd")]))) == {frozenset("ab"), frozenset("cd")}
    forfeited = tournament(entrants="ab", rounds=[won("ab", result="double_forfeit")])
    assert meets(next_of(forfeited)) == {frozenset("ab")}


def test_withdrawn_and_requested_byes_are_left_out_and_forbidden_pairs_kept_apart() -> None:
    wishes = {"withdrawn": ["a"], "requested_byes": ["b"], "forbidden_pairs": [["c", "d"]]}
    found = next_of(tournament(entrants="abcdef", **wishes))
    assert meets(found) in ({frozenset("ce"), frozenset("df")}, {frozenset("cf"), frozenset("de")})
    assert found["bye"] is None


def test_a_manual_pair_is_kept_with_its_first_deal() -> None:
    assert ["d", "a"] in next_of(tournament(manual_pairs=[["d", "a"]]))["pairings"]


@pytest.mark.parametrize("kind", ["round_robin", "single_elimination", "double_elimination"])
@pytest.mark.parametrize(
    ("wish", "value"),
    [
        ("manual_pairs", [["a", "b"]]),
        ("forbidden_pairs", [["a", "b"]]),
        ("requested_byes", ["a"]),
        ("allow", ["end_early"]),
    ],
)
def test_wishes_that_the_format_would_not_heed_are_refused(kind: str, wish: str, value: object) -> None:
    with pytest.raises(InvalidDocumentError, match=f"^{wish}: a {kind} is not drawn up by wish"):
        read_document(tournament(kind, "abcd", **{wish: value}))
    assert read_document(tournament(kind, "abcd", **{wish: []}))


def test_what_may_be_conceded_is_only_then() -> None:
    met = tournament(entrants="ab", rounds=[won("ab")])
    assert isinstance(next_round(read_document(met)), CannotPair)
    assert meets(next_of(met | {"allow": ["allow_rematch"]})) == {frozenset("ab")}


def test_a_round_robin_goes_by_its_table_until_everybody_has_met() -> None:
    document = tournament("round_robin", "abcd", rounds=[])
    met = set()
    for _ in range(3):
        found = next_of(document)
        met |= meets(found)
        document["rounds"].append(won(*("".join(pair) for pair in found["pairings"])))
    assert len(met) == 6
    assert isinstance(next_round(read_document(document)), Finished)


def test_a_knockout_gives_byes_to_the_top_seeds_and_lists_them() -> None:
    document = tournament("single_elimination", "abcdef")
    found = next_of(document)
    assert (meets(found), found["bye"]) == ({frozenset("de"), frozenset("cf")}, ["a", "b"])
    document["rounds"] = [won("ed", "cf")]
    assert meets(next_of(document)) == {frozenset("ae"), frozenset("bc")}
    _, lines = ranked_by(read_document(document), None)
    assert {line.entrant for line in lines if line.rank > 4} == {"d", "f"}


def test_a_double_elimination_is_followed_through_the_losers_bracket() -> None:
    document = tournament("double_elimination", "abcd", rounds=[won("ad", "bc")])
    assert meets(next_of(document)) == {frozenset("ab"), frozenset("dc")}


def test_an_undecided_round_can_be_ranked_and_not_paired() -> None:
    document = read_document(tournament(rounds=[won("ac", "bd", result="draw") | {}, won("ab", "cd", result="draw")]))
    assert len(ranked_by(document, ("buchholz",))[1]) == 4
    open_ = tournament(rounds=[{"pairings": [{"first": "a", "second": "c", "result": None}]}])
    with pytest.raises(InvalidDocumentError, match=r"rounds\[0\]\.pairings\[0\]\.result"):
        next_round(read_document(open_))


def test_tie_breaks_are_those_that_are_asked_for() -> None:
    document = read_document(tournament(rounds=[won("ac", "bd")]))
    format_, lines = ranked_by(document, ("wins", "lots"))
    assert (format_.columns, len(lines[0].tie_breaks)) == (("wins", "lots"), 2)
    with pytest.raises(InvalidDocumentError, match="must be one of"):
        ranked_by(document, ("beauty",))
    with pytest.raises(InvalidDocumentError, match="not ranked by any"):
        ranked_by(read_document(tournament("single_elimination")), ("wins",))


FIRST = "rounds[0].pairings[0]"
PAIR = {"first": "a", "second": "c", "result": "first_wins"}


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ([], "the document"),
        ({"entrants": []}, "format"),
        (tournament("roulette"), "format"),
        (tournament({"rounds": 5}), "format.kind"),
        (tournament({"kind": "arena"}), "format.kind"),
        (tournament({"kind": "swiss", "rounds": 0}), "format.rounds"),
        (tournament({"kind": "swiss", "beauty": 1}), "format.beauty"),
        (tournament(beauty=1), "beauty"),
        (tournament(entrants="aa"), "entrants[1].id"),
        ({"format": "swiss", "entrants": [{"id": ""}]}, "entrants[0].id"),
        ({"format": "swiss", "entrants": [{"id": "a", "seed": 1}, {"id": "b"}]}, "entrants[1].seed"),
        ({"format": "swiss", "entrants": [{"id": "a", "seed": 1}, {"id": "b", "seed": 1}]}, "entrants[1].seed"),
        ({"format": "swiss", "entrants": [{"id": "a", "rating": "high"}]}, "entrants[0].rating"),
        ({"format": "swiss", "entrants": [{"id": "a", "seed": True}]}, "entrants[0].seed"),
        (tournament(rounds={}), "rounds"),
        (tournament(rounds=[{"number": 2, "pairings": []}]), "rounds[0].number"),
        (tournament(rounds=[{"pairings": [PAIR | {"result": "1-0"}]}]), "rounds[0].pairings[0].result"),
        (tournament(rounds=[{"pairings": [PAIR | {"second": "z"}]}]), "rounds[0].pairings[0].second"),
        (tournament(rounds=[{"pairings": [PAIR, PAIR]}]), "rounds[0].pairings[1]"),
        (tournament(rounds=[{"pairings": [PAIR | {"second": "a"}]}]), "rounds[0].pairings[0]"),
        (tournament(rounds=[{"pairings": [PAIR | {"first_tally": {"luck": 1}}]}]), f"{FIRST}.first_tally.luck"),
        (tournament(rounds=[{"pairings": [], "byes": [{"entrant": "a", "kind": "long"}]}]), "rounds[0].byes[0].kind"),
        (tournament(withdrawn=["z"]), "withdrawn[0]"),
        (tournament(forbidden_pairs=[["a"]]), "forbidden_pairs[0]"),
        (tournament(forbidden_pairs=[["a", "a"]]), "forbidden_pairs[0]"),
        (tournament(allow=["mercy"]), "allow[0]"),
        (tournament("round_robin", rounds=[won("ab")]), "rounds[0]"),
        (tournament("single_elimination", rounds=[won("ab", "cd")]), "rounds[0]"),
        (tournament("single_elimination", "ab", rounds=[won("ab"), won("ab")]), "rounds[1]"),
        (tournament(rounds=[{"pairings": [PAIR | {"result": None}]}, won("ab")]), "rounds[1]"),
    ],
)  # fmt: skip
def test_what_is_no_tournament_is_refused_with_its_place(document: Any, place: str) -> None:
    with pytest.raises(InvalidDocumentError) as caught:
        read_document(document)
    assert caught.value.place == place
    assert str(caught.value).startswith(f"{place}: ")


def test_names_default_to_ids() -> None:
    assert read_document(tournament()).names[EntrantId("a")] == "a"


def test_a_duplicate_is_ranked_and_paired_by_the_difference_to_the_field() -> None:
    def table(first: str, second: str, ahead: int) -> dict[str, Any]:
        pairing: dict[str, Any] = won(first + second)["pairings"][0]
        return pairing | {"first_tally": {"game_points": ahead}}

    kind = {"kind": "duplicate", "format": {"kind": "swiss", "rounds": 2}}
    played = {"pairings": [table("a", "c", 60), table("b", "d", 20)]}
    document = tournament(kind, rounds=[played])
    _, lines = ranked_by(read_document(document), None)
    assert {line.entrant: line.points for line in lines} == {"a": 40, "d": 40, "b": -40, "c": -40}
    assert meets(next_of(document)) == {frozenset("ad"), frozenset("bc")}
