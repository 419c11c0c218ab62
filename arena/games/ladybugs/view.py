"""Ladybugs drawn for a terminal of 80 columns: the board in colours, and beside it a few lines for every player.

One observation is what that seat saw; the observations of all seats together are the whole table, open.
"""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.games.ladybugs.actions import LETTERS
from arena.games.ladybugs.rules_codes import (
    GRASSHOPPER,
    NOWHERE,
    PHASE_BEGIN,
    PHASE_OVER,
    PHASE_PLAY,
    PHASES,
    RHINOCEROS,
    STAG,
    START,
)
from arena.games.ladybugs.rules_scoring import bed_dots, points_in_beds
from arena.games.ladybugs.rules_views import Observation

NAME = 24  # columns for a seat's name
COLOURS = ("bright_red", "bright_cyan", "bright_magenta", "bright_yellow")
BED = "on grey30"
MEADOW = "on dark_green"
OWNERS = "¹²³⁴"  # beside a tile's dots, for those who see no colours
HEIGHTS = (" ", " ", "'", '"')  # likewise: how many tiles lie on each other
TASKS = {"start": "chooses a start space", "spider": "puts the spider down", "play": "plays a tile"}
TOGETHER = {"begin": "all choose their first tile", "over": "the match is over"}
MARKS = ((STAG, "S"), (GRASSHOPPER, "G"), (RHINOCEROS, "R"), (START, "+"))


def draw(observations: Sequence[Observation], names: Sequence[str]) -> RenderableType:
    """The table as these seats see it together; names go by seat."""
    view = observations[0]
    both = Table.grid(padding=(0, 2, 0, 0))
    both.add_column(no_wrap=True)
    both.add_column(no_wrap=True)
    both.add_row(_board(view), _players(observations, names))
    return Group(_headline(view, names), both)


def _headline(view: Observation, names: Sequence[str]) -> Text:
    line = Text(" Ladybugs", style="bold")
    phase = PHASES[view.phase]
    if view.phase >= PHASE_PLAY:
        line.append(f" · turn {_turn(view)} of 22", style="not bold")
    if phase in TOGETHER:
        return line.append(f" · {TOGETHER[phase]}", style="not bold")
    name = _named(view.current, names)
    name.truncate(NAME, overflow="ellipsis")
    return line.append(" · ").append_text(name).append(f" {TASKS[phase]}", style="not bold")


def _turn(view: Observation) -> int:
    """The current seat's turn: every one shows a tile, after the first one."""
    shown = 24 - len(view.unseen[view.current])
    return min(22, shown) if view.phase == PHASE_PLAY else 22


# The board


def _board(view: Observation) -> Text:
    board = view.board
    lines = [Text("    " + "  ".join(LETTERS[: board.columns]), style="dim")]
    lines += [_row(view, row) for row in range(board.rows)]
    return Text("\n").join(lines)


def _row(view: Observation, row: int) -> Text:
    line = Text(f"{row + 1:>2} ", style="dim")
    for column in range(view.board.columns):
        line.append_text(_space(view, row << 4 | column))
    return line


def _space(view: Observation, space: int) -> Text:
    """Three characters: a tile with its height, else what lies or is marked there."""
    ground = BED if view.board.beds[space] else MEADOW
    stack = view.stacks[space]
    if stack:
        high = 1 + (stack >= 32) + (stack >= 1024)
        seat = stack >> 3 & 3
        mark = "*" if view.spider == space else OWNERS[seat]
        return Text(f"{mark}{stack & 7}{HEIGHTS[high]}", style=f"bold black on {COLOURS[seat]}")
    if view.spider == space:
        return Text(" * ", style=f"bold bright_white {ground}")
    if space in view.starts:
        return Text(" o ", style=f"{COLOURS[view.starts.index(space)]} {ground}")
    if _has_clover(view, space):
        return Text(" ♣ ", style=f"bright_green {ground}")
    return Text(" · ", style=f"grey50 {ground}") if ground == BED else Text("   ", style=ground)


def _has_clover(view: Observation, space: int) -> bool:
    mark = view.board.marks[space]
    return mark >= 0 and view.options.lucky_clover and not view.taken[mark]


# The players


def _players(observations: Sequence[Observation], names: Sequence[str]) -> Text:
    view = observations[0]
    points = _points(view)
    lines = [line for seat in range(view.seats) for line in _player(seat, observations, names, points[seat])]
    return Text("\n").join([*lines, *_legend(view)])


def _player(seat: int, observations: Sequence[Observation], names: Sequence[str], points: int) -> list[Text]:
    view = observations[0]
    own = next((one for one in observations if one.seat == seat), None)
    name = _named(seat, names)
    name.truncate(NAME, overflow="ellipsis")
    first = Text("▶ " if _acts(seat, view) else "  ", style=COLOURS[seat]).append_text(name)
    second = Text("    hand ").append_text(_hand(seat, view, own)).append(f" +{view.supply[seat]}", style="dim")
    if view.out >> seat & 1:
        second.append(" out", style="bold red")
    third = Text("    points ").append(str(view.points[seat] if view.points else points), style="bold")
    left = "".join(mark for bit, mark in MARKS if view.unused[seat] & bit)
    third.append(f"  {left}" if left else "", style="yellow").append_text(_clovers(seat, view, own))
    return [first, second, third]


def _acts(seat: int, view: Observation) -> bool:
    return view.phase == PHASE_BEGIN or (view.phase < PHASE_OVER and seat == view.current)


def _named(seat: int, names: Sequence[str]) -> Text:
    return Text(f"{seat + 1} {names[seat]}", style=f"bold {COLOURS[seat]}")


def _hand(seat: int, view: Observation, own: Observation | None) -> Text:
    held = view.drawn[seat] - 24 + len(view.unseen[seat])
    tiles = [str(dots) for dots in own.hand] if own else ["▒"] * held
    return Text(" ".join(tiles) or "-", style="bold" if own else "dim")


def _clovers(seat: int, view: Observation, own: Observation | None) -> Text:
    """The clovers of a seat, with the values that these seats know."""
    line = Text()
    for mark, taker in enumerate(view.taken):
        if taker == seat + 1:
            value = (own or view).values[mark]
            line.append(f" ♣{value - 1 if value else '?'}", style="bright_green")
    return line


def _points(view: Observation) -> list[int]:
    """What the beds would give if they were counted now."""
    tops: list[list[int]] = [[] for _ in range(view.seats)]
    for space, stack in enumerate(view.stacks):
        if stack:
            tops[stack >> 3 & 3].append(space)
    dots = bed_dots(view.board, tops, view.stacks)
    return [points_in_beds(view.board, dots, seat) for seat in range(view.seats)]


def _legend(view: Observation) -> list[Text]:
    """What the signs mean, as far as they can occur."""
    parts = ["+ extra start tile", "' \" two, three tiles"]
    if view.options.spider and (view.spider != NOWHERE or view.phase < PHASE_OVER):
        parts.append("* spider")
    if view.options.action_tiles:
        parts.append("S G R unused tiles")
    return [Text("  " + part, style="dim") for part in parts]
