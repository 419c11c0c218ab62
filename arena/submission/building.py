"""Phase two: the bot's own build command, offline and in a jail, in the folder that the bot will be played from."""

import os
import shlex
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from arena.bots import Bot, BotError, content_hash, locate
from arena.errors import UserError
from arena.submission.archive import check_link
from arena.submission.failure import BuildError
from arena.submission.toolchains import path
from arena.submission.workshop import Task, Terms, Workshop, failure


async def build(shop: Workshop, bot: Bot, folder: Path, work: Path, log: Path, terms: Terms) -> float:
    """Build the bot; the seconds that it took."""
    before = content_hash(folder, bot.leftovers)
    _check_tool(shop, bot, folder)
    expected = f"the build of {bot.name} ({shlex.join(bot.build)}) to succeed"
    task = Task(bot, expected, folder, bot.build, terms, _environment(shop, folder, work))
    finished, seconds = await shop.run(task, log)
    if finished.code != 0 or finished.over_limit:
        raise failure(task, finished, log)
    _check(bot, folder, before, log)
    return seconds


def _check_tool(shop: Workshop, bot: Bot, folder: Path) -> None:
    word = bot.build[0]
    on_path = "/" not in word and shutil.which(word, path=path(shop.toolchains, jailed=False))
    if locate(folder, word) is None and not on_path:
        raise UserError(f"expected {word!r} to build the bot {bot.name}, got none, in its folder or on this machine")


def _environment(shop: Workshop, folder: Path, work: Path) -> dict[str, str]:
    """Where compilers keep what they need: in a jail's own /tmp, else in a folder that goes with the work."""
    home = "/tmp" if shop.jailed else str(work / "home")  # noqa: S108 - the jail's own
    Path(work / "home").mkdir(exist_ok=True)
    vendored = {"GOFLAGS": "-mod=vendor"} if (folder / "vendor" / "modules.txt").is_file() else {}
    return {
        "HOME": home,
        "TMPDIR": home,
        "CARGO_HOME": f"{home}/cargo",
        "CARGO_NET_OFFLINE": "true",
        "GOPATH": f"{home}/go",
        "GOCACHE": f"{home}/go-cache",
        "GOTOOLCHAIN": "local",
        "GOPROXY": "off",
        "GOTELEMETRY": "off",
        **vendored,
    }


def _check(bot: Bot, folder: Path, before: str, log: Path) -> None:
    """What a build has made is no part of the bot, and must be named as such: else it would change with each build."""
    for made in _everything(folder):
        name, mode = made.relative_to(folder).as_posix(), made.lstat().st_mode
        if stat.S_ISLNK(mode):
            try:
                check_link(name, str(made.readlink()))
            except BotError as error:
                raise BuildError(str(error), log) from error
        elif not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise BuildError(f"expected the build of {bot.name} to make files and folders, got {name}", log)
    if locate(folder, bot.run[0]) is None:
        raise BuildError(f"expected the build of {bot.name} to make {bot.run[0]!r}, got none that can be run", log)
    if content_hash(folder, bot.leftovers) != before:
        raise BuildError(
            f"expected the build of {bot.name} to change nothing but what its leftovers name, "
            f"got other changes: say for example leftovers = {_quoted(bot)} in bot.toml",
            log,
        )


def _everything(folder: Path) -> Iterator[Path]:
    """All that is there, caches too: a pipe among them would join all processes of the bot."""
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            yield Path(place, name)


def _quoted(bot: Bot) -> str:
    word = bot.run[0].removeprefix("./").partition("/")[0]
    names = [*bot.leftovers, *([word] if word not in bot.leftovers and bot.run[0].startswith("./") else [])]
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
