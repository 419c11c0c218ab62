"""Tidies up after a referee, however that has ended: folders of sockets and control groups would else stay behind.

It is a small shell that waits for the end of a pipe: the kernel closes it with the referee, also with a killed one.
"""

import os
import subprocess
from typing import Final

from arena.sandbox import cgroup, seat

# Agents die with their referee, but not before it: their groups can be removed a moment later.
_SCRIPT: Final = """
cat >/dev/null
name=$1 places=$2
shift 2
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    printf %s "$places" | while IFS= read -r place; do
        find "$place" -maxdepth 1 -name "$name" -exec rm -rf {} +
    done
    left=
    for group in "$@"; do
        if [ -d "$group" ]; then
            find "$group" -depth -type d -exec rmdir {} +
            [ -d "$group" ] && left=yes
        fi
    done
    [ -z "$left" ] && exit
    sleep 0.1
done
"""


class Janitor:
    """At work from its making on."""

    def __init__(self) -> None:
        places = "".join(f"{place}\n" for place in dict.fromkeys(seat.places()))
        groups = [str(group) for group in cgroup.own()]
        self._shell = subprocess.Popen(
            ["sh", "-c", _SCRIPT, "arena-janitor", f"{seat.prefix(os.getpid())}*", places, *groups],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal is for the referee alone
        )

    def dismiss(self) -> None:
        """Let it tidy up and go."""
        self._shell.communicate()
