"""Legal actions and their effect: the course of a hand (source 000, rules 2, 4 to 6, 10 and 11).

Actions: ``take``, ``draw``, ``discard Er2``, ``gin Er2 QUIETg ATr …`` (the face-down card, then all ten cards in
words), ``pass``, ``challenge QUIETg``, ``reveal``, ``reveal ATr …``.
"""

from __future__ import annotations

from typing import Final

from gin_rules.game import Action, Card, IllegalAction, Seat, Seen
from gin_rules.word.cards import InvalidCards
from gin_rules.word.declaration import Cards, DeclaredWord, RefusedDeclaration, Shown, lay_words, whole_suits
from gin_rules.word.match import UnfairDeals, end_without_score, left_of, score_hand
from gin_rules.word.scoring import challenge_lines
from gin_rules.word.state import CHALLENGE, DISCARD, DRAW, OVER, REVEAL, Showdown, State

TAKE: Final = Action("take")
DRAW_STOCK: Final = Action("draw")
PASS: Final = Action("pass")
REVEAL_NOTHING: Final = Action("reveal")


def legal_actions(state: State) -> tuple[Action, ...]:
    """The legal actions in a stable order, with one declaration for each way to declare. Empty when all is over.

    A Gin is listed once for each card that may go face down, and a reveal once with words, each suit's letters
    as one word in alphabetic order: almost surely a bluff. `apply` accepts any words that the cards can lay in
    their place. In a challenge and a reveal the first action is what silence means: ``pass``, and a reveal
    without words.
    """
    if state.phase == DRAW:
        return (TAKE, DRAW_STOCK)
    if state.phase == DISCARD:
        texts = state.table.deck.texts
        free = [card for card in state.hands[state.turn] if not _is_banned(state, card)]
        return (*(Action(f"discard {texts[card]}") for card in free), *_plain_gins(state, free))
    if state.phase == CHALLENGE:
        open_words = dict.fromkeys(word.text for word in _open_words(state))
        return (PASS, *(Action(f"challenge {text}") for text in open_words))
    if state.phase == REVEAL:
        words = whole_suits(state.table.deck, state.table.rules, state.hands[state.turn])
        return (REVEAL_NOTHING, Action(f"reveal {' '.join(words)}")) if words else (REVEAL_NOTHING,)
    return ()


def apply(state: State, action: Action) -> State:
    """The state after an action of the seat to act.

    A hand that ends is scored and the next one is dealt at once. Raises `IllegalAction` naming what is wrong.
    """
    verb, *rest = action.split(" ")
    if state.phase == DRAW:
        if action == TAKE:
            return _take(state)
        if action == DRAW_STOCK:
            return _draw(state)
    elif state.phase == DISCARD:
        if verb == "discard" and len(rest) == 1:
            return _discard(state, action, _own_card(state, action, rest[0]))
        if verb == "gin" and len(rest) > 1:
            return _gin(state, action, _own_card(state, action, rest[0]), rest[1:])
    elif state.phase == CHALLENGE:
        if action == PASS:
            return _to_next_challenger(_saw(state, action))
        if verb == "challenge" and len(rest) == 1:
            return _challenge(state, action, rest[0])
    elif state.phase == REVEAL and verb == "reveal":
        return _reveal(state, action, rest)
    raise IllegalAction(action, _EXPECTED[state.phase])


_EXPECTED: Final = {
    DRAW: "now take the up card or draw",
    DISCARD: "now discard a card, or Gin with one face down and all others in words",
    CHALLENGE: "now challenge one of the words or pass",
    REVEAL: "now reveal your words, or nothing",
    OVER: "the match is over",
}


def _take(state: State) -> State:
    card = state.pile[-1]
    return _saw(state, TAKE, card)._replace(
        phase=DISCARD, hands=_with_hand(state, (*state.hands[state.turn], card)), pile=state.pile[:-1], taken=card
    )


def _draw(state: State) -> State:
    if not state.stock:
        state = _with_spent_cards_back(state)
    card, *stock = state.stock
    return _saw(state, DRAW_STOCK)._replace(
        phase=DISCARD, hands=_with_hand(state, (*state.hands[state.turn], card)), stock=tuple(stock), taken=None
    )


def _with_spent_cards_back(state: State) -> State:
    # Source 000, rule 11; the up card stays on the pile.
    # A hand dealt again has used as many shuffles.
    table = state.table
    time = table.misdeals.count(table.number) + state.reshuffles + 1
    spent = tuple(sorted((*state.spent, *state.pile[:-1])))
    stock = table.deals.reshuffle(table.number, time, spent)
    if tuple(sorted(stock)) != spent:
        raise UnfairDeals(f"reshuffle {time} of hand {table.number} does not give back the spent cards")
    return state._replace(stock=stock, pile=state.pile[-1:], spent=(), reshuffles=state.reshuffles + 1)


def _discard(state: State, action: Action, card: Card) -> State:
    state = _saw(state, action, card)
    kept = tuple(held for held in state.hands[state.turn] if held != card)
    return _end_turn(state._replace(hands=_with_hand(state, kept), pile=(*state.pile, card)), barred=False)


def _end_turn(state: State, *, barred: bool) -> State:
    # The ban on a Gin is served by the turn that now ends, or begins with it.
    seat, table = state.turn, state.table
    state = state._replace(
        phase=DRAW,
        turn=left_of(table, seat),
        taken=None,
        turns=state.turns + 1,
        barred=tuple(barred if other == seat else was for other, was in enumerate(state.barred)),
    )
    if state.turns >= table.rules.hand_turn_cap * table.seats:
        return end_without_score(state)
    return state


def _gin(state: State, action: Action, face_down: Card, texts: list[str]) -> State:
    table, seat = state.table, state.turn
    if state.barred[seat]:
        raise IllegalAction(action, "after a Gin that failed you may not Gin on your next turn")
    kept = tuple(held for held in state.hands[seat] if held != face_down)
    shown = _laid(state, action, kept, texts)
    if shown.unused:
        left = ", ".join(table.deck.texts_of(shown.unused))
        raise IllegalAction(action, f"a Gin needs all ten cards in words, left over: {left}")
    on_table = tuple(shown if other == seat else None for other in range(table.seats))
    state = _saw(state, Action(f"gin {' '.join(texts)}"))._replace(
        phase=CHALLENGE,
        hands=_with_hand(state, kept),
        taken=None,
        showdown=Showdown(seat, face_down, seat, on_table),
    )
    return _to_next_challenger(state)


def _to_next_challenger(state: State) -> State:
    # Clockwise from the player whose words they are; once round, the words that were not refuted stand.
    showdown = _showdown(state)
    challenger = left_of(state.table, state.turn)
    if challenger == showdown.challenged or not _open_words(state):
        return _to_next_reveal(state, showdown)
    return state._replace(turn=challenger)


def _to_next_reveal(state: State, showdown: Showdown) -> State:
    seat = left_of(state.table, showdown.challenged)
    if seat == showdown.ginner:
        shown = tuple(hand for hand in showdown.shown if hand is not None)
        return score_hand(state._replace(turns=state.turns + 1), showdown.ginner, shown)
    return state._replace(phase=REVEAL, turn=seat, showdown=showdown._replace(challenged=seat))


def _challenge(state: State, action: Action, text: str) -> State:
    table, showdown, challenger = state.table, _showdown(state), state.turn
    player = showdown.challenged
    word = next((word for word in _open_words(state) if word.text == text), None)
    if word is None:
        raise IllegalAction(action, f"{text!r} is not a word on the table that can still be challenged")
    real = word.word in table.dictionary
    lines = challenge_lines(table.rules, word, player, challenger, real=real)
    state = _saw(state, action)._replace(challenges=(*state.challenges, *lines))
    if not real and player == showdown.ginner:
        return _fail_gin(state, showdown)
    state = _judged(state, showdown, word, real=real)
    return state if _open_words(state) else _to_next_challenger(state)


def _fail_gin(state: State, showdown: Showdown) -> State:
    # Source 000, rule 10: the cards go back into the hand and the face-down card becomes the up card.
    state = state._replace(turn=showdown.ginner, pile=(*state.pile, showdown.face_down), showdown=None)
    return _end_turn(state, barred=True)


def _judged(state: State, showdown: Showdown, word: DeclaredWord, *, real: bool) -> State:
    hand = showdown.shown[showdown.challenged]
    assert hand is not None
    words = list(hand.words)
    words[words.index(word)] = word._replace(verdict="stands" if real else "refuted")
    judged = hand._replace(words=tuple(words))
    return state._replace(showdown=_with_shown(showdown, judged))


def _reveal(state: State, action: Action, texts: list[str]) -> State:
    showdown = _showdown(state)
    shown = _laid(state, action, state.hands[state.turn], texts)
    state = _saw(state, action)._replace(phase=CHALLENGE, showdown=_with_shown(showdown, shown))
    return _to_next_challenger(state)


def _with_shown(showdown: Showdown, hand: Shown) -> Showdown:
    return showdown._replace(
        shown=tuple(hand if seat == showdown.challenged else lies for seat, lies in enumerate(showdown.shown))
    )


def _laid(state: State, action: Action, hand: Cards, texts: list[str]) -> Shown:
    try:
        return lay_words(state.table.deck, state.table.rules, hand, texts)
    except RefusedDeclaration as refused:
        raise IllegalAction(action, str(refused)) from refused


def _plain_gins(state: State, free: list[Card]) -> list[Action]:
    if state.barred[state.turn]:
        return []
    deck, rules, hand = state.table.deck, state.table.rules, state.hands[state.turn]
    gins = []
    for card in free:
        kept = [held for held in hand if held != card]
        words = whole_suits(deck, rules, kept)
        if sum(len(word) - 1 for word in words) == len(kept):  # each text ends in its suit
            gins.append(Action(f"gin {deck.texts[card]} {' '.join(words)}"))
    return gins


def _open_words(state: State) -> list[DeclaredWord]:
    showdown = _showdown(state)
    hand = showdown.shown[showdown.challenged]
    return [] if hand is None else [word for word in hand.words if word.verdict == "unchallenged"]


def _own_card(state: State, action: Action, text: str) -> Card:
    try:
        card = state.table.deck.parse(text)
    except InvalidCards as refused:
        raise IllegalAction(action, str(refused)) from refused
    if card not in state.hands[state.turn]:
        raise IllegalAction(action, f"you do not hold {text}")
    if _is_banned(state, card):
        raise IllegalAction(action, f"{text} was taken this turn and may not be thrown back")
    return card


def _is_banned(state: State, card: Card) -> bool:
    return state.table.rules.return_ban and card == state.taken


def _with_hand(state: State, hand: Cards) -> tuple[Cards, ...]:
    seat: Seat = state.turn
    return (*state.hands[:seat], tuple(sorted(hand)), *state.hands[seat + 1 :])


def _saw(state: State, action: Action, card: Card | None = None) -> State:
    text = None if card is None else state.table.deck.texts[card]
    return state._replace(history=(*state.history, Seen(state.turn, action, text)))


def _showdown(state: State) -> Showdown:
    assert state.showdown is not None
    return state.showdown
