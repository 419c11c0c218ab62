"""Ways to start an agent: bubblewrap where it works, a plain process where not; never one of them in silence.

What a way enforces is its level, which stands in every table and record.
"""

from arena.bots import Bot
from arena.errors import UserError, unknown
from arena.sandbox import bubblewrap
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.cgroup import NoGroups
from arena.sandbox.container import Containers
from arena.sandbox.container_engine import ENGINES
from arena.sandbox.contract import SOCKET, Agent, Hear, Launch, LaunchError, LaunchKilled, Meter, Sandbox
from arena.sandbox.janitor import Janitor
from arena.sandbox.job import Finished, Job
from arena.sandbox.plain import Plain

__all__ = [
    "SOCKET",
    "Agent",
    "Bubblewrap",
    "Finished",
    "Hear",
    "Janitor",
    "Job",
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
    "why_not_lite",
]


def why_not_bubblewrap() -> str | None:
    """Why agents cannot be held by bubblewrap with control groups here; None if they can."""
    return bubblewrap.why_not(bubblewrap.FULL)


def why_not_lite() -> str | None:
    """Why agents cannot be held by bubblewrap here, not even without control groups; None if they can."""
    return bubblewrap.why_not(bubblewrap.LITE)


def levels() -> tuple[str, ...]:
    """The names that `choose` takes, the strongest first."""
    return (bubblewrap.FULL, bubblewrap.LITE, *ENGINES, Plain.level)


def choose(name: str | None = None) -> Sandbox:
    """The sandbox of that level, and no other; without a name, the best that works here."""
    if name not in (None, *levels()):
        raise unknown("sandbox", name or "", levels())
    if name == Plain.level:
        return Plain()
    if name in ENGINES:  # by name only: who wants an engine says so
        return Containers(ENGINES[name])
    for level in (bubblewrap.FULL, bubblewrap.LITE) if name is None else (name,):
        try:
            return bubblewrap.opened(level)
        except bubblewrap.Unavailable as error:
            if name is not None:
                way_out = f"; {bubblewrap.LITE} does without" if isinstance(error.__cause__, NoGroups) else ""
                raise UserError(f"expected a working {name}, got none: {error}{way_out}") from error
    return Plain()


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
