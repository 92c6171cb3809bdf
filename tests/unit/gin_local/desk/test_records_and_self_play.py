"""Records of both games step by step, and self-play that does not depend on how it is divided."""

from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from gin_bots import bot_named
from gin_local.desk.failures import DeskError
from gin_local.desk.record_commands import is_step
from gin_local.desk.records import check_record, read_record, take_words, verdict_to_text
from gin_local.desk.replaying import step_to_json, step_to_text, steps_of
from gin_local.desk.self_play import Pairing, play, play_some
from gin_rules.game import game_named
from gin_rules.record import MatchRecord, RecordedAction, record_match
from gin_rules.shuffle import SeededDeals, commitment
from gin_rules.word import dictionary


def _played(name: str, bot_name: str, rules_given: dict[str, object], seats: int) -> MatchRecord:
    game, bot, rng = game_named(name), bot_named(bot_name), Random(1)
    rules = game.rules_from_json(rules_given)
    seed, salt = bytes(range(32)), bytes(16)
    state = game.new_match(rules, seats, SeededDeals(seed, (), "m", game.deck_size(rules)))
    actions = []
    while (seat := game.to_act(state)) is not None:
        action = bot.choose_action(game.view(state, seat), rng)
        actions.append(RecordedAction(seat, action, datetime(2026, 3, 1, tzinfo=UTC)))
        state = game.apply(state, action)
    return record_match(
        game=game,
        rules=rules,
        match_id="m",
        seats=[f"Player {seat}" for seat in range(seats)],
        commitment=commitment(salt, seed),
        entropy=(),
        seed=seed,
        salt=salt,
        actions=actions,
    )


@pytest.mark.parametrize(
    ("name", "bot", "rules", "seats"),
    [("rummy", "simple", {"fixed_hands": 2}, 2), ("word", "wordsmith", {"fixed_hands": 1}, 3)],
)
def test_records_of_every_game_hold_and_are_stepped_through(
    name: str, bot: str, rules: dict[str, object], seats: int
) -> None:
    record = _played(name, bot, rules, seats)
    assert verdict_to_text(check_record(record)).endswith("The record holds.")
    steps = list(steps_of(record))
    assert [step.action for step in steps] == [None, *record.actions]
    assert {len(hand) for hand in steps[0].hands} == {10}
    assert len(steps[0].hands) == seats
    assert sum(step.ended is not None for step in steps) == len(record.scores)
    for step in steps:
        told = step_to_json(record, step)
        assert told["step"] == step.number
        assert step_to_text(record, step).startswith(f"Step {step.number} of {len(record.actions)}, hand ")
    assert "the match is over" in step_to_text(record, steps[-1])


def test_self_play_counts_the_same_however_it_is_divided() -> None:
    pairing = Pairing("rummy", ("simple", "random"), "short", 3)
    one_by_one = list(play(pairing, 5))
    total = one_by_one[0]
    for count in one_by_one[1:]:
        total += count
    assert total == play_some(pairing, range(5))
    assert total.matches == sum(total.wins) + total.draws == 5


def test_every_bot_sits_in_every_seat() -> None:
    forth = play_some(Pairing("rummy", ("simple", "random"), "short", 3), range(4))
    back = play_some(Pairing("rummy", ("random", "simple"), "short", 3), range(4))
    assert forth.wins == back.wins[::-1] == (4, 0)


def test_bots_play_only_their_own_games() -> None:
    with pytest.raises(DeskError, match="the bot simple does not play word"):
        Pairing("word", ("simple", "simple"), None, 1)


@pytest.mark.parametrize("source", ["http://[::1", "http://a b/", "http://127.0.0.1:port/", "no\0file"])
def test_source_that_is_no_address_or_file_is_refused(source: str) -> None:
    with pytest.raises(DeskError, match="cannot be read"):
        read_record(source)


@pytest.mark.parametrize(
    ("asked", "right"), [("0", True), ("9", True), ("10", False), ("9" * 5000, False), ("-1", False)]
)
def test_step_of_ten_is_zero_to_nine(asked: str, right: bool) -> None:
    assert is_step(asked, 10) is right


def test_record_of_a_match_with_own_words_is_checked_with_them_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forget() -> None:
        monkeypatch.setattr(dictionary, "_by_hash", {})
        monkeypatch.setattr(dictionary, "_hash_of", {})

    forget()
    dictionary.register_dictionary(dictionary.dictionary_of("zoo", ["gnu", "ox", "yak"]))
    rules = {"fixed_hands": 1, "dictionary": "zoo", "hand_turn_cap": 3}
    record = _played("word", "wordsmith", rules, 2)
    forget()
    with pytest.raises(DeskError, match=f"/api/v1/word-lists/{record.rules['dictionary_sha256']}"):
        check_record(record)
    words = tmp_path / "zoo.txt"
    words.write_text("yak\ngnu\n")
    take_words(str(words))
    with pytest.raises(DeskError, match="without its words"):
        check_record(record)
    words.write_text("yak\ngnu\nox\n")
    take_words(str(words))
    assert check_record(record).finding is None


def test_words_that_are_none_are_refused_with_the_line(tmp_path: Path) -> None:
    words = tmp_path / "zoo.txt"
    words.write_text("yak\nGNU\n")
    with pytest.raises(DeskError, match="line 2"):
        take_words(str(words))


@pytest.mark.parametrize(
    ("bots", "preset"), [(2, "rotation3"), (3, None), (3, "pairs4"), (2, "pairs4"), (4, "hollywood")]
)
def test_rules_that_do_not_seat_so_many_bots_are_refused(bots: int, preset: str | None) -> None:
    with pytest.raises(DeskError, match=f"these are {bots} bots"):
        Pairing("rummy", ("simple",) * bots, preset, 1)


def test_partners_win_together_in_self_play() -> None:
    count = play_some(Pairing("rummy", ("simple", "random", "simple", "random"), "pairs4", 1), range(3))
    assert (count.wins[0], count.wins[1]) == (count.wins[2], count.wins[3])
    assert count.wins[0] + count.wins[1] == 3 - count.draws
