"""`arena match` with real bots in real processes: what is shown, what scripts read, what is left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arena import record
from arena.home import Home
from tests.cli.conftest import ROOT, Arena

CRASHING = 'name = "crashing"\ngames = ["*"]\nrun = ["python", "bot.py"]'
GAME = ("match", "--game", "party-bugs")


def _json(text: str) -> Any:
    assert text.count("\n") == 1
    return json.loads(text)


def test_a_match_is_shown_recorded_and_exact(arena: Arena, lasting_home: Home) -> None:
    place = ("--home", str(lasting_home.path))
    ended = arena(*GAME, "--bots", "random,random,greedy", "--seed", "5", *place)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == "Party Bugs · base · 3 seats · seed 5"
    assert "round 13 of 13 · the match is over" in lines[2], "how the match stood at its end"
    table = next(number for number, line in enumerate(lines) if line.startswith("place"))
    assert lines[table].split() == ["place", "seat", "bot", "score", "sandbox", "median", "slowest"]
    assert sorted(line.split()[2] for line in lines[table + 2 : table + 5]) == ["greedy", "random", "random#2"]
    for bot, score in ((line.split()[2], line.split()[3]) for line in lines[table + 2 : table + 5]):
        assert any(bot in line and line.endswith(f" {score}") for line in lines[:table]), "as it is drawn"
    assert max(map(len, lines)) <= 80
    match_id = lines[-1].split()[-1]
    assert lines[-2:] == [f"Watch it: arena replay {match_id}", f"Check it: arena verify {match_id}"]
    verified = arena("verify", match_id, *place)
    assert (verified.code, verified.err) == (0, "")
    assert verified.out.startswith(f"{match_id}: exact, ")


def test_scripts_read_json_and_nothing_else(arena: Arena, lasting_home: Home) -> None:
    words = ("--variant", "hidden-card", "--option", "hidden_pairing=must", "--matches", "3", "--seed", "7", "--json")
    ended = arena(*GAME, "--bots", "random,random", *words, "--home", str(lasting_home.path))
    assert ended.code == 0
    told = _json(ended.out)
    assert [match["seed"] for match in told["matches"]] == [7, 8, 9]
    assert {match["options"]["hidden_pairing"] for match in told["matches"]} == {"must"}
    first = [match["seats"][0]["bot"] for match in told["matches"]]
    assert first == ["random", "random#2", "random"]  # seats move on
    assert [line["matches"] for line in told["summary"]] == [3, 3]
    assert sum(line["wins"] for line in told["summary"]) == 3
    for match in told["matches"]:
        result = record.read(Path(match["record"]))
        assert record.verify(result) == []
        assert [seat["place"] for seat in match["seats"]] == list(result.places)


def test_a_seed_repeats_a_match(arena: Arena, lasting_home: Home) -> None:
    words = ("--bots", "random,greedy,random", "--seed", "11", "--json", "--home", str(lasting_home.path))
    runs = [_json(arena(*GAME, *words).out)["matches"][0] for _ in range(2)]
    results = [record.read(Path(run["record"])) for run in runs]
    actions = [[(one.seat, one.action) for one in result.decisions] for result in results]
    assert actions[0] == actions[1]
    assert runs[0]["match"] != runs[1]["match"]


def test_without_a_seed_luck_is_new(arena: Arena, lasting_home: Home) -> None:
    words = ("--bots", "random,random", "--matches", "4", "--jobs", "2", "--json", "--home", str(lasting_home.path))
    seeds = [match["seed"] for match in _json(arena(*GAME, *words).out)["matches"]]
    assert len(set(seeds)) == 4
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_show_tells_every_decision(arena: Arena, lasting_home: Home) -> None:
    ended = arena(*GAME, "--bots", "random,random", "--seed", "3", "--show", "--home", str(lasting_home.path))
    told, _, table = ended.out.partition("Party Bugs · base")
    assert "seat 1 laid out" in told
    assert "seat 2 random#2: play" in told
    assert "scored" in told
    assert "place" in table
    assert max(map(len, ended.out.splitlines())) <= 80


def test_many_matches_are_summed_up(arena: Arena, lasting_home: Home) -> None:
    ended = arena(*GAME, "--bots", "random,greedy,random", "--matches", "6", "--home", str(lasting_home.path))
    lines = ended.out.splitlines()
    assert "6 matches" in lines[0]
    assert lines[2].split()[:2] == ["bot", "wins"]
    assert sum(int(line.split()[1]) for line in lines[4:7]) == 6
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("matches", ["1", "2"])
def test_a_bot_that_fails_is_explained_and_ends_with_1(
    matches: str, arena: Arena, tmp_path: Path, lasting_home: Home
) -> None:
    folder = tmp_path / "crashing"
    folder.mkdir()
    (folder / "bot.toml").write_text(CRASHING)
    (folder / "bot.py").write_text("raise SystemExit('I \\x1b[31mgive up')")
    words = ("--bots", "./crashing,random", "--matches", matches, "--unsafe", "--home", str(lasting_home.path))
    ended = arena(*GAME, *words)
    assert (ended.code, ended.err) == (1, "")
    flat = " ".join(ended.out.split())
    assert "seat 1, crashing, failed before its first decision (never connected)" in flat
    assert "give up" in flat
    assert "\x1b" not in ended.out
    plain = _json(arena(*GAME, *words, "--json").out)["matches"][0]["seats"]
    assert plain[0]["fault"]["kind"] == "never connected"
    assert plain[0]["fault"]["decision"] is None
    assert [seat["place"] for seat in plain] == [2, 1]
    assert plain[1]["fault"] is None
    assert arena("verify", "last", "--home", str(lasting_home.path)).code == 0


def test_the_home_comes_from_the_environment_too(arena: Arena, lasting_home: Home) -> None:
    ended = arena(*GAME, "--bots", "random,random", "--json", ARENA_HOME=str(lasting_home.path))
    assert Path(_json(ended.out)["matches"][0]["record"]).is_relative_to(lasting_home.path)


def test_a_match_that_cannot_be_recorded_is_one_sentence(arena: Arena, lasting_home: Home) -> None:
    there = lasting_home.records / record.new_match_id()[:2]
    aside = there.with_name("aside")
    if there.exists():
        there.rename(aside)
    there.write_text("in the way")
    try:
        ended = arena(*GAME, "--bots", "random,random", "--matches", "5", "--home", str(lasting_home.path))
    finally:
        there.unlink()
        if aside.exists():
            aside.rename(there)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert ended.err.startswith("arena: the record ")
    assert "was not written: File exists" in ended.err


@pytest.mark.parametrize(
    ("number", "times", "code"), [(signal.SIGINT, 1, 130), (signal.SIGINT, 3, 130), (signal.SIGTERM, 1, 143)]
)
def test_an_interrupted_run_ends_in_one_line_and_keeps_what_it_has(
    number: signal.Signals, times: int, code: int, tmp_path: Path, lasting_home: Home
) -> None:
    home, before = lasting_home, set(record.stored(lasting_home))
    command = [sys.executable, "-m", "arena", *GAME, "--bots", "random,random", "--matches", "100000"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ARENA_HOME": str(home.path)}
    with subprocess.Popen(
        command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        _wait_for_records(home, before, process)
        for _ in range(times):
            process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (code, "", "arena: interrupted\n")
    kept = sorted(set(record.stored(home)) - before)
    assert all(record.verify(record.read(path)) == [] for path in kept[:5])
    assert not list(home.path.rglob("*.part"))


def _wait_for_records(home: Home, before: set[Path], process: "subprocess.Popen[str]") -> None:
    for _ in range(600):
        if len(set(record.stored(home)) - before) >= 3:
            return
        assert process.poll() is None
        time.sleep(0.1)
    pytest.fail("no match was played within a minute")
