"""Bugs on Rugs drawn for a terminal of 80 columns: Floor, Wall and hands; at the end the score sheet.

One observation is what that seat saw; the observations of all seats together are the whole table, open.
"""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.deck import RUGS, TYPES
from arena.games.bugs_on_rugs.rules_codes import MOSQUITO, rug_of, type_of
from arena.games.bugs_on_rugs.rules_views import Observation
from arena.games.bugs_on_rugs.words import acting, group_text, until_end

NAME = 18  # columns for a seat's name with its mark
WIDE = 62  # columns for the bugs of the Floor or the Wall
SEATS = ("bright_red", "bright_cyan", "bright_green", "bright_magenta", "bright_yellow")
GROUND = ("grey70", "red", "dark_orange", "green", "dodger_blue1", "medium_purple", "gold3", "pink3")  # by rug
ALL = {
    codes.PHASE_PASS_RIGHT: "Fly: all pass a bug to the right",
    codes.PHASE_PASS_LEFT: "Beetle: all pass a bug to the left",
    codes.PHASE_GROUP: "all group their Mosquitos",
    codes.PHASE_BREAK: "pairs may be broken",
    codes.PHASE_OVER: "the match is over",
}
ONE = {
    codes.PHASE_PICK: ("", "takes a bug"),
    codes.PHASE_HATCH: ("", "may hatch Larva"),
    codes.PHASE_SHOW: ("Butterfly: ", "shows a bug"),
    codes.PHASE_LAY: ("Firefly: ", "places a bug"),
    codes.PHASE_HANG: ("Spider: ", "places a bug"),
    codes.PHASE_OFFER: ("Mosquito: ", "swaps a bug"),
    codes.PHASE_SWAP: ("Mosquito: ", "swaps a bug"),
}


def draw(observations: Sequence[Observation], names: Sequence[str]) -> RenderableType:
    """The table as these seats see it together; names go by seat."""
    view = observations[0]
    middle = _scores(view, names) if view.phase == codes.PHASE_OVER else _table(view)
    return Group(_headline(view, names), Text(), middle, Text(), _hands(observations, names))


def _headline(view: Observation, names: Sequence[str]) -> Text:
    line = Text(" Bugs on Rugs", style="bold")
    final = ", the final one" if view.round == view.last_round else ""
    line.append(f" · round {view.round}{final} · ", style="not bold")
    if view.phase in ALL:
        return line.append(ALL[view.phase], style="not bold")
    power, task = ONE[view.phase]
    name = _named(acting(view), names)
    name.truncate(NAME, overflow="ellipsis")
    return line.append(power, style="not bold").append_text(name).append(f" {task}", style="not bold")


def _table(view: Observation) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=6, style="bold")
    grid.add_column(width=WIDE)
    grid.add_row(" Floor", _bugs(sorted(view.floor)))
    grid.add_row(" Wall", _bugs(view.wall))
    grid.add_row(" Deck", _deck(view))
    return grid


def _deck(view: Observation) -> Text:
    line = Text(f"{view.deck_size} bugs, ", style="dim")
    if view.last_round:
        line.append(f"the End card was drawn: round {view.last_round} is the last")
    else:
        line.append(f"the End card below {until_end(view)} of them")
    return line.append(f" · {len(view.discards)} out of the game") if view.discards else line


def _scores(view: Observation, names: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", width=1)
    table.add_column("seat", no_wrap=True, width=NAME)
    for name in TYPES[1:-1]:
        table.add_column(name[:4], justify="right", min_width=4)
    table.add_column("sum", justify="right", min_width=4, style="bold")
    for seat, row in enumerate(view.points):
        numbers = [Text(str(value), style="" if value else "dim") for value in row]
        table.add_row("", _cut(_named(seat, names), NAME), *numbers, str(sum(row)))
    return table


def _hands(observations: Sequence[Observation], names: Sequence[str]) -> Table:
    view = observations[0]
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=1)
    table.add_column(no_wrap=True, width=NAME)
    table.add_column(no_wrap=True, justify="right", width=2)
    table.add_column(width=55)
    for seat in range(view.seats):
        own = next((one for one in observations if one.seat == seat), None)
        acts = Text("▶" if _acts(seat, view) else " ", style=SEATS[seat])
        table.add_row(acts, _who(seat, view, names), str(view.hand_sizes[seat]), _hand(seat, view, own))
    return table


def _acts(seat: int, view: Observation) -> bool:
    if view.phase == codes.PHASE_BREAK:
        return view.groups[seat] >> 12 > 0
    return view.phase != codes.PHASE_OVER and acting(view) in (-1, seat)


def _named(seat: int, names: Sequence[str]) -> Text:
    return Text(f"{seat + 1} {names[seat]}", style=f"bold {SEATS[seat]}")


def _who(seat: int, view: Observation, names: Sequence[str]) -> Text:
    """The name, cut so that the start marker always shows."""
    mark = " start" * (view.start == seat)
    return _cut(_named(seat, names), NAME - len(mark)).append(mark, style="not bold italic yellow")


def _cut(name: Text, width: int) -> Text:
    name.truncate(width, overflow="ellipsis")
    return name


def _hand(seat: int, view: Observation, own: Observation | None) -> Text:
    """The bugs if these seats know them, else their backs; and what pairs of Mosquitos count as."""
    if view.hands:
        line = _bugs(view.hands[seat])
    elif own:
        line = _bugs(own.hand)
    else:
        line = Text("▒ " * view.hand_sizes[seat], style="dim")
    groups = (own or view).groups
    if groups and groups[seat]:
        line.append(f" pairs: {group_text(groups[seat])}", style="italic")
    if view.offered and acting(view) == seat:
        line.append(" offers ", style="italic").append_text(_bug(view.offered))
    return line


def _bugs(bugs: Iterable[int]) -> Text:
    line = Text(" ").join(_bug(bug) for bug in bugs)
    return line or Text("empty", style="dim")


def _bug(bug: int) -> Text:
    """A bug as the initial of its rug and the beginning of its type, on the colour of the rug."""
    if bug == MOSQUITO:
        return Text("Mosq", style=f"black on {GROUND[0]}")
    name = RUGS[rug_of(bug)][0] + TYPES[type_of(bug)][:3]
    return Text(name, style=f"black on {GROUND[rug_of(bug)]}")
