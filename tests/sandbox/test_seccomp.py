"""The filter of system calls, run by a small interpreter of the kernel's language, for every processor that it knows.

What it does to real processes is in test_limits.py and test_jail.py.
"""

import errno
import json
import platform
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.sandbox import seccomp
from arena.sandbox.profile import docker_profile
from arena.sandbox.seccomp import ARCHITECTURES, Variant, program

ROOT = Path(__file__).parent.parent.parent
ALLOW, KILL = 0x7FFF0000, 0x80000000
ENOSYS = 0x50000 | errno.ENOSYS
DONE = 0x50000  # no error, and nothing done
I386 = 0x40000003
X32 = 0x40000000
NUMBERS = json.loads((ROOT / "arena/sandbox/calls.json").read_text())

MACHINES = pytest.mark.parametrize("machine", ARCHITECTURES)


def verdict(filter_: bytes, number: int, arguments: tuple[int, ...] = (), architecture: int = 0xC000003E) -> int:
    """What the kernel would do; it knows only the instructions that the filters are made of."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    told = struct.pack("<IIQ6Q", number, architecture, 0, *padded)
    code = list(struct.iter_unpack("<HBBI", filter_))
    place = accumulator = 0
    while True:
        operation, yes, no, value = code[place]
        place += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", told, value)
        elif operation == 0x05:
            place += value
        elif operation == 0x06:
            return int(value)
        else:
            tests = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}
            place += yes if tests[operation] else no


@MACHINES
def test_every_call_of_the_list_is_allowed_and_no_other(machine: str) -> None:
    filter_, architecture = program(Variant(), machine), ARCHITECTURES[machine]
    names = {number: name for name, number in NUMBERS[machine].items()}
    allowed = {number for number in range(2000) if verdict(filter_, number, (), architecture) == ALLOW}
    always = {name for name in seccomp.ALLOWED.split() if name in NUMBERS[machine]}
    # With all arguments 0, these fit their conditions too.
    assert {names[number] for number in allowed} == always | {"clone", "fcntl"}
    assert verdict(filter_, NUMBERS[machine]["clone3"], (), architecture) == ENOSYS


@MACHINES
@pytest.mark.parametrize("name", ["clone", "fcntl", "ioctl", "prctl", "socket", "socketpair"])
def test_a_condition_looks_at_the_lower_half_of_its_argument(machine: str, name: str) -> None:
    rule = seccomp.rules(Variant())[name]
    assert isinstance(rule, seccomp.Without | seccomp.OneOf)
    values = (0x11, 0x3D0F00) if isinstance(rule, seccomp.Without) else rule.values
    filter_, architecture, number = program(Variant(), machine), ARCHITECTURES[machine], NUMBERS[machine][name]
    for value in values:
        arguments = (*[0] * rule.argument, 7 << 32 | value)
        assert verdict(filter_, number, arguments, architecture) == ALLOW
    refused = 0x10000011 if isinstance(rule, seccomp.Without) else 0x5412
    arguments = (*[0] * rule.argument, refused)
    assert verdict(filter_, number, arguments, architecture) == 0x50000 | rule.error


@pytest.mark.parametrize("flag", [0x00020000, *(1 << bit for bit in range(25, 31))])
def test_no_flag_of_clone_makes_a_namespace(flag: int) -> None:
    assert verdict(program(Variant(), "x86_64"), 56, (flag | 17,)) == 0x50000 | errno.EPERM


@pytest.mark.parametrize("family", [family for family in range(46) if family != 1])
def test_no_family_of_sockets_but_unix(family: int) -> None:
    for number in (NUMBERS["x86_64"]["socket"], NUMBERS["x86_64"]["socketpair"]):
        assert verdict(program(Variant(), "x86_64"), number, (family,)) == 0x50000 | errno.EAFNOSUPPORT


@MACHINES
@pytest.mark.parametrize("name", ["fsync", "fdatasync", "msync", "sync_file_range"])
def test_nobody_makes_a_disk_write(machine: str, name: str) -> None:
    number, architecture = NUMBERS[machine][name], ARCHITECTURES[machine]
    assert verdict(program(Variant(), machine), number, (3, 0, 0, 7), architecture) == DONE
    assert verdict(program(Variant(), machine), {"x86_64": 162, "aarch64": 81}[machine], (), architecture) == ENOSYS


def test_other_ways_to_call_the_kernel_are_closed() -> None:
    filter_ = program(Variant(), "x86_64")
    assert verdict(filter_, 20, (), I386) == KILL
    assert {verdict(filter_, X32 + number) for number in range(600)} == {ENOSYS}
    assert verdict(filter_, 0xFFFFFFFF) == ENOSYS


def test_variants_change_what_they_say() -> None:
    calls = NUMBERS["x86_64"]
    strict, loose = program(Variant(memfd=False), "x86_64"), program(Variant(locks=True), "x86_64")
    assert [verdict(each, calls["memfd_create"]) for each in (strict, loose)] == [ENOSYS, ALLOW]
    assert [verdict(each, calls["flock"]) for each in (strict, loose)] == [ENOSYS, ALLOW]
    assert [verdict(each, calls["fcntl"], (0, 6)) for each in (strict, loose)] == [ENOSYS, ALLOW]
    lease = (0, 1024)
    assert [verdict(each, calls["fcntl"], lease) for each in (strict, loose)] == [ENOSYS, ENOSYS]


def test_an_unknown_processor_is_told() -> None:
    with pytest.raises(UserError, match=r"knows, x86_64 or aarch64, got riscv64"):
        program(Variant(), "riscv64")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the header is that of another processor")
def test_the_numbers_are_those_of_the_kernel_headers() -> None:
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not header.exists():
        pytest.skip("needs libc6-dev")
    lines = [line.split() for line in header.read_text().splitlines() if line.startswith("#define __NR_")]
    known = {words[1].removeprefix("__NR_"): int(words[2]) for words in lines}
    ours = NUMBERS["x86_64"]
    assert {name: known[name] for name in ours if name in known} == {n: v for n, v in ours.items() if n in known}
    assert len(ours.keys() & known.keys()) > 230


def test_the_profile_for_docker_is_up_to_date() -> None:
    assert (ROOT / "docker/seccomp.json").read_text() == docker_profile()
    made = subprocess.run([sys.executable, "-m", "arena.sandbox"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert made.stdout == docker_profile()


def test_the_profile_for_docker_says_the_same() -> None:
    profile = json.loads(docker_profile())
    allowed = [each for each in profile["syscalls"] if each["action"] == "SCMP_ACT_ALLOW"]
    pretended = {name for each in profile["syscalls"] if each.get("errnoRet") == 0 for name in each["names"]}
    assert pretended == {*seccomp.PRETENDED}
    assert {name for each in allowed for name in each["names"]} | pretended == seccomp.rules(Variant()).keys()
    conditions = [each for each in allowed if "args" in each]
    assert {each["names"][0] for each in conditions} == {"clone", "fcntl", "ioctl", "prctl", "socket", "socketpair"}
    (socket,) = (each["args"] for each in conditions if each["names"] == ["socket"])
    assert socket == [{"index": 0, "op": "SCMP_CMP_EQ", "value": 1}]
    (clone,) = (each["args"] for each in conditions if each["names"] == ["clone"])
    assert clone == [{"index": 0, "op": "SCMP_CMP_MASKED_EQ", "value": 0x7E020000, "valueTwo": 0}]
    assert profile["archMap"][0] == {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []}
    assert {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38} in profile["syscalls"]
