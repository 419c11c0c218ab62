"""The bridge as a process: what it passes on, and how it ends when the bot does wrong, in a real sandbox."""

import asyncio
import os
import subprocess
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena import bots, games
from arena.bots import Bot
from arena.home import Home
from arena.match import FaultKind, MatchResult, MatchSpec, TimeControl
from arena.referee.clock import LoopClock
from arena.referee.runner import Referee
from arena.referee.server import Door
from arena.referee.session import Session
from arena.referee.table import Table
from arena.sandbox import Sandbox
from arena.wire.v1 import referee_service_pb2 as wire
from tests.bridge.conftest import ROOT
from tests.bridge.frames import TOKEN, Others, spec

GAME = "party-bugs"
OPTIONS = games.load(GAME).plain_options(games.load(GAME).options({}))
QUICK = TimeControl(allowance_ms=2_000, bank_ms=4_000)
MISBEHAVING = """
while read -r line; do
    [[ $line == *'"decision":3,'* ]] && { %s; }
    [[ $line == '{"decision_requested"'* ]] && echo 0
done
"""


def written(folder: Path, text: str, *, run: str = '["bash", "bot.sh"]', name: str = "bot.sh", many: int = 1) -> Bot:
    """A bot of one file."""
    folder.mkdir()
    (folder / name).write_text(text)
    (folder / "bot.toml").write_text(
        f'name = "lines"\ngames = ["*"]\nrun = {run}\nprotocol = "stdio"\nmatches_at_once = {many}\n'
    )
    return bots.read(folder)


async def played(bot: Bot, home: Home, sandbox: Sandbox, matches: int = 1) -> list[MatchResult]:
    """Matches of two random bots and this one, in the middle seat, all at once."""
    async with Referee(home, sandbox) as referee:
        random = bots.shipped()["random"]
        entrants = (referee.seat(random), referee.seat(bot), referee.seat(random, 1))
        specs = [MatchSpec(f"m{number + 1}", GAME, OPTIONS, entrants, number, QUICK) for number in range(matches)]
        return await asyncio.gather(*(referee.play(spec) for spec in specs))


# What goes wrong


@dataclass(frozen=True)
class Case:
    """One way to go wrong at decision 3; docs/stdio.md shows what is done and said."""

    deed: str  # for the document
    script: str
    says: str
    ended: str = "a process that ended with exit code 1"
    kind: FaultKind = FaultKind.DISCONNECTED


NO_ANSWER = 'expected an index such as 0, or {"match_id": "...", "decision": 0, "action_index": 0}, got'
CASES = [
    Case("writes what is no answer", "echo hello", f"{NO_ANSWER} 'hello'"),
    Case(
        "names a key that there is not", """echo '{"index":3}'""", f"{NO_ANSWER} the key 'index' in '{{\"index\":3}}'"
    ),
    Case(
        "names an action that there is not",
        "echo 99",
        "expected an index from 0 to 2 for decision 3 of match m1, got 99",
    ),
    Case("answers twice", "cat <<<$'0\\n1'", "expected no answer, since nothing is asked now, got 1"),
    Case(
        "answers an earlier decision",
        """echo '{"match_id":"m1","decision":2,"action_index":0}'""",
        "expected an answer to decision 3 of match m1, got one to decision 2",
    ),
    Case(
        "answers for a match that asks nothing",
        """echo '{"match_id":"m7","action_index":0}'""",
        "expected no answer, since nothing is asked in match 'm7' now, got 0",
    ),
    Case(
        "writes and writes without a newline",
        "while :; do printf %9999d 1; done",
        "expected lines of at most 65536 bytes from the bot, got more without a newline",
    ),
    Case(
        "closes its standard output",
        "exec >&-; sleep 60",
        "expected the bot to play on, but it closed its standard output",
    ),
    Case(
        "ends",
        "echo out of ideas >&2; exit 7",
        "expected the bot to play on, but it ended with exit code 7",
        "a process that ended with exit code 7",
    ),
    Case(
        "ends in the middle of a line",
        "printf 1; exit",
        "expected the bot to play on, but it ended with exit code 0 after '1' without a newline",
    ),
    Case(
        "ends, and leaves a child behind",
        "sleep 60 & exit 3",
        "expected the bot to play on, but it ended with exit code 3",
        "a process that ended with exit code 3",
    ),
    Case(
        "crashes",
        "kill -SEGV $$",
        "expected the bot to play on, but it was killed by SIGSEGV",
        "a process killed by SIGSEGV (segmentation fault), which the referee did not send",
    ),
    Case(
        "is killed",
        "kill -KILL $$",
        "expected the bot to play on, but it was killed by SIGKILL",
        "a process killed by SIGKILL, which the referee did not send",
        FaultKind.KILLED,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.deed))
async def test_a_bot_that_does_wrong_is_told_what(case: Case, home: Home, jail: Sandbox, tmp_path: Path) -> None:
    (result,) = await played(written(tmp_path / "bot", MISBEHAVING % case.script), home, jail)
    (fault,) = result.faults
    assert (fault.seat, fault.decision, fault.kind) == (1, 3, case.kind)
    assert fault.sentence.endswith(f"{case.ended}; its last words: bridge: {case.says}")
    assert fault.evidence.log[-1] == f"bridge: {case.says}"
    assert result.places[1] == 3
    if case.deed == "ends":
        assert fault.evidence.log == ("out of ideas", f"bridge: {case.says}")


async def test_a_stalled_bot_runs_out_of_time_as_any_other(home: Home, jail: Sandbox, tmp_path: Path) -> None:
    bot = written(tmp_path / "bot", MISBEHAVING % "sleep 600")
    (fault,) = (await played(bot, home, jail))[0].faults
    assert (fault.decision, fault.kind) == (3, FaultKind.TIMEOUT)


async def test_what_cannot_be_started_is_said_before_the_hello(home: Home, jail: Sandbox, tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot").write_text("no program")
    (folder / "bot").chmod(0o755)
    (folder / "bot.toml").write_text('name = "lines"\ngames = ["*"]\nrun = ["bot"]\nprotocol = "stdio"\n')
    (fault,) = (await played(bots.read(folder), home, jail))[0].faults
    assert fault.kind is FaultKind.NEVER_CONNECTED
    said = "bridge: expected a command that can be run, got './bot': exec format error"
    assert fault.sentence.endswith(f"exit code 1 before its hello; its last words: {said}")


# What goes right

HONEST = """
[[ -z $ARENA_TOKEN$ARENA_SOCKET ]] || { echo "the seat is the bridge's" >&2; exit 8; }
while read -r name value; do [[ $name == SigIgn: ]] && ignored=0x$value; done </proc/$$/status
(( ignored & 0x1000 )) && { echo "SIGPIPE is ignored" >&2; exit 9; }
while read -r line; do
    [[ $line == '{"decision_requested"'* ]] && echo 0
done </dev/stdin
"""


async def test_a_bot_finds_a_plain_pipe_and_plain_signals(home: Home, jail: Sandbox, tmp_path: Path) -> None:
    (result,) = await played(written(tmp_path / "bot", HONEST), home, jail)
    assert [fault.evidence.log for fault in result.faults] == []


PYTHON = """
import json, sys
for line in sys.stdin:
    kind, message = next(iter(json.loads(line).items()))
    if kind == "decision_requested":
        print(len(message["observation"]["legal_actions"]) - 1)
"""


async def test_a_python_bot_runs_on_the_bots_own_runtime(home: Home, jail: Sandbox, tmp_path: Path) -> None:
    bot = written(tmp_path / "bot", PYTHON, run='["python", "bot.py"]', name="bot.py", many=6)
    (tmp_path / "bot" / "grpc.py").write_text("raise SystemExit('no module of the bot is for the bridge')")
    results = await played(bots.read(bot.folder), home, jail, matches=6)
    assert [result.faults for result in results] == [()] * 6


REVERSED = """
import json, sys
def questions(most):
    while most and (line := sys.stdin.readline()):
        if message := json.loads(line).get("decision_requested"):
            most -= 1
            yield message
for message in list(questions(4))[::-1]:
    names = {"match_id": message["match_id"], "decision": message["decision"]}
    print(json.dumps({**names, "action_index": 1}), flush=True)
for message in questions(-1):
    print(0, flush=True)
"""


async def test_a_frame_of_several_matches_is_several_lines_and_one_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(REVERSED)
    session, results = Session(TOKEN, LoopClock(), "arena/1"), list[MatchResult]()
    replies, receive = list[bytes](), session.receive

    def noted(data: bytes) -> None:
        replies.append(data)
        receive(data)

    monkeypatch.setattr(session, "receive", noted)
    for number in range(4):
        Table(spec(GAME, match_id=f"m{number}", seed=number), [session, Others(), Others()], results.append).start()
    code, said = await _bridged(session, ["python", "bot.py"], tmp_path, until=lambda: len(results) == 4)
    assert (code, said) == (0, "")
    assert [result.faults for result in results] == [()] * 4
    # The first reply is a hello. All four matches began in one frame, and were answered in the other order.
    decisions = wire.PlayRequest.FromString(replies[1]).decisions.decisions
    assert [(one.match_id, one.decision, one.action_index) for one in decisions] == [
        ("m3", 0, 1),
        ("m2", 0, 1),
        ("m1", 0, 1),
        ("m0", 0, 1),
    ]


async def test_a_bot_that_stays_when_its_input_ends_is_ended(tmp_path: Path) -> None:
    session = Session(TOKEN, LoopClock(), "arena/1")
    code, said = await _bridged(session, ["bash", "-c", "sleep 600"], tmp_path, until=session.greeted.is_set)
    assert (code, said) == (0, "")


async def test_what_the_referee_says_last_is_passed_on(tmp_path: Path) -> None:
    session = Session("another token", LoopClock(), "arena/1")
    code, said = await _bridged(session, ["cat"], tmp_path, until=lambda: session.failure is not None)
    assert code == 1
    assert said == ("bridge: the referee ended the conversation: expected the token of ARENA_TOKEN, got another one\n")


async def _bridged(
    session: Session, command: Sequence[str], folder: Path, until: Callable[[], bool]
) -> tuple[int | None, str]:
    """Let a bridge talk with a session; its exit code and all that it and the bot printed."""
    door = Door(session)
    with tempfile.TemporaryDirectory() as short:  # the path of a socket must not be long
        await door.open(Path(short) / "s")
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "ARENA_SOCKET": f"{short}/s", "ARENA_TOKEN": TOKEN}
        words = [sys.executable, "-m", "arena.sdk.bridge", "--", *command]
        process = await asyncio.create_subprocess_exec(*words, env=environment, cwd=folder, stderr=PIPE)
        async with asyncio.timeout(60):
            while not until():  # noqa: ASYNC110 - what is waited for has no event
                await asyncio.sleep(0.01)
            session.close()
            _, said = await process.communicate()
        await door.shut()
    return process.returncode, said.decode()


def _started(words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "arena.sdk.bridge", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


USAGE = [([], "got nothing"), (["cat"], "got cat"), (["--"], "got --")]


@pytest.mark.parametrize(("words", "got"), USAGE)
def test_a_bridge_without_a_command_says_how_to_call_it(words: list[str], got: str) -> None:
    ended = _started(words)
    said = f"bridge: expected `python -m arena.sdk.bridge -- COMMAND...`, {got}\n"
    assert (ended.returncode, ended.stderr) == (2, said)


def test_a_bridge_that_no_referee_started_says_what_it_is() -> None:
    ended = _started(["--", "cat"])
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("this is a bot: start it with `arena match")


# bot.toml


def test_the_command_of_a_bot_by_its_protocol(tmp_path: Path) -> None:
    bot = written(tmp_path / "bot", "")
    bridge = ("python", "-P", "-m", "arena.sdk.bridge", "--")
    assert bot.command[:-2] == bridge
    assert Path(bot.command[-2]).name == "bash"
    assert Path(bot.command[-2]).is_absolute()
    own = written(tmp_path / "own", "", run='["bash"]', name="bash")
    (own.folder / "bash").chmod(0o755)
    assert own.command == (*bridge, "./bash")  # as without the bridge, a file of the folder comes first
    assert bots.shipped()["random"].command == ("python", "bot.py")


@pytest.mark.parametrize("value", ['"json"', "1", '["stdio"]', '""'])
def test_another_protocol_is_refused(tmp_path: Path, value: str) -> None:
    (tmp_path / "bot.toml").write_text(f'name = "a"\ngames = ["*"]\nrun = ["true"]\nprotocol = {value}\n')
    with pytest.raises(bots.BotError, match=r"line 4: key 'protocol': expected .*, got"):
        bots.read(tmp_path)
