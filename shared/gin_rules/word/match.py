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


def new_match(rules: RuleSet, seats: int, deals: Deals, first_dealer: Seat | None = None) -> State:
    """Deal the first hand; cut for the deal unless the first dealer is given.

    Raises `InvalidRules`: ``seats`` unless two to four play with a deck that is large enough, ``min_word`` if the
    dictionary has no word of so many letters, ``first_dealer`` for a seat that is not at the table.
    """
    if seats not in SEAT_COUNTS:
        raise InvalidRules("seats", "word gin is played by two, three or four")
    deck = deck_named(rules.deck)
    if deck.size < seats * HAND_SIZE + 2:  # the hands, the up card, and one card to draw
        raise InvalidRules("seats", f"{deck.name} has too few cards for {seats} players")
    dictionary = dictionary_with_hash(rules.dictionary_sha256)
    if dictionary.longest < rules.min_word:
        raise InvalidRules("min_word", f"{dictionary.name} has no word of so many letters")
    cuts, dealer = _first_dealer(deck, deals, seats, first_dealer)
    table = Table(
        rules=rules,
        deck=deck,
        dictionary=dictionary,
        deals=deals,
        seats=seats,
        cuts=cuts,
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


def end_void(state: State) -> State:
    """End a hand that an arbiter takes out of the count: nothing in it counts."""
    return _after_hand(state, "void", None, (), None)


def deal_again(state: State) -> State:
    """Deal a hand again, from the same cards by the same dealer."""
    table = state.table
    table = table._replace(misdeals=(*table.misdeals, table.number))
    return _next_deal(table, tuple(Card(card) for card in range(table.deck.size) if card not in state.spent))


def go_on(state: State) -> State:
    """End the match or play on, as the totals stand now that no hand is begun."""
    table = state.table
    last = table.results[-1]
    termination = _termination(table, last.ended)
    if termination is not None:
        return state._replace(table=table._replace(termination=termination), phase=OVER)
    if state.phase != OVER:
        return state
    if table.number > len(table.results):  # the match was over before anybody played the hand that was dealt
        return state._replace(table=table, phase=DRAW)
    dealer = last.dealer if last.ginner is None else last.ginner
    return _next_deal(table._replace(number=len(table.results) + 1, dealer=dealer), state.stock)


def points_counted(table: Table, hand: int) -> tuple[int, ...]:
    """What a hand counts, after every correction; `hand` is the number of one that is over."""
    corrected = [correction.points for correction in table.corrections if correction.hand == hand]
    return corrected[-1] if corrected else table.results[hand - 1].points


def outcome(state: State) -> Outcome | None:
    """How the match ended; None while it is played."""
    table = state.table
    if table.termination is None:
        return None
    totals, seats = table.totals, range(table.seats)
    return Outcome(
        winner=None if table.termination is Termination.VOID else _only_best(totals),
        totals=totals,
        final_scores=totals,
        hands_played=len(table.results),
        termination=table.termination,
        hands_won=tuple(sum(winner == seat for winner in _winners(table)) for seat in seats),
        gins=tuple(sum(result.ginner == seat for result in table.results) for seat in seats),
        undercuts=(0,) * table.seats,
    )


def totals(state: State) -> tuple[int, ...]:
    """Points so far, by seat."""
    return state.table.totals


def decks(state: State) -> tuple[Cards, ...]:
    """The order of all cards for each deal, misdeals too; a hand passes over the cards put aside."""
    table = state.table
    return tuple(
        _deck(table, number, again)
        for number in range(1, table.number + 1)
        for again in range(table.misdeals.count(number) + 1)
    )


def _first_dealer(deck: Deck, deals: Deals, seats: int, agreed: Seat | None) -> tuple[tuple[Cards, ...], Seat]:
    # The cuts that were needed, and who deals first.
    if agreed is not None:
        if agreed not in range(seats):
            raise InvalidRules("first_dealer", f"there is no seat {agreed}")
        return (), agreed
    cuts: list[Cards] = []
    for attempt in range(1, _MOST_CUTS + 1):
        cuts.append(deals.cut(attempt, seats))
        dealer = _cut_dealer(deck, cuts[-1])
        if dealer is not None:
            return tuple(cuts), dealer
    raise UnfairDeals("the cut for the deal always ties")


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
    return go_on(state._replace(table=table, phase=OVER))


def _termination(table: Table, ended: HowEnded) -> Termination | None:
    rules, hands = table.rules, len(table.results)
    if rules.fixed_hands is not None:
        # A voided hand is played again, as in Gin Rummy; the cap ends the match where too many are.
        counted = sum(result.ended != "void" for result in table.results)
        if counted >= rules.fixed_hands:
            return Termination.FIXED_HANDS
        return Termination.HAND_CAP if hands >= rules.match_hand_cap else None
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
    deck = _deck(table, table.number, table.misdeals.count(table.number))
    if sorted(deck) != list(range(table.deck.size)):
        raise UnfairDeals(f"the deck of hand {table.number} is not {table.deck.size} different cards")
    return deck


def _deck(table: Table, number: int, again: int) -> Cards:
    # The shuffle of a hand, or one after so many misdeals.
    deck = table.deals.deck(number)
    for time in range(1, again + 1):
        deck = table.deals.reshuffle(number, time, deck)
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


def _winners(table: Table) -> list[Seat | None]:
    # Who won each hand, as corrected.
    return [
        None if result.ginner is None else _only_best(points_counted(table, result.number)) for result in table.results
    ]


def _only_best(points: tuple[int, ...]) -> Seat | None:
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None
