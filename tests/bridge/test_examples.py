"""The examples of agents/bridges: bots in bash, awk and C that play every game, and look at what they are told."""

import json
import shutil
import subprocess
import tomllib
from collections.abc import Sequence

import pytest

from arena import bots, games, record
from arena.bots import Bot
from arena.home import Home
from arena.match import MatchSpec, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import Sandbox
from arena.sdk.bridge import lines
from tests.bridge.conftest import ROOT
from tests.bridge.frames import messages

NAMES = ("awk", "bash", "c")
PATIENT = TimeControl(allowance_ms=10_000, bank_ms=60_000)  # the machine may be busy


def test_these_are_all_examples() -> None:
    assert tuple(sorted(path.parent.name for path in ROOT.glob("agents/bridges/*/bot.toml"))) == NAMES


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bot]:
    """The examples, built as their bot.toml says."""
    made = {}
    for name in NAMES:
        folder = tmp_path_factory.mktemp("examples") / name
        shutil.copytree(ROOT / "agents" / "bridges" / name, folder, ignore=shutil.ignore_patterns("bot"))
        build = tomllib.loads((folder / bots.MANIFEST).read_text()).get("build")
        if build:
            if shutil.which(build[0]) is None:
                pytest.skip(f"needs {build[0]}")
            warned = [*build, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-std=c11"]
            subprocess.run(warned, cwd=folder, check=True)
        made[name] = bots.read(folder)
    return made


@pytest.mark.parametrize("game", games.names())
async def test_all_examples_play_at_one_table(game: str, examples: dict[str, Bot], home: Home, jail: Sandbox) -> None:
    rules = games.load(game)
    async with Referee(home, jail) as referee:
        entrants = tuple(referee.seat(bot) for bot in examples.values())
        for number, variant in enumerate(("base", list(rules.variants())[-1])):
            options = rules.plain_options(rules.variants()[variant])
            result = await referee.play(MatchSpec(f"m{number}", game, options, entrants, number, PATIENT))
            assert [(fault.sentence, fault.evidence.log) for fault in result.faults] == []
            assert record.verify(result) == []


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("name", NAMES)
async def test_an_example_chooses_from_what_it_sees(name: str, game: str, examples: dict[str, Bot]) -> None:
    told = [lines.plain(message) for message in await messages(game)]
    answers = _answers(examples[name], told)
    counts = [len(actions) for actions in map(_actions, told) if actions]
    assert len(answers) == len(counts)
    assert all(index < count for index, count in zip(answers, counts, strict=True))
    assert any(answers), "it always takes the first"
    for actions in filter(None, map(_actions, told)):
        actions.append(actions.pop(0))
    assert _answers(examples[name], told) != answers, "it does not look at the actions"


def _actions(data: lines.Plain) -> list[object]:
    actions: list[object] = data.get("decision_requested", {}).get("observation", {}).get("legal_actions", [])
    return actions


def _answers(bot: Bot, told: Sequence[lines.Plain]) -> list[int]:
    """What a bot writes when it is told all this, without a bridge."""
    text = b"".join(map(lines.line, told))
    ended = subprocess.run(bot.run, cwd=bot.folder, input=text, capture_output=True, check=True, timeout=60)
    said = [json.loads(line) for line in ended.stdout.splitlines()]
    return [one["action_index"] if isinstance(one, dict) else one for one in said]
