"""What a player, or everybody, may know of a match: the only way by which a hand leaves the rules.

A view is built from the public part of the state and the hand of its own seat. The order of the stock, the
opponent's cards that were drawn unseen and the hands of a dead deal are never in it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gin_rules.game import Action, Card, GameError, Outcome, Seat, Seen, outcome_to_json
from gin_rules.rummy.cards import cards_of, cards_text, parse_card
from gin_rules.rummy.deadwood import Arrangement, best_arrangement
from gin_rules.rummy.match import SEATS, outcome
from gin_rules.rummy.play import legal_actions
from gin_rules.rummy.rules import RuleSet, rules_to_json
from gin_rules.rummy.scoring import standing
from gin_rules.rummy.settlement import Cards, Layoff, Settlement
from gin_rules.rummy.state import LAYOFF, OVER, PHASE_NAMES, Correction, HandResult, State


class AdviceRefused(GameError):
    """The rule set of the match does not let players ask for advice."""


class ShownKnock(NamedTuple):
    """The knocker's cards on the table while the defender lays off."""

    knocker: Seat
    melds: tuple[Cards, ...]
    """With the cards laid off so far."""
    unmatched: Cards


class View(NamedTuple):
    """What one seat may know. Tuples `totals` and `hand_sizes` are by seat.

    At a table of three or four it shows one hand, between two: `seat`, `to_act`, `dealer`, `totals` and everything
    about the hand name its seats 0 and 1, and `players` tells who they are. `results` and `outcome` are those of the
    table, as all of `table` is.
    """

    game: str
    rules: RuleSet
    seat: Seat | None
    """None for a spectator."""
    to_act: Seat | None
    legal_actions: tuple[Action, ...]
    """Empty unless this seat is to act."""
    phase: str
    hand_number: int
    dealer: Seat
    totals: tuple[int, ...]
    hand: Cards
    """Own cards by suit and rank; empty for a spectator."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    top_discard: Card | None
    pile: Cards | None
    """The whole discard pile, top card last, when it may be inspected (``discard_view`` spread)."""
    pile_size: int
    upcard: Card
    """First upcard of this hand."""
    knock_limit: int
    taken: Card | None
    """The card from the pile that the player to act may not discard this turn; seen by everybody."""
    turns: int
    """Turns completed in this hand, of both players."""
    history: tuple[Action, ...]
    """What both players saw happen in this hand, for players with a memory. The nondealer acts first."""
    shown: ShownKnock | None
    cuts: tuple[tuple[Card, ...], ...]
    results: tuple[HandResult, ...]
    outcome: Outcome | None
    games: tuple[tuple[int, ...], ...] = ()
    """Points by game and seat where several games are scored at once (Hollywood)."""
    corrections: tuple[Correction, ...] = ()
    """What an arbiter lets hands count instead of what `results` tell."""
    players: tuple[Seat, Seat] = (0, 1)
    table: TableView | None = None


class TableView(NamedTuple):
    """What a table of three or four adds to the view of a hand. Seats are those of the table."""

    seat: Seat | None
    to_act: Seat | None
    totals: tuple[int, ...]
    """Partners share theirs."""
    hands: tuple[View, ...]
    """The hands of this round, as a spectator sees them."""


class Sightings(NamedTuple):
    """What the history of a hand tells about each seat, as masks by seat."""

    held: tuple[int, int]
    """Taken from the pile and not thrown since."""
    thrown: tuple[int, int]
    declined: tuple[int, int]
    """Top discards that were passed, or left for a card from the stock."""


def player_view(state: State, seat: Seat) -> View:
    """What the player in this seat may know. Raises `ValueError` for a seat that is not at the table."""
    if seat not in (0, 1):
        raise ValueError(f"there is no seat {seat}")
    return _view(state, seat)


def spectator_view(state: State) -> View:
    """What everybody may know: no hand, no legal actions."""
    return _view(state, None)


def advise(view: View) -> Arrangement:
    """The best melds of the own cards and their deadwood (source 004, Friendly Play Conventions).

    Raises `AdviceRefused` when the rule set has no advice.
    """
    if not view.rules.advice:
        raise AdviceRefused("this match is played without advice")
    return best_arrangement(view.hand)


def sightings(view: View) -> Sightings:
    """Fold the history of the hand into what is known of each seat's cards."""
    seat = 1 - view.dealer
    pile = [view.upcard]
    held, thrown, declined = [0, 0], [0, 0], [0, 0]
    for action in view.history:
        verb, _, rest = action.partition(" ")
        if verb == "pass":
            declined[seat] |= 1 << pile[-1]
            seat = 1 - seat
        elif verb == "draw":
            if pile:
                declined[seat] |= 1 << pile[-1]
        elif verb == "take":
            while True:
                card = pile.pop()
                held[seat] |= 1 << card
                if not rest or card == parse_card(rest):
                    break
        elif verb in ("discard", "knock"):
            bit = 1 << parse_card(rest[:2])
            pile.append(parse_card(rest[:2]))
            held[seat] &= ~bit
            thrown[seat] |= bit
            seat = 1 - seat
    return Sightings((held[0], held[1]), (thrown[0], thrown[1]), (declined[0], declined[1]))


def seen(view: View) -> tuple[Seen, ...]:
    """What happened in this hand, first to last, without the cards that may not be looked up any more.

    The last turn and the one being played tell every card that was taken or thrown. Earlier ones do where the pile may
    be inspected, except for cards that went back into the stock when it was turned over.
    """
    done: list[Seen] = []
    pile = [(-1, _text(view.upcard))]  # each with the place of the discard that laid it there
    turn_ends: list[int] = []
    seat = 1 - view.dealer
    for at, action in enumerate(view.history):
        verb, _, rest = action.partition(" ")
        card: str | None = None
        if verb == "take":
            card = rest or pile[-1][1]
            while pile.pop()[1] != card:
                pass
        elif verb in ("discard", "knock"):
            card = rest[:2]
            pile.append((at, card))
            turn_ends.append(at)
        done.append(Seen(seat, action, card))
        if verb in ("pass", "discard", "knock", "big_gin"):
            seat = 1 - seat
    lately = turn_ends[-2] + 1 if len(turn_ends) > 1 else 0
    if lately and done[lately].text == "take":
        lately -= 1  # the discard that was taken
    hidden = range(lately) if view.pile is None else [at for at, _ in pile[: -view.pile_size or None] if at >= 0]
    for at in hidden:
        done[at] = Seen(done[at].seat, done[at].text.partition(" ")[0])
    return tuple(done)


def view_to_json(view: View) -> dict[str, Any]:
    """A view as plain JSON values; cards are texts. Advice on the own hand is in it when the rules have it.

    Its history is what `seen` tells.
    """
    rules = view.rules
    advice = None
    if view.seat is not None and rules.advice:
        deadwood, melds = advise(view)
        advice = {"deadwood": deadwood, "melds": _texts(melds)}
    shown = view.shown
    return {
        "game": view.game,
        "rules": rules_to_json(rules),
        "seat": view.seat,
        "to_act": view.to_act,
        "legal_actions": list(view.legal_actions),
        "phase": view.phase,
        "hand_number": view.hand_number,
        "dealer": view.dealer,
        "totals": list(view.totals),
        "hand": cards_text(view.hand).split(),
        "hand_sizes": list(view.hand_sizes),
        "stock_size": view.stock_size,
        "top_discard": _text_or_none(view.top_discard),
        "pile": None if view.pile is None else cards_text(view.pile).split(),
        "pile_size": view.pile_size,
        "upcard": _text_or_none(view.upcard),
        "knock_limit": view.knock_limit,
        "taken": _text_or_none(view.taken),
        "turns": view.turns,
        "history": [{"seat": seat, "text": text, "card": card} for seat, text, card in seen(view)],
        "shown": None
        if shown is None
        else {
            "knocker": shown.knocker,
            "melds": _texts(shown.melds),
            "unmatched": cards_text(shown.unmatched).split(),
        },
        "cuts": _texts(view.cuts),
        "results": [hand_result_to_json(result) for result in view.results],
        "outcome": None if view.outcome is None else outcome_to_json(view.outcome),
        "advice": advice,
        "corrections": [{"hand": one.hand, "points": list(one.points)} for one in view.corrections],
        "games": [list(game) for game in view.games],
        "players": list(view.players),
        "table": None if view.table is None else _table_to_json(view.table),
    }


def _table_to_json(table: TableView) -> dict[str, Any]:
    return {
        "seat": table.seat,
        "to_act": table.to_act,
        "totals": list(table.totals),
        "hands": [view_to_json(hand) for hand in table.hands],
    }


def hand_result_to_json(result: HandResult) -> dict[str, Any]:
    """A hand result as plain JSON values."""
    return {
        "number": result.number,
        "dealer": result.dealer,
        "ended": result.ended,
        "knocker": result.knocker,
        "winner": result.winner,
        "points": list(result.points),
        "totals": list(result.totals),
        "lines": [{"seat": line.seat, "reason": line.reason, "points": line.points} for line in result.lines],
        "settlement": None if result.settlement is None else _settlement_to_json(result.settlement),
        "hands": None if result.hands is None else _texts(result.hands),
        "turns": result.turns,
        "players": list(result.players),
    }


def _view(state: State, seat: Seat | None) -> View:
    table = state.table
    over = state.phase == OVER
    hands = _hands_left(state)
    pile = state.pile
    spread = table.rules.discard_view == "spread" or table.rules.buried_draw
    return View(
        game="rummy",
        rules=table.rules,
        seat=seat,
        to_act=None if over else state.turn,
        legal_actions=legal_actions(state) if seat == state.turn else (),
        phase=PHASE_NAMES[state.phase],
        hand_number=table.number,
        dealer=table.dealer,
        totals=table.totals,
        hand=() if seat is None else cards_of(hands[seat]),
        hand_sizes=(hands[0].bit_count(), hands[1].bit_count()),
        stock_size=state.stock_size,
        top_discard=pile[-1] if pile else None,
        pile=pile if spread else None,
        pile_size=len(pile),
        upcard=table.upcard,
        knock_limit=table.limit,
        taken=None if state.taken < 0 else Card(state.taken),
        turns=state.turns,
        history=state.history,
        shown=_shown(state),
        cuts=table.cuts,
        results=table.results,
        outcome=outcome(state),
        games=_games(state),
        corrections=table.corrections,
    )


def _games(state: State) -> tuple[tuple[int, ...], ...]:
    table = state.table
    if table.rules.scoring == "single":
        return ()
    return tuple(sheet.points for sheet in standing(table.rules, SEATS, table.results, table.corrections).sheets)


def _shown(state: State) -> ShownKnock | None:
    shown = state.shown
    if state.phase != LAYOFF or shown is None:
        return None
    unmatched = state.hands[shown.knocker]
    for meld in shown.melds:
        unmatched &= ~meld
    melds = tuple(cards_of(meld | laid) for meld, laid in zip(shown.melds, shown.laid, strict=True))
    return ShownKnock(shown.knocker, melds, cards_of(unmatched))


def _hands_left(state: State) -> tuple[int, int]:
    # While the defender lays off, what lies on the knocker's melds has left the defender's hand.
    shown = state.shown
    if state.phase != LAYOFF or shown is None:
        return state.hands
    left = state.hands[1 - shown.knocker]
    for laid in shown.laid:
        left &= ~laid
    return (state.hands[0], left) if shown.knocker == 0 else (left, state.hands[1])


def _settlement_to_json(settlement: Settlement) -> dict[str, Any]:
    return {
        "result": settlement.result,
        "winner": settlement.winner,
        "points": settlement.points,
        "knocker_deadwood": settlement.knocker_deadwood,
        "defender_deadwood": settlement.defender_deadwood,
        "knocker_melds": _texts(settlement.knocker_melds),
        "defender_melds": _texts(settlement.defender_melds),
        "layoffs": [_layoff_to_json(layoff) for layoff in settlement.layoffs],
        "difference": settlement.difference,
        "bonus": settlement.bonus,
        "doubled": settlement.doubled,
    }


def _layoff_to_json(layoff: Layoff) -> dict[str, Any]:
    return {"cards": cards_text(layoff.cards).split(), "meld": cards_text(layoff.meld).split()}


def _texts(groups: tuple[Cards, ...]) -> list[list[str]]:
    return [cards_text(group).split() for group in groups]


def _text(card: Card) -> str:
    return cards_text((card,))


def _text_or_none(card: Card | None) -> str | None:
    return None if card is None else _text(card)
