"""`arena doctor`: what holds on this machine, and how to mend what does not."""

import typer
from rich.text import Text

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption
from arena.home import Home

STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def doctor(*, as_json: JsonOption = False, home: HomeOption = None) -> None:
    """Check what works on this machine, and how to mend the rest.

    Python, compiled engines, sandbox, storage, the bots' runtime: every line is ok, warn or fail, and says how to
    mend it. The exit code is 1 if something fails.
    """
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
