"""Builds that mean no good, or fail: held, ended, and told in a sentence with a log."""

import os
import shlex
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena import sandbox
from arena.errors import UserError
from arena.limits import Limits
from arena.submission.failure import BuildError
from arena.submission.toolchains import found, path
from arena.submission.workshop import BUILD, Terms
from tests.sandbox.agents import running
from tests.submission.conftest import Making, Write

SMALL = Terms(60, Limits(memory_mb=256, processes=32, disk_mb=32))
MAKES_BOT = "import os\nopen('bot', 'w').write('#!/bin/sh\\n')\nos.chmod('bot', 0o755)\n"


def built_by(write: Write, program: str, **keys: object) -> Path:
    """A bot whose build is a program."""
    given = {"run": ["./bot"], "build": ["python", "build.py"], "leftovers": ["bot"], **keys}
    return write({"build.py": program}, **given)


def refused(make: Making, folder: Path, terms: Terms = SMALL) -> BuildError:
    with pytest.raises(BuildError) as caught:
        make(folder, terms=terms)
    error = caught.value
    assert "\n" not in str(error)
    assert str(error).endswith(f"; its log is {error.log}")
    assert error.log.parent == make.home.path / "submissions"
    assert make.in_work() == []
    return error


def test_a_build_makes_what_is_run(make: Making, write: Write) -> None:
    ready = make(built_by(write, f"print('hello')\n{MAKES_BOT}"))
    assert ready.fresh
    assert ready.bot.folder == make.home.path / "bots" / ready.bot.sha256
    assert (ready.bot.folder / "bot").read_text() == "#!/bin/sh\n"
    assert {path.lstat().st_uid for path in ready.bot.folder.rglob("*")} == {os.geteuid()}
    assert list(ready.logs) == ["build"]
    assert ready.logs["build"].read_text().startswith("$ python build.py\nhello\nexit code 0 after ")
    assert make.said[0] == "building: python build.py"
    assert make.said[1].startswith("built in ")


def test_a_build_that_fails_is_told_with_its_last_lines(make: Making, write: Write) -> None:
    folder = built_by(write, "for number in range(100): print('line', number)\nraise SystemExit(3)")
    error = refused(make, folder)
    assert error.sentence == "expected the build of mine (python build.py) to succeed, got exit code 3"
    assert error.lines == tuple(f"line {number}" for number in range(80, 100))
    assert error.log.read_text().count("line ") == 100


def test_a_build_that_makes_nothing_is_told(make: Making, write: Write) -> None:
    error = refused(make, built_by(write, ""))
    assert "expected the build of mine to make './bot', got none that can be run" in str(error)


@pytest.mark.parametrize("change", ["open('other', 'w')", "open('bot.py', 'w').write('x = 1')", "os.remove('bot.py')"])
def test_a_build_that_changes_the_bot_is_refused(make: Making, write: Write, change: str) -> None:
    error = refused(make, built_by(write, f"{MAKES_BOT}{change}"))
    assert "expected the build of mine to change nothing but what its leftovers name" in str(error)


def test_what_a_build_makes_must_be_a_leftover(make: Making, write: Write) -> None:
    error = refused(make, built_by(write, MAKES_BOT, leftovers=["other"]))
    assert 'say for example leftovers = ["other", "bot"] in bot.toml' in str(error)


def test_a_tool_that_is_not_here_is_named(make: Making, write: Write) -> None:
    with pytest.raises(UserError, match="expected 'no-such-compiler' to build the bot mine, got none"):
        make(write(build=["no-such-compiler", "bot.c"]))


# Hostile


def test_it_has_no_network(make: Making, write: Write) -> None:
    program = """
        import socket
        for kind in (socket.AF_INET, socket.AF_INET6):
            try:
                socket.socket(kind)
            except OSError as error:
                print("no socket:", error.strerror)
        raise SystemExit(1)
    """
    assert refused(make, built_by(write, program)).lines == ("no socket: Address family not supported by protocol",) * 2


def test_it_reads_nothing_but_the_bot(make: Making, write: Write, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hush")
    (make.home.folder("keys") / "secret").write_text("hush")
    places = [secret, make.home.path / "keys" / "secret", Path.home() / ".ssh", make.home.path, Path("/etc/shadow")]
    program = f"""
        import os
        for place in {list(map(str, places))}:
            print("sees" if os.path.exists(place) else "blind")
        print(sorted(set(os.listdir("/proc")) & {{"1000000"}}), os.environ.get("ARENA_HOME"))
        raise SystemExit(1)
    """
    assert refused(make, built_by(write, program)).lines == ("blind",) * len(places) + ("[] None",)


def test_it_writes_nowhere_else(make: Making, write: Write) -> None:
    program = """
        for place in ("/usr", "/runtime", "..", "/", "/etc", "/run/referee", "/proc"):
            try:
                open(place + "/astray", "w")
            except OSError:
                continue
            print("could write", place)
        open("/tmp/astray", "w")
    """
    ready = make(built_by(write, program + "\n" + "\n".join(" " * 8 + line for line in MAKES_BOT.splitlines())))
    assert "could write" not in ready.logs["build"].read_text()
    assert list(make.home.path.rglob("astray")) == []
    assert not Path("/tmp/astray").exists()


def test_a_fork_bomb_is_held(make: Making, write: Write) -> None:
    program = """
        import os, time
        while True:
            if os.fork() == 0:
                time.sleep(600.5)
    """
    error = refused(make, built_by(write, program))
    assert "got exit code 1" in str(error)
    assert "Resource temporarily unavailable" in error.lines[-1]


def test_what_it_leaves_running_is_ended(make: Making, write: Write) -> None:
    program = """
        import subprocess
        subprocess.Popen(["sleep", "600.75"], start_new_session=True)
    """
    make(built_by(write, program + "\n" + "\n".join(" " * 8 + line for line in MAKES_BOT.splitlines())))
    assert running("sleep\000600.75", from_start=True) == []


def test_a_disk_bomb_is_ended(make: Making, write: Write) -> None:
    program = """
        import time
        for number in range(10_000):
            open(f"{number}", "wb").write(bytes(1 << 20))
            time.sleep(0.02)
    """
    assert "got more than its disk limit of 32 MB" in str(refused(make, built_by(write, program)))


def test_a_memory_bomb_is_ended(make: Making, write: Write) -> None:
    program = "kept = [bytearray(1 << 20) for _ in range(10_000)]"
    assert "got more than its memory limit of 256 MB" in str(refused(make, built_by(write, program)))


def test_a_build_without_end_is_ended(make: Making, write: Write) -> None:
    begun = time.monotonic()
    error = refused(make, built_by(write, "while True: pass"), replace(SMALL, seconds=1))
    assert "got more than its time limit of 1 s" in str(error)
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("goal", ["/etc/passwd", "../../../secret", "made/../../../secret"])
def test_links_out_of_the_folder_are_refused(make: Making, write: Write, goal: str) -> None:
    program = f"import os\n{MAKES_BOT}os.mkdir('made')\nos.symlink({goal!r}, 'made/out')"
    error = refused(make, built_by(write, program, leftovers=["bot", "made"]))
    assert "expected links that stay in the bot's folder, got made/out -> " in str(error)


@pytest.mark.parametrize("name", ["pipe", "__pycache__/pipe", "pipe.pyc", "made/.git/pipe"])
def test_what_is_no_file_is_refused(make: Making, write: Write, name: str) -> None:
    """Through a pipe that lies in its folder, wherever, all processes of a bot could tell each other their deals."""
    program = f"{MAKES_BOT}os.makedirs(os.path.dirname({name!r}) or '.', exist_ok=True)\nos.mkfifo({name!r})"
    error = refused(make, built_by(write, program, leftovers=["bot", "pipe", "made"]))
    assert f"expected the build of mine to make files and folders, got {name}" in str(error)


def test_a_folder_without_end_is_refused(make: Making, write: Write) -> None:
    program = f"{MAKES_BOT}\nfor _ in range(1200):\n    os.mkdir('d')\n    os.chdir('d')\n"
    error = refused(make, built_by(write, program, leftovers=["bot", "d"]))
    assert "too deep" in str(error)


def test_a_folder_that_is_closed_to_us_is_removed(make: Making, write: Write) -> None:
    program = "import os\nos.makedirs('d/e')\nos.chmod('d/e', 0)\nos.chmod('d', 0)\nraise SystemExit(1)"
    refused(make, built_by(write, program))


# Without a sandbox


def test_without_a_sandbox_nothing_is_built_unless_that_is_said(make: Making, write: Write) -> None:
    folder = built_by(write, f"{MAKES_BOT}print(os.getcwd())")
    plain = Making(make.home, sandbox.choose("none"))
    with pytest.raises(UserError, match="expected a sandbox to build the bot 'mine' in, got none: install bubblewrap"):
        plain(folder)
    assert (plain(folder, unsafe=True).bot.folder / "bot").is_file()


def test_a_plain_build_ends_with_its_time_too(make: Making, write: Write) -> None:
    plain = Making(make.home, sandbox.choose("none"))
    with pytest.raises(BuildError, match="got more than its time limit of 1 s"):
        plain(built_by(write, "import time; time.sleep(600.125)"), unsafe=True, terms=replace(BUILD, seconds=1))
    assert running(shlex.join(["python", "build.py"])) == []


@pytest.mark.parametrize("tool", ["cargo", "go"])
def test_toolchains_are_there(make: Making, write: Write, tool: str) -> None:
    if not shutil.which(tool, path=path(found(), jailed=False)):
        pytest.skip(f"needs {tool}")
    words = {"cargo": ["cargo", "--version"], "go": ["go", "version"]}
    ready = make(write(build=words[tool]))
    assert f"\n{tool} " in ready.logs["build"].read_text()
