"""docs/stdio.md is what happens: every line and sentence that it shows comes from a real match or a tested case.

A change of a game, the wire or a sentence shows here; `pytest tests/bridge --regenerate-golden` accepts it.
"""

import json
import re

import pytest

from arena import games
from arena.sdk.bridge import lines
from tests.bridge.conftest import ROOT
from tests.bridge.frames import messages
from tests.bridge.test_bridge import CASES

DOCUMENT = ROOT / "docs" / "stdio.md"
SHOWN = re.compile(r"<!-- shown: (\w+) -->\n(.*?)<!-- end -->\n", re.DOTALL)
WHICH = 1  # the second decision: the first has little to tell


async def test_what_the_document_shows_is_true(pytestconfig: pytest.Config) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    truth = {
        "bash": _block("bash", (ROOT / "agents/bridges/bash/bot.sh").read_text(encoding="utf-8")),
        "match_started": _block("json", (await _lines("party-bugs", "match_started"))[0]),
        "decision_requested": "\n".join([await _decision(game) for game in games.names()]),
        "match_ended": _block("json", (await _lines("party-bugs", "match_ended"))[0]),
        "troubles": _table(),
    }
    assert [name for name, _ in SHOWN.findall(text)] == list(truth)
    renewed = SHOWN.sub(lambda part: f"<!-- shown: {part[1]} -->\n{truth[part[1]]}<!-- end -->\n", text)
    if pytestconfig.getoption("--regenerate-golden"):
        DOCUMENT.write_text(renewed, encoding="utf-8")
    assert renewed == text or pytestconfig.getoption("--regenerate-golden"), "if that is right: --regenerate-golden"


async def test_the_example_of_an_answer_fits_the_example_of_a_question() -> None:
    answers = re.findall(r'^(\{"match_id".*\}|\d)$', DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(answers) == 2
    read = [lines.answer(answer.encode()) for answer in answers]
    asked = json.loads((await _lines("ladybugs", "decision_requested"))[WHICH])["decision_requested"]
    assert read[1].match_id == asked["match_id"]
    assert read[1].decision == asked["decision"]
    assert read[0].action_index == read[1].action_index < len(asked["observation"]["legal_actions"])


async def _lines(game: str, kind: str) -> list[str]:
    told = [message for message in await messages(game) if message.HasField(kind)]
    return [lines.line(lines.plain(message)).decode() for message in told]


async def _decision(game: str) -> str:
    shown = (await _lines(game, "decision_requested"))[WHICH]
    return f"{games.load(game).title}:\n\n{_block('json', shown)}"


def _block(language: str, text: str) -> str:
    return f"\n```{language}\n{text}```\n\n"


def _table() -> str:
    rows = [f"| {case.deed} | `{case.says}` |\n" for case in CASES]
    return "".join(["\n| what the bot did | what the bridge says |\n", "|---|---|\n", *rows, "\n"])
