"""Draws docs/match.svg: the README's first command, run for real in a terminal of 80 columns."""

import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

COMMAND = ["match", "--game", "party-bugs", "--bots", "random,greedy,party-bugs", "--seed", "7"]
TARGET = Path(__file__).parent / "match.svg"


def main() -> None:
    """Run the command and keep what it shows."""
    environment = {**os.environ, "COLUMNS": "80", "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    ran = subprocess.run(
        [sys.executable, "-m", "arena", *COMMAND], env=environment, capture_output=True, text=True, check=True
    )
    console = Console(record=True, width=80, file=sys.stderr)
    console.print(Text(f"$ python3 run.py {' '.join(COMMAND)}\n", style="bold"))
    console.print(Text.from_ansi(ran.stdout))
    drawn = console.export_svg(title="arena")
    # Without the fonts from elsewhere that it would fetch: any monospace font will do.
    TARGET.write_text(re.sub(r"@font-face \{.*?\}\n", "", drawn, flags=re.DOTALL))


if __name__ == "__main__":
    main()
