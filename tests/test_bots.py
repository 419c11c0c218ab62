"""Bot folders: what bot.toml may say, how a bot is found, and what counts as shipped."""

import os
import shutil
from pathlib import Path

import pytest

from arena import bots
from arena.bots import BotError
from arena.errors import UserError
from arena.limits import Limits

GOOD = """
name = "mine"
author = "me"
description = "Plays"
games = ["party-bugs"]
run = ["python", "bot.py"]
matches_at_once = 256
version = 3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "my-bot"
    place.mkdir()
    (place / "bot.toml").write_text(GOOD.strip())
    (place / "bot.py").write_text("")
    return place


def change(folder: Path, old: str, new: str) -> None:
    text = (folder / "bot.toml").read_text()
    assert old in text
    (folder / "bot.toml").write_text(text.replace(old, new))


def test_a_bot_is_read(folder: Path) -> None:
    bot = bots.read(folder)
    assert (bot.name, bot.author, bot.description, bot.version) == ("mine", "me", "Plays", 3)
    assert (bot.games, bot.run, bot.matches_at_once) == (("party-bugs",), ("python", "bot.py"), 256)
    assert (bot.folder, bot.shipped) == (folder, False)


def test_what_may_be_left_out(folder: Path) -> None:
    (folder / "bot.toml").write_text('name = "x"\ngames = ["*"]\nrun = ["python", "bot.py"]')
    bot = bots.read(folder)
    assert (bot.version, bot.matches_at_once, bot.author, bot.description) == (1, 1, "", "")
    assert bot.limits == {}


def test_a_bot_may_ask_for_less_but_never_gets_more(folder: Path) -> None:
    change(folder, "version = 3", "version = 3\n[limits]\nmemory_mb = 64\nprocesses = 9999")
    asked = bots.read(folder).limits
    assert asked == {"memory_mb": 64, "processes": 9999}
    assert Limits(processes=50).lowered(asked) == Limits(memory_mb=64, processes=50)


@pytest.mark.parametrize(
    ("games", "plays"), [('["*"]', True), ('["party-bugs", "ladybugs"]', True), ('["ladybugs"]', False)]
)
def test_which_games_it_plays(folder: Path, games: str, plays: bool) -> None:  # noqa: FBT001
    change(folder, '["party-bugs"]', games)
    assert bots.read(folder).plays("party-bugs") is plays


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('name = "mine"', "name = 7", "line 1: key 'name': expected a string of one line, got 7"),
        ('name = "mine"', 'name = "a,b"', "line 1: key 'name': expected at most 40 letters, digits, '-' and '_'"),
        ('name = "mine"', 'name = "a\\u001b"', "line 1: key 'name': expected a string of one line, got 'a\\x1b'"),
        ('name = "mine"\n', "", "key 'name': expected a string of one line, got nothing"),
        ("version = 3", "version = 0", "line 7: key 'version': expected a whole number from 1 to"),
        ("version = 3", "version = true", "line 7: key 'version': expected a whole number from 1 to"),
        ("= 256", "= 1025", "key 'matches_at_once': expected a whole number from 1 to 1024, got 1025"),
        ("= 256", "= 2.5", "key 'matches_at_once': expected a whole number from 1 to 1024, got 2.5"),
        ('games = ["party-bugs"]\n', "", "key 'games': expected a list of games"),
        ('["party-bugs"]', "[]", "line 4: key 'games': expected a list of games"),
        ('["party-bugs"]', '["Party Bugs"]', "line 4: key 'games': expected a list of games"),
        ('["party-bugs"]', '["a", "a"]', "line 4: key 'games': expected a list of games"),
        ('["python", "bot.py"]', '"python bot.py"', "line 5: key 'run': expected a list of words"),
        ('["python", "bot.py"]', "[1]", "line 5: key 'run': expected a list of words"),
        ('author = "me"', 'auhtor = "me"', "expected a key of a bot, got 'auhtor': did you mean 'author'?"),
        ('author = "me"', "zzzzz = 1", "expected a key of a bot, got 'zzzzz': known keys: name, version"),
        ("version = 3", "limits = 5", "line 7: key 'limits': expected a table with some of memory_mb, cpu_percent"),
        ("version = 3", "[limits]\nmemory = 5", "key 'limits': expected a table with some of memory_mb, cpu_percent"),
        ("version = 3", "[limits]\nmemory_mb = 1", "line 8: key 'memory_mb': expected a whole number from 16 to"),
        ('author = "me"', 'author = "me', "expected TOML, got an error: Illegal character '\\n' (at line 2,"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, old: str, new: str, sentence: str) -> None:
    change(folder, old, new)
    with pytest.raises(BotError) as caught:
        bots.read(folder)
    assert str(caught.value).startswith(str(folder / "bot.toml"))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_bot_that_is_not_built_yet_says_how(folder: Path) -> None:
    change(folder, 'run = ["python", "bot.py"]', 'build = ["cc", "-o", "my bot", "bot.c"]\nrun = ["./my bot"]')
    with pytest.raises(BotError, match=r"key 'run': expected what its build makes .*say: cc -o 'my bot' bot\.c"):
        bots.read(folder)
    (folder / "my bot").write_text("#!/bin/sh\n")
    (folder / "my bot").chmod(0o755)
    assert bots.read(folder).build == ("cc", "-o", "my bot", "bot.c")


def test_leftovers_are_no_part_of_a_bot(folder: Path) -> None:
    change(folder, "version = 3", 'version = 3\nleftovers = ["out"]')
    before = bots.read(folder).sha256
    (folder / "out").mkdir()
    (folder / "out" / "bot.o").write_text("made")
    assert bots.read(folder).sha256 == before
    change(folder, '["out"]', '["../out"]')
    with pytest.raises(BotError, match="key 'leftovers': expected a list of names in the folder"):
        bots.read(folder)


def test_bytes_that_are_no_text_are_an_error(folder: Path) -> None:
    (folder / "bot.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(BotError, match="expected TOML, got an error"):
        bots.read(folder)


def test_a_missing_manifest_is_an_error(folder: Path) -> None:
    (folder / "bot.toml").unlink()
    with pytest.raises(BotError, match=r"expected a readable .*bot\.toml, got: no such file"):
        bots.read(folder)


@pytest.mark.parametrize("word", ["no-such-command", "/opt/no-such-command", "../outside", "/etc/passwd"])
def test_a_missing_command_is_an_error(folder: Path, word: str) -> None:
    (folder.parent / "outside").write_text("#!/bin/sh\n")
    (folder.parent / "outside").chmod(0o755)
    change(folder, '"python", "bot.py"', f'"{word}"')
    with pytest.raises(BotError, match=f"line 5: key 'run': expected 'python', an executable .*'{word}' is none"):
        bots.read(folder)


def test_a_command_that_is_not_executable_is_an_error(folder: Path) -> None:
    change(folder, '"python", "bot.py"', '"./engine"')
    (folder / "engine").write_text("#!/bin/sh\n")
    with pytest.raises(BotError, match=r"'\./engine' is not executable: chmod \+x .*/engine"):
        bots.read(folder)
    (folder / "engine").chmod(0o755)
    assert bots.read(folder).run == ("./engine",)


def test_a_link_out_of_the_folder_is_no_command(folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.write_text("#!/bin/sh\n")
    outside.chmod(0o755)
    (folder / "engine").symlink_to(outside)
    assert bots.locate(folder, "engine") is None


@pytest.mark.parametrize(
    ("word", "called"), [("python", "python"), ("bin/engine", "./bin/engine"), ("sh", None), ("/bin/sh", "/bin/sh")]
)
def test_how_a_command_is_called(folder: Path, word: str, called: str | None) -> None:
    (folder / "bin").mkdir()
    (folder / "bin" / "engine").write_text("#!/bin/sh\n")
    (folder / "bin" / "engine").chmod(0o755)
    assert bots.locate(folder, word) == (called or shutil.which(word, path=bots.SEARCH_PATH))


def test_the_hash_is_of_paths_and_bytes_alone(folder: Path) -> None:
    before = bots.content_hash(folder)
    os.utime(folder / "bot.py", (1, 1))
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bot.cpython-311.pyc").write_text("x")
    assert bots.content_hash(folder) == before
    assert bots.content_hash(Path(shutil.copytree(folder, folder.parent / "copy"))) == before
    (folder / "bot.py").rename(folder / "tob.py")
    renamed = bots.content_hash(folder)
    (folder / "tob.py").write_text("#")
    assert len({before, renamed, bots.content_hash(folder)}) == 3


def test_the_hash_tells_where_a_file_ends(tmp_path: Path) -> None:
    for name, files in {"one": {"a": "b1 1 c"}, "two": {"a": "b", "1": "c"}}.items():
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
    assert bots.content_hash(tmp_path / "one") != bots.content_hash(tmp_path / "two")


def test_a_pipe_in_the_folder_is_an_error_and_not_a_wait(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(BotError, match=r"expected only files and folders in a bot's folder, got .*/pipe"):
        bots.read(folder)


def test_shipped_bots_are_found_by_name() -> None:
    known = bots.shipped()
    assert {"random", "greedy"} <= known.keys()
    for name, bot in known.items():
        assert bots.find(name) == bot
        assert bot.shipped
        assert (bot.folder / "bot.toml").is_file()


def test_a_copy_of_a_shipped_bot_is_the_shipped_one(tmp_path: Path) -> None:
    original = bots.shipped()["random"]
    copy = Path(shutil.copytree(original.folder, tmp_path / "any-name"))
    (copy / "__pycache__").mkdir(exist_ok=True)
    (copy / "__pycache__" / "bot.cpython-311.pyc").write_bytes(b"hostile")
    # What plays is the original: the caches of the copy are not in the hash, but Python would run them.
    assert bots.find(str(copy)) == original


def test_a_changed_copy_is_not_shipped(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(bots.shipped()["random"].folder, tmp_path / "random"))
    (copy / "more.py").write_text("")
    found = bots.find(str(copy))
    assert (found.name, found.shipped, found.folder) == ("random", False, copy)


def test_a_folder_is_found_by_its_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    found = bots.find(str(folder))
    assert bots.find("./my-bot") == bots.find("my-bot") == found
    assert found.folder == folder


def test_a_shipped_name_goes_before_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.rename(folder.parent / "random")
    monkeypatch.chdir(folder.parent)
    assert bots.find("random").shipped
    assert not bots.find("./random").shipped


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("gredy", "expected a bot, got 'gredy': did you mean 'greedy'?"),
        ("./nowhere", "expected the folder of a bot, got 'nowhere', which is no folder"),
        ("empty", "expected a bot, got the folder 'empty', in which there is no bot.toml"),
    ],
)
def test_what_is_not_found_is_told(
    reference: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as caught:
        bots.find(reference)
    assert str(caught.value) == sentence
