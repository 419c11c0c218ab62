"""Lucky Numbers drawn for a terminal of 80 columns: the tiles in the middle, and the gardens side by side.

Everything lies open, so all seats see the same table; a single seat's picture says which garden is its own.
"""

from collections import Counter
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.games.lucky_numbers.rules_codes import PHASE_ARRANGE, PHASE_LAY, PHASE_OVER, PHASE_PLACE
from arena.games.lucky_numbers.rules_views import Observation

WIDTH = 17  # columns of a garden
COLOURS = ("bright_red", "bright_cyan", "bright_green", "bright_magenta")  # by seat
BANDS = ("bright_yellow", "bright_green", "bright_cyan", "bright_magenta")  # tiles by fives, from low to high


def draw(observations: Sequence[Observation], names: Sequence[str]) -> RenderableType:
    """The table as these seats see it together; names go by seat."""
    view = observations[0]
    own = view.seat if len(observations) == 1 else -1
    gardens = Table.grid(padding=(0, 2, 0, 1))
    for _ in range(view.seats):
        gardens.add_column(width=WIDTH, no_wrap=True)
    gardens.add_row(*(_garden(view, seat, names, own) for seat in range(view.seats)))
    return Group(_headline(view, names), Text(), *_middle(view), Text(), gardens)


def _headline(view: Observation, names: Sequence[str]) -> Text:
    line = Text(" Lucky Numbers", style="bold")
    if view.options.tournament:
        line.append(f" · game {view.game + 1} of {view.seats}", style="not bold")
    if view.phase == PHASE_OVER:
        return line.append(" · the match is over", style="not bold")
    if view.phase == PHASE_ARRANGE:
        return line.append(" · all lay out their lowest tile", style="not bold")
    line.append(" · ", style="not bold").append_text(_named(view.turn, names, 16))
    if view.phase not in (PHASE_LAY, PHASE_PLACE):
        return line.append(" draws or takes a tile", style="not bold")
    return line.append(" drew ", style="not bold").append_text(_tile(view.drawn))


def _middle(view: Observation) -> list[Text]:
    """What lies between the players: face-up tiles, how many face down, what is set aside."""
    face_up = Text(" Face up    ", style="bold")
    for tile, count in sorted(Counter(view.face_up).items()):
        face_up.append_text(_tile(tile)).append(f"x{count} " if count > 1 else " ", style="not bold")
    if not view.face_up:
        face_up.append("none", style="dim not bold")
    face_down = Text(" Face down  ", style="bold").append(str(view.face_down), style="not bold")
    if view.idle:
        face_down.append(f" · idle turns {view.idle} of {view.idle_limit}", style="not bold")
    for number, tile in enumerate(view.set_aside):
        face_down.append(" " if number else " · set aside ", style="not bold").append_text(_tile(tile))
    return [face_up, face_down]


def _garden(view: Observation, seat: int, names: Sequence[str], own: int) -> Text:
    """A seat's name, its four rows, and how it stands."""
    is_acting = view.phase == PHASE_ARRANGE or (seat == view.turn and view.phase != PHASE_OVER)
    lines = [Text("▶" if is_acting else " ", style=COLOURS[seat]).append_text(_named(seat, names, WIDTH - 1))]
    lines.append(Text("   1   2   3   4", style="dim"))
    tiles = view.gardens[seat].tiles()
    for row, letter in enumerate("ABCD"):
        planted = Text(" ").join(_tile(tile) for tile in tiles[4 * row : 4 * row + 4])
        lines.append(Text(f"{letter} ", style="dim").append_text(planted))
    lines.append(Text(f"  {_standing(view, seat)}"))
    if view.open:
        lines.append(Text("  ") + Text(" ").join(_tile(tile) for tile in view.open[seat]))
    marks = ["starts"] * (seat == view.start) + ["you"] * (seat == own)
    lines.append(Text("  " + ", ".join(marks), style="italic yellow"))
    return Text("\n").join(lines)


def _standing(view: Observation, seat: int) -> str:
    empty = view.gardens[seat].empty
    left = f"{empty} empty" if empty else "full"
    counts = view.options.tournament or view.phase == PHASE_OVER
    return f"{left} · {view.totals[seat]:+}" if counts else left


def _named(seat: int, names: Sequence[str], width: int) -> Text:
    name = Text(f"{seat + 1} {names[seat]}", style=f"bold {COLOURS[seat]}")
    name.truncate(width, overflow="ellipsis")
    return name


def _tile(tile: int) -> Text:
    """A tile of three characters, coloured by its number; 0 is an empty space."""
    return Text(f"{tile:>2} ", style=f"bold black on {BANDS[(tile - 1) // 5]}") if tile else Text(" · ", style="dim")
