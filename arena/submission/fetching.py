"""Phase one: the packages that a bot's lock file names are brought into its folder.

Nothing of the bot but the named files comes near the tool: it works in an empty folder, and only what it is meant to
make is taken from there.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.bots import FETCHERS as FOLDERS
from arena.bots import SEARCH_PATH, Bot, content_hash
from arena.errors import UserError
from arena.submission.fetch import FETCHERS, client
from arena.submission.fetch.model import Fetcher
from arena.submission.kept import Kept
from arena.submission.toolchains import path
from arena.submission.workshop import Task, Terms, Workshop, failure

_PROJECT: Final = "project"
_HOME: Final = "home"
_MADE: Final = "made"
_COUNT: Final = ".count"
_LOG: Final = ".log"
_UNREACHABLE: Final = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|getaddrinfo|[Cc]ould not resolve|dial tcp"
    r"|[Cc]ould ?n.t connect|[Cc]ouldn't resolve|[Nn]ame resolution|[Uu]nknown host|[Cc]onnection refused|Connect to "
    r"|Failed to establish a new connection|[Nn]etwork is unreachable|[Tt]imeout was reached|timed out|proxyconnect"
)


def brought(bot: Bot) -> tuple[str, ...]:
    """What the tool will put at the top of the bot's folder, whatever its author has there."""
    return (FOLDERS[bot.fetch],) if bot.fetch else ()


@dataclass(frozen=True)
class Brought:
    """What came of a fetch."""

    packages: str  # how many of what: "61 packages"
    seconds: float | None  # that it took; None if they were brought before, for the same lock file


async def fetch(shop: Workshop, bot: Bot, work: Path, log: Path, terms: Terms, kept: Kept) -> Brought:
    """Bring the packages into the bot's folder."""
    fetcher = FETCHERS[bot.fetch]
    project, home, made = work / _PROJECT, work / _HOME, work / _MADE
    for place in (project, home):
        place.mkdir(parents=True)
    fetcher.lay_out(bot.folder, project)
    name = f"{bot.fetch}-{content_hash(project)}-{'.'.join(map(str, sys.version_info[:2]))}"
    seconds = None
    if not kept.lend(name, made):
        made.mkdir()
        seconds = await _bring(shop, bot, project, log, terms, kept)
        if not fetcher.reads_sources:
            kept.keep(name, made)
    shutil.copyfile(made / _LOG, log)
    for one in (*brought(bot), *fetcher.also):
        _take(made / one, bot.folder / one)
    return Brought((made / _COUNT).read_text(encoding="utf-8"), seconds)


async def _bring(shop: Workshop, bot: Bot, project: Path, log: Path, terms: Terms, kept: Kept) -> float:
    """Let the tool work, and put what it has made aside; the seconds that it took."""
    fetcher, home, made = FETCHERS[bot.fetch], project.parent / _HOME, project.parent / _MADE
    if fetcher.kept:
        kept.lend(fetcher.tool, home / fetcher.kept)
    task = _task(shop, bot, fetcher, project, terms)
    finished, seconds = await shop.run(task, log)
    if finished.code != 0 or finished.over_limit:
        far = _UNREACHABLE.search(finished.log) and f"no answer from the registry of {fetcher.packages}"
        raise failure(task, finished, log, far or "")
    count = fetcher.tidy(project)
    for name in (*brought(bot), *fetcher.also):
        _take(project / name, made / name)
    packages = fetcher.packages if count != 1 else fetcher.packages.removesuffix("s")
    (made / _COUNT).write_text(f"{count} {packages}", encoding="utf-8")
    shutil.copyfile(log, made / _LOG)
    if fetcher.kept:  # of the first fetch alone: what later ones bring is theirs, and this shall not grow
        kept.keep(fetcher.tool, home / fetcher.kept)
    return seconds


def _task(shop: Workshop, bot: Bot, fetcher: Fetcher, project: Path, terms: Terms) -> Task:
    words = _located(shop, fetcher, fetcher.command(project))
    variables = client.settings(bot.fetch, project.parent / _HOME)
    home = f"{shop.box.shown(project.parent)}/{_HOME}"
    own = {name: value.format(home=home) for name, value in fetcher.environment.items()}
    return Task(
        bot,
        f"{fetcher.tool} to bring the {fetcher.packages} of {bot.name}",
        project.parent,
        tuple(words),
        terms,
        {**variables, "HOME": home, "TMPDIR": home, **own},
        client.binds(variables),
        network=True,
        place=_PROJECT,
    )


def _located(shop: Workshop, fetcher: Fetcher, words: list[str]) -> list[str]:
    """The command, if its program is here."""
    if fetcher.tool == "pip":
        python = next(filter(_has_pip, _pythons()), None)
        if python is not None:
            return [python, "-I", "-m", *words]
    elif shutil.which(fetcher.tool, path=path(shop.toolchains, jailed=False)):
        return words
    raise UserError(
        f"expected {fetcher.tool} on this machine to bring {fetcher.packages}, got none: install {fetcher.package}"
    )


def _pythons() -> Iterator[str]:
    """This Python outside of any virtual environment, which a jail does not show; the system's."""
    yield str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
    if system := shutil.which("python3", path=SEARCH_PATH):
        yield system


def _has_pip(python: str) -> bool:
    return subprocess.run([python, "-I", "-c", "import pip"], capture_output=True, check=False).returncode == 0


def _take(made: Path, place: Path) -> None:
    """Put what the tool has made where the bot has it, if it has made it."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    if made.exists():
        place.parent.mkdir(exist_ok=True)
        place.unlink(missing_ok=True)
        made.rename(place)
