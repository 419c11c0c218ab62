"""How Ladybugs is counted: dots in each flower bed, and the points for first and second place (L18, L19)."""

from mypy_extensions import i64

from arena.games.ladybugs.rules_board import Board


def bed_dots(board: Board, tops: list[list[int]], stacks: list[int]) -> list[int]:
    """The dots in view, four numbers for each bed: those of seat 1, seat 2, ...; bed 0 is all meadows."""
    dots = [0] * (4 * len(board.sizes))
    beds = board.beds
    seat: i64 = 0
    for spaces in tops:
        for space in spaces:
            at: i64 = space
            bed: i64 = beds[at]
            tile: i64 = stacks[at]
            place: i64 = (bed << 2) + seat
            before: i64 = dots[place]
            dots[place] = before + (tile & 7)
        seat += 1  # noqa: SIM113 - enumerate would make objects
    return dots


def bed_points(board: Board, dots: list[int], bed: i64, seat: i64) -> i64:
    """What a seat gets for a bed: all its spaces for the most dots, half for the next (L18); with two seats no half."""
    own: i64 = dots[(bed << 2) + seat]
    if not own:
        return 0
    best: i64 = own
    between: i64 = 0  # a number of dots that is more than the own one and less than the best
    other: i64 = 0
    while other < 4:
        total: i64 = dots[(bed << 2) + other]
        if total > best:
            if best > own:
                between = best
            best = total
        elif own < total < best:
            between = total
        other += 1
    size: i64 = board.sizes[bed]
    if own == best:
        return size
    return 0 if between or board.seats == 2 else size >> 1


def points_in_beds(board: Board, dots: list[int], seat: i64) -> i64:
    """What a seat gets for all beds."""
    points: i64 = 0
    bed: i64 = 1
    beds: i64 = len(board.sizes)
    while bed < beds:
        if dots[(bed << 2) + seat]:
            points += bed_points(board, dots, bed, seat)
        bed += 1
    return points


def all_dots(dots: list[int], seat: i64) -> i64:
    """All dots of a seat that are in view."""
    total: i64 = 0
    place: i64 = seat
    while place < len(dots):
        more: i64 = dots[place]
        total += more
        place += 4
    return total
