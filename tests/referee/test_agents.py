"""Which processes a referee keeps: one for each entrant, not too many, and none that nobody can find again."""

import asyncio
import os
from pathlib import Path

import pytest

from arena import bots, sandbox
from arena.attack import intruders
from arena.home import Home
from arena.match import Entrant, FaultKind, MatchSpec
from arena.referee.agents import REST_SECONDS, AgentProcess
from arena.referee.runner import Referee
from tests.referee.conftest import Scripted
from tests.referee.test_faults import GAME, OPTIONS, QUICK, still_running


def spec(number: int, *entrants: Entrant) -> MatchSpec:
    return MatchSpec(f"m{number}", GAME, OPTIONS, entrants, number, QUICK)


def alive(referee: Referee) -> list[AgentProcess]:
    return [starting.result() for starting in referee._agents.values() if starting.done()]


async def test_agents_that_have_not_played_for_long_make_room(home: Home) -> None:
    random = bots.shipped()["random"]
    async with Referee(home, sandbox.choose("none"), most_agents=3) as referee:
        entrants = [referee.seat(random, process) for process in range(5)]
        await referee.play(spec(1, entrants[0], entrants[1]))
        await referee.play(spec(2, entrants[1], entrants[2]))
        kept = set(referee._agents)
        await referee.play(spec(3, entrants[3], entrants[4]))
        assert kept == set(entrants[:3])
        assert set(referee._agents) == {entrants[2], *entrants[3:]}
    assert not referee._leaving


async def test_agents_that_play_now_are_never_sent_away(home: Home) -> None:
    random = bots.shipped()["random"]
    async with Referee(home, sandbox.choose("none"), most_agents=1) as referee:
        entrants = [referee.seat(random, process) for process in range(6)]
        pairs = [entrants[first : first + 2] for first in (0, 2, 4)] * 3
        results = await asyncio.gather(*(referee.play(spec(number, *pair)) for number, pair in enumerate(pairs)))
    assert [result.faults for result in results] == [()] * 9


async def test_matches_that_wait_for_the_same_new_process_share_it(scripted: Scripted, home: Home) -> None:
    bot = scripted("crash", matches_at_once=1)
    async with Referee(home, sandbox.choose("none"), unsafe=True) as referee:
        entrants = (referee.seat(bots.shipped()["random"]), referee.seat(bot))
        await referee.play(spec(0, *entrants))
        results = await asyncio.gather(*(referee.play(spec(number, *entrants)) for number in range(1, 4)))
        assert len(alive(referee)) == 2
    assert {fault.kind for result in results for fault in result.faults} == {FaultKind.DISCONNECTED}
    assert still_running(bot) == []


async def test_the_same_bot_under_two_names_is_two_processes(home: Home) -> None:
    random = bots.shipped()["random"]
    async with Referee(home, sandbox.choose("none")) as referee:
        entrants = (referee.seat(random, 0, "one"), referee.seat(random, 0, "two"))
        result = await referee.play(spec(1, *entrants))
        assert len({agent.session for agent in alive(referee)}) == 2
    assert [entrant.bot for entrant in result.spec.entrants] == ["one", "two"]


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.1, 0.3])
async def test_a_referee_that_is_cancelled_while_agents_start_leaves_nothing(
    delay: float,
    scripted: Scripted,
    home: Home,
    level: sandbox.Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))  # seat folders lie there, for all to count
    bot = scripted("never-hello")

    async def play() -> None:
        async with Referee(home, level, unsafe=True) as referee:
            await referee.play(spec(1, referee.seat(bots.shipped()["random"]), referee.seat(bot)))

    playing = asyncio.create_task(play())
    await asyncio.sleep(delay)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert still_running(bot) == []
    assert [name for name in os.listdir(tmp_path) if name.startswith("arena-")] == []  # noqa: PTH208 - names are wanted


@pytest.mark.parametrize("level", ["bubblewrap", "bubblewrap-lite"])
async def test_an_agent_without_a_match_rests(level: str, home: Home, tmp_path: Path) -> None:
    if problem := sandbox.why_not_bubblewrap():
        pytest.skip(f"needs bubblewrap: {problem}")
    async with Referee(home, sandbox.choose(level), unsafe=True) as referee:
        entrants = (referee.seat(intruders.bot(tmp_path, "spin")), referee.seat(bots.shipped()["random"]))
        for number in range(2):
            assert (await referee.play(spec(number, *entrants))).faults == ()
            spinner = (await referee._agents[entrants[0]])._agent
            assert spinner is not None
            assert spinner.meter is not None
            await asyncio.sleep(2 * REST_SECONDS)
            before = spinner.meter.cpu_micros()
            await asyncio.sleep(0.5)
            assert spinner.meter.cpu_micros() - before < 50_000


READY = """
import sys
from arena.sdk import play

CODEC = "arena.games.party_bugs.codec"
BEFORE = CODEC in sys.modules

def choose(turn):
    print(f"with the SDK alone: {BEFORE}; before the hello: {IN_TIME}")
    return turn.legal[0]

import arena.sdk.client as client
converse = client._converse

async def watched(*arguments):
    global IN_TIME
    IN_TIME = CODEC in sys.modules
    await converse(*arguments)

client._converse = watched
play(choose)
"""


async def test_a_python_bot_imports_its_first_game_before_its_clock_runs(home: Home, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(READY)
    (tmp_path / bots.MANIFEST).write_text('name = "ready"\ngames = ["*"]\nrun = ["python", "bot.py"]\n')
    said: list[bytes] = []
    referee = Referee(home, sandbox.choose("none"), unsafe=True, hear=lambda _: said.append)
    async with referee:
        entrants = (referee.seat(bots.read(tmp_path)), referee.seat(bots.shipped()["random"]))
        assert (await referee.play(spec(0, *entrants))).faults == ()
    assert b"with the SDK alone: False; before the hello: True" in b"".join(said)
