"""Connects the strategy with the referee; there is nothing to edit here."""

from strategy import choose

from arena.sdk import Turn, play


def answer(turn: Turn) -> int:
    """The legal action that the strategy chooses."""
    return turn.legal[choose(turn.game.name, turn.message)]


if __name__ == "__main__":
    play(answer)
