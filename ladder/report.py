"""The tables people read: a ladder's standings, one bot's page, lists of matches; for terminals, files and scripts."""

import csv
import io
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from ladder.model import PlayerId, Rating
from ladder.store import FaultRow, Ladder, MatchRow, RatingPoint, Standing, Tally, Versus

SURE = 2  # deviations on each side that are shown as a rating's uncertainty: 95 %
BARS = "▁▂▃▄▅▆▇█"
SPARKS = 40  # columns of a sparkline
NUMBERS = frozenset(
    (
        "#",
        "version",
        "v",
        "rating",
        "games",
        "wins",
        "avg place",
        "faults",
        "change",
        "ahead",
        "seat",
        "seats",
        "times",
        "places behind",
    )
)


@dataclass(frozen=True)
class Page:
    """Everything that is to be told of one bot on one ladder."""

    standing: Standing
    rank: int | None  # None: not rated
    of: int  # how many are rated
    versus: Sequence[Versus]
    by_seat: dict[int, Tally]
    by_seat_count: dict[int, Tally]
    faults: Sequence[FaultRow]
    micros: Sequence[int]
    history: Sequence[RatingPoint]
    movers: Sequence[RatingPoint]


def ranked(standings: Iterable[Standing]) -> list[Standing]:
    """The best first; those without a rating, as anchors are, come last."""
    return sorted(standings, key=lambda one: (one.rating is None, -one.rating.mu if one.rating else 0, one.player.id))


def title(ladder: Ladder, variant: str, settings: str) -> Text:
    """What is played, in a line; settings are those that are not the usual ones."""
    spec = ladder.spec
    seats = "tables of any size" if spec.seats is None else f"{spec.seats} seats"
    practice = " · practice" if ladder.practice else ""
    unusual = f" · {settings}" if settings else ""
    return Text(spec.game, style="bold").append(
        f" · {variant} · {seats} · sandbox {spec.level}{unusual}{practice}", style="not bold"
    )


def leaderboard(standings: Iterable[Standing], active: frozenset[PlayerId] | None = None) -> Table:
    """The table; who is not among the active ones, if these are known, is shown dimly."""
    shown = _table("#", "bot", "v", "rating", "games", "wins", "avg place", "faults", "change")
    for rank, one in enumerate(ranked(standings), 1):
        tally = one.tally
        here = active is None or one.player.id in active
        shown.add_row(
            str(rank) if one.rating else "",
            Text(_short(one.player.name)),
            str(one.player.version),
            _rating(one.rating),
            f"{tally.games:,}",
            f"{tally.wins:,}",
            f"{tally.average_place:.2f}",
            str(tally.faults) if tally.faults else "-",
            _change(one.change),
            style="" if here and one.rating else "dim",
        )
    return shown


def caption() -> Text:
    """How to read the table."""
    return Text("rating: TrueSkill mean ± two deviations; change: by the last match", style="dim")


def plain_standing(rank: int, one: Standing) -> dict[str, object]:
    """One line of the table as plain data."""
    rating = one.rating
    return {
        "rank": rank if rating else None,
        "bot": one.player.name,
        "version": one.player.version,
        "sha256": one.player.sha256,
        "anchor": one.player.anchor,
        "mu": rating.mu if rating else None,
        "sigma": rating.sigma if rating else None,
        "exposed": rating.exposed if rating else None,
        "games": one.tally.games,
        "wins": one.tally.wins,
        "average_place": one.tally.average_place,
        "faults": one.tally.faults,
        "change": one.change,
    }


def plain(standings: Iterable[Standing]) -> list[dict[str, object]]:
    """The table as plain data, the best first."""
    return [plain_standing(rank, one) for rank, one in enumerate(ranked(standings), 1)]


def as_csv(standings: Iterable[Standing]) -> str:
    """The table for spreadsheets."""
    rows = plain(standings)
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else ["rank"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_markdown(standings: Iterable[Standing]) -> str:
    """The table for a web page or an issue."""
    lines = ["| # | bot | v | rating | games | wins | avg place | faults |", "|--:|:--|--:|--:|--:|--:|--:|--:|"]
    for rank, one in enumerate(ranked(standings), 1):
        tally = one.tally
        cells = (
            *(str(rank) if one.rating else "", one.player.name, one.player.version, _rating(one.rating)),
            *(tally.games, tally.wins, f"{tally.average_place:.2f}", tally.faults),
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


# One bot


def page(one: Page, *, width: int) -> list[Table | Text]:
    """All about one bot, part by part."""
    parts: list[Table | Text] = [_headline(one), _spark_line(one, width), _times(one.micros)]
    parts.append(_tallies("opponent", one.versus, _versus_row))
    parts.append(_tally_table("seat", {seat + 1: tally for seat, tally in one.by_seat.items()}))
    if len(one.by_seat_count) > 1:
        parts.append(_tally_table("seats", one.by_seat_count))
    if one.movers:
        parts.append(_mover_table(one.movers))
    if one.faults:
        parts.append(_fault_table(one.faults))
    return parts


def plain_page(one: Page) -> dict[str, object]:
    """All about one bot as plain data."""
    return {
        **plain_standing(one.rank or 0, one.standing),
        "of": one.of,
        "decision_micros": _quantiles(one.micros),
        "opponents": [
            {"bot": each.opponent.name, "version": each.opponent.version, "games": each.games, "share": each.share}
            | {"ahead": each.ahead, "level": each.level, "place_difference": each.place_difference}
            for each in one.versus
        ],
        "by_seat": {str(seat): _plain_tally(tally) for seat, tally in one.by_seat.items()},
        "by_seat_count": {str(seats): _plain_tally(tally) for seats, tally in one.by_seat_count.items()},
        "faults": [
            {"match": each.match_id, "kind": each.fault.kind.value, "decision": each.fault.decision}
            | {"sentence": each.fault.sentence}
            for each in one.faults
        ],
        "history": [_plain_point(point) for point in one.history],
        "movers": [_plain_point(point) for point in one.movers],
    }


def sparkline(values: Sequence[float], width: int = SPARKS) -> str:
    """Values as a row of bars, averaged down to the width."""
    if not values:
        return ""
    count = min(width, len(values))
    edges = [len(values) * index // count for index in range(count + 1)]
    means = [statistics.fmean(values[start:end]) for start, end in pairwise(edges)]
    low, high = min(means), max(means)
    scale = (len(BARS) - 1) / (high - low) if high > low else 0
    return "".join(BARS[round((mean - low) * scale)] for mean in means)


def _headline(one: Page) -> Text:
    standing, tally = one.standing, one.standing.tally
    rank = f"place {one.rank} of {one.of}" if one.rank else "not rated"
    words = f" version {standing.player.version} · {rank} · rating {_rating(standing.rating)} · {tally.games:,} games"
    wins = f", {tally.wins:,} won, average place {tally.average_place:.2f}, {tally.faults} faults"
    return Text(standing.player.name, style="bold").append(words + wins, style="not bold")


def _spark_line(one: Page, width: int) -> Text:
    means = [point.after.mu for point in one.history]
    if not means:
        return Text("no rated match yet", style="dim")
    bars = sparkline(means, min(SPARKS, width - 30))
    return Text(f"rating {means[0]:.1f} {bars} {means[-1]:.1f}")


def _times(micros: Sequence[int]) -> Text:
    if not micros:
        return Text("no decision yet", style="dim")
    found = _quantiles(micros)
    parts = [f"{name} {_milliseconds(found[name])}" for name in ("p50", "p99", "max")]
    return Text(f"thinking time of {len(micros):,} decisions: {', '.join(parts)}")


def _quantiles(micros: Sequence[int]) -> dict[str, int]:
    ordered = sorted(micros)
    last = len(ordered) - 1
    if not ordered:
        return {}
    return {"p50": ordered[last // 2], "p99": ordered[last * 99 // 100], "max": ordered[last]}


def _milliseconds(micros: int) -> str:
    return f"{micros / 1e3:.1f} ms" if micros < 1e6 else f"{micros / 1e6:.2f} s"


def _versus_row(one: Versus) -> tuple[str, ...]:
    opponent = f"{_short(one.opponent.name)} v{one.opponent.version}"
    return opponent, f"{one.games:,}", f"{one.share:.0%}", f"{one.place_difference:+.2f}"


def _tallies(name: str, rows: Sequence[Versus], row: Callable[[Versus], tuple[str, ...]]) -> Table:
    shown = _table(name, "games", "ahead", "places behind")
    for one in rows:
        shown.add_row(*row(one))
    return shown


def _tally_table(name: str, tallies: dict[int, Tally]) -> Table:
    shown = _table(name, "games", "wins", "avg place", "faults")
    for key, tally in tallies.items():
        shown.add_row(str(key), f"{tally.games:,}", f"{tally.wins:,}", f"{tally.average_place:.2f}", str(tally.faults))
    return shown


def _mover_table(points: Sequence[RatingPoint]) -> Table:
    shown = _table("moved most by", "when", "rating", "change")
    for point in points:
        change = _change(point.after.mu - point.before.mu)
        shown.add_row(point.match_id, when(point.ended), _rating(point.after), change)
    return shown


def _fault_table(faults: Sequence[FaultRow], most: int = 10) -> Table:
    """Faults told once each, however often they came, with the newest match that shows them."""
    kinds: dict[str, list[FaultRow]] = {}
    for one in faults:
        kinds.setdefault(f"{one.fault.kind.value}: {clean(one.fault.sentence)}", []).append(one)
    shown = _table("times", "failed last in", "fault")
    for words, rows in [*kinds.items()][:most]:
        shown.add_row(f"{len(rows):,}", rows[0].match_id, Text(words))
    if len(kinds) > most:
        shown.caption = f"... and {len(kinds) - most} more"
    return shown


def _plain_tally(tally: Tally) -> dict[str, object]:
    return {
        "games": tally.games,
        "wins": tally.wins,
        "average_place": tally.average_place,
        "faults": tally.faults,
    }


def _plain_point(point: RatingPoint) -> dict[str, object]:
    return {
        "match": point.match_id,
        "ended": point.ended,
        "mu_before": point.before.mu,
        "sigma_before": point.before.sigma,
        "mu": point.after.mu,
        "sigma": point.after.sigma,
    }


# Matches


def match_table(rows: Sequence[MatchRow]) -> Table:
    """Matches, a line each: who came where, and what went wrong."""
    shown = _table("match", "when", "game", "result", "fault")
    for row in rows:
        order = sorted(row.seats, key=lambda seat: seat.place)
        result = " ".join(f"{seat.place}.{_short(seat.player.name, 14)}" for seat in order)
        faults = [f"{_short(seat.player.name, 14)}: {seat.fault.kind.value}" for seat in row.seats if seat.fault]
        shown.add_row(row.match_id, when(row.ended), row.ladder.spec.game, Text(result), Text(", ".join(faults)))
    return shown


def fault_sentences(row: MatchRow) -> list[Text]:
    """Why bots failed in a match, as far as the store knows."""
    return [
        Text(f"seat {number + 1}, {seat.player.name} ({seat.fault.kind.value}): {clean(seat.fault.sentence)}")
        for number, seat in enumerate(row.seats)
        if seat.fault
    ]


def plain_match(row: MatchRow) -> dict[str, Any]:
    """One match as plain data."""
    return {
        "match": row.match_id,
        "game": row.ladder.spec.game,
        "options": dict(row.ladder.spec.options),
        "block": row.block,
        "rotation": row.rotation,
        "ended": row.ended,
        "decisions": row.decisions,
        "attempts": row.attempts,
        "sandbox": row.level,
        "seats": [
            {"bot": seat.player.name, "version": seat.player.version, "place": seat.place, "score": seat.score}
            | {
                "fault": seat.fault
                and {
                    "kind": seat.fault.kind.value,
                    "decision": seat.fault.decision,
                    "sentence": seat.fault.sentence,
                }
            }
            for seat in row.seats
        ],
    }


# Small parts


def when(seconds: float) -> str:
    """A time for people, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%m-%d %H:%M")


def clean(text: str) -> str:
    """Text of unknown origin without what could move a cursor or change a colour."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _rating(rating: Rating | None) -> str:
    return f"{rating.mu:.2f} ±{SURE * rating.sigma:.2f}" if rating else "-"


def _change(change: float | None) -> str:
    return "-" if change is None else f"{change:+.2f}"


def _short(name: str, most: int = 20) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _table(*columns: str) -> Table:
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for column in columns:
        if column in NUMBERS:
            made.add_column(column, justify="right", no_wrap=True)  # where room is short, it is the names' that shrinks
        else:
            made.add_column(column, overflow="ellipsis")
    return made
