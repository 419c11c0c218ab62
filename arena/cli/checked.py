"""How a check went, as people read it."""

from collections.abc import Sequence

from rich.text import Text

from arena.bots import Bot
from arena.cli import checking, faults, screen
from arena.cli.checking import Checked

SHOWN = 5  # faults with all that is known of them; the others in a line each


def show(bot: Bot, checked: Sequence[Checked], reference: str) -> None:
    """The table, and all about failures."""
    out = screen.out()
    titles = ("game", "matches", "decisions", "median", "p99", "slowest", "faults")
    shown = screen.table(*titles, numbers=titles[1:])
    for line in checking.summaries(checked):
        times = [screen.duration(micros) if micros is not None else "-" for micros in line.times()]
        row = (line.game, str(line.matches), f"{len(line.micros):,}", *times, str(line.faults or "-"))
        shown.add_row(*row, style="red" if line.faults else "")
    out.print(shown)
    failed = [one for one in checked if one.fault]
    for one in failed[:SHOWN]:
        _explain(one, reference)
    for one in failed[SHOWN:]:
        out.print(f"\nalso: {screen.command(one.case.command(reference))}", soft_wrap=True)
    out.print()
    out.print(_verdict(bot, len(failed), len(checked)))


def _explain(one: Checked, reference: str) -> None:
    out = screen.out()
    if one.fault:
        out.print()
        out.print(faults.explained(one.result, one.fault))
        out.print(Text(f"  it saw: {screen.clean(' '.join(checking.seen(one).split()))}", style="dim"))
        out.print(f"  again: {screen.command(one.case.command(reference))}", soft_wrap=True)


def _verdict(bot: Bot, failed: int, matches: int) -> Text:
    if failed:
        return Text(f"{bot.name} failed in {failed} of {matches} matches and would be refused.", style="red")
    return Text(f"{bot.name} played {matches} matches without a fault: it is ready.", style="green")
