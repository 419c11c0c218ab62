"""Ladybugs: plays each action out to the end of the match in imagined worlds, the promising ones more often.

What a tile is worth shows only at the end: beds are won by a dot, tiles are covered, and every tile is a start for
others. Random play to the end weighs all this well enough to rank actions. It counts worlds, never time, so a match
can be repeated.
"""

from arena.engine.contract import Seat
from arena.engine.playout import playout
from arena.engine.rng import Rng
from arena.games.ladybugs.rules import GAME, LadybugsState
from arena.sdk import Turn, play

WORLDS = 6  # for every action; each further round has twice as many
KEPT = (10, 4)  # how many actions go on to the second round, and to the third


def choose(turn: Turn) -> int:
    """The action that leaves this seat furthest ahead at the end, on average over the worlds."""
    left, leads = turn.legal, dict.fromkeys(turn.legal, 0.0)
    for number, most in enumerate((len(left), *KEPT)):
        left = sorted(left, key=lambda action: -leads[action])[:most]
        if len(left) == 1:
            break
        for world in range(WORLDS << number):
            explore(turn, left, leads, turn.rng.fork(f"round {number} world {world}"))
    return max(left, key=lambda action: leads[action])


def explore(turn: Turn, actions: list[int], leads: dict[int, float], luck: Rng) -> None:
    """Play all these actions out in one world, with the same luck, and add up where they lead."""
    world = GAME.determinize(turn.observation, luck)
    others = {seat: luck.choice(world.legal_actions(seat)) for seat in world.to_act()}
    for action in actions:
        leads[action] += lead_at_end(world.clone(), {**others, turn.seat: action}, turn.seat, luck.fork("later"))


def lead_at_end(state: LadybugsState, actions: dict[Seat, int], seat: Seat, luck: Rng) -> float:
    """This seat's lead over the mean of the others after these actions and random play to the end."""
    state.apply(actions)
    playout(state, luck)
    standing = state.standing()
    own = standing[seat]
    return own - (sum(standing) - own) / (len(standing) - 1)


if __name__ == "__main__":
    play(choose)
