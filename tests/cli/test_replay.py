"""`arena replay` and `arena verify`: pictures and words, JSON lines, and no secrets for a single seat."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena import games, record
from arena.cli import story
from arena.home import Home
from arena.match import FaultKind, Printed
from tests.cli.conftest import ROOT, Arena
from tests.cli.matches import Failure, Wanted, played

HIDDEN = Wanted("hidden-card-mirror-series", 3, seed=4, failures={2: Failure(FaultKind.ILLEGAL, 6, micros=90)})


@pytest.fixture
def match(home: Home) -> Path:
    return record.write(home, played(HIDDEN))


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_pipe_gets_every_scene(match: Path, here: Arena) -> None:
    ended = here("replay", str(match))
    moments = len(list(record.replay(record.read(match))))
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.count("Dance floor") == moments
    assert "place 1: seat" in ended.out
    assert "seat 3, bot-2, failed at decision 6 (illegal): seat 3 was told to fail" in ended.out
    assert "(the substitute)" in ended.out
    assert "\x1b" not in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80


LOGS = (None, Printed("one\n\ttwo\n", 1234, 2), Printed("\x1b[2Jthree"))


def test_what_bots_printed_is_shown_seat_by_seat(home: Home, here: Arena) -> None:
    path = str(record.write(home, replace(played(), logs=LOGS)))
    ended = here("replay", path, "--logs")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "seat 1 bot-0 printed nothing\n"
        "\nseat 2 bot-1\n"
        "  2 other matches were under way in the same process: lines may be theirs\n"
        "  … 1,234 bytes before this were left out\n"
        "  | one\n"
        "  |     two\n"
        "\nseat 3 bot-2\n"
        "  | \ufffd[2Jthree\n"
    )
    assert here("replay", path, "--logs", "--seat", "1").out == "seat 1 bot-0 printed nothing\n"
    (plain,) = _lines(here("replay", path, "--logs", "--json").out)
    told = {"text": "one\n\ttwo\n", "left_out": 1234, "other_matches": 2}
    assert plain["seats"][1] == {"seat": 1, "bot": "bot-1", **told}
    assert [seat["text"] for seat in plain["seats"]][::2] == ["", "\x1b[2Jthree"]
    assert here("replay", path, "--logs", "--seat", "9").code == 2


def test_logs_of_a_silent_match_are_told_too(match: Path, here: Arena) -> None:
    assert here("replay", str(match), "--logs").out.count(" printed nothing\n") == 3


def test_json_has_a_line_for_each_moment(match: Path, here: Arena) -> None:
    result = record.read(match)
    lines = _lines(here("replay", str(match), "--json").out)
    moments = list(record.replay(result))
    assert len(lines) == len(moments)
    for line, moment in zip(lines, moments, strict=True):
        assert line["acting"] == list(moment.acting)
        assert line["state"] == moment.state.dump()
        for seat in moment.acting:
            assert [action["code"] for action in line["legal"][str(seat)]] == moment.legal[seat]
            assert line["actions"][str(seat)]["code"] == moment.decided[seat].action
            assert line["micros"][str(seat)] == moment.decided[seat].micros
            assert line["substitute"][str(seat)] == moment.decided[seat].substitute
            legal = line["observations"][str(seat)]["legal_actions"]
            assert [action["action"] for action in line["legal"][str(seat)]] == legal
        assert sorted(line["observations"]) == ["0", "1", "2"]
        assert line["observations"]["1"]["hand"] == moment.state.dump()["hands"][1]  # type: ignore[index]
    assert lines[-1]["outcome"]["places"] == list(result.places)
    first = lines[0]["actions"]["0"]
    assert first["text"] == f"hide {first['action']['value']}"
    assert first["action"]["kind"] == "ACTION_KIND_HIDE"


def test_one_seat_is_shown_nothing_but_its_own(match: Path, here: Arena) -> None:
    lines = _lines(here("replay", str(match), "--json", "--seat", "2").out)
    everything = _lines(here("replay", str(match), "--json").out)
    for line, whole in zip(lines, everything, strict=True):
        assert "state" not in line
        assert line["observations"] == {"1": whole["observations"]["1"]}
        for part in ("legal", "actions", "micros", "bank_micros"):
            assert set(line[part]) <= {"1"}
    assert {word for line in lines for word in line["news"] if "drew" in word and "seat 1" in word} == {
        "seat 1 drew a card"
    }


def test_the_picture_of_one_seat_hides_the_others(match: Path, here: Arena) -> None:
    text = here("replay", str(match), "--seat", "2").out
    first = text.split("▶  3")[0]
    assert "▒▒ ▒▒ ▒▒ ▒▒" in first
    assert "seat 2 bot-1: hide" in text
    assert "seat 1 bot-0: " not in text
    assert "(?)" in text


def test_many_choices_are_told_in_part(home: Home, here: Arena) -> None:
    """A board game has dozens of them: the table must not scroll away; as data they are all there."""
    path = record.write(home, played(Wanted(game="ladybugs", variant="all-modules")))
    lines = _lines(here("replay", str(path), "--json").out)
    legal = [len(actions) for line in lines for actions in line["legal"].values()]
    text = " ".join(here("replay", str(path)).out.split())
    told = re.findall(r" of (\d+): (.*?); bank", text)
    assert [int(number) for number, _ in told] == legal
    assert max(legal) > story.MOST_CHOICES
    for number, choices in told:
        more = max(0, int(number) - story.MOST_CHOICES)
        assert len(choices.split(", ")) == int(number) - more
        assert choices.endswith(f" and {more} more") == (more > 0)


@pytest.mark.parametrize("game", games.names())
def test_every_game_is_replayed_and_verified(home: Home, here: Arena, game: str) -> None:
    result = played(Wanted(game=game, seed=6))
    path = record.write(home, result)
    assert f"{path.stem}: exact, {len(result.decisions)} decisions replayed" in here("verify", str(path)).out
    for more in ((), ("--seat", "2")):
        ended = here("replay", str(path), *more)
        assert (ended.code, ended.err) == (0, "")
        assert max(map(len, ended.out.splitlines())) <= 100
        assert games.load(game).title in ended.out
        assert "place 1: seat" in ended.out


def test_words_from_a_foreign_record_cannot_move_the_cursor(home: Home, here: Arena) -> None:
    result = played()
    entrants = tuple(replace(one, bot=f"\x1b[2J{one.bot}[bold]") for one in result.spec.entrants)
    path = record.write(home, replace(result, spec=replace(result.spec, entrants=entrants), remarks=("\x1b]0;x\x07",)))
    for arguments in (("replay", str(path)), ("verify", str(path))):
        assert "\x1b" not in here(*arguments).out


def test_a_terminal_steps_on_and_back_and_quits(match: Path) -> None:
    told = _in_terminal(["replay", str(match)], ["\r", "b", "q"])
    assert re.findall(r"(\d+) of \d+ · Enter", told) == ["1", "2", "1"]


def _in_terminal(arguments: list[str], keys: list[str]) -> str:
    """What a terminal of 80x24 shows while somebody presses these keys, one after each footer."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "LINES": "24", "TERM": "xterm"}
    command = [sys.executable, "-m", "arena", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = ""
        try:
            for key in keys:
                shown += _until(ours, "q: quit")
                os.write(ours, key.encode())
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()
    os.close(ours)
    return shown


def _until(terminal: int, words: str) -> str:
    shown, limit = "", time.monotonic() + 30
    while words not in shown:
        assert select.select([terminal], [], [], max(0, limit - time.monotonic()))[0], shown
        shown += os.read(terminal, 4096).decode(errors="replace")
    return shown


# Verify


def test_verify_says_exact_or_what_differs(home: Home, here: Arena) -> None:
    sound = record.write(home, played())
    result = played()
    wrong = record.write(home, replace(result, scores=(0, 0, 0), places=(1, 1, 1)))
    ended = here("verify", str(sound), str(wrong))
    assert ended.code == 1
    assert f"{sound.stem}: exact, {len(record.read(sound).decisions)} decisions replayed" in ended.out
    assert f"{wrong.stem}: not what happened by the rules" in ended.out
    assert "places: expected" in ended.out
    assert "scores: expected" in ended.out
    plain = json.loads(here("verify", str(sound), str(wrong), "--json").out)
    assert [one["exact"] for one in plain] == [True, False]
    assert len(plain[1]["problems"]) == 2


def test_verify_takes_ids_and_last(home: Home, here: Arena) -> None:
    path = record.write(home, played())
    ended = here("verify", path.stem, path.stem[:6], "last", "--home", str(home.path))
    assert ended.code == 0
    assert ended.out.count(f"{path.stem}: exact") == 3


def test_a_tampered_match_cannot_be_watched(home: Home, here: Arena) -> None:
    result = played()
    path = record.write(home, replace(result, decisions=result.decisions[:-1]))
    ended = here("replay", str(path))
    assert (ended.code, ended.out) == (2, "")
    assert "got the end of the match" in ended.err
