"""Every folder here is a game: there is no list to edit. A game is known by the name people use, party-bugs."""

import importlib
import pkgutil
from functools import cache
from typing import Any

from arena.engine.contract import Game
from arena.errors import unknown


def package(name: str) -> str:
    """The Python and proto name of a game: party_bugs for party-bugs. The one place that maps them."""
    return name.replace("-", "_")


@cache
def names() -> tuple[str, ...]:
    """The games that are here, in alphabetical order."""
    return tuple(sorted(found.name.replace("_", "-") for found in pkgutil.iter_modules(__path__) if found.ispkg))


@cache
def load(name: str) -> Game[Any, Any, Any]:
    """The game of this name; UserError with the nearest name if there is none."""
    game: Game[Any, Any, Any] = _module(name, "rules").GAME
    return game


@cache
def codec(name: str) -> Any:
    """The game's translation between engine values and wire messages."""
    return _module(name, "codec").CODEC


@cache
def view(name: str) -> Any:
    """The module that draws the game for a terminal."""
    return _module(name, "view")


def _module(name: str, part: str) -> Any:
    if name not in names():
        raise unknown("game", name, names())
    return importlib.import_module(f"{__name__}.{package(name)}.{part}")
