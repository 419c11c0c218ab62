"""Every template decides from what it sees, and all decide alike: the same questions to each, over the real wire.

A template must also start and end as a bot should.
"""

import os
import subprocess
import sys
from collections import Counter

import pytest

from arena import games
from arena.bots import PYTHON, SEARCH_PATH, Bot
from arena.sandbox import Sandbox
from tests.languages.asking import ask
from tests.languages.positions import Position, positions
from tests.languages.ready import LANGUAGES, ROOT, Ready

pytestmark = pytest.mark.timeout(900)  # a compiler may have to make it first, or others wait for that

each_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture
def bot(language: str, ready: Ready) -> Bot:
    """The template of a language; made before any event loop runs."""
    return ready.bot(language)


def test_there_is_something_to_choose_in_every_game() -> None:
    assert len(positions()) >= 800
    real = Counter(one.case.name for one in positions() if not one.changed)
    assert {*real} == {*games.names()}
    assert min(real.values()) >= 90
    assert {(one.case.variant, one.case.seats) for one in positions() if one.case.name == "party-bugs"} == {
        (variant, seats) for variant in games.load("party-bugs").variants() for seats in range(2, 7)
    }
    # The same actions, another position, another choice.
    turned = Counter(one.case.name for one in positions() if one.changed and one.like != one.index)
    assert {*turned} == {*games.names()}
    assert min(turned.values()) >= 5


@each_language
async def test_it_chooses_as_the_python_template_does(bot: Bot, ready: Ready, jail: Sandbox) -> None:
    asked = await ask(bot, positions(), ready.home, jail)
    assert asked.code == 0, f"exit code {asked.code}: {asked.log}"
    wrong = [
        f"{position}: expected {position.index}, got {index}"
        for position, index in zip(positions(), asked.indexes, strict=True)
        if index != position.index
    ]
    assert wrong == []
    assert asked.messages == asked.frames, "expected one message with all answers to a frame"
    assert asked.log == ""


@each_language
async def test_its_choice_changes_with_what_it_sees(bot: Bot, ready: Ready, jail: Sandbox) -> None:
    """Each position twice in a row: as it was, and with the rest changed around the same actions."""
    turned = [one for one in positions() if one.changed and one.like != one.index]
    originals = {one.data: one for one in positions() if not one.changed}
    pairs = [(_original(one, [*originals.values()]), one) for one in turned]
    asked = await ask(bot, [one for pair in pairs for one in pair], ready.home, jail)
    for number, (before, after) in enumerate(pairs):
        first, second = asked.indexes[2 * number : 2 * number + 2]
        assert first != second, f"{before} and {after}: expected different choices of the same actions, got {first}"


def _original(changed: Position, real: list[Position]) -> Position:
    """The position whose actions a changed one has."""
    wanted = changed.case.codec.decode_legal(changed.data)
    return next(one for one in real if one.case == changed.case and one.case.codec.decode_legal(one.data) == wanted)


@each_language
def test_it_says_what_it_is_when_no_referee_started_it(bot: Bot) -> None:
    words = [sys.executable if bot.run[0] == PYTHON else bot.run[0], *bot.run[1:]]
    environment = {"PATH": SEARCH_PATH, "PYTHONPATH": str(ROOT), "HOME": os.devnull}
    ended = subprocess.run(
        words, cwd=bot.folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode > 0
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert ended.stdout == ""
