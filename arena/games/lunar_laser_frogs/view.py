"""Lunar Laser Frogs drawn for a terminal of 80 columns: dice, pile, the turn before, and a row for every seat.

One observation is what that seat saw; the observations of all seats together are the whole table, open.
"""

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.engine.packed import numbers_of
from arena.games.lunar_laser_frogs.rules_codes import GREY, LAST_WINDOW, PHASE_NAME, PHASE_OVER, PHASE_THROW
from arena.games.lunar_laser_frogs.rules_dice import THE_DICE, missing_colours, values
from arena.games.lunar_laser_frogs.rules_views import Card, Observation
from arena.games.lunar_laser_frogs.words import CARDS, WINDOWS

NAME = 26  # columns for a seat's name
FACE = 8  # columns of a die
BACK = 0  # the style of a card that nobody who watches may see
STYLES = (
    "dim",
    "white on blue",
    "black on bright_magenta",
    "black on bright_yellow",
    "black on white",
    "white on grey30",
)
INK = ("blue", "bright_magenta", "bright_yellow")  # by colour, where a die is not rolled yet
SEATS = ("cyan", "green", "magenta", "yellow", "blue", "red", "bright_cyan", "bright_green")


def draw(observations: Sequence[Observation], names: Sequence[str]) -> RenderableType:
    """The table as these seats see it together; names go by seat."""
    view = next((one for one in observations if one.seat != one.roller), observations[0])  # a roller may see no order
    parts = [_headline(view, names), Text(), *_last(view)]
    if view.phase != PHASE_OVER:
        parts += [_dice(" Dice   ", view.faces), _worth(view), _pile(view, observations)]
    return Group(*parts, Text(), _seats(view, observations, names))


def _headline(view: Observation, names: Sequence[str]) -> Text:
    line = Text(" Lunar Laser Frogs", style="bold")
    if view.phase == PHASE_OVER:
        return line.append(" · the match is over", style="not bold")
    whole = view.options.turns_each(view.seats) * view.seats
    turn = f"turn {view.turn + 1} of {whole}" if view.turn < whole else f"extra turn {view.turn - whole + 1}"
    line.append(f" · {turn} · ", style="not bold")
    name = _named(view.roller, names)
    name.truncate(18, overflow="ellipsis")
    return line.append_text(name).append(f" {_task(view)}", style="not bold")


def _task(view: Observation) -> str:
    if view.phase == PHASE_THROW:
        return f"rolls · throw {WINDOWS[view.window]}"
    return "names a seat" if view.phase == PHASE_NAME else f"chooses dice for roll {view.window + 1}"


# Dice


def _dice(title: str, faces: Sequence[int]) -> Text:
    """The dice side by side, with the colours that they show by themselves."""
    line = Text(title, style="bold")
    for die, face in enumerate(faces):
        line.append_text(_face(face - 1) if face else _waiting_die(die)).append(" ")
    return line


def _face(colours: int) -> Text:
    """A die that shows these colours."""
    shown = [card for card in (1, 2, 3) if colours >> (card - 1) & 1]
    if not shown:
        return Text("blank".center(FACE), style=f"not bold {STYLES[4]}")
    width = FACE // len(shown)
    face = Text(style="not bold")
    for card in shown:
        face.append(CARDS[card][:width].center(width), style=STYLES[card])
    return face.append(" " * (FACE - len(face)))


def _waiting_die(die: int) -> Text:
    """A die that is not rolled yet: the colours that tell its kind."""
    combined = max(THE_DICE.sides[THE_DICE.kinds[die]], key=int.bit_count)
    face = Text(" ", style="not bold dim")
    for card in (1, 2, 3):
        if combined >> (card - 1) & 1:
            face.append(f"{CARDS[card][:2]} ", style=INK[card - 1])
    return face.append(" " * (FACE - len(face)))


def _worth(view: Observation) -> Text:
    """What the first card of each kind is worth, once all dice lie."""
    line = Text(" Worth  ", style="bold")
    if view.window < LAST_WINDOW:
        return line.append("open until roll 3", style="dim not bold")
    missing = missing_colours(view.face_row)
    parts = []
    for card, worth in list(enumerate(numbers_of(values(view.face_row), GREY)))[1:]:
        laser = " laser" if card < 4 and missing >> (card - 1) & 1 else ""
        parts.append(f"{CARDS[card]} {worth}{laser}")
    return line.append(" · ".join(parts), style="not bold")


# Cards


def _pile(view: Observation, observations: Sequence[Observation]) -> Text:
    """The cards in the order in which they landed, a bar between two windows."""
    cards = view.pile.listed()
    order = "by seat " if view.seat == view.roller and not view.options.roller_sees_order and cards else ""
    line = Text(" Pile   ", style="bold").append(order, style="dim not bold")
    known = {one.seat: [card.card for card in one.pile.listed() if card.seat == one.seat] for one in observations}
    before = cards[0].window if cards else 0
    for card in cards:
        line.append("│ " * (card.window > before), style="dim not bold")
        before = card.window
        own = known.get(card.seat)
        line.append_text(_card(card, own.pop(0) if own else BACK)).append(" ")
    return line if cards else line.append("empty", style="dim not bold")


def _card(card: Card, kind: int) -> Text:
    face = CARDS[kind][:4] if kind else "▒▒▒▒"
    return Text(f"{card.seat + 1} ", style=f"not bold {SEATS[card.seat]}").append(face, style=STYLES[kind])


def _last(view: Observation) -> list[RenderableType]:
    """The turn before this one: its dice, its cards with their points, whom the roller named."""
    if view.last_roller < 0:
        return []
    line = Text(" " * 8)
    for card, points in zip(view.last_pile.listed(), view.last_points, strict=True):
        line.append_text(_card(card, card.card)).append(f" {points} ", style="bold" if points else "dim")
    return [_dice(" Before ", view.last_faces), line, Text()]


# Seats


def _seats(view: Observation, observations: Sequence[Observation], names: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", width=1)
    table.add_column("seat", no_wrap=True, width=NAME)
    table.add_column("this turn", no_wrap=True, width=16)
    table.add_column("turn before", no_wrap=True, width=16)
    table.add_column("pts", no_wrap=True, justify="right", min_width=4)
    for seat in range(view.seats):
        table.add_row(*_seat(seat, view, observations, names))
    return table


def _seat(
    seat: int, view: Observation, observations: Sequence[Observation], names: Sequence[str]
) -> list[RenderableType]:
    name = _named(seat, names)
    you = " you" if [one.seat for one in observations] == [seat] else ""
    name.truncate(NAME - len(you), overflow="ellipsis")
    name.append(you, style="not bold italic yellow")
    acting = Text("▶" if _acts(seat, view) else " ", style=SEATS[seat])
    return [acting, name, Text(_doing(seat, view)), Text(_did(seat, view)), Text(str(view.points[seat]))]


def _acts(seat: int, view: Observation) -> bool:
    if view.phase == PHASE_THROW:
        return view.owed[seat] > 0
    return seat == view.roller and view.phase != PHASE_OVER


def _doing(seat: int, view: Observation) -> str:
    if view.phase == PHASE_OVER:
        return ""
    if seat == view.roller:
        return "rolls"
    owed = view.owed[seat]
    return f"owes {owed} card{'s'[: owed - 1]}" if owed else "has thrown"


def _did(seat: int, view: Observation) -> str:
    """What the seat got in the turn before this one."""
    if view.last_roller < 0:
        return ""
    got = [0] * view.seats
    for card, points in zip(view.last_pile.listed(), view.last_points, strict=True):
        got[card.seat] += points
    if seat == view.last_roller:
        return f"+{got[view.last_named]} copied from {view.last_named + 1}"
    return f"+{got[seat]}"


def _named(seat: int, names: Sequence[str]) -> Text:
    return Text(f"{seat + 1} {names[seat]}", style=f"bold {SEATS[seat]}")
