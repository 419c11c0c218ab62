"""A recorded match in words, for everybody or as one seat saw it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from arena import games, record
from arena.cli import screen
from arena.match import Decided, MatchResult
from arena.record import Moment

MOST_CHOICES = 12  # in words; `arena replay --json` has all of them


@dataclass(frozen=True)
class Scene:
    """A moment of a match, with what happened since the one before."""

    moment: Moment
    seats: tuple[int, ...]  # who watches: one seat, or all of them
    events: dict[int, list[int]]  # by watching seat: what it saw happen
    news: tuple[str, ...]  # in words, as far as all who watch saw it


def scenes(result: MatchResult, seat: int | None = None) -> Iterator[Scene]:
    """A match scene by scene, open or as one seat saw it."""
    seats = tuple(range(len(result.spec.entrants))) if seat is None else (seat,)
    event_text = games.load(result.spec.game).event_text
    seen = dict.fromkeys(seats, 0)
    for moment in record.replay(result):
        events = {watcher: moment.state.events(watcher, seen[watcher]) for watcher in seats}
        seen = {watcher: seen[watcher] + len(events[watcher]) for watcher in seats}
        news = tuple(event_text(code) for code in _common(list(events.values())))
        yield Scene(moment, seats, events, news)


def tell(result: MatchResult) -> None:
    """Print a whole match in words."""
    console = screen.out()
    for scene in scenes(result):
        if scene.news:
            console.print(Padding(news(scene), (0, 0, 0, 2)))
        if scene.moment.acting:
            told = [decision(result, scene.moment, seat) for seat in scene.moment.acting]
            console.print(Text("; ").join(told))


def picture(result: MatchResult, scene: Scene) -> RenderableType:
    """A scene as its game draws it."""
    names = [screen.clean(entrant.bot) for entrant in result.spec.entrants]
    seen = [scene.moment.state.observe(seat) for seat in scene.seats]
    drawn: RenderableType = games.view(result.spec.game).draw(seen, names)
    return drawn


def last_picture(result: MatchResult) -> RenderableType:
    """How a match stood at its end, open to everybody."""
    *_, last = scenes(result)
    return picture(result, last)


def news(scene: Scene) -> Text:
    """What happened since the last scene."""
    return Text("; ".join(scene.news), style="dim")


def decision(result: MatchResult, moment: Moment, seat: int) -> Text:
    """What a seat decided, and how long it took."""
    game, decided = games.load(result.spec.game), moment.decided[seat]
    line = Text(f"{name(result, seat)}: ", style="bold").append(game.action_text(decided.action), style="not bold")
    return line.append(f" ({_clock(decided)})", style="dim not bold")


def choices(result: MatchResult, moment: Moment, seat: int) -> Text:
    """What a seat could have done, as far as it is short enough to be read, and its bank."""
    legal, bank = moment.legal[seat], screen.duration(moment.banks[seat])
    texts = [games.load(result.spec.game).action_text(code) for code in legal[:MOST_CHOICES]]
    more = f" and {len(legal) - MOST_CHOICES} more" if len(legal) > MOST_CHOICES else ""
    return Text(f"  of {len(legal)}: {', '.join(texts)}{more}; bank {bank}", style="dim")


def name(result: MatchResult, seat: int) -> str:
    """A seat as people call it."""
    return f"seat {seat + 1} {screen.clean(result.spec.entrants[seat].bot)}"


def _clock(decided: Decided) -> str:
    return "the substitute" if decided.substitute else screen.duration(decided.micros)


def _common(logs: Sequence[list[int]]) -> list[int]:
    """The events that all logs hold, in the order of the first: what differs was somebody's secret."""
    shared = Counter(logs[0])
    for log in logs[1:]:
        shared &= Counter(log)
    told = []
    for code in logs[0]:
        if shared[code]:
            shared[code] -= 1
            told.append(code)
    return told
