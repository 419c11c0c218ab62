"""The sandbox on a kernel with control groups of the second version only: user-mode-linux, a kernel as a process."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.timeout(900)
@pytest.mark.skipif(os.geteuid() != 0, reason="the kernel shows the folders of this machine to its own root")
def test_the_second_version_holds_for_root_and_for_a_plain_user() -> None:
    kernel = shutil.which("linux.uml") or shutil.which("linux")
    if kernel is None or not shutil.which("bwrap"):
        pytest.skip("needs user-mode-linux and bubblewrap")
    said = boot(kernel)
    assert re.findall(r"^ended with \d+", said, re.MULTILINE) == ["ended with 0"] * 2, said
    passed = [int(number) for number in re.findall(r"(\d+) passed", said)]
    assert [number >= 20 for number in passed] == [True, True], said
    assert "/sys/fs/cgroup/" not in said, said  # there a group would be told that was left behind


def boot(kernel: str) -> str:
    """What the tests say on another kernel; nothing of it outlives this call."""
    words = [
        *("rootfstype=hostfs", "rootflags=/", "ro", "mem=1536M", "loglevel=1"),
        *("con=null", "con0=null,fd:1", "ssl=null", f"init={HERE / 'cgroup2_init.sh'}"),
        *(f"CHECKOUT={HERE.parent.parent}", f"PYTHON={sys.executable}"),  # it hands on to init what it does not know
    ]
    alone = ["bwrap", "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/", "--proc", "/proc", "--"]
    ended = subprocess.run([*alone, kernel, *words], capture_output=True, check=False, timeout=800)
    return ended.stdout.decode(errors="replace")
