"""The dialogue with a person who plays: the table as the seat sees it, the actions by number, a hint, a way out."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from arena import games
from arena.cli import screen
from arena.cli.adviser import Advice, Adviser
from arena.cli.person import Question
from arena.cli.typed import Typed
from arena.match import MatchSpec

HINT = ("?", "h", "hint")
QUIT = ("q", "quit", "exit")
PROMPT = 2  # lines of a screen for it, and for what is said of actions that are not shown
ROOMY = 9  # lines beside picture and prompt that leave room for empty ones
ENDLESS = 1 << 20  # lines of what is no screen
GAP = 2  # columns between two actions


class Left(Exception):
    """The person has left the table."""


class EndOfInput(Left):
    """There is nobody who could answer."""


class Dialogue:
    """Asks one person, all through a match."""

    def __init__(self, console: Console, typed: Typed, spec: MatchSpec, adviser: Adviser) -> None:
        self._console = console
        self._typed = typed
        self._game = games.load(spec.game)
        self._view = games.view(spec.game)
        self._names = [screen.clean(entrant.bot) for entrant in spec.entrants]
        self._adviser = adviser

    async def choose(self, question: Question) -> int:
        """The index of the action that the person takes; Left if they leave."""
        texts = [self._game.action_text(code) for code in question.legal]
        self._show(question, texts)
        while True:
            self._console.print(self._prompt(len(texts)), end="")
            word = await self._word()
            if word in QUIT:
                raise Left
            if word in HINT:
                await self._hint(question, texts)
            elif (index := self._meant(word, texts)) is not None:
                self._confirm(texts[index])
                return index

    # What is shown

    def _show(self, question: Question, texts: Sequence[str]) -> None:
        """The news, the table and the actions; on a screen so much of each that all of them fit."""
        console = self._console
        if console.is_terminal:
            console.clear()
            self._typed.forget()
        picture = self._view.draw([question.observation], self._names)
        room = console.height - len(console.render_lines(picture)) - PROMPT if console.is_terminal else ENDLESS
        gap = [] if room < ROOMY else [Text()]
        news = self._news(question.events, max(2, room // 4))
        parts = [*news, *(gap if news else []), picture, *gap]
        for part in parts:
            console.print(part)
        self._list(list(enumerate(texts)), max(1, room - len(parts) - len(gap) + 1))
        for part in gap:
            console.print(part)

    def _news(self, events: Sequence[int], most: int) -> list[Text]:
        """What happened since the last decision, the last of it if it is much."""
        texts = [self._game.event_text(code) for code in events]
        for first in range(len(texts)):
            begin = "… " if first else ""
            told = Text(begin + "; ".join(texts[first:]), style="dim")
            lines = list(told.wrap(self._console, self._console.width - 1))
            if len(lines) <= most:
                return lines
        return []

    def _list(self, actions: Sequence[tuple[int, str]], lines: int) -> None:
        """Actions with their numbers in columns, downwards, as many as there are lines for."""
        items = [_item(index, text) for index, text in actions]
        rows = _rows(items, self._console.width)
        shown = items if rows <= lines else _fitting(items, lines, self._console.width)
        for line in _columns(shown, _rows(shown, self._console.width)):
            self._console.print(line)
        if len(shown) < len(items):
            more = f" … and {len(items) - len(shown)} more: type some of their words to see only those"
            self._console.print(Text(more, style="dim"))

    def _prompt(self, count: int) -> Text:
        numbers = "Enter" if count == 1 else f"1-{count}"
        return Text(f"{numbers}, ? for a hint, q to leave: ", style="bold")

    def _confirm(self, text: str) -> None:
        """Something to look at while the others think."""
        if self._console.is_terminal:
            self._console.print(Text(f"{text} …", style="dim"))

    # What is typed

    async def _word(self) -> str:
        line = await self._typed.line()
        if not self._console.is_terminal or line is None:
            self._console.print()  # nobody else has ended the line of the prompt
        if line is None:
            raise EndOfInput
        return " ".join(line.lower().split())

    def _meant(self, word: str, texts: Sequence[str]) -> int | None:
        """The action that a word means; if it is none, the person is told what it could be."""
        count = len(texts)
        if word == "" and count == 1:
            return 0
        if word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= count:
            return int(word) - 1
        lowered = [text.lower() for text in texts]
        if word in lowered:
            return lowered.index(word)
        found = [pair for pair in enumerate(texts) if _fits(word, lowered[pair[0]])]
        if found and word and not word.isdecimal():
            self._list(found, self._console.height - PROMPT if self._console.is_terminal else ENDLESS)
        else:
            wanted = "Enter" if count == 1 else f"a number from 1 to {count}"
            self._say(f"expected {wanted}, ? or q, got {word or 'nothing'}")
        return None

    async def _hint(self, question: Question, texts: Sequence[str]) -> None:
        try:
            index = await self._adviser.advise(question)
        except Advice as none:
            self._say(f"no hint: {none}")
        else:
            name = self._adviser.bot.name
            self._console.print(Text(f"{name} would take {index + 1}: {texts[index]}", style="yellow"))

    def _say(self, sentence: str) -> None:
        self._console.print(Text(screen.clean(sentence), style="red"))


def _fits(word: str, text: str) -> bool:
    return all(part in text for part in word.split())


# Actions in columns, each as wide as it needs to be


def _item(index: int, text: str) -> Text:
    return Text(f"{index + 1:>3}", style="bold cyan").append(f" {text}", style="not bold default")


def _rows(items: Sequence[Text], width: int) -> int:
    """The fewest rows in which they fit."""
    return next((rows for rows in range(1, len(items)) if _width(items, rows) < width), len(items))


def _width(items: Sequence[Text], rows: int) -> int:
    columns = [items[start : start + rows] for start in range(0, len(items), rows)]
    return sum(max(map(len, column)) + GAP for column in columns) - GAP


def _fitting(items: Sequence[Text], rows: int, width: int) -> Sequence[Text]:
    """As many of the first ones as fit into so many rows."""
    count = next((count for count in range(len(items), rows, -1) if _width(items[:count], rows) < width), rows)
    return items[:count]


def _columns(items: Sequence[Text], rows: int) -> Iterator[Text]:
    columns = [items[start : start + rows] for start in range(0, len(items), rows)]
    widths = [max(map(len, column)) + GAP for column in columns]
    for row in range(rows):
        line = Text()
        for column, width in zip(columns, widths, strict=True):
            if row < len(column):
                line.append_text(column[row]).append(" " * (width - len(column[row])))
        line.rstrip()
        yield line
