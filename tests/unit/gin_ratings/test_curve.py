import itertools

from gin_ratings.domain.curve import BOTTOM, HEIGHT, LEFT, MOST_POINTS, RIGHT, TOP, WIDTH, Point, draw


def coordinates(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in path.split())]


def test_curve_runs_from_the_first_match_to_the_last_within_its_margins() -> None:
    curve = draw([Point(0, 1500, 150), Point(1, 1520, 120), Point(2, 1480, 110), Point(3, 1600, 100)])
    line = coordinates(curve.line)
    assert [x for x, _ in line] == sorted(x for x, _ in line)
    assert (line[0][0], line[-1][0]) == (LEFT, WIDTH - RIGHT)
    assert all(TOP <= y <= HEIGHT - BOTTOM for _, y in coordinates(curve.band))
    assert (curve.lowest, curve.highest) == (1480, 1600)
    assert curve.end == line[-1]


def test_higher_rating_stands_higher() -> None:
    line = coordinates(draw([Point(0, 1500, 10), Point(1, 1510, 10), Point(2, 1490, 10)]).line)
    assert line[1][1] < line[0][1] < line[2][1]


def test_rating_labels_stand_where_a_rating_of_that_number_is_drawn() -> None:
    curve = draw([Point(0, 1500, 0), Point(1, 1600, 0)])
    line = coordinates(curve.line)
    labelled = {label.text: label.at for label in curve.ratings}
    assert labelled["1500"] == line[0][1]
    assert labelled["1600"] == line[1][1]


def test_start_alone_is_a_curve() -> None:
    curve = draw([Point(0, 1500, 150)])
    assert len(coordinates(curve.line)) == 1
    assert curve.ratings


def test_long_history_is_thinned_but_ends_where_the_player_stands() -> None:
    points = [Point(n, 1500 + n % 7, 40) for n in range(5_001)]
    line = coordinates(draw(points).line)
    assert len(line) <= MOST_POINTS + 1
    assert line[-1][0] == WIDTH - RIGHT


def test_labels_are_few_and_evenly_spaced() -> None:
    for last in (1, 3, 12, 97, 4_000):
        games = [int(label.text) for label in draw([Point(0, 1500, 9), Point(last, 1500, 9)]).games]
        assert 2 <= len(games) <= 8
        assert len({after - before for before, after in itertools.pairwise(games)}) == 1
