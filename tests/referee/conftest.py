"""A home and a sandbox for whole matches, and bots that misbehave on command."""

import shutil
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from arena import bots, sandbox
from arena.bots import Bot
from arena.home import Home
from arena.sandbox import Sandbox

SCRIPTED = Path(__file__).parent / "scripted"
Scripted = Callable[..., Bot]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """One home for all matches, so that the bots' runtime is made once."""
    return Home(tmp_path_factory.mktemp("home"))


@pytest.fixture(params=["bubblewrap", "none"])
def level(request: pytest.FixtureRequest) -> Sandbox:
    """Each way to start an agent that works here."""
    name: str = request.param
    if name == "bubblewrap" and (problem := sandbox.why_not_bubblewrap()):
        pytest.skip(f"needs bubblewrap: {problem}")
    return sandbox.choose(name)


@pytest.fixture
def scripted(tmp_path: Path) -> Scripted:
    """Makes the bot that misbehaves in the given way at the given decision."""

    def make(how: str, when: int = 3, matches_at_once: int = 8) -> Bot:
        folder = tmp_path / how
        folder.mkdir()
        shutil.copy(SCRIPTED / "bot.py", folder)
        (folder / "bot.toml").write_text(
            f'name = "{how}"\nauthor = "tests"\ndescription = "misbehaves"\ngames = ["*"]\n'
            f'run = ["python", "bot.py", "{how}", "{when}", "{uuid4()}"]\nmatches_at_once = {matches_at_once}\n'
        )
        return bots.read(folder)

    return make
