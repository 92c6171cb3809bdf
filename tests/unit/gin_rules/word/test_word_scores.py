"""What a hand scores (source 000, rules 7 to 9)."""

from __future__ import annotations

from gin_rules.word.game import WORD_GIN
from gin_rules.word.state import State
from tests.unit.gin_rules.word.dealing import gin_of_four, gin_of_two, last_result, lines, play


def scored_four(*reveals: str, **rules: object) -> State:
    """Nobody challenges; seats 2, 3 and 0 reveal these."""
    state = play(gin_of_four(**rules), "pass", "pass", "pass")
    for reveal in reveals:
        state = play(state, reveal)
        while state.phase == "challenge":
            state = play(state, "pass")
    return state


def test_player_that_gins_gets_ten_points() -> None:
    result = last_result(play(gin_of_two(), "pass", "reveal"))
    assert lines(result, 1)["gin"] == 10
    assert "gin" not in lines(result, 0)
    assert lines(last_result(play(gin_of_two(gin_bonus=25), "pass", "reveal")), 1)["gin"] == 25


def test_points_of_played_words_are_added_for_each_player() -> None:
    result = last_result(scored_four("reveal FITg WEb YEy", "reveal HOPEr NUg LIb PIy", "reveal BEr MEg GOb ARMy"))
    words = [
        [points for reason, points in lines(result, seat).items() if reason.startswith("word")] for seat in range(4)
    ]
    assert words == [[7, 6, 6, 9], [9, 10, 5, 5], [10, 7, 7], [12, 6, 5, 6]]


def test_unused_letters_are_deducted_from_each_player() -> None:
    result = last_result(scored_four("reveal FITg WEb YEy", "reveal HOPEr NUg LIb PIy", "reveal BEr MEg GOb ARMy"))
    assert lines(result, 2)["unused letters E S X"] == -(2 + 3 + 8)
    assert lines(result, 0)["unused letters U"] == -3
    assert result.points == (28 - 3, 29 + 10, 24 - 13, 29 + 10)


def test_longest_word_gets_ten_points_for_each_letter_it_is_longer_than_every_other_players() -> None:
    result = last_result(scored_four("reveal FITg WEb YEy", "reveal HOPEr NUg LIb PIy", "reveal BEr MEg GOb ARMy"))
    assert lines(result, 3)["longest word by 1 letter"] == 10
    assert [reason for seat in (0, 1, 2) for reason in lines(result, seat) if "longest" in reason] == []
    result = last_result(scored_four("reveal WEb", "reveal NUg", "reveal BEr", longest_word_bonus=7))
    assert lines(result, 1)["longest word by 1 letter"] == 7


def test_shared_longest_word_gets_no_bonus() -> None:
    result = last_result(scored_four("reveal FITg", "reveal NUg", "reveal BEr"))
    assert not any("longest" in line.reason for line in result.lines)


def test_no_word_counts_as_length_zero() -> None:
    result = last_result(play(gin_of_two(), "pass", "reveal"))
    assert lines(result, 1)["longest word by 3 letters"] == 30


def test_refuted_word_is_nobodys_longest_word() -> None:
    state = play(gin_of_two(), "pass", "reveal TIFg WEb", "challenge TIFg", "pass")
    assert lines(last_result(state), 1)["longest word by 1 letter"] == 10


def test_points_from_challenges_are_in_addition_to_the_regular_scoring() -> None:
    plain = last_result(play(gin_of_two(), "pass", "reveal FITg WEb YEy", "pass"))
    state = play(gin_of_two(), "challenge CATr", "pass", "reveal FITg WEb YEy", "challenge WEb", "pass")
    result = last_result(state)
    assert plain.points == (24 - 13, 29 + 10)
    assert result.points == (plain.points[0] - 2 * 9, plain.points[1] - 2 * 7)


def test_lines_of_a_seat_add_up_to_its_points() -> None:
    state = play(gin_of_two(), "challenge CATr", "pass", "reveal TIFg WEb", "challenge TIFg", "pass")
    result = last_result(state)
    assert result.points == tuple(sum(lines(result, seat).values()) for seat in (0, 1))


def test_totals_may_be_negative() -> None:
    state = play(gin_of_two(), "pass", "reveal")
    assert state.table.totals[0] == -37


def test_letter_points_are_settable() -> None:
    state = play(gin_of_two(letter_points={"g": 50}), "pass", "reveal")
    assert lines(last_result(state), 1)["word DOG"] == 4 + 2 + 50


def test_hand_is_won_by_who_scores_most() -> None:
    result = last_result(scored_four("reveal FITg", "reveal HOPEr NUg LIb PIy", "reveal", gin_bonus=15))
    assert result.points[1:4:2] == (29 + 15, 29 + 10)
    assert (result.ginner, result.winner) == (1, 1)
    result = last_result(scored_four("reveal FITg", "reveal HOPEr NUg LIb PIy", "reveal", gin_bonus=5))
    assert result.points[1:4:2] == (29 + 5, 29 + 10)
    assert (result.ginner, result.winner) == (1, 3)


def test_hand_in_which_the_most_points_are_shared_is_won_by_nobody() -> None:
    reveals = ("reveal FITg", "reveal HOPEr NUg LIb PIy", "reveal")
    result = last_result(scored_four(*reveals))
    assert result.points[1] == result.points[3] == 39
    assert result.winner is None


def test_hand_result_as_json_names_words_cards_and_verdicts() -> None:
    state = play(gin_of_two(), "pass", "reveal TIFg WEb", "challenge TIFg", "pass")
    shown = WORD_GIN.hand_result_to_json(last_result(state))["shown"]
    assert shown[0]["words"][0] == {
        "text": "TIFg",
        "word": "tif",
        "suit": "g",
        "cards": ["Tg1", "Ig1", "Fg"],
        "points": 10,
        "verdict": "refuted",
    }
    assert shown[0]["unused"] == ["Er1", "Sr", "Xb", "Ey1", "Yy"]
