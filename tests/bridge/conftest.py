"""A home and a sandbox for whole matches through the bridge."""

from pathlib import Path

import pytest

from arena import sandbox
from arena.home import Home
from arena.sandbox import Sandbox

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """One home for all matches, so that the bots' runtime is made once."""
    return Home(tmp_path_factory.mktemp("home"))


@pytest.fixture
def jail() -> Sandbox:
    """Bubblewrap, as for any bot that did not come with arena."""
    if problem := sandbox.why_not_bubblewrap():
        pytest.skip(f"needs bubblewrap: {problem}")
    return sandbox.choose("bubblewrap")
