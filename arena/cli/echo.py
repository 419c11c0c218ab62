"""What bots print, passed through line by line with the bot's name before each."""

from functools import partial

from rich.console import Console
from rich.text import Text

from arena.cli import screen
from arena.sandbox import Hear

LONGEST = 4096  # bytes without a newline that are held back; what is longer comes in pieces


class Echo:
    """Hears agents; a call makes the ear for the one of this name."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._rests: dict[str, bytes] = {}  # of lines that have not ended yet

    def __call__(self, name: str) -> Hear:
        return partial(self._hear, name)

    def end(self) -> None:
        """Show what never came to the end of its line."""
        for name, rest in self._rests.items():
            if rest:
                self._show(name, rest)
        self._rests.clear()

    def _hear(self, name: str, chunk: bytes) -> None:
        *lines, rest = (self._rests.get(name, b"") + chunk).split(b"\n")
        while len(rest) > LONGEST:
            lines.append(rest[:LONGEST])
            rest = rest[LONGEST:]
        self._rests[name] = rest
        for line in lines:
            self._show(name, line)

    def _show(self, name: str, line: bytes) -> None:
        text = line.decode(errors="replace").replace("\t", "    ").rstrip("\r")
        shown = Text(f"{name} | ", style="cyan").append(screen.clean(text), style="default")
        self._console.print(shown, soft_wrap=True)
