"""Real agents for the tests of the sandbox: small Python programs, started as a bot's are."""

import shutil
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena import runtime, sandbox
from arena.home import Home
from arena.limits import Limits
from arena.runtime import Runtime
from arena.sandbox import Agent, Launch, Sandbox
from tests.sandbox.agents import Begin

PROBLEMS = {"bubblewrap": sandbox.why_not_bubblewrap(), "bubblewrap-lite": sandbox.why_not_lite(), "none": None}


def open_sandbox(level: str) -> Sandbox:
    if PROBLEMS[level]:
        pytest.skip(f"needs {level}: {PROBLEMS[level]}")
    return sandbox.choose(level)


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return runtime.prepare(Home(tmp_path_factory.mktemp("home")))


@pytest.fixture(params=["bubblewrap", "bubblewrap-lite"])
def jail(request: pytest.FixtureRequest) -> Sandbox:
    return open_sandbox(request.param)


@pytest.fixture
def full() -> Sandbox:
    return open_sandbox("bubblewrap")


@pytest.fixture
def lite() -> Sandbox:
    return open_sandbox("bubblewrap-lite")


@pytest.fixture
def plain() -> Sandbox:
    return open_sandbox("none")


@pytest.fixture(params=["bubblewrap", "bubblewrap-lite", "none"])
def either(request: pytest.FixtureRequest) -> Sandbox:
    return open_sandbox(request.param)


@pytest.fixture
def bot_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir()
    folder.chmod(0o777)  # what keeps an agent from writing here is the jail alone
    return folder


@pytest.fixture
async def begin(prepared: Runtime, bot_folder: Path) -> AsyncIterator[Begin]:
    """Starts a program, or a command, in a sandbox; whatever still runs at the end of the test is killed."""
    started: list[Agent] = []
    seats: list[Path] = []

    async def begin(
        box: Sandbox,
        program: str = "",
        *words: str,
        command: tuple[str, ...] = (),
        limits: Limits | None = None,
    ) -> Agent:
        (bot_folder / "bot.py").write_text(textwrap.dedent(program))
        seats.append(box.seat_folder())
        run = command or ("python", "bot.py", *words)
        launch = Launch("probe", bot_folder, run, seats[-1], {"ARENA_TOKEN": "token"}, prepared, limits or Limits())
        started.append(await box.start(launch))
        return started[-1]

    yield begin
    for agent in started:
        agent.kill()
        await agent.wait()
    for seat in seats:
        shutil.rmtree(seat)
