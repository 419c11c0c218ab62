"""Party Bugs: plays each action out to the end of the game in imagined worlds, among players who know what is good.

What a card is worth depends on who picks when, on the pairs still to come and on everybody's King; instead of
weighing all this by formula, the bot lets simple habits play: take what is cheapest for your own display, and
hold the King until the dance floor does not hurt. It counts worlds, never time, so a match can be repeated.
"""

from arena.engine.contract import Seat
from arena.engine.rng import Rng
from arena.games.party_bugs import codes
from arena.games.party_bugs.rules import GAME, PartyBugsState
from arena.games.party_bugs.rules_views import Observation
from arena.sdk import Turn, play

WORLDS = 24
KING_PLAYED = codes.coded(codes.Play(codes.KING))
MIRROR_WORTH = 8  # the mirror goes for a card above this value; for less it waits


def choose(turn: Turn) -> int:
    """The action that leaves this seat furthest ahead when the game ends, on average over the worlds."""
    if len(turn.legal) == 1:
        return turn.legal[0]
    leads = [0.0] * len(turn.legal)
    for number in range(WORLDS):
        luck = turn.rng.fork(f"world {number}")
        world = GAME.determinize(turn.observation, luck)
        actions = by_habit(world, luck)
        for index, action in enumerate(turn.legal):
            actions[turn.seat] = action
            leads[index] += lead_at_end(world.clone(), actions, turn.seat, luck.fork("later"))
    return turn.legal[leads.index(max(leads))]


def lead_at_end(state: PartyBugsState, actions: dict[Seat, int], seat: Seat, luck: Rng) -> float:
    """This seat's lead after the actions and a game played on by habit; a series is not followed further."""
    game = state.game
    state.apply(actions)
    while state.game == game and state.to_act():
        state.apply(by_habit(state, luck))
    standing = state.standing()
    own = standing[seat]
    return own - (sum(standing) - own) / (len(standing) - 1)


def by_habit(state: PartyBugsState, luck: Rng) -> dict[Seat, int]:
    """A sensible action for each seat to act."""
    return {seat: habit(state, seat, luck) for seat in state.to_act()}


def habit(state: PartyBugsState, seat: Seat, luck: Rng) -> int:
    """What a sensible player does without thinking, from what that seat can see."""
    legal = state.legal_actions(seat)
    if len(legal) == 1:
        return legal[0]
    if state.phase > codes.PHASE_PLAY:
        return cheapest(state.observe(seat), legal)
    king = legal[-1]
    if king != KING_PLAYED:
        return luck.choice(legal)
    return king if haul_cost(state.observe(seat)) <= 0 else luck.choice(legal[:-1])


def haul_cost(view: Observation) -> int:
    """Points that the whole dance floor would add to the own display, pairs taken off."""
    display, points = view.display_bits[view.seat], 0
    for value in view.floor:
        points += -value if display >> value & 1 else value
        display ^= 1 << value
    return points


def cheapest(view: Observation, legal: list[int]) -> int:
    """The action that adds the fewest points, or takes off the most, at once."""
    costs = [cost(code, view.display_bits[view.seat], view.hidden_value) for code in legal]
    return legal[costs.index(min(costs))]


def cost(code: int, display: int, hidden: int) -> int:
    """Points that a take, a haul or the mirror adds to a display beyond what cannot be helped."""
    kind, value = code >> 4, code & 15
    if kind == codes.TAKE:
        return -value if display >> value & 1 else value
    if kind in (codes.TAKE_AND_PAIR, codes.MIRROR):
        return -value
    if kind in (codes.HAUL_AND_PAIR, codes.MIRROR_HIDDEN):
        return -hidden
    return -MIRROR_WORTH if kind == codes.KEEP_MIRROR else 0


if __name__ == "__main__":
    play(choose)
