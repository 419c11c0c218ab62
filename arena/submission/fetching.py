"""Phase one: the packages that a bot's lock file names are brought into its folder.

Nothing of the bot but the named files comes near the tool: it works in an empty folder, and only what it is meant to
make is taken from there.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from arena.bots import FETCHERS as FOLDERS
from arena.bots import SEARCH_PATH, Bot
from arena.errors import UserError
from arena.submission.fetch import FETCHERS, client
from arena.submission.fetch.model import Fetcher
from arena.submission.toolchains import path
from arena.submission.workshop import Task, Terms, Workshop, failure

_PROJECT: Final = "project"
_HOME: Final = "home"
_UNREACHABLE: Final = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|getaddrinfo|[Cc]ould not resolve|dial tcp"
    r"|[Cc]ould ?n.t connect|[Cc]ouldn't resolve|[Nn]ame resolution|[Uu]nknown host|[Cc]onnection refused|Connect to "
    r"|Failed to establish a new connection|[Nn]etwork is unreachable|[Tt]imeout was reached|timed out|proxyconnect"
)


def brought(bot: Bot) -> tuple[str, ...]:
    """What the tool will put at the top of the bot's folder, whatever its author has there."""
    return (FOLDERS[bot.fetch],) if bot.fetch else ()


async def fetch(shop: Workshop, bot: Bot, work: Path, log: Path, terms: Terms, kept: Path) -> tuple[str, float]:
    """Bring the packages into the bot's folder; how many of what, and the seconds that it took.

    What tools want to find again lies in folders whose names begin like `kept`.
    """
    fetcher = FETCHERS[bot.fetch]
    project, home = work / _PROJECT, work / _HOME
    project.mkdir(parents=True)
    home.mkdir()
    fetcher.lay_out(bot.folder, project)
    _lend_kept(fetcher, home, kept)
    task = _task(shop, bot, fetcher, project, terms)
    finished, seconds = await shop.run(task, log)
    if finished.code != 0 or finished.over_limit:
        far = _UNREACHABLE.search(finished.log) and f"no answer from the registry of {fetcher.packages}"
        raise failure(task, finished, log, far or "")
    count = fetcher.tidy(project)
    for name in (*brought(bot), *fetcher.also):
        _take(project / name, bot.folder / name)
    _keep(fetcher, home, kept)
    return f"{count} {fetcher.packages if count != 1 else fetcher.packages.removesuffix('s')}", seconds


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


def _lend_kept(fetcher: Fetcher, home: Path, kept: Path) -> None:
    if fetcher.kept and (place := kept.with_name(f"{kept.name}-{fetcher.tool}")).is_dir():
        shutil.copytree(place, home / fetcher.kept)


def _keep(fetcher: Fetcher, home: Path, kept: Path) -> None:
    """Of the first fetch alone: what later ones bring is theirs, and this shall not grow."""
    if fetcher.kept and not (place := kept.with_name(f"{kept.name}-{fetcher.tool}")).is_dir():
        with suppress(OSError):  # another arena may be quicker
            (home / fetcher.kept).rename(place)


def _take(made: Path, place: Path) -> None:
    """Put what the tool has made where the bot has it, if it has made it."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    if made.exists():
        place.parent.mkdir(exist_ok=True)
        place.unlink(missing_ok=True)
        made.rename(place)
