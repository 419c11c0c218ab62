"""`arena bench sandbox`, `clocks`, `attack`: what safety costs, whether clocks are fair, what attacks do to others."""

from typing import Annotated

import typer

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption
from arena.cli.match import SandboxOption
from arena.errors import unknown
from arena.home import Home

ClockDecisionsOption = Annotated[
    int, typer.Option("--decisions", help="At least so many by the CPU rule.", metavar="N", min=1, max=10_000_000)
]
ClockAllowanceOption = Annotated[
    int, typer.Option("--allowance", help="Milliseconds for each.", metavar="MS", min=1, max=60_000)
]
AttacksOption = Annotated[
    str | None, typer.Option("--attacks", help="With commas; else all.", metavar="NAMES", show_default=False)
]
AttackSecondsOption = Annotated[
    float, typer.Option("--seconds", help="For each attack.", metavar="SECONDS", min=0.01, max=3600)
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


def attack(
    *,
    attacks: AttacksOption = None,
    seconds: AttackSecondsOption = 2.0,
    sandbox: SandboxOption = None,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Measure what honest bots feel of attacks on the referee.

    For each attack over a bot's socket, the slowest decision of the honest bots, beside a run without attack. The
    exit code is 1 if an honest bot failed.

    \b
    Example:
      arena bench attack --seconds 1
    """  # noqa: D301 - the mark keeps the lines below it as they are
    import asyncio  # noqa: PLC0415 - help need not wait for it

    from arena import sandbox as sandboxes  # noqa: PLC0415
    from arena.attack import intruders  # noqa: PLC0415
    from arena.bench import attack as bench  # noqa: PLC0415

    wanted = attacks.split(",") if attacks else list(intruders.ATTACKS)
    for name in wanted:
        if name not in intruders.ATTACKS:
            raise unknown("attack", name, intruders.ATTACKS)
    with screen.err().status("starting") as status:
        measure = bench.run(Home.find(home), sandboxes.choose(sandbox), seconds=seconds, ways=wanted, say=status.update)
        felt = asyncio.run(measure)
    if as_json:
        screen.print_json([one.plain() for one in felt])
    else:
        screen.out().print(bench.table(felt))
        screen.out().print(bench.summary(felt))
    raise typer.Exit(int(any(one.honest_faults for one in felt)))


def add_to(app: typer.Typer) -> None:
    """Make them commands of `arena bench`."""
    app.command("sandbox")(sandbox)
    app.command("clocks")(clocks)
    app.command("attack")(attack)
