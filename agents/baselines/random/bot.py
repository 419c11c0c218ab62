"""Any legal action, all equally likely: the floor that every other bot must beat."""

from arena.sdk import Turn, play


def choose(turn: Turn) -> int:
    """One of the legal actions, by luck alone."""
    return turn.rng.choice(turn.legal)


if __name__ == "__main__":
    play(choose)
