"""The dialogue with a person who plays: the table as the seat sees it, the actions by number, a hint, a way out."""

from collections.abc import Sequence

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
FEWEST_LINES = 6  # of the list of actions, however small a terminal is
BESIDE = 6  # lines of a screen that are neither picture, news nor list
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
                return index

    # What is shown

    def _show(self, question: Question, texts: Sequence[str]) -> None:
        console = self._console
        if console.is_terminal:
            console.clear()
            self._typed.forget()
        news = Text("; ".join(map(self._game.event_text, question.events)), style="dim")
        picture = self._view.draw([question.observation], self._names)
        parts = [*([news, Text()] if question.events else []), picture, Text()]
        for part in parts:
            console.print(part)
        taken = sum(len(console.render_lines(part)) for part in parts)
        self._list(list(enumerate(texts)), max(FEWEST_LINES, console.height - taken - BESIDE))

    def _list(self, actions: Sequence[tuple[int, str]], lines: int) -> None:
        """The actions in columns, downwards; on a screen no more of them than fit."""
        console = self._console
        wide = len(str(actions[-1][0] + 1))
        width = max(len(text) for _, text in actions) + wide + 1
        columns = max(1, (console.width - 1 + GAP) // (width + 1 + GAP))
        rows = -(-len(actions) // columns)
        shown = actions[: lines * columns] if console.is_terminal else actions
        rows = min(rows, lines) if console.is_terminal else rows
        for row in range(rows):
            line = Text(" ")
            for index, text in shown[row::rows]:
                line.append(f"{index + 1:>{wide}}", style="bold cyan")
                line.append(f" {text:<{width - wide - 1 + GAP}}")
            line.rstrip()
            console.print(line)
        if len(shown) < len(actions):
            more = f" and {len(actions) - len(shown)} more: type some of the words to see only those"
            console.print(Text(more, style="dim"))
        console.print()

    def _prompt(self, count: int) -> Text:
        numbers = "Enter" if count == 1 else f"1-{count}"
        return Text(f"{numbers}, ? for a hint, q to leave: ", style="bold")

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
            self._list(found, self._console.height)
        else:
            self._say(f"expected a number from 1 to {count}, ? or q, got {screen.clean(word) or 'nothing'}")
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
