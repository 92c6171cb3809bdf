"""What a hand scores once every hand lies on the table (source 000, rules 7 to 9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gin_rules.game import ScoreLine, Seat
from gin_rules.word.cards import Deck
from gin_rules.word.declaration import DeclaredWord, Shown
from gin_rules.word.rules import RuleSet, points_of


def score_lines(deck: Deck, rules: RuleSet, ginner: Seat, shown: Sequence[Shown]) -> tuple[ScoreLine, ...]:
    """The regular scoring of a hand, line by line; `shown` is by seat. What challenges moved comes on top."""
    lines = [ScoreLine(ginner, "gin", rules.gin_bonus)]
    for seat, hand in enumerate(shown):
        lines += _own_lines(deck, rules, seat, hand)
    lines += _longest_word(rules, shown)
    return tuple(lines)


def challenge_lines(
    rules: RuleSet, word: DeclaredWord, player: Seat, challenger: Seat, *, real: bool
) -> tuple[ScoreLine, ...]:
    """What a challenge of this word of `player` moves (source 000, rule 9)."""
    points = rules.challenge_factor * word.points
    name = word.word.upper()
    if real:
        return (ScoreLine(challenger, f"challenged {name}, which is a word", -points),)
    return (
        ScoreLine(player, f"{name} is not a word", -points),
        ScoreLine(challenger, f"challenged {name}, which is not a word", points),
    )


def standing(hand: Shown) -> tuple[DeclaredWord, ...]:
    """The words that count: not refuted."""
    return tuple(word for word in hand.words if word.verdict != "refuted")


def _own_lines(deck: Deck, rules: RuleSet, seat: Seat, hand: Shown) -> Iterator[ScoreLine]:
    for word in standing(hand):
        yield ScoreLine(seat, f"word {word.word.upper()}", word.points)
    unused = list(hand.unused)
    if rules.refuted_letters == "unused":
        unused += [card for word in hand.words if word.verdict == "refuted" for card in word.cards]
    if unused:
        letters = "".join(deck.letters[card] for card in unused)
        yield ScoreLine(seat, f"unused letters {' '.join(letters.upper())}", -points_of(rules, letters))


def _longest_word(rules: RuleSet, shown: Sequence[Shown]) -> Iterator[ScoreLine]:
    # A player without a standing word counts as one with a word of no letters.
    longest = [max((len(word.word) for word in standing(hand)), default=0) for hand in shown]
    second, first = sorted(longest)[-2:]
    if first > second:
        reason = f"longest word by {first - second} letter{'s' if first - second > 1 else ''}"
        yield ScoreLine(longest.index(first), reason, rules.longest_word_bonus * (first - second))
