"""`arena check`: what a sound bot is told, and how a failure is found, explained and played again."""

import json
from pathlib import Path

import pytest

from arena import games
from arena.bots import read
from arena.cli import checking
from tests.cli.conftest import Arena

SOUND = """
from arena.sdk import play
play(lambda turn: turn.legal[-1])
"""
FRAGILE = """
from arena.sdk import play

def choose(turn):
    if turn.match.seats == 3 and turn.decision == 4:
        raise RuntimeError("three is a crowd")
    return turn.legal[0]

play(choose)
"""


def bot(folder: Path, source: str, claims: str = '"party-bugs"') -> str:
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "mine"\ngames = [{claims}]\nrun = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(source)
    return str(folder)


@pytest.mark.parametrize("claims", ['"*"', '"party-bugs", "ladybugs"'])
def test_everything_that_a_bot_claims_is_played_in_every_number_of_seats(tmp_path: Path, claims: str) -> None:
    claimed = read(Path(bot(tmp_path / "mine", SOUND, claims)))
    played = {(case.game, case.variant, case.seats) for case in checking.cases(claimed)}
    assert played == {
        (name, variant, seats)
        for name in games.names()
        if claimed.plays(name)
        for variant in games.load(name).variants()
        for seats in games.load(name).seat_counts()
    }
    assert {case.seat for case in checking.cases(claimed)} >= {0, 1, 2, 3}


def test_a_sound_bot_is_ready(arena: Arena, tmp_path: Path) -> None:
    ended = arena("check", bot(tmp_path / "mine", SOUND), "--game", "party-bugs", "--unsafe")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0].split() == ["game", "matches", "decisions", "p50", "p99", "max", "faults"]
    assert lines[-1] == "mine played 60 matches without a fault: it is ready."
    assert max(map(len, lines)) <= 80


def test_a_failure_is_explained_and_can_be_played_again(arena: Arena, tmp_path: Path) -> None:
    reference = bot(tmp_path / "mine", FRAGILE)
    ended = arena("check", reference, "--unsafe")
    assert ended.code == 1
    assert "failed at decision 4 (disconnected)" in ended.out
    assert "RuntimeError: three is a crowd" in ended.out
    assert "it saw: " in ended.out
    assert "mine failed in 12 of 60 matches and would be refused." in ended.out
    found = json.loads(arena("check", reference, "--unsafe", "--json").out)
    assert len(found["faults"]) == found["games"][0]["faults"] == 12
    again = arena(*found["faults"][0]["again"].split(), "--unsafe")
    assert again.code == 1
    assert "three is a crowd" in again.out
    assert found["faults"][0]["observation"]


def test_a_bot_called_like_a_shipped_one_is_checked_too(arena: Arena, tmp_path: Path) -> None:
    folder = Path(bot(tmp_path / "mine", SOUND))
    (folder / "bot.toml").write_text((folder / "bot.toml").read_text().replace("mine", "random"))
    assert arena("check", str(folder), "--unsafe").code == 0


def test_a_game_that_it_does_not_play_is_told(arena: Arena, tmp_path: Path) -> None:
    ended = arena("check", bot(tmp_path / "mine", SOUND), "--game", "ladybugs")
    assert (ended.code, ended.out) == (2, "")
    assert "expected a game that mine plays, got ladybugs: it plays party-bugs" in ended.err
