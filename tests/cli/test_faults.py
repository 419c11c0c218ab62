"""Why did my bot lose? A fault tells all that is known of its process, after a match and on a ladder."""

import json
import re
from pathlib import Path

import pytest

from arena import sandbox
from arena.home import Home
from tests.cli.conftest import Arena

BOT = """
import sys
from arena.sdk import play

def choose(turn):
    if turn.decision == 2:
        DEED
    return turn.legal[0]

play(choose)
"""
CRASH = """print("thinking of \\x1b[31mred", "I give up", sep="\\n", file=sys.stderr, flush=True)
        raise SystemExit(3)"""
WORDS = ("failed at decision 2 (disconnected)", "process: ended with exit code 3", "its last lines:", "| I give up")


GREEDY = "held = []\n        while True:\n            held.append(bytearray(10_000_000))"
FLOOD = "import os\n        while True:\n            os.write(1, b'spam\\n' * 1000)"
USED = r"used: \d+ MB of memory, \d+\.\d s of CPU time, \d+ processes and threads"
LIMITS = (
    "limits: 96 MB of memory, 50 % of a core, 64 processes and threads, 64 MB in /tmp, 1024 kB of log at full speed"
)
BY_REFEREE = "process: ended by the referee, for this fault"
# What a bot does at its decision 2, the kind of its fault, and what its author reads.
STORIES = {
    "memory": (GREEDY, "limit", ["process: killed: its memory limit of 96 MB"]),
    "thinks": (
        "print('hard to say')\n        while True: pass",
        "timeout|starved",  # where others keep it from the cores
        [r"no answer in (\d\.\d+ s of CPU time and )?\d\.\d+ s by the wall", BY_REFEREE, r"\| hard to say"],
    ),
    "sleeps": ("import time; time.sleep(60)", "timeout", [r"no answer in 2\.\d+ s by the wall", BY_REFEREE]),
    "floods": (FLOOD, "timeout|starved", [r"\| spam", r"\| \(it has printed over 1024 kB: the rest is read slowly\)"]),
    "raises": (
        "{}['missing']",
        "disconnected",
        [
            "a process that ended with exit code 1; its last words: KeyError: 'missing'",
            "process: ended with exit code 1",
            r'\|   File "/agent/bot.py", line 7, in choose',
        ],
    ),
    "signal": (
        "import os; os.abort()",
        "disconnected",
        [r"process: killed by SIGABRT \(aborted\), which the referee did not send"],
    ),
    "illegal": (
        "from arena.sdk import client; client.Conversation._index = lambda *_: 99",  # from its next decision on
        "illegal",
        [
            r"expected an action index below \d+, got \d+",
            "process: it runs on; an illegal action costs the match alone",
        ],
    ),
}


@pytest.mark.parametrize("how", STORIES)
def test_every_fault_tells_what_its_author_needs(how: str, arena: Arena, tmp_path: Path, lasting_home: Home) -> None:
    if problem := sandbox.why_not_bubblewrap():
        pytest.skip(f"needs bubblewrap: {problem}")
    deed, kind, stories = STORIES[how]
    bot = _bot(tmp_path / how, deed)
    words = ["--bots", f"{bot},random", "--allowance", "0.4", "--bank", "0.1", "--sandbox", "bubblewrap"]
    limits = [word for limit in ("memory_mb=96", "cpu_percent=50", "processes=64") for word in ("--limit", limit)]
    home = {"ARENA_HOME": str(lasting_home.path), "COLUMNS": "300"}
    ended = arena("match", "--game", "party-bugs", *words, *limits, **home)
    assert re.search(rf"seat 1, {how}, failed at decision [23] \({kind}\): expected ", ended.out), ended.out
    for told in [USED, LIMITS.replace("/", "."), *stories]:
        assert re.search(told, ended.out), (told, ended.out)


def _crashing(folder: Path) -> str:
    return _bot(folder, CRASH)


def _bot(folder: Path, deed: str) -> str:
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "{folder.name}"\ngames = ["*"]\nrun = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(BOT.replace("DEED", deed))
    return str(folder)


def test_a_match_tells_all_of_a_fault(arena: Arena, tmp_path: Path) -> None:
    bots = f"{_crashing(tmp_path / 'mine')},random"
    ended = arena("match", "--game", "party-bugs", "--bots", bots, "--unsafe")
    assert ended.code == 1
    assert all(words in ended.out for words in WORDS), ended.out
    assert "\x1b" not in ended.out
    shown = arena("replay", "last")
    assert all(words in shown.out for words in WORDS), shown.out


def test_the_matches_of_a_ladder_tell_it_too(arena: Arena, tmp_path: Path) -> None:
    bots = f"{_crashing(tmp_path / 'mine')},random"
    played = arena("ladder", "--game", "party-bugs", "--bots", bots, "--unsafe", "--seats", "2", "--matches", "2")
    assert played.code == 0, played.err
    ended = arena("matches", "--faults")
    assert all(words in ended.out for words in WORDS), ended.out
    listed = json.loads(arena("matches", "--faults", "--json").out)
    (fault,) = [seat["fault"] for seat in listed[0]["seats"] if seat["fault"]]
    assert (fault["kind"], fault["decision"], fault["ended"]) == ("disconnected", 2, "ended with exit code 3")
    assert fault["log"][-1] == "I give up"


def test_a_fault_whose_record_is_gone_keeps_its_sentence(arena: Arena, tmp_path: Path) -> None:
    bots = f"{_crashing(tmp_path / 'mine')},random"
    arena("ladder", "--game", "party-bugs", "--bots", bots, "--unsafe", "--seats", "2", "--matches", "2")
    for record in (tmp_path / "home" / "records").rglob("*.arena"):
        record.unlink()
    ended = arena("matches", "--faults")
    assert ended.code == 0
    assert "mine (disconnected): expected the agent to play on" in ended.out
