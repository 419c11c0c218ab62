"""What has ended is gone at once, without the garbage collector, whose work would stop every match for a while."""

import gc
from collections import Counter
from collections.abc import Iterator

import pytest

from arena import bots
from arena.home import Home
from arena.match import Entrant
from arena.referee.runner import Referee
from arena.sandbox import Sandbox
from tests.referee.conftest import Scripted
from tests.referee.test_agents import spec
from tests.sandbox.agents import eventually

MATCHES = 3
LET_GO = "_Methods"  # all that gRPC's own garbage still knows of ours; it knows nothing in turn


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nothing but the count of references frees anything."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def kept() -> Counter[str]:
    """How many objects of the referee and the sandbox there are of each kind, that were made since it began."""
    kinds = (type(one) for one in gc.get_objects())
    ours = [kind for kind in kinds if kind.__module__.startswith(("arena.referee", "arena.sandbox"))]
    return Counter(kind.__qualname__ for kind in ours if kind.__qualname__ != LET_GO)


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("how", ["crash", "flood", "junk", "illegal", "hello-twice"])
async def test_nothing_is_kept_of_a_match_nor_of_an_agent_that_failed(
    how: str, scripted: Scripted, home: Home, level: Sandbox
) -> None:
    async with Referee(home, level, unsafe=True) as referee:
        random = bots.shipped()["random"]
        entrants: list[Entrant] = [referee.seat(random), referee.seat(scripted(how)), referee.seat(random, 1)]
        await referee.play(spec(0, *entrants))
        await referee.play(spec(1, *entrants))
        before = kept()
        for number in range(MATCHES):
            assert (await referee.play(spec(2 + number, *entrants))).faults
        # The connection of the last one that failed may be open still: less than what each match would leave.
        await eventually(lambda: max((kept() - before).values(), default=0) < MATCHES)
        assert (before["AgentProcess"], before["Table"]) == (3, 0)
