"""The sandbox, and the bots of all languages made ready in it."""

import pytest

from arena import sandbox
from arena.sandbox import Sandbox
from tests.languages.ready import Ready, shared_folder


@pytest.fixture(scope="session")
def jail() -> Sandbox:
    """Bubblewrap, as for any bot that did not come with arena."""
    if problem := sandbox.why_not_bubblewrap():
        pytest.skip(f"needs bubblewrap: {problem}")
    return sandbox.choose("bubblewrap")


@pytest.fixture(scope="session")
def ready(jail: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Ready:
    """Makes the bots of languages ready, each when it is first asked for."""
    return Ready(shared_folder(tmp_path_factory), tmp_path_factory.mktemp("sources"), jail)
