"""What bots print during a match goes into its result: each match has its own lines, and no more of them than fit."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import bots, record, sandbox
from arena.bots import Bot
from arena.home import Home
from arena.match import Entrant, MatchSpec, Printed
from arena.referee.runner import Referee
from arena.sandbox import Sandbox
from arena.sandbox.log import TAIL

HEAD = "import sys\nfrom arena.sdk import play\n"
TOLD = """
def choose(turn):
    print(f"{turn.match.match_id} {turn.decision}")
    return turn.legal[0]
print("ready")
play(choose)
"""
MUCH = """
def choose(turn):
    sys.stdout.buffer.write("é".encode() * 3000)
    return turn.legal[0]
play(choose)
"""
ANGRY = """
def choose(turn):
    if turn.decision == 3:
        sys.exit("\\x1b[31mno more")
    return turn.legal[0]
play(choose)
"""
OPTIONS: dict[str, str | int | bool] = {"hidden_card": False, "hidden_pairing": "may", "mirror_series": False}

Talker = Callable[..., Bot]


@pytest.fixture
def talker(tmp_path: Path) -> Talker:
    """Makes a bot of this program."""

    def make(program: str, matches_at_once: int = 1) -> Bot:
        folder = tmp_path / "talker"
        folder.mkdir()
        (folder / "bot.py").write_text(HEAD + program)
        (folder / "bot.toml").write_text(
            f'name = "talker"\ngames = ["*"]\nrun = ["python", "bot.py"]\nmatches_at_once = {matches_at_once}\n'
        )
        return bots.read(folder)

    return make


def spec(number: int, *entrants: Entrant) -> MatchSpec:
    return MatchSpec(f"match-{number}", "party-bugs", OPTIONS, entrants, number)


def lines(match: str, printed: Printed | None) -> list[str]:
    assert printed is not None
    return [line for line in printed.text.splitlines() if line.startswith(f"{match} ")]


async def test_each_match_has_its_own_lines(talker: Talker, level: Sandbox, home: Home) -> None:
    async with Referee(home, level, unsafe=True) as referee:
        seats = referee.seat(talker(TOLD)), referee.seat(bots.shipped()["random"])
        results = [await referee.play(spec(number, *seats)) for number in range(3)]
    for number, result in enumerate(results):
        count = sum(one.seat == 0 for one in result.decisions)
        wanted = "".join(f"match-{number} {decision}\n" for decision in range(count))
        assert result.logs == (Printed("ready\n" * (number == 0) + wanted), None)
        record.write(home, result)
        assert record.read(record.path_of(home, result.spec.match_id)).logs == result.logs


async def test_a_match_tells_what_else_was_under_way(talker: Talker, home: Home) -> None:
    bot = talker(TOLD, matches_at_once=8)
    async with Referee(home, sandbox.choose("none"), unsafe=True) as referee:
        seats = referee.seat(bot), referee.seat(bots.shipped()["random"])
        results = await asyncio.gather(*(referee.play(spec(number, *seats)) for number in range(4)))
    for number, result in enumerate(results):
        count = sum(one.seat == 0 for one in result.decisions)
        printed = result.logs[0]
        assert printed is not None
        assert printed.others == 3
        if not printed.left_out:
            assert len(lines(f"match-{number}", printed)) == count


async def test_of_much_the_end_is_kept_and_the_cut_is_told(talker: Talker, home: Home) -> None:
    async with Referee(home, sandbox.choose("none"), unsafe=True) as referee:
        seats = referee.seat(talker(MUCH)), referee.seat(bots.shipped()["random"])
        results = [await referee.play(spec(number, *seats)) for number in range(2)]
    for result in results:
        count = sum(one.seat == 0 for one in result.decisions)
        assert result.logs[0] == Printed("é" * (TAIL // 2), 6000 * count - TAIL)
        record.write(home, result)
        assert record.read(record.path_of(home, result.spec.match_id)) == result


async def test_last_words_are_there_and_harmless(talker: Talker, level: Sandbox, home: Home) -> None:
    async with Referee(home, level, unsafe=True) as referee:
        seats = referee.seat(talker(ANGRY)), referee.seat(bots.shipped()["random"])
        result = await referee.play(spec(0, *seats))
    assert result.faults[0].decision == 3
    assert result.logs == (Printed("\N{REPLACEMENT CHARACTER}[31mno more\n"), None)
    assert record.verify(result) == []


async def test_of_silent_bots_nothing_is_stored(home: Home) -> None:
    async with Referee(home, sandbox.choose("none")) as referee:
        random = bots.shipped()["random"]
        result = await referee.play(spec(0, referee.seat(random), referee.seat(random, 1)))
    assert result.logs == ()
    assert b"logs" not in record.file._text(result).encode()
