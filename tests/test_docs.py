"""What the README shows is what happens: every block of it runs, and every file that the documents name is there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena import build

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()]
SLOW = {
    "bench order": ["--repetitions", "2", "--seats", "2"],
    "bench ladder": ["--matches", "6"],
    "bench store": ["--matches", "200"],
    "bench engine": ["--seconds", "0.05"],
    "bench referee": ["--seconds", "0.2"],
    "bench strength": ["--matches", "6"],
    "bench clocks": ["--decisions", "40"],
    "bench bots": ["--bots", "random", "--matches", "1"],
    "bench attack": ["--seconds", "0.05", "--attacks", "spin,pings", "--sandbox", "none"],
    "check ./my-bot": ["--unsafe"],
    "submit ./my-bot": ["--skip-check", "--unsafe"],
}


def quickened(words: list[str]) -> list[str]:
    """The same command, with less of what only takes time."""
    if words[0] == "ladder":
        asked = words[: words.index("--minutes")] if "--minutes" in words else words
        return [*asked, "--matches", "4", "--unsafe"]
    key = " ".join(words[:2])
    return [*words, *SLOW.get(key, [])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place with the README's own bot in it."""
    folder = tmp_path_factory.mktemp("readme")
    bot = folder / "first-bot"
    bot.mkdir()
    for language, name in (("python", "bot.py"), ("toml", "bot.toml")):
        (text,) = (text for kind, text in BLOCKS if kind == language)
        (bot / name).write_text(text)
    return folder


@pytest.mark.timeout(600)  # some forty commands, each a process of its own
def test_every_command_of_the_readme_works_in_order(folder: Path) -> None:
    environment = {**os.environ, "ARENA_HOME": str(folder / "home"), "COLUMNS": "80", "PYTHONPATH": str(ROOT)}
    for command in COMMANDS:
        python, script, *words = command.split()
        assert (python, script) == ("python3", "run.py"), command
        if words == ["test"]:  # this very test is part of it
            continue
        ran = subprocess.run(
            [sys.executable, "-m", "arena", *quickened(words)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=110,
        )
        assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
        assert "Traceback" not in ran.stderr
    assert build.stale() == []


DOCUMENTS = [
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
    *("docker/README.md", "docs/stdio.md", "docs/worlds.md", "agents/templates/README.md", "agents/bridges/README.md"),
]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_files_exist(document: str) -> None:
    text, folder = (ROOT / document).read_text(), (ROOT / document).parent
    named = {folder / name for name in re.findall(r"\]\((?!https?:)([^)#]+)\)", text)}
    named |= {ROOT / name for name in re.findall(r"`((?:arena|agents|proto|tests|docs|ladder)/[\w/.-]+)`", text)}
    assert [str(path) for path in sorted(named) if not path.exists()] == []


def test_the_readme_shows_both_commands() -> None:
    assert "python3 run.py test" in COMMANDS
    assert COMMANDS[0] == "python3 run.py ladder --game party-bugs"
