"""What leaves the engine, and what must not while a match is played."""

from __future__ import annotations

import json
import random
import re

import psycopg
import pytest

from gin_engine.domain.play import deal, replay
from gin_engine.store import matches
from gin_rules.game import game_named
from gin_rules.record import record_from_json
from gin_rules.rummy.cards import cards_of, cards_text
from gin_rules.verify import verify
from tests.integration.engine.house import House, bot, open_match, person

CARD = re.compile(r"(?<![A-Za-z0-9])[A2-9TJQK][cdhs](?![A-Za-z0-9])")


def cards_in(text: str) -> set[str]:
    return set(CARD.findall(text))


def hidden_cards(house: House, match_id: str, seat: int | None) -> set[str]:
    """Cards of the present hand that this seat (None: everybody) has never seen."""
    with house.service.transaction() as tx:
        match = matches.find(tx, match_id)
        assert match is not None
        actions = tx.scalars("SELECT unnest(actions) FROM action_blocks ORDER BY first_action")
    state = replay(game_named("rummy"), deal(match), 0, actions)
    hands = {card for number, hand in enumerate(state.hands) if number != seat for card in cards_of(hand)}
    stock = set(state.stock[state.drawn :])
    own = set() if seat is None else set(cards_of(state.hands[seat]))
    return {cards_text((card,)) for card in (hands | stock) - own}


@pytest.mark.parametrize("casual", [False, True])
def test_no_answer_holds_a_card_that_its_reader_has_not_seen(
    house: House, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, casual: bool
) -> None:
    """The first hand of a match: every later one may show cards of scored hands, which everybody has seen."""
    if casual:
        clock = {"move_seconds": 600, "bank_seconds": 600}
        match_id = house.open_table("ann", rules={"preset": "straight"}, clock=clock)["table_id"]
        house.join(match_id, "bob")
    else:
        match_id = house.open(person("ann"), person("bob"), rules={"preset": "straight"})
    secrets = [form(secret) for secret in house.secrets(match_id).values() for form in (bytes.hex, repr)]
    rng, seen, logged = random.Random(11), set[str](), 0
    for _ in range(60):
        public = house.get(f"/{match_id}")
        if public.json["view"]["hand_number"] != 1:
            break
        logged += 1
        to_act = public.json["to_act"]
        account = public.json["seats"][to_act]["player_id"]
        seat = house.seat(match_id, account)
        # Once seen by all: the cut, the first upcard and every discard, even when it was taken up again.
        seen |= {card for cut in public.json["view"]["cuts"] for card in cut}
        seen |= {public.json["view"]["upcard"], public.json["view"]["top_discard"]} - {None}
        texts = [public.text, *(house.get(path).text for path in ("", f"/{match_id}/record", f"/{match_id}/seal"))]
        texts += [house.ask("GET", f"/tables/{match_id}", reader).text for reader in ("eve", account)]
        texts.append(house.act(match_id, account, "fly", public.json["action_count"]).text)
        others = house.get(f"/{match_id}/seat", "bob" if account == "ann" else "ann").text
        for text, reader in [*((text, None) for text in texts), (json.dumps(seat), to_act), (others, 1 - to_act)]:
            assert not cards_in(text) & hidden_cards(house, match_id, reader) - seen
            assert not any(secret in text for secret in secrets)
        house.act(match_id, account, rng.choice(seat["legal_actions"]), public.json["action_count"])
    assert logged > 10
    assert not cards_in(caplog.text + "".join(capsys.readouterr()))


def test_the_view_of_a_seat_holds_its_ten_cards(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    ann, bob = house.seat(match_id, "ann")["view"], house.seat(match_id, "bob")["view"]
    assert len(ann["hand"]) == len(bob["hand"]) == 10
    assert not set(ann["hand"]) & set(bob["hand"])
    assert house.get(f"/{match_id}").json["view"]["hand"] == []


def test_the_record_is_secret_while_the_match_is_played(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    refused = house.get(f"/{match_id}/record")
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:match-still-playing"


def test_the_record_proves_the_match(house: House) -> None:
    match_id = house.open(rules={"target": 60})
    commitment = house.get(f"/{match_id}").json["commitment"]
    house.play()
    record = record_from_json(house.get(f"/{match_id}/record").json)
    assert record.commitment == commitment
    assert verify(record) is None
    assert record.seats == ("Robin", "Rowan")
    (told,) = house.told(match_id)
    assert record.outcome is not None
    assert list(record.outcome.final_scores) == [seat["score"] for seat in told["seats"]]


def test_the_record_tells_who_was_to_deal_first(house: House) -> None:
    match_id = house.open(first_dealer=1)
    house.play()
    record = record_from_json(house.get(f"/{match_id}/record").json)
    assert record.first_dealer == 1
    assert verify(record) is None


def test_the_record_of_a_match_cut_into_blocks_is_whole(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"), rules={"fixed_hands": 1})
    rng = random.Random(3)
    while (seat := house.seat(match_id, "ann"))["state"] == "playing":
        house.clock.move(seconds=2)
        if seat["to_act"] == 0:
            house.act(match_id, "ann", rng.choice(seat["legal_actions"]), seat["action_count"])
        else:
            house.play()
    assert len(house.blocks(match_id)) > 2
    assert verify(record_from_json(house.get(f"/{match_id}/record").json)) is None


def test_a_finished_match_shows_every_scored_hand(house: House) -> None:
    match_id = house.open()
    house.play()
    shown = house.get(f"/{match_id}").json
    assert (shown["state"], shown["ending"], shown["to_act"]) == ("finished", "played", None)
    results = shown["view"]["results"]
    assert len(results) == shown["hands_played"]
    assert results[-1]["totals"] == [seat["score"] for seat in shown["seats"]]
    for result in results:
        assert sum(line["points"] for line in result["lines"]) == sum(result["points"])


def test_the_list_is_filtered_by_tournament_round_player_and_state(house: House) -> None:
    first = house.open(person("ann"), person("bob"), tournament_id="t1", round_number=1)
    second = house.open(person("ann"), person("cid"), tournament_id="t1", round_number=2)
    third = house.open(tournament_id="t2", round_number=1)
    house.play()

    def ids(**query: object) -> list[str]:
        return [match["match_id"] for match in house.get("", **query).json["matches"]]

    assert ids() == [first, second, third]
    assert ids(tournament_id="t1") == [first, second]
    assert ids(tournament_id="t1", round=2) == [second]
    assert ids(player_id="cid") == [second]
    assert ids(state="finished") == [third]
    assert ids(state="playing", player_id="ann") == [first, second]


def test_pages_of_the_list_hold_every_match_once(house: House) -> None:
    wishes = [open_match(person("ann"), person("bob")) for _ in range(7)]
    house.receive(*wishes)
    found, cursor = [], None
    while True:
        page = house.get("", limit=3, **({"cursor": cursor} if cursor else {})).json
        found += [match["match_id"] for match in page["matches"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == sorted(wish.match_id for wish in wishes)


@pytest.mark.parametrize(
    "query",
    [
        {"state": "lost"},
        {"round": "-1"},
        {"round": str(2**40)},
        {"limit": "0"},
        {"cursor": "%%%"},
        {"cursor": "AA=="},
        {"player_id": "a\x00b"},
    ],
)
def test_a_bad_filter_is_refused(house: House, query: dict[str, str]) -> None:
    answer = house.get("", **query)
    assert answer.status_code == 422
    assert answer.json["errors"][0]["field"] == next(iter(query))


def test_an_error_of_the_database_does_not_tell_the_seed(house: House) -> None:
    match_id = house.open()
    seed = house.secrets(match_id)["server_seed"].hex()
    with (
        pytest.raises(psycopg.errors.CheckViolation) as error,
        house.service.transaction() as tx,
    ):
        tx.execute("UPDATE matches SET action_count = -1 WHERE match_id = %s", (match_id,))
    assert match_id in str(error.value)
    assert seed not in str(error.value)
