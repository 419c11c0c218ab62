"""Whole-match secrecy: worlds that differ only in what a seat may not see give it the same bytes throughout."""

from tests.conformance.cases import Case, each_case
from tests.conformance.worlds import watch_all


@each_case()
def test_a_seat_learns_no_secret(case: Case) -> None:
    watches = watch_all(case)
    for watch in watches:
        assert watch.opened, f"{watch}: expected other worlds to compare with, got none"
        assert watch.followed, f"{watch}: expected to follow other worlds through the match, got none"
