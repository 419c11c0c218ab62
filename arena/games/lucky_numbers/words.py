"""Lucky Numbers in words, for terminals, logs and language models: observations, actions and events."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from arena.games.lucky_numbers.rules_codes import (
    EVENT_GAME,
    EVENT_LOST,
    PHASE_ARRANGE,
    PHASE_LAY,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_TURN,
    Discard,
    Draw,
    Lay,
    Place,
    Take,
    decoded,
    event_parts,
)

if TYPE_CHECKING:  # the rules speak through this module, so it cannot wait for them
    from arena.games.lucky_numbers.rules_garden import Garden
    from arena.games.lucky_numbers.rules_views import Observation

EVENTS: Final = (  # by kind
    "",
    "game {tile} begins",
    "{who} is the start player",
    "{who} got {tile} for the diagonal",
    "{who} set {tile} aside for its equal on the diagonal",
    "{who} laid {tile} on {where}",
    "the tiles set aside were shuffled back",
    "{who} drew {tile}",
    "{who} placed {tile} on {where}{exchange}",
    "{who} left {tile} face up",
    "{who} took {tile} to {where}{exchange}",
    "{who} has filled the garden",
    "the last face-down tile is played",
    "nobody drew or filled a space for too long",
    "{who} won {tile} points",
    "{who} lost {tile} {points}",
)

TASKS: Final = {
    PHASE_ARRANGE: "every seat lays out its lowest open tile on the diagonal",
    PHASE_LAY: "lay {drawn} on the diagonal",
    PHASE_TURN: "draw a tile, or to take one that lies face up",
    PHASE_PLACE: "place {drawn}, or to leave it face up",
    PHASE_OVER: "the match is over",
}


def action_text(code: int) -> str:
    """An action in words."""
    match decoded(code):
        case Draw():
            return "draw a tile"
        case Discard():
            return "leave the tile face up"
        case Place(row, column):
            return f"place the tile on {place(4 * row + column)}"
        case Take(tile, row, column):
            return f"take {tile} to {place(4 * row + column)}"
        case Lay(row):
            return f"lay the tile on {place(5 * row)}"


def event_text(code: int) -> str:
    """An event in words."""
    kind, seat, tile, space, exchanged = event_parts(code)
    if not EVENT_GAME <= kind <= EVENT_LOST:
        raise ValueError(f"lucky-numbers: expected the code of an event, got {code}")
    exchange = f" for {exchanged}" if exchanged else ""
    points = "point" if tile == 1 else "points"
    who = f"seat {seat + 1}"
    return EVENTS[kind].format(who=who, tile=tile, where=place(space), exchange=exchange, points=points)


def place(space: int) -> str:
    """A space as people name it: rows are A to D from the top, columns 1 to 4 from the left."""
    return f"{'ABCD'[space // 4]}{space % 4 + 1}"


def observation_text(view: "Observation") -> str:
    """An observation in words, one fact a line."""
    return "\n".join([_heading(view), _seats(view), *_middle(view), *_gardens(view)])


def _heading(view: "Observation") -> str:
    games = f", game {view.game + 1} of {view.seats}" if view.options.tournament else ""
    task = TASKS[view.phase].format(drawn=view.drawn)
    if view.phase not in (PHASE_ARRANGE, PHASE_OVER):
        task = f"it is for {_who(view, view.turn)} to {task}"
    return f"Lucky Numbers{games}: {task}."


def _seats(view: "Observation") -> str:
    spaces = "Rows are A to D from the top, columns 1 to 4 from the left"
    return f"You are seat {view.seat + 1} of {view.seats}. The start player is {_who(view, view.start)}. {spaces}."


def _middle(view: "Observation") -> list[str]:
    lines = [f"Face up in the middle: {_listed(view.face_up)}. Face down: {view.face_down}."]
    if view.set_aside:
        lines.append(f"Set aside: {_listed(view.set_aside)}.")
    if view.idle:
        lines.append(f"Turns without a draw or a newly filled space: {view.idle}; {view.idle_limit} end the game.")
    return lines


def _gardens(view: "Observation") -> list[str]:
    lines: list[str] = []
    for seat, garden in enumerate(view.gardens):
        whose = "Your garden" if seat == view.seat else f"Garden of seat {seat + 1}"
        facts = [f"{garden.empty} empty"]
        if view.open:
            facts.append(f"still to be laid out {_listed(view.open[seat])}")
        if view.phase == PHASE_OVER:
            facts.append(f"{view.totals[seat]} points in all")
        elif view.options.tournament:
            facts.append(f"{view.totals[seat]} points in earlier games")
        lines.append(f"{whose} ({'; '.join(facts)}) {_rows(garden)}.")
    return lines


def _rows(garden: "Garden") -> str:
    """The four rows, a dash for an empty space."""
    tiles = [str(tile) if tile else "-" for tile in garden.tiles()]
    return " / ".join(f"{'ABCD'[row]}: {' '.join(tiles[4 * row : 4 * row + 4])}" for row in range(4))


def _who(view: "Observation", seat: int) -> str:
    return "you" if seat == view.seat else f"seat {seat + 1}"


def _listed(tiles: Sequence[int]) -> str:
    return ", ".join(str(tile) for tile in tiles) or "none"


def ending_remark(*, stalled: bool) -> str:
    """Why a game ended although no garden was full."""
    if stalled:
        return "The game ended because nobody drew a tile or filled a space for too long."
    return "The last face-down tile was played before a garden was full."
