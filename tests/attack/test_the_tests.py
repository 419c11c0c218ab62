"""Every probe can succeed: where nothing holds it, it reports open. A probe that never gets anywhere proves nothing."""

import asyncio
import os
from pathlib import Path

import pytest

from arena import sandbox
from arena.attack.catalogue import ATTACKS
from arena.attack.model import Attack, Finding, Verdict
from arena.attack.suite import Suite
from arena.home import Home
from arena.sandbox import Sandbox
from tests.attack.sieve import Sieve

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")

LEAKS = {"environment", "output-flood", "terminal", "deaf"}  # a plain process is safe from these: shown in the sieve
RESOURCE_CAPABILITY = 1 << 24
BY_LUCK = {"spinners"}  # on a machine that is busy with other things eight processes may get very little
TRIES = 5


def run(home: Home, level: Sandbox, attacks: list[Attack]) -> dict[str, Finding]:
    return {one.attack: one for one in asyncio.run(Suite(home, level).run(attacks))}


def impossible_here() -> dict[str, str]:
    """Attacks that this machine would not let root make either."""
    status = Path("/proc/self/status").read_text()
    mine = int(next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff:")), 16)
    reasons = {"x32": "a kernel without x32"}
    if not mine & RESOURCE_CAPABILITY:
        reasons["oom-score"] = "root without CAP_SYS_RESOURCE"
    return reasons


@pytest.fixture(scope="module")
def unheld(home: Home) -> dict[str, Finding]:
    wanted = [one for one in ATTACKS if one.name not in LEAKS | BY_LUCK]
    return run(home, sandbox.choose("none"), wanted)


@pytest.fixture(scope="module")
def leaked(home: Home) -> dict[str, Finding]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_TEST_SECRET", "of the referee")
        return run(home, Sieve(), [one for one in ATTACKS if one.name in LEAKS])


@pytest.mark.parametrize("name", [one.name for one in ATTACKS if one.name not in LEAKS | BY_LUCK])
def test_a_probe_that_nothing_holds_succeeds(name: str, unheld: dict[str, Finding]) -> None:
    if unheld[name].verdict is Verdict.HELD and name in impossible_here():
        pytest.skip(f"not on {impossible_here()[name]}")
    assert unheld[name].verdict is Verdict.OPEN, unheld[name].evidence
    assert not unheld[name].broken, "nothing is promised at level none"


@pytest.mark.parametrize("name", sorted(LEAKS))
def test_a_probe_in_a_sieve_succeeds(name: str, leaked: dict[str, Finding]) -> None:
    assert leaked[name].verdict is Verdict.OPEN, leaked[name].evidence


def test_busy_processes_take_more_than_their_share(home: Home) -> None:
    (spinners,) = (one for one in ATTACKS if one.name in BY_LUCK)
    verdicts = (run(home, sandbox.choose("none"), [spinners])["spinners"].verdict for _ in range(TRIES))
    assert any(verdict is Verdict.OPEN for verdict in verdicts)
