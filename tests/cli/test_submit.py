"""Submissions as users see them: in or refused, listed, replaced, retired, and played by name."""

import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena import games, runtime
from arena.home import Home
from arena.match import TimeControl
from ladder.model import Block
from ladder.store import LadderSpec, Store, submitted
from tests.cli.conftest import Arena, Ended

UNHELD = ("--sandbox", "none", "--unsafe")
PATIENT = ("--allowance", "60")  # a busy machine is no fault of a bot's
QUICK = ("bots", "matches", "replay", "verify")
MANIFEST = """name = "{name}"
author = "{author}"
description = "Takes the first"
games = {games}
run = ["python", "bot.py"]
matches_at_once = 8
"""
SOUND = """
import sys
from arena.sdk import play
def choose(turn):
    if turn.decision == 0:
        print(f"hello from {turn.match.match_id}")
    return turn.legal[0]
play(choose)
"""
CRASHING = 'raise SystemExit("no brain today")'

Made = Callable[..., str]


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A runtime that all homes of these tests share."""
    home = Home(tmp_path_factory.mktemp("warm"))
    runtime.prepare(home)
    return home.path / "runtime"


@pytest.fixture
def own(arena: Arena, here: Arena, home: Home, warm: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Arena:
    """Runs a command in a home of the test's own: as a process if it plays, else inside this one."""
    home.path.mkdir()
    (home.path / "runtime").symlink_to(warm)
    monkeypatch.setenv("ARENA_HOME", str(home.path))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, **variables: str) -> Ended:
        quick = "--skip-check" in arguments or (arguments and arguments[0] in QUICK)
        ended = (here if quick else arena)(*arguments, **variables)
        assert "Traceback" not in ended.err
        return ended

    return run


@pytest.fixture
def make(tmp_path: Path) -> Made:
    """Makes the folder of a bot, as a path with a slash."""

    def made(name: str = "fox", source: str = SOUND, author: str = "Ada", plays: str = '["party-bugs"]') -> str:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "bot.py").write_text(source)
        (folder / "bot.toml").write_text(MANIFEST.format(name=name, author=author, games=plays))
        return f"./{name}"

    return made


def submit(own: Arena, *words: str) -> dict[str, Any]:
    ended = own("submit", *words, *UNHELD, "--skip-check", "--json")
    assert ended.code == 0, ended.err
    answer: dict[str, Any] = json.loads(ended.out)
    return answer


def edited(folder: Path) -> None:
    with (folder / "bot.py").open("a") as file:
        file.write("# edited\n")


# In, or refused


def test_a_bot_is_checked_and_in(own: Arena, make: Made, home: Home) -> None:
    ended = own("submit", make(), *UNHELD, *PATIENT)
    assert (ended.code, ended.err) == (0, ""), ended.out
    lines = ended.out.splitlines()
    assert lines[0].split() == ["game", "matches", "decisions", "p50", "p99", "max", "faults"]
    assert "fox played 60 matches without a fault: it is ready." in lines
    assert lines[-4:] == [
        "fox version 1 is in; it plays in the next ladder",
        "  ladder    arena ladder --game party-bugs",
        "  match     arena match --game party-bugs --bots fox,greedy,random",
        "  about it  arena bots show fox",
    ]
    assert max(map(len, lines)) <= 80
    (one,) = submitted(home)
    assert (one.reference, one.author, one.games) == ("fox@1", "Ada", ("party-bugs",))
    assert (home.path / "bots" / one.player.sha256 / "bot.py").is_file()
    assert (home.path / "submissions" / f"{one.player.sha256}.tar.zst").is_file()


def test_a_bot_that_fails_is_refused_with_the_reason(own: Arena, make: Made, home: Home) -> None:
    ended = own("submit", make(source=CRASHING), *UNHELD, *PATIENT)
    assert ended.code == 1
    assert "no brain today" in ended.out
    assert ended.out.splitlines()[-1] == "fox is refused: it was not submitted"
    again = next(line for line in ended.out.splitlines() if "again: arena " in line).split("again: arena ")[1]
    assert again.endswith(" ".join((*PATIENT, *UNHELD)))
    assert own(*again.split()).code == 1
    plain = own("submit", "./fox", *UNHELD, "--json")
    found = json.loads(plain.out)
    assert (plain.code, found["accepted"], len(found["faults"])) == (1, False, 60)
    assert submitted(home) == []


def test_a_bot_that_cannot_be_built_is_refused_with_the_log(own: Arena, make: Made, tmp_path: Path, home: Home) -> None:
    folder = tmp_path / make()
    with (folder / "bot.toml").open("a") as file:
        file.write('build = ["sh", "-c", "echo no compiler like that; exit 3"]\n')
    ended = own("submit", "./fox", *UNHELD)
    assert ended.code == 1
    assert "no compiler like that" in ended.out
    assert "would be refused" in ended.out
    assert submitted(home) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": "greedy"}, "expected a name of your own, got greedy, which came with arena: choose another"),
        ({"author": ""}, "expected an author in the bot.toml of fox, whom the name will belong to, got none"),
        ({"author": "Eve"}, "expected a name of your own, got fox, which Ada has submitted: choose another"),
        ({"plays": '["chess"]'}, "got fox for chess"),
    ],
)
def test_what_cannot_be_submitted_is_one_sentence(
    change: dict[str, str], words: str, own: Arena, make: Made, home: Home
) -> None:
    submit(own, make())
    ended = own("submit", make(**{"source": SOUND + "#", **change}), *UNHELD)
    assert words in ended.err
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert len(submitted(home)) == 1


def test_a_missing_folder_is_one_sentence(own: Arena) -> None:
    ended = own("submit", "fox")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "arena: expected the folder of a bot, got 'fox', which is no folder\n"


def test_a_foreign_bot_without_a_sandbox_is_not_even_checked(own: Arena, make: Made) -> None:
    ended = own("submit", make(), "--sandbox", "none")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "expected a sandbox for the bot 'fox', which did not come with arena, got none" in ended.err


# Versions


def test_the_same_content_is_the_same_version_and_another_is_the_next(own: Arena, make: Made, tmp_path: Path) -> None:
    first = submit(own, make())
    assert (first["version"], first["new"], first["plays"]) == (1, True, True)
    with tarfile.open(tmp_path / "fox.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "fox", ".")
    again = submit(own, "fox.tar.gz")
    assert (again["version"], again["new"], again["sha256"]) == (1, False, first["sha256"])
    told = own("submit", "./fox", *UNHELD, "--skip-check")
    assert told.out.splitlines()[0] == "fox version 1 was in already, with this content; nothing has changed"
    edited(tmp_path / "fox")
    assert (submit(own, "./fox")["version"], submit(own, "./fox")["new"]) == (2, False)
    old = own("submit", "fox.tar.gz", *UNHELD, "--skip-check")
    assert old.out.splitlines()[0] == "fox version 1 was in already, with this content; version 2 plays"


def test_bots_are_listed_with_their_states(own: Arena, make: Made, tmp_path: Path) -> None:
    assert "nobody has submitted a bot yet: arena submit ./my-bot" in own("bots").out
    submit(own, make())
    edited(tmp_path / "fox")
    submit(own, "./fox")
    submit(own, make("owl", author="Eve"))
    told = own("bots").out
    assert max(map(len, told.splitlines())) <= 80
    rows = [line.split() for line in told.splitlines() if line.startswith(("fox", "owl"))]
    assert [row[:4] for row in rows] == [
        ["fox", "1", "Ada", "party-bugs"],
        ["fox", "2", "Ada", "party-bugs"],
        ["owl", "1", "Eve", "party-bugs"],
    ]
    assert [" ".join(row[6:]) for row in rows] == ["replaced by 2", "plays", "plays"]
    plain = json.loads(own("bots", "--json").out)
    states = [(one["name"], one["state"], one["needs_sandbox"]) for one in plain if not one["shipped"]]
    assert states == [("fox", "replaced by 2", True), ("fox", "plays", True), ("owl", "plays", True)]
    assert {(one["state"], one["needs_sandbox"]) for one in plain if one["shipped"]} == {("plays", False)}


def test_all_about_one_bot(own: Arena, make: Made, tmp_path: Path, home: Home) -> None:
    folder = tmp_path / make()
    with (folder / "bot.toml").open("a") as file:
        file.write('build = ["sh", "-c", "echo built it; touch made"]\nleftovers = ["made"]\n')
    answer = submit(own, "./fox")
    told = own("bots", "show", "fox")
    assert told.code == 0
    assert told.out.startswith("fox · version 1 · plays\n")
    for words in ("Takes the first", "party-bugs", "python bot.py", "echo built it", "8 matches at once"):
        assert words in told.out
    assert "  the end of its build log:\n  | " in told.out
    assert "  | built it\n" in told.out
    plain = json.loads(own("bots", "show", "fox@1", "--json").out)
    assert plain["build"] == ["sh", "-c", "echo built it; touch made"]
    assert Path(plain["archive"]) == home.path / "submissions" / f"{answer['sha256']}.tar.zst"
    assert "built it" in Path(plain["logs"]["build"]).read_text()
    assert json.loads(own("bots", "show", "greedy", "--json").out)["shipped"] is True
    assert own("bots", "show", "greedy").out.startswith("greedy · came with arena\n")
    shutil.rmtree(home.path / "bots" / answer["sha256"])
    assert "is gone: submit it again" in own("bots", "show", "fox").out
    ended = own("match", "--game", "party-bugs", "--bots", "fox,greedy", *UNHELD)
    assert "expected fox version 1 in " in ended.err
    assert ended.err.endswith("got nothing there: submit it again, or retire it\n")


def test_retired_bots_stay_in_the_list_and_come_back_when_submitted_again(
    own: Arena, make: Made, tmp_path: Path
) -> None:
    submit(own, make())
    edited(tmp_path / "fox")
    submit(own, "./fox")
    assert own("bots", "retire", "fox@2").out == "fox version 2 is retired; version 1 plays in the next ladder\n"
    assert json.loads(own("bots", "retire", "fox", "--json").out) == {"name": "fox", "retired": [1], "plays": None}
    assert own("bots", "retire", "fox").out == "fox versions 1, 2 are retired already; its results stay\n"
    gone = own("match", "--game", "party-bugs", "--bots", "fox,greedy", *UNHELD)
    assert gone.err == "arena: expected a bot that plays, got fox, which is retired; fox@2 names its last version\n"
    back = own("submit", "./fox", *UNHELD, "--skip-check")
    assert back.out.splitlines()[0] == "fox version 2 was retired, and is back; it plays in the next ladder"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bots", "show", "fux"], "expected a submitted bot, got 'fux': did you mean 'fox'?"),
        (["bots", "show", "fox@7"], "expected a version of fox that was submitted (1), got '7'"),
        (["bots", "retire", "greedy"], "expected a submitted bot, got greedy, which came with arena"),
        (["match", "--game", "party-bugs", "--bots", "fux,greedy"], "expected a bot, got 'fux': did you mean 'fox'?"),
        (["check", "fux"], "expected a bot, got 'fux': did you mean 'fox'?"),
        (["ladder", "--game", "party-bugs", "--bots", "fox@x,greedy"], "submitted (1), got 'x'"),
        (["ladder", "--game", "ladybugs", "--bots", "fox,greedy"], "expected bots that play ladybugs, got fox"),
    ],
)
def test_unknown_names_are_one_sentence(words: list[str], sentence: str, own: Arena, make: Made) -> None:
    submit(own, make())
    ended = own(*words)
    assert sentence in ended.err
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)


def test_a_shell_completes_submitted_bots_and_their_versions(own: Arena, make: Made, tmp_path: Path) -> None:
    submit(own, make())
    edited(tmp_path / "fox")
    submit(own, "./fox")
    for words, offered in (
        ("arena match --bots greedy,f", ["greedy,fox"]),
        ("arena match --bots fox@", ["fox@1", "fox@2"]),
        ("arena bots retire f", ["fox"]),
        ("arena check fo", ["fox"]),
    ):
        count = str(len(words.split()) - 1)
        ended = own(_ARENA_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=count)
        assert ended.out.split() == offered


# Playing by name


def test_versions_and_the_folder_meet_in_one_match(own: Arena, make: Made, tmp_path: Path) -> None:
    submit(own, make())
    edited(tmp_path / "fox")
    submit(own, "./fox")
    edited(tmp_path / "fox")
    words = ("match", "--game", "party-bugs", "--seed", "1", *UNHELD, "--json")
    ended = own(*words, "--bots", "fox,fox@1,./fox,random")
    assert ended.code == 0, ended.err
    seats = json.loads(ended.out)["matches"][0]["seats"]
    assert [seat["bot"] for seat in seats] == ["fox@2", "fox@1", "fox", "random"]
    assert len({seat["sha256"] for seat in seats}) == 4
    alone = json.loads(own(*words, "--bots", "fox,random").out)
    assert [seat["bot"] for seat in alone["matches"][0]["seats"]] == ["fox", "random"]
    assert alone["matches"][0]["seats"][0]["sha256"] == seats[0]["sha256"]


def ladder(own: Arena, *words: str) -> Any:
    """A ladder with what it says in JSON."""
    ended = own("ladder", "--game", "party-bugs", "--seed", "5", *UNHELD, "--json", *words)
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_a_ladder_plays_the_newest_version_of_every_submission(own: Arena, make: Made, tmp_path: Path) -> None:
    submit(own, make())
    submit(own, make("owl", plays='["ladybugs"]'))
    submit(own, make("elk"))
    own("bots", "retire", "elk")
    edited(tmp_path / "fox")
    submit(own, "./fox")
    free = own("ladder", "--game", "party-bugs", "--sandbox", "none")
    assert (free.code, free.out) == (2, "")
    assert "expected a sandbox for fox, submitted here, got none: install bubblewrap, say --unsafe, or" in free.err
    table = ladder(own, "--matches", "30")["standings"]
    assert {(one["bot"], one["version"]) for one in table} == {
        *(("fox", 2), ("greedy", 1), ("party-bugs", 1), ("random", 1)),
    }
    both = ladder(own, "--bots", "fox,fox@1", "--seats", "2", "--matches", "2")["standings"]
    assert {(one["bot"], one["version"], one["games"]) for one in both} == {("fox", 1, 2), ("fox", 2, 2)}


def test_what_a_bot_printed_in_a_match_of_a_ladder_can_be_read(own: Arena, make: Made) -> None:
    submit(own, make())
    ladder(own, "--bots", "fox,random", "--seats", "2", "--matches", "2")
    for match in json.loads(own("matches", "--json").out):
        seats = json.loads(own("replay", match["match"], "--logs", "--json").out)["seats"]
        printed = {seat["bot"]: seat["text"] for seat in seats}
        assert f"hello from {match['match']}\n" in printed["fox"]
        assert printed["random"] == ""
        assert own("verify", match["match"]).code == 0


def test_a_planned_deal_of_a_retired_bot_is_played_to_its_end(own: Arena, make: Made, home: Home) -> None:
    answer = submit(own, make())
    options = games.load("party-bugs").plain_options(games.load("party-bugs").options({}))
    spec = LadderSpec("party-bugs", options, 2, TimeControl(), "none", 5)
    words = ("--seats", "2", "--bots", "greedy,random")
    assert {one["bot"] for one in ladder(own, *words, "--matches", "2")["standings"]} == {"greedy", "random"}
    with Store.open(home) as store:
        players = {player.name: player.id for player in store.players().values()}
        known = store.ladder(spec, now=0.0)
        number = len(store.blocks(known))
        store.plan(known, [Block(number, (players["fox"], players["greedy"]))], now=0.0)
    own("bots", "retire", "fox")
    table = {one["bot"]: one for one in ladder(own, *words, "--matches", "2")["standings"]}
    assert (table["fox"]["games"], table["fox"]["sha256"]) == (2, answer["sha256"])
    assert ladder(own, *words, "--matches", "2")["played"] == 2
