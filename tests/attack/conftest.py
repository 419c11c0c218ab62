"""A home for all attacks, and the best sandbox of this machine."""

import pytest

from arena import sandbox
from arena.home import Home
from arena.sandbox import Sandbox


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """One home for all, so that the bots' runtime is made once."""
    return Home(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session")
def best() -> Sandbox:
    """The best sandbox of this machine."""
    if problem := sandbox.why_not_bubblewrap():
        pytest.skip(f"needs bubblewrap: {problem}")
    return sandbox.choose()
