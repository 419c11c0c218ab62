"""Party Bugs drawn for a terminal of 80 columns: the dance floor, and a row for every player.

One observation is what that seat saw; the observations of all seats together are the whole table, open.
"""

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.games.party_bugs.codes import KING, PHASE_OVER, PHASES
from arena.games.party_bugs.rules_views import Observation

NAME = 18  # columns for a seat's name with its marks
COLOURS = ("bright_red", "bright_cyan", "bright_green", "bright_magenta", "bright_blue", "bright_yellow")
ASKS = {"hide": "all hide a card", "play": "all play a card", "over": "the match is over"}
MORE = {"pick": "takes a card", "haul": "takes the whole dance floor", "mirror": "may use the mirror card"}


def draw(observations: Sequence[Observation], names: Sequence[str]) -> RenderableType:
    """The table as these seats see it together; names go by seat."""
    view = observations[0]
    return Group(_headline(view, names), Text(), _floor(view), Text(), _players(observations, names))


def _headline(view: Observation, names: Sequence[str]) -> Text:
    line = Text(" Party Bugs", style="bold")
    if view.options.mirror_series:
        line.append(f" · game {view.game + 1} of {view.seats}", style="not bold")
    line.append(f" · round {view.round} of {view.options.final_round}", style="not bold")
    phase = PHASES[view.phase]
    if phase in ASKS:
        return line.append(f" · {ASKS[phase]}", style="not bold")
    line.append(" · ", style="not bold")
    name = _named(view.waiting[0], names)
    name.truncate(NAME, overflow="ellipsis")
    return line.append_text(name).append(f" {MORE[phase]}", style="not bold")


def _floor(view: Observation) -> Text:
    line = Text(" Dance floor  ", style="bold")
    for owner, value in enumerate(view.floor):
        if value:
            line.append_text(_card(value, f"bold black on {COLOURS[owner]}")).append(" ")
    return line if any(view.floor) else line.append("empty", style="dim not bold")


def _players(observations: Sequence[Observation], names: Sequence[str]) -> Table:
    view = observations[0]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", width=1)
    table.add_column("seat", no_wrap=True, width=NAME)
    table.add_column("play", no_wrap=True, justify="center")
    table.add_column("hand+pile", no_wrap=True, min_width=11)
    table.add_column("display", min_width=24)
    table.add_column("pts", no_wrap=True, justify="right", min_width=4)
    if view.options.mirror_series:
        table.add_column("sum", no_wrap=True, justify="right", min_width=3)
    for player in range(len(view.floor)):
        table.add_row(*_player(player, observations, names))
    return table


def _player(player: int, observations: Sequence[Observation], names: Sequence[str]) -> list[RenderableType]:
    view = observations[0]
    own = next((one for one in observations if one.seat == player), None)
    acting = Text("▶" if _acts(player, view) else " ", style=COLOURS[player])
    row: list[RenderableType] = [acting, _who(player, view, names), _played(player, view)]
    row += [_cards(player, view, own), _display(player, view, own), _points(player, view, own)]
    return [*row, _sum(player, view)] if view.options.mirror_series else row


def _acts(player: int, view: Observation) -> bool:
    if PHASES[view.phase] in ("hide", "play"):
        return player < view.seats
    return view.waiting[:1] == [player]


def _named(player: int, names: Sequence[str]) -> Text:
    name = f"{player + 1} {names[player]}" if player < len(names) else "  Paul"
    return Text(name, style=f"bold {COLOURS[player]}")


def _who(player: int, view: Observation, names: Sequence[str]) -> Text:
    """The name, cut so that the marks of the Tied card and the mirror always show."""
    marks = " tied" * (view.tied == player) + " mirror" * (view.mirror == player)
    name = _named(player, names)
    name.truncate(NAME - len(marks), overflow="ellipsis")
    return name.append(marks, style="not bold italic yellow")


def _played(player: int, view: Observation) -> Text:
    value = view.played[player] if player < len(view.played) else 0
    return _card(value, f"black on {COLOURS[player]}") if value else Text()


def _cards(player: int, view: Observation, own: Observation | None) -> Text:
    held = len(view.hand) if player < view.seats else 0
    line = Text()
    for value in own.hand if own else [0] * held:
        line.append_text(_card(value, "" if own else "dim")).append(" ")
    pile = _pile(player, view, held)
    return line.append(f"+{pile}", style="dim") if pile else line


def _pile(player: int, view: Observation, held: int) -> int:
    """Cards that nobody has seen, but for the hand and a hidden card; all hands are of one size."""
    hidden = view.displays[player].hidden and view.phase != PHASE_OVER
    return len(view.unseen[player]) - held - hidden


def _display(player: int, view: Observation, own: Observation | None) -> Text:
    display = view.displays[player]
    line = Text(" ").join(Text(str(value), style="bold") for value in display.values)
    if not display.hidden:
        return line if display.values else Text("empty", style="dim")
    value = _hidden_value(player, view, own)
    return line.append(" " if display.values else "").append(f"({value or '?'})", style="bold yellow")


def _hidden_value(player: int, view: Observation, own: Observation | None) -> int:
    """The hidden card's value, 0 if these seats cannot know it; at the end it lies open."""
    if view.phase == PHASE_OVER:
        return view.points[player] - sum(view.displays[player].values)
    return own.hidden_value if own else 0


def _points(player: int, view: Observation, own: Observation | None) -> Text:
    display = view.displays[player]
    hidden = _hidden_value(player, view, own) if display.hidden else 0
    unknown = "+?" if display.hidden and not hidden else ""
    return Text(f"{sum(display.values) + hidden}{unknown}")


def _sum(player: int, view: Observation) -> Text:
    """Points of the games before this one, and of this one once the match is over."""
    return Text(str(view.totals[player] + (view.points[player] if view.points else 0)))


def _card(value: int, style: str) -> Text:
    """A card of two characters; 0 is its back, and the Party King stands out."""
    if value == 0:
        return Text("▒▒", style=style)
    return Text(f"{value:>2}", style=f"{style} underline" if value == KING else style)
