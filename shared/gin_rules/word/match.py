"""From hand to hand: cut, deal, score, end of the match (source 000, rules 1, 11 and 12)."""

from __future__ import annotations

from gin_rules.game import Card, Deals, GameError, InvalidRules, Outcome, ScoreLine, Seat, Termination
from gin_rules.word.cards import Deck, deck_named
from gin_rules.word.declaration import Cards, Shown
from gin_rules.word.dictionary import dictionary_with_hash
from gin_rules.word.rules import HAND_SIZE, TARGETS, RuleSet, target_of
from gin_rules.word.scoring import score_lines
from gin_rules.word.state import DRAW, OVER, HandResult, HowEnded, State, Table

SEAT_COUNTS = tuple(TARGETS)
_MOST_CUTS = 1000


class UnfairDeals(GameError):
    """Deals that cannot be: not the cards that were to be shuffled, or cuts that tie for ever."""


def new_match(rules: RuleSet, seats: int, deals: Deals) -> State:
    """Cut for the deal and deal the first hand.

    Raises `InvalidRules`: ``seats`` unless two to four play with a deck that is large enough, ``min_word`` if the
    dictionary has no word of so many letters.
    """
    if seats not in SEAT_COUNTS:
        raise InvalidRules("seats", "word gin is played by two, three or four")
    deck = deck_named(rules.deck)
    if deck.size < seats * HAND_SIZE + 2:  # the hands, the up card, and one card to draw
        raise InvalidRules("seats", f"{deck.name} has too few cards for {seats} players")
    dictionary = dictionary_with_hash(rules.dictionary_sha256)
    if dictionary.longest < rules.min_word:
        raise InvalidRules("min_word", f"{dictionary.name} has no word of so many letters")
    cuts: list[Cards] = []
    dealer = None
    while dealer is None:
        if len(cuts) == _MOST_CUTS:
            raise UnfairDeals("the cut for the deal always ties")
        cuts.append(deals.cut(len(cuts) + 1, seats))
        dealer = _cut_dealer(deck, cuts[-1])
    table = Table(
        rules=rules,
        deck=deck,
        dictionary=dictionary,
        deals=deals,
        seats=seats,
        cuts=tuple(cuts),
        results=(),
        totals=(0,) * seats,
        number=1,
        dealer=dealer,
        termination=None,
    )
    return _deal(table, _shuffled_deck(table))


def left_of(table: Table, seat: Seat) -> Seat:
    """The next seat clockwise."""
    return (seat + 1) % table.seats


def score_hand(state: State, ginner: Seat, shown: tuple[Shown, ...]) -> State:
    """Score a hand that ended by a Gin, then deal the next one or end the match."""
    table = state.table
    lines = (*score_lines(table.deck, table.rules, ginner, shown), *state.challenges)
    return _after_hand(state, "gin", ginner, lines, shown)


def end_without_score(state: State) -> State:
    """End a hand at its turn cap: nobody shows, and only what challenges moved is kept."""
    return _after_hand(state, "turns", None, state.challenges, None)


def outcome(state: State) -> Outcome | None:
    """How the match ended; None while it is played."""
    table = state.table
    if table.termination is None:
        return None
    totals, seats = table.totals, range(table.seats)
    return Outcome(
        winner=_only_best(totals),
        totals=totals,
        final_scores=totals,
        hands_played=len(table.results),
        termination=table.termination,
        hands_won=tuple(sum(result.winner == seat for result in table.results) for seat in seats),
        gins=tuple(sum(result.ginner == seat for result in table.results) for seat in seats),
        undercuts=(0,) * table.seats,
    )


def _cut_dealer(deck: Deck, cut: Cards) -> Seat | None:
    # Closest to A deals (source 000, rule 1); None when the closest is shared.
    letters = [deck.letters[card] for card in cut]
    closest = min(letters)
    return letters.index(closest) if letters.count(closest) == 1 else None


def _after_hand(
    state: State, ended: HowEnded, ginner: Seat | None, lines: tuple[ScoreLine, ...], shown: tuple[Shown, ...] | None
) -> State:
    table = state.table
    points = tuple(sum(line.points for line in lines if line.seat == seat) for seat in range(table.seats))
    totals = tuple(total + gained for total, gained in zip(table.totals, points, strict=True))
    result = HandResult(
        number=table.number,
        dealer=table.dealer,
        ended=ended,
        ginner=ginner,
        winner=None if ginner is None else _only_best(points),
        points=points,
        totals=totals,
        lines=lines,
        shown=shown,
        turns=state.turns,
        deck=table.deck.name,
    )
    table = table._replace(results=(*table.results, result), totals=totals)
    termination = _termination(table, ended)
    if termination is not None:
        return state._replace(table=table._replace(termination=termination), phase=OVER)
    dealer = table.dealer if ginner is None else ginner
    return _next_deal(table._replace(number=table.number + 1, dealer=dealer), state.stock)


def _termination(table: Table, ended: HowEnded) -> Termination | None:
    rules, hands = table.rules, len(table.results)
    if rules.fixed_hands is not None:
        return Termination.FIXED_HANDS if hands == rules.fixed_hands else None
    reached = max(table.totals) >= target_of(rules, table.seats)
    if ended == "gin" and reached and _only_best(table.totals) is not None:
        return Termination.TARGET
    return Termination.HAND_CAP if hands == rules.match_hand_cap else None


def _next_deal(table: Table, stock: Cards) -> State:
    # The deal comes from the cards that are left, in the order in which this hand's shuffle has them.
    order = _shuffled_deck(table)
    left = frozenset(stock)
    if len(left) < table.seats * HAND_SIZE + 1:
        return _deal(table, order)
    return _deal(table, tuple(card for card in order if card in left))


def _shuffled_deck(table: Table) -> Cards:
    deck = table.deals.deck(table.number)
    if sorted(deck) != list(range(table.deck.size)):
        raise UnfairDeals(f"the deck of hand {table.number} is not {table.deck.size} different cards")
    return deck


def _deal(table: Table, cards: Cards) -> State:
    # One card at a time, clockwise from the dealer's left; then the up card.
    first, dealt = left_of(table, table.dealer), table.seats * HAND_SIZE
    hands: list[Cards] = [()] * table.seats
    for place in range(table.seats):
        hands[(first + place) % table.seats] = tuple(sorted(cards[place : dealt : table.seats]))
    in_play = frozenset(cards)
    return State(
        table=table,
        phase=DRAW,
        turn=first,
        hands=tuple(hands),
        stock=cards[dealt + 1 :],
        pile=(cards[dealt],),
        spent=tuple(Card(card) for card in range(table.deck.size) if card not in in_play),
        taken=None,
        turns=0,
        barred=(False,) * table.seats,
        challenges=(),
        history=(),
        reshuffles=0,
        showdown=None,
    )


def _only_best(points: tuple[int, ...]) -> Seat | None:
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None
