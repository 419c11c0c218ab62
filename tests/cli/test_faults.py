"""Why did my bot lose? A fault tells all that is known of its process, after a match and on a ladder."""

import json
from pathlib import Path

from tests.cli.conftest import Arena

BOT = """
import sys
from arena.sdk import play

def choose(turn):
    if turn.decision == 2:
        print("thinking of \\x1b[31mred", "I give up", sep="\\n", file=sys.stderr, flush=True)
        raise SystemExit(3)
    return turn.legal[0]

play(choose)
"""
WORDS = ("failed at decision 2 (disconnected)", "process: ended with exit code 3", "its last lines:", "| I give up")


def _crashing(folder: Path) -> str:
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "mine"\ngames = ["*"]\nrun = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(BOT)
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
