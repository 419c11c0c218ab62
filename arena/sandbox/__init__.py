"""Ways to start an agent: bubblewrap where it works, a plain process where not; never one of them in silence.

What a way enforces is its level, which stands in every table and record.
"""

from arena.bots import Bot
from arena.errors import UserError, unknown
from arena.sandbox.bubblewrap import Bubblewrap, why_not
from arena.sandbox.contract import SOCKET, Agent, Launch, LaunchError, LaunchKilled, Meter, Sandbox
from arena.sandbox.plain import Plain

__all__ = [
    "SOCKET",
    "Agent",
    "Launch",
    "LaunchError",
    "LaunchKilled",
    "Meter",
    "Sandbox",
    "check_allowed",
    "choose",
    "is_allowed",
    "levels",
    "why_not_bubblewrap",
]

why_not_bubblewrap = why_not


def levels() -> tuple[str, ...]:
    """The names that `choose` takes, the strongest first."""
    return (Bubblewrap.level, Plain.level)


def choose(name: str | None = None) -> Sandbox:
    """The sandbox of that level, or the best that works here."""
    if name not in (None, *levels()):
        raise unknown("sandbox", name or "", levels())
    if name == Plain.level:
        return Plain()
    problem = why_not()
    if problem is None:
        return Bubblewrap()
    if name is None:
        return Plain()
    raise UserError(f"expected a working bubblewrap, got none: {problem}")


def is_allowed(bot: Bot, sandbox: Sandbox, *, unsafe: bool) -> bool:
    """Whether a bot may run: what did not come with arena needs something to hold it back, or trust."""
    return sandbox.level != Plain.level or bot.shipped or unsafe


def check_allowed(bot: Bot, sandbox: Sandbox, *, unsafe: bool) -> None:
    """Refuse to run what did not come with arena where nothing would hold it back."""
    if not is_allowed(bot, sandbox, unsafe=unsafe):
        raise UserError(
            f"expected a sandbox for the bot {bot.name!r}, which did not come with arena, got none: "
            "install bubblewrap, or say --unsafe to let it do whatever you may do yourself"
        )
