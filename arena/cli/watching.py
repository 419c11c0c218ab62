"""Shows a recorded match: pictures with the words between them, or all of it as data."""

import contextlib
import importlib
import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from arena import games
from arena.cli import faults, screen, story
from arena.cli.story import Scene
from arena.errors import UserError
from arena.match import MatchResult
from arena.record import Moment

ESCAPE = b"\x1b"
BACK = (b"b", b"\x7f", b"\x1b[D")  # backspace and the left arrow as well
ROOMY = 40  # lines of a terminal that can show the choices of all seats at once
QUIT = (b"q", ESCAPE, b"\x04", b"")  # the last two: Ctrl-D, and a terminal that is gone


def viewer(result: MatchResult, number: int | None) -> int | None:
    """The seat with this number, counted from 1; none stands for everybody."""
    seats = len(result.spec.entrants)
    if number is not None and number > seats:
        raise UserError(f"--seat: expected 1 to {seats}, got {number}")
    return None if number is None else number - 1


# For people


def watch(result: MatchResult, seat: int | None) -> None:
    """Show all scenes: at the user's pace in a terminal, else one after the other."""
    console, scenes = screen.out(), list(story.scenes(result, seat))
    if console.is_terminal and sys.stdin.isatty():
        _step(console, result, scenes)
        return
    for scene in scenes:
        _show(console, result, scene)
        console.print()


def _step(console: Console, result: MatchResult, scenes: Sequence[Scene]) -> None:
    at = 0
    with _keys() as next_key:
        while at < len(scenes):
            console.clear()
            _show(console, result, scenes[at])
            footer = f"\n{at + 1} of {len(scenes)} · Enter: on · b: back · q: quit"
            console.print(footer, style="dim", end="")
            key = next_key()
            if key in QUIT:
                break
            at = max(0, at - 1) if key in BACK else at + 1
    console.print()


@contextlib.contextmanager
def _keys() -> Iterator[Callable[[], bytes]]:
    """A way to read single keys; the terminal is as it was afterwards, and no key typed ahead is lost."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield lambda: _key(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _key(terminal: int) -> bytes:
    key = os.read(terminal, 1)
    if key == ESCAPE and select.select([terminal], [], [], 0)[0]:
        key += os.read(terminal, 2)  # an arrow is three bytes
    return key


def _show(console: Console, result: MatchResult, scene: Scene) -> None:
    moment = scene.moment
    if scene.news:
        console.print(story.news(scene))
        console.print()
    console.print(story.picture(result, scene))
    console.print()
    acting = [seat for seat in moment.acting if seat in scene.seats]
    for seat in acting:
        console.print(story.decision(result, moment, seat))
        if len(acting) == 1 or not console.is_terminal or console.height >= ROOMY:
            console.print(story.choices(result, moment, seat))
    for line in [] if moment.acting else outcome(result):
        console.print(line)


def outcome(result: MatchResult) -> list[Text]:
    """The places, best first, what the game remarks, and what went wrong."""
    order = sorted(range(len(result.places)), key=lambda seat: (result.places[seat], seat))
    lines = [
        Text(f"place {result.places[seat]}: {story.name(result, seat)} with {result.scores[seat]} points", style="bold")
        for seat in order
    ]
    remarks = [Text(screen.clean(remark)) for remark in result.remarks]
    return [*lines, *remarks, *(faults.explained(result, fault) for fault in result.faults)]


# For scripts


def print_lines(result: MatchResult, seat: int | None) -> None:
    """One JSON object for each moment, and one for the end with the outcome."""
    for scene in story.scenes(result, seat):
        screen.print_json(_plain(result, scene, is_open=seat is None))


def _plain(result: MatchResult, scene: Scene, *, is_open: bool) -> dict[str, object]:
    """A moment as data; what a single seat could not see is left out."""
    moment, seats = scene.moment, scene.seats
    acting = [seat for seat in moment.acting if seat in seats]
    decided = {str(seat): moment.decided[seat] for seat in acting}
    observations = {str(seat): _observation(result, scene, seat) for seat in seats}
    legal = {str(seat): _legal(result, moment, seat, observations[str(seat)]) for seat in acting}
    plain: dict[str, object] = {
        "match": result.spec.match_id,
        "moment": moment.number,
        "acting": list(moment.acting),
        "legal": legal,
        "actions": {seat: _chosen(legal[seat], one.action) for seat, one in decided.items()},
        "micros": {seat: one.micros for seat, one in decided.items()},
        "substitute": {seat: one.substitute for seat, one in decided.items()},
        "bank_micros": {str(seat): moment.banks[seat] for seat in seats},
        "news": list(scene.news),
        "observations": observations,
    }
    if is_open:
        plain["state"] = moment.state.dump()
    if not moment.acting:
        plain["outcome"] = {"places": result.places, "scores": result.scores, "remarks": result.remarks}
    return plain


def _legal(result: MatchResult, moment: Moment, seat: int, seen: dict[str, Any]) -> list[dict[str, object]]:
    """What a seat could do: the engine's code, the words, and the typed value as the bot was sent it."""
    text = games.load(result.spec.game).action_text
    pairs = zip(moment.legal[seat], seen["legal_actions"], strict=True)
    return [{"code": code, "text": text(code), "action": typed} for code, typed in pairs]


def _chosen(legal: list[dict[str, object]], code: int) -> dict[str, object]:
    return next(one for one in legal if one["code"] == code)


def _observation(result: MatchResult, scene: Scene, seat: int) -> dict[str, Any]:
    """An observation with the fields of the game's proto, and what happened since the moment before."""
    package = games.package(result.spec.game)
    codec = games.codec(result.spec.game)
    data = codec.encode_observation(
        scene.moment.state.observe(seat), scene.moment.legal.get(seat, []), scene.events[seat]
    )
    messages = importlib.import_module(f"arena.games.{package}.v1.{package}_pb2")
    return _fields(messages.Observation.FromString(data))


def _fields(message: Any) -> dict[str, Any]:
    """Every field of a message, zeros included, by the names of the proto."""
    return {field.name: _value(field, getattr(message, field.name)) for field in message.DESCRIPTOR.fields}


def _value(field: Any, value: Any) -> object:
    if hasattr(value, "DESCRIPTOR"):
        return _fields(value)
    if isinstance(value, str | int | float | bool):
        return field.enum_type.values_by_number[value].name if field.enum_type else value
    return [_value(field, one) for one in value]
