"""How matches went: a table for one, a summary for many, and the same as plain data."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from arena import games
from arena.cli import faults, screen, story
from arena.cli.playing import Order, Played
from arena.engine.options import brief
from arena.match import MatchResult

MOST_SHOWN = 5  # faults and voids under a summary; the records hold them all


@dataclass(frozen=True)
class Line:
    """One bot over all matches of an order."""

    bot: str
    level: str
    places: tuple[int, ...]
    scores: tuple[int, ...]
    micros: tuple[int, ...]  # of its own decisions
    faults: int

    @property
    def wins(self) -> int:
        """How often it came first."""
        return self.places.count(1)


def show(played: Played, *, moves: bool) -> None:
    """Tell a person how it went, and what to do next."""
    console = screen.out()
    for result in played.results if moves else ():
        story.tell(result)
        console.print()
    if len(played.results) == 1:
        console.print(_headline(played.order, f"seed {played.results[0].spec.seed}"))
        console.print()
        console.print(story.last_picture(played.results[0]))
        console.print()
        _show_match(played.results[0])
    elif played.results:
        console.print(_headline(played.order, f"{len(played.results)} matches"))
        console.print()
        _show_summary(played)
    for sentence in played.voids[:MOST_SHOWN]:
        console.print(Text(f"no result, this machine failed: {screen.clean(sentence)}", style="red"))
    if played.results:
        console.print()
        console.print(hints(played.results))


def print_plain(played: Played) -> None:
    """The same for a script."""
    pairs = zip(played.results, played.records, strict=True)
    lines = [
        {
            "bot": line.bot,
            "matches": len(line.places),
            "wins": line.wins,
            "average_place": statistics.fmean(line.places),
            "average_score": statistics.fmean(line.scores),
            "faults": line.faults,
            "micros_median": _median(line.micros),
            "micros_max": max(line.micros, default=None),
        }
        for line in _lines(played.results)
    ]
    matches = [_plain(result, path) for result, path in pairs]
    screen.print_json({"matches": matches, "summary": lines, "voids": list(played.voids)})


def _headline(order: Order, what: str) -> Text:
    game = games.load(order.game)
    variants = {name: game.plain_options(options) for name, options in game.variants().items()}
    given = ", ".join(f"{name}={brief(value)}" for name, value in order.options.items())
    variant = next((name for name, options in variants.items() if options == order.options), given)
    return Text(game.title, style="bold").append(f" · {variant} · {len(order.bots)} seats · {what}", style="not bold")


def _show_match(result: MatchResult) -> None:
    console = screen.out()
    numbers = ("place", "seat", "score", "median", "slowest")
    kinds = {fault.seat: fault.kind.value for fault in result.faults}
    titles = ("place", "seat", "bot", "score", "sandbox", "median", "slowest", *(["fault"] if kinds else []))
    shown = screen.table(*titles, numbers=numbers)
    for seat in sorted(range(len(result.places)), key=lambda seat: (result.places[seat], seat)):
        entrant, micros = result.spec.entrants[seat], _micros(result, seat)
        row = [str(result.places[seat]), str(seat + 1), screen.clean(entrant.bot), str(result.scores[seat])]
        row += [entrant.level, *_times(micros), *([kinds.get(seat, "")] if kinds else [])]
        shown.add_row(*row, style="red" if seat in kinds else "bold" if result.places[seat] == 1 else "")
    console.print(shown)
    for line in (
        *(Text(screen.clean(remark)) for remark in result.remarks),
        *(faults.explained(result, fault) for fault in result.faults),
    ):
        console.print()
        console.print(line)


def _show_summary(played: Played) -> None:
    console = screen.out()
    titles = ("bot", "wins", "avg place", "avg score", "sandbox", "median", "slowest", "faults")
    shown = screen.table(*titles, numbers=("wins", "avg place", "avg score", "median", "slowest", "faults"))
    for line in sorted(_lines(played.results), key=lambda line: statistics.fmean(line.places)):
        averages = [f"{statistics.fmean(numbers):.2f}" for numbers in (line.places, line.scores)]
        row = [line.bot, str(line.wins), *averages, line.level, *_times(line.micros), str(line.faults)]
        shown.add_row(*row, style="red" if line.faults else "")
    console.print(shown)
    found = [(result, fault) for result in played.results for fault in result.faults]
    for result, fault in found[:MOST_SHOWN]:
        console.print()
        console.print(Text(f"match {result.spec.match_id}: ").append_text(faults.explained(result, fault)))
    if len(found) > MOST_SHOWN:
        console.print(f"\n... and {len(found) - MOST_SHOWN} more faults")


def hints(results: Sequence[MatchResult]) -> Text:
    match_id = results[-1].spec.match_id
    hint = Text("Watch it: " if len(results) == 1 else "Watch the last one: ", style="dim")
    hint.append(screen.command(f"replay {match_id}"), style="not dim")
    return hint.append("\nCheck it: ").append(screen.command(f"verify {match_id}"), style="not dim")


def _lines(results: Sequence[MatchResult]) -> list[Line]:
    """A line for each bot, in the order of the first match's seats."""
    return [_line(entrant.bot, results) for entrant in results[0].spec.entrants] if results else []


def _line(bot: str, results: Sequence[MatchResult]) -> Line:
    seats = [[entrant.bot for entrant in result.spec.entrants].index(bot) for result in results]
    pairs = list(zip(results, seats, strict=True))
    return Line(
        bot=bot,
        level=results[0].spec.entrants[seats[0]].level,
        places=tuple(result.places[seat] for result, seat in pairs),
        scores=tuple(result.scores[seat] for result, seat in pairs),
        micros=tuple(micros for result, seat in pairs for micros in _micros(result, seat)),
        faults=sum(fault.seat == seat for result, seat in pairs for fault in result.faults),
    )


def _micros(result: MatchResult, seat: int) -> tuple[int, ...]:
    return tuple(one.micros for one in result.decisions if one.seat == seat and not one.substitute)


def _median(micros: Sequence[int]) -> float | None:
    return statistics.median(micros) if micros else None


def _times(micros: Sequence[int]) -> list[str]:
    return [screen.duration(statistics.median(micros)), screen.duration(max(micros))] if micros else ["-", "-"]


def _plain(result: MatchResult, path: Path) -> dict[str, object]:
    spec = result.spec
    return {
        "match": spec.match_id,
        "game": spec.game,
        "options": dict(spec.options),
        "seed": spec.seed,
        "allowance_ms": spec.time.allowance_ms,
        "bank_ms": spec.time.bank_ms,
        "record": str(path),
        "seats": [_plain_seat(result, seat) for seat in range(len(spec.entrants))],
        "remarks": list(result.remarks),
    }


def _plain_seat(result: MatchResult, seat: int) -> dict[str, object]:
    entrant, micros = result.spec.entrants[seat], _micros(result, seat)
    fault = next((fault for fault in result.faults if fault.seat == seat), None)
    return {
        "seat": seat,
        "bot": entrant.bot,
        "sha256": entrant.sha256,
        "sandbox": entrant.level,
        "place": result.places[seat],
        "score": result.scores[seat],
        "decisions": sum(one.seat == seat for one in result.decisions),
        "micros_median": _median(micros),
        "micros_max": max(micros, default=None),
        "clock": result.clocks[seat].value if result.clocks else None,
        "fault": fault and faults.plain(fault),
    }
