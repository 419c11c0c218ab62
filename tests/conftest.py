"""What holds for every test: the compiled build is not a stale one, and CI skips nothing that it must run."""

import os
from collections.abc import Generator

import pytest

from arena import build


def pytest_configure() -> None:
    if edited := build.stale():
        raise pytest.UsageError(
            f"the compiled build is not of these sources: {', '.join(edited)}. "
            "`python3 run.py test` compiles them first."
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """On CI, a skip that says "needs ..." is a failure: everything that a test can need is there."""
    if os.environ.get("CI") != "true" or not report.skipped or not isinstance(report.longrepr, tuple):
        return
    reason = report.longrepr[2].removeprefix("Skipped: ")
    if reason.startswith("needs "):
        report.outcome = "failed"
        report.longrepr = f"CI must run this, but it was skipped: {reason}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate-golden", action="store_true", help="write tests/golden/ anew instead of comparing")
