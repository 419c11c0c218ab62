"""Real containers for the tests: small Python programs, started as a bot's are."""

import shutil
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Protocol

import pytest

from arena import runtime
from arena.home import Home
from arena.limits import Limits
from arena.runtime import Runtime
from arena.sandbox import Agent, Launch, Sandbox
from tests.docker.engines import SMALL, opened


class Begin(Protocol):
    """Starts a program as bot.py with words after it, or a command of its own."""

    async def __call__(
        self, program: str = "", *words: str, command: tuple[str, ...] = (), limits: Limits = SMALL
    ) -> Agent: ...


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return runtime.prepare(Home(tmp_path_factory.mktemp("home")))


@pytest.fixture(scope="session", params=["docker", "podman"])
def box(request: pytest.FixtureRequest) -> Sandbox:
    return opened(request.param)


@pytest.fixture
def bot_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "a bot, with a comma"
    folder.mkdir()
    folder.chmod(0o777)  # what keeps an agent from writing here is the container alone
    return folder


@pytest.fixture
async def begin(box: Sandbox, prepared: Runtime, bot_folder: Path) -> AsyncIterator[Begin]:
    """Starts an agent; whatever still runs at the end of the test is killed."""
    started: list[Agent] = []
    seats: list[Path] = []

    async def begin(program: str = "", *words: str, command: tuple[str, ...] = (), limits: Limits = SMALL) -> Agent:
        (bot_folder / "bot.py").write_text(textwrap.dedent(program))
        seats.append(box.seat_folder())
        run = command or ("python", "bot.py", *words)
        launch = Launch("probe", bot_folder, run, seats[-1], {"ARENA_TOKEN": "t0ken"}, prepared, limits)
        started.append(await box.start(launch))
        return started[-1]

    yield begin
    for agent in started:
        agent.kill()
        await agent.wait()
    for seat in seats:
        shutil.rmtree(seat)
