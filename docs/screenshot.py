"""Draws the pictures of the README: its commands, run for real in a terminal of 80 columns."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

PICTURES = {
    "ladder.svg": "ladder --game party-bugs",
    "match.svg": "match --game party-bugs --bots random,greedy,party-bugs",
}


def main() -> None:
    """Run the commands in a new home and keep what they show."""
    with tempfile.TemporaryDirectory() as home:
        for name, command in PICTURES.items():
            draw(Path(__file__).parent / name, command, home)


def draw(target: Path, command: str, home: str) -> None:
    """One command as a picture."""
    variables = {"COLUMNS": "80", "FORCE_COLOR": "1", "TERM": "xterm-256color", "ARENA_COMMAND": "python3 run.py"}
    ran = subprocess.run(
        [sys.executable, "-m", "arena", *command.split()],
        env={**os.environ, **variables, "ARENA_HOME": home},
        capture_output=True,
        text=True,
        check=True,
    )
    console = Console(record=True, width=80, file=sys.stderr)
    console.print(Text(f"$ python3 run.py {command}\n", style="bold"))
    console.print(Text.from_ansi(ran.stdout))
    drawn = console.export_svg(title="arena")
    # Without the fonts from elsewhere that it would fetch: any monospace font will do.
    target.write_text(re.sub(r"@font-face \{.*?\}\n", "", drawn, flags=re.DOTALL))


if __name__ == "__main__":
    main()
