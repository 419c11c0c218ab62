"""Every promise of this machine's best sandbox, attacked for real; and the suite itself leaves nothing behind."""

import asyncio
import os
import tempfile
from pathlib import Path

import pytest

from arena import sandbox
from arena.attack import suite
from arena.attack.catalogue import ATTACKS, BUBBLEWRAP, LITE
from arena.attack.model import Finding, Verdict
from arena.home import Home
from arena.sandbox import Sandbox

LEVELS = [name for name in sandbox.levels() if name != "none"]


def found_at(home: Home, level: Sandbox, said: list[str]) -> dict[str, Finding]:
    findings = asyncio.run(suite.attack(home, level, lambda one: said.append(one.attack)))
    return {one.attack: one for one in findings}


@pytest.fixture(scope="module")
def findings(home: Home, best: Sandbox) -> dict[str, Finding]:
    """One run for all cases."""
    before = traces()
    said: list[str] = []
    found = found_at(home, best, said)
    assert traces() == before, "expected the suite to leave nothing behind"
    assert {*said} == {*found}
    return found


def traces() -> set[str]:
    """Files and processes of the suite; others use the same machine, so only its own names count."""
    folders = (Path(tempfile.gettempdir()), Path("/dev/shm"), Path("/var/tmp"))
    files = [path for folder in folders if folder.is_dir() for path in folder.glob("arena-bait-*")]
    return {str(path) for path in [*files, *(path for folder in folders for path in folder.glob("arena-attack-*"))]}


@pytest.mark.parametrize("name", [one.name for one in ATTACKS])
def test_a_promised_attack_is_held(name: str, findings: dict[str, Finding]) -> None:
    finding = findings[name]
    if finding.promised:
        assert finding.verdict is Verdict.HELD, finding.evidence
        assert finding.by


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
@pytest.mark.parametrize("level", [name for name in LEVELS if name == LITE])
def test_without_control_groups_what_is_promised_holds_too(level: str, home: Home) -> None:
    if problem := sandbox.why_not_lite():
        pytest.skip(f"needs bubblewrap: {problem}")
    found = found_at(home, sandbox.choose(level), [])
    assert [(one.attack, one.evidence) for one in found.values() if one.broken] == []


def test_there_are_enough_attacks_and_each_has_one_name() -> None:
    names = [one.name for one in ATTACKS]
    assert len(names) == len({*names}) >= 80
    assert sum(BUBBLEWRAP in one.held_by for one in ATTACKS) >= 80
    assert all(one.title and all(one.held_by.values()) for one in ATTACKS)


def test_nothing_is_promised_without_a_sandbox() -> None:
    assert not any("none" in one.held_by for one in ATTACKS)
