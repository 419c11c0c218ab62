"""What `arena check` does before it plays: a bot's packages are brought, it is built, or it is said why that failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena import bots as registry
from arena import games
from arena import sandbox as sandboxes
from arena.bots import Bot, BotError
from arena.cli import naming, screen
from arena.errors import UserError
from arena.home import Home
from arena.sandbox import Sandbox
from arena.submission.failure import BuildError
from arena.submission.prepare import Prepared, prepared


@dataclass(frozen=True)
class Ready:
    """A bot that can be played, and how `arena match` is told of it."""

    bot: Bot
    reference: str
    source_hash: str
    fresh: bool = False
    logs: Mapping[str, Path] = field(default_factory=dict)

    def plain(self) -> dict[str, object]:
        """For a script."""
        return {
            "sha256": self.bot.sha256,
            "source": self.source_hash,
            "fresh": self.fresh,
            "logs": {phase: str(log) for phase, log in self.logs.items()},
            "failure": None,
        }


@dataclass(frozen=True)
class Refused:
    """A bot that cannot be played, and why."""

    name: str
    sentence: str
    log: Path | None = None
    lines: tuple[str, ...] = ()

    def plain(self) -> dict[str, object]:
        """For a script."""
        log = str(self.log) if self.log else None
        return {"failure": {"sentence": self.sentence, "log": log, "lines": list(self.lines)}}


def ready(reference: str, game: str | None, home: Home, sandbox: Sandbox, *, unsafe: bool) -> Ready | Refused:
    """The bot that a user means, made ready to play."""
    source = Path(reference).expanduser()
    if source.is_file():  # an archive: what it plays is known once it is unpacked
        made = _made(source.name, source, home, sandbox, unsafe=unsafe)
        if isinstance(made, Refused):
            return made
        _check_game(made.bot, game)
        return Ready(made.bot, str(made.bot.folder), made.source_hash, made.fresh, made.logs)
    known = not naming.is_folder(reference)
    bot = naming.bot_of(home, reference) if known else registry.find(reference, built=False)
    _check_game(bot, game)
    sandboxes.check_allowed(bot, sandbox, unsafe=unsafe)
    if bot.shipped or known:  # what was submitted is ready
        return Ready(bot, reference, bot.sha256)
    made = _made(bot.name, bot.folder, home, sandbox, unsafe=unsafe)
    if isinstance(made, Refused):
        return made
    # A folder as it is can be played again only if nothing had to be done for it.
    again = str(made.bot.folder) if bot.fetch or bot.build else reference
    return Ready(made.bot, again, made.source_hash, made.fresh, made.logs)


def _made(name: str, source: Path, home: Home, sandbox: Sandbox, *, unsafe: bool) -> Prepared | Refused:
    try:
        made = prepared(home, source, sandbox, unsafe=unsafe, say=_say)
    except BuildError as error:
        return Refused(name, error.sentence, error.log, error.lines)
    except BotError as error:
        return Refused(name, str(error))
    if made.logs and not made.fresh:
        _say("unchanged since it was made ready")
    return made


def _say(text: str) -> None:
    screen.err().print(text, soft_wrap=True)


def _check_game(bot: Bot, game: str | None) -> None:
    if game is not None and not bot.plays(games.load(game).name):
        raise UserError(f"expected a game that {bot.name} plays, got {game}: it plays {', '.join(bot.games)}")
