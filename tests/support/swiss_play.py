"""Swiss tournaments played by chance: results, forfeits, absences, withdrawals, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from gin_tournament.document import TournamentDocument
from gin_tournament.format import Open, OpenedRound, Result, Situation
from gin_tournament.model import ByeKind, Entrant, EntrantId, Outcome
from gin_tournament.round_robin import RoundRobin
from gin_tournament.swiss_rounds import Swiss

BY_PLAY = (*[Outcome.FIRST_WINS] * 8, *[Outcome.SECOND_WINS] * 8, *[Outcome.DRAW] * 4)
WITHOUT_PLAY = (Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS, Outcome.DOUBLE_FORFEIT)


def rounds_of(format_: Swiss | RoundRobin, size: int, seed: int, *, absences: bool) -> Iterator[tuple[Situation, Open]]:
    """Every round of one tournament as it is paired, until it ends or cannot be paired."""
    rng = random.Random(seed)
    entrants = tuple(Entrant(EntrantId(str(rank)), rank, 2_400 - 3 * rank) for rank in range(1, size + 1))
    situation = Situation(entrants, seed=seed)
    while isinstance(answer := format_.next_round(situation), Open):
        yield situation, answer
        outcomes = BY_PLAY + (WITHOUT_PLAY if absences else ())
        situation = replace(situation, rounds=(*situation.rounds, _played(answer, outcomes, rng)))
        if absences:
            situation = _some_stay_away(situation, rng)


def played_out(format_: Swiss | RoundRobin, size: int, seed: int, *, absences: bool) -> TournamentDocument:
    """A whole tournament."""
    rng = random.Random(-seed)
    *_, (situation, last) = rounds_of(format_, size, seed, absences=absences)
    rounds = (*situation.rounds, _played(last, BY_PLAY, rng))
    return document(format_, replace(situation, rounds=rounds))


def document(format_: Swiss | RoundRobin, situation: Situation) -> TournamentDocument:
    names = {entrant.id: f"Player, {entrant.id}" for entrant in situation.entrants}
    return TournamentDocument(format_, situation, names, "By chance")


def pairs_of(opening: Open) -> frozenset[tuple[int, int]]:
    """Starting ranks, the first dealing first; (rank, 0) for the bye of an odd field."""
    return frozenset(
        (int(f.seats[0]), int(f.seats[1]) if len(f.seats) == 2 else 0)
        for f in opening.fixtures
        if len(f.seats) == 2 or f.bye is ByeKind.PAIRING_ALLOCATED
    )


def _played(opening: Open, outcomes: tuple[Outcome, ...], rng: random.Random) -> OpenedRound:
    opened = opening.opened()
    return opened._replace(
        encounters=tuple(
            e if e.is_decided else e._replace(result=Result(rng.choice(outcomes))) for e in opened.encounters
        )
    )


def _some_stay_away(situation: Situation, rng: random.Random) -> Situation:
    withdrawn = situation.withdrawn
    if rng.random() < 0.3:
        withdrawn |= {rng.choice(situation.entrants).id}
    there = [entrant.id for entrant in situation.entrants if entrant.id not in withdrawn]
    away = frozenset(rng.sample(there, min(rng.randrange(3), len(there))))
    return replace(situation, withdrawn=withdrawn, sitting_out=away)
