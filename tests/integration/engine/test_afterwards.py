"""Score sheets, open hands and advice: what people see beside the table."""

from __future__ import annotations

import random

import pytest

from tests.integration.engine.house import House, bot, person


def finish(house: House, match_id: str) -> None:
    while house.get(f"/{match_id}").json["state"] == "playing":
        house.play()


def test_score_sheet_explains_every_hand_of_a_match(house: House) -> None:
    match_id = house.open(bot("robin"), bot("rowan"), rules={"target": 60, "match_bonuses": "traditional"})
    assert house.get(f"/{match_id}/scores").json["hands"] == []
    finish(house, match_id)
    sheet = house.get(f"/{match_id}/scores").json
    detail = house.get(f"/{match_id}").json
    assert len(sheet["hands"]) == detail["hands_played"]
    assert sheet["final_scores"] == [seat["score"] for seat in detail["seats"]]
    won = next(hand for hand in sheet["hands"] if hand["winner"] is not None)
    assert won["sums"][0]["text"].endswith(f"= {max(won['points'])}")
    assert any("game bonus" in one["text"] for one in sheet["bonuses"])


@pytest.mark.parametrize(
    ("game", "rules", "seats"),
    [
        ("rummy", {"target": 40}, 2),
        ("rummy", {"preset": "rotation3", "target": 30}, 3),
        ("rummy", {"preset": "rotation4", "target": 30}, 4),
        ("word", {"target": 30}, 2),
    ],
)
def test_every_hand_of_a_match_that_is_over_can_be_stepped_through(
    house: House, game: str, rules: dict[str, object], seats: int
) -> None:
    plays = "simple" if game == "rummy" else "wordsmith"
    match_id = house.open(*[bot(f"b{seat}", plays) for seat in range(seats)], game=game, rules=rules)
    assert house.get(f"/{match_id}/hands/1").status_code == 409
    finish(house, match_id)
    record = house.get(f"/{match_id}/record").json
    hands = [house.get(f"/{match_id}/hands/{score['hand']}").json for score in record["scores"]]
    actions = [(step["seat"], step["action"]) for hand in hands for step in hand["steps"] if step["action"]]
    assert sorted(actions) == sorted((entry["seat"], entry["action"]) for entry in record["actions"])
    for hand in hands:
        assert hand["hands"] == len(record["scores"])
        assert [len(cards) for cards in hand["steps"][0]["hands"] if cards] == [10] * (2 if game == "rummy" else seats)
        assert hand["steps"][-1]["view"]["phase"] == "over"
        assert hand["result"]["number"] == hand["sheet"]["number"] == hand["number"]
    assert house.get(f"/{match_id}/hands/{len(record['scores']) + 1}").json["type"].endswith("hand-not-found")


def test_open_hand_of_a_match_that_was_broken_off_has_no_result(house: House) -> None:
    match_id = house.open(person("ann"), bot("rowan"))
    house.play()
    seat = house.seat(match_id, "ann")
    house.act(match_id, "ann", seat["legal_actions"][0], seat["action_count"])
    house.cancel(match_id)
    hand = house.get(f"/{match_id}/hands/1").json
    assert hand["result"] is None
    assert len(hand["steps"]) > 1


def test_scores_are_shown_to_others_with_the_delay_of_the_match(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), rules={"target": 500}, spectator_delay_seconds=60)
    rng = random.Random(5)
    while not (own := house.get(f"/{match_id}/scores", "ann").json)["hands"]:
        seats = [(account, house.seat(match_id, account)) for account in ("ann", "bob")]
        account, seat = next((account, seat) for account, seat in seats if seat["legal_actions"])
        enders = [action for action in seat["legal_actions"] if action.startswith("knock")]
        house.act(match_id, account, (enders or [rng.choice(seat["legal_actions"])])[0], seat["action_count"])
    assert house.get(f"/{match_id}/scores").json == {"hands": [], "totals": [0, 0], "bonuses": [], "final_scores": None}
    house.clock.move(seconds=61)
    assert house.get(f"/{match_id}/scores").json == own


def test_advice_is_the_least_deadwood_of_the_own_cards_and_after_each_discard(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    rng = random.Random(3)
    while True:
        account = ("ann", "bob")[house.get(f"/{match_id}").json["to_act"]]
        seat = house.seat(match_id, account)
        if seat["view"]["phase"] == "discard":
            break
        house.act(match_id, account, rng.choice(seat["legal_actions"]), seat["action_count"])
    advice = house.get(f"/{match_id}/advice", account).json
    assert advice["deadwood"] == seat["view"]["advice"]["deadwood"]
    assert {f"discard {card}" for card in advice["discards"]} == {
        action for action in seat["legal_actions"] if action.startswith("discard")
    }
    melded = {card for found in advice["discards"].values() for meld in found["melds"] for card in meld}
    assert melded <= set(seat["view"]["hand"])
    assert house.get(f"/{match_id}/advice", "cy").status_code == 403


def test_there_is_no_advice_where_the_rules_have_none(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), rules={"advice": False})
    assert house.get(f"/{match_id}/advice", "ann").json["type"].endswith("advice-not-allowed")


def test_word_gin_of_a_tournament_tells_nobody_before_a_bluff_which_words_are_good(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), game="word", rules={})
    assert house.seat(match_id, "ann")["advice"] is False
    assert house.get(f"/{match_id}/advice", "ann", words="AIr").json["type"].endswith("advice-not-allowed")


def test_word_gin_looks_up_only_words_that_the_own_cards_can_lay(house: House) -> None:
    match_id = house.open_table("ann", game="word", rules={}, advice=True)["table_id"]
    house.join(match_id, "bob")
    hand = house.seat(match_id, "ann")["view"]["hand"]
    suit = max("rgby", key=lambda suit: sum(card[1] == suit for card in hand))
    letters = "".join(card[0] for card in hand if card[1] == suit)
    found = house.get(f"/{match_id}/advice", "ann", words=f"{letters}{suit}").json["words"]
    assert [(word["text"], word["is_word"]) for word in found] == [(f"{letters}{suit}", False)]
    missing = next(letter for letter in "QJXZKV" if all(card[0] != letter for card in hand))
    refused = house.get(f"/{match_id}/advice", "ann", words=f"{missing}Ir")
    assert (refused.status_code, refused.json["type"].split(":")[-1]) == (422, "words-refused")
