"""`arena bench sandbox` and `arena bench clocks`: what safety costs, and whether clocks are fair on a full machine."""

from typing import Annotated

import typer

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption
from arena.cli.match import SandboxOption
from arena.home import Home

ClockDecisionsOption = Annotated[
    int, typer.Option("--decisions", help="At least so many by the CPU rule.", metavar="N", min=1, max=10_000_000)
]
ClockAllowanceOption = Annotated[
    int, typer.Option("--allowance", help="Milliseconds for each.", metavar="MS", min=1, max=60_000)
]


def sandbox(*, as_json: JsonOption = False, home: HomeOption = None) -> None:
    """Measure what each sandbox costs, beside a plain process.

    \b
    Example:
      arena bench sandbox
    """  # noqa: D301 - the mark keeps the lines below it as they are
    import asyncio  # noqa: PLC0415 - help need not wait for it

    from arena.bench import sandboxes as bench  # noqa: PLC0415

    with screen.err().status("starting") as status:
        costs = asyncio.run(bench.run(Home.find(home), bench.available(), status.update))
    if as_json:
        screen.print_json([cost.plain() for cost in costs])
        return
    screen.out().print(bench.table(costs))
    for sentence in bench.summary(costs):
        screen.out().print(sentence)


def clocks(
    *,
    decisions: ClockDecisionsOption = 10_000,
    allowance: ClockAllowanceOption = 20,
    sandbox: SandboxOption = None,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Measure how often honest bots are late on a full machine.

    They use four fifths of their allowance, and every core has other work. It takes a few minutes.

    \b
    Example:
      arena bench clocks --decisions 2000
    """  # noqa: D301 - the mark keeps the lines below it as they are
    import asyncio  # noqa: PLC0415 - help need not wait for it

    from arena import sandbox as sandboxes  # noqa: PLC0415
    from arena.bench import clocks as bench  # noqa: PLC0415
    from arena.match import TimeControl  # noqa: PLC0415

    time = TimeControl(allowance, 0)
    counted = 0
    with screen.err().status("starting") as status:

        def advance(more: int) -> None:
            nonlocal counted
            counted += more
            status.update(f"{counted:,} decisions")

        measure = bench.run(Home.find(home), sandboxes.choose(sandbox), decisions=decisions, time=time, advance=advance)
        found = asyncio.run(measure)
    if as_json:
        screen.print_json([one.plain() for one in found])
        return
    screen.out().print(bench.table(found))
    screen.out().print(bench.summary(found))


def add_to(app: typer.Typer) -> None:
    """Make both commands of `arena bench`."""
    app.command("sandbox")(sandbox)
    app.command("clocks")(clocks)
