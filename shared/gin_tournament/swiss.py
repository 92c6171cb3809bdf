"""Swiss pairing of one round: exact by the criteria below, or a typed answer that says why not.

Strictest first: everyone is paired; the bye goes to an entrant who had neither a bye nor a win without
play, of the lowest points, then the fewest unplayed rounds, then the lowest seed; nobody meets an
opponent again (forfeited and void pairings may be paired again); then the criteria of each score bracket
from the top down (`swiss_bracket` states them). Who deals first is settled last and is a preference only.

Known gaps: one pair that breaks a rule by the organiser's leave is chosen for the fewest breaches and
then the closest scores, not by the bracket criteria; an entrant with very many forbidden opponents makes
every bracket take the slow road, as room for all is judged by the most restricted entrant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from gin_tournament.acceleration import BakuAcceleration
from gin_tournament.errors import InvalidEntrantsError, InvalidRequestError
from gin_tournament.format import CannotPair, Choice, Reason
from gin_tournament.ledger import Ledger, read
from gin_tournament.matching import first_least_cost_perfect
from gin_tournament.model import (
    STANDARD_SCORING,
    Bye,
    ByeKind,
    Entrant,
    EntrantId,
    History,
    Pairing,
    Scoring,
)
from gin_tournament.swiss_bracket import pair_field
from gin_tournament.swiss_standing import Record, build_field, records

__all__ = ["CannotPair", "Choice", "Paired", "Reason", "pair_round"]

_CONCESSIONS = (Choice.ALLOW_REMATCH, Choice.ALLOW_SECOND_BYE, Choice.LIFT_FORBIDDEN_PAIRS)


@dataclass(frozen=True, slots=True)
class Paired:
    """A complete round: `pairings` in table order (table 1 first), `bye` where the field was odd, and
    the concessions out of `allow` that were really needed."""

    pairings: tuple[Pairing, ...]
    bye: Bye | None
    conceded: tuple[Choice, ...] = ()


def pair_round(
    entrants: Sequence[Entrant],
    history: History,
    *,
    round_number: int,
    withdrawn: Collection[EntrantId] = (),
    requested_byes: Collection[EntrantId] = (),
    forbidden_pairs: Collection[tuple[EntrantId, EntrantId]] = (),
    manual_pairs: Sequence[Pairing] = (),
    acceleration: BakuAcceleration | None = None,
    scoring: Scoring = STANDARD_SCORING,
    seed: int = 0,
    allow: Collection[Choice] = (),
) -> Paired | CannotPair:
    """Pair round `round_number` from the rounds of `history` before it.

    Entrants in `withdrawn` or `requested_byes` sit out; a late entrant simply appears in `entrants`.
    `manual_pairs` are kept as given, even a rematch. Concessions in `allow` are made only where no legal
    pairing exists without them, and as few as will do. `seed` settles who deals first where nothing else
    does. The same arguments always give the same answer.

    Raises `InvalidEntrantsError`, `InvalidHistoryError` or `InvalidRequestError` for contradictory input.
    """
    ledger = read(entrants, [played for played in history if played.number < round_number], scoring)
    task = _task(ledger, round_number, withdrawn, requested_byes, forbidden_pairs, manual_pairs, acceleration)
    if len(task.players) < 2 and not task.manual:
        return CannotPair(Reason.TOO_FEW_ENTRANTS, (Choice.END_EARLY,))
    for conceded in _subsets([choice for choice in _CONCESSIONS if choice in allow]):
        found = _solve(task, conceded)
        if found is not None:
            pairs, bye = found
            tables = _tables(task, pairs, round_number + seed)
            lone = None if bye is None else Bye(task.found[bye].id, ByeKind.PAIRING_ALLOCATED)
            return Paired(tables, lone, conceded)
    return _explain(task, allow)


@dataclass(frozen=True, slots=True)
class _Task:
    """Ledger indices all over. `players` are still to be paired, in placing order."""

    found: dict[int, Record]
    players: list[int]
    manual: list[tuple[int, int]]
    apart: dict[int, set[int]]


def _task(
    ledger: Ledger,
    round_number: int,
    withdrawn: Collection[EntrantId],
    requested_byes: Collection[EntrantId],
    forbidden_pairs: Collection[tuple[EntrantId, EntrantId]],
    manual_pairs: Sequence[Pairing],
    acceleration: BakuAcceleration | None,
) -> _Task:
    index = ledger.index
    try:
        absent = {index[entrant] for entrant in (*withdrawn, *requested_byes)}
        forbidden = [(index[a], index[b]) for a, b in forbidden_pairs]
        manual = [(index[first], index[second]) for first, second in manual_pairs]
    except KeyError as unknown:
        raise InvalidEntrantsError(f"{unknown} is not an entrant") from unknown
    seated = [player for pair in manual for player in pair]
    if len(set(seated)) != len(seated):
        raise InvalidRequestError("an entrant stands twice in the manual pairs")
    if not absent.isdisjoint(seated):
        raise InvalidRequestError("a manual pair names an entrant who sits out")
    present = [i for i in range(len(ledger.entrants)) if i not in absent]
    found = records(ledger, round_number, acceleration, present)
    taken = set(seated)
    players = sorted(
        (i for i in present if i not in taken), key=lambda player: (-found[player].score, found[player].seed)
    )
    apart: dict[int, set[int]] = {}
    for a, b in forbidden:
        apart.setdefault(a, set()).add(b)
        apart.setdefault(b, set()).add(a)
    return _Task(found, players, manual, apart)


def _subsets(choices: Sequence[Choice]) -> Iterator[tuple[Choice, ...]]:
    for size in range(len(choices) + 1):
        yield from combinations(choices, size)


def _solve(task: _Task, conceded: tuple[Choice, ...]) -> tuple[list[tuple[int, int]], int | None] | None:
    """All pairs that are not manual, higher placed player first, and the bye; None where impossible."""
    for bye in _bye_candidates(task, conceded):
        players = [player for player in task.players if player != bye]
        field = build_field(task.found, players, task.apart)
        if field.is_completable(range(len(players))):
            pairs = [(players[a], players[b]) for a, b in pair_field(field)]
            return pairs, bye
        breaches = _fewest_breaches(task, players, conceded)
        if breaches is not None:
            broken = {player for pair in breaches for player in pair}
            lawful = [player for player in players if player not in broken]
            inner = pair_field(build_field(task.found, lawful, task.apart))
            return breaches + [(lawful[a], lawful[b]) for a, b in inner], bye
    return None


def _bye_candidates(task: _Task, conceded: tuple[Choice, ...]) -> Iterable[int | None]:
    if len(task.players) % 2 == 0:
        return (None,)
    found = task.found
    able = task.players
    if Choice.ALLOW_SECOND_BYE not in conceded:
        able = [player for player in able if not found[player].free_wins]
    return sorted(
        able,
        key=lambda p: (found[p].free_wins, found[p].points, found[p].unplayed, -found[p].seed),
    )


def _fewest_breaches(task: _Task, players: list[int], conceded: tuple[Choice, ...]) -> list[tuple[int, int]] | None:
    """The pairs that must break a rule when everybody in `players` is to be paired, as few as can be.

    Breaches count once per earlier meeting and once per lifted ban. At equal count the whole pairing
    stands as close in score as can be (least sum of squares), and then comes first in placing order.
    None where the concessions do not help.
    """
    rematch, lift = Choice.ALLOW_REMATCH in conceded, Choice.LIFT_FORBIDDEN_PAIRS in conceded
    if not rematch and not lift:
        return None
    found = task.found
    breaches: dict[tuple[int, int], int] = {}
    for a, b in combinations(players, 2):
        meetings = found[a].meetings.count(b)
        barred = b in task.apart.get(a, ())
        if (meetings and not rematch) or (barred and not lift):
            continue
        breaches[a, b] = meetings + barred
    gaps = {(a, b): (found[a].score - found[b].score) ** 2 for a, b in breaches}
    radix = max(gaps.values(), default=0) * len(players) + 1
    mates = first_least_cost_perfect(players, {pair: count * radix + gaps[pair] for pair, count in breaches.items()})
    if mates is None:
        return None
    return [pair for pair, count in breaches.items() if count and mates[pair[0]] == pair[1]]


def _explain(task: _Task, allow: Collection[Choice]) -> CannotPair:
    """Why there is no legal pairing, and the smallest sets of further concessions that give one."""
    reason = Reason.NO_LEGAL_PAIRING
    if len(task.players) % 2 and all(task.found[player].free_wins for player in task.players):
        reason = Reason.NO_ELIGIBLE_BYE
    granted = tuple(choice for choice in _CONCESSIONS if choice in allow)
    further = [choice for choice in _CONCESSIONS if choice not in allow]
    single = tuple(choice for choice in further if _is_solvable(task, (*granted, choice)))
    if single:
        return CannotPair(reason, (*single, Choice.END_EARLY))
    for size in range(2, len(further) + 1):
        for several in combinations(further, size):
            if _is_solvable(task, granted + several):
                return CannotPair(reason, (*several, Choice.END_EARLY), together=True)
    raise AssertionError("with every concession any two may meet and anybody may have the bye")


def _is_solvable(task: _Task, conceded: tuple[Choice, ...]) -> bool:
    for bye in _bye_candidates(task, conceded):
        players = [player for player in task.players if player != bye]
        if build_field(task.found, players, task.apart).is_completable(range(len(players))):
            return True
        if _fewest_breaches(task, players, conceded) is not None:
            return True
    return False


def _tables(task: _Task, pairs: Iterable[tuple[int, int]], lot: int) -> tuple[Pairing, ...]:
    """Pairings in table order: best score first, then the pair's sum, then the better seed."""
    found = task.found

    def place(pair: tuple[int, int]) -> tuple[int, int, int]:
        one, other = found[pair[0]], found[pair[1]]
        return (-max(one.score, other.score), -one.score - other.score, min(one.seed, other.seed))

    manual = set(task.manual)
    tables = []
    for table, (a, b) in enumerate(sorted((*pairs, *manual), key=place)):
        one, other = found[a], found[b]
        if (a, b) in manual or _deals_first(one, other, table + lot):
            tables.append(Pairing(one.id, other.id))
        else:
            tables.append(Pairing(other.id, one.id))
    return tuple(tables)


def _deals_first(one: Record, other: Record, lot: int) -> bool:
    """Whether `one` deals first: whoever has done so less often; else whoever did not when their deals
    last differed; else every other table by `lot`."""
    balance, other_balance = one.deal_balance, other.deal_balance
    if balance != other_balance:
        return balance < other_balance
    for mine, theirs in zip(reversed(one.deals), reversed(other.deals), strict=False):
        if mine != theirs:
            return theirs
    return lot % 2 == 0
