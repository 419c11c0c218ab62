"""Bots as folders: what bot.toml may say, which bots are shipped, and how a user's word finds one.

A bot is known by the hash of its content, so a shipped bot is one whose every byte is as shipped, whatever
its folder is called. Everything that is wrong with a bot folder is said before anything starts.
"""

import hashlib
import os
import re
import shlex
import shutil
import stat
import tempfile
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from arena.errors import UserError, nearest, unknown
from arena.home import Home
from arena.limits import LEAST, MOST, Limits

MANIFEST: Final = "bot.toml"
PYTHON: Final = "python"  # as the first word of a command: the runtime of Python bots
SEARCH_PATH: Final = "/usr/local/bin:/usr/bin:/bin"  # PATH of an agent, in a sandbox and outside alike
MOST_MATCHES: Final = 1024

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_NAMES: Final = "at most 40 letters, digits, '-' and '_', a letter or digit first"
_GAME: Final = re.compile(r"\*|[a-z0-9]+(-[a-z0-9]+)*")
_KEYS: Final = (
    *("name", "version", "games", "run", "protocol", "description", "author", "matches_at_once"),
    *("fetch", "build", "leftovers", "limits", "worlds"),
)
PROTOCOLS: Final = ("grpc", "stdio")
# What can bring a bot's packages, and the folder in which it puts them: arena.submission.fetch
FETCHERS: Final = {"cargo": "vendor", "go": "vendor", "maven": "vendor", "npm": "node_modules", "pip": "vendor"}
BRIDGE: Final = (PYTHON, "-P", "-m", "arena.sdk.bridge", "--")  # -P: no module of the bot's folder gets in its way
WORLDS: Final = (PYTHON, "-P", "-m", "arena.sdk.worlds", "--")
_CACHES: Final = {"__pycache__", ".git", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".DS_Store"}


class BotError(UserError):
    """A bot folder that cannot be used."""


@dataclass(frozen=True)
class Bot:
    """What a user submits: a folder and what its bot.toml says."""

    name: str
    version: int
    games: tuple[str, ...]  # ("*",) is every game
    run: tuple[str, ...]  # the command, started in the folder; first word `python`: the bots' own runtime
    description: str
    author: str
    matches_at_once: int  # how many matches one process plays at a time
    folder: Path
    sha256: str  # of the content: relative paths and bytes, without caches
    shipped: bool = False  # came with arena, byte for byte
    limits: Mapping[str, int] = field(default_factory=dict, hash=False)  # those in which it asks for less
    fetch: str = ""  # what brings the packages that its lock file names, one of FETCHERS; empty if it needs none
    build: tuple[str, ...] = ()  # the command that makes what `run` starts
    leftovers: tuple[str, ...] = ()  # names in its folder that are no part of it: its hash leaves them out
    protocol: str = PROTOCOLS[0]  # what the command speaks; lines on stdin and stdout go through the bridge
    worlds: bool = False  # whether a server of imagined worlds runs beside it

    def plays(self, game: str) -> bool:
        """Whether the bot says that it can play the game."""
        return "*" in self.games or game in self.games

    @property
    def command(self) -> tuple[str, ...]:
        """What is started: the run command, perhaps by what serves worlds for it or speaks gRPC for it."""
        before = WORLDS if self.worlds else BRIDGE if self.protocol == "stdio" else ()
        if not before:
            return self.run
        return (*before, locate(self.folder, self.run[0]) or self.run[0], *self.run[1:])


@dataclass(frozen=True)
class _Manifest:
    """A parsed bot.toml, and how to complain about it."""

    path: Path
    text: str
    table: dict[str, object]

    def error(self, key: str, expected: str) -> BotError:
        value = self.table.get(key)
        got = "nothing" if key not in self.table else repr(value)
        found = re.search(rf'^[ \t]*"?{re.escape(key)}"?[ \t]*[=.]', self.text, re.MULTILINE)
        line = f", line {self.text.count(chr(10), 0, found.start()) + 1}" if found else ""
        return BotError(f"{self.path}{line}: key '{key}': expected {expected}, got {got}")

    def string(self, key: str, default: str | None = None) -> str:
        value = self.table.get(key, default)
        if not isinstance(value, str) or any(not letter.isprintable() for letter in value):
            raise self.error(key, "a string of one line")
        return value

    def number(self, key: str, limits: range) -> int:
        value = self.table.get(key, limits.start)
        if not isinstance(value, int) or isinstance(value, bool) or value not in limits:
            raise self.error(key, f"a whole number from {limits.start} to {limits.stop - 1}")
        return value

    def one_of(self, key: str, known: Collection[str], default: str) -> str:
        value = self.string(key, default)
        if value not in known and key in self.table:
            raise self.error(key, " or ".join(map(repr, known)))
        return value

    def flag(self, key: str) -> bool:
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, "true or false")
        return value

    def strings(self, key: str, expected: str) -> tuple[str, ...]:
        value = self.table.get(key)
        if not isinstance(value, list) or not value:
            raise self.error(key, expected)
        words = tuple(word for word in value if isinstance(word, str) and word and "\0" not in word)
        if len(words) < len(value):
            raise self.error(key, expected)
        return words


def read(folder: Path, *, built: bool = True) -> Bot:
    """The bot in a folder; BotError if anything about it is wrong, such as a bot that should be built and is not."""
    manifest = _parse(folder)
    run = manifest.strings("run", f'a list of words, such as ["{PYTHON}", "bot.py"]')
    bot = Bot(
        name=_name(manifest),
        version=manifest.number("version", range(1, 2**31)),
        games=_games(manifest),
        run=run,
        description=manifest.string("description", ""),
        author=manifest.string("author", ""),
        matches_at_once=manifest.number("matches_at_once", range(1, MOST_MATCHES + 1)),
        folder=folder.resolve(),
        sha256="",
        limits=_limits(manifest),
        build=manifest.strings("build", "a list of words") if "build" in manifest.table else (),
        fetch=(fetch := manifest.one_of("fetch", FETCHERS, "")),
        leftovers=tuple(name for name in _leftovers(manifest) if name != FETCHERS.get(fetch)),  # packages belong to it
        protocol=manifest.one_of("protocol", PROTOCOLS, PROTOCOLS[0]),
        worlds=_worlds(manifest),
    )
    bot = replace(bot, sha256=content_hash(folder, bot.leftovers))
    if locate(bot.folder, run[0]) is None and (built or not bot.build):
        raise manifest.error("run", _unbuilt(bot) if bot.build else _runnable(bot.folder, run[0]))
    return bot


def shipped() -> dict[str, Bot]:
    """The bots that came with arena, by name."""
    root = _baselines()
    if not root.is_dir():
        return {}
    folders = sorted(folder for folder in root.iterdir() if (folder / MANIFEST).is_file())
    return {bot.name: replace(bot, shipped=True) for bot in map(read, folders)}


def find(reference: str, *, built: bool = True) -> Bot:
    """The bot that a user means: the name of a shipped one, or the path of a folder; `built` as in `read`."""
    known = shipped()
    if reference in known:
        return known[reference]
    folder = Path(reference).expanduser()
    if "/" in reference or (folder / MANIFEST).is_file():
        return _as_shipped(read(folder, built=built), known)
    if folder.is_dir():
        raise BotError(f"expected a bot, got the folder {reference!r}, in which there is no {MANIFEST}")
    raise unknown("bot", reference, known)


def kept(home: Home, bot: Bot) -> Bot:
    """The same bot in a copy of its own, so that whoever edits the folder meanwhile changes nobody's opponent."""
    if bot.shipped:
        return bot
    place = home.folder("bots") / bot.sha256
    if not place.is_dir():
        _copy(bot.folder, place)
    copy = read(place)
    if copy.sha256 != bot.sha256:
        shutil.rmtree(place)
        raise BotError(f"expected {bot.folder} to stay as it is while it is copied, got a change: try again")
    return copy


def recall(home: Home, sha256: str) -> Bot | None:
    """The bot of this content, if it came with arena or was kept here."""
    known = shipped()
    place = home.path / "bots" / sha256
    original = next((bot for bot in known.values() if bot.sha256 == sha256), None)
    if original is not None or not place.is_dir():
        return original
    return read(place)


def locate(folder: Path, word: str) -> str | None:
    """How an agent that stands in the bot's folder calls a command; None if it cannot."""
    if word == PYTHON:
        return word
    own = folder / word
    if own.resolve().is_relative_to(folder.resolve()) and _executable(own):
        return f"./{own.resolve().relative_to(folder.resolve())}"
    if "/" not in word:
        return shutil.which(word, path=SEARCH_PATH)
    in_system = any(Path(word).is_relative_to(place) for place in SEARCH_PATH.split(":"))
    return word if in_system and _executable(Path(word)) else None


def content_hash(folder: Path, leftovers: Collection[str] = ()) -> str:
    """The hash of all that the folder holds, without caches and leftovers."""
    digest = hashlib.sha256()
    for name, path in sorted(files(folder, leftovers)):
        content = _content(path)
        digest.update(b"%d %s %d " % (len(os.fsencode(name)), os.fsencode(name), len(content)))
        digest.update(content)
    return digest.hexdigest()


def _baselines() -> Path:
    packaged = Path(__file__).parent / "agents" / "baselines"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "agents" / "baselines"


def _as_shipped(bot: Bot, known: dict[str, Bot]) -> Bot:
    # A copy may bring caches, which the hash leaves out and Python would run: so the original plays instead.
    return next((original for original in known.values() if original.sha256 == bot.sha256), bot)


def _copy(source: Path, place: Path) -> None:
    """Copy a folder without caches, whole or not at all; everybody may read it, since agents have uids of their own."""
    unfinished = Path(tempfile.mkdtemp(prefix=".new-", dir=place.parent))
    try:
        for name, path in files(source):
            target = unfinished / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target, follow_symlinks=False)
        for path in (unfinished, *unfinished.rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        unfinished.rename(place)
    except OSError as error:
        if not place.is_dir():  # else another arena has done the same meanwhile
            reason = str(error.strerror or error).lower()
            raise BotError(f"expected room for a copy of {source} in {place.parent}, got: {reason}") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _parse(folder: Path) -> _Manifest:
    path = folder / MANIFEST
    if not folder.is_dir():
        raise BotError(f"expected the folder of a bot, got {str(folder)!r}, which is no folder")
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise BotError(f"expected a readable {path}, got: {str(error.strerror).lower()}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BotError(f"{path}: expected TOML, got an error: {error}") from error
    for key in table:
        _known_key(path, key)
    return _Manifest(path, text, table)


def _known_key(path: Path, key: str) -> None:
    if key not in _KEYS:
        meant = nearest(key, _KEYS)
        hint = f"did you mean {meant!r}?" if meant else f"known keys: {', '.join(_KEYS)}"
        raise BotError(f"{path}: expected a key of a bot, got {key!r}: {hint}")


def _name(manifest: _Manifest) -> str:
    name = manifest.string("name")
    if not _NAME.fullmatch(name):
        raise manifest.error("name", _NAMES)
    return name


def check_name(name: str) -> None:
    """BotError for what no bot may be called."""
    if not _NAME.fullmatch(name):
        raise BotError(f"expected a bot's name of {_NAMES}, got {name!r}")


def _games(manifest: _Manifest) -> tuple[str, ...]:
    expected = 'a list of games, such as ["party-bugs"], or ["*"] for all'
    games = manifest.strings("games", expected)
    if len(set(games)) < len(games) or not all(_GAME.fullmatch(game) for game in games):
        raise manifest.error("games", expected)
    return games


def _limits(manifest: _Manifest) -> dict[str, int]:
    asked = manifest.table.get("limits", {})
    known = Limits().plain()
    if not isinstance(asked, dict) or not {*asked} <= {*known}:
        raise manifest.error("limits", f"a table with some of {', '.join(known)}")
    within = _Manifest(manifest.path, manifest.text, asked)
    least, most = LEAST.plain(), MOST.plain()
    return {name: within.number(name, range(least[name], most[name] + 1)) for name in asked}


def _worlds(manifest: _Manifest) -> bool:
    worlds = manifest.flag("worlds")
    if worlds and manifest.table.get("protocol") == "stdio":
        raise manifest.error("worlds", "no worlds with protocol 'stdio': they are reached by gRPC")
    return worlds


def _unbuilt(bot: Bot) -> str:
    return f"what its build makes (in {bot.folder}, say: {shlex.join(bot.build)})"


def _leftovers(manifest: _Manifest) -> tuple[str, ...]:
    expected = 'a list of names in the folder, such as ["target"]'
    names = manifest.strings("leftovers", expected) if "leftovers" in manifest.table else ()
    if any("/" in name or name in (".", "..", MANIFEST) for name in names):
        raise manifest.error("leftovers", expected)
    return names


def _runnable(folder: Path, word: str) -> str:
    own = (folder / word).resolve()
    if own.is_file() and own.is_relative_to(folder) and not _executable(own):
        return f"a command that can be run ({word!r} is not executable: chmod +x {own})"
    return f"'{PYTHON}', an executable of the folder or a command on {SEARCH_PATH} first ({word!r} is none)"


def _executable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def files(folder: Path, leftovers: Collection[str] = ()) -> Iterator[tuple[str, Path]]:
    """What a bot consists of, by name: all that its folder holds, without caches and, at the top, leftovers."""
    for place, folders, names in os.walk(folder):
        skipped = {*_CACHES, *leftovers} if Path(place) == folder else _CACHES
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = [name for name in folders if name not in skipped and name not in links]
        for name in names + links:
            if name not in skipped and not name.endswith(".pyc"):
                path = Path(place) / name
                yield path.relative_to(folder).as_posix(), path


def _content(path: Path) -> bytes:
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            return b"-> " + os.fsencode(path.readlink())
        if stat.S_ISREG(mode):
            return path.read_bytes()
    except OSError as error:
        raise BotError(f"expected a readable file, got {path}: {str(error.strerror).lower()}") from error
    raise BotError(f"expected only files and folders in a bot's folder, got {path}, which is neither")
