"""Tidies up after a referee that was killed: folders of sockets and control groups would else stay behind.

It is a small shell that waits for the end of a pipe: the kernel closes it with the referee, also with a killed one.
What is left when both are killed is swept at the next start.
"""

import os
import subprocess
from collections.abc import Iterable
from typing import Final

from arena.sandbox import cgroup, seat

# Agents die with their referee, but not before it: their groups can be removed a moment later. In a group there is
# nothing but agents; a leaf is left alone unless it is empty but for this shell.
_SCRIPT: Final = """
trap '' HUP INT TERM
[ -z "$(cat)" ] || exit
name=$1 places=$2 leaves=$3
shift 3
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    printf %s "$places" | while IFS= read -r place; do
        find "$place" -maxdepth 1 -name "$name" -exec rm -rf {} +
    done
    left=
    for group in "$@"; do
        [ -d "$group" ] || continue
        for pid in $(find "$group" -name cgroup.procs -exec cat {} +); do
            [ "$pid" -gt 0 ] && kill -9 "$pid"
        done
        find "$group" -depth -type d -exec rmdir {} +
        [ -d "$group" ] && left=yes
    done
    [ -z "$left" ] && break
    sleep 0.1
done
printf %s "$leaves" | while IFS= read -r leaf; do
    for name in cpu memory pids; do
        echo "-$name" >"${leaf%/*}/cgroup.subtree_control"
    done
    echo $$ >"${leaf%/*}/cgroup.procs"
    echo 0 >"${leaf%/*}/cgroup.procs"
    rmdir "$leaf"
done
"""


class Janitor:
    """At work from its making on."""

    def __init__(self) -> None:
        seat.sweep()
        places = [os.path.abspath(place) for place in seat.places()]  # noqa: PTH100 - no link is to be followed
        self._shell = subprocess.Popen(
            ["sh", "-c", _SCRIPT, "arena-janitor", f"{seat.prefix()}*", _lines(places), _lines(cgroup.own_leaves())]
            + [str(group) for group in cgroup.own()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal is for the referee alone
        )

    def dismiss(self) -> None:
        """Let it go: the referee has tidied up itself, and others in this process may have folders and groups still."""
        self._shell.communicate(b"dismissed")


def _lines(paths: Iterable[object]) -> str:
    return "".join(f"{path}\n" for path in dict.fromkeys(paths))
