"""Imagined worlds beside a bot: in its sandbox, on its clock, ended with it, and blind to the match."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from arena import bots, games, sandbox
from arena.bots import Bot
from arena.home import Home
from arena.match import ClockRule, FaultKind, MatchResult, MatchSpec, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import Sandbox
from arena.sdk.worlds.imagination import Imagination
from arena.wire.v1 import world_service_pb2 as wire
from tests.sandbox.agents import running

ROOT = Path(__file__).parent.parent.parent
GAME = "party-bugs"
PATIENT = TimeControl(allowance_ms=10_000, bank_ms=60_000)  # the machine may be busy


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("home"))


@pytest.fixture(params=["bubblewrap", "none"])
def level(request: pytest.FixtureRequest) -> Sandbox:
    name: str = request.param
    if name == "bubblewrap" and (problem := sandbox.why_not_bubblewrap()):
        pytest.skip(f"needs bubblewrap: {problem}")
    return sandbox.choose(name)


@pytest.fixture
def jail() -> Sandbox:
    if problem := sandbox.why_not_bubblewrap():
        pytest.skip(f"needs bubblewrap: {problem}")
    return sandbox.choose("bubblewrap")


@dataclass(frozen=True)
class Played:
    """A match of a scripted bot, in seat 1, and a random one."""

    result: MatchResult
    lines: list[str]  # of the bot's log

    @property
    def charged(self) -> list[int]:
        """Microseconds for each of the bot's decisions."""
        return [one.micros for one in self.result.decisions if one.seat == 1]


def scripted(folder: Path, how: str) -> tuple[Bot, str]:
    """A bot that imagines, and a word by which its processes are known."""
    mark = f"mark-{uuid4()}"
    place = folder / how
    place.mkdir()
    shutil.copy(Path(__file__).parent / "scripted" / "bot.py", place)
    (place / "bot.toml").write_text(
        f'name = "{how}"\ngames = ["*"]\nrun = ["python", "bot.py", "{how}", "{mark}"]\nworlds = true\n'
    )
    return bots.read(place), mark


async def played(bot: Bot, home: Home, box: Sandbox, time: TimeControl = PATIENT) -> Played:
    heard = bytearray()
    async with Referee(home, box, unsafe=True, hear=lambda name: heard.extend) as referee:
        entrants = (referee.seat(bots.shipped()["random"]), referee.seat(bot))
        options = games.load(GAME).plain_options(games.load(GAME).options({}))
        result = await referee.play(MatchSpec("m1", GAME, options, entrants, 4, time))
    return Played(result, heard.decode().splitlines())


# What it sees


async def test_its_answers_follow_from_what_the_bot_sends_alone(home: Home, jail: Sandbox, tmp_path: Path) -> None:
    """What it answered beside a match, an imagination that was never near one answers again, byte for byte."""
    bot, _ = scripted(tmp_path, "imagine")
    match = await played(bot, home, jail)
    assert [fault.sentence for fault in match.result.faults] == []
    told = [json.loads(line) for line in match.lines if line.startswith('{"method"')]
    assert len(told) == 2 * len(match.charged)
    elsewhere = Imagination()
    for one in told:
        data = bytes.fromhex(one["request"])
        if one["method"] == "Sample":
            again = elsewhere.sample(wire.SampleRequest.FromString(data)).SerializeToString()
        else:
            again = elsewhere.playout(wire.PlayoutRequest.FromString(data)).SerializeToString()
        assert again.hex() == one["answer"]


BARE = """
import os, sys
from arena.sdk.worlds import __main__ as worlds
worlds.end_as = lambda code: sys.exit(code or print(sorted(name for name in os.environ if name.startswith("ARENA"))))
worlds.main(["--", "sh", "-c", "echo $ARENA_TOKEN $ARENA_SOCKET; test -S $ARENA_WORLDS"])
"""


def test_the_bot_has_its_seat_and_the_worlds_have_none(tmp_path: Path) -> None:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ARENA")}
    environment = {**plain, "ARENA_TOKEN": "secret", "ARENA_SOCKET": "/nowhere/agent.sock", "ARENA_HOME": "x"}
    words = [sys.executable, "-c", BARE]
    ended = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == ["secret /nowhere/agent.sock", "['ARENA_HOME']"]


# What it costs


async def test_playouts_are_on_the_bots_own_clock(home: Home, jail: Sandbox, tmp_path: Path) -> None:
    bot, _ = scripted(tmp_path, "think")
    match = await played(bot, home, jail)
    assert match.result.faults == ()
    assert match.result.clocks[1] is ClockRule.CPU
    (cost,) = (json.loads(line) for line in match.lines if line.startswith('{"decision"'))
    assert cost["worlds"] > 5 * cost["own"] > 0  # nearly all of it was thought elsewhere
    charged = match.charged[cost["decision"]] / 1e6
    assert charged >= cost["worlds"] + cost["own"] - 0.03  # the kernel tells of the other process in hundredths
    others = [micros / 1e6 for number, micros in enumerate(match.charged) if number != cost["decision"]]
    assert max(others) < charged


async def test_too_many_playouts_are_too_late(home: Home, jail: Sandbox, tmp_path: Path) -> None:
    bot, mark = scripted(tmp_path, "dream")
    match = await played(bot, home, jail, TimeControl(allowance_ms=500, bank_ms=500))
    (fault,) = (fault for fault in match.result.faults if fault.seat == 1)
    assert fault.decision == 2
    assert fault.kind in (FaultKind.TIMEOUT, FaultKind.STARVED)  # the latter where others have the cores
    assert running(mark) == []


# How it ends

ENDINGS = [
    ("leave", FaultKind.DISCONNECTED, "got a process that ended with exit code 7; its last words: out of ideas"),
    (
        "crash",
        FaultKind.DISCONNECTED,
        "got a process killed by SIGSEGV (segmentation fault), which the",
    ),
    ("be-killed", FaultKind.KILLED, "got a process killed by SIGKILL, which the referee did not send"),
    ("end-the-worlds", FaultKind.KILLED, "got a process killed by SIGKILL, which the referee did not send"),
    ("misask", FaultKind.DISCONNECTED, "got a process that ended with exit code 1"),
]


@pytest.mark.parametrize(("how", "kind", "says"), ENDINGS, ids=[how for how, _, _ in ENDINGS])
async def test_the_referee_sees_how_the_bot_ended(
    how: str, kind: FaultKind, says: str, home: Home, level: Sandbox, tmp_path: Path
) -> None:
    """Even in the middle of playouts that would take seconds."""
    bot, mark = scripted(tmp_path, how)
    before = temporary()
    match = await played(bot, home, level)
    (fault,) = match.result.faults
    assert (fault.seat, fault.decision, fault.kind) == (1, 2, kind)
    assert says in fault.sentence
    if how == "misask":
        assert any("worlds: expected 1 to 1000, got 5000" in line for line in match.lines)
    assert running(mark) == []
    assert temporary() - before == set()


def temporary() -> set[str]:
    """What lies about that worlds or the referee may have left."""
    folder = Path(tempfile.gettempdir())
    return {str(place) for name in ("worlds-*", f"arena-{os.getpid()}-*") for place in folder.glob(name)}


def beside(*words: str) -> "subprocess.CompletedProcess[str]":
    """What becomes of a command beside worlds, without a referee."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "arena.sdk.worlds", *words]
        environment = {**os.environ, "TMPDIR": folder}
        ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
        assert list(Path(folder).iterdir()) == []
    return ended


@pytest.mark.parametrize(("words", "got"), [([], "nothing"), (["cat"], "cat"), (["--"], "--")])
def test_whoever_starts_it_without_a_command_is_told_how(words: list[str], got: str) -> None:
    ended = beside(*words)
    said = f"worlds: expected `python -m arena.sdk.worlds -- COMMAND...`, got {got}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", said)


@pytest.mark.parametrize(("end", "code"), [("exit 0", 0), ("exit 9", 9), ("kill -TERM $$", -signal.SIGTERM)])
def test_it_ends_as_the_command(end: str, code: int) -> None:
    ended = beside("--", "sh", "-c", f"test -S $ARENA_WORLDS && echo ready; {end}")
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "ready\n", "")


def test_a_command_that_cannot_be_run_is_told() -> None:
    ended = beside("--", "/nowhere/bot")
    said = "worlds: expected a command that can be run, got '/nowhere/bot': no such file or directory\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", said)


def test_python_is_this_very_interpreter() -> None:
    ended = beside("--", "python", "-c", "import sys; print(sys.prefix)")
    assert (ended.returncode, ended.stdout.strip()) == (0, sys.prefix)


# bot.toml


def test_lines_and_worlds_do_not_go_together(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "a"\ngames = ["*"]\nrun = ["sh"]\nprotocol = "stdio"\nworlds = true\n')
    with pytest.raises(bots.BotError) as caught:
        bots.read(tmp_path)
    said = "line 5: key 'worlds': expected no worlds with protocol 'stdio': they are reached by gRPC, got True"
    assert said in str(caught.value)


@pytest.mark.parametrize("value", ['"yes"', "1", "[]"])
def test_worlds_are_there_or_not(value: str, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(f'name = "a"\ngames = ["*"]\nrun = ["sh"]\nworlds = {value}\n')
    with pytest.raises(bots.BotError, match=r"line 4: key 'worlds': expected true or false, got"):
        bots.read(tmp_path)


def test_the_command_of_a_bot_with_worlds(tmp_path: Path) -> None:
    bot, mark = scripted(tmp_path, "imagine")
    assert bot.command == ("python", "-P", "-m", "arena.sdk.worlds", "--", "python", "bot.py", "imagine", mark)
