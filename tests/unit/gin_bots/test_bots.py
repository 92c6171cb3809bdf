"""Each bot does what its description says."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from gin_bots import BASELINES, BOT_NAMES, UnknownBot, bot_named, bots, bots_for
from gin_rules.game import game_names
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.state import State
from gin_rules.shuffle import SeededDeals
from tests.unit.gin_rules.dealing import arranged_match, play


def choice(bot: str, state: State, seed: int = 1) -> str:
    seat = GIN_RUMMY.to_act(state)
    assert seat is not None
    return bot_named(bot).choose_action(GIN_RUMMY.view(state, seat), Random(seed))


def winner(bots: tuple[str, str], match: int) -> int | None:
    rng = Random(match)
    state = GIN_RUMMY.new_match(GIN_RUMMY.rules_from_json({}), 2, SeededDeals(b"bots", (), str(match)))
    while (seat := GIN_RUMMY.to_act(state)) is not None:
        state = GIN_RUMMY.apply(state, bot_named(bots[seat]).choose_action(GIN_RUMMY.view(state, seat), rng))
    outcome = GIN_RUMMY.outcome(state)
    assert outcome is not None
    return outcome.winner


def test_catalogue_goes_from_the_weakest_to_the_strongest_of_each_game() -> None:
    rummy = ("random", "beginner", "simple", "collector", "planner", "expert")
    word = ("random", "wordsmith-10", "wordsmith-25", "wordsmith-50", "wordsmith")
    assert tuple(bot.name for bot in bots_for("rummy")) == rummy
    assert tuple(bot.name for bot in bots_for("word")) == word
    assert tuple(bot.name for bot in bots()) == BOT_NAMES
    for name in game_names():
        assert [bot.strength for bot in bots_for(name)] == list(range(1, len(bots_for(name)) + 1))
    assert bots_for("poker") == ()


def test_every_bot_has_a_title_of_its_own_and_tells_how_it_plays() -> None:
    assert len({bot.title for bot in bots()}) == len(bots())
    assert all(bot.description.endswith(".") for bot in bots())


def test_an_unknown_bot_is_refused_with_the_names_that_there_are() -> None:
    with pytest.raises(UnknownBot, match=r"deep.*expert"):
        bot_named("deep")


def test_every_bot_but_the_measure_itself_has_a_measured_win_rate() -> None:
    for game, baseline in BASELINES.items():
        for bot in bots_for(game):
            measured = bot.measured_in(game)
            if bot.name == baseline:
                assert measured is None
                continue
            assert measured is not None
            low, high = measured.interval
            assert 0 <= low <= measured.win_rate <= high <= 1
            assert (measured.opponent, measured.game) == (baseline, game)


def test_measured_win_rates_rise_with_strength() -> None:
    for game in BASELINES:
        rates = [0.5 if (measured := bot.measured_in(game)) is None else measured.win_rate for bot in bots_for(game)]
        assert rates == sorted(rates)


def test_random_is_uniform_over_the_legal_actions() -> None:
    state = play(arranged_match(), "take")
    counts = Counter(choice("random", state, seed) for seed in range(2_000))
    assert set(counts) == set(GIN_RUMMY.legal_actions(state))
    assert min(counts.values()) > 140  # ten actions, 200 expected, standard deviation 13


@pytest.mark.parametrize("bot", [bot.name for bot in bots_for("rummy")])
def test_same_view_and_random_state_give_the_same_choice(bot: str) -> None:
    state = play(arranged_match(), "take")
    assert choice(bot, state, 5) == choice(bot, state, 5)


def test_simple_takes_the_upcard_only_if_it_joins_a_meld() -> None:
    hand = "9c Td Kh 2c 4d 6d 8d 5s 7h Ac"
    rest = "Kc Jc Qd 3s 4s 9h Th 2s 6c 7c"
    assert choice("simple", arranged_match(hand, rest, "Ad")) == "pass"
    assert choice("simple", arranged_match(hand, rest, "5d")) == "take"
    passed = play(arranged_match("9d Tc Ks 2d 4c 6h 8c 5c 7s As", hand, "5d"), "pass")
    assert choice("simple", passed) == "take"


def test_simple_draws_from_the_stock_otherwise() -> None:
    state = play(arranged_match(), "pass", "pass")
    assert choice("simple", state) == "draw"
    assert choice("simple", play(state, "draw", "discard Th")) == "draw"


def test_simple_throws_a_card_that_leaves_the_least_deadwood_but_never_the_one_just_taken() -> None:
    state = arranged_match("4c 5c 7d 7h Kc Kd Ah 2s 9d 3s", "Jc Qd Td 8h 6h 4s 2c Ts Qs 9s", "7s")
    assert choice("simple", state) == "take"
    state = play(state, "take")
    assert {choice("simple", state, seed) for seed in range(40)} == {"discard Kc", "discard Kd"}


def test_simple_knocks_as_soon_as_it_may() -> None:
    state = arranged_match("4c 5c 6c Jd Js Jh 2d 2h 2s 9d", "As 3h 5d 6h 7d 8h Tc Ts Kd Kh", "Qs", "7c")
    state = play(state, "pass", "pass", "draw")
    assert choice("simple", state) == "knock 9d"


def test_simple_declares_big_gin() -> None:
    hand = "4s 5s 6s 7s 9c 9d 9h Jc Qc Kc"
    state = arranged_match(hand, "As 3h 5d 6h 7d 8h 2c Ts Kd Kh", "Qs", "Tc", big_gin=True)
    assert choice("simple", play(state, "pass", "pass", "draw")) == "big_gin"


def test_simple_lays_off_what_saves_most() -> None:
    hands = ("6c 7c 8c Jd Js Jh 2d 2h 2s 3d", "5c 4c Kc Kd 9h 9s Ah 3s Qs Td")
    state = play(arranged_match(*hands, "Qc", "Ks", layoffs="manual"), "pass", "pass", "draw", "knock Ks")
    for expected in ("layoff 5c on 6c7c8c", "layoff 4c on 5c6c7c8c", "done"):
        assert choice("simple", state) == expected
        state = play(state, expected)
    assert GIN_RUMMY.hand_results(state)[0].points == (0, 59)


def test_beginner_overlooks_what_it_could_do_and_never_breaks_a_rule() -> None:
    state = arranged_match("4c 5c 6c Jd Js Jh 2d 2h 2s 9d", "As 3h 5d 6h 7d 8h Tc Ts Kd Kh", "Qs", "7c")
    choices = Counter(choice("beginner", play(state, "pass", "pass", "draw"), seed) for seed in range(200))
    knocks = sum(count for action, count in choices.items() if action.startswith("knock"))
    assert 0 < knocks < 200
    assert set(choices) <= set(GIN_RUMMY.legal_actions(play(state, "pass", "pass", "draw")))


def test_collector_keeps_cards_that_go_together() -> None:
    # Either king or either queen leaves the least deadwood; the queen of hearts stands beside the jack of hearts.
    hand = "Kc Qh Jh 2c 4d 6s 8d 5s 7h Ac"
    state = play(arranged_match(hand, "Kh Jc Qd 3s 4s 9h Th 2s 6c 7c", "Ad", "9c"), "pass", "pass", "draw")
    assert choice("collector", state) == "discard Kc"


def test_simple_beats_random() -> None:
    wins = [winner(("simple", "random"), match) for match in range(15)]
    assert wins.count(0) >= 13
