"""What bots printed while they played a match, seat by seat."""

from collections.abc import Iterator

from rich.text import Text

from arena.cli import screen, story
from arena.match import MatchResult, Printed


def show(result: MatchResult, seat: int | None) -> None:
    """Tell a person, all of it or what one seat printed."""
    out = screen.out()
    for number in _seats(result, seat):
        printed = _of(result, number)
        if number and seat is None:
            out.print()
        silent = "" if printed else " printed nothing"
        out.print(Text(story.name(result, number), style="bold").append(silent, style="dim not bold"))
        for line in _lines(printed) if printed else ():
            out.print(line, soft_wrap=True)


def print_plain(result: MatchResult, seat: int | None) -> None:
    """The same for a script."""
    seats = [_plain(result, number) for number in _seats(result, seat)]
    screen.print_json({"match": result.spec.match_id, "seats": seats})


def _seats(result: MatchResult, seat: int | None) -> list[int]:
    return [*range(len(result.spec.entrants))] if seat is None else [seat]


def _of(result: MatchResult, seat: int) -> Printed | None:
    return result.logs[seat] if result.logs else None


def _lines(printed: Printed) -> Iterator[Text]:
    if printed.others:
        many = "match was" if printed.others == 1 else "matches were"
        yield Text(f"  {printed.others} other {many} under way in the same process: lines may be theirs", style="dim")
    if printed.left_out:
        yield Text(f"  … {printed.left_out:,} bytes before this were left out", style="dim")
    for line in printed.text.rstrip("\n").split("\n"):
        yield Text("  | ", style="cyan").append(screen.clean(line.expandtabs(4)), style="default")


def _plain(result: MatchResult, seat: int) -> dict[str, object]:
    printed = _of(result, seat) or Printed("")
    return {
        "seat": seat,
        "bot": result.spec.entrants[seat].bot,
        "text": printed.text,
        "left_out": printed.left_out,
        "other_matches": printed.others,
    }
