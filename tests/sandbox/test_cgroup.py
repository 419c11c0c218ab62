"""Control groups: where they are found, how they are made, joined, swept.

Most of it is tried on what this machine has. Where that is the first version, the limits of the second are tried on
plain folders alone, which shows what is written and read there but not that a kernel obeys: test_cgroup2.py runs this
file, and that of the limits, on a kernel of the second version.
"""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.limits import Limits
from arena.sandbox import cgroup, owner
from arena.sandbox.bubblewrap import Unavailable, opened
from arena.sandbox.cgroup import Groups, NoGroups
from arena.sandbox.group import V1, V2, Group
from arena.sandbox.meter import GroupMeter
from tests.sandbox.agents import content, eventually, exists

# An arena with an agent that nothing ends with it but the janitor.
FORSAKEN = """
import os, subprocess, sys, time
from pathlib import Path
from arena.limits import Limits
from arena.sandbox import Janitor, cgroup, owner
for own in sys.argv[1:]:
    Path(own, "cgroup.procs").write_text("0")
group = cgroup.find().make(Limits(), monitors=0)
subprocess.Popen(group.joining(["sleep", "600"]), stdout=subprocess.DEVNULL)
while not group.threads():
    time.sleep(0.01)
janitor = Janitor()
print(owner.mark(os.getpid()), flush=True)
time.sleep(60)
"""
LIMITS = Limits(memory_mb=32, cpu_percent=50, processes=7)


@pytest.fixture
def groups() -> Groups:
    try:
        return cgroup.find()
    except NoGroups as error:
        pytest.skip(f"needs control groups: {error}")


def spawn(group: Group, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(group.joining([*words]))


def test_a_process_joins_before_it_becomes_the_command(groups: Groups) -> None:
    group = groups.make(LIMITS, monitors=0)
    read_at_once = "import time; print(open('/proc/self/cgroup').read(), flush=True); time.sleep(60)"
    process = subprocess.Popen(group.joining([sys.executable, "-c", read_at_once]), stdout=subprocess.PIPE, text=True)
    assert process.stdout
    with process.stdout as said:
        lines = [said.readline().strip() for _ in content("/proc/self/cgroup").splitlines()]
    joined = {name for line in lines if line.endswith(group._every[0].name) for name in line.split(":")[1].split(",")}
    assert joined == ({*V1.controllers} if groups.version is V1 else {""})
    group.remove_soon()
    assert process.wait() == -9
    assert not any(map(exists, map(str, group._every)))


def test_a_group_that_cannot_be_joined_starts_nothing(groups: Groups) -> None:
    group = groups.make(LIMITS, monitors=0)
    group.remove_soon()
    words = group.joining(["echo", "started"])
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ended.returncode == 0, ended.stdout) == (False, "")


async def test_limits_are_those_that_the_kernel_shows(groups: Groups) -> None:
    group = groups.make(LIMITS, monitors=3)
    try:
        if groups.version is V1:
            shown = {"memory": "memory.limit_in_bytes", "cpu": "cpu.cfs_quota_us", "pids": "pids.max"}
            expected = [str(32 << 20), "50000", "10"]
        else:
            shown = {"memory": "memory.max", "cpu": "cpu.max", "pids": "pids.max"}
            expected = [str(32 << 20), "50000 100000", "10"]
        assert [(group._folders[name] / file).read_text().strip() for name, file in shown.items()] == expected
    finally:
        await group.remove()


def test_two_of_one_process_do_not_meet(groups: Groups) -> None:
    first, second = groups.make(LIMITS, monitors=0), cgroup.find().make(LIMITS, monitors=0)
    assert first._every != second._every
    first.remove_soon()
    assert all(map(Path.is_dir, second._every))
    second.remove_soon()


def test_every_agent_counts_like_one_process(groups: Groups) -> None:
    made = [groups.make(LIMITS, monitors=0) for _ in range(3)]
    parent = made[0]._folders["cpu"].parent
    weights = [int((parent / groups.version.weight).read_text())]
    for group in made[:2]:
        group.remove_soon()
        weights.append(int((parent / groups.version.weight).read_text()))
    assert weights == [groups.version.usual * agents for agents in (3, 2, 1)]
    made[2].remove_soon()
    assert not parent.exists()


ARENA = """
import subprocess, time
from arena.limits import Limits
from arena.sandbox import cgroup, owner
group = cgroup.find().make(Limits(), monitors=0)
# Nothing ends it with us.
process = subprocess.Popen(group.joining(["sleep", "600"]), start_new_session=True, stdout=subprocess.DEVNULL)
while process.pid not in group.threads():
    time.sleep(0.01)
print(process.pid, *group._every, flush=True)
time.sleep(600)
"""


async def test_what_a_killed_arena_left_is_swept_and_a_live_one_is_let_be(groups: Groups) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-c", ARENA]
    pipe = asyncio.subprocess.PIPE
    arenas = [await asyncio.create_subprocess_exec(*words, stdout=pipe, env=environment) for _ in range(2)]
    said = [(await arena.stdout.readline()).decode().split() for arena in arenas if arena.stdout]
    (first, *gone), (second, *live) = said
    try:
        arenas[0].kill()
        await arenas[0].communicate()
        assert all(map(exists, gone + live))
        cgroup.find()
        assert not any(exists(str(Path(place).parent)) for place in gone)
        assert all(map(exists, [*live, f"/proc/{second}/exe"]))
    finally:
        arenas[1].kill()
        await arenas[1].communicate()
    cgroup.find()
    assert not any(exists(str(Path(place).parent)) for place in live)
    assert [pid for pid in (first, second) if exists(f"/proc/{pid}/exe")] == []  # a zombie has none


# Where groups are found


def process(tmp_path: Path, mounts: list[str], groups: list[str]) -> Path:
    """A folder that says of a process what /proc would."""
    folder = tmp_path / "process"
    folder.mkdir()
    (folder / "mountinfo").write_text("".join(f"{line}\n" for line in mounts))
    (folder / "cgroup").write_text("".join(f"{line}\n" for line in groups))
    return folder


def test_each_controller_may_be_somewhere_else(tmp_path: Path) -> None:
    mounts = [
        f"30 24 0:26 / {tmp_path}/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct",
        f"31 24 0:27 /docker/1 {tmp_path}/mem\\040ory rw - cgroup cgroup rw,memory",
        f"32 24 0:28 / {tmp_path}/pids rw - cgroup cgroup rw,pids",
        f"33 24 0:29 / {tmp_path}/unified rw - cgroup2 cgroup2 rw",
        "34 24 0:30 / /proc rw - proc proc rw",
    ]
    lines = ["4:cpu,cpuacct:/user", "3:memory:/docker/1/deep", "2:pids:/", "1:name=systemd:/", "0::/elsewhere"]
    found = [*cgroup._hierarchies(process(tmp_path, mounts, lines))]
    assert {(each.version, each.own) for each in found} == {
        (V1, tmp_path / "cpu,cpuacct/user"),
        (V1, tmp_path / "mem ory/deep"),
        (V1, tmp_path / "pids"),
        (V2, tmp_path / "unified/elsewhere"),
    }


def test_a_group_outside_of_what_is_mounted_is_no_place(tmp_path: Path) -> None:
    mounts = [f"31 24 0:27 /docker/1 {tmp_path} rw - cgroup2 cgroup rw"]
    assert [*cgroup._hierarchies(process(tmp_path, mounts, ["0::/docker/2"]))] == []


@pytest.mark.parametrize(
    ("controllers", "said"),
    [(None, "not mounted, or without the controllers"), ("cpu memory", "is without the controllers cpu, memory, pids")],
)
def test_why_there_are_none_is_told(tmp_path: Path, controllers: str | None, said: str) -> None:
    mounts = [f"31 24 0:27 / {tmp_path} rw - cgroup2 cgroup rw"] if controllers else []
    (tmp_path / "cgroup.controllers").write_text(controllers or "")
    with pytest.raises(NoGroups, match=said):
        cgroup.find(process(tmp_path, mounts, ["0::/"]))


def test_a_level_with_groups_is_not_had_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Groups:
        raise NoGroups("there are none")

    monkeypatch.setattr(cgroup, "find", none)
    with pytest.raises(Unavailable, match=r"^there are none$"):
        opened("bubblewrap")


# The second version


@pytest.fixture
def unified() -> Path:
    """This process's group in the machine's hierarchy of the second version."""
    found = [each.own for each in cgroup._hierarchies(Path("/proc/self")) if each.version is V2]
    if not found or not os.access(found[0], os.W_OK):
        pytest.skip("needs a writable cgroup2")
    return found[0]


async def test_second_version_members_cpu_time_and_end_for_real(unified: Path) -> None:
    folder = unified / f"arena-test-{os.getpid()}" / "agent"
    group = Group(V2, dict.fromkeys(V2.controllers, folder), 0)
    folder.mkdir(parents=True)
    busy = spawn(group, sys.executable, "-c", "import os\nos.fork()\nwhile True: pass")
    meter = GroupMeter(group, LIMITS)
    await eventually(lambda: meter.cpu_micros() > 200_000)
    await eventually(lambda: len(group.threads()) == 2)
    await meter.close()
    assert busy.wait() == -9
    assert not folder.parent.exists()
    assert meter.cpu_micros() > 200_000


def test_second_version_sweeps_a_leaf_only_when_it_is_empty(unified: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    leaf = unified / f"arena-{owner._namespace()}-{gone.pid}-1-referee"
    leaf.mkdir()
    inside = spawn(Group(V2, {"cpu": leaf}, 0), "sleep", "60")
    try:
        while str(inside.pid) not in (leaf / "cgroup.procs").read_text().split():
            time.sleep(0.01)
        cgroup._sweep(unified)
        assert inside.poll() is None
    finally:
        inside.kill()
        inside.wait()
    cgroup._sweep(unified)
    assert not leaf.exists()


def test_a_group_that_another_arena_has_removed_meanwhile_is_swept(tmp_path: Path) -> None:
    cgroup._remove_tree(tmp_path / "gone")


async def test_a_janitor_removes_the_groups_of_an_arena_that_was_killed(groups: Groups) -> None:
    own: list[Path] = []
    if groups.version is V2:  # there it has to move into a leaf first
        own.append(groups._parents["cpu"].parent / f"own-{os.getpid()}")
        own[0].mkdir()
    words = [sys.executable, "-c", FORSAKEN, *map(str, own)]
    arena = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220 - started and killed at once
    assert arena.stdout
    with arena.stdout:
        mark = arena.stdout.readline().strip()
    assert folders_of(mark) != []
    arena.kill()
    arena.wait()
    await eventually(lambda: folders_of(mark) == [])
    for folder in own:
        await eventually(lambda: content(f"{folder}/cgroup.procs") == "")  # noqa: B023 - it is awaited here
        folder.rmdir()


def folders_of(mark: str) -> list[str]:
    """The groups of the arena with this mark."""
    return [f"{top}/{name}" for top, names, _ in os.walk("/sys/fs/cgroup") for name in names if mark in name]


def fake(folder: Path) -> None:
    """Gives a plain folder what a kernel would give a group."""
    for name, text in {
        "cgroup.controllers": "cpuset cpu io memory pids",
        "cgroup.subtree_control": "",
        "cgroup.procs": "",
        "memory.swap.max": "max",
    }.items():
        (folder / name).write_text(text)


@pytest.fixture
def second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of the second version on plain folders, of which this process is in `own`."""
    (tmp_path / "tree/own").mkdir(parents=True)
    fake(tmp_path / "tree/own")
    real = Path.mkdir

    def mkdir(self: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:  # noqa: FBT001, FBT002
        real(self, mode, parents, exist_ok)
        if self.is_relative_to(tmp_path / "tree"):
            fake(self)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    return tmp_path / "tree/own"


def test_second_version_limits_as_written(second: Path) -> None:
    cgroup._prepare(second)
    assert (second / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"
    group = Groups(V2, dict.fromkeys(V2.controllers, second)).make(LIMITS, monitors=2)
    (folder,) = group._every
    assert folder.parent.parent == second
    assert (folder.parent / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"
    names = ("memory.max", "memory.swap.max", "memory.oom.group", "cpu.max", "pids.max")
    written = [(folder / name).read_text() for name in names]
    assert written == [str(32 << 20), "0", "1", "50000 100000", "9"]


def test_second_version_counts_as_read(second: Path) -> None:
    group = Groups(V2, dict.fromkeys(V2.controllers, second)).make(LIMITS, monitors=2)
    (folder,) = group._every
    (folder / "cpu.stat").write_text("usage_usec 1234\nuser_usec 1000\nnr_throttled 3\nthrottled_usec 77\n")
    (folder / "memory.peak").write_text("4096\n")
    (folder / "memory.events").write_text("low 0\nmax 3\noom 1\noom_kill 0\noom_group_kill 0\n")
    (folder / "pids.current").write_text("5\n")
    meter = GroupMeter(group, LIMITS)
    usage = meter.usage()
    assert (usage.cpu_micros, usage.peak_memory, usage.processes) == (1234, 4096, 3)
    assert (meter.over_limit(), group.read(V2.throttled)) == ("", 77)
    (folder / "memory.events").write_text("oom 1\noom_kill 2\n")
    (folder / "pids.peak").write_text("9\n")
    assert (meter.over_limit(), meter.usage().processes) == ("its memory limit of 32 MB", 7)


def test_second_version_steps_aside_when_its_group_is_busy(second: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = iter([OSError(16, "busy")])
    enable = cgroup._enable

    def busy_once(folder: Path) -> None:
        for refusal in refusals:
            raise refusal
        enable(folder)

    monkeypatch.setattr(cgroup, "_enable", busy_once)
    cgroup._prepare(second)
    (leaf,) = (path for path in second.iterdir() if path.is_dir())
    assert leaf.name == cgroup._leaf()
    assert (leaf / "cgroup.procs").read_text() == "0"
    assert cgroup._above_leaf(leaf) == second


def test_second_version_steps_back_when_that_did_not_help(second: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(folder: Path) -> None:
        raise OSError(16, "busy")

    monkeypatch.setattr(cgroup, "_enable", busy)
    with pytest.raises(OSError, match="busy"):
        cgroup._prepare(second)
    assert (second / "cgroup.procs").read_text() == "0"
