"""What a way to bring packages is, and how it reads what a bot says of them.

A bot's own files decide what is brought and nothing else: they are read strictly, and what the tool gets to see is
written anew or copied by name, so that no setting of a stranger reaches it.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.bots import BotError

MOST_BYTES: Final = 4 << 20  # of one file that names packages


@dataclass(frozen=True)
class Fetcher:
    """One tool that brings the packages that a bot's lock file names, and runs no code of them."""

    packages: str  # what it brings, in words: "crates"
    tool: str  # the program that must be there
    package: str  # what to install, if it is not
    lay_out: Callable[[Path, Path], None]  # from a bot's folder into an empty one; BotError for what is not strict
    command: Callable[[Path], list[str]]  # in that folder
    environment: Mapping[str, str]  # {home} is a private folder
    tidy: Callable[[Path], int]  # takes from what was brought what belongs to this machine; how many packages it is
    also: tuple[str, ...] = ()  # further files that it makes
    reads_sources: bool = False  # whether what it brings depends on the bot's sources too
    kept: str = ""  # the folder of its private home in which it finds its own parts again next time


def read_text(bot: Path, name: str, why: str) -> str:
    """A file of the bot, as text of a bounded size."""
    path = bot / name
    try:
        if not path.resolve().is_relative_to(bot.resolve()) or not path.is_file():
            raise BotError(f"expected a file {name} {why}, got none")
        if path.stat().st_size > MOST_BYTES:
            raise BotError(f"{name}: expected at most {MOST_BYTES >> 20} MB, got more")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BotError(f"{name}: expected text that can be read, got: {error}") from error


def read_toml(bot: Path, name: str, why: str) -> dict[str, Any]:
    """A TOML file of the bot."""
    try:
        return tomllib.loads(read_text(bot, name, why))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BotError(f"{name}: expected TOML, got an error: {error}") from error


def read_json(bot: Path, name: str, why: str) -> dict[str, Any]:
    """A JSON file of the bot that holds an object."""
    try:
        value = json.loads(read_text(bot, name, why))
    except (ValueError, RecursionError) as error:
        raise BotError(f"{name}: expected JSON, got an error: {error}") from error
    return table(name, "the file", value)


def table(name: str, what: str, value: object) -> dict[str, Any]:
    """What must be a table."""
    if not isinstance(value, dict):
        raise BotError(f"{name}: expected {what} to be a table, got {shown(value)}")
    return value


def tables(name: str, what: str, value: object) -> Iterator[dict[str, Any]]:
    """What must be a list of tables."""
    if not isinstance(value, list):
        raise BotError(f"{name}: expected {what} to be a list, got {shown(value)}")
    for entry in value:
        yield table(name, f"each of {what}", entry)


def shown(value: object) -> str:
    """A stranger's value in a sentence."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
