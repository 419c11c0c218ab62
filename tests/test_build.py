"""The build: what is compiled, what a wheel holds, and run.py, which sets everything up."""

import importlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest

from arena import build

ROOT = Path(__file__).parents[1]
SUFFIX = EXTENSION_SUFFIXES[0]
ENGINE = "def double(number: int) -> int:\n    return 2 * number\n"
RULES = "from arena.engine.twice import double\n\nFOUR = double(2)\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with a tiny engine and game, which builds as the real one does."""
    for name in ("setup.py", "pyproject.toml", "LICENSE", "MANIFEST.in", "run.py", "README.md"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "LICENSE", tmp_path / "README.md")
    for package in ("arena", "arena/engine", "arena/games", "arena/games/toy"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "arena/__init__.py").write_text('__version__ = "0.1.0"\n')
    shutil.copy(ROOT / "arena/py.typed", tmp_path / "arena/py.typed")
    shutil.copy(ROOT / "arena/build.py", tmp_path / "arena/build.py")
    (tmp_path / "arena/engine/twice.py").write_text(ENGINE)
    (tmp_path / "arena/games/toy/rules.py").write_text(RULES)
    (tmp_path / "agents/baselines/idle").mkdir(parents=True)
    (tmp_path / "agents/baselines/idle/bot.toml").write_text('name = "idle"\n')
    return tmp_path


def run(tree: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, apart from this checkout's own settings."""
    settings = {name: value for name, value in os.environ.items() if name not in {"ARENA_COMPILE", "CC"}}
    return subprocess.run(
        [sys.executable, *command], cwd=tree, env=settings | environment, capture_output=True, text=True, check=False
    )


def compile_in_place(tree: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(tree, "setup.py", "--quiet", "build_ext", "--inplace", **environment)


def extensions(tree: Path) -> list[str]:
    return sorted(path.relative_to(tree).as_posix() for path in (tree / "arena").rglob(f"*{SUFFIX}"))


def needs_compiler() -> None:
    if build.compiler() is None or not build.headers():
        pytest.skip("needs a C compiler and Python's headers")


# What arena.build says of a build.


def test_compiled_tells_what_is_loaded() -> None:
    module = importlib.import_module("arena.engine.rng")
    assert str(module.__file__).endswith(tuple(EXTENSION_SUFFIXES)) == build.compiled()


def test_the_build_that_runs_is_the_one_asked_for() -> None:
    wanted = {"must": True, "never": False}
    assert build.compiled() == wanted.get(os.environ.get("ARENA_COMPILE", ""), build.compiled())
    assert bool(build.why_interpreted()) != build.compiled()


def fake_build(tree: Path) -> Path:
    """What a compiled build leaves, but for the code."""
    package = tree / "arena"
    for source in build.sources(package):
        source.with_name(source.stem + SUFFIX).touch()
    hashes = {source.relative_to(tree).as_posix(): build._hash(source) for source in build.sources(package)}
    stamp = {"compiled": True, "reason": "", "sources": hashes}
    (package / "_build_stamp.json").write_text(json.dumps(stamp))
    return package


def edit(tree: Path) -> None:
    (tree / "arena/games/toy/rules.py").write_text("FOUR = 5\n")


def add(tree: Path) -> None:
    (tree / "arena/engine/thrice.py").write_text("")


def take_away(tree: Path) -> None:
    (tree / "arena/engine/twice.py").unlink()


def lose_the_stamp(tree: Path) -> None:
    (tree / "arena/_build_stamp.json").unlink()


@pytest.mark.parametrize(
    ("change", "stale"),
    [
        (edit, ["arena/games/toy/rules.py"]),
        (add, ["arena/engine/thrice.py"]),
        (take_away, ["arena/engine/twice.py"]),
        (lose_the_stamp, ["arena/engine/twice.py", "arena/games/toy/rules.py"]),
    ],
)
def test_a_build_is_stale_after_a_change(tree: Path, change: Callable[[Path], None], stale: list[str]) -> None:
    package = fake_build(tree)
    assert build.compiled(package)
    assert build.stale(package) == []
    change(tree)
    assert build.stale(package) == stale


def test_an_interpreted_build_is_never_stale(tree: Path) -> None:
    edit(tree)
    assert not build.compiled(tree / "arena")
    assert build.stale(tree / "arena") == []
    assert build.why_interpreted(tree / "arena") == "it was never built"


def test_a_broken_stamp_counts_as_none(tree: Path) -> None:
    package = fake_build(tree)
    (package / "_build_stamp.json").write_text("[1")
    assert build.stale(package) == ["arena/engine/twice.py", "arena/games/toy/rules.py"]


def test_pytest_refuses_a_stale_build(tree: Path) -> None:
    fake_build(tree)
    edit(tree)
    shutil.copy(ROOT / "tests/conftest.py", tree / "conftest.py")
    (tree / "test_nothing.py").write_text("def test_nothing() -> None: ...\n")
    result = run(tree, "-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", ".", "test_nothing.py")
    assert result.returncode == pytest.ExitCode.USAGE_ERROR
    assert "not of these sources: arena/games/toy/rules.py" in result.stderr


@pytest.mark.parametrize(("ci", "failed"), [("true", True), ("", False)])
@pytest.mark.parametrize("place", ["def test_it() -> None:\n    ", ""])
def test_ci_refuses_a_skip_of_what_it_must_run(tree: Path, place: str, ci: str, *, failed: bool) -> None:
    shutil.copy(ROOT / "tests/conftest.py", tree / "conftest.py")
    skip = f"import pytest\n{place}pytest.skip('needs a moon', allow_module_level=True)\n"
    (tree / "test_skip.py").write_text(skip + "def test_other() -> None: ...\n")
    command = ("-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", ".", "test_skip.py")
    result = run(tree, *command, CI=ci)
    assert ("CI must run this, but it was skipped: needs a moon" in result.stdout) == failed
    assert (result.returncode in {1, 2}) == failed


# What setup.py builds.


def test_engine_and_rules_are_compiled_as_one_group(tree: Path) -> None:
    needs_compiler()
    (tree / f"arena/games/toy/old{SUFFIX}").touch()
    result = compile_in_place(tree, ARENA_COMPILE="must")
    assert result.returncode == 0, result.stderr
    assert extensions(tree) == [
        f"arena/compiled__mypyc{SUFFIX}",
        f"arena/engine/twice{SUFFIX}",
        f"arena/games/toy/rules{SUFFIX}",
    ]
    check = "import arena.games.toy.rules as r, arena.build as b; print(r.FOUR, r.__file__, b.compiled(), b.stale())"
    assert run(tree, "-c", check).stdout.split() == ["4", f"{tree}/{extensions(tree)[2]}", "True", "[]"]


def fail_to_compile(tree: Path) -> dict[str, str]:
    """The compiler fails."""
    return {"CC": "false"}


def make_a_mistake(tree: Path) -> dict[str, str]:
    """A source has a mistake that mypyc finds."""
    (tree / "arena/games/toy/rules.py").write_text("FOUR: int = 'four'\n")
    return {}


@pytest.mark.parametrize(
    ("fail", "reason"),
    [(fail_to_compile, "the C compiler is missing, or failed"), (make_a_mistake, "arena/games/toy/rules.py:1: error:")],
)
def test_a_failed_build_goes_on_interpreted_and_says_why(
    tree: Path, fail: Callable[[Path], dict[str, str]], reason: str
) -> None:
    fake_build(tree)
    settings = fail(tree)
    result = compile_in_place(tree, **settings)
    assert result.returncode == 0, result.stderr
    assert extensions(tree) == []
    assert reason in build.why_interpreted(tree / "arena")
    assert run(tree, "-c", "import arena.games.toy.rules").returncode == 0
    assert compile_in_place(tree, ARENA_COMPILE="must", **settings).returncode != 0


def test_an_unknown_switch_is_refused(tree: Path) -> None:
    result = compile_in_place(tree, ARENA_COMPILE="maybe")
    assert result.returncode != 0
    assert "ARENA_COMPILE: expected one of auto, must, never, got 'maybe'." in result.stderr


def test_a_wheel_ships_the_bots_as_data_of_arena(tree: Path) -> None:
    fake_build(tree)
    result = run(tree, "setup.py", "--quiet", "bdist_wheel", ARENA_COMPILE="never")
    assert result.returncode == 0, result.stderr
    (wheel,) = (tree / "dist").iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"arena/agents/baselines/idle/bot.toml", "arena/py.typed", "arena/games/toy/rules.py"} <= set(names)
    assert {name.split("/")[0] for name in names if "dist-info" not in name} == {"arena"}
    assert not [name for name in names if name.endswith(SUFFIX)]
    assert json.loads(zipfile.ZipFile(wheel).read("arena/_build_stamp.json"))["sources"] == {}


# What run.py sets up. `protos` needs the least: an environment without packages will do.


@pytest.fixture
def tools(tree: Path) -> Path:
    (tree / "proto").mkdir()
    (tree / "proto/requirements.lock").touch()
    (tree / "proto/generate.py").write_text("import sys\nprint(sys.prefix, *sys.argv[1:])\n")
    return tree


def test_run_sets_up_once_and_hands_over(tools: Path) -> None:
    first, second = (run(tools, "run.py", "protos", "--any") for _ in range(2))
    assert first.stdout == second.stdout == f"{tools}/.venv-proto --any\n"
    assert "create the environment" in first.stderr
    assert second.stderr == ""


def lose_python(environment: Path) -> None:
    (environment / "bin/python").unlink()


def lose_stamp(environment: Path) -> None:
    (environment / "arena-stamp").unlink()


def be_a_file(environment: Path) -> None:
    shutil.rmtree(environment)
    environment.write_text("")


@pytest.mark.parametrize("breakage", [lose_python, lose_stamp, be_a_file])
def test_run_repairs_a_broken_environment(tools: Path, breakage: Callable[[Path], None]) -> None:
    run(tools, "run.py", "protos")
    breakage(tools / ".venv-proto")
    result = run(tools, "run.py", "protos")
    assert "create the environment" in result.stderr
    assert result.stdout == f"{tools}/.venv-proto\n"


def test_run_shows_what_pip_said_and_what_to_do(tools: Path) -> None:
    (tools / "proto/requirements.lock").write_text("not a requirement\n")
    result = run(tools, "run.py", "protos")
    assert result.returncode == 1
    assert "not a requirement" in result.stderr
    assert result.stderr.rstrip().endswith("start the same command again.")
    (tools / "proto/requirements.lock").write_text("")
    assert run(tools, "run.py", "protos").returncode == 0


def test_two_starts_at_once_set_up_once(tools: Path) -> None:
    starts = [
        subprocess.Popen(
            [sys.executable, "run.py", "protos"],
            cwd=tools,
            stderr=subprocess.PIPE,
            text=True,
            stdout=subprocess.DEVNULL,
        )
        for _ in range(3)
    ]
    said = [start.communicate()[1] for start in starts]
    assert [start.returncode for start in starts] == [0, 0, 0]
    assert sum("create the environment" in text for text in said) == 1


def test_run_refuses_an_unknown_switch(tools: Path) -> None:
    result = run(tools, "run.py", "games", ARENA_COMPILE="maybe")
    assert result.returncode == 2
    assert result.stderr == "ARENA_COMPILE: expected one of auto, must, never, got 'maybe'.\n"


@pytest.mark.parametrize(
    ("pip", "sentence"),
    [
        ("raise SystemExit(1)", "arena needs pip for its set-up, and this Python has none: "),
        ("print('pip 22.2.2 from here')", "arena needs pip 22.3 or newer for its set-up, got 22.2: "),
    ],
)
def test_run_needs_a_pip_that_can_do_it(tools: Path, pip: str, sentence: str) -> None:
    (tools / "other").mkdir()
    (tools / "other/pip.py").write_text(pip)
    result = run(tools, "run.py", "protos", PYTHONPATH=str(tools / "other"))
    assert result.returncode == 2
    assert sentence in result.stderr
    assert not (tools / ".venv-proto").exists()


def test_run_repairs_a_set_up_that_was_killed(tools: Path) -> None:
    start = subprocess.Popen(
        [sys.executable, "run.py", "protos"], cwd=tools, start_new_session=True, stderr=subprocess.DEVNULL
    )
    while not (tools / ".venv-proto/pyvenv.cfg").exists():
        assert start.poll() is None
        time.sleep(0.01)
    os.killpg(start.pid, signal.SIGKILL)
    start.wait()
    assert run(tools, "run.py", "protos").stdout == f"{tools}/.venv-proto\n"


def test_run_builds_again_when_a_compiled_source_changes(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_COMPILE", raising=False)
    starter = starter_of(tree)
    before = starter.source_key()
    (tree / "arena/build.py").write_text("")
    assert starter.source_key() == before  # interpreted: it needs no build
    edit(tree)
    assert starter.source_key() != before


def test_run_builds_again_when_the_build_is_gone(tree: Path) -> None:
    fake_build(tree)
    starter = starter_of(tree)
    before = starter.built_key()
    (tree / f"arena/engine/twice{SUFFIX}").unlink()
    assert starter.built_key() != before


def test_run_takes_no_interpreted_build_for_must(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starter = starter_of(tree)
    monkeypatch.setenv("ARENA_COMPILE", "auto")
    interpreted = starter.built_key()
    monkeypatch.setenv("ARENA_COMPILE", "must")
    assert starter.built_key() != interpreted


def starter_of(tree: Path) -> ModuleType:
    """The run.py of a checkout, as a module."""
    spec = importlib.util.spec_from_file_location("starter", tree / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
