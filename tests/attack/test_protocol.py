"""Attacks on the referee by real processes over their own sockets: the exact fault, a fair match, bounded memory."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from arena import bots, sandbox
from arena.attack import intruders
from arena.bots import Bot
from arena.home import Home
from arena.match import FaultKind, MatchResult, MatchSpec
from arena.referee.runner import Referee
from arena.sandbox import Sandbox
from tests.referee.test_faults import GAME, OPTIONS, QUICK, assert_fair, still_running

STARTUP = 8.0  # seconds; honest bots on a busy machine need some of them
MOST_GROWTH = 80 << 20  # bytes; the heaviest attacks would take 100 or 900 million
MOST_DESCRIPTORS = 60  # of the referee for three agents and their servers

NO_HELLO = f"got no hello within {STARTUP:g} s"
HEADERS = "headers in one frame of at most 8,192 bytes"
OTHER = "expected a call of /arena.wire.v1.RefereeService/Play, got one of '/other/Method'"

# how it attacks, the fault's kind, at which decision, words of its sentence
FAULTS: list[tuple[str, FaultKind, int | None, str]] = [
    ("wrong-token", FaultKind.PROTOCOL, None, "expected the token of ARENA_TOKEN, got another one"),
    ("second-stream", FaultKind.PROTOCOL, 3, "expected one Play stream, got a second one"),
    ("replay", FaultKind.PROTOCOL, 3, "expected an answer for decision 3, got one for decision 0"),
    ("heavy-frame", FaultKind.PROTOCOL, 3, "expected messages of at most 1 MB, got one of 100 MB"),
    ("bomb", FaultKind.PROTOCOL, None, "expected messages that are not compressed, got one that is"),
    ("tiny-messages", FaultKind.PROTOCOL, 3, "got "),  # nothing, or a flood: who sees it first is a matter of luck
    ("small-messages", FaultKind.PROTOCOL, None, "expected nothing after the hello until it is answered, got another"),
    ("connections", FaultKind.PROTOCOL, None, "expected one connection, got 33 of them"),
    ("garbage", FaultKind.PROTOCOL, None, "expected "),  # something else for each handful of bytes
    ("no-http", FaultKind.PROTOCOL, None, "expected gRPC over HTTP/2 without TLS, got b"),
    ("unknown-methods", FaultKind.PROTOCOL, None, OTHER),
    ("bad-method", FaultKind.PROTOCOL, None, "expected a call of Play, got headers that are none"),
    ("big-headers", FaultKind.PROTOCOL, None, f"expected {HEADERS}, got 14, and more to come"),
    ("noise", FaultKind.PROTOCOL, 3, "expected a PlayRequest, got 5000 bytes that are none"),
    ("unknown-fields", FaultKind.PROTOCOL, 3, "expected decisions, got nothing"),
    ("long-hello", FaultKind.TIMEOUT, 0, "got no answer"),
    ("half-answer", FaultKind.TIMEOUT, 0, "got no answer"),
    ("never-reading", FaultKind.TIMEOUT, 0, "got no answer"),
]
NEVER_GREETING = ["half-open", "half-hello", "trickle"]
AHEAD = "expected at most 1,024 HTTP/2 frames ahead of the game, got a flood of"
SOON_FAULTS = [  # at the decision after which the other thread got to it
    ("many-answers", "got one for decision 3"),
    ("broken-frames", "expected DATA of its Play stream, got DATA of stream 0"),
    ("resets", "expected one Play stream, got a second one"),
    ("pings", f"{AHEAD} PING"),
    ("settings", f"{AHEAD} SETTINGS"),
    ("windows", f"{AHEAD} WINDOW_UPDATE"),
    ("priorities", f"{AHEAD} PRIORITY"),
    ("extensions", f"{AHEAD} frame of type 187"),
    ("empty-data", f"{AHEAD} DATA"),
    ("crumbs", f"{AHEAD} DATA"),
]
UNNOTICED = ["visits", "connections", "garbage", "bad-method", "pings"]  # by terminal and descriptors


@pytest.fixture(params=["best", "none"])
def level(request: pytest.FixtureRequest) -> Sandbox:
    """The best sandbox here, and none: the referee's own defence must not depend on one."""
    if request.param == "best" and (problem := sandbox.why_not_bubblewrap()):
        pytest.skip(f"needs bubblewrap: {problem}")
    return sandbox.choose(None if request.param == "best" else "none")


@asynccontextmanager
async def house(home: Home, level: Sandbox) -> AsyncIterator[Referee]:
    async with Referee(home, level, unsafe=True, startup_seconds=STARTUP) as referee:
        yield referee


async def play(referee: Referee, bot: Bot, number: int = 1) -> MatchResult:
    """A match of two random bots and this one, in the middle seat."""
    random = bots.shipped()["random"]
    first, last = referee.seat(random, 2 * number), referee.seat(random, 2 * number + 1)
    return await referee.play(MatchSpec(f"m{number}", GAME, OPTIONS, (first, referee.seat(bot), last), 7, QUICK))


def memory(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name))


@contextmanager
def bounded_memory() -> Iterator[None]:
    """The referee, which is this process, does not grow by much, not even for a moment."""
    Path("/proc/self/clear_refs").write_text("5")  # forget the highest so far
    before = memory("VmRSS")
    yield
    assert memory("VmHWM") - before < MOST_GROWTH


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - only their number is wanted


@pytest.mark.parametrize(("how", "kind", "decision", "words"), FAULTS, ids=[case[0] for case in FAULTS])
async def test_an_attack_ends_with_its_fault(
    how: str, kind: FaultKind, decision: int | None, words: str, home: Home, level: Sandbox, tmp_path: Path
) -> None:
    bot = intruders.bot(tmp_path, how)
    with bounded_memory():
        async with house(home, level) as referee:
            result = await play(referee, bot)
    (fault,) = result.faults
    assert (fault.kind, fault.seat, fault.decision) == (kind, 1, decision), fault.sentence
    assert words in fault.sentence
    assert_fair(result, fault)
    assert still_running(bot) == []


@pytest.mark.parametrize(("how", "words"), SOON_FAULTS, ids=[case[0] for case in SOON_FAULTS])
async def test_an_attack_beside_play_ends_with_its_fault(
    how: str, words: str, home: Home, level: Sandbox, tmp_path: Path
) -> None:
    with bounded_memory():
        async with house(home, level) as referee:
            result = await play(referee, intruders.bot(tmp_path, how))
    (fault,) = result.faults
    assert fault.kind is FaultKind.PROTOCOL
    assert words in fault.sentence
    assert fault.decision is not None
    assert fault.decision >= intruders.WHEN
    assert_fair(result, fault)


async def test_those_who_never_greet_are_not_waited_for_longer(home: Home, level: Sandbox, tmp_path: Path) -> None:
    with bounded_memory():
        async with house(home, level) as referee:
            hostile = [intruders.bot(tmp_path, how) for how in NEVER_GREETING]
            results = await asyncio.gather(*(play(referee, bot, number) for number, bot in enumerate(hostile)))
    for result, how in zip(results, NEVER_GREETING, strict=True):
        (fault,) = result.faults
        assert (fault.kind, fault.seat) == (FaultKind.NEVER_CONNECTED, 1)
        assert fault.sentence == f"expected a hello from {how}, {NO_HELLO}"
        assert_fair(result, fault)


@pytest.mark.parametrize("how", UNNOTICED)
async def test_no_descriptors_are_lost_and_nothing_is_printed(
    how: str, home: Home, level: Sandbox, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    most = 0

    async def count() -> None:
        nonlocal most
        while True:
            most = max(most, descriptors())
            await asyncio.sleep(0.005)

    async with house(home, level) as referee:
        await play(referee, bots.shipped()["greedy"], 1)  # what is there once everything runs
        before = descriptors()
        counting = asyncio.create_task(count())
        with bounded_memory():
            result = await play(referee, intruders.bot(tmp_path, how), 2)
        counting.cancel()
    assert [fault.kind for fault in result.faults] == [FaultKind.PROTOCOL] * (how != "visits"), result.faults
    assert most - before < MOST_DESCRIPTORS
    assert capfd.readouterr().err == ""  # a bot cannot write on the referee's terminal


async def test_a_match_of_others_is_out_of_reach(home: Home, level: Sandbox, tmp_path: Path) -> None:
    async with house(home, level) as referee:
        hostile, greedy = intruders.bot(tmp_path, "foreign-match"), bots.shipped()["greedy"]
        attacked, result = await asyncio.gather(play(referee, greedy, 2), play(referee, hostile, 1))
    (fault,) = result.faults
    assert (fault.kind, fault.decision) == (FaultKind.PROTOCOL, 3)
    assert fault.sentence == "expected an answer for a match of its own, got one for decision 3 of match 'm2'"
    assert_fair(result, fault)
    assert attacked.faults == ()


async def test_a_stolen_token_opens_no_other_door(home: Home, level: Sandbox, tmp_path: Path) -> None:
    """Where nothing hides the others' environment, a token can be stolen, but it fits one socket alone."""
    async with house(home, level) as referee:
        result = await play(referee, intruders.bot(tmp_path, "stolen-token"))
    (fault,) = result.faults
    if level.level == "none":
        assert (fault.kind, fault.decision) == (FaultKind.PROTOCOL, None)
        assert fault.sentence == "expected the token of ARENA_TOKEN, got another one"
    else:
        assert fault.kind is FaultKind.NEVER_CONNECTED
        assert "its last words: no token but its own was found" in fault.sentence
    assert_fair(result, fault)


async def test_hostile_bots_of_many_matches_do_not_disturb_each_other(
    home: Home, level: Sandbox, tmp_path: Path
) -> None:
    ways = ["tiny-messages", "second-stream", "noise", "unknown-methods"]
    async with house(home, level) as referee:
        hostile = [intruders.bot(tmp_path, how) for how in ways]
        results = await asyncio.gather(*(play(referee, bot, number) for number, bot in enumerate(hostile)))
    assert [[fault.seat for fault in result.faults] for result in results] == [[1]] * len(ways)
