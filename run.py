#!/usr/bin/env python3
"""Runs arena from a fresh checkout: `python3 run.py match ...`, or any other command of arena.

The first start makes an environment in .venv and compiles the engines; a start after their sources changed
compiles again. Every other start finds its stamp and hands over at once. Two commands are its own: `test`, which
takes pytest's arguments, and `protos`, which regenerates the wire's Python code. It needs only Python and pip.
"""

import glob
import hashlib
import os
import sys
import time
from typing import IO, NoReturn

if sys.version_info < (3, 11):  # before any line that an older Python cannot read
    sys.stderr.write(f"arena needs Python 3.11 or newer, got {sys.version.split()[0]}.\n")
    sys.exit(2)

ROOT = os.path.dirname(os.path.abspath(__file__))
COMPILED = ("arena/engine/*.py", "arena/games/*/encoder.py", "arena/games/*/rules*.py", "arena/wire/writer.py")
SOURCES = ("pyproject.toml", "setup.py", *COMPILED)
BUILT = ("arena/*.so", "arena/engine/*.so", "arena/games/*/*.so", "arena/wire/*.so", "arena/_build_stamp.json")
MODES = ("auto", "must", "never")
OLDEST_PIP = (22, 3)  # the first that can install into another environment


def main() -> None:
    """Make ready what the command needs, then become it."""
    check_platform()
    command, rest = sys.argv[1:2], sys.argv[2:]
    if command == ["protos"]:
        python = ready(".venv-proto", "proto/requirements.lock", project=False)
        become(python, os.path.join(ROOT, "proto", "generate.py"), *rest)
    python = ready(".venv", "requirements.lock", project=True)
    if command == ["test"]:
        os.chdir(ROOT)
        become(python, "-m", "pytest", "-n", "auto", "--dist", "worksteal", *rest)
    os.environ["ARENA_COMMAND"] = "python3 run.py"  # for the hints that arena prints
    become(python, "-m", "arena", *command, *rest)


def become(python: str, *arguments: str) -> NoReturn:
    """Hand over to a command; -P keeps what lies in the caller's folder from being imported."""
    os.execv(python, [python, "-P", *arguments])


def check_platform() -> None:
    """Stop with a sentence where arena cannot run."""
    if os.name == "nt":
        stop("arena runs on Linux and macOS; on Windows, start it inside WSL.")
    if compile_mode() not in MODES:
        stop(f"ARENA_COMPILE: expected one of {', '.join(MODES)}, got {compile_mode()!r}.")


def compile_mode() -> str:
    """How much the caller wants compiled engines."""
    return os.environ.get("ARENA_COMPILE") or "auto"


def ready(folder: str, lock: str, *, project: bool) -> str:
    """The environment's Python, set up first where anything is missing or has changed."""
    if not is_ready(folder, lock, project=project):
        turn = take_turn(folder)
        if not is_ready(folder, lock, project=project):  # else another start has done it meanwhile
            set_up(folder, lock, project=project)
        turn.close()
    return python_of(folder)


def is_ready(folder: str, lock: str, *, project: bool) -> bool:
    """Whether the environment is as wanted: its stamp tells what it was made from."""
    wanted = [python_key(), key(lock), *([source_key(), built_key()] if project else [])]
    return read_stamp(folder) == wanted and os.access(python_of(folder), os.X_OK)


def set_up(folder: str, lock: str, *, project: bool) -> None:
    """Do what is missing. The stamp grows part by part, so an interrupted set-up is noticed and repaired."""
    say(f"Setting up {folder}; later starts find it ready.")
    packages = [python_key(), key(lock)]
    if read_stamp(folder)[:2] != packages or not os.access(python_of(folder), os.X_OK):
        install_packages(folder, lock)
    write_stamp(folder, packages)
    if project:
        sources = source_key()  # before the build: what is edited meanwhile is built the next time
        install_project(folder)
        write_stamp(folder, [*packages, sources, built_key()])


def install_packages(folder: str, lock: str) -> None:
    """Install the packages of the lock, in a new environment unless a finished one stands there."""
    finished = read_stamp(folder)[:1] == [python_key()] and os.access(python_of(folder), os.X_OK)
    check_pip()
    if not finished:
        remove(folder)
        venv = [outer_python(), "-m", "venv", "--without-pip", os.path.join(ROOT, folder)]
        phase("create the environment", venv)
    write_stamp(folder, [])
    options = ["--require-hashes", "--use-pep517", "--requirement", os.path.join(ROOT, lock)]
    phase("install the packages", [*pip(folder), *options])


def install_project(folder: str) -> None:
    """Install arena itself from where it lies, so that the compiled engines stand beside their sources."""
    text = "install arena" if compile_mode() == "never" else "install arena, compile its engines"
    phase(text, [*pip(folder), "--no-deps", "--no-build-isolation", "--editable", ROOT])
    with open(os.path.join(ROOT, "arena", "_build_stamp.json"), encoding="utf-8") as file:
        import json  # here and below: a start that finds all ready does without

        reason = json.load(file)["reason"]
    if reason and compile_mode() != "never":
        say(f"  The engines run interpreted, with the same results but slower: {reason}.")


def phase(text: str, command: list[str]) -> None:
    """Run one part of the set-up: one line with the seconds it took, and its output if it fails."""
    import subprocess

    print(f"  {text:<40}", end="", file=sys.stderr, flush=True)
    start = time.monotonic()
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    say(f"{time.monotonic() - start:6.1f} s" if result.returncode == 0 else "failed")
    if result.returncode != 0:
        say(result.stdout.rstrip())
        stop(f"Could not {text}: see above. Mend it (no network?) and start the same command again.", 1)


def pip(folder: str) -> list[str]:
    """The caller's own pip, at work on an environment that has none."""
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-warn-script-location"]
    return [outer_python(), "-m", "pip", "--python", python_of(folder), "install", "--no-user", *quiet]


def check_pip() -> None:
    """Stop with a sentence where pip is missing or too old."""
    import re
    import subprocess

    command = [outer_python(), "-m", "pip", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.match(r"pip (\d+)\.(\d+)", result.stdout)
    if found is None:
        stop(
            "arena needs pip for its set-up, and this Python has none: install it "
            "(`python3 -m ensurepip`, or your system's python3-pip) and start the same command again."
        )
    if (int(found[1]), int(found[2])) < OLDEST_PIP:
        stop(
            f"arena needs pip 22.3 or newer for its set-up, got {found[1]}.{found[2]}: "
            "`python3 -m pip install -U pip` brings the newest."
        )


def outer_python() -> str:
    """The Python whose pip is used: the caller's, or the one behind it where that is an environment without."""
    import importlib.util

    if importlib.util.find_spec("pip"):
        return sys.executable
    return str(getattr(sys, "_base_executable", sys.executable))


def take_turn(folder: str) -> IO[bytes]:
    """Wait until no other start sets this environment up; the turn ends with the file or the process."""
    import fcntl

    file = open(os.path.join(ROOT, f"{folder}.lock"), "wb")  # noqa: SIM115 - the caller closes it
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"Another start is setting up {folder}; waiting for it.")
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def python_key() -> str:
    """What the environment's Python depends on; the folder too, since scripts in it name their place."""
    return hashlib.sha256(f"{sys.version}\n{ROOT}".encode()).hexdigest()


def source_key() -> str:
    """What the installed project depends on; a compiler that came or went is a reason to build again."""
    wanted = "never" if compile_mode() == "never" else str(has_compiler())
    return key(*SOURCES, extra=wanted)


def built_key() -> str:
    """What the build left; with `must`, nothing will do but compiled engines."""
    built = matches(*BUILT)
    if compile_mode() == "must" and len(built) < 2:
        return "compiled engines"
    return key("arena/_build_stamp.json", extra="\n".join(built))


def has_compiler() -> bool:
    """Whether there is a C compiler under one of its usual names."""
    names = [os.environ.get("CC", "cc").split(" ")[0], "cc", "gcc", "clang"]
    return any(os.access(os.path.join(path, name), os.X_OK) for path in os.get_exec_path() for name in names)


def key(*patterns: str, extra: str = "") -> str:
    """The hash of the names and contents of files."""
    digest = hashlib.sha256(extra.encode())
    for name in matches(*patterns):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(f"\n{name}\n{hashlib.sha256(file.read()).hexdigest()}".encode())
    return digest.hexdigest()


def matches(*patterns: str) -> list[str]:
    """The files that these patterns name, from the root, in a fixed order."""
    return sorted(name for pattern in patterns for name in glob.glob(pattern, root_dir=ROOT))


def python_of(folder: str) -> str:
    """The Python of an environment."""
    return os.path.join(ROOT, folder, "bin", "python")


def read_stamp(folder: str) -> list[str]:
    """What the environment was made from, as far as it was finished."""
    try:
        with open(os.path.join(ROOT, folder, "arena-stamp"), encoding="ascii") as file:
            return file.read().split("\n")
    except (OSError, ValueError):
        return []


def write_stamp(folder: str, lines: list[str]) -> None:
    """Replace the stamp as a whole."""
    path = os.path.join(ROOT, folder, "arena-stamp")
    with open(f"{path}.new", "w", encoding="ascii") as file:
        file.write("\n".join(lines))
    os.replace(f"{path}.new", path)


def remove(folder: str) -> None:
    """Take away an environment, whole or broken."""
    import shutil

    path = os.path.join(ROOT, folder)
    if os.path.islink(path) or os.path.isfile(path):
        os.unlink(path)
    shutil.rmtree(path, ignore_errors=True)


def say(text: str) -> None:
    """Tell a person; standard output belongs to the command."""
    print(text, file=sys.stderr, flush=True)


def stop(sentence: str, code: int = 2) -> NoReturn:
    """End with a sentence."""
    say(sentence)
    sys.exit(code)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        stop("\nStopped. Start the same command again: it goes on where it can.", 130)
