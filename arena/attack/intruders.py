"""Attacks on the referee over an agent's own socket, as bot folders."""

import shutil
from pathlib import Path
from typing import Final
from uuid import uuid4

from arena import bots
from arena.bots import Bot

PACKAGE: Final = "hostile"
WHEN: Final = 3  # the decision at which it begins
BULK: Final = 10_000  # files

# What each does, for people.
ATTACKS: Final = {
    "wrong-token": "greets with a guessed token",
    "stolen-token": "greets with another agent's token",
    "second-stream": "opens a second stream",
    "foreign-match": "answers in a match of others",
    "replay": "sends all its answers again",
    "heavy-frame": "sends a message of 100 MB",
    "bomb": "sends 900 MB packed into less than one",
    "tiny-messages": "sends a million empty messages",
    "small-messages": "greets with a million empty messages",
    "many-answers": "answers 20,000 times in one message",
    "noise": "sends random bytes as a message",
    "unknown-fields": "sends fields that nobody knows",
    "long-hello": "greets with a name of a megabyte",
    "half-open": "opens a stream and says nothing",
    "half-hello": "says half a greeting",
    "half-answer": "says half an answer",
    "trickle": "greets a byte at a time",
    "no-http": "speaks no HTTP",
    "never-reading": "reads nothing",
    "spin": "only keeps a core busy",
    "leave": "only ends, and is started again",
    "bulk": "brings 10,000 files, ends, and is started again",
    "visits": "opens 20 connections and closes them",
    "connections": "opens 200 connections",
    "garbage": "sends garbage over new connections",
    "broken-frames": "sends broken HTTP/2 frames",
    "pings": "floods with pings",
    "settings": "floods with settings",
    "windows": "floods with window updates",
    "priorities": "floods with priorities",
    "extensions": "floods with frames of no known type",
    "empty-data": "floods with empty data frames",
    "crumbs": "sends a megabyte a byte at a time",
    "resets": "opens calls and resets them",
    "unknown-methods": "calls methods that are not there",
    "bad-method": "calls a method whose name is no text",
    "big-headers": "sends huge headers",
}


def bot(folder: Path, how: str, *, when: int = WHEN, matches_at_once: int = 8) -> Bot:
    """A new bot in this folder that attacks in this way; its command ends with a mark of its own."""
    place = folder / f"{how}-{uuid4().hex[:8]}"
    shutil.copytree(Path(__file__).parent / PACKAGE, place / PACKAGE, ignore=shutil.ignore_patterns("*.pyc"))
    for number in range(BULK if how == "bulk" else 0):
        (place / f"{number}").touch()
    (place / bots.MANIFEST).write_text(
        f'name = "{how}"\nauthor = "arena"\ndescription = "attacks the referee"\ngames = ["*"]\n'
        f'run = ["python", "-m", "{PACKAGE}", "{how}", "{when}", "{uuid4()}"]\nmatches_at_once = {matches_at_once}\n',
        encoding="utf-8",
    )
    return bots.read(place)
