"""The runtime of Python bots: made once, whole, and never under somebody's feet."""

import os
import shutil
import stat
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from arena import runtime
from arena.home import Home, HomeError
from arena.runtime import Runtime


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def ask(prepared: Runtime, program: str) -> str:
    command = [str(prepared.python), "-c", program]
    return subprocess.run(command, capture_output=True, text=True, env={}, cwd="/", check=True).stdout.strip()


def test_it_stands_alone(prepared: Runtime) -> None:
    program = "import arena, arena.engine.rng, google.protobuf, grpc; print(arena.__file__); exit()"
    assert ask(prepared, program) == f"{prepared.packages}/arena/__init__.py"


def test_it_holds_no_other_bots_and_no_checkout(prepared: Runtime) -> None:
    assert not (prepared.packages / "arena" / "agents").exists()
    checkout = str(Path(__file__).parent.parent.parent)
    assert checkout not in ask(prepared, "import sys; print(*sys.path, sep='\\n')").splitlines()


def test_everything_is_precompiled_and_readable(prepared: Runtime) -> None:
    sources = [path for path in prepared.packages.rglob("*.py") if path.parent.name == "engine"]
    assert sources
    for source in sources:
        assert list((source.parent / "__pycache__").glob(f"{source.stem}.*.pyc")), source
    closed = [path for path in prepared.prefix.rglob("*") if not path.stat().st_mode & stat.S_IROTH]
    assert closed == []


def test_a_strict_umask_does_not_matter(home: Home) -> None:
    before = os.umask(0o077)
    try:
        prepared = runtime.prepare(home)
    finally:
        os.umask(before)
    assert stat.S_IMODE(prepared.packages.stat().st_mode) == 0o755
    assert stat.S_IMODE((prepared.packages / "arena" / "__init__.py").stat().st_mode) == 0o644


def test_it_is_made_once(home: Home) -> None:
    first = runtime.prepare(home)
    (first.packages / "sign").write_text("still the same")
    assert runtime.prepare(home) == first
    assert (first.packages / "sign").exists()
    assert [path.name for path in home.runtime.iterdir() if path.is_dir()] == [first.prefix.name]


def test_other_content_makes_another(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    first = runtime.prepare(home)
    monkeypatch.setattr(runtime, "LAYOUT", "another")
    assert runtime.prepare(home).prefix != first.prefix


def test_arenas_content_is_in_the_hash() -> None:
    libraries = runtime._libraries()
    files = runtime._arena_files()
    changed = {**files, "arena/__init__.py": files["arena/__init__.py"] + b"#"}
    assert runtime._digest(files, libraries) == runtime._digest(dict(files), libraries)
    assert runtime._digest(files, libraries) != runtime._digest(changed, libraries)


def test_of_two_at_once_either_wins(home: Home, tmp_path: Path) -> None:
    program = "import sys; from pathlib import Path; from arena import runtime; from arena.home import Home\n"
    program += "print(runtime.prepare(Home(Path(sys.argv[1]))).prefix)"
    command = [sys.executable, "-c", program, str(home.path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = {process.communicate()[0].strip() for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert len(answers) == 1
    assert [str(path) for path in home.runtime.iterdir() if path.is_dir()] == [*answers]


def test_old_ones_and_unfinished_ones_go_when_nobody_uses_them(home: Home) -> None:
    for number in range(runtime.KEPT + 3):
        (home.runtime / f"old{number}").mkdir()
        os.utime(home.runtime / f"old{number}", (number, number))
    (home.runtime / ".new-broken").mkdir()
    user = runtime.prepare(home)
    left = {path.name for path in home.runtime.iterdir() if path.is_dir()}
    assert left == {"old3", "old4", "old5", "old6", user.prefix.name}


def test_nothing_goes_while_somebody_uses_a_runtime(home: Home) -> None:
    user = runtime.prepare(home)
    (home.runtime / ".new-by-another").mkdir()
    runtime.prepare(home)
    assert (home.runtime / ".new-by-another").exists()
    del user
    runtime.prepare(home)
    assert not (home.runtime / ".new-by-another").exists()


def test_a_compiled_group_beside_arena_belongs_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suffix = EXTENSION_SUFFIXES[0]
    package = tmp_path / "arena"
    (package / "agents").mkdir(parents=True)
    (package / "__pycache__").mkdir()
    for name, content in {
        f"arena/rules{suffix}": b"...ours__mypyc...",
        "arena/rules.cpython-27-other.so": b"ours__mypyc",
        "arena/rules.py": b"",
        "arena/board.json": b"{}",
        "arena/agents/bot.py": b"",
        "arena/__pycache__/rules.pyc": b"",
        f"ours__mypyc{suffix}": b"group",
        f"theirs__mypyc{suffix}": b"group",
        "other.py": b"",
    }.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.setattr(runtime, "_PACKAGE", package)
    expected = {f"arena/rules{suffix}", "arena/rules.py", "arena/board.json", f"ours__mypyc{suffix}"}
    assert set(runtime._arena_files()) == expected


def test_a_home_without_room_is_told_in_a_sentence(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(HomeError, match=r"expected room for the bots' .*, got: no space left on device"):
        runtime.prepare(home)
    assert [path for path in home.runtime.iterdir() if path.is_dir()] == []
