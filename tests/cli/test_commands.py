"""The other commands, help, completion, and what happens when the unexpected does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena import games, record
from arena.cli import failures
from arena.home import Home
from ladder.store import Store
from tests.cli.conftest import ROOT, Arena
from tests.cli.matches import played

COMMANDS = (
    *("ladder", "leaderboard", "matches", "match", "play", "replay", "verify"),
    *("games", "bots", "init", "check", "submit", "export", "import", "doctor"),
)
MEASURED = ("strength", "engine", "ladder", "store", "referee", "order", "sandbox", "clocks", "attack")
BENCHES = tuple(f"bench {name}" for name in MEASURED)


def test_help_fits_one_screen_and_names_every_command(arena: Arena) -> None:
    ended = arena("--help")
    assert (ended.code, ended.err) == (0, "")
    assert len(ended.out.splitlines()) <= 30
    places = [ended.out.find(f"\n  {command} ") for command in COMMANDS]
    assert -1 not in places
    assert places == sorted(places), "what people come for stands first"
    assert "--install-completion" in ended.out
    assert arena().out == ended.out


@pytest.mark.parametrize("command", [*COMMANDS, "ladder recompute", "bots show", "bots retire", *BENCHES])
def test_every_command_explains_itself_in_80_columns(command: str, here: Arena) -> None:
    ended = here(*command.split(), "--help")
    assert (ended.code, ended.err) == (0, "")
    assert max(map(len, ended.out.splitlines())) <= 80
    assert "  --json " in ended.out
    assert "Example" in ended.out or command == "doctor"
    assert here(*command.split(), "-h") == ended
    touches_data = command not in ("games", "init", "bench engine", "bench store", "bench order")
    assert ("--home" in ended.out) == touches_data
    options = ended.out[ended.out.index("Options:") :]
    assert "<" not in options.replace("<=x<=", "").replace("x<=", ""), "an option shows a type and not what it takes"


@pytest.mark.parametrize("group", ["bench", "ladder", "bots"])
def test_lists_of_commands_are_not_cut(group: str, here: Arena) -> None:
    listed = here(group, "--help").out.split("Commands:")[1]
    assert listed.strip()
    assert "..." not in listed


def test_help_needs_no_wire_and_no_loop() -> None:
    code = "import sys; from arena.cli import run; run(['--help']); run(['match', '--help'])\n"
    code += "print([name for name in ('grpc', 'google.protobuf', 'asyncio', 'zstandard') if name in sys.modules])"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout.splitlines()[-1] == "[]"


def test_version(arena: Arena) -> None:
    assert arena("--version").out == "arena 0.1.0\n"


def test_games_lists_options_with_their_meaning(here: Arena) -> None:
    told = " ".join(here("games").out.split())
    plain = json.loads(here("games", "--json").out)
    assert [game["name"] for game in plain] == list(games.names())
    for name in games.names():
        for option in games.load(name).option_list():
            assert option.name in told
            assert option.meaning.split()[0] in told
        assert all(variant in told for variant in games.load(name).variants())
    party = plain[games.names().index("party-bugs")]
    assert party["seats"] == [2, 3, 4, 5, 6]
    assert party["variants"]["hidden-card"]["hidden_card"] is True
    assert party["options"][0]["values"] == [False, True]


def test_bots_lists_what_came_with_arena(here: Arena, home: Home) -> None:
    told = here("bots", "--home", str(home.path)).out
    plain = json.loads(here("bots", "--json", "--home", str(home.path)).out)
    assert {"random", "greedy", "party-bugs"} <= {bot["name"] for bot in plain}
    assert all(bot["name"] in told and bot["shipped"] for bot in plain)
    assert max(map(len, told.splitlines())) <= 80


def test_doctor_tells_what_holds(arena: Arena, lasting_home: Home) -> None:
    ended = arena("doctor", "--json", "--home", str(lasting_home.path))
    findings = {one["name"]: one for one in json.loads(ended.out)}
    assert list(findings) == ["python", "engines", "libraries", "sandbox", "storage", "runtime", "bots"]
    assert {one["verdict"] for one in findings.values()} <= {"ok", "warn"}, ended.out
    assert ended.code == 0
    assert str(lasting_home.path) in findings["storage"]["words"]
    assert all(one["mend"] for one in findings.values() if one["verdict"] != "ok")
    shown = arena("doctor", "--home", str(lasting_home.path))
    assert all(name in shown.out for name in findings)
    assert max(map(len, shown.out.splitlines())) <= 80


def test_doctor_fails_where_nothing_can_be_stored(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    ended = arena("doctor", "--json", "--home", str(tmp_path / "file"))
    findings = {one["name"]: one["verdict"] for one in json.loads(ended.out)}
    assert (findings["storage"], findings["runtime"], findings["python"]) == ("fail", "fail", "ok")
    assert ended.code == 1


COMPLETIONS: list[tuple[str, list[str]]] = [
    ("arena repl", ["replay"]),
    ("arena match --game p", ["party-bugs"]),
    ("arena match --bots random,gr", ["random,greedy"]),
    ("arena match --game party-bugs --variant mirror", ["mirror-series"]),
    ("arena match --game party-bugs --option hidden_p", ["hidden_pairing=may", "hidden_pairing=must"]),
    ("arena match --game nonsense --variant m", []),
    ("arena match --sandbox b", ["bubblewrap", "bubblewrap-lite"]),
    ("arena leaderboard --bot g", []),
    ("arena init my-bot --language py", ["python"]),
]


@pytest.mark.parametrize(("words", "offered"), COMPLETIONS, ids=[case[0] for case in COMPLETIONS])
def test_a_shell_completes(words: str, offered: list[str], arena: Arena) -> None:
    count = str(len(words.split()) - 1)
    ended = arena(_ARENA_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=count)
    assert ended.out.split() == offered


def test_a_shell_completes_matches(arena: Arena, tmp_path: Path) -> None:
    path = record.write(Home(tmp_path / "home"), played())
    words = {"COMP_WORDS": f"arena replay {path.stem[:3]}", "COMP_CWORD": "2"}
    assert arena(_ARENA_COMPLETE="complete_bash", **words).out.split() == [path.stem]


@pytest.mark.parametrize("command", ["leaderboard", "matches"])
def test_a_shell_completes_bots_that_have_played(command: str, arena: Arena, tmp_path: Path) -> None:
    with Store.open(Home(tmp_path / "home")) as store:
        for name in ("greedy", "green", "random"):
            store.enter(name, name * 8, now=0.0)
    words = {"COMP_WORDS": f"arena {command} --bot gre", "COMP_CWORD": "3"}
    assert arena(_ARENA_COMPLETE="complete_bash", **words).out.split() == ["greedy", "green"]


def test_the_unexpected_is_one_sentence_and_a_log(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    code = failures.told(lambda: {}["missing\n"], ["match", "--home", str(home.path)])  # type: ignore[index]
    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (1, "", 1)
    assert said.err.startswith("arena: something unexpected happened, KeyError: 'missing\\n'; please report it with")
    (log,) = (home.path / "logs").iterdir()
    assert str(log) in said.err
    assert "Traceback" in log.read_text()
    assert log.read_text().startswith(f"arena match --home {home.path}\n")


def test_the_unexpected_is_logged_elsewhere_where_the_home_is_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert failures.told(lambda: 1 / 0, [f"--home={tmp_path / 'file'}"]) == 1
    (log,) = tmp_path.glob("arena-*.log")
    assert str(log) in capsys.readouterr().err


def test_a_reader_that_leaves_early_hears_no_complaint(home: Home) -> None:
    path = record.write(home, played())
    for arguments in (["replay", str(path), "--json"], ["replay", str(path)], ["games"]):
        command = [sys.executable, "-m", "arena", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout
            assert process.stderr
            process.stdout.close()
            assert process.stderr.read() == ""
