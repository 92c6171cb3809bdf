"""Players who change their names, and players who leave for good."""

from concurrent.futures import ThreadPoolExecutor

from gin_engine.store import matches
from gin_engine.use_cases.players import take_leave
from gin_messages.players import PlayerChanged, PlayerLeft
from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.integration.engine.house import House, bot, open_match, person
from tests.support.locks import wait_for_lock


def rename(house: House, player_id: str, name: str, revision: int = 2) -> None:
    house.receive(PlayerChanged(player_id, name, "human", revision))


def leave(house: House, player_id: str, shown_name: str | None = "Deleted player 1001") -> None:
    house.receive(PlayerLeft(player_id, shown_name, house.clock()))


def names(house: House, match_id: str) -> list[str]:
    return [seat["name"] for seat in house.get(f"/{match_id}").json["seats"]]


def table_names(house: House, table_id: str) -> list[str]:
    return [player["name"] for player in house.table(table_id)["players"]]


def test_a_match_in_play_shows_the_new_name_and_one_that_is_over_keeps_the_old(house: House) -> None:
    over, playing = (house.open(person("ann"), person("bob")) for _ in range(2))
    house.ask("POST", f"/matches/{over}/resignation", "bob")
    rename(house, "ann", "Annabel")
    assert names(house, playing) == ["Annabel", "Bob"]
    assert names(house, over) == ["Ann", "Bob"]


def test_a_match_and_a_table_begun_afterwards_show_it_whatever_message_or_token_say(house: House) -> None:
    waits = house.open_table("ann")["table_id"]
    rename(house, "ann", "Annabel")
    later = house.open(person("ann"), person("bob"))
    assert names(house, later) == ["Annabel", "Bob"]
    assert table_names(house, waits) == table_names(house, house.open_table("ann")["table_id"]) == ["Annabel"]
    house.join(waits, "bob")
    assert names(house, waits) == ["Annabel", "Bob"]


def test_of_two_names_the_later_one_counts_in_whatever_order_they_come(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    rename(house, "ann", "Third", revision=3)
    rename(house, "ann", "Second", revision=2)
    assert names(house, match_id)[0] == "Third"


def test_who_leaves_gives_up_what_is_in_play_and_waits_nowhere(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    hosted = house.open_table("ann")["table_id"]
    visited = house.open_table("bob", rules={"seating": "rotation3"}, seats=3)["table_id"]
    house.join(visited, "ann")
    leave(house, "ann")
    (told,) = house.told(match_id)
    assert {seat["player_id"]: seat["place"] for seat in told["seats"]} == {"bob": 1, "ann": 2}
    assert told["ending"] == "no_show"  # nobody had acted: nothing is rated
    assert house.get(f"/{match_id}").json["reason"] == "left"
    assert house.table(hosted)["state"] == "closed"
    assert table_names(house, visited) == ["Bob"]
    leave(house, "ann")
    assert len(house.told(match_id)) == 1


def test_who_acted_before_leaving_loses_by_forfeit(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), first_dealer=1)
    assert house.act(match_id, "ann", house.seat(match_id, "ann")["legal_actions"][0], 0).status_code == 200
    leave(house, "ann")
    assert house.told(match_id)[0]["ending"] == "forfeit"


def test_who_left_sits_down_nowhere_though_their_token_is_not_known_to_be_revoked_yet(house: House) -> None:
    over = house.open_table("ann")["table_id"]
    house.join(over, "bob")
    house.ask("POST", f"/matches/{over}/resignation", "bob")
    waits = house.open_table("bob")["table_id"]
    leave(house, "ann")
    answers = [
        house.ask("POST", "/tables", "ann", {"opponent": "open", "game": "rummy"}),
        house.join(waits, "ann"),
        house.ask("POST", f"/matches/{over}/rematch", "ann"),
    ]
    assert [answer.json["type"] for answer in answers] == ["urn:ginhall:problem:player-gone"] * 3
    assert table_names(house, waits) == ["Bob"]


def test_leaving_waits_for_whoever_acts_in_a_match_of_theirs_and_neither_is_turned_away(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))

    def go() -> None:
        with house.service.transaction() as tx:  # without the inbox, which would try again after a deadlock
            take_leave(tx, [PlayerLeft("ann", "Deleted player 1001", house.clock())])

    with ThreadPoolExecutor(1) as pool:
        with house.service.transaction() as tx:
            match = matches.lock(tx, match_id)
            assert match is not None
            leaving = pool.submit(go)
            wait_for_lock(house.service)
            matches.note_acted(tx, match, 0)
        leaving.result(timeout=30)
    assert [seat["name"] for seat in house.get(f"/{match_id}").json["seats"]] == ["Deleted player 1001", "Bob"]


def test_a_match_opened_for_somebody_who_left_is_given_up_at_once(house: House) -> None:
    leave(house, "ann")
    match_id = house.open(person("ann"), person("bob"))
    (told,) = house.told(match_id)
    assert (told["ending"], [seat["place"] for seat in told["seats"]]) == ("no_show", [2, 1])


def test_one_match_of_a_round_that_cannot_be_played_leaves_the_others_alone(house: House) -> None:
    leave(house, "ann")
    wishes = [open_match(person("ann"), person("bob")), open_match(person("cat"), person("dan"))]
    house.receive(*wishes)
    assert [len(house.told(wish.match_id)) for wish in wishes] == [1, 0]


def test_finished_matches_show_who_left_by_another_name_and_their_records_still_verify(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    house.ask("POST", f"/matches/{match_id}/resignation", "bob")
    leave(house, "ann")
    assert names(house, match_id) == ["Deleted player 1001", "Bob"]
    record = house.get(f"/{match_id}/record").json
    assert record["seats"] == ["Ann", "Bob"]
    assert record["seal"] == house.get(f"/{match_id}/seal").json["seal"]
    assert verify(record_from_json(record)) is None


def test_no_page_of_a_finished_match_names_who_left(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    house.ask("POST", f"/matches/{match_id}/resignation", "bob")
    pages = [f"/replays/{match_id}", f"/tables/{match_id}"]
    assert all("Ann" in house.client.get(path).text for path in pages)
    leave(house, "ann")
    for path in pages:
        shown = house.client.get(path).text
        assert "Deleted player 1001" in shown, path
        assert "Ann" not in shown, path


def test_a_bot_whose_owner_left_gives_up_and_keeps_its_name(house: House) -> None:
    match_id = house.open(bot("robin"), person("bob"))
    leave(house, "robin", None)
    assert names(house, match_id) == ["Robin", "Bob"]
    assert house.told(match_id)[0]["ending"] == "forfeit"
