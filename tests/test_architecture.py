"""Who may import whom, and how long things may be: small checks over the syntax trees of all sources.

The table is the module map. A module that no row covers fails, so a new one is a decision and not an accident.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OWN = ("arena", "ladder", "agents", "tests")

# Which modules of this project a module may import, besides those of its own row; the first row that fits counts.
# A name stands for itself and all below it, but `arena` in the first column for itself alone: it holds the version,
# which everybody but the engines may know. {game} is the game's own package.
GAME = "arena.games.*"
MODULES: list[tuple[str, tuple[str, ...]]] = [
    ("arena.errors", ()),
    ("arena.failpoints", ()),
    ("arena.engine", ()),
    (f"{GAME}.v1", ()),
    (f"{GAME}.codec", ("arena.engine", "arena.games.codec", "{game}")),
    (f"{GAME}.encoder", ("arena.engine", "arena.wire.writer", "{game}")),
    (f"{GAME}.view", ("arena.engine", "{game}")),
    ("arena.games.codec", ("arena.engine",)),
    (f"{GAME}.*", ("arena.engine",)),  # rules, and what is split off from them
    (GAME, ()),
    ("arena.games", ("arena.engine", "arena.errors", "arena.games.codec")),
    ("arena.wire", ()),
    ("arena.build", ("arena.errors",)),
    ("arena.home", ("arena.errors",)),
    ("arena.limits", ()),
    ("arena.match", ("arena.engine", "arena.errors", "arena.limits")),
    ("arena.bots", ("arena.errors", "arena.home", "arena.limits")),
    ("arena.runtime", ("arena.errors", "arena.home")),
    (
        "arena.sandbox",
        (
            "arena.match",
            "arena.bots",
            "arena.build",
            "arena.limits",
            "arena.runtime",
            "arena.errors",
            "arena.home",
            "arena.failpoints",
        ),
    ),
    (
        "arena.submission",
        ("arena.bots", "arena.errors", "arena.home", "arena.limits", "arena.runtime", "arena.sandbox"),
    ),
    ("arena.record", ("arena.engine", "arena.match", "arena.games", "arena.errors", "arena.home", "arena.limits")),
    (
        "arena.referee",
        (
            *("arena.engine", "arena.match", "arena.record", "arena.wire", "arena.games", "arena.sandbox"),
            *("arena.bots", "arena.limits", "arena.runtime", "arena.home", "arena.errors", "arena.failpoints"),
        ),
    ),
    ("arena.attack.probes", ()),  # run as bots do
    ("arena.attack.hostile", ("arena.wire",)),
    (
        "arena.attack",
        (
            *("arena.attack.probes", "arena.sandbox", "arena.bots", "arena.runtime"),
            *("arena.limits", "arena.home", "arena.errors"),
        ),
    ),
    ("arena.sdk.worlds", ("arena.engine", "arena.games", "arena.wire", "arena.sdk.ending")),  # dials nobody
    ("arena.sdk", ("arena.engine", "arena.games", "arena.wire", "arena.errors")),
    ("arena.bench", ("arena",)),
    ("arena.doctor", ("arena",)),
    ("arena.cli", ("arena", "ladder")),
    ("arena.__main__", ("arena.cli",)),
    ("arena", ()),
    (
        "ladder",
        (
            *("arena.engine", "arena.match", "arena.record", "arena.errors", "arena.home", "arena.limits"),
            "arena.failpoints",
        ),
    ),
    ("agents", ("arena.sdk", "arena.engine", "arena.games")),
]

# What even those who may import all of arena leave alone.
NEVER: list[tuple[str, tuple[str, ...]]] = [
    ("agents", ()),  # bots are started, not imported
    ("ladder", ("arena.cli", "ladder")),
    ("arena.cli", ("arena.cli", "arena.__main__")),
]

# Which modules may use a library; engines and rules may use none but mypy_extensions.
WIRE = ("arena.wire", f"{GAME}.v1", f"{GAME}.codec", "arena.referee.server", "arena.referee.session", "arena.sdk")
TERMINAL = ("arena.cli", f"{GAME}.view", "ladder.report", "arena.bench")
LIBRARIES: dict[str, tuple[str, ...]] = {
    "grpc": (*WIRE, "arena.bench", "arena.attack.hostile"),
    "google": (*WIRE, "arena.bench"),
    "librt": ("arena.wire.writer",),
    "trueskill": ("ladder.ratings",),
    "mpmath": ("ladder.ratings",),
    "typer": ("arena.cli",),
    "click": ("arena.cli",),
    "rich": TERMINAL,
    "sqlalchemy": ("ladder.store",),
    "alembic": ("ladder.store",),
}
PLAIN = ("arena.engine", f"{GAME}.*", "arena.errors", "arena.match")
EDGES = (f"{GAME}.v1", f"{GAME}.codec", f"{GAME}.view")

MOST_LINES = 500
MOST_LINES_OF_RULES = 700
MOST_LINES_OF_A_FUNCTION = 60
MOST_LINES_OF_A_DOCSTRING = 6
OTHERS_WORDS = {"get_buffer"}  # asyncio calls its buffered protocols by it
EMPTY_WORDS = {"util", "utils", "helper", "helpers", "manager"}


@dataclass(frozen=True)
class Source:
    """One file: where it is, what it is called when imported, and its text."""

    path: str
    text: str

    @property
    def module(self) -> str:
        parts = self.path.removesuffix(".py").split("/")
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def package(self) -> str:
        return self.module if self.path.endswith("__init__.py") else self.module.rpartition(".")[0]

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def is_generated(self) -> bool:
        return "_pb2" in self.path


def sources(*folders: str) -> list[Source]:
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [Source(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in paths]


def below(module: str, name: str) -> bool:
    """Whether a module is `name`, or below it; * stands for one part."""
    parts, wanted = module.split("."), name.split(".")
    head = parts[: len(wanted)]
    return len(head) == len(wanted) and all(map(fnmatchcase, head, wanted))


def covered(module: str, names: tuple[str, ...]) -> bool:
    return any(below(module, name) for name in names)


# Imports


def imports(source: Source) -> Iterator[str]:
    """Everything a file imports, wherever it does so, as full dotted names."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from imported_from(source, node)


def imported_from(source: Source, node: ast.ImportFrom) -> Iterator[str]:
    base = source.package.split(".")[: len(source.package.split(".")) + 1 - node.level] if node.level else []
    origin = ".".join([*base, *([node.module] if node.module else [])])
    for alias in node.names:
        name = f"{origin}.{alias.name}"
        yield name if is_module(name) else origin


def is_module(name: str) -> bool:
    """Whether `from a import b` names a module b of this project."""
    path = ROOT / name.replace(".", "/")
    return name.split(".", maxsplit=1)[0] in OWN and (path.is_dir() or path.with_suffix(".py").exists())


def row(module: str) -> tuple[str, tuple[str, ...]] | None:
    """The first row of the table that fits a module."""
    return next((found for found in MODULES if module == found[0] or fits(module, found[0])), None)


def fits(module: str, name: str) -> bool:
    return name != "arena" and below(module, name)


def import_problems(source: Source) -> list[str]:
    """What a file imports against the tables."""
    found = row(source.module)
    if found is None:
        return [f"{source.path}: expected a row for it in the table of modules, got none"]
    return [problem for name in imports(source) for problem in problems_of(source, name, found)]


def problems_of(source: Source, name: str, found: tuple[str, tuple[str, ...]]) -> Iterator[str]:
    top = name.split(".", maxsplit=1)[0]
    if top in OWN:
        if not allowed(source.module, name, found) or is_never(source.module, name):
            yield f"{source.path}: may not import {name}"
    elif top in LIBRARIES and not covered(source.module, LIBRARIES[top]):
        yield f"{source.path}: may not use {top}"
    elif is_plain(source.module) and top not in {*sys.stdlib_module_names, "mypy_extensions"}:
        yield f"{source.path}: expected only the standard library and mypy_extensions, got {top}"


def allowed(module: str, name: str, found: tuple[str, tuple[str, ...]]) -> bool:
    """Whether the row lets the module import that name; inside one row everything may."""
    game = ".".join(module.split(".")[:3])
    names = tuple(one.replace("{game}", game) for one in found[1])
    same_row = row(name) == found and (not below(module, GAME) or below(name, game))
    return covered(name, names) or same_row or (name == "arena" and not is_plain(module))


def is_never(module: str, name: str) -> bool:
    return any(below(name, target) and not covered(module, users) for target, users in NEVER)


def is_plain(module: str) -> bool:
    return covered(module, PLAIN) and not covered(module, EDGES)


# Style


def style_problems(source: Source) -> list[str]:
    """Where a file is longer or named otherwise than agreed."""
    return [*length_problems(source), *docstring_problems(source), *name_problems(source)]


def length_problems(source: Source) -> Iterator[str]:
    most = MOST_LINES_OF_RULES if below(source.module, f"{GAME}.rules") else MOST_LINES
    lines = len(source.text.splitlines())
    if lines > most:
        yield f"{source.path}: expected at most {most} lines, got {lines}"
    for function in functions(source):
        lines = (function.end_lineno or 0) - function.lineno + 1
        if lines > MOST_LINES_OF_A_FUNCTION:
            yield f"{source.path}: {function.name} has {lines} lines, expected at most {MOST_LINES_OF_A_FUNCTION}"


def docstring_problems(source: Source) -> Iterator[str]:
    text = ast.get_docstring(source.tree)
    if text is None and source.tree.body:
        yield f"{source.path}: expected a docstring that says what and why, got none"
    elif text is not None and len(text.splitlines()) > MOST_LINES_OF_A_DOCSTRING:
        yield f"{source.path}: expected a docstring of at most {MOST_LINES_OF_A_DOCSTRING} lines, got more"


def name_problems(source: Source) -> Iterator[str]:
    names = [source.module.rpartition(".")[2], *(node.name for node in definitions(source))]
    for name in names:
        words = {word.lower() for word in split_words(name)}
        if words & EMPTY_WORDS:
            yield f"{source.path}: {name} says nothing, expected what it is"
        if name.lstrip("_").startswith("get_") and name not in OTHERS_WORDS:
            yield f"{source.path}: {name}, expected a name without get_"


def split_words(name: str) -> list[str]:
    spaced = "".join(f" {letter}" if letter.isupper() else letter for letter in name)
    return spaced.replace("_", " ").split()


def functions(source: Source) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def definitions(source: Source) -> list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node for node in ast.walk(source.tree) if isinstance(node, kinds)]


# The tests


@pytest.mark.parametrize("source", sources("arena", "ladder", "agents"), ids=lambda source: str(source.path))
def test_imports_follow_the_table(source: Source) -> None:
    assert import_problems(source) == []


OWN_SOURCES = [source for source in sources("arena", "ladder", "agents") if not source.is_generated]


@pytest.mark.parametrize("source", OWN_SOURCES, ids=lambda source: str(source.path))
def test_lengths_docstrings_and_names(source: Source) -> None:
    assert style_problems(source) == []


@pytest.mark.parametrize("source", sources("tests"), ids=lambda source: str(source.path))
def test_tests_are_short_too(source: Source) -> None:
    assert list(length_problems(source)) == []


RULES = "arena/games/party_bugs/rules.py"
PLANTED = [
    (RULES, "import random, arena.match", "may not import arena.match"),
    (RULES, "from arena.engine import rng\nfrom arena import games", "may not import arena.games"),
    (RULES, "import numpy", "standard library"),
    (RULES, "from arena import __version__", "may not import arena"),
    (RULES, "from arena.games.chess.rules import GAME", "may not import arena.games.chess.rules"),
    (RULES, "from .codec import CODEC", "may not import arena.games.party_bugs.codec"),
    (RULES, "from . import v1", "may not import arena.games.party_bugs.v1"),
    ("arena/games/party_bugs/codes.py", "import google.protobuf", "may not use google"),
    ("arena/games/party_bugs/codec.py", "import arena.games.chess.rules", "may not import arena.games.chess"),
    ("arena/games/party_bugs/view.py", "from arena.referee.table import Table", "may not import arena.referee"),
    ("arena/engine/rng.py", "from .. import match", "may not import arena.match"),
    ("arena/match.py", "def late() -> None:\n    import grpc", "may not use grpc"),
    ("arena/match.py", "from arena.referee import table", "may not import arena.referee.table"),
    ("arena/referee/table.py", "from google.protobuf import message", "may not use google"),
    ("arena/referee/runner.py", "import ladder.store", "may not import ladder.store"),
    ("arena/sandbox/plain.py", "from arena import record", "may not import arena.record"),
    ("arena/sdk/client.py", "from arena.referee.session import Session", "may not import arena.referee.session"),
    ("arena/sdk/worlds/server.py", "from arena.sdk import client", "may not import arena.sdk.client"),
    ("arena/record/file.py", "import rich.table", "may not use rich"),
    ("arena/bench/engine.py", "from arena.cli import main", "may not import arena.cli"),
    ("arena/cli/__init__.py", "import agents.baselines", "may not import agents.baselines"),
    ("arena/doctor.py", "import typer", "may not use typer"),
    ("ladder/runner.py", "from arena.referee.runner import Referee", "may not import arena.referee.runner"),
    ("ladder/store/store.py", "import trueskill", "may not use trueskill"),
    ("ladder/schedule.py", "import mpmath", "may not use mpmath"),
    ("ladder/schedule.py", "import sqlalchemy", "may not use sqlalchemy"),
    ("agents/baselines/random/bot.py", "from arena.referee import table", "may not import arena.referee"),
    ("arena/new_thing.py", "", "expected a row"),
]


@pytest.mark.parametrize(("path", "text", "problem"), PLANTED)
def test_a_planted_import_is_found(path: str, text: str, problem: str) -> None:
    assert any(problem in found for found in import_problems(Source(path, text)))


SOUND = [
    (RULES, "import math\nfrom mypy_extensions import i64\nfrom arena.engine.rng import Rng\nfrom . import codes"),
    ("arena/games/party_bugs/codec.py", "from . import rules\nfrom arena.games.party_bugs.v1 import party_bugs_pb2"),
    ("arena/games/party_bugs/view.py", "import rich\nfrom arena.games.party_bugs.rules import Observation"),
    ("arena/referee/session.py", "import grpc.aio\nfrom arena.wire.v1 import referee_service_pb2\nimport arena.match"),
    ("arena/cli/match.py", "import rich, typer\nfrom arena.referee.runner import Referee\nimport ladder.runner"),
    ("ladder/ratings.py", "import trueskill\nfrom arena.match import MatchResult\nfrom ladder import store"),
    ("agents/baselines/random/bot.py", "import random\nfrom arena.sdk import play"),
]


@pytest.mark.parametrize(("path", "text"), SOUND)
def test_a_sound_import_is_left_alone(path: str, text: str) -> None:
    assert import_problems(Source(path, text)) == []


LONG_FUNCTION = '"""What."""\ndef long() -> None:\n' + "    pass\n" * 60
STYLES = [
    ("arena/a.py", '"""What."""\n' + "a = 1\n" * 500, "at most 500 lines, got 501"),
    (RULES, '"""What."""\n' + "a = 1\n" * 700, "at most 700 lines, got 701"),
    ("arena/a.py", LONG_FUNCTION, "long has 61 lines"),
    ("arena/a.py", "a = 1\n", "expected a docstring"),
    ("arena/a.py", '"""1\n2\n3\n4\n5\n6\n7"""\n', "at most 6 lines, got more"),
    ("arena/utils.py", '"""What."""\n', "utils says nothing"),
    ("arena/a.py", '"""What."""\nclass MatchManager:\n    pass\n', "MatchManager says nothing"),
    ("arena/a.py", '"""What."""\nclass A:\n    def _get_it(self) -> int:\n        return 1\n', "without get_"),
]


@pytest.mark.parametrize(("path", "text", "problem"), STYLES)
def test_a_planted_fault_of_style_is_found(path: str, text: str, problem: str) -> None:
    assert any(problem in found for found in style_problems(Source(path, text)))


def test_good_style_is_left_alone() -> None:
    assert style_problems(Source(RULES, '"""What."""\n' + "a = 1\n" * 699)) == []
    assert style_problems(Source("arena/__init__.py", "")) == []
