"""A match in the terminal: what is shown, what may be typed, and how it ends."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from gin_bots import bots_for
from gin_local.cli import main
from gin_local.playing.rummy_table import RummyTable
from gin_local.playing.table import NotUnderstood
from gin_local.playing.word_table import WordTable
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.word.game import WORD_GIN
from tests.unit.gin_rules.dealing import arranged_match
from tests.unit.gin_rules.dealing import play as rummy_after
from tests.unit.gin_rules.word.dealing import GINNER, SECOND
from tests.unit.gin_rules.word.dealing import arranged_match as arranged_words
from tests.unit.gin_rules.word.dealing import play as words_after


def typed(*lines: str, options: tuple[str, ...] = ()) -> Result:
    return CliRunner().invoke(main, ["play", "--seed", "5", *options], input="".join(f"{line}\n" for line in lines))


def test_the_table_is_shown_and_the_computer_answers() -> None:
    shown = typed("p", "d", "4h", "q", options=("--bot", "simple"))
    assert shown.exit_code == 0
    assert "Discard: 9♣   Stock: 31 cards   Knock with at most 10" in shown.output
    assert "Your hand: 5♣ 7♣   4♦ 10♦ K♦   4♥ 8♥ 10♥   6♠ 7♠" in shown.output
    assert "Simple takes the top discard." in shown.output
    assert "You draw 10♣." in shown.output
    assert shown.output.endswith("You have left the table.\n")


def test_moves_of_the_hand_are_listed_without_what_may_not_be_looked_up() -> None:
    shown = typed("m", "p", "m", "d", "4h", "m", "q", options=("--bot", "simple"))
    lists = shown.output.split("t take or d draw > ")
    assert "Nothing was played in this hand yet." in shown.output
    assert lists[1].startswith("  You pass\n  Simple takes 9♣ from the pile\n  Simple throws Q♣\n")
    assert lists[3].startswith(
        "  You pass\n  Simple takes the top discard\n  Simple throws a card\n  You draw from the stock\n"
        "  You throw a card\n  Simple draws from the stock\n  Simple throws J♣\n"
    )
    words = typed("m", "t", "Ig", "m", "q", options=("--game", "word", "--bot", "wordsmith-50"))
    assert "  You take P of yellow octagon\n" in words.output


def test_a_hand_ends_with_the_melds_of_both_and_the_score() -> None:
    shown = typed("p", "d", "4h", "d", "8h", "d", options=("--hand",))
    assert shown.exit_code == 0
    assert "  Simple: A♣ A♦ A♥ A♠   9♣ 9♦ 9♥   deadwood 7" in shown.output
    assert shown.output.endswith("Score: You 0, Simple 40\n")


def test_what_is_no_move_is_told_and_nothing_is_played() -> None:
    shown = typed("7x", "Kc", "undo", "", "take 2c", "q")
    assert "'7x' is neither a card nor a move" in shown.output
    assert "nothing can be undone" in shown.output
    assert shown.output.count("That cannot be done") == 2
    assert "Simple" not in shown.output.partition("p pass or t take")[2].replace("Simple 0", "")


def test_help_advice_and_score_are_answered() -> None:
    shown = typed("?", "a", "s", "q")
    assert "discard the seven of clubs" in shown.output
    assert "Deadwood: " in shown.output
    assert "Score: You 0, Simple 0" in shown.output


@pytest.mark.parametrize("preset", ["straight", "oklahoma", "big_gin", "hollywood", "rotation3", "pairs4", "rotation4"])
def test_every_form_can_be_begun(preset: str) -> None:
    shown = typed("q", options=("--preset", preset))
    assert shown.exit_code == 0
    assert "Your hand: " in shown.output or "Discard: " in shown.output


def test_word_gin_is_played_with_letters_and_words() -> None:
    shown = typed("d", "2", "Ig", "q", options=("--game", "word"))
    assert shown.exit_code == 0
    assert "t take or d draw" in shown.output
    assert "Two-letter words: aa ab" in shown.output
    assert "you hold no 'Ig'" in shown.output


def test_a_bot_that_does_not_play_the_game_is_refused_with_those_that_do() -> None:
    refused = typed(options=("--game", "word", "--bot", "expert"))
    assert refused.exit_code == 2
    assert all(bot.name in refused.output for bot in bots_for("word"))
    assert typed(options=("--bot", "deep")).exit_code == 2
    assert typed(options=("--preset", "fast")).exit_code == 2
    assert typed(options=("--players", "3")).exit_code == 2


def test_short_names_stand_for_the_actions_of_gin_rummy() -> None:
    state = rummy_after(
        arranged_match("4c 5c 6c Jd Js Jh 2d 2h 2s 9d", "As 3h 5d 6h 7d 8h Tc Ts Kd Kh", "Qs", "7c"), "pass"
    )
    table, view = RummyTable(), GIN_RUMMY.view(state, GIN_RUMMY.to_act(state) or 0)
    for text, action in {
        "t": "take",
        "p": "pass",
        "10c": "discard Tc",
        "jH": "discard Jh",
        "J♥": "discard Jh",
        "k 9d": "knock 9d",
        "k 9d 4c5c6c/JdJhJs": "knock 9d 4c5c6c/JdJhJs",
        "gin 9d": "knock 9d",
        "t 7c": "take 7c",
        "b": "big_gin",
    }.items():
        assert table.action(view, text) == action
    with pytest.raises(NotUnderstood):
        table.action(view, "zz")


def test_layoffs_are_chosen_by_number() -> None:
    hands = ("6c 7c 8c Jd Js Jh 2d 2h 2s 3d", "5c 4c Kc Kd 9h 9s Ah 3s Qs Td")
    state = rummy_after(arranged_match(*hands, "Qc", "Ks", layoffs="manual"), "pass", "pass", "draw", "knock Ks")
    view = GIN_RUMMY.view(state, GIN_RUMMY.to_act(state) or 0)
    table = RummyTable()
    assert table.action(view, "1") == view.legal_actions[0] == "layoff 5c on 6c7c8c"
    assert table.action(view, "done") == "done"
    assert "1 5♣ on 6♣ 7♣ 8♣" in table.prompt(view)


def test_words_and_letters_stand_for_the_actions_of_word_gin() -> None:
    state = words_after(arranged_words(SECOND, GINNER), "draw")
    table, view = WordTable(), WORD_GIN.view(state, WORD_GIN.to_act(state) or 0)
    assert table.action(view, "gin vb catR dogg atb ony") == "gin Vb CATr DOGg ATb ONy"
    assert table.action(view, "c catr") == "challenge CATr"
    assert table.action(view, "reveal") == "reveal"
    held = "A" + next(suit for suit in "rgby" if any(text.startswith(f"A{suit}") for text in _texts(view)))
    assert table.action(view, held).startswith(f"discard {held}")


def _texts(view: object) -> list[str]:
    return list(WORD_GIN.view_to_json(view)["hand"])  # type: ignore[arg-type]


def test_ctrl_c_in_a_terminal_leaves_cleanly() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "gin_local", "play", "--seed", "5"]
    path = os.pathsep.join(entry for entry in sys.path if entry)
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,
        # A run in the background of a shell ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(theirs)
    try:
        shown = _read_until(ours, b"p pass or t take > ")
        assert "9♣" in shown.decode()
        process.send_signal(signal.SIGINT)
        assert b"You have left the table." in _read_until(ours, b"table.")
        assert process.wait(timeout=60) == 130
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _read_until(terminal: int, wanted: bytes) -> bytes:
    shown = b""
    while wanted not in shown:
        assert select.select([terminal], [], [], 60)[0], shown
        shown += os.read(terminal, 4096)
    return shown
