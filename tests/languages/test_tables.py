"""Bots in all languages at one table, inside bubblewrap, in all games: everybody meets everybody, and nobody fails."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from arena import games, record
from arena.bots import Bot
from arena.match import MatchSpec, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import Sandbox
from tests.languages.ready import ALL, BRIDGES, LANGUAGES, Ready, missing

pytestmark = pytest.mark.timeout(900)  # some are compiled first

PATIENT = TimeControl(allowance_ms=20_000, bank_ms=120_000)  # a table of ten processes on a machine that may be busy
Tables = dict[str, list[tuple[str, ...]]]


def test_these_are_the_languages() -> None:
    assert {*LANGUAGES} >= {"python"}
    assert [*BRIDGES] == ["awk", "bash", "c"]


def planned(names: Sequence[str]) -> Tables:
    """For each game tables at which everybody plays, as large as the game has them, with new pairs first."""
    met = set[frozenset[str]]()
    return {game: list(_tables(game, names, met)) for game in games.names()}


def _tables(game: str, names: Sequence[str], met: set[frozenset[str]]) -> Iterator[tuple[str, ...]]:
    counts = games.load(game).seat_counts()
    waiting = [*names]
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < min(max(counts), len(names)):
            others = [name for name in names if name not in table]
            # Those that have met the fewest at this table, and of them whoever waits for this game.
            chosen = min(others, key=lambda name: (_known(name, table, met), name not in waiting))
            table.append(chosen)
            waiting = [name for name in waiting if name != chosen]
        met.update(map(frozenset, combinations(table, 2)))
        turn = len(met) % len(table)
        yield (*table[turn:], *table[:turn])


def _known(name: str, table: Sequence[str], met: set[frozenset[str]]) -> int:
    return sum(frozenset((name, other)) in met for other in table)


@pytest.mark.parametrize("number", range(2, 13))
def test_everybody_plays_every_game_and_meets_everybody(number: int) -> None:
    names = [f"bot-{index}" for index in range(number)]
    tables = planned(names)
    assert all({name for table in tables[game] for name in table} == {*names} for game in games.names())
    every = [table for game in games.names() for table in tables[game]]
    assert all(len(set(table)) == len(table) for table in every)
    met = {frozenset(pair) for table in every for pair in combinations(table, 2)}
    assert met == {frozenset(pair) for pair in combinations(names, 2)}
    assert number < 10 or len(every) <= 16


@pytest.fixture
def everybody(ready: Ready) -> dict[str, Bot]:
    """All bots that this machine can make; made before any event loop runs."""
    return {name: ready.bot(name) for name in ALL if not missing(name)}


@pytest.mark.parametrize("game", games.names())
async def test_bots_in_all_languages_play_at_one_table(
    game: str, everybody: dict[str, Bot], ready: Ready, jail: Sandbox
) -> None:
    rules = games.load(game)
    variants = [*rules.variants()]
    async with Referee(ready.home, jail) as referee:
        for number, table in enumerate(planned([*everybody])[game]):
            options = rules.plain_options(rules.variants()[variants[-number % len(variants)]])
            entrants = tuple(referee.seat(everybody[name], name=name) for name in table)
            result = await referee.play(MatchSpec(f"m{number}", game, options, entrants, number, PATIENT))
            assert [(table[fault.seat], fault.sentence, fault.evidence.log) for fault in result.faults] == []
            assert record.verify(result) == []
    if lacking := [problem for name in ALL if (problem := missing(name))]:
        pytest.skip(f"needs {', '.join(lacking)}: the others have played")
