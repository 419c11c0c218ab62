"""One step ahead in any game: tries each action in a few imagined worlds and keeps the best standing.

All actions are tried in the same worlds with the same luck, so that only the action makes a difference.
It counts worlds and moves, never time: the same match is always played in the same way.
"""

from typing import Any

from arena.engine.contract import Seat, State
from arena.engine.rng import Rng
from arena.sdk import Turn, play

WORLDS = 16
MOVES = 16  # how long it waits for a sealed action to change its own standing


def choose(turn: Turn) -> int:
    """The action that leaves this seat furthest ahead of the others, on average over the worlds."""
    if len(turn.legal) == 1:
        return turn.legal[0]
    leads = [0.0] * len(turn.legal)
    for number in range(WORLDS):
        luck = turn.rng.fork(f"world {number}")
        world = turn.game.determinize(turn.observation, luck)
        actions = at_random(world, luck)
        for index, action in enumerate(turn.legal):
            actions[turn.seat] = action
            leads[index] += lead_after(world.clone(), actions, turn.seat, luck.fork("later"))
    return turn.legal[leads.index(max(leads))]


def lead_after(state: State[Any], actions: dict[Seat, int], seat: Seat, luck: Rng) -> float:
    """This seat's lead when the actions have shown their consequence; until then everybody moves at random."""
    before = state.standing()[seat]
    state.apply(actions)
    for _ in range(MOVES):
        if state.standing()[seat] != before or not state.to_act():
            break
        state.apply(at_random(state, luck))
    return lead(state.standing(), seat)


def at_random(state: State[Any], luck: Rng) -> dict[Seat, int]:
    """Any legal action for each seat to act."""
    return {seat: luck.choice(state.legal_actions(seat)) for seat in state.to_act()}


def lead(standing: list[int], seat: Seat) -> float:
    """How far a seat is ahead of the mean of the others."""
    own = standing[seat]
    return own - (sum(standing) - own) / (len(standing) - 1)


if __name__ == "__main__":
    play(choose)
