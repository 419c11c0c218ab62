"""Bad input: one clear sentence on standard error, exit code 2, no traceback, nothing on standard output."""

from pathlib import Path

import pytest

from arena import record
from arena.home import Home
from tests.cli.conftest import Arena
from tests.cli.matches import played

TWO = ("--game", "party-bugs", "--bots", "random,random")

CASES: list[tuple[tuple[str, ...], str]] = [
    (("match", "--game", "party-bugz", "--bots", "random,random"), "got 'party-bugz': did you mean 'party-bugs'?"),
    (("match", "--game", "party-bugs", "--bots", "random,grady"), "got 'grady': did you mean 'greedy'?"),
    (("match", "--game", "party-bugs", "--bots", "random"), "expected 2 to 6 bots, one for each seat, got 1"),
    (("match", "--game", "party-bugs", "--bots", ",".join(["random"] * 7)), "for each seat, got 7"),
    (("match", "--game", "party-bugs", "--bots", "random,"), "expected names with commas between them"),
    (("match", "--game", "party-bugs", "--bots", "./nowhere,random"), "got 'nowhere', which is no folder"),
    (("match", *TWO, "--variant", "hiden-card"), "got 'hiden-card': did you mean 'hidden-card'?"),
    (("match", *TWO, "--option", "hiden_card=true"), "'hiden_card': did you mean hidden_card?"),
    (("match", *TWO, "--option", "hidden_card=maybe"), "expected one of false, true; got 'maybe'"),
    (("match", *TWO, "--option", "hidden_card"), "expected name=value, got 'hidden_card'"),
    (("match", *TWO, "--option", "hidden_pairing=must"), "expected may, because hidden_card is false"),
    (("match", *TWO, "--matches", "0"), "invalid value for '--matches'"),
    (("match", *TWO, "--seed", "luck"), "invalid value for '--seed'"),
    (("match", *TWO, "--allowance", "nan"), "--allowance: expected 0.001 to 86400 seconds, got nan"),
    (("match", *TWO, "--bank", "-1"), "--bank: expected 0 to 86400 seconds, got -1"),
    (("match", *TWO, "--sandbox", "bubblewarp"), "got 'bubblewarp': did you mean 'bubblewrap'?"),
    (("match", *TWO, "--limit", "memory_mb"), "--limit: expected NAME=NUMBER, got 'memory_mb'"),
    (("match", *TWO, "--limit", "memory=64"), "expected a limit, got 'memory': did you mean 'memory_mb'?"),
    (("match", *TWO, "--limit", "memory_mb=8"), "--limit memory_mb: expected 16 to 1048576, got '8'"),
    (("ladder", "--game", "party-bugs", "--limit", "processes=many"), "--limit processes: expected 1 to 32768, got"),
    (("match", *TWO, "--home", "/proc/nowhere"), "expected a writable folder for arena's data"),
    (("match", "--game", "party-bugs"), "missing option '--bots' (see arena match --help)"),
    (("verifi",), "no such command 'verifi'. Did you mean 'verify'? (see arena --help)"),
    (("games", "--nonsense"), "no such option: --nonsense"),
    (("replay",), "missing argument"),
    (("replay", "last"), "no match was played in"),
    (("replay", "zz"), "got 'zz': no record in"),
    (("replay", "/etc/passwd"), "/etc/passwd is not a match record"),
    (("verify", "./missing.arena"), "got missing.arena, which does not exist"),
]


@pytest.mark.parametrize(("arguments", "words"), CASES, ids=[" ".join(case[0])[-50:] for case in CASES])
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], words: str, arena: Arena) -> None:
    ended = arena(*arguments)
    assert words in ended.err, ended.err
    assert ended.code == 2
    assert ended.err.startswith("arena: ")
    assert ended.err.count("\n") == 1
    assert ended.out == ""


MANIFESTS: list[tuple[str, str]] = [
    ("name = ", "expected TOML"),
    ('name = "mine"\ngames = ["*"]\nrun = ["python"]\nspeed = 1', "got 'speed'"),
    ('name = "mine"\ngames = ["*"]\nrun = "python"', "key 'run': expected a list of words"),
    ('games = ["*"]\nrun = ["python"]', "key 'name'"),
    ('name = "mine"\ngames = ["*"]\nrun = ["./missing"]', "'./missing' is none"),
    ('name = "mine"\ngames = ["*"]\nrun = ["./plain.txt"]', "is not executable: chmod +x"),
    ('name = "mine"\ngames = ["ladybugs"]\nrun = ["python"]', "got mine, which plays ladybugs"),
]


@pytest.mark.parametrize(("manifest", "words"), MANIFESTS, ids=[case[1] for case in MANIFESTS])
def test_a_broken_bot_is_one_sentence(manifest: str, words: str, arena: Arena, tmp_path: Path) -> None:
    _bot(tmp_path, manifest)
    ended = arena("match", "--game", "party-bugs", "--bots", "./mine,random")
    assert words in ended.err, ended.err
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)


def test_two_bots_of_one_name_are_told_apart_or_refused(arena: Arena, tmp_path: Path) -> None:
    _bot(tmp_path, 'name = "random"\ngames = ["*"]\nrun = ["python", "bot.py"]')
    ended = arena("match", "--game", "party-bugs", "--bots", "./mine,random")
    assert "expected bots with different names, got two that are called random" in ended.err
    assert ended.code == 2


def test_a_foreign_bot_without_a_sandbox_needs_a_word(arena: Arena, tmp_path: Path) -> None:
    _bot(tmp_path, 'name = "mine"\ngames = ["*"]\nrun = ["python", "bot.py"]')
    ended = arena("match", "--game", "party-bugs", "--bots", "./mine,random", "--sandbox", "none")
    assert "say --unsafe" in ended.err
    assert (ended.code, ended.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_damaged_records_are_one_sentence(command: str, arena: Arena, tmp_path: Path) -> None:
    path = record.write(Home(tmp_path / "home"), played())
    whole = path.read_bytes()
    for content, words in [(whole[:99], "is damaged"), (b"nothing of the kind", "is not a match record")]:
        path.write_bytes(content)
        ended = arena(command, path.stem)
        assert f"{path} {words}" in ended.err
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)


def test_a_seat_that_is_not_there_is_one_sentence(arena: Arena, tmp_path: Path) -> None:
    record.write(Home(tmp_path / "home"), played())
    ended = arena("replay", "last", "--seat", "4")
    assert ended.err == "arena: --seat: expected 1 to 3, got 4\n"
    assert (ended.code, ended.out) == (2, "")


def _bot(tmp_path: Path, manifest: str) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text(manifest)
    (folder / "plain.txt").write_text("no program")
    (folder / "bot.py").write_text("")
