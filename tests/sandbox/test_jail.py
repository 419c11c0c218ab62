"""What a jail promises, attacked from inside by real processes.

Every attack that cannot harm this machine is also made outside of a jail, where it must succeed: a probe that never
gets anywhere would prove nothing.
"""

import asyncio
import json
import os
import platform
import signal
import socket
import textwrap
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.limits import Limits
from arena.sandbox import LaunchError, Sandbox
from arena.sandbox.identity import UIDS
from arena.sandbox.jail import interpreter
from tests.sandbox.agents import Begin, content, eventually, exists, running

BREACH = 0
HELD = 3
CHECKOUT = Path(__file__).parent.parent.parent

ATTACKS = {
    "a TCP connection to the host": "socket.create_connection(('127.0.0.1', int(place)), 5)",
    "an abstract socket of the host": "socket.socket(socket.AF_UNIX).connect('\\0' + place)",
    "a file in somebody's home": "open(place).read()",
    "the checkout": "open(place).read()",
    "another bot": "open(place).read()",
    "a signal to the referee": "os.kill(int(place), 0)",
    "a write to its own folder": "open('planted', 'x').close(); os.remove('planted')",
    "a write to the runtime": "p = os.path.join(sys.prefix, 'planted'); open(p, 'w').close(); os.remove(p)",
    "a write beside the socket": "open(os.path.dirname(os.environ['ARENA_SOCKET']) + '/planted', 'w').close()",
}
IN_A_JAIL_ONLY = {
    "the password hashes": "open('/etc/shadow').read()",
    "a write to the system": "open('/usr/planted', 'w').close()",
    "a write to the root": "open('/planted', 'w').close()",
    "a write to the devices": "open('/dev/planted', 'w').close()",
    "a write to the configuration": "open('/etc/planted', 'w').close()",
    "a namespace of its own": "libc = ctypes.CDLL(None, use_errno=True)\nif libc.unshare(0x10000000): raise OSError",
    "root's uid": "os.setuid(0)",
    "a mount": "libc = ctypes.CDLL(None)\nif libc.mount(b'x', b'/tmp', b'tmpfs', 0, None): raise OSError",
}


def attack(lines: str) -> str:
    body = textwrap.indent(lines, "    ")
    head = "import ctypes, os, socket, sys\nplace = sys.argv[1]\n"
    return f"{head}try:\n{body}\nexcept OSError as error:\n    print(error)\n    sys.exit({HELD})\n"


@pytest.fixture
def places(tmp_path: Path, prey: socket.socket, abstract: str) -> dict[str, str]:
    for name in ("home", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.toml").write_text("secret")
    return {
        "a TCP connection to the host": str(prey.getsockname()[1]),
        "an abstract socket of the host": abstract,
        "a file in somebody's home": str(tmp_path / "home" / "bot.toml"),
        "the checkout": str(CHECKOUT / "pyproject.toml"),
        "another bot": "../other/bot.toml",
        "a signal to the referee": str(os.getpid()),
    }


@pytest.fixture
def prey() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@pytest.fixture
def abstract() -> Iterator[str]:
    name = f"arena-test-{uuid.uuid4()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0" + name)
        server.listen()
        yield name


@pytest.mark.parametrize("aim", ATTACKS)
async def test_an_attack_succeeds_outside_and_fails_inside(
    aim: str, jail: Sandbox, plain: Sandbox, begin: Begin, places: dict[str, str]
) -> None:
    program = attack(ATTACKS[aim])
    outside = await begin(plain, program, places.get(aim, ""))
    assert await outside.wait() == BREACH, outside.log()
    inside = await begin(jail, program, places.get(aim, ""))
    assert await inside.wait() == HELD, inside.log()


@pytest.mark.parametrize("aim", IN_A_JAIL_ONLY)
async def test_an_attack_fails_inside(aim: str, jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, attack(IN_A_JAIL_ONLY[aim]), "")
    assert await agent.wait() == HELD, agent.log()


async def test_only_its_own_processes_are_seen(jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, "import os; print(sum(name.isdigit() for name in os.listdir('/proc')))")
    assert (await agent.wait(), agent.log().strip()) == (0, "2")  # the jail's first process and the agent


async def host_uid(jail: Sandbox, begin: Begin) -> int:
    """The uid that this machine sees an agent run as."""
    mark = f"mark-{uuid.uuid4()}"
    agent = await begin(jail, "import time; print('ready'); time.sleep(600)", mark)
    await eventually(lambda: "ready" in agent.log())
    (pid,) = running(f"/runtime/bin/python\0bot.py\0{mark}", from_start=True)
    status = content(f"/proc/{pid}/status")
    (uid,) = {int(uid) for line in status.splitlines() if line.startswith("Uid:") for uid in line.split()[1:]}
    return uid


async def test_it_is_nobody_on_the_host(jail: Sandbox, begin: Begin) -> None:
    uid = await host_uid(jail, begin)
    assert uid in UIDS if os.geteuid() == 0 else uid == os.geteuid()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
async def test_two_agents_of_root_have_different_uids(jail: Sandbox, begin: Begin) -> None:
    assert await host_uid(jail, begin) != await host_uid(jail, begin)


async def test_the_temp_folder_is_private(jail: Sandbox, begin: Begin) -> None:
    name = f"/tmp/arena-test-{uuid.uuid4()}"
    agent = await begin(jail, f"open({name!r}, 'w').write('x'); print(open({name!r}).read())")
    assert (await agent.wait(), agent.log().strip()) == (0, "x")
    assert not exists(name)


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
async def test_the_temp_folders_are_bounded(folder: str, jail: Sandbox, begin: Begin) -> None:
    program = f"""
        import errno
        written = 0
        try:
            for number in range(100):
                with open(f"{folder}/{{number}}", "wb", buffering=0) as file:
                    for _ in range(16):
                        written += file.write(bytes(1 << 20))
        except OSError as error:
            print(errno.errorcode[error.errno], written >> 20)
    """
    agent = await begin(jail, program, limits=Limits(disk_mb=48))
    assert (await agent.wait(), agent.log().split()) == (0, ["ENOSPC", "48"])


async def test_processes_and_descriptors_are_bounded(jail: Sandbox, begin: Begin) -> None:
    program = """
        import os, time
        def count(act):
            for number in range(1000):
                try:
                    act()
                except OSError as error:
                    return number
        def fork():
            if os.fork() == 0:
                time.sleep(60)
        print(count(lambda: os.dup(0)), count(fork))
    """
    agent = await begin(jail, program, limits=Limits(processes=20))
    assert await agent.wait() == 0, agent.log()
    descriptors, processes = map(int, agent.log().split())
    assert 200 < descriptors < 256
    assert processes == 19


async def test_of_all_sockets_it_has_only_unix_ones(jail: Sandbox, begin: Begin) -> None:
    program = """
        import socket
        for family in range(46):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
                try:
                    socket.socket(family, kind).close()
                except OSError as error:
                    assert error.strerror == "Address family not supported by protocol", (family, error)
                else:
                    print(family, kind.name)
    """
    agent = await begin(jail, program)
    assert await agent.wait() == 0, agent.log()
    assert {line.split()[0] for line in agent.log().splitlines()} == {"1"}


REFUSED = {
    "flock": "fcntl.flock(open('/usr/bin/env'), fcntl.LOCK_SH)",
    "lock": "fcntl.lockf(open('/usr/bin/env'), fcntl.LOCK_SH)",
    "lock of an open file": "fcntl.fcntl(open('/usr/bin/env'), 37, struct.pack('hhqqi', 0, 0, 0, 0, 0))",
    "lease": "fcntl.fcntl(os.open('/tmp/x', os.O_CREAT | os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "watch": "call('inotify_init1', 0)",
    "trace": "call('ptrace', 0, 0, 0, 0)",
    "typing": "fcntl.ioctl(0, 0x5412, b'x')",
}


@pytest.mark.parametrize("what", REFUSED)
async def test_a_call_that_works_outside_is_refused_inside(
    what: str, jail: Sandbox, plain: Sandbox, begin: Begin
) -> None:
    head = """
import ctypes, fcntl, os, struct
def call(name, *words):
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*words) < 0:
        raise OSError(ctypes.get_errno(), name)
"""
    lines = f"{head}{REFUSED[what]}"
    if what != "typing":  # that needs a terminal
        outside = await begin(plain, attack(lines), "")
        assert await outside.wait() == BREACH, outside.log()
    inside = await begin(jail, attack(lines), "")
    assert await inside.wait() == HELD, inside.log()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only there are these other ways to call the kernel")
async def test_calls_for_other_processors_are_refused(jail: Sandbox, plain: Sandbox, begin: Begin) -> None:
    program = """
        import ctypes, mmap, sys
        if sys.argv[1] == "x32":
            sys.exit(0 if ctypes.CDLL(None).syscall(0x40000000 + 39) > 0 else 3)
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid of i386); int 0x80; ret
        address = ctypes.addressof(ctypes.c_char.from_buffer(code))
        sys.exit(0 if ctypes.CFUNCTYPE(ctypes.c_int)(address)() > 0 else 3)
    """
    assert await (await begin(jail, program, "x32")).wait() == HELD
    assert await (await begin(jail, program, "i386")).wait() == -signal.SIGSYS
    outside = await (await begin(plain, program, "i386")).wait()
    assert outside in {BREACH, -signal.SIGSEGV}  # the latter from a kernel without any i386


async def test_the_machine_is_not_told_of_in_proc(jail: Sandbox, begin: Begin) -> None:
    program = """
        import os
        for name in sorted(os.listdir("/proc")):
            path = f"/proc/{name}"
            if name.isdigit() or os.path.islink(path):
                continue
            try:
                told = os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1)
            except OSError:
                continue
            if told:
                print(name)
    """
    agent = await begin(jail, program)
    assert await agent.wait() == 0, agent.log()
    shown = {"cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version"}
    assert {*agent.log().split()} <= shown
    assert {"cpuinfo", "meminfo"} <= {*agent.log().split()}


async def test_cores_are_counted_but_not_watched(jail: Sandbox, begin: Begin) -> None:
    agent = await begin(jail, command=("cat", "/proc/stat"))
    assert await agent.wait() == 0
    names, *numbers = zip(*(line.split() for line in agent.log().splitlines()), strict=True)
    assert names == ("cpu", *(f"cpu{number}" for number in range(os.cpu_count() or 1)))
    assert {number for row in numbers for number in row} == {"0"}


async def test_a_thread_that_will_end_may_not_start_agents(jail: Sandbox, begin: Begin) -> None:
    def elsewhere() -> None:
        asyncio.run(begin(jail, command=("true",)))

    with pytest.raises(RuntimeError, match="expected a start from the main thread"):
        await asyncio.to_thread(elsewhere)


async def test_its_environment_and_descriptors_are_its_own(
    jail: Sandbox, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "of the referee")
    program = """
        import json, os
        print(json.dumps([dict(os.environ), sorted(os.listdir("/proc/self/fd")), os.getcwd()]))
    """
    agent = await begin(jail, program)
    assert await agent.wait() == 0
    environment, descriptors, folder = json.loads(agent.log())
    assert environment["ARENA_SOCKET"] == "/run/referee/agent.sock"
    assert environment["ARENA_TOKEN"] == "token"
    assert "SECRET" not in environment
    assert descriptors == ["0", "1", "2", "3"]  # the last one is that of the listing
    assert folder == "/agent"


async def test_no_mount_is_left_behind(jail: Sandbox, begin: Begin) -> None:
    before = content("/proc/mounts")
    agent = await begin(jail, command=("sleep", "60"))
    assert content("/proc/mounts") == before
    agent.kill()
    await agent.wait()
    assert content("/proc/mounts") == before


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
async def test_a_bot_that_its_user_cannot_read_is_refused(jail: Sandbox, begin: Begin, bot_folder: Path) -> None:
    (bot_folder / "model").write_text("x")
    (bot_folder / "model").chmod(0o600)
    with pytest.raises(LaunchError, match=r"got .*/bot/model: .*chmod -R a\+rX .*/bot$"):
        await begin(jail, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
async def test_a_folder_is_looked_through_until_it_can_be_read_and_then_no_more(
    jail: Sandbox, begin: Begin, bot_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bot_folder / "model").write_text("x")
    (bot_folder / "model").chmod(0o600)
    walked: list[Path] = []
    walk = Path.rglob

    def counted(path: Path, pattern: str) -> Iterator[Path]:
        walked.append(path)
        return walk(path, pattern)

    monkeypatch.setattr(Path, "rglob", counted)
    for _ in range(2):
        with pytest.raises(LaunchError):
            await begin(jail, "")
    (bot_folder / "model").chmod(0o644)
    for _ in range(3):  # a bot that ends at once may be started again and again
        await (await begin(jail, "")).wait()
    assert walked.count(bot_folder) == 3


def test_of_an_interpreter_only_what_it_needs_is_shown(tmp_path: Path) -> None:
    for name in ("bin", "lib", ".ssh"):
        (tmp_path / name).mkdir()
    assert [bind.source for bind in interpreter(tmp_path)] == [str(tmp_path / "bin"), str(tmp_path / "lib")]
    assert interpreter(Path("/usr/local")) == []
