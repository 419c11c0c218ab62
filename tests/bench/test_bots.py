"""`arena bench bots`: real processes and the whole report; nothing here depends on speed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from arena import bots, games, sandbox
from arena.bench import bots as bench
from arena.bench.bots import Contender, Measure
from arena.bots import Bot
from arena.home import Home

ROOT = Path(__file__).parent.parent.parent


def written(folder: Path, program: str) -> Bot:
    """A Python bot."""
    folder.mkdir()
    (folder / "bot.py").write_text(program)
    (folder / "bot.toml").write_text(f'name = "{folder.name}"\ngames = ["*"]\nrun = ["python", "bot.py"]\n')
    return bots.read(folder)


def shown(found: list[Measure]) -> str:
    console = Console(width=80)
    with console.capture() as capture:
        console.print(bench.table(found))
    return capture.get()


LEAVING = """
import sys
from arena.sdk import play
play(lambda turn: sys.exit(3) if turn.decision == 2 else turn.legal[0])
"""


async def test_bots_are_measured_as_the_referee_charges_them(tmp_path: Path) -> None:
    contenders = [
        Contender("random", bots.shipped()["random"]),
        Contender("leaving", written(tmp_path / "leaving", LEAVING)),
        Contender("silent", written(tmp_path / "silent", "raise SystemExit(5)")),
        Contender("Forth", None, "expected a compiler of Forth, got none"),
    ]
    told = list[str]()
    box = sandbox.choose()
    found = await bench.run(Home(tmp_path / "home"), box, contenders, matches=1, say=told.append)
    assert told == ["random", "leaving", "silent", "Forth"]
    random, leaving, silent, forth = found
    assert not random.failed
    assert random.start_ms
    assert len(random.micros) > 20 * len(games.names())
    median, most = random.micros_at(0.5), random.micros_at(0.99)
    assert median
    assert most
    assert random.micros[0] <= median <= most <= random.micros[-1]
    if box.level.startswith("bubblewrap"):
        assert random.memory
        assert random.memory > 5 << 20
    # A bot that failed is asked no more; what it had answered counts.
    assert len(leaving.micros) == 2
    assert "exit code 3" in bench.sentences([leaving])[0]
    assert silent.start_ms is None
    assert "expected a hello from silent" in bench.sentences([silent])[0]
    assert bench.sentences([forth]) == ["Forth: expected a compiler of Forth, got none"]
    assert all(one.failed for one in (leaving, silent, forth))
    for word in ("random", "leaving", "silent", "Forth", "start-up"):
        assert word in shown(found)


SLOW = Measure("TypeScript, stdio", 12_345.6, (1, 2_000_000, 99_999_999), 512 << 20, ("a", "b"))


def test_the_table_fits_a_terminal_and_a_document() -> None:
    lines = shown([SLOW, Measure("Go", 31.5, tuple(range(100, 200)), None)]).splitlines()
    assert len(lines) == 4
    assert lines[2].split() == [
        "TypeScript,",
        "stdio",
        "12346",
        "ms",
        "2000",
        "ms",
        "100000",
        "ms",
        "512",
        "MB",
        "3",
        "2",
    ]
    assert all(len(line) <= 80 for line in lines)
    assert bench.markdown([Measure("Go", 31.5, tuple(range(100, 200)), None)]).splitlines() == [
        "| bot | start-up | decision p50 | p99 | memory | decisions | faults |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| Go | 32 ms | 0.15 ms | 0.20 ms | - | 100 | 0 |",
    ]


def arena(*words: str, home: Path) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "ARENA_HOME": str(home), "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    command = [sys.executable, "-m", "arena", "bench", "bots", *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_the_command_makes_folders_ready_and_tells_all(tmp_path: Path) -> None:
    if problem := sandbox.why_not_bubblewrap():
        pytest.skip(f"needs bubblewrap: {problem}")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "play").write_text("import arena.sdk as s\ns.play(lambda turn: turn.legal[-1])\n")
    (folder / "bot.toml").write_text(
        'name = "mine"\ngames = ["party-bugs"]\nbuild = ["cp", "play", "bot.py"]\nleftovers = ["bot.py"]\n'
        'run = ["python", "bot.py"]\n'
    )
    ended = arena("--bots", f"random,{folder}", "--matches", "1", "--json", home=tmp_path / "home")
    assert ended.returncode == 0, ended.stderr
    random, mine = json.loads(ended.stdout)
    assert (random["bot"], mine["bot"], mine["faults"], mine["problem"]) == ("random", "mine", [], None)
    assert random["decisions"] > mine["decisions"] > 10
    (folder / "bot.toml").write_text((folder / "bot.toml").read_text().replace('"cp"', '"false"'))
    ended = arena("--bots", str(folder), "--matches", "1", home=tmp_path / "home")
    assert ended.returncode == 1
    assert "mine: expected the build of mine (false play bot.py) to succeed, got exit code 1" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_bot_that_is_not_there_is_told(tmp_path: Path) -> None:
    ended = arena("--bots", "randon", home=tmp_path)
    assert (ended.returncode, ended.stderr) == (
        2,
        "arena: expected a bot, got 'randon': did you mean 'random'?\n",
    )
