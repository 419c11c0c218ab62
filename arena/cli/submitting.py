"""A bot on its way in: made ready, checked, and entered as a version of its name."""

import time as clock
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena import bots as registry
from arena import sandbox as sandboxes
from arena.bots import Bot
from arena.cli import attack, check, checking, making_ready, screen
from arena.cli.checking import Again, Checked
from arena.cli.failures import Told
from arena.cli.making_ready import Ready, Refused
from arena.cli.playing import Place
from arena.errors import UserError
from arena.home import Home
from arena.match import TimeControl
from ladder.store import Offer, Submission, Submitted, check_name, newest, submit, submitted

REFUSED = 1


@dataclass(frozen=True)
class Entered:
    """What came of a submission that was not refused."""

    ready: Ready
    result: Submitted
    checks: Sequence[Checked] | None  # None: not checked
    playing: Submission | None  # the version of its name that plays now


def enter(source: Path, place: Place, time: TimeControl | None, *, as_json: bool) -> Entered:
    """Take a bot in, checked by this clock if there is one; Told if it is refused, when it has been said why."""
    if source.is_dir():  # what is in an archive is known once it is unpacked
        _check_identity(registry.read(source, built=False), place)
    sandbox = sandboxes.choose(place.sandbox)
    attack.check_holds(place.home, sandbox, unsafe=place.unsafe)
    ready = making_ready.ready(_reference(source), None, place.home, sandbox, unsafe=place.unsafe)
    if isinstance(ready, Refused):
        check.show_refused(ready, as_json=as_json)
        raise Told(REFUSED)
    bot = ready.bot
    _check_identity(bot, place)
    offer = Offer(bot.name, bot.sha256, ready.source_hash, bot.author, bot.description, bot.games)
    todo = checking.cases(bot)
    checks = None
    if time is not None and not _is_known(offer, place):
        checks = checking.run(bot, todo, place, sandbox, time)
        _tell(ready, checks, Again(ready.reference, _options(place, time)), as_json=as_json)
    result = submit(place.home, offer, now=clock.time())
    return Entered(ready, result, checks, newest(submitted(place.home)).get(bot.name))


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


def _reference(source: Path) -> str:
    """A path that is not taken for the name of a bot."""
    return str(source) if "/" in str(source) else f"./{source}"


def _options(place: Place, time: TimeControl) -> tuple[str, ...]:
    """The words with which a match of the check comes again as it was."""
    usual = TimeControl()
    return (
        *(("--allowance", f"{time.allowance_ms / 1e3:g}") if time.allowance_ms != usual.allowance_ms else ()),
        *(("--bank", f"{time.bank_ms / 1e3:g}") if time.bank_ms != usual.bank_ms else ()),
        *(("--sandbox", place.sandbox) if place.sandbox else ()),
        *(("--unsafe",) if place.unsafe else ()),
        *(("--home", str(place.home.path)) if place.home != Home.find() else ()),
    )


def _tell(ready: Ready, checks: Sequence[Checked], again: Again, *, as_json: bool) -> None:
    """Show how the check went; Told if the bot failed."""
    failed = any(one.fault for one in checks)
    if not as_json:
        check.show(ready, checks, again)
    elif failed:
        screen.print_json({"accepted": False, **checking.plain(checks, again), "build": ready.plain()})
    if failed:
        if not as_json:
            screen.out().print(f"{ready.bot.name} is refused: it was not submitted")
        raise Told(REFUSED)
