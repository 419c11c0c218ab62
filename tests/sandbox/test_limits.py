"""What an agent may use, tried by agents that want all of it, at both levels of the jail."""

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from arena.limits import LEAST, Limits
from arena.sandbox import Agent, LaunchError, Meter, Sandbox, log
from arena.sandbox.meter import tree
from arena.sandbox.waits import Waits
from tests.sandbox.agents import Begin, content, eventually, exists

MB = 1 << 20
HOGS = {
    "heap": "kept.append(bytearray(1 << 20))",
    "children": """
if os.fork() == 0:
    held = bytearray(24 << 20)
    time.sleep(60)
time.sleep(0.05)
""",
    "shared memory": "m = mmap.mmap(-1, 1 << 20); m.write(bytes(1 << 20)); kept.append(m)",
    "files in /tmp": "open('/tmp/file', 'ab').write(bytes(1 << 20))",
    "files in /dev/shm": "open('/dev/shm/file', 'ab').write(bytes(1 << 20))",
    "files without a name": "f = open('/tmp/x', 'wb'); os.remove('/tmp/x'); f.write(bytes(1 << 20)); kept.append(f)",
}
MEMFD = "os.write(fd, bytes(1 << 20))"
ROOM = Limits(memory_mb=96, disk_mb=400)


def hog(line: str, before: str = "") -> str:
    """A program that takes about 400 MB, unless it is stopped."""
    body = "\n".join(f"    {part}" for part in line.strip().splitlines())
    return f"import mmap, os, time\n{before}\nkept = []\nfor _ in range(400):\n{body}\nprint('had it all')\n"


def meter_of(agent: Agent) -> Meter:
    assert agent.meter is not None
    return agent.meter


@pytest.mark.parametrize("what", HOGS)
async def test_a_hog_is_stopped_and_told_why(what: str, jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, hog(HOGS[what]), limits=ROOM)
    assert await agent.wait() == -signal.SIGKILL, agent.log()
    meter = meter_of(agent)
    assert meter.over_limit() == "its memory limit of 96 MB"
    assert "had it all" not in agent.log()
    peak = meter.usage().peak_memory
    assert peak is not None
    if jail.level == "bubblewrap":
        assert 80 * MB < peak <= 96 * MB
    else:
        assert 96 * MB < peak < 400 * MB  # sampled: it goes some way before it is seen


async def test_the_kernel_counts_files_of_memory_alone(full: Sandbox, begin: Begin) -> None:
    agent = await begin(full, hog(MEMFD, "fd = os.memfd_create('x')"), limits=ROOM)
    assert (await agent.wait(), meter_of(agent).over_limit()) == (-signal.SIGKILL, "its memory limit of 96 MB")


async def test_there_are_no_files_of_memory_alone_where_nobody_counts_them(lite: Sandbox, begin: Begin) -> None:
    agent = await begin(lite, "import os; os.memfd_create('x')", limits=ROOM)
    assert await agent.wait() == 1
    assert "Function not implemented" in agent.log()


async def test_a_bot_within_its_memory_is_left_alone(jail: Sandbox, begin: Begin) -> None:
    program = """
        import mmap, os, time
        shared = mmap.mmap(-1, 40 << 20)
        shared.write(bytes(40 << 20))
        for _ in range(4):  # who all see the same 40 MB
            if os.fork() == 0:
                sum(shared[place] for place in range(0, 40 << 20, 4096))
                time.sleep(60)
        time.sleep(0.7)
    """
    agent = await begin(jail, program, limits=Limits(memory_mb=160))
    assert (await agent.wait(), meter_of(agent).over_limit()) == (0, ""), agent.log()


async def test_a_child_that_is_killed_for_memory_takes_all_along(full: Sandbox, begin: Begin) -> None:
    program = """
        import os, time
        if os.fork() == 0:
            kept = []
            while True:
                kept.append(bytearray(1 << 20))
        time.sleep(600)
    """
    agent = await begin(full, program, limits=ROOM)
    assert (await agent.wait(), meter_of(agent).over_limit()) == (-signal.SIGKILL, "its memory limit of 96 MB")


async def test_too_little_memory_to_start_is_no_killer_from_outside(full: Sandbox, begin: Begin) -> None:
    with pytest.raises(LaunchError, match=r"the bot probe to start, got: .*its memory limit of 0 MB"):
        await begin(full, command=("sleep", "1"), limits=Limits(memory_mb=0))


async def test_the_least_limits_are_enough_to_start(jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, command=("echo", "here"), limits=LEAST)
    assert (await agent.wait(), agent.log()) == (0, "here\n")


FORKS = """
    import os
    print("ready")
    while True:
        try:
            os.fork()
        except OSError:
            pass
"""


async def test_a_fork_bomb_is_bounded_and_ends_at_once(jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, FORKS, limits=Limits(processes=24))
    await eventually(lambda: "ready" in agent.log())
    await eventually(lambda: (meter_of(agent).usage().processes or 0) >= 24)
    pids = [*tree(agent.pid)]
    agent.kill()
    assert await agent.wait() == -signal.SIGKILL
    assert not [pid for pid in pids if exists(f"/proc/{pid}")]
    assert meter_of(agent).usage().processes == 24


async def test_a_thread_bomb_is_bounded(jail: Sandbox, begin: Begin) -> None:
    program = """
        import threading
        threading.stack_size(1 << 16)
        for number in range(1000):
            try:
                threading.Thread(target=threading.Event().wait, daemon=True).start()
            except RuntimeError:
                print(number)
                break
    """
    agent = await begin(jail, program, limits=Limits(processes=24))
    assert (await agent.wait(), agent.log().strip()) == (0, "23")


async def test_spinners_share_what_one_agent_may_use(full: Sandbox, begin: Begin) -> None:
    spins = "for _ in 1 2 3 4 5 6 7; do while :; do :; done & done; echo ready; while :; do :; done"
    agent = await begin(full, command=("sh", "-c", spins), limits=Limits(cpu_percent=5))
    meter = meter_of(agent)
    await eventually(lambda: "ready" in agent.log())
    begun, used = time.monotonic(), meter.cpu_micros()
    await asyncio.sleep(2)
    used, wall = meter.cpu_micros() - used, (time.monotonic() - begun) * 1e6
    # A period may be granted on either side; else eight spinners would have most of a core, however busy the machine.
    assert 0 < used < 0.05 * wall + 80_000


SPINNERS = "for _ in 1 2 3; do while :; do :; done & done; echo ready; while :; do :; done"


async def test_an_agent_at_rest_gets_next_to_nothing_and_later_its_share_again(jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, command=("sh", "-c", SPINNERS))
    meter = meter_of(agent)
    await eventually(lambda: "ready" in agent.log())
    agent.rest()
    await asyncio.sleep(0.2)  # the period that it is in may go on
    before = meter.cpu_micros()
    await asyncio.sleep(1)
    assert meter.cpu_micros() - before < 50_000
    agent.wake()
    await eventually(lambda: meter.cpu_micros() - before > 300_000)


async def test_an_agent_at_rest_can_be_ended(jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, command=("sh", "-c", SPINNERS))
    await eventually(lambda: "ready" in agent.log())
    agent.rest()
    agent.kill()
    assert await asyncio.wait_for(agent.wait(), 5) == -signal.SIGKILL


BURNS = "import time\nwhile time.process_time() < 0.5: pass\nprint('done')\ntime.sleep(600)"


async def test_cpu_time_is_counted_and_remembered(jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, BURNS)
    meter = meter_of(agent)
    await eventually(lambda: "done" in agent.log())
    assert 450_000 < meter.cpu_micros() < 3_000_000
    agent.kill()
    await agent.wait()
    usage = meter.usage()
    assert usage.cpu_micros == meter.cpu_micros() >= 450_000
    assert (usage.peak_memory or 0) > MB
    assert usage.processes == 1
    assert meter.over_limit() == ""


async def test_only_the_kernel_counts_exactly(full: Sandbox, lite: Sandbox, begin: Begin) -> None:
    agents = [await begin(box, command=("sleep", "60")) for box in (full, lite)]
    assert [meter_of(agent).exact for agent in agents] == [True, False]


SPINS = "import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nprint('ready')\nwhile True: pass"


async def test_waiting_for_a_core_is_seen(jail: Sandbox, begin: Begin) -> None:
    agents = [await begin(jail, SPINS) for _ in range(2)]
    for agent in agents:
        await eventually(lambda agent=agent: "ready" in agent.log())  # type: ignore[misc]
    await eventually(lambda: all(meter_of(agent).starved_micros() > 200_000 for agent in agents))
    for agent in agents:
        agent.kill()
        await agent.wait()
        assert meter_of(agent).starved_micros() > 200_000


async def test_waiting_for_its_own_limit_is_not_starving(full: Sandbox, begin: Begin) -> None:
    agent = await begin(full, SPINS, limits=Limits(cpu_percent=10))
    group = agent.meter._group  # type: ignore[union-attr]

    def throttled() -> int:
        return group.read(group.version.throttled) or 0

    await eventually(lambda: throttled() > 300_000)
    before = throttled()
    starved = meter_of(agent).starved_micros()
    waited = max(Waits().look([f"/proc/{thread}"]) for thread in group.threads())
    assert starved <= max(0, waited - before) + 50_000


async def test_a_flood_of_output_waits_for_its_reader(jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, command=("yes",), limits=Limits(output_kb=64))
    await asyncio.sleep(1)
    agent.kill()
    await agent.wait()
    assert agent._log.seen < (64 << 10) * 2 + log.CHUNK * 14  # type: ignore[attr-defined]


async def test_a_file_is_no_longer_than_the_disk(jail: Sandbox, begin: Begin) -> None:
    program = """
        import os
        with open("/tmp/sparse", "wb") as file:
            try:
                os.truncate(file.fileno(), 100 << 20)
            except OSError as error:
                print(error.strerror)
    """
    agent = await begin(jail, program, limits=Limits(disk_mb=32))
    assert (await agent.wait(), agent.log().strip()) == (0, "File too large")


@pytest.mark.parametrize("ending", ["exit", "kill", "memory"])
async def test_nothing_is_left_of_its_groups(full: Sandbox, begin: Begin, ending: str) -> None:
    program = hog(HOGS["heap"]) if ending == "memory" else f"import time; time.sleep({0.2 if ending == 'exit' else 60})"
    agent = await begin(full, program, limits=ROOM)
    folders: list[Path] = agent.meter._group._every  # type: ignore[union-attr]
    assert all(map(Path.is_dir, folders))
    if ending == "kill":
        agent.kill()
    await agent.wait()
    assert [folder for folder in folders if folder.parent.exists()] == []


async def test_a_jail_whose_holder_is_killed_leaves_no_zombie(jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, command=("sleep", "600"))
    status = content(f"/proc/{agent.pid}/status")
    (holder,) = (int(line.split()[1]) for line in status.splitlines() if line.startswith("PPid:"))
    family = [*tree(holder)]
    os.kill(holder, signal.SIGKILL)
    assert await agent.wait() == -signal.SIGKILL
    assert [pid for pid in family if exists(f"/proc/{pid}")] == []
