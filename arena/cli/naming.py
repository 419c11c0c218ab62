"""Bots as people name them on a command line: shipped ones, submitted ones with or without a version, folders."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from arena import bots as registry
from arena.bots import MANIFEST, Bot
from arena.errors import UserError, unknown
from arena.home import Home
from ladder.store import Submission, newest, submitted

MARK = "@"  # between a name and a version


def bots_of(home: Home, text: str) -> tuple[Bot, ...]:
    """The bots that a list such as random,my-bot@1,./my-bot names."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise UserError(f"--bots: expected names with commas between them, got {text!r}")
    return tuple(bot_of(home, name) for name in names)


def bot_of(home: Home, reference: str) -> Bot:
    """The bot that is meant; a submission goes before a folder of the same name, which a slash makes a path."""
    shipped = registry.shipped()
    if "/" in reference or reference in shipped:
        return registry.find(reference)
    known = submitted(home)
    names = {one.player.name for one in known}
    if reference.partition(MARK)[0] in names:
        return playable(home, version_of(known, reference))
    if Path(reference).expanduser().is_dir():
        return registry.find(reference)
    raise unknown("bot", reference, {*shipped, *names})


def is_folder(reference: str) -> bool:
    """Whether a word is a bot's folder, for commands that take a folder first."""
    return "/" in reference or (Path(reference).expanduser() / MANIFEST).is_file()


def version_of(known: Iterable[Submission], reference: str) -> Submission:
    """The version that is meant: the one that is named, or else the one that plays."""
    name, mark, text = reference.partition(MARK)
    versions = versions_of(known, name)
    if not mark:
        playing = newest(versions)
        if name not in playing:
            again = versions[-1].reference
            raise UserError(f"expected a bot that plays, got {name}, which is retired; {again} names its last version")
        return playing[name]
    found = next((one for one in versions if str(one.player.version) == text), None)
    if found is None:
        there = ", ".join(str(one.player.version) for one in versions)
        raise UserError(f"expected a version of {name} that was submitted ({there}), got {text!r}")
    return found


def versions_of(known: Iterable[Submission], name: str) -> list[Submission]:
    """All versions of a submitted bot, the oldest first; UserError if there is none."""
    there = list(known)
    found = [one for one in there if one.player.name == name]
    if not found and name in registry.shipped():
        raise UserError(f"expected a submitted bot, got {name}, which came with arena")
    if not found:
        raise unknown("submitted bot", name, {one.player.name for one in there})
    return sorted(found, key=lambda one: one.player.version)


def latest(versions: Sequence[Submission]) -> Submission:
    """Of all versions of a name, the one that plays; if all are retired, the last."""
    return next(iter(newest(versions).values()), versions[-1])


def playable(home: Home, one: Submission) -> Bot:
    """A submission as a bot that can be started; it has the number of its submission."""
    bot = registry.recall(home, one.player.sha256)
    if bot is None or bot.sha256 != one.player.sha256:
        place = home.path / "bots" / one.player.sha256
        got = "nothing there" if bot is None else "something else"
        raise UserError(
            f"expected {one.player.name} version {one.player.version} in {place}, got {got}: "
            "submit it again, or retire it"
        )
    return replace(bot, version=one.player.version)


def entries(home: Home, game: str) -> tuple[Bot, ...]:
    """Who plays a ladder of a game unless somebody says who: shipped bots, and the newest version of every other."""
    playing = [one for one in newest(submitted(home)).values() if one.plays(game)]
    shipped = [bot for bot in registry.shipped().values() if bot.plays(game)]
    return (*shipped, *(playable(home, one) for one in playing))


def told_apart(home: Home, bots: Sequence[Bot]) -> tuple[Bot, ...]:
    """Submissions that share their name with another bot are called by their versions as well."""
    kept = (home.path / "bots").resolve()
    folders = {bot.name: {other.folder for other in bots if other.name == bot.name} for bot in bots}
    return tuple(
        replace(bot, name=f"{bot.name}{MARK}{bot.version}")
        if len(folders[bot.name]) > 1 and bot.folder.parent == kept
        else bot
        for bot in bots
    )
