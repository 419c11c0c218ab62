"""One annotated match of every game, variant and seat count, compared with its file word for word.

A change of rules, luck, words or bytes shows here; `pytest tests/golden --regenerate-golden` accepts it.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from arena.engine.contract import State
from arena.engine.options import written
from tests.conformance.cases import Case, at_random, cases

FOLDER = Path(__file__).parent
WIDTH = 110
TIE = "\0"  # a space at which no line is broken
CASES = {f"{case.name}.{case.variant}.{case.seats}p.txt": case for case in cases()}


@pytest.fixture
def is_regenerating(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--regenerate-golden"))


@pytest.mark.parametrize("name", CASES)
def test_a_golden_match_is_unchanged(name: str, is_regenerating: bool) -> None:  # noqa: FBT001 - a fixture
    lines = list(told(CASES[name]))
    path = FOLDER / name
    if is_regenerating:
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert path.exists(), f"expected {path.name}; --regenerate-golden writes it"
    kept = path.read_text(encoding="utf-8").splitlines()
    first = next((at for at, (new, old) in enumerate(zip(lines, kept, strict=False)) if new != old), len(kept))
    shown = f"expected {kept[first : first + 3]}, got {lines[first : first + 3]}"
    assert lines == kept, f"{path.name}, line {first + 1}: {shown}; if that is right: --regenerate-golden"


def test_no_golden_match_is_surplus(is_regenerating: bool) -> None:  # noqa: FBT001 - a fixture
    surplus = [path for path in sorted(FOLDER.glob("*.txt")) if path.name not in CASES]
    if is_regenerating:
        for path in surplus:
            path.unlink()
    assert not [path.name for path in surplus if path.exists()], "expected a case for each file"


def told(case: Case) -> Iterator[str]:
    """A match in words: its head, its decisions with what followed, its end."""
    yield from head(case)
    state, rng, digest = case.start(), case.rng("golden"), sha256()
    seen = [0] * case.seats
    yield from happened(case, state, seen, digest)
    number = 0
    while state.to_act():
        actions = at_random(state, rng)
        number += 1
        yield f"{number}. " + "; ".join(f"seat {seat + 1}: {said(case, actions[seat])}" for seat in actions)
        state.apply(actions)
        yield from happened(case, state, seen, digest)
    yield from end(state)
    yield f"sha256 of all messages: {digest.hexdigest()}"


def head(case: Case) -> Iterator[str]:
    plain = case.game.plain_options(case.options)
    yield f"{case.game.title}: {case.variant}, {case.seats} seats, seed {case.seed}"
    yield "options: " + ", ".join(f"{name}={written(value)}" for name, value in plain.items())


def said(case: Case, code: int) -> str:
    return f"{case.game.action_text(code)} ({code})"


def happened(case: Case, state: State[Any], seen: list[int], digest: Any) -> Iterator[str]:
    """What the seats saw since the last time; all their messages go into the digest."""
    news = []
    for seat, since in enumerate(seen):
        digest.update(case.message(state, seat, since))
        news.append(state.events(seat, since))
        seen[seat] += len(news[-1])
    whole = "; ".join(words.replace(" ", TIE) for words in merged(case, news))
    lines = wrap(whole, WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    yield from (line.replace(TIE, " ") for line in lines)


def merged(case: Case, news: list[list[int]]) -> Iterator[str]:
    """Events in words, once each; what only some were told is said as those few heard it."""
    if len({len(events) for events in news}) > 1:
        for seat, events in enumerate(news):
            yield from (f"{case.game.event_text(code)} [to seat {seat + 1}]" for code in events)
        return
    for codes in zip(*news, strict=True):
        fewest = min(codes.count(code) for code in codes)
        for code in dict.fromkeys(code for code in codes if codes.count(code) == fewest):
            told_to = ", ".join(str(seat + 1) for seat, heard in enumerate(codes) if heard == code)
            yield case.game.event_text(code) + ("" if fewest == len(codes) else f" [to seat {told_to}]")


def end(state: State[Any]) -> Iterator[str]:
    outcome = state.outcome()
    yield "places: " + ", ".join(map(str, outcome.places))
    yield "scores: " + ", ".join(map(str, outcome.scores))
    yield from (f"remark: {remark}" for remark in outcome.remarks)
