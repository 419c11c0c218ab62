"""What ends a bridge before its matches are over."""


class Trouble(Exception):
    """The bot cannot play on; the sentence is for its author, the code is what the process ends with."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code  # of an exit, or minus the number of a signal
