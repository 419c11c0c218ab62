"""A submitted bot made ready to play: checked, its packages brought, hashed, built, and put where it stays.

Everything happens in a folder of its own and moves to its place whole, so two at once do not disturb each other and a
killed one leaves nothing that the next would take for finished.
"""

import asyncio
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from arena import bots, runtime
from arena.bots import MANIFEST, Bot, BotError, content_hash, locate
from arena.home import Home
from arena.sandbox import Janitor, Sandbox
from arena.submission import archive
from arena.submission.building import build
from arena.submission.failure import BuildError
from arena.submission.fetching import brought, fetch
from arena.submission.kept import Kept, forget
from arena.submission.toolchains import found
from arena.submission.workshop import BUILD, FETCH, Terms, Workshop, box_for, seconds_in_words

LAYOUT: Final = 1  # raise it when the same source would be made ready in another way
_FETCH: Final = "fetch"
_BUILD: Final = "build"


@dataclass(frozen=True)
class Prepared:
    """A bot that is ready to play."""

    bot: Bot  # in its final place; its hash is that of its content with the packages
    source_hash: str  # of what its author has written
    fresh: bool  # whether anything had to be done for it now
    logs: Mapping[str, Path] = field(default_factory=dict)  # of "fetch" and "build", where there was one


@dataclass(frozen=True)
class _Places:
    """Where a home keeps bots."""

    bots: Path
    submissions: Path

    def archive(self, sha256: str) -> Path:
        return self.submissions / f"{sha256}{archive.SUFFIX}"

    def log(self, sha256: str, phase: str) -> Path:
        return self.submissions / f"{sha256}.{phase}.log"

    def note(self, source_hash: str) -> Path:
        return self.submissions / f"{source_hash}.source.json"

    def logs(self, sha256: str) -> dict[str, Path]:
        named = {phase: self.log(sha256, phase) for phase in (_FETCH, _BUILD)}
        return {phase: log for phase, log in named.items() if log.is_file()}


def prepared(
    home: Home,
    source: Path,
    sandbox: Sandbox,
    *,
    unsafe: bool = False,
    say: Callable[[str], None] = lambda _: None,
    build_terms: Terms = BUILD,
) -> Prepared:
    """The bot of a folder or an archive, ready to play; BuildError if its packages or its build fail."""
    places = _Places(home.folder("bots"), home.folder("submissions"))
    with _workplace(home) as work:
        folder = _unpacked(source, work)
        bot = bots.read(folder, built=False)
        original = next((one for one in bots.shipped().values() if one.sha256 == bot.sha256), None)
        if original is not None:
            return Prepared(original, original.sha256, fresh=False)
        left_out = (*bot.leftovers, *brought(bot))
        source_hash = content_hash(folder, left_out)
        known = _recalled(places, source_hash)
        if known is not None:
            return known
        own = work / "bot"
        _copy(folder, own, left_out)
        if content_hash(own, left_out) != source_hash:
            raise BotError(f"expected {source} to stay as it is while it is copied, got a change: try again")
        making = _Making(home, places, replace(bot, folder=own), source_hash, work, say, build_terms)
        return making.made(sandbox, unsafe=unsafe)


@dataclass(frozen=True)
class _Making:
    """One bot on its way; `bot.folder` is where that happens."""

    home: Home
    places: _Places
    bot: Bot
    source_hash: str
    work: Path
    say: Callable[[str], None]
    build_terms: Terms

    def made(self, sandbox: Sandbox, *, unsafe: bool) -> Prepared:
        janitor = Janitor()
        try:
            return asyncio.run(self._made(sandbox, unsafe=unsafe))
        except BuildError as error:
            raise self._kept(error) from None
        finally:
            janitor.dismiss()

    async def _made(self, sandbox: Sandbox, *, unsafe: bool) -> Prepared:
        shop = self._shop(sandbox, unsafe=unsafe) if self.bot.fetch or self.bot.build else None
        if shop and self.bot.fetch:
            await self._fetch(shop)
        sha256 = content_hash(self.bot.folder, self.bot.leftovers)
        fresh = not _is_whole(self.places, sha256)
        if fresh:
            archive.pack(self.bot.folder, self.work / "archive", self.bot.leftovers)
            if shop and self.bot.build:
                await self._build(shop)
            elif locate(self.bot.folder, self.bot.run[0]) is None:
                raise BotError(
                    f"expected {self.bot.run[0]!r} in the folder of {self.bot.name} or among what fetch brings, "
                    "got none: what leftovers name is left out"
                )
            self._keep(sha256)
        self._note(sha256)
        return Prepared(bots.read(self.places.bots / sha256), self.source_hash, fresh, self.places.logs(sha256))

    def _shop(self, sandbox: Sandbox, *, unsafe: bool) -> Workshop:
        return Workshop(box_for(self.bot, sandbox, unsafe=unsafe), runtime.prepare(self.home), found())

    async def _fetch(self, shop: Workshop) -> None:
        self.say(f"fetching what {self.bot.name} needs")
        kept = Kept(self.home.folder("workshop"))
        done = await fetch(shop, self.bot, self.work / _FETCH, self._log(_FETCH), FETCH, kept)
        _open_to_all(self.bot.folder)
        try:  # links and sizes of packages are like those of bots
            deque(archive.checked(self.bot.folder, self.bot.leftovers), maxlen=0)
        except BotError as error:
            raise BuildError(str(error), self._log(_FETCH)) from error
        time = "before" if done.seconds is None else f"in {seconds_in_words(done.seconds)}"
        self.say(f"fetched {done.packages} {time}")

    async def _build(self, shop: Workshop) -> None:
        self.say(f"building: {' '.join(self.bot.build)}")
        place = self.work / _BUILD
        place.mkdir()
        seconds = await build(shop, self.bot, self.bot.folder, place, self._log(_BUILD), self.build_terms)
        _open_to_all(self.bot.folder)
        self.say(f"built in {seconds_in_words(seconds)}")

    def _log(self, phase: str) -> Path:
        return self.work / f"{phase}.log"

    def _keep(self, sha256: str) -> None:
        """Move all that was made to its place; the archive is what says that the rest is there."""
        place = self.places.bots / sha256
        if place.exists():  # a copy of the same content that was not made here, or a damaged one
            place.rename(self.work / "replaced")
        try:
            self.bot.folder.rename(place)
        except OSError:
            if not place.is_dir():  # else another arena has done the same meanwhile
                raise
        for phase in (_FETCH, _BUILD):
            with suppress(FileNotFoundError):
                self._log(phase).replace(self.places.log(sha256, phase))
        (self.work / "archive").replace(self.places.archive(sha256))

    def _note(self, sha256: str) -> None:
        note = self.work / "note"
        note.write_text(json.dumps(_noted(sha256)), encoding="utf-8")
        note.replace(self.places.note(self.source_hash))

    def _kept(self, error: BuildError) -> BuildError:
        """The same failure with its log, and that of the phase before, where they stay."""
        for phase in (_FETCH, _BUILD):
            with suppress(FileNotFoundError):
                self._log(phase).replace(self.places.log(self.source_hash, phase))
        return error.moved(self.places.log(self.source_hash, error.log.stem))


def _recalled(places: _Places, source_hash: str) -> Prepared | None:
    """What was made of the same source before."""
    try:
        note = json.loads(places.note(source_hash).read_text(encoding="utf-8"))
        sha256 = str(note["sha256"])
    except (OSError, ValueError, TypeError, KeyError):
        return None
    if note != _noted(sha256) or not _is_whole(places, sha256):
        return None
    return Prepared(bots.read(places.bots / sha256), source_hash, fresh=False, logs=places.logs(sha256))


def _noted(sha256: str) -> dict[str, object]:
    # Wheels are chosen for a version of Python.
    return {"layout": LAYOUT, "python": list(sys.version_info[:2]), "sha256": sha256}


def _is_whole(places: _Places, sha256: str) -> bool:
    place = places.bots / sha256
    try:
        return places.archive(sha256).is_file() and place.is_dir() and bots.read(place).sha256 == sha256
    except BotError:
        return False


def _unpacked(source: Path, work: Path) -> Path:
    """The folder of a bot; of an archive, what is in it."""
    if source.is_dir() or not source.exists():
        return source
    place = work / "unpacked"
    place.mkdir()
    archive.unpack(source, place)
    if not (place / MANIFEST).is_file():
        raise BotError(f"expected an archive of a bot, with a {MANIFEST} at its top, got {source}")
    return place


def _copy(source: Path, place: Path, left_out: tuple[str, ...]) -> None:
    place.mkdir()
    for name, path in archive.checked(source, left_out):
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)
    _open_to_all(place)


def _open_to_all(folder: Path) -> None:
    """Everybody may read it: agents have uids of their own."""
    for place, folders, names in os.walk(folder):
        for path in (Path(place), *(Path(place, name) for name in (*folders, *names))):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & 0o777 | (0o755 if path.is_dir() else 0o644))


# The folder in which one bot is made ready


@contextmanager
def _workplace(home: Home) -> Iterator[Path]:
    """A new folder; those that killed arenas have left are removed when nobody else works here."""
    folder = home.folder("workshop")
    lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for left in folder.glob("work-*"):
                _remove(left)
            forget(folder)
        fcntl.flock(lock, fcntl.LOCK_SH)
        place = Path(tempfile.mkdtemp(prefix="work-", dir=folder))
        try:
            yield place
        finally:
            _remove(place)
    finally:
        os.close(lock)


def _remove(place: Path) -> None:
    """Remove a folder, whatever a build has made of it."""
    with suppress(RecursionError):
        shutil.rmtree(place, ignore_errors=True)
    if place.exists():  # too deep for Python, or closed to its owner
        for command in (["chmod", "-R", "u+rwX", str(place)], ["rm", "-rf", str(place)]):
            subprocess.run(command, capture_output=True, check=False)
