"""`arena play`: a person at the table, by lines on standard input and in a real terminal."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena import bots, games, record
from arena.cli import adviser
from arena.home import Home
from arena.match import MatchResult
from tests.cli.conftest import ROOT, Arena, Ended

GAME = "party-bugs"
Play = Callable[..., Ended]


@pytest.fixture
def play(lasting_home: Home, tmp_path: Path) -> Play:
    """Runs `arena play` for somebody who types these lines."""

    def run(*words: str, typed: str, game: str = GAME) -> Ended:
        command = [sys.executable, "-m", "arena", "play", "--game", game, "--home", str(lasting_home.path), *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
        ended = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            timeout=110,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    return run


def _stored(home: Home) -> set[Path]:
    return set(record.stored(home))


def _recorded(ended: Ended) -> MatchResult:
    assert ended.code == 0, ended.err
    return record.read(Path(json.loads(ended.out)["matches"][0]["record"]))


def _actions(result: MatchResult) -> list[tuple[int, int]]:
    return [(one.seat, one.action) for one in result.decisions]


# Whole matches


@pytest.mark.parametrize("game", games.names())
def test_every_game_can_be_played_and_leaves_a_record(game: str, play: Play, lasting_home: Home) -> None:
    before = _stored(lasting_home)
    ended = play("--bots", "random,random", "--seat", "2", "--seed", "4", typed="1\n" * 5000, game=game)
    assert (ended.code, ended.err) == (0, "")
    (path,) = _stored(lasting_home) - before
    result = record.read(path)
    assert record.verify(result) == []
    assert [entrant.bot for entrant in result.spec.entrants] == ["random", "person", "random#2"]
    assert result.spec.entrants[1].level == "person"
    assert result.faults == ()
    own = [moment for moment in record.replay(result) if 1 in moment.acting]
    assert [moment.decided[1].action for moment in own] == [moment.legal[1][0] for moment in own]
    assert {moment.decided[1].micros for moment in own} == {0}
    assert ended.out.count("? for a hint, q to leave: ") == len(own)
    assert max(map(len, ended.out.splitlines())) <= 80
    assert f"arena replay {path.stem}" in ended.out
    place = f"place {result.places[1]}: seat 2 person with {result.scores[1]} points"
    assert place in ended.out
    assert "\x1b" not in ended.out


@pytest.mark.parametrize("game", games.names())
def test_whoever_follows_every_hint_plays_as_the_bot_does(
    game: str, play: Play, arena: Arena, lasting_home: Home
) -> None:
    """The hint is made of the person's own observation and luck alone: the same as a bot in that seat has."""
    words = ("--seed", "9", "--json")
    model = adviser.adviser_for(game).name
    assert model == game
    place = ("--game", game, "--home", str(lasting_home.path))
    model_match = json.loads(arena("match", *place, "--bots", f"random,{model},random", *words).out)
    wanted = record.read(Path(model_match["matches"][0]["record"]))
    own = [moment for moment in record.replay(wanted) if 1 in moment.acting]
    numbers = [1 + moment.legal[1].index(moment.decided[1].action) for moment in own]
    typed = "".join(f"?\n{number}\n" for number in numbers)
    ended = play("--bots", "random,random", "--seat", "2", *words, typed=typed, game=game)
    assert _actions(_recorded(ended)) == _actions(wanted)
    hints = re.findall(rf"^{model} would take (\d+): ", ended.err, re.MULTILINE)
    assert [int(hint) for hint in hints] == numbers


def test_numbers_count_from_one_and_words_do_as_well(play: Play) -> None:
    first = _recorded(play("--seed", "3", "--json", typed="2\n" + "1\n" * 500))
    second = _recorded(play("--seed", "3", "--json", typed="PLAY  8\n" + "1\n" * 500))
    moment = next(iter(record.replay(first)))
    assert games.load(GAME).action_text(moment.decided[0].action) == "play 8"
    assert moment.decided[0].action == moment.legal[0][1]
    assert _actions(first) == _actions(second)


def test_what_is_seen_is_what_the_seat_may_see(play: Play) -> None:
    ended = play("--seed", "3", "--seat", "3", typed="q\n")
    assert "1 greedy" in ended.out
    rows = [line for line in ended.out.splitlines() if "▒▒" in line]
    assert [row.split()[1] for row in rows[:2]] == ["1", "2"]
    own = next(line for line in ended.out.splitlines() if "3 person" in line)
    assert "▒▒" not in own
    hidden = re.findall(r"seat [12] drew (.*?)(?:;|$)", " ".join(ended.out.split("Party Bugs")[0].split()))
    assert {*hidden} == {"a card", "the Party King and shuffled it back"}


# Leaving, and typing what there is not


def test_leaving_drops_the_match(play: Play, lasting_home: Home) -> None:
    before = _stored(lasting_home)
    ended = play(typed="1\nQ\n1\n1\n")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.endswith("You have left; the match is dropped.\n")
    assert _stored(lasting_home) == before


@pytest.mark.parametrize("typed", ["", "1\n", "1\nx"])
def test_the_end_of_the_input_drops_the_match_in_one_sentence(typed: str, play: Play, lasting_home: Home) -> None:
    before = _stored(lasting_home)
    ended = play(typed=typed)
    said = "arena: expected the number of an action, got the end of the input: the match is dropped\n"
    assert (ended.code, ended.err) == (2, said)
    assert _stored(lasting_home) == before


WRONG = ["0", "4", "99999999999999999999", "-1", "1.0", "nothing like it", "\x1b[2J", "٣", "", "x" * 5000]


def test_what_means_nothing_is_told_and_asked_again(play: Play) -> None:
    ended = play("--seed", "3", typed="".join(f"{word}\n" for word in WRONG) + "q\n")
    assert ended.code == 0
    flat = " ".join(ended.out.split())
    assert flat.count("expected a number from 1 to 3, ? or q, got ") == len(WRONG)
    assert ended.out.count("1-3, ? for a hint, q to leave: ") == len(WRONG) + 1
    assert "\x1b" not in ended.out
    assert len(ended.out) < 4000 + 1000  # of a very long line not all is kept


def test_some_of_the_words_show_only_such_actions(play: Play) -> None:
    words = ("--seed", "5", "--variant", "all-modules")
    everything = _placements(play(*words, typed="1\n1\nq\n", game="ladybugs").out.split("q to leave:")[2])
    number, dots, space = everything[-1]
    shown = play(*words, typed=f"1\n1\non {space}\nq\n", game="ladybugs").out.split("q to leave:")[3]
    assert (number, dots, space) in _placements(shown)
    assert 0 < len(_placements(shown)) < len(everything)
    assert _placements(shown) == [one for one in everything if one[2] == space]


def _placements(shown: str) -> list[tuple[str, str, str]]:
    return sorted(re.findall(r"(\d+) place (\d) on (\w+)", shown))


# What was asked for

BAD = [
    (("--bots", "random,random,random,random,random,random"), "party-bugs: expected 1 to 5 bots beside you, got 6"),
    (("--seat", "4"), "--seat: expected 1 to 3, got 4"),
    (("--name", "greedy"), "--name: expected another name than that of a bot, got 'greedy'"),
    (("--name", "a\x1bb"), "--name: expected a name of at most 40 letters, got 'a\\x1bb'"),
    (("--name", ""), "--name: expected a name of at most 40 letters, got ''"),
    (("--bots", "greddy"), "expected a bot, got 'greddy': did you mean 'greedy'?"),
    (("--bots", "ladybugs"), "expected bots that play party-bugs, got ladybugs, which plays ladybugs"),
    (("--variant", "basis"), "expected a variant of party-bugs, got 'basis': did you mean 'base'?"),
]


@pytest.mark.parametrize(("words", "sentence"), BAD)
def test_bad_words_are_one_sentence(words: tuple[str, ...], sentence: str, here: Arena) -> None:
    ended = here("play", "--game", GAME, *words)
    assert (ended.code, ended.out, ended.err) == (2, "", f"arena: {sentence}\n")


def test_a_bot_that_fails_is_explained_and_ends_with_1(play: Play, tmp_path: Path) -> None:
    folder = tmp_path / "crashing"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "crashing"\ngames = ["*"]\nrun = ["python", "bot.py"]')
    (folder / "bot.py").write_text("raise SystemExit('I give up')")
    ended = play("--bots", "./crashing", "--unsafe", typed="1\n" * 500)
    assert (ended.code, ended.err) == (1, "")
    flat = " ".join(ended.out.split())
    assert "seat 2, crashing, failed before its first decision (never connected)" in flat
    assert "place 1: seat 1 person" in flat


def test_an_adviser_that_fails_costs_only_the_hint(
    here: Arena, lasting_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "broken"\ngames = ["*"]\nrun = ["python", "bot.py"]')
    (folder / "bot.py").write_text("raise SystemExit('no idea')")
    monkeypatch.setattr("arena.cli.sitting.adviser_for", lambda _: bots.read(folder))
    typed = tmp_path / "typed"
    typed.write_text("?\n?\n" + "1\n" * 500)
    with typed.open() as source:
        monkeypatch.setattr(sys, "stdin", source)
        ended = here("play", "--game", GAME, "--bots", "random", "--home", str(lasting_home.path))
    assert (ended.code, ended.err) == (0, "")
    flat = " ".join(ended.out.split())
    assert flat.count("no hint: the bot failed (never connected): expected a hello from broken, got") == 2
    assert "place 1: " in flat


# In a terminal


class Terminal:
    """A terminal of 80x24 in which somebody plays."""

    def __init__(self, ours: int, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self._ours = ours
        self._shown = ""

    def wait_for(self, words: str) -> str:
        """All that is shown from now on up to these words."""
        limit = time.monotonic() + 60
        while words not in self._shown:
            assert select.select([self._ours], [], [], max(0, limit - time.monotonic()))[0], self._shown
            self._shown += os.read(self._ours, 4096).decode(errors="replace")
        shown, words, self._shown = self._shown.partition(words)
        return shown + words

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())


@contextmanager
def _terminal(*words: str, home: Home) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "LINES": "24", "TERM": "xterm"}
    command = [sys.executable, "-m", "arena", "play", *words, "--home", str(home.path)]
    preparation: dict[str, Any] = {"start_new_session": True, "env": environment}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, **preparation) as process:
        os.close(theirs)
        try:
            yield Terminal(ours, process)
        finally:
            process.kill()
    os.close(ours)


PROMPT = "q to leave: "


def test_a_terminal_asks_and_forgets_what_was_typed_ahead(lasting_home: Home) -> None:
    with _terminal("--game", GAME, "--seed", "3", "--bots", "random", home=lasting_home) as terminal:
        terminal.type("q\n1\n")  # before anything was asked
        terminal.wait_for(f"1-3, ? for a hint, {PROMPT}")
        terminal.type("?\n")
        assert "party-bugs would take " in terminal.wait_for(PROMPT)
        terminal.type("1\n")
        again = terminal.wait_for(PROMPT)
        assert "\x1b[2J" in again, "a new decision has a clean screen"
        terminal.type("q\n")
        terminal.wait_for("You have left; the match is dropped.")
        assert terminal.process.wait(30) == 0


def test_a_small_terminal_shows_the_whole_table(lasting_home: Home) -> None:
    words = ("--game", "ladybugs", "--variant", "all-modules", "--seed", "5")
    with _terminal(*words, home=lasting_home) as terminal:
        terminal.wait_for(PROMPT)
        screens = []
        for _ in range(6):
            terminal.type("1\n")
            shown = terminal.wait_for(PROMPT).rpartition("\x1b[2J")[2]
            screens.append(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", shown).split("\r\n"))
        for lines in screens:
            assert len(lines) <= 24
            assert max(map(len, lines)) <= 80
            assert any(line.startswith(" Ladybugs · turn ") for line in lines[:4])
        assert any("more: type some of their words to see only those" in line for lines in screens for line in lines)
        terminal.type("\x04")
        assert terminal.process.wait(30) == 2


def test_ctrl_c_ends_in_one_line(lasting_home: Home) -> None:
    before = _stored(lasting_home)
    with _terminal("--game", GAME, "--bots", "random", home=lasting_home) as terminal:
        terminal.wait_for(PROMPT)
        terminal.process.send_signal(signal.SIGINT)
        terminal.wait_for("arena: interrupted")
        assert terminal.process.wait(30) == 130
    assert _stored(lasting_home) == before
