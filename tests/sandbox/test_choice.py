"""Which sandbox is taken, and who may run in none."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from arena import bots, doctor, sandbox
from arena.bots import Bot
from arena.errors import UserError
from arena.sandbox import Sandbox, bubblewrap, cgroup, identity


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    (tmp_path / "bot.toml").write_text('name = "mine"\ngames = ["*"]\nrun = ["python", "bot.py"]\n')
    return bots.read(tmp_path)


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine whose system folders hold everything but bwrap."""
    for name in ("prlimit", "setpriv"):
        (tmp_path / name).symlink_to(shutil.which(name) or "missing")
    monkeypatch.setattr(bubblewrap, "SEARCH_PATH", str(tmp_path))


def test_bubblewrap_is_taken_where_it_works(full: Sandbox) -> None:
    assert sandbox.choose().level == sandbox.choose("bubblewrap").level == "bubblewrap"
    assert sandbox.why_not_bubblewrap() is None


def test_none_is_taken_where_there_is_no_bubblewrap(without_bubblewrap: None) -> None:
    assert sandbox.choose().level == "none"


def test_bubblewrap_that_was_asked_for_is_never_replaced(without_bubblewrap: None) -> None:
    with pytest.raises(UserError, match=r"got none: bwrap not found on .*: install"):
        sandbox.choose("bubblewrap")


def test_a_bubblewrap_that_fails_says_why(full: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "jailed", lambda *words, **more: ["bwrap", "--ro-bind", "/none", "/", "true"])
    assert "does not work here: bwrap: Can't find source path /none" in (sandbox.why_not_bubblewrap() or "")


def test_an_unknown_sandbox_gets_the_nearest_name() -> None:
    with pytest.raises(UserError, match=r"expected a sandbox, got 'bublewrap': did you mean 'bubblewrap'\?"):
        sandbox.choose("bublewrap")


def test_a_foreign_bot_needs_a_sandbox_or_the_word_unsafe(bot: Bot, plain: Sandbox) -> None:
    with pytest.raises(UserError, match=r"'mine', which did not come .* install bubblewrap, or say --unsafe"):
        sandbox.check_allowed(bot, plain, unsafe=False)
    sandbox.check_allowed(bot, plain, unsafe=True)
    sandbox.check_allowed(replace(bot, shipped=True), plain, unsafe=False)


def test_a_foreign_bot_may_run_in_a_jail(bot: Bot, jail: Sandbox) -> None:
    sandbox.check_allowed(bot, jail, unsafe=False)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_seat_folder_is_open_to_one_uid(jail: Sandbox) -> None:
    folders = [jail.seat_folder() for _ in range(2)]
    groups = {folder.stat().st_gid for folder in folders}
    assert len(groups) == 2
    assert groups <= {*identity.UIDS}
    for folder in folders:
        folder.rmdir()


def test_the_best_that_works_is_taken(lite: Sandbox) -> None:
    best = "bubblewrap-lite" if sandbox.why_not_bubblewrap() else "bubblewrap"
    assert sandbox.choose().level == best


def test_lite_is_taken_where_there_are_no_control_groups(lite: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> cgroup.Groups:
        raise cgroup.NoGroups("only root may")

    monkeypatch.setattr(cgroup, "find", none)
    assert sandbox.choose().level == "bubblewrap-lite"
    with pytest.raises(UserError, match="expected a working bubblewrap, got none: only root may; bubblewrap-lite does"):
        sandbox.choose("bubblewrap")
    assert sandbox.why_not_lite() is None
    finding = doctor._sandbox()
    assert (finding.verdict, finding.words.partition(":")[0]) == ("warn", "level bubblewrap-lite")
    assert finding.words.endswith("memory is only sampled and CPU unlimited: only root may")
    assert "as root, or" in finding.mend


def test_doctor_tells_of_control_groups_where_they_hold(full: Sandbox) -> None:
    finding = doctor._sandbox()
    assert (finding.verdict, finding.mend) == ("ok", "")
    assert finding.words.endswith("held by control groups")


def test_doctor_tells_what_runs_without_any_sandbox(without_bubblewrap: None) -> None:
    assert doctor._sandbox().words.startswith("level none, so only shipped bots run: bwrap not found on ")
