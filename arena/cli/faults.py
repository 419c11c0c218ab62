"""A fault as its author reads it: what happened, how the process ended, what it used, what it said last."""

from collections.abc import Iterable, Iterator
from typing import Any

from rich.text import Text

from arena import record
from arena.cli import screen
from arena.home import Home
from arena.limits import Limits, Usage
from arena.match import Fault, FaultKind, MatchResult
from ladder import report
from ladder.store import MatchRow

MEGABYTE = 1 << 20


def explained(result: MatchResult, fault: Fault) -> Text:
    """The whole story, a few lines."""
    text = Text(screen.clean(sentence(result, fault)))
    for line in _details(fault):
        text.append(f"\n  {screen.clean(line)}", style="dim")
    return text


def sentence(result: MatchResult, fault: Fault) -> str:
    """Who failed, when and why."""
    name = result.spec.entrants[fault.seat].bot
    when = "before its first decision" if fault.decision is None else f"at decision {fault.decision}"
    return f"seat {fault.seat + 1}, {name}, failed {when} ({fault.kind.value}): {fault.sentence}"


def plain(fault: Fault) -> dict[str, object]:
    """The same for a script."""
    evidence = fault.evidence
    return {
        "kind": fault.kind.value,
        "decision": fault.decision,
        "sentence": fault.sentence,
        "ended": evidence.ended,
        "limits": evidence.limits.plain() if evidence.limits else None,
        "peak_memory": evidence.usage.peak_memory,
        "cpu_micros": evidence.usage.cpu_micros,
        "processes": evidence.usage.processes,
        "log": list(evidence.log),
    }


# Of matches on a ladder: the store knows the sentences, and the records all the rest


def of_rows(home: Home, rows: Iterable[MatchRow]) -> Iterator[Text]:
    """Why bots failed in these matches, a paragraph each."""
    for row in rows:
        result = _recorded(home, row.match_id)
        stories = [explained(result, fault) for fault in result.faults] if result else report.fault_sentences(row)
        yield from (Text(f"\n{row.match_id}, ").append_text(story) for story in stories)


def with_evidence(home: Home, match: dict[str, Any]) -> dict[str, Any]:
    """A match as plain data, with all that its record tells of its faults."""
    faulty = any(seat["fault"] for seat in match["seats"])
    result = _recorded(home, match["match"]) if faulty else None
    for fault in result.faults if result else ():
        match["seats"][fault.seat]["fault"] = plain(fault)
    return match


def _recorded(home: Home, match_id: str) -> MatchResult | None:
    try:
        return record.read(record.path_of(home, match_id))
    except record.RecordError:
        return None  # it may have been taken away to save space


def _details(fault: Fault) -> Iterator[str]:
    evidence = fault.evidence
    if evidence.ended:
        yield f"process: {evidence.ended}"
    elif fault.kind is FaultKind.ILLEGAL:
        yield "process: it runs on; an illegal action costs the match alone"
    if used := ", ".join(_used(evidence.usage)):
        yield f"used: {used}"
    if evidence.limits:
        yield f"limits: {', '.join(_allowed(evidence.limits))}"
    if evidence.log:
        yield "its last lines:"
        yield from (f"  | {line}" for line in evidence.log)


def _allowed(limits: Limits) -> Iterator[str]:
    yield f"{limits.memory_mb} MB of memory"
    yield f"{limits.cpu_percent} % of a core"
    yield f"{limits.processes} processes and threads"
    yield f"{limits.disk_mb} MB in /tmp"
    yield f"{limits.output_kb} kB of log at full speed"


def _used(usage: Usage) -> Iterator[str]:
    if usage.peak_memory is not None:
        yield f"{usage.peak_memory / MEGABYTE:.0f} MB of memory"
    if usage.cpu_micros is not None:
        yield f"{usage.cpu_micros / 1e6:.1f} s of CPU time"
    if usage.processes is not None:
        yield f"{usage.processes} processes and threads"
