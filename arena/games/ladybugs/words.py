"""Ladybugs in words, for terminals, logs and language models: observations, actions and events."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from arena.games.ladybugs.actions import decoded, means, space_name
from arena.games.ladybugs.rules_codes import (
    BEGIN,
    CHOOSE_START,
    EVENT_CLOVER,
    EVENT_DREW,
    EVENT_FIRST,
    EVENT_SCORED,
    EVENT_SQUARE,
    MOVE_SPIDER,
    NOWHERE,
    PHASE_BEGIN,
    PHASE_OVER,
    PLACE,
    RESIGN,
    SET_SPIDER,
    START,
)

if TYPE_CHECKING:  # the rules speak through this module, so it cannot wait for them
    from arena.games.ladybugs.rules_views import Observation

ACTIONS: Final = {
    CHOOSE_START: "start on {space}",
    SET_SPIDER: "put the spider on {space}",
    BEGIN: "begin with {dots}",
    PLACE: "place {dots} on {space}{uses}",
    MOVE_SPIDER: "discard {dots} and move the spider to {space}",
    RESIGN: "resign",
}

EVENTS: Final = (  # by kind
    "",
    "{who} is the start player",
    "square {value} is laid, {turns}, as number {number}",
    "{who} starts on {space}",
    "the spider was put on {space}",
    "{who} drew {value}",
    "{who} began with {value} on {space}",
    "{who} placed {value} on {space}{uses}",
    "{who} took the clover on {space}{clover}",
    "{who} discarded {value} and moved the spider to {space}",
    "the spider ate a {value} of {who} on {space}",
    "{who} cannot play and is eliminated",
    "{who} resigned",
    "{who} scored {value} for the flower bed at {space}",
    "{who} scored {value} for unused action tiles",
    "{who} scored {value} for clovers",
    "{who} scored {value} in all",
)

TASKS: Final = (  # by phase
    "",
    "choose a start space",
    "put the spider on its start space",
    "every seat chooses its first tile",
    "play a tile",
    "the match is over",
)

TURNS: Final = ("upright", "turned right", "upside down", "turned left")


def action_text(code: int) -> str:
    """An action in words."""
    decoded(code)  # refuses what means nothing
    return ACTIONS[code >> 16].format(dots=code >> 12 & 7, space=space_name(code >> 4 & 255), uses=_uses(code & 15))


def event_text(code: int) -> str:
    """An event in words."""
    kind, seat, uses, value, space = event_parts(code)
    if not EVENT_FIRST <= kind <= EVENT_SCORED:
        raise ValueError(f"ladybugs: expected the code of an event, got {code}")
    if kind == EVENT_SQUARE:
        return EVENTS[kind].format(value=_face(value), turns=TURNS[value & 3], number=space + 1)
    unseen = kind == EVENT_DREW and value == 0
    return EVENTS[kind].format(
        who=f"seat {seat + 1}",
        value="a tile" if unseen else value,
        space=space_name(space),
        uses=_uses(uses),
        clover=f", worth {value - 1}" if kind == EVENT_CLOVER and value else "",
    )


def event_parts(code: int) -> tuple[int, int, int, int, int]:
    """An event's kind, seat, uses, value and space."""
    return code >> 24, code >> 22 & 3, code >> 18 & 15, code >> 8 & 1023, code & 255


def observation_text(view: "Observation") -> str:
    """An observation in words, one fact a line."""
    lines = [_heading(view), _own(view), *_board(view), *(_player(view, seat) for seat in range(view.seats))]
    return "\n".join(lines)


def remarks(points: list[int], centre: list[int], out: int) -> list[str]:
    """What places and points cannot say: who was eliminated, and where the centre bed decided."""
    said = [f"Seat {seat + 1} was eliminated before the end." for seat in range(len(points)) if out >> seat & 1]
    for total in sorted(set(points), reverse=True):
        tied = [seat for seat in range(len(points)) if points[seat] == total]
        if len({centre[seat] for seat in tied}) > 1:
            dots = ", ".join(f"{centre[seat]} of seat {seat + 1}" for seat in tied)
            said.append(f"With {total} points each, the dots in the centre bed decide: {dots}.")
    return said


def _uses(uses: int) -> str:
    if uses == START:
        return " as the one extra tile on the own start space"
    return f" with {' and '.join(means(uses))}" if uses else ""


def _face(laid: int) -> str:
    """A face by the square's number and the face's: 3b."""
    return f"{(laid >> 3) + 1}{'ab'[laid >> 2 & 1]}"


def _heading(view: "Observation") -> str:
    task = TASKS[view.phase]
    if view.phase not in (PHASE_BEGIN, PHASE_OVER):
        task = f"it is for {_who(view, view.current)} to {task}"
    return f"Ladybugs, {view.board.rows} rows and {view.board.columns} columns: {task}."


def _own(view: "Observation") -> str:
    supply = view.supply[view.seat]
    return f"You are seat {view.seat + 1}. Your hand: {_listed(view.hand)}; {supply} more in your supply."


def _board(view: "Observation") -> list[str]:
    lines = ["Rows from the top, # is flower bed, . is meadow: " + " ".join(_letters(view)) + "."]
    if view.spider != NOWHERE:
        lines.append(f"The spider is on {space_name(view.spider)}.")
    lying = [space for space, taker in zip(view.board.clovers, view.taken, strict=False) if not taker]
    if view.options.lucky_clover:
        lines.append(f"Clovers lie on {_listed(map(space_name, lying))}.")
    return lines


def _letters(view: "Observation") -> list[str]:
    board = view.board
    signs = ["#" if bed else "." for bed in board.beds]
    return ["".join(signs[row << 4 : (row << 4) + board.columns]) for row in range(board.rows)]


def _player(view: "Observation", seat: int) -> str:
    start = view.starts[seat]
    parts = [f"start space {space_name(start)}" if start != NOWHERE else "no start space yet"]
    parts.append(f"tiles from below {_tiles(view, seat)}")
    if view.unused[seat] & START:
        parts.append("may still put one extra tile on the start space")
    if view.options.action_tiles:
        parts.append(f"unused action tiles: {_listed(means(view.unused[seat] & ~START))}")
    if view.options.lucky_clover:
        parts.append(f"clovers: {_clovers(view, seat)}")
    parts.append(f"not yet seen {_listed(view.unseen[seat])}")
    if view.out >> seat & 1:
        parts.append("eliminated")
    if view.points:
        parts.append(f"{view.points[seat]} points")
    return f"{'You' if seat == view.seat else f'Seat {seat + 1}'}: {'; '.join(parts)}."


def _tiles(view: "Observation", seat: int) -> str:
    """The seat's tiles with their spaces; what is covered is in brackets."""
    found, tiles = [], view.tiles  # a list that is made anew each time
    for index, (space, owner, dots) in enumerate(tiles):
        covered = index + 1 < len(tiles) and tiles[index + 1][0] == space
        if owner == seat:
            found.append(f"{space_name(space)}={dots}" if not covered else f"({space_name(space)}={dots})")
    return _listed(found)


def _clovers(view: "Observation", seat: int) -> str:
    values = [value for value, taker in zip(view.values, view.taken, strict=True) if taker == seat + 1]
    return _listed(value - 1 if value else "?" for value in values)


def _who(view: "Observation", seat: int) -> str:
    return "you" if seat == view.seat else f"seat {seat + 1}"


def _listed(values: Iterable[object] | Sequence[object]) -> str:
    return ", ".join(str(value) for value in values) or "none"
