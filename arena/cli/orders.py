"""What several commands read from a command line: options and clocks; UserError for whatever makes no sense."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.bots import Bot
from arena.engine.contract import Game
from arena.engine.options import OptionError, Value
from arena.errors import UserError, unknown
from arena.limits import LEAST, MOST, Limits
from arena.match import TimeControl

MAX_SECONDS = 86_400
FILE_MARK = "@"  # before a file whose content is the option's value
MAX_OPTION_BYTES = 64 << 10


def time_control(allowance: float, bank: float) -> TimeControl:
    """A clock from seconds."""
    if not 0.001 <= allowance <= MAX_SECONDS:
        raise UserError(f"--allowance: expected 0.001 to {MAX_SECONDS} seconds, got {allowance:g}")
    if not 0 <= bank <= MAX_SECONDS:
        raise UserError(f"--bank: expected 0 to {MAX_SECONDS} seconds, got {bank:g}")
    return TimeControl(round(allowance * 1000), round(bank * 1000))


def limits_of(texts: Sequence[str]) -> Limits:
    """What an agent may use, from texts such as memory_mb=256."""
    usual, least, most = Limits().plain(), LEAST.plain(), MOST.plain()
    given: dict[str, int] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise UserError(f"--limit: expected NAME=NUMBER, got {text!r}")
        if name not in usual:
            raise unknown("limit", name, usual)
        if not value.isdecimal() or not least[name] <= int(value) <= most[name]:
            raise UserError(f"--limit {name}: expected {least[name]} to {most[name]}, got {value!r}")
        given[name] = int(value)
    return Limits(**{**usual, **given})


def options_of(game: Game[Any, Any, Any], variant: str, texts: Sequence[str]) -> dict[str, Value]:
    """All options of a game: those of a variant, changed by what was given as name=value."""
    if variant not in game.variants():
        raise unknown(f"variant of {game.name}", variant, game.variants())
    given = game.plain_options(game.variants()[variant]) | dict(map(_pair, texts))
    try:
        return game.plain_options(game.options(given))
    except OptionError as error:
        raise UserError(f"{game.name}: {error}") from None


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UserError(f"--option: expected name=value, got {text!r}")
    return name.strip(), _file_text(value[1:]) if value.startswith(FILE_MARK) else value


def _file_text(name: str) -> str:
    """The content of a file that an option is to carry: the only place where a path turns into options."""
    try:
        text = Path(name).read_bytes()[: MAX_OPTION_BYTES + 1].decode()
    except OSError as error:
        raise UserError(f"--option: cannot read {name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UserError(f"--option: expected a text file, got {name}, which is none") from None
    if len(text) > MAX_OPTION_BYTES:
        raise UserError(f"--option: expected at most {MAX_OPTION_BYTES >> 10} KiB, got more in {name}")
    return text


def check_players(game: Game[Any, Any, Any], bots: Sequence[Bot]) -> None:
    """Refuse bots that do not play the game, and two of one name."""
    for bot in bots:
        if not bot.plays(game.name):
            raise UserError(f"expected bots that play {game.name}, got {bot.name}, which plays {', '.join(bot.games)}")
        if any(other.name == bot.name and other.folder != bot.folder for other in bots):
            raise UserError(f"expected bots with different names, got two that are called {bot.name}")
