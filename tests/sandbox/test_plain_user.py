"""The sandbox as a plain user has it: its own tests, run again as a user without any rights.

The interpreter and the checkout may lie where only root can go, so they are shown to that user at their places.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent.parent
USER = 61_500


def closed(path: Path) -> Path | None:
    """The topmost folder on the way to a path that others may not enter."""
    return next((each for each in reversed(path.parents) if not each.stat().st_mode & 0o001), None)


def as_plain_user(*words: str, group: str = "") -> list[str]:
    """A command as that user; in a control group that was delegated to it, if there is one."""
    places = [*dict.fromkeys([Path(sys.base_prefix), Path(sys.prefix), CHECKOUT])]
    tops = [*dict.fromkeys(str(top) for top in map(closed, places) if top)]
    hidden = [word for top in tops for word in ("--perms", "0755", "--tmpfs", top)]
    between = dict.fromkeys(str(each) for place in places for each in reversed(place.parents))
    # bwrap would make them for root alone; those that are there stay as they are.
    opened = [word for folder in between for word in ("--perms", "0755", "--dir", folder)]
    shown = [*opened, *(word for place in places for word in ("--bind", str(place), str(place)))]
    own = ["--perms", "1777", "--tmpfs", "/tmp"]
    drop = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]
    join = ["sh", "-c", 'echo 0 >"$0/cgroup.procs" && exec "$@"', group] if group else []
    return ["bwrap", "--die-with-parent", "--dev-bind", "/", "/", *own, *hidden, *shown, "--", *join, *drop, *words]


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    if os.geteuid() != 0:
        pytest.skip("these tests are run by a plain user already")
    if not (shutil.which("bwrap") and shutil.which("setpriv")):
        pytest.skip("needs bubblewrap and setpriv")
    # CI would call it a failure that a plain user has no control groups.
    clean = {"PATH": os.environ["PATH"], "HOME": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    command = as_plain_user(sys.executable, *words)
    return subprocess.run(command, env=clean, cwd=CHECKOUT, capture_output=True, text=True, check=False, timeout=500)


@pytest.mark.timeout(600)
def test_a_plain_user_has_the_lite_jail_with_all_that_it_promises() -> None:
    files = [f"tests/sandbox/test_{name}.py" for name in ("agents", "choice", "jail", "job", "limits")]
    ended = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "lite or choice", *files)
    assert ended.returncode == 0, ended.stdout[-5000:] + ended.stderr[-2000:]
    passed = re.search(r"(\d+) passed", ended.stdout)
    assert passed, ended.stdout
    assert int(passed[1]) > 80


def test_a_plain_user_who_asks_for_control_groups_is_told() -> None:
    ended = run("-c", "from arena import sandbox; print(sandbox.choose().level); sandbox.choose('bubblewrap')")
    assert ended.stdout == "bubblewrap-lite\n"
    assert "UserError: expected a working bubblewrap, got none: " in ended.stderr
    assert "; bubblewrap-lite does without" in ended.stderr


if __name__ == "__main__":  # for the kernel of test_cgroup2.py
    place, *rest = sys.argv[1:]
    os.execvp("bwrap", as_plain_user(sys.executable, *rest, group=place))
