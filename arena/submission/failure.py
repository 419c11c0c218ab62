"""What is said of a bot whose packages cannot be brought or that cannot be built."""

from pathlib import Path

from arena.errors import UserError


class BuildError(UserError):
    """One sentence that names the log; the last lines of the log beside it."""

    def __init__(self, sentence: str, log: Path, lines: tuple[str, ...] = ()) -> None:
        super().__init__(f"{sentence}; its log is {log}")
        self.sentence = sentence
        self.log = log
        self.lines = lines

    def moved(self, log: Path) -> "BuildError":
        """The same with its log elsewhere."""
        return BuildError(self.sentence, log, self.lines)
