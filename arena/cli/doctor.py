"""`arena doctor`: what holds on this machine, and how to mend what does not."""

from typing import Annotated

import typer
from rich.text import Text

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption
from arena.cli.match import SandboxOption
from arena.errors import UserError
from arena.home import Home

STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}


AttackOption = Annotated[bool, typer.Option("--attack", help="Attack the sandbox, and tell what held.")]


def doctor(
    *,
    attack: AttackOption = False,
    sandbox: SandboxOption = None,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Check what works on this machine, and how to mend the rest.

    Python, compiled engines, sandbox, storage, the bots' runtime: every line is ok, warn or fail, and says how to
    mend it. With --attack, hostile probes are started in the sandbox instead, and every promise of it is shown to hold
    or to be open. The exit code is 1 if something fails.

    \b
    Example:
      arena doctor --attack
    """  # noqa: D301 - the mark keeps the lines below it as they are
    if attack:
        from arena.cli import attack as attacks  # noqa: PLC0415 - help need not wait for it

        raise typer.Exit(attacks.doctor(Home.find(home), sandbox, as_json=as_json))
    if sandbox is not None:
        raise UserError("expected --attack beside --sandbox, got --sandbox alone")
    from arena.doctor import examine  # noqa: PLC0415 - help need not wait for it

    findings = examine(Home.find(home))
    if as_json:
        screen.print_json([finding.plain() for finding in findings])
    else:
        shown = screen.table("", "what", "finding")
        for finding in findings:
            mend = Text(f"\n{finding.mend}", style="italic") if finding.mend else Text()
            words = Text(screen.clean(finding.words)).append_text(mend)
            shown.add_row(Text(finding.verdict, style=STYLES[finding.verdict]), finding.name, words)
        screen.out().print(shown)
    raise typer.Exit(int(any(finding.verdict == "fail" for finding in findings)))
