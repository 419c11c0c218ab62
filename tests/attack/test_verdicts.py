"""Answers are kept while nothing has changed, and a ladder lets nobody's bots into a sandbox that does not hold."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import sandbox
from arena.attack import intruders, suite, verdicts
from arena.attack.catalogue import ATTACKS, BUBBLEWRAP
from arena.attack.model import Finding, Verdict
from arena.attack.verdicts import Answer, Broken
from arena.home import Home
from arena.sandbox import Sandbox
from arena.sandbox.plain import Plain
from tests.cli.conftest import Arena, arena, here  # noqa: F401 - fixtures

HELD = Finding("heap", "takes too much heap", Verdict.HELD, promised=True, by="memory cgroup", evidence="killed")
OPEN = Finding("vsock", "makes vsock sockets", Verdict.OPEN, promised=True, by="seccomp", evidence="made")
UNTESTED = Finding("inodes", "empty files", Verdict.UNTESTED, promised=True, by="memory cgroup", evidence="no answer")
UNPROMISED = Finding("host-facts", "sees the load", Verdict.OPEN, promised=False, by="", evidence="seen")


@pytest.fixture
def empty(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def keep(home: Home, *findings: Finding, level: str = BUBBLEWRAP) -> Answer:
    answer = Answer(level, findings)
    verdicts._keep(home, answer)
    return answer


def test_an_answer_is_kept(empty: Home) -> None:
    assert verdicts.kept(empty, BUBBLEWRAP) is None
    answer = keep(empty, HELD, OPEN, UNPROMISED)
    assert verdicts.kept(empty, BUBBLEWRAP) == answer
    assert verdicts.kept(empty, "docker") is None


@pytest.mark.parametrize("part", [*verdicts.key(BUBBLEWRAP)])
def test_an_answer_counts_only_while_nothing_has_changed(
    part: str, empty: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(empty, HELD)
    other = {**verdicts.key(BUBBLEWRAP), part: "something else"}
    monkeypatch.setattr(verdicts, "key", lambda _: other)
    assert verdicts.kept(empty, BUBBLEWRAP) is None


def test_the_key_names_boot_and_code() -> None:
    key = verdicts.key(BUBBLEWRAP)
    assert key["boot"] == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert len(key["code"]) == 16
    assert key["bubblewrap"].startswith("bubblewrap ") or sandbox.why_not_bubblewrap()


def test_a_change_of_the_sandboxes_text_changes_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sandbox").mkdir()
    (tmp_path / "sandbox" / "jail.py").write_text("one")
    monkeypatch.setattr("arena.__file__", str(tmp_path / "__init__.py"))
    before = verdicts._code()
    (tmp_path / "sandbox" / "jail.py").write_text("two")
    assert verdicts._code() != before


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"key": 1, "findings": [{}]}'])
def test_a_spoilt_file_is_no_answer(text: str, empty: Home) -> None:
    keep(empty, HELD)
    (empty.path / "attacks" / f"{BUBBLEWRAP}.json").write_text(text)
    assert verdicts.kept(empty, BUBBLEWRAP) is None


def test_what_holds_is_let_pass() -> None:
    verdicts.check(Answer(BUBBLEWRAP, (HELD, UNPROMISED)))


@pytest.mark.parametrize("finding", [OPEN, UNTESTED])
def test_what_is_open_or_unknown_is_refused(finding: Finding) -> None:
    with pytest.raises(
        Broken, match=rf"got 1 open item: {finding.attack} \({finding.title}; {finding.by} should hold it\)"
    ):
        verdicts.check(Answer(BUBBLEWRAP, (HELD, finding)))


def test_many_open_items_are_named_in_part() -> None:
    broken = tuple(Finding(f"n{one}", "t", Verdict.OPEN, promised=True, by="b", evidence="") for one in range(9))
    with pytest.raises(Broken, match=r"got 9 open items: n0 .*n4 \(t; b should hold it\) and 4 more: `arena doctor"):
        verdicts.check(Answer(BUBBLEWRAP, broken))


def test_a_verdict_is_asked_for_once(empty: Home, best: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [one for one in ATTACKS if one.name in {"shadow", "flock"}]
    monkeypatch.setattr(suite, "ATTACKS", few)
    answer = asyncio.run(verdicts.verdict(empty, best))
    assert [one.attack for one in answer.findings] == ["shadow", "flock"]
    monkeypatch.setattr(suite, "ATTACKS", [])
    assert asyncio.run(verdicts.verdict(empty, best)) == answer


# The ladder


@pytest.fixture
def ladder(arena: Arena, empty: Home, best: Sandbox, tmp_path: Path) -> Callable[..., object]:  # noqa: F811
    foreign = intruders.bot(tmp_path, "honest").folder

    def run(*more: str, bots: str = f"{foreign},random") -> object:
        words = ("--game", "party-bugs", "--seats", "2", "--matches", "2", "--seed", "1", "--home", str(empty.path))
        return arena("ladder", *words, "--bots", bots, "--sandbox", best.level, "--json", *more)

    return run


def test_a_ladder_of_foreign_bots_refuses_an_open_sandbox(ladder: Arena, empty: Home, best: Sandbox) -> None:
    keep(empty, HELD, OPEN, level=best.level)
    ended = ladder()
    assert ended.code == 2
    assert ended.err == (
        f"arena: expected the sandbox {best.level} to hold what it promises before others' bots play in it, got 1 open "
        "item: vsock (makes vsock sockets; seccomp should hold it): `arena doctor --attack` tells more; mend it, "
        "choose another --sandbox, or say --unsafe if you trust these bots\n"
    )


def test_whoever_trusts_the_bots_may_play(ladder: Arena, empty: Home, best: Sandbox) -> None:
    keep(empty, OPEN, level=best.level)
    assert ladder("--unsafe").code == 0
    assert ladder(bots="random,greedy").code == 0


def test_a_ladder_of_foreign_bots_first_attacks_the_sandbox(ladder: Arena, empty: Home, best: Sandbox) -> None:
    assert ladder().code == 0
    answer = verdicts.kept(empty, best.level)
    assert answer is not None
    assert len(answer.findings) == len(ATTACKS)
    assert answer.broken == []


# A submission


def test_a_bot_is_not_let_into_an_open_sandbox(arena: Arena, empty: Home, best: Sandbox, tmp_path: Path) -> None:  # noqa: F811
    keep(empty, OPEN, level=best.level)
    ended = arena("submit", str(intruders.bot(tmp_path, "leave").folder), "--home", str(empty.path))
    assert ended.code == 2
    assert ended.err.startswith(f"arena: expected the sandbox {best.level} to hold what it promises before others")
    assert not (empty.path / "submissions").exists()


# The command


def test_doctor_shows_every_attack(here: Arena, empty: Home, best: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    few = [one for one in ATTACKS if one.name in {"shadow", "flock", "host-facts"}]
    monkeypatch.setattr(suite, "ATTACKS", few)
    ended = here("doctor", "--attack", "--home", str(empty.path))
    assert (ended.code, ended.err) == (0, "")
    assert "signals to another bot by flock on a" in ended.out
    assert f"level {best.level}: 3 attacks, 2 held, 1 open; 2 of 2 promises hold" in ended.out
    told = json.loads(here("doctor", "--attack", "--json", "--home", str(empty.path)).out)
    assert [one["verdict"] for one in told["findings"]] == ["held", "open", "held"]


def test_doctor_ends_with_1_where_a_promise_is_broken(
    here: Arena,  # noqa: F811
    empty: Home,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (shadow,) = (one for one in ATTACKS if one.name == "other-bot")
    promised = type(shadow)(shadow.name, shadow.title, shadow.way, {"none": "nothing at all"})
    monkeypatch.setattr(suite, "ATTACKS", [promised])
    ended = here("doctor", "--attack", "--sandbox", "none", "--home", str(empty.path))
    assert ended.code == 1
    assert "0 of 1 promises hold\nopen: other-bot" in ended.out


def test_a_machine_without_a_sandbox_is_told(here: Arena, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr("arena.cli.attack.sandboxes.choose", lambda _: Plain())
    ended = here("doctor", "--attack")
    assert ended.code == 2
    assert "expected a sandbox to attack, got none on this machine: install bubblewrap" in ended.err


def test_a_sandbox_alone_makes_no_sense(here: Arena) -> None:  # noqa: F811
    assert here("doctor", "--sandbox", "none").err == (
        "arena: expected --attack beside --sandbox, got --sandbox alone\n"
    )
