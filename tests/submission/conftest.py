"""Bots as their authors have them, and a home in which they are made ready."""

import json
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arena import sandbox
from arena.home import Home
from arena.sandbox import Sandbox
from arena.submission.prepare import Prepared, prepared
from arena.submission.workshop import BUILD, Terms

Write = Callable[..., Path]


@dataclass
class Making:
    """Makes bots ready, and hears what is said of it."""

    home: Home
    box: Sandbox
    said: list[str] = field(default_factory=list)

    def __call__(self, source: Path, *, unsafe: bool = False, terms: Terms = BUILD) -> Prepared:
        return prepared(self.home, source, self.box, unsafe=unsafe, say=self.said.append, build_terms=terms)

    def in_work(self) -> list[Path]:
        """What is left of work under way."""
        return list((self.home.path / "workshop").glob("work-*"))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """One for all tests, so that the bots' runtime is made once."""
    return Home(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session")
def box() -> Sandbox:
    chosen = sandbox.choose()
    if chosen.level == "none":
        pytest.skip(f"needs bubblewrap: {sandbox.why_not_lite()}")
    return chosen


@pytest.fixture
def make(home: Home, box: Sandbox) -> Making:
    return Making(home, box)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes the folder of a bot: keys of its manifest, and files by name."""

    def write(files: dict[str, str] | None = None, **keys: object) -> Path:
        folder = tmp_path / "my-bot"
        folder.mkdir(exist_ok=True)
        named = {"name": "mine", "games": ["*"], "run": ["python", "bot.py"], **keys}
        lines = [f"{key} = {json.dumps(value)}\n" for key, value in named.items()]
        for name, text in {"bot.py": "", **(files or {}), "bot.toml": "".join(lines)}.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(textwrap.dedent(text))
        return folder

    return write
