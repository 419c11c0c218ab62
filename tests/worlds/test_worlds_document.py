"""docs/worlds.md is what happens: its bot plays, and every request, answer and sentence that it shows is a real one.

A change of a game, the wire or a sentence shows here; `pytest tests/worlds --regenerate-golden` accepts it.
"""

import re
from pathlib import Path

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from arena import bots, games
from arena.home import Home
from arena.match import MatchSpec, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import Sandbox
from arena.sdk.worlds.imagination import Imagination
from arena.wire.v1 import world_service_pb2 as wire
from tests.worlds.questions import named
from tests.worlds.test_process import home, jail
from tests.worlds.test_server import MISUSES, observation

__all__ = ["home", "jail"]  # fixtures
DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "worlds.md"
SHOWN = re.compile(r"<!-- shown: (\w+) -->\n(.*?)<!-- end -->\n", re.DOTALL)
PATIENT = TimeControl(allowance_ms=20_000, bank_ms=60_000)
LONGEST = 120  # characters of a sentence that is shown


def test_what_the_document_shows_is_true(pytestconfig: pytest.Config) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    imagination = Imagination()
    sample = wire.SampleRequest(observation=observation(), worlds=2, seed=7)
    drawn = imagination.sample(sample)
    step = wire.Step(handle=drawn.worlds[0].handle, actions=named({0: 2}), copy=True, seed=7)
    steps = wire.StepRequest(steps=[step], details=wire.Details(observations=True))
    handles = [world.handle for world in drawn.worlds]
    ends = wire.PlayoutRequest(handles=handles, actions=named({0: 2}), playouts=50, seed=7)
    truth = {
        "Sample": _pair(sample, drawn),
        "Step": _pair(steps, imagination.step(steps)),
        "Playout": _pair(ends, imagination.playout(ends)),
        "troubles": _troubles(),
    }
    assert [name for name, _ in SHOWN.findall(text)] == list(truth)
    renewed = SHOWN.sub(lambda part: f"<!-- shown: {part[1]} -->\n{truth[part[1]]}<!-- end -->\n", text)
    if pytestconfig.getoption("--regenerate-golden"):
        DOCUMENT.write_text(renewed, encoding="utf-8")
    assert renewed == text or pytestconfig.getoption("--regenerate-golden"), "if that is right: --regenerate-golden"


def _pair(request: Message, response: Message) -> str:
    return f"\n```json\n{_json(request)}\n```\n\n```json\n{_json(response)}\n```\n\n"


def _json(message: Message) -> str:
    return json_format.MessageToJson(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True, indent=None
    )


def _troubles() -> str:
    rows = [f"| `{misuse.method}` | `{misuse.sentence}` |\n" for misuse in MISUSES if len(misuse.sentence) <= LONGEST]
    return "".join(["\n| call | what the error says |\n", "|---|---|\n", *dict.fromkeys(rows), "\n"])


@pytest.mark.parametrize("game", games.names())
async def test_the_documents_bot_plays(game: str, home: Home, jail: Sandbox, tmp_path: Path) -> None:
    blocks = dict(re.findall(r"^```(python|toml)\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL))
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text(blocks["python"].replace("WORLDS, PLAYOUTS = 20, 5", "WORLDS, PLAYOUTS = 4, 1"))
    (folder / "bot.toml").write_text(blocks["toml"])
    rules = games.load(game)
    seats, options = min(rules.seat_counts()), rules.plain_options(rules.options({}))
    async with Referee(home, jail) as referee:
        mine, random = referee.seat(bots.read(folder)), bots.shipped()["random"]
        others = [referee.seat(random, number) for number in range(seats - 1)]
        result = await referee.play(MatchSpec("m1", game, options, (mine, *others), 5, PATIENT))
    assert [(fault.sentence, fault.evidence.log) for fault in result.faults] == []
