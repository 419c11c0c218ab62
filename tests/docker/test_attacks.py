"""A handful of attacks from inside a container; each is also made outside, where it must succeed.

A probe that never gets anywhere would prove nothing. What cannot be tried outside without harm is tried inside alone.
"""

import os
import platform
import shutil
import socket
import textwrap
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import sandbox
from arena.runtime import Runtime
from arena.sandbox import Launch, Sandbox
from tests.docker.conftest import Begin
from tests.docker.engines import ROOT

BREACH = 0
HELD = 3
KILLED = -31  # SIGSYS: the kernel's answer to a way of calling it that is closed

HEAD = """
import ctypes, errno, fcntl, mmap, os, socket, sys
place = sys.argv[1]
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *words):
    answer = libc.syscall(number, *words)
    if answer < 0: raise OSError(ctypes.get_errno(), "refused")
    return answer
def old_call(number):
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\\xb8" + number.to_bytes(4, "little") + b"\\xcd\\x80\\xc3")  # mov eax, number; int 0x80; ret
    begin = ctypes.addressof(ctypes.c_char.from_buffer(code))
    answer = ctypes.CFUNCTYPE(ctypes.c_int)(begin)()
    if answer < 0: raise OSError(-answer, "refused")
"""
X86 = platform.machine() == "x86_64"
ATTACKS = {
    "a TCP connection to the host": "socket.create_connection(('127.0.0.1', int(place)), 5)",
    "an abstract socket of the host": "socket.socket(socket.AF_UNIX).connect('\\0' + place)",
    "a socket of the family inet": "socket.socket(socket.AF_INET)",
    "a socket of the family inet6": "socket.socket(socket.AF_INET6)",
    "a socket of the family netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
    "a socket of the family vsock": "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
    "io_uring": "call(425, 8, ctypes.create_string_buffer(120))",
    "a file of the host": "open(place).read()",
    "the checkout": "open(place).read()",
    "a signal to the referee": "os.kill(int(place), 0)",
    "a lock that others can see": "fcntl.flock(open('bot.py'), fcntl.LOCK_EX | fcntl.LOCK_NB)",
    "being traced": "if libc.ptrace(0, 0, 0, 0): raise OSError(ctypes.get_errno(), 'refused')",
    "a write to its own folder": "open('planted', 'x').close(); os.remove('planted')",
    "a write beside the socket": "open(os.path.dirname(os.environ['ARENA_SOCKET']) + '/planted', 'w').close()",
    **({"a call of the i386 kind": "old_call(20)", "an x32 call": "call(0x40000000 + 39)"} if X86 else {}),
}
IN_A_CONTAINER_ONLY = {
    "a write to the root": "open('/planted', 'w').close()",
    "a write to the runtime": "open('/runtime/planted', 'w').close()",
    "a write to the system": "open('/usr/planted', 'w').close()",
    "a write to the devices": "open('/dev/planted', 'w').close()",
    "a write to the kernel's settings": "open('/proc/sys/kernel/hostname', 'w').write('x')",
    "a write to its control group": "open('/sys/fs/cgroup/memory/memory.limit_in_bytes', 'w').write('-1')",
    "the password hashes": "open('/etc/shadow').read()",
    "root's uid": "os.setuid(0)",
    "a user namespace": "if libc.unshare(0x10000000): raise OSError(ctypes.get_errno(), 'refused')",
    "a mount": "if libc.mount(b'x', b'/tmp', b'tmpfs', 0, None): raise OSError(ctypes.get_errno(), 'refused')",
    "a device": "os.mknod('/tmp/disk', 0o60600, os.makedev(8, 0))",
    "a higher limit": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))",
    "a raised priority": "os.setpriority(os.PRIO_PROCESS, 0, -5)",
}
CLOSED_CALLS = {  # numbers of x86-64
    "add_key": 248,
    "inotify_init1": 294,
    "keyctl": 250,
    "mq_open": 240,
    "perf_event_open": 298,
    "process_vm_writev": 311,
    "setns": 308,
    "shmget": 29,
    "userfaultfd": 323,
}
CALL_THEM = f"""
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
for name, number in {CLOSED_CALLS}.items():
    ctypes.set_errno(0)
    libc.syscall(number, 0, 0, 0, 0, 0)
    if ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):  # older engines know only the latter
        print(name)
"""


def attack(lines: str) -> str:
    body = textwrap.indent(lines, "    ")
    return f"{HEAD}\ntry:\n{body}\nexcept (OSError, ValueError) as error:\n    print(error)\n    sys.exit({HELD})\n"


@pytest.fixture
def places(tmp_path: Path, prey: socket.socket, abstract: str) -> dict[str, str]:
    (tmp_path / "secret").write_text("secret")
    return {
        "a TCP connection to the host": str(prey.getsockname()[1]),
        "an abstract socket of the host": abstract,
        "a file of the host": str(tmp_path / "secret"),
        "the checkout": str(ROOT / "pyproject.toml"),
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


async def outside(program: str, place: str, prepared: Runtime, bot_folder: Path) -> tuple[int, str]:
    """How the attack ends where nothing holds it back."""
    (bot_folder / "bot.py").write_text(program)
    plain = sandbox.choose("none")
    seat = plain.seat_folder()
    agent = await plain.start(Launch("x", bot_folder, ("python", "bot.py", place), seat, {}, prepared))
    code = await agent.wait()
    shutil.rmtree(seat)
    return code, agent.log()


@pytest.mark.parametrize("aim", ATTACKS)
async def test_an_attack_succeeds_outside_and_fails_inside(
    aim: str, box: Sandbox, begin: Begin, places: dict[str, str], prepared: Runtime, bot_folder: Path
) -> None:
    program = attack(ATTACKS[aim])
    code, said = await outside(program, places.get(aim, ""), prepared, bot_folder)
    if code != BREACH and "an x32 call" in aim:
        pytest.skip("this kernel knows no x32")
    assert code == BREACH, said
    agent = await begin(program, places.get(aim, ""))
    assert await agent.wait() in {HELD, KILLED}, agent.log()


@pytest.mark.parametrize("aim", IN_A_CONTAINER_ONLY)
async def test_an_attack_fails_inside(aim: str, begin: Begin) -> None:
    agent = await begin(attack(IN_A_CONTAINER_ONLY[aim]), "")
    assert await agent.wait() == HELD, agent.log()


@pytest.mark.skipif(not X86, reason="the numbers are those of another processor")
async def test_calls_that_are_not_on_the_list_are_refused(begin: Begin, prepared: Runtime, bot_folder: Path) -> None:
    code, said = await outside(CALL_THEM, "", prepared, bot_folder)
    assert (code, said.split()) == (0, [*CLOSED_CALLS])
    agent = await begin(CALL_THEM)
    assert (await agent.wait(), agent.log()) == (0, "")


async def test_no_family_of_sockets_but_unix(begin: Begin) -> None:
    program = """
        import socket
        for family in range(64):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
                try:
                    socket.socket(family, kind).close()
                    print(family)
                except OSError:
                    pass
    """
    agent = await begin(program)
    assert await agent.wait() == 0
    assert {*agent.log().split()} == {"1"}


async def test_it_has_no_rights_and_gets_none(begin: Begin) -> None:
    agent = await begin("print(open('/proc/self/status').read())")
    assert await agent.wait() == 0
    facts = dict(line.split(":\t", 1) for line in agent.log().splitlines() if ":\t" in line)
    assert {facts[f"Cap{kind}"] for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert (facts["NoNewPrivs"], facts["Seccomp"]) == ("1", "2")


async def test_only_its_own_processes_are_seen(begin: Begin) -> None:
    agent = await begin("import os; print(sum(name.isdigit() for name in os.listdir('/proc')))")
    assert (await agent.wait(), agent.log().strip()) == (0, "2")  # the container's first process and the agent


async def test_no_other_bot_is_in_the_image(begin: Begin) -> None:
    agent = await begin(command=("find", "/", "-name", "bot.toml", "-not", "-path", "/proc/*"))
    await agent.wait()
    assert [line for line in agent.log().splitlines() if line.endswith("/bot.toml")] == []
