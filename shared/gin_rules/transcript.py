"""A record as a text for people: one paragraph a hand, one line a turn."""

from __future__ import annotations

from collections.abc import Iterator

from gin_rules.game import game_named
from gin_rules.record import MatchRecord, RecordedScore, replay


def transcript(record: MatchRecord) -> str:
    """The match as readable text. Raises `NotRevealed` and `BrokenReplay` as `replay` does."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: MatchRecord) -> Iterator[str]:
    game = game_named(record.game)
    yield f"Match {record.match_id}: {game.name}, {' against '.join(record.seats)}"
    yield "Rules: " + ", ".join(f"{name} {value}" for name, value in sorted(record.rules.items()))
    yield f"Deals: {record.algorithm}, commitment {record.commitment}, id {record.deal_id}"
    if record.first_dealer is not None:
        yield f"First dealer: {record.seats[record.first_dealer]}"
    yield f"Entropy: {' '.join(part.hex() or '-' for part in record.entropy)}"
    if record.seed is not None and record.salt is not None:
        yield f"Seed: {record.seed.hex()}  salt: {record.salt.hex()}"
    states = replay(record)
    next(states)
    scored = 0
    yield from _hand_heading(record, 1)
    for recorded, state in zip(record.actions, states, strict=True):
        yield f"  {recorded.at.isoformat()}  {record.seats[recorded.seat]}: {recorded.action}"
        results = game.hand_results(state)
        if len(results) > scored:
            result = results[scored]
            scored += 1
            for line in result.lines:
                yield f"  {record.seats[line.seat]} {line.points:+d}  {line.reason}"
            yield f"  {_totals(record, record.scores[scored - 1])}"
            if game.to_act(state) is not None:
                yield from _hand_heading(record, scored + 1)
    if record.outcome is not None:
        winner = record.outcome.winner
        who = "Draw" if winner is None else f"{record.seats[winner]} wins"
        yield ""
        yield f"{who} ({record.outcome.termination.value}) after {record.outcome.hands_played} hands"


def _hand_heading(record: MatchRecord, number: int) -> Iterator[str]:
    yield ""
    yield f"Hand {number}"
    if len(record.decks) >= number:
        yield f"  Deck: {record.decks[number - 1]}"


def _totals(record: MatchRecord, score: RecordedScore) -> str:
    totals = ", ".join(f"{name} {total}" for name, total in zip(record.seats, score.totals, strict=True))
    return f"Ended by {score.ended}; totals: {totals}"
