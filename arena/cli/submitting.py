"""A bot on its way in: made ready, checked, and entered as a version of its name."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena import bots as registry
from arena import sandbox as sandboxes
from arena.bots import Bot
from arena.cli import checked, checking, naming, screen
from arena.cli.checking import Checked
from arena.cli.failures import Told
from arena.cli.playing import Place
from arena.errors import UserError
from arena.match import TimeControl
from arena.submission.failure import BuildError
from arena.submission.prepare import Prepared, prepared
from ladder.store import Offer, Submission, Submitted, check_name, newest, submit, submitted

REFUSED = 1


@dataclass(frozen=True)
class Entered:
    """What came of a submission that was not refused."""

    ready: Prepared
    result: Submitted
    checks: Sequence[Checked] | None  # None: not checked
    playing: Submission | None  # the version of its name that plays now


def ready_to_check(reference: str, place: Place) -> tuple[Bot, str]:
    """The bot that is to be checked, and what names it where its matches are played again."""
    if not naming.is_folder(reference):
        return naming.bot_of(place.home, reference), reference
    bot = registry.find(reference, built=False)
    if bot.shipped or not (bot.fetch or bot.build):
        return bot, reference
    sandboxes.check_allowed(bot, sandboxes.choose(place.sandbox), unsafe=place.unsafe)
    ready = _prepared(Path(reference).expanduser(), place)
    return ready.bot, str(ready.bot.folder)


def enter(source: Path, place: Place, *, skip_check: bool, as_json: bool) -> Entered:
    """Take a bot in; Told if it is refused, when it has been said why."""
    if source.is_dir():  # what is in an archive is known once it is unpacked
        _check_identity(registry.read(source, built=False), place)
    ready = _prepared(source, place)
    bot = ready.bot
    _check_identity(bot, place)
    offer = Offer(bot.name, bot.sha256, ready.source_hash, bot.author, bot.description, bot.games)
    todo = checking.cases(bot)
    checks = None if skip_check or _is_known(offer, place) else checking.run(bot, todo, place, TimeControl())
    if checks is not None:
        _tell(ready, checks, _reference(source, bot), as_json=as_json)
    result = submit(place.home, offer, now=time.time())
    return Entered(ready, result, checks, newest(submitted(place.home)).get(bot.name))


def _prepared(source: Path, place: Place) -> Prepared:
    """The bot made ready to play; Told if it cannot be built."""
    err = screen.err()
    try:
        return prepared(
            place.home,
            source,
            sandboxes.choose(place.sandbox),
            unsafe=place.unsafe,
            say=lambda sentence: err.print(screen.clean(sentence), style="dim", soft_wrap=True),
        )
    except BuildError as error:
        for line in error.lines:
            err.print(f"  | {screen.clean(line)}", soft_wrap=True)
        err.print(f"arena: {screen.clean(str(error))}", soft_wrap=True)
        raise Told(REFUSED) from None


def _check_identity(bot: Bot, place: Place) -> None:
    """Refuse a name that is not the author's to use."""
    if bot.name in registry.shipped():
        raise UserError(f"expected a name of your own, got {bot.name}, which came with arena: choose another")
    if not bot.author:
        raise UserError(f"expected an author in the bot.toml of {bot.name}, whom the name will belong to, got none")
    check_name(place.home, bot.name, bot.author)


def _is_known(offer: Offer, place: Place) -> bool:
    there = [one for one in submitted(place.home) if one.player.name == offer.name]
    return any(offer.source == one.source or offer.sha256 == one.player.sha256 for one in there)


def _reference(source: Path, bot: Bot) -> str:
    """How to name what was checked: the author's folder if it can be played as it is."""
    if source.is_dir() and not (bot.fetch or bot.build):
        return str(source) if "/" in str(source) else f"./{source}"
    return str(bot.folder)


def _tell(ready: Prepared, checks: Sequence[Checked], reference: str, *, as_json: bool) -> None:
    """Show how the check went; Told if the bot failed."""
    failed = any(one.fault for one in checks)
    if not as_json:
        checked.show(ready.bot, checks, reference)
    elif failed:
        screen.print_json({"accepted": False, "check": checking.plain(checks, reference)})
    if failed:
        raise Told(REFUSED)
