"""The search of the Go template, by imagined worlds: it plays every game, and takes what is clearly best.

That it beats greedy is a matter of `arena bench strength --game party-bugs --bots ./searching,greedy --matches 400`.
"""

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from google.protobuf.any_pb2 import Any as Packed

from arena import bots, games
from arena.bots import Bot
from arena.match import MatchSpec, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import Sandbox
from arena.sdk.worlds.imagination import Imagination
from arena.submission import templates
from arena.wire.v1 import world_service_pb2 as wire
from tests.conformance.cases import Case, cases
from tests.languages.asking import ask
from tests.languages.positions import Position, choice
from tests.languages.ready import Ready

pytestmark = pytest.mark.timeout(900)  # a compiler may have to make it first

PATIENT = TimeControl(allowance_ms=20_000, bank_ms=120_000)
ENOUGH = 8  # clear positions
MOST_OF_A_MATCH = 2
WORLDS, PLAYOUTS = 50, 4  # for each action of a position
CLEARLY = 0.35  # of a place: three times what luck makes of so many


@pytest.fixture
def searching(ready: Ready, tmp_path: Path) -> Bot:
    """The Go template, started as its README says for a search."""
    folder = tmp_path / "searching"
    shutil.copytree(ready.bot("go").folder, folder)
    manifest = folder / "bot.toml"
    text = templates.changed(manifest.read_text(), {"name": "searching", "run": ["./bot", "-search"]})
    manifest.write_text(f"worlds = true\n{text}")
    return bots.read(folder)


@pytest.mark.parametrize("game", games.names())
async def test_it_plays_every_game(game: str, searching: Bot, ready: Ready, jail: Sandbox) -> None:
    rules = games.load(game)
    seats, options = min(rules.seat_counts()), rules.plain_options(rules.options({}))
    async with Referee(ready.home, jail) as referee:
        others = [referee.seat(bots.shipped()["greedy"], number) for number in range(seats - 1)]
        entrants = (referee.seat(searching), *others)
        result = await referee.play(MatchSpec("m1", game, options, entrants, 5, PATIENT))
    assert [(fault.sentence, fault.evidence.log) for fault in result.faults] == []


async def test_it_takes_what_is_clearly_best(searching: Bot, ready: Ready, jail: Sandbox) -> None:
    found = clear_positions()
    assert len(found) == ENOUGH
    assert {position.index for position in found} != {0}
    asked = await ask(searching, found, ready.home, jail)
    assert asked.code == 0, asked.log
    assert asked.indexes == [position.index for position in found]


def clear_positions() -> list[Position]:
    """Decisions of Party Bugs in which an action that the strategy does not take is far better than all others.

    Better on average, if all is luck from there on: that is what a flat search can see.
    """
    matches = [case for case in cases(seeds=8) if (case.name, case.variant) == ("party-bugs", "base")]
    return list(islice((position for case in matches for position in islice(_clear(case), MOST_OF_A_MATCH)), ENOUGH))


def _clear(case: Case) -> Iterator[Position]:
    for moment in case.walk("clear"):
        for seat in moment.state.to_act()[:1]:
            data = case.message(moment.state, seat)
            places = _places(case, data, seat, len(moment.state.legal_actions(seat)))
            best, *others = sorted(places)
            if others and others[0] - best > CLEARLY and places.index(best) != choice(case, data):
                yield Position(case, seat, data, places.index(best))


def _places(case: Case, data: bytes, seat: int, actions: int) -> list[float]:
    """The average place after each action."""
    imagination, seen = Imagination(), Packed(type_url=case.codec.observation_type, value=data)
    worlds = imagination.sample(wire.SampleRequest(observation=seen, worlds=WORLDS, seed=1)).worlds
    handles = [world.handle for world in worlds]

    def place(index: int) -> float:
        first = [wire.SeatAction(seat=seat, action_index=index)]
        asked = wire.PlayoutRequest(handles=handles, actions=first, playouts=PLAYOUTS, seed=1)
        return imagination.playout(asked).places[seat]

    return list(map(place, range(actions)))
