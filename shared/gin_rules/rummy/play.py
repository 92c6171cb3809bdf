"""Legal actions and their effect: the course of a hand (source 004, sections 3 and 4).

Actions: ``pass``, ``take``, ``take 7c`` (a buried discard), ``draw``, ``discard 7c``, ``knock 7c``,
``knock 7c 4c5c6c/7d7h7s`` (with the melds to show), ``big_gin``, ``layoff 8c on 5c6c7c`` and ``done``. Gin is
a knock that keeps no deadwood.

`apply` is the hot path of engine and bots. It makes states from positional arguments, twice as fast as by name.
"""

from __future__ import annotations

from typing import Final

from gin_rules.game import Action, Card, IllegalAction, Seat
from gin_rules.rummy.cards import (
    BITS,
    CARD_TEXTS,
    SUIT_MASK,
    InvalidCards,
    mask_of,
    parse_card,
    parse_cards,
)
from gin_rules.rummy.deadwood import a_discard_can_leave, can_meld, deadwood_by_discard, least_of_mask
from gin_rules.rummy.match import end_without_score, score_hand
from gin_rules.rummy.settlement import (
    RefusedKnock,
    best_layoffs,
    fitting_cards,
    layoff_text,
    settle_shown,
    show_melds,
)
from gin_rules.rummy.state import (
    DISCARD,
    DRAW,
    FIRST_DRAW,
    LAYOFF,
    NO_CARD,
    OFFER_DEALER,
    OFFER_NONDEALER,
    OVER,
    Shown,
    State,
    pile_of,
)

PASS: Final = Action("pass")
TAKE: Final = Action("take")
DRAW_STOCK: Final = Action("draw")
BIG_GIN: Final = Action("big_gin")
DONE: Final = Action("done")

_DISCARDS: Final[tuple[Action, ...]] = tuple(Action(f"discard {text}") for text in CARD_TEXTS)
_KNOCKS: Final[tuple[Action, ...]] = tuple(Action(f"knock {text}") for text in CARD_TEXTS)
_DISCARDED: Final[dict[str, Card]] = {text: Card(card) for card, text in enumerate(_DISCARDS)}
_OFFER: Final = (PASS, TAKE)
_DRAW: Final = (TAKE, DRAW_STOCK)
_MUST_DRAW: Final = (DRAW_STOCK,)

_NOT_IN_HAND: Final = "the card is not in the hand"
_RETURN_BAN: Final = "a card taken from the discard pile stays in the hand this turn"

# The discards of each suit by its 13-bit mask, filled at first use, about 10 ms.
_CLUBS: Final[list[tuple[Action, ...]]] = []
_DIAMONDS: Final[list[tuple[Action, ...]]] = []
_HEARTS: Final[list[tuple[Action, ...]]] = []
_SPADES: Final[list[tuple[Action, ...]]] = []


def discard_action(card: Card) -> Action:
    """``discard 7c``."""
    return _DISCARDS[card]


def knock_action(card: Card) -> Action:
    """``knock 7c``: knock, or go gin, discarding this card."""
    return _KNOCKS[card]


def legal_actions(state: State) -> tuple[Action, ...]:
    """Every legal action in a stable order; knocks without named melds. Empty when the match is over.

    A knock may also name its melds: `apply` accepts any that the kept cards hold and that leave no more than
    the limit.
    """
    phase = state.phase
    if phase == DISCARD:
        if not _SPADES:
            _fill_discards()
        hand = state.hand
        c, d, h, s = hand & SUIT_MASK, hand >> 13 & SUIT_MASK, hand >> 26 & SUIT_MASK, hand >> 39
        can_end = a_discard_can_leave(state.table.limit, c, d, h, s)
        if state.taken >= 0:
            hand ^= BITS[state.taken]
            c, d, h, s = hand & SUIT_MASK, hand >> 13 & SUIT_MASK, hand >> 26 & SUIT_MASK, hand >> 39
        discards = _CLUBS[c] + _DIAMONDS[d] + _HEARTS[h] + _SPADES[s]
        return discards + _enders(state) if can_end else discards
    if phase == DRAW:
        if state.table.buried_draw:
            return (*_DRAW, *_buried_takes(state))
        return _DRAW
    if phase in (OFFER_NONDEALER, OFFER_DEALER):
        return _OFFER
    if phase == FIRST_DRAW:
        return _MUST_DRAW
    if phase == LAYOFF:
        return (*_layoffs(state), DONE)
    return ()


def apply(state: State, action: Action) -> State:
    """The state after an action of the seat to act.

    A hand that ends is scored and the next one is dealt at once. Raises `IllegalAction` naming what is wrong.
    """
    phase = state.phase
    if phase == DISCARD:
        card = _DISCARDED.get(action)
        return _end_hand(state, action) if card is None else _discard(state, action, card)
    drawn, top = state.drawn, state.top
    if action == "draw" and FIRST_DRAW <= phase <= DRAW:
        bit = BITS[state.stock[drawn]]
        drawn += 1
        taken = NO_CARD
    elif action == "take" and phase <= DRAW and phase != FIRST_DRAW and top is not None:
        taken = top[1]
        bit = BITS[taken]
        top = top[0]
    else:
        return _apply_seldom(state, action)
    return State(
        state.table,
        DISCARD,
        state.turn,
        state.hand | bit,
        state.other,
        state.stock,
        drawn,
        top,
        taken,
        state.turns,
        (state.played, action),
        state.recycled,
        None,
    )


def _discard(state: State, action: Action, card: Card) -> State:
    hand, bit = state.hand, BITS[card]
    if not hand & bit:
        raise IllegalAction(action, _NOT_IN_HAND)
    if card == state.taken:
        raise IllegalAction(action, _RETURN_BAN)
    table, stock, drawn = state.table, state.stock, state.drawn
    turns = state.turns + 1
    after = State(
        table,
        DRAW,
        1 - state.turn,
        state.other,
        hand ^ bit,
        stock,
        drawn,
        (state.top, card),
        NO_CARD,
        turns,
        (state.played, action),
        state.recycled,
        None,
    )
    if len(stock) - drawn <= table.dead_stock:
        return _stock_exhausted(after)
    if turns >= table.turn_cap:
        return end_without_score(after, "turns")
    return after


def _apply_seldom(state: State, action: Action) -> State:
    phase = state.phase
    if phase == LAYOFF:
        return _lay_off(state, action)
    if phase == OVER:
        raise IllegalAction(action, "the match is over")
    if action == PASS:
        return _pass(state, action)
    if action.startswith("take "):
        return _take_buried(state, action)
    raise IllegalAction(action, _expected(state))


def _pass(state: State, action: Action) -> State:
    if state.phase == OFFER_NONDEALER:
        phase = OFFER_DEALER
    elif state.phase == OFFER_DEALER:
        phase = FIRST_DRAW
    else:
        raise IllegalAction(action, _expected(state))
    return State(
        state.table,
        phase,
        1 - state.turn,
        state.other,
        state.hand,
        state.stock,
        state.drawn,
        state.top,
        NO_CARD,
        state.turns,
        (state.played, action),
        state.recycled,
        None,
    )


def _take_buried(state: State, action: Action) -> State:
    if state.phase != DRAW or not state.table.buried_draw:
        raise IllegalAction(action, "no buried discard may be taken now")
    if action not in _buried_takes(state):
        raise IllegalAction(action, "a buried discard must form a meld with the cards then held")
    card = parse_card(action[5:])
    pile = state.pile
    at = pile.index(card)
    return state.replace(
        phase=DISCARD,
        hand=state.hand | mask_of(pile[at:]),
        top=pile_of(pile[:at]),
        taken=card,
        played=(state.played, action),
    )


def _stock_exhausted(state: State) -> State:
    table = state.table
    if table.rules.stock_end != "recycle":
        return end_without_score(state, "stock")
    pile = state.pile
    if len(pile) < 2:
        return end_without_score(state, "stock")
    if state.turns >= table.turn_cap:
        return end_without_score(state, "turns")
    # Turned over, the oldest discard lies on top.
    stock = pile[:-1]
    recycled = state.recycled + 1
    if table.rules.recycle_shuffled:
        # The shuffles of a hand are numbered through, those after a misdeal first.
        stock = table.deals.reshuffle(table.number, table.misdeals.count(table.number) + recycled, stock)
    return state.replace(stock=stock, drawn=0, top=pile_of(pile[-1:]), recycled=recycled)


def _end_hand(state: State, action: Action) -> State:
    seat, hand, defender = state.turn, state.hand, state.other
    if action == "big_gin":
        if not state.table.rules.big_gin:
            raise IllegalAction(action, "big gin is not played")
        if least_of_mask(hand):
            raise IllegalAction(action, "big gin needs every card in a meld")
        shown, _ = show_melds(hand, 0, 0, None)
        return _settle(state.replace(played=(state.played, action)), seat, shown, (), big_gin=True)
    card, named = _read_knock(state, action)
    if not hand >> card & 1:
        raise IllegalAction(action, _NOT_IN_HAND)
    if card == state.taken:
        raise IllegalAction(action, _RETURN_BAN)
    kept = hand ^ BITS[card]
    try:
        melds, deadwood = show_melds(kept, defender, state.table.limit, named)
    except RefusedKnock as refused:
        raise IllegalAction(action, str(refused)) from refused
    after = state.replace(
        hand=kept, top=(state.top, card), taken=NO_CARD, turns=state.turns + 1, played=(state.played, action)
    )
    if not deadwood:
        return _settle(after, seat, melds, ())
    if state.table.rules.layoffs == "manual":
        waiting = after.replace(
            phase=LAYOFF, turn=1 - seat, hand=defender, other=kept, shown=Shown(seat, melds, (0,) * len(melds))
        )
        if _layoffs(waiting):
            return waiting
        return _settle(after, seat, melds, ())
    return _settle(after, seat, melds, best_layoffs(melds, defender)[1])


def _lay_off(state: State, action: Action) -> State:
    shown = state.shown
    assert shown is not None
    played = (state.played, action)
    if action == DONE:
        return _settle(state.replace(played=played, shown=None), shown.knocker, shown.melds, shown.laid)
    laid = list(shown.laid)
    for at, card, text in _fitting(state):
        if text == action:
            laid[at] |= 1 << card
            return state.replace(shown=shown._replace(laid=tuple(laid)), played=played)
    raise IllegalAction(action, _expected(state))


def _settle(
    state: State, knocker: Seat, shown: tuple[int, ...], laid: tuple[int, ...], *, big_gin: bool = False
) -> State:
    hands = state.hands
    settlement = settle_shown(
        hands[knocker],
        shown,
        hands[1 - knocker],
        laid,
        state.table.rules,
        spade_upcard=state.table.upcard >= 39,
        big_gin=big_gin,
    )
    return score_hand(state, knocker, settlement)


def _fill_discards() -> None:
    for first, suit in ((0, _CLUBS), (13, _DIAMONDS), (26, _HEARTS), (39, _SPADES)):  # the one that is asked for last
        texts: list[tuple[Action, ...]] = [()]
        for card in range(first, first + 13):
            texts += [lower + (_DISCARDS[card],) for lower in texts]
        suit[:] = texts


def _enders(state: State) -> tuple[Action, ...]:
    hand, limit = state.hand, state.table.limit
    knocks = tuple(_KNOCKS[card] for card, left in deadwood_by_discard(hand, state.taken) if left <= limit)
    if state.table.rules.big_gin and least_of_mask(hand) == 0:
        return (*knocks, BIG_GIN)
    return knocks


def _buried_takes(state: State) -> tuple[Action, ...]:
    # The top card is taken by "take"; a buried one must be in a meld of the cards then held.
    found = []
    held, pile = state.hand, state.pile
    for at in range(len(pile) - 1, -1, -1):
        card = pile[at]
        held |= 1 << card
        if at < len(pile) - 1 and can_meld(card, held):
            found.append(Action(f"take {CARD_TEXTS[card]}"))
    return tuple(found)


def _fitting(state: State) -> list[tuple[int, Card, Action]]:
    shown = state.shown
    assert shown is not None
    hand = state.hand
    for laid in shown.laid:
        hand &= ~laid
    return [
        (at, card, Action(layoff_text(card, meld | laid)))
        for at, (meld, laid) in enumerate(zip(shown.melds, shown.laid, strict=True))
        for card in fitting_cards(meld | laid, hand)
    ]


def _layoffs(state: State) -> tuple[Action, ...]:
    return tuple(text for _, _, text in _fitting(state))


def _read_knock(state: State, action: Action) -> tuple[Card, list[int] | None]:
    parts = action.split(" ")
    if parts[0] != "knock" or len(parts) not in (2, 3) or parts != action.split():
        raise IllegalAction(action, _expected(state))
    try:
        card = parse_card(parts[1])
        named = [mask_of(parse_cards(meld)) for meld in parts[2].split("/")] if len(parts) == 3 else None
    except InvalidCards as refused:
        raise IllegalAction(action, str(refused)) from refused
    return card, named


def _expected(state: State) -> str:
    if state.phase == OVER:
        return "the match is over"
    if state.phase == DISCARD:
        return "now discard a card or knock with one"
    return f"now one of these is due: {', '.join(legal_actions(state))}"
