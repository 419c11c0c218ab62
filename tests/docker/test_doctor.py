"""The doctor's attacks, made for real in containers: what is promised at their level holds."""

import asyncio

import pytest

from arena.attack import suite, verdicts
from arena.attack.catalogue import ATTACKS
from arena.attack.model import Finding, Verdict
from arena.home import Home
from arena.sandbox import Sandbox
from arena.sandbox.container_engine import IMAGE_VARIABLE
from tests.docker.engines import asked, containers, opened


@pytest.fixture(scope="module", params=["docker", "podman"])
def engine(request: pytest.FixtureRequest) -> str:
    """A level of containers that works here."""
    return opened(request.param).level


@pytest.fixture(scope="module")
def findings(engine: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Finding]:
    """One run for all cases; nothing of it is left."""
    box: Sandbox = opened(engine)
    before = containers(engine)
    found = asyncio.run(suite.attack(Home(tmp_path_factory.mktemp("home")), box))
    assert containers(engine) == before
    return {one.attack: one for one in found}


@pytest.mark.timeout(300)
def test_what_a_container_promises_holds(engine: str, findings: dict[str, Finding]) -> None:
    promised = {one.name for one in ATTACKS if engine in one.held_by}
    assert len(promised) >= 80
    assert {name: one for name, one in findings.items() if name in promised and one.verdict is not Verdict.HELD} == {}
    assert {name for name, one in findings.items() if one.broken} == set()


def test_what_a_container_does_not_promise_is_told_as_that(findings: dict[str, Finding]) -> None:
    rows = {name: one for name, one in findings.items() if not one.promised}
    assert {*rows} == {"futex", "host-facts", "referee-killed"}
    assert rows["host-facts"].verdict is Verdict.OPEN
    assert not any(one.by for one in rows.values())


def test_an_answer_counts_for_one_image_alone(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = verdicts.key(engine)
    assert known["engine"].split()[0] == asked(engine, "version", "--format", "{{.Server.Version}}")
    monkeypatch.setenv(IMAGE_VARIABLE, "arena-of-another-name")
    assert verdicts.key(engine) != known
