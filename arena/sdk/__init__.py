"""Write a bot in Python: one function from a Turn to one of its legal actions, and `play(choose)`."""

from arena.sdk.client import Choose, play
from arena.sdk.turn import Turn

__all__ = ["Choose", "Turn", "play"]
