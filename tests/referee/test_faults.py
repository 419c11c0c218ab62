"""Every way to misbehave, by a real process over the real socket: the exact fault, a fair result, nothing left."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from arena import bots, games
from arena.home import Home
from arena.match import Fault, FaultKind, MatchResult, MatchSpec, TimeControl
from arena.record import verify
from arena.referee.runner import Referee
from arena.sandbox import Sandbox
from tests.referee.conftest import Scripted

QUICK = TimeControl(allowance_ms=1_000, bank_ms=1_000)
GAME = "party-bugs"
OPTIONS = games.load(GAME).plain_options(games.load(GAME).options({}))


async def play_with(bot: bots.Bot, home: Home, sandbox: Sandbox, *, startup: float = 30.0) -> MatchResult:
    """A match of two random bots and this one, in the middle seat."""
    async with Referee(home, sandbox, unsafe=True, startup_seconds=startup) as referee:
        random = bots.shipped()["random"]
        entrants = (referee.seat(random), referee.seat(bot), referee.seat(random, 1))
        return await referee.play(MatchSpec("m1", GAME, OPTIONS, entrants, 7, QUICK))


def still_running(bot: bots.Bot) -> list[str]:
    """Processes of this bot on the whole machine, by the mark that its command ends with."""
    mark = bot.run[-1].encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (process / "cmdline").read_bytes()
            if mark in command:
                found.append(command.replace(b"\0", b" ").decode())
    return found


FAULTS = [
    ("illegal", FaultKind.ILLEGAL, 3, "got 99"),
    ("stall", FaultKind.TIMEOUT, 3, "got no answer"),
    ("late", FaultKind.TIMEOUT, 3, "got no answer"),
    ("crash", FaultKind.DISCONNECTED, 3, "exit code 7; its last words: out of ideas"),
    ("killed", FaultKind.KILLED, 3, "a process killed by SIGKILL, which the referee did not send"),
    ("hang-up", FaultKind.DISCONNECTED, 3, "a closed stream from a process that still runs"),
    ("twice", FaultKind.PROTOCOL, 4, "expected no answer for match m1, which asks nothing now, got one for decision 3"),
    ("stranger", FaultKind.PROTOCOL, 3, "expected an answer for a match of its own, got one for decision 3"),
    ("future", FaultKind.PROTOCOL, 3, "expected an answer for decision 3, got one for decision 4"),
    ("flood", FaultKind.PROTOCOL, 3, "of match 'flood'"),
    ("junk", FaultKind.PROTOCOL, 3, "expected a PlayRequest, got 50 bytes that are none"),
    ("empty", FaultKind.PROTOCOL, 3, "expected at least one decision in a message, got none"),
    ("hello-twice", FaultKind.PROTOCOL, 3, "got a second hello"),
    ("second-stream", FaultKind.PROTOCOL, 3, "expected one Play stream, got a second one"),
    ("wrong-token", FaultKind.PROTOCOL, None, "expected the token of ARENA_TOKEN, got another one"),
    ("no-hello", FaultKind.PROTOCOL, None, "expected a hello first, got decisions"),
    ("killed-early", FaultKind.KILLED, None, "a process killed by SIGKILL, which the referee did not send"),
    ("exit-early", FaultKind.NEVER_CONNECTED, None, "exit code 1 before its hello; its last words: no config file"),
]


@pytest.mark.parametrize(("how", "kind", "decision", "words"), FAULTS, ids=[case[0] for case in FAULTS])
async def test_fault_is_named_and_match_ends(
    how: str, kind: FaultKind, decision: int | None, words: str, scripted: Scripted, home: Home, level: Sandbox
) -> None:
    bot = scripted(how)
    result = await play_with(bot, home, level)
    (fault,) = result.faults
    assert (fault.kind, fault.seat) == (kind, 1)
    # The frame of the next decision may cross the second answer on its way.
    assert fault.decision == decision or (how == "twice" and fault.decision in (3, 4))
    assert words in fault.sentence or (how == "twice" and "got one for decision 3" in fault.sentence)
    assert_fair(result, fault)
    assert still_running(bot) == []


@pytest.mark.parametrize("how", ["stall", "late"])
async def test_a_timeout_is_on_record_with_the_time_it_took(
    how: str, scripted: Scripted, home: Home, level: Sandbox
) -> None:
    result = await play_with(scripted(how), home, level)
    (timeout, *later) = [one.micros for one in result.decisions if one.substitute]
    assert timeout >= (QUICK.allowance_ms + QUICK.bank_ms) * 1_000
    assert set(later) == {0}


def assert_fair(result: MatchResult, fault: Fault) -> None:
    """The faulty seat is last, the substitute played it on, and the record verifies."""
    assert result.places[fault.seat] == 3
    assert sorted(result.places[seat] for seat in (0, 2)) == [1, 2]
    substituted = [one.seat for one in result.decisions if one.substitute]
    assert set(substituted) == {fault.seat}
    assert not any(one.substitute for one in result.decisions if one.seat != fault.seat)
    assert verify(result) == []


async def test_an_oversized_message_is_refused(scripted: Scripted, home: Home, level: Sandbox) -> None:
    result = await play_with(scripted("huge"), home, level)
    (fault,) = result.faults
    assert (fault.kind, fault.seat) == (FaultKind.PROTOCOL, 1)
    assert fault.sentence.startswith("expected messages of at most 1 MB, got one of ")


async def test_a_bot_that_never_greets_is_not_waited_for_twice(scripted: Scripted, home: Home, level: Sandbox) -> None:
    async with Referee(home, level, unsafe=True, startup_seconds=8.0) as referee:
        random = bots.shipped()["random"]
        entrants = (referee.seat(random), referee.seat(scripted("never-hello")), referee.seat(random, 1))
        specs = [MatchSpec(f"m{seed}", GAME, OPTIONS, entrants, seed, QUICK) for seed in range(3)]
        results = [await referee.play(spec) for spec in specs]
    for result in results:
        (fault,) = result.faults
        assert fault.kind is FaultKind.NEVER_CONNECTED
        assert fault.sentence == "expected a hello from never-hello, got no hello within 8 s"


async def test_an_illegal_answer_costs_one_match_only(scripted: Scripted, home: Home, level: Sandbox) -> None:
    async with Referee(home, level, unsafe=True) as referee:
        random = bots.shipped()["random"]
        entrants = (referee.seat(random), referee.seat(scripted("illegal")), referee.seat(random, 1))
        specs = [MatchSpec(f"m{seed}", GAME, OPTIONS, entrants, seed, QUICK) for seed in range(4)]
        results = await asyncio.gather(*(referee.play(spec) for spec in specs))
    assert [[fault.kind for fault in result.faults] for result in results] == [[FaultKind.ILLEGAL]] * 4


async def test_a_crashed_bot_comes_back_for_its_next_match(scripted: Scripted, home: Home, level: Sandbox) -> None:
    async with Referee(home, level, unsafe=True) as referee:
        random = bots.shipped()["random"]
        entrants = (referee.seat(random), referee.seat(scripted("crash")), referee.seat(random, 1))
        faults = [
            (await referee.play(MatchSpec(f"m{seed}", GAME, OPTIONS, entrants, seed, QUICK))).faults[0]
            for seed in range(2)
        ]
    assert [fault.decision for fault in faults] == [3, 3]


async def test_a_match_that_waited_for_a_process_which_crashed_meanwhile_is_played(
    scripted: Scripted, home: Home, level: Sandbox
) -> None:
    async with Referee(home, level, unsafe=True) as referee:
        shipped, crash = bots.shipped()["random"], scripted("crash", matches_at_once=1)
        entrants = (referee.seat(shipped), referee.seat(crash), referee.seat(shipped, 1))
        specs = [MatchSpec(f"m{seed}", GAME, OPTIONS, entrants, seed, QUICK) for seed in range(6)]
        results = await asyncio.gather(*(referee.play(spec) for spec in specs))
    assert [[(fault.kind, fault.decision) for fault in result.faults] for result in results] == [
        [(FaultKind.DISCONNECTED, 3)]
    ] * 6


@pytest.mark.timeout(60)
async def test_a_match_that_waits_while_its_processes_are_retired_is_played_in_others(
    scripted: Scripted, home: Home, level: Sandbox
) -> None:
    """A process killed from outside retires all that sat with it: some of them another match has been promised."""
    async with Referee(home, level, unsafe=True) as referee:
        shipped = bots.shipped()["random"]
        both = (referee.seat(shipped), referee.seat(shipped, 1))
        thirds = [referee.seat(scripted("killed", when=0)), referee.seat(scripted("slow"))]
        specs = [MatchSpec(f"m{seed}", GAME, OPTIONS, (*both, third), seed, QUICK) for seed, third in enumerate(thirds)]
        await referee.play(replace(specs[0], match_id="m", entrants=both))  # these two are up
        spoilt, waited = await asyncio.gather(*(referee.play(spec) for spec in specs))
    assert [fault.kind for fault in spoilt.faults] == [FaultKind.KILLED]
    assert waited.faults == ()


async def test_a_process_never_holds_two_seats(home: Home, level: Sandbox) -> None:
    async with Referee(home, level) as referee:
        seat = referee.seat(bots.shipped()["random"])
        with pytest.raises(ValueError, match="a process of its own"):
            await referee.play(MatchSpec("m1", GAME, OPTIONS, (seat, seat, seat), 7))


async def test_the_same_seed_gives_the_same_match(home: Home, level: Sandbox) -> None:
    results = []
    for _ in range(2):
        async with Referee(home, level) as referee:
            shipped = bots.shipped()
            entrants = (referee.seat(shipped["random"]), referee.seat(shipped["greedy"]))
            results.append(await referee.play(MatchSpec("m1", GAME, OPTIONS, entrants, 11)))
    first, second = ([(one.seat, one.action) for one in result.decisions] for result in results)
    assert first == second
    assert results[0].faults == ()
