"""`arena doctor --attack`: the attacks on the sandbox of this machine, and the answer that a ladder asks for."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from arena import sandbox as sandboxes
from arena.attack import verdicts
from arena.attack.catalogue import ATTACKS
from arena.attack.model import Finding, Verdict
from arena.attack.verdicts import Answer
from arena.cli import screen
from arena.errors import UserError
from arena.home import Home
from arena.sandbox import Sandbox

STYLES = {Verdict.HELD: "green", Verdict.OPEN: "bold red", Verdict.UNTESTED: "yellow"}
NOT_PROMISED = "yellow"
UNHELD = "none"  # the level at which nothing is held


def doctor(home: Home, level: str | None, *, as_json: bool) -> int:
    """Attack the sandbox of this level, or the best of this machine, and show what held; the exit code."""
    sandbox = sandboxes.choose(level)
    if level is None and sandbox.level == UNHELD:
        raise UserError(
            "expected a sandbox to attack, got none on this machine: install bubblewrap, or say --sandbox none to see "
            "what a bot could do without one"
        )
    with _progress() as advance:
        answer = asyncio.run(verdicts.ask(home, sandbox, advance))
    if as_json:
        screen.print_json(answer.plain())
    else:
        _show(answer)
    return int(bool(answer.broken))


def check_holds(home: Home, sandbox: Sandbox, *, unsafe: bool) -> None:
    """Refuse to let others' bots into a sandbox that does not hold here; it is attacked first, once a boot."""
    if unsafe or sandbox.level == UNHELD:  # where nothing is held, no such bot is let in at all
        return
    answer = verdicts.kept(home, sandbox.level)
    if answer is None:
        with _progress() as advance:
            answer = asyncio.run(verdicts.ask(home, sandbox, advance))
    verdicts.check(answer)


def _show(answer: Answer) -> None:
    shown = screen.table("", "a hostile bot", "by what")
    for finding in answer.findings:
        shown.add_row(_verdict(finding), _title(finding), finding.by or Text("not promised", style="dim"))
    screen.out().print(shown)
    for sentence in _summary(answer):
        screen.out().print(sentence)


def _verdict(finding: Finding) -> Text:
    unpromised = finding.verdict is Verdict.OPEN and not finding.promised
    return Text(finding.verdict, style=NOT_PROMISED if unpromised else STYLES[finding.verdict])


def _title(finding: Finding) -> Text:
    title = Text(finding.title)
    if finding.verdict is not Verdict.HELD:
        title.append(f"\n{screen.clean(finding.evidence)[:300]}", style="italic")
    return title


def _summary(answer: Answer) -> list[str]:
    counts = Counter(finding.verdict for finding in answer.findings)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    promised = sum(finding.promised for finding in answer.findings)
    kept = promised - len(answer.broken)
    lines = [f"level {answer.level}: {len(answer.findings)} attacks, {told}; {kept} of {promised} promises hold"]
    if answer.broken:
        lines.append(f"open: {', '.join(finding.attack for finding in answer.broken)}")
    return lines


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[Finding], None]]:
    """A bar on standard error while a terminal is there to see it."""
    columns = (TextColumn("attacking the sandbox"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = screen.err()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("attacks", total=len(ATTACKS))
        yield lambda _: bar.advance(task)
