"""The bot `expert`: asks where the cards are, what a hand will pay, and when a knock is worth more than waiting.

Honest description: it weighs every unseen card by what the opponent took, left and threw. Of each discard it asks what
the hand is then worth one card later (a gin, an undercut, or points lost to a knock), how many cards are still loose
and how they connect, and how likely the discard makes a meld for the opponent. It knocks early with much deadwood; with
little, or later, it waits for gin or for a knock that it can undercut. How much each of these counts was fitted to
what the discards of half a million decisions came to, each played out from the same cards against `simple`. It knows
nothing of the opponent's habits from earlier hands and plays the same at every score, so that a patient opponent who
waits for gin as well does better against it than `simple` does.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from gin_bots.laying_off import lay_off
from gin_bots.outlook import MOST_DEADWOOD, Stock, connections, loose_cards, outlook, stock_of
from gin_bots.planner import hand_after_take
from gin_bots.reading import Reading, chances_held, danger, read
from gin_rules.game import Action, Card
from gin_rules.rummy.cards import mask_of
from gin_rules.rummy.deadwood import deadwood_by_discard
from gin_rules.rummy.play import BIG_GIN, DRAW_STOCK, PASS, TAKE, discard_action, knock_action
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.view import View


class _Weights(NamedTuple):
    """What a hand is worth by its features, fitted for a part of the hand's turns; only the ratios count."""

    deadwood: float
    deadwood_next: float
    """Deadwood after the next card, on average."""
    worth_next: float
    """Points that it is worth after the next card."""
    gin_next: float
    connection: float
    loose: float
    """Each card in no meld."""
    danger: float


_WEIGHTS: Final = (
    (3, _Weights(0.321, 0.050, 0.441, 66.319, 0.622, -2.060, -1.613)),
    (7, _Weights(0.069, 0.061, 0.345, 43.825, 0.715, -1.651, -2.532)),
    (12, _Weights(-0.074, 0.201, 0.355, 25.150, 0.767, -1.386, -3.301)),
    (18, _Weights(-0.109, 0.258, 0.351, 16.916, 0.662, -1.161, -3.147)),
    (26, _Weights(-0.126, 0.138, 0.298, 9.816, 0.394, -0.643, -2.816)),
    (10_000, _Weights(-0.224, 0.253, 0.298, 9.973, 0.429, -0.535, -2.237)),
)
"""Each with the turn before which it counts."""
_FAR_BEHIND: Final = 12
"""A discard that leaves so much more deadwood than the best one is not looked at."""
_TAKING: Final = 0.6
"""Points of deadwood by which a taken card must beat what drawing promises: the opponent sees it."""
_FITTED_LIMIT: Final = 10
"""Below it few hands of the opponent can be undercut: whoever may knock does."""
_KNOCK_TURNS: Final = 7
_KNOCK_DEADWOOD: Final = 7
"""Before that turn, this deadwood and more is rather knocked with than kept; at every score of the match."""
_OPPONENT_AT_GIN: Final = 20
"""Points that the opponent's hand holds on average when one's own is gin."""
_LAID_OFF: Final = 4
"""Points that the opponent's melds take in every other hand."""
_WAITING_BONUS: Final = 30
"""Gin and undercut bonuses that together are less do not pay waiting."""


class Expert:
    """Weighs the unseen cards, the next card, the danger of a discard, and waiting against knocking."""

    name = "expert"
    title = "Expert"
    summary = "remembers every card and sets traps"
    description = (
        "Remembers every card, guesses what you collect, holds back what you need, and waits for gin or an undercut "
        "where that pays more than a knock. Plays the same at every score."
    )
    games = ("rummy",)

    def choose_action(self, view: View, rng: Random) -> Action:
        """An action of ``view.legal_actions``; the view's seat must be to act. Chance plays no part."""
        if view.phase == "discard":
            return _discard_or_end(view)
        if view.phase == "layoff":
            return lay_off(view)
        return _take_or_draw(view)


_NO_WORTHS: Final = (0.0,) * (MOST_DEADWOOD + 1)


class _Judgement(NamedTuple):
    """What the hands of one decision are judged by."""

    weights: _Weights
    stock: Stock
    worths: tuple[float, ...]

    def value(self, hand: int, deadwood: int) -> float:
        """What a hand after its discard is worth, but for what the discard gives away."""
        weights = self.weights
        next_ = outlook(hand, self.stock, self.worths)
        loose = loose_cards(hand)
        return (
            weights.deadwood * deadwood
            + weights.deadwood_next * next_.deadwood
            + weights.worth_next * next_.worth
            + weights.gin_next * next_.gin
            + weights.connection * connections(hand, loose, self.stock.chances) / 2
            + weights.loose * len(loose)
        )


def _judgement(view: View, held: dict[Card, float]) -> _Judgement:
    weights = next(weights for before, weights in _WEIGHTS if view.turns < before)
    return _Judgement(weights, _stock(held), _worths(view.rules, view.knock_limit))


def _stock(held: dict[Card, float]) -> Stock:
    return stock_of({card: 1.0 - chance for card, chance in held.items()})


def _take_or_draw(view: View) -> Action:
    draw = PASS if PASS in view.legal_actions else DRAW_STOCK
    takes = [action for action in view.legal_actions if action.startswith(TAKE)]
    if not takes:
        return draw
    stock = _stock(chances_held(read(view)))
    best, choice = _TAKING, draw
    promised = outlook(mask_of(view.hand), stock, _NO_WORTHS).deadwood
    for action in takes:
        after, taken = hand_after_take(view, action)
        least = min(left for _, left in deadwood_by_discard(after, taken))
        if least == 0:
            return action
        if promised - least > best:
            best, choice = promised - least, action
    return choice


def _discard_or_end(view: View) -> Action:
    if view.legal_actions[-1] == BIG_GIN:
        return BIG_GIN
    hand = mask_of(view.hand)
    options = deadwood_by_discard(hand, -1 if view.taken is None else view.taken)
    least, card = min((left, card) for card, left in options)
    if least <= view.knock_limit and (least == 0 or _knocks(view, least)):
        return knock_action(card)
    reading = read(view)
    held = chances_held(reading)
    judgement = _judgement(view, held)
    near = [each for each in options if each[1] <= least + _FAR_BEHIND]
    return discard_action(max(near, key=lambda each: _worth_of_discard(hand, each, judgement, reading, held))[0])


def _worth_of_discard(
    hand: int, option: tuple[Card, int], judgement: _Judgement, reading: Reading, held: dict[Card, float]
) -> float:
    card, left = option
    return judgement.value(hand ^ 1 << card, left) + judgement.weights.danger * danger(card, reading, held)


def _knocks(view: View, deadwood: int) -> bool:
    rules = view.rules
    if rules.gin_bonus + rules.undercut_bonus < _WAITING_BONUS or view.knock_limit < _FITTED_LIMIT:
        return True
    if rules.stock_end != "recycle" and view.stock_size <= 2:  # this discard ends the hand, or the next one does
        return True
    return view.turns < _KNOCK_TURNS and deadwood >= _KNOCK_DEADWOOD


@lru_cache(maxsize=64)
def _worths(rules: RuleSet, limit: int) -> tuple[float, ...]:
    # In points by deadwood, if the opponent is about to knock; without knocks, only gin counts.
    weights = [deadwood + 2 for deadwood in range(1, limit + 1)]

    def met_by_a_knock(deadwood: int) -> float:
        if not weights:
            return -deadwood
        paid = (
            weight * (knocked - deadwood + (rules.undercut_bonus if deadwood <= knocked else 0))
            for knocked, weight in enumerate(weights, 1)
        )
        return sum(paid) / sum(weights)

    met = [met_by_a_knock(deadwood) for deadwood in range(1, MOST_DEADWOOD + 1)]
    laid_off = [met[0]] * _LAID_OFF + met
    averages = ((as_held + after) / 2 for as_held, after in zip(met, laid_off, strict=False))
    return (float(rules.gin_bonus + _OPPONENT_AT_GIN), *averages)
