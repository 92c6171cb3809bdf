"""Any ledger verifies, and any change of any field of any entry is found."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gin_ratings.domain import elo, ledger
from gin_ratings.domain.elo import GRID, Opponent
from gin_ratings.domain.ledger import CORRECTION, REVERSAL, Entry, Head, RatedMatch, Seat

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLAYERS = ("ann", "ben", "cid", "dot", "eve")


@st.composite
def histories(draw: st.DrawFn, smallest: int = 0) -> list[RatedMatch]:
    """Matches of two to four of five players in one pool, ties included, some of them corrected or voided later."""
    matches: list[RatedMatch] = []
    counting: dict[str, RatedMatch | None] = {}
    for number in range(draw(st.integers(smallest, 12))):
        moment = NOON + timedelta(seconds=number)
        if counting and draw(st.booleans()):
            match_id = draw(st.sampled_from(sorted(counting)))
            matches += draw(
                corrections_of(next(m for m in matches if m.match_id == match_id), counting, number, moment)
            )
            continue
        players = draw(st.permutations(PLAYERS))[: draw(st.integers(2, 4))]
        seats = tuple(Seat(player, draw(st.integers(1, len(players)))) for player in players)
        target = draw(st.sampled_from((1, 13, 25, 100, 150, 250, 500, 3000)))
        matches.append(RatedMatch(f"m{number}", "rummy/open", target, seats, moment))
        counting[f"m{number}"] = matches[-1]
    return matches


@st.composite
def corrections_of(
    draw: st.DrawFn, match: RatedMatch, counting: dict[str, RatedMatch | None], revision: int, at: datetime
) -> list[RatedMatch]:
    """A reversal of what counts, a result given anew, or both."""
    made = []
    earlier = counting[match.match_id]
    if earlier is not None:
        made.append(replace(earlier, kind=REVERSAL, revision=revision, settled_at=at))
    if earlier is None or draw(st.booleans()):
        seats = tuple(seat._replace(place=draw(st.integers(1, len(match.seats)))) for seat in match.seats)
        made.append(replace(match, kind=CORRECTION, revision=revision, seats=seats, settled_at=at))
    counting[match.match_id] = made[-1] if made[-1].kind == CORRECTION else None
    return made


@given(histories())
def test_every_ledger_verifies_and_tells_its_matches(matches: list[RatedMatch]) -> None:
    entries = list(ledger.recompute(matches))
    head = Head(len(entries), entries[-1].hash if entries else ledger.GENESIS)
    assert ledger.verify(entries, head) is None
    assert list(ledger.matches_of(entries)) == matches


@given(histories())
def test_ratings_stay_on_the_grid_and_each_entry_starts_where_the_last_one_ended(matches: list[RatedMatch]) -> None:
    ratings: dict[str, float] = {}
    for entry in ledger.recompute(matches):
        assert entry.before == ratings.get(entry.player_id, elo.START_RATING)
        assert (entry.after * GRID).is_integer()
        ratings[entry.player_id] = entry.after


def changed(value: Any) -> Any:
    """The same kind of value, and another one."""
    match value:
        case str():
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case float():
            return value + 1 / GRID
        case int():
            return value + 1
        case datetime():
            return value + timedelta(microseconds=1)
        case (Opponent() as first, *others):
            return (first._replace(rating=first.rating - 1 / GRID), *others)
    raise AssertionError(f"a ledger entry holds no {type(value)}")


@given(histories())
def test_games_are_those_that_count_and_nobody_has_less_than_none(matches: list[RatedMatch]) -> None:
    games: dict[str, int] = {}
    for entry in ledger.recompute(matches):
        games[entry.player_id] = games.get(entry.player_id, 0) + (-1 if entry.kind == REVERSAL else 1)
        assert entry.games == games[entry.player_id] >= 0
        assert entry.effective_games >= 0


@given(histories())
def test_voiding_everything_leads_back_to_the_start(matches: list[RatedMatch]) -> None:
    counting: dict[str, RatedMatch] = {}
    for match in matches:
        counting[match.match_id] = match
    voided = [replace(m, kind=REVERSAL, revision=99) for m in counting.values() if m.kind != REVERSAL]
    ratings = {entry.player_id: entry.after for entry in ledger.recompute(matches + voided)}
    assert set(ratings.values()) <= {elo.START_RATING}


@given(histories(smallest=1), st.data())
def test_any_changed_field_is_found_at_its_entry(matches: list[RatedMatch], data: st.DataObject) -> None:
    entries = list(ledger.recompute(matches))
    at = data.draw(st.integers(0, len(entries) - 1))
    field = data.draw(st.sampled_from([field.name for field in fields(Entry)]))
    entries[at] = replace(entries[at], **{field: changed(getattr(entries[at], field))})
    difference = ledger.verify(entries)
    assert difference is not None
    assert difference.sequence == at + 1


ratings = st.floats(0, 4000)
weights = st.floats(elo.SMALLEST_WEIGHT, elo.LARGEST_WEIGHT)


@given(ratings, ratings, weights)
def test_expected_scores_of_both_sides_make_one_point(one: float, other: float, weight: float) -> None:
    total = elo.expected_score(one, other, weight) + elo.expected_score(other, one, weight)
    assert abs(total - 1) < 1e-12


@given(st.lists(st.tuples(ratings, st.integers(1, 4)), min_size=2, max_size=6), weights)
def test_changes_of_players_with_equal_k_sum_to_zero(table: list[tuple[float, int]], weight: float) -> None:
    seats = [Opponent(str(seat), rating, place) for seat, (rating, place) in enumerate(table)]
    changes = [elo.change(20, weight, s.rating, s.place, [o for o in seats if o is not s]) for s in seats]
    assert abs(sum(changes)) < 1e-9


@given(ratings, ratings, weights, st.sampled_from((10, 20, 40)))
def test_two_players_are_rated_by_plain_elo(one: float, other: float, weight: float, k: int) -> None:
    change = elo.change(k, weight, one, 1, [Opponent("other", other, 2)])
    assert abs(change - k * weight * (1 - elo.expected_score(one, other, weight))) < 1e-9
    assert change >= 0
