"""`arena check` of bots that have to be built first: what is said meanwhile, and of a build that fails."""

import json
import shutil
from pathlib import Path

import pytest

from arena import bots, sandbox
from arena.cli import checking
from arena.home import Home
from tests.cli.conftest import ROOT, Arena

C = ROOT / "agents" / "bridges" / "c"


@pytest.fixture
def c_bot(tmp_path: Path) -> Path:
    if shutil.which("cc", path=bots.SEARCH_PATH) is None:
        pytest.skip("needs cc")
    if sandbox.choose().level == "none":
        pytest.skip("needs bubblewrap")
    place = tmp_path / "my bot"
    place.mkdir()
    for name in ("bot.c", "bot.toml"):
        shutil.copy(C / name, place)
    return place


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch, lasting_home: Home) -> None:
    """A few matches are enough to see what is played."""
    every = checking.cases
    monkeypatch.setattr(checking, "cases", lambda *given: every(*given)[:3])
    monkeypatch.setenv("ARENA_HOME", str(lasting_home.path))


def test_a_bot_is_built_and_then_played(here: Arena, c_bot: Path) -> None:
    ended = here("check", str(c_bot), "--game", "bugs-on-rugs")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "c played 3 matches without a fault: it is ready.")
    said = ended.err.splitlines()
    assert said[0] == "building: cc -O2 -o bot bot.c"
    assert said[1].startswith("built in ")
    assert not (c_bot / "bot").exists()
    again = here("check", str(c_bot), "--game", "bugs-on-rugs", "--json")
    assert again.err == "unchanged since it was made ready\n"
    build = json.loads(again.out)["build"]
    assert (build["fresh"], build["failure"], build["sha256"]) == (False, None, build["source"])
    assert "cc -O2" in Path(build["logs"]["build"]).read_text()


def test_a_failure_of_a_built_bot_can_be_played_again_as_it_was(here: Arena, c_bot: Path) -> None:
    (c_bot / "bot.c").write_text("int main(void) { return 7; }")
    words = ("check", str(c_bot), "--game", "bugs-on-rugs", "--limit", "memory_mb=100", "--bank", "9", "--json")
    ended = here(*words)
    assert ended.code == 1
    fault = json.loads(ended.out)["faults"][0]
    assert fault["again"].endswith(" --bank 9 --limit memory_mb=100")
    again = here(*fault["again"].split())
    assert again.code == 1
    assert "exit code 7" in again.out


def test_a_build_that_fails_is_refused_with_its_last_lines(here: Arena, c_bot: Path, lasting_home: Home) -> None:
    (c_bot / "bot.c").write_text("int main(void) { retur 7; }")
    ended = here("check", str(c_bot))
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert lines[0] == "expected the build of c (cc -O2 -o bot bot.c) to succeed, got exit code 1"
    assert any("bot.c:1:" in line and "error:" in line for line in lines)
    log = next(line.removeprefix("  its log: ") for line in lines if line.startswith("  its log: "))
    assert Path(log).parent == lasting_home.path / "submissions"
    assert "retur 7" in Path(log).read_text()
    assert lines[-1] == "c could not be made ready to play and would be refused."
    failure = json.loads(here("check", str(c_bot), "--json").out)["build"]["failure"]
    assert (failure["sentence"], failure["log"]) == (lines[0], log)


def test_packages_that_may_not_be_brought_are_refused(here: Arena, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "mine"\ngames = ["*"]\nrun = ["python", "bot.py"]\nfetch = "pip"\n')
    (folder / "requirements.txt").write_text("-e .")
    ended = here("check", str(folder), "--unsafe")
    assert ended.code == 1
    assert ended.out.startswith("requirements.txt: expected lines such as name==1.2.3 --hash=sha256:..., got '-e .'")
    assert "would be refused" in ended.out
