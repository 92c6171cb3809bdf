"""What can be listened to, and who may."""

import pytest

from gin_live.topics import MOST_TOPICS, checked_topics, is_personal, require_own
from gin_servicekit.auth import Caller, Scope
from gin_servicekit.problems import Forbidden, InvalidField

ANN = Caller("ann", frozenset(), administrator=False, token_id="t")
ROOT = Caller("root", frozenset(), administrator=True, token_id="t")


def test_topics_have_one_order_and_no_doubles() -> None:
    assert checked_topics(["tables", "table:2", "tables"]) == ("table:2", "tables")


@pytest.mark.parametrize(
    "topic",
    ["", "table", "table:", "seats:1", "tables:1", "table:a b", "table:ä", "table:1\n", "player:", "seat:", "TABLE:1"],
)
def test_a_topic_that_cannot_be_is_refused(topic: str) -> None:
    with pytest.raises(InvalidField) as refused:
        checked_topics([topic])
    assert refused.value.field == "topic"


def test_there_is_an_end_to_topics() -> None:
    many = [f"table:{number}" for number in range(MOST_TOPICS + 1)]
    assert len(checked_topics(many[:-1])) == MOST_TOPICS
    with pytest.raises(InvalidField):
        checked_topics(many)


def test_a_personal_topic_is_for_its_player_alone() -> None:
    assert is_personal("player:ann")
    assert not is_personal("table:ann")
    require_own("player:ann", ANN)
    for who, topic in ((ANN, "player:bob"), (ROOT, "player:ann"), (ANN, "player:an")):
        with pytest.raises(Forbidden):
            require_own(topic, who)


def test_what_seats_see_is_for_their_player_alone_and_for_a_token_to_play() -> None:
    assert is_personal("seat:ann")
    playing = Caller("ann", frozenset({Scope.PLAY}), administrator=False, token_id="t")
    require_own("seat:ann", playing)
    others = Caller("root", frozenset(Scope), administrator=True, token_id="t")
    for who, topic in ((playing, "seat:bob"), (others, "seat:ann"), (ANN, "seat:ann"), (playing, "seat:an")):
        with pytest.raises(Forbidden):
            require_own(topic, who)
