"""`arena bots`: which bots are known here, and what they play."""

from arena import bots as registry
from arena.bots import Bot
from arena.cli import screen
from arena.cli.arguments import JsonOption


def bots(*, as_json: JsonOption = False) -> None:
    """List the bots that came with arena and the games they play.

    A bot of your own is a folder with a bot.toml in it; name its path, with a slash.

    \b
    Example:
      arena match --game party-bugs --bots ./my-bot,greedy,random
    """  # noqa: D301 - the mark keeps the lines below it as they are
    known = registry.shipped().values()
    if as_json:
        screen.print_json([_plain(bot) for bot in known])
        return
    listed = screen.table("bot", "games", "version", "what it does", numbers=("version",))
    for bot in known:
        listed.add_row(bot.name, _games(bot), str(bot.version), bot.description)
    screen.out().print(listed)


def _games(bot: Bot) -> str:
    return "all" if "*" in bot.games else ", ".join(bot.games)


def _plain(bot: Bot) -> dict[str, object]:
    return {
        "name": bot.name,
        "version": bot.version,
        "games": list(bot.games),
        "description": bot.description,
        "author": bot.author,
        "matches_at_once": bot.matches_at_once,
        "run": list(bot.run),
        "folder": str(bot.folder),
        "sha256": bot.sha256,
        "shipped": bot.shipped,
    }
