"""Bugs on Rugs: plays its best actions out to the end in imagined tables, among players with simple habits.

What a bug is worth depends on all that comes later: majorities, pairs, the Wall. Instead of weighing this by formula,
the bot lets everybody play on by habit: take and keep what adds most to the own hand, give away what adds least. The
matches end on the real score sheet. Grouping is no guess: all ways to pair the Mosquitos are counted.
It counts worlds, never time, so a match can be repeated.
"""

from itertools import combinations_with_replacement

from arena.engine.contract import Seat
from arena.engine.rng import Rng
from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.rules import GAME, BugsOnRugsState
from arena.games.bugs_on_rugs.rules_codes import MOSQUITO
from arena.games.bugs_on_rugs.rules_scores import pairs_of, points
from arena.sdk import Turn, play

WORLDS = 16
BEST = 6  # actions that are played out; the others look worse at once
WHIM = 10  # one habit in so many is a whim, so that matches differ

# What so many Beetles or Ladybugs are worth while there is time to get another.
BEETLES = (0.0, 3.0, 10.0, 11.0, 20.0, 19.0, 30.0, 28.0, 40.0, 38.0, 50.0, 48.0, 60.0, 58.0, 70.0, 68.0)
LADYBUGS = (0.0, 2.5, 6.0, 12.0, 25.0, 12.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0)
TYPE = (0, *((bug + 6) // 7 for bug in range(1, 58)))  # by bug
RUG = (0, *((1 << (bug - 1) % 7) if bug < MOSQUITO else 0 for bug in range(1, 58)))  # by bug, as a bit


def choose(turn: Turn) -> int:
    """The action that leaves this seat furthest ahead at the end, on average over the worlds."""
    if len(turn.legal) == 1:
        return turn.legal[0]
    if turn.observation.phase == codes.PHASE_GROUP:
        return grouped(turn)
    legal = shortlist(turn)
    leads = [0.0] * len(legal)
    for number in range(WORLDS):
        luck = turn.rng.fork(f"world {number}")
        world = GAME.determinize(turn.observation, luck)
        actions = by_habit(world, luck)
        for index, action in enumerate(legal):
            actions[turn.seat] = action
            leads[index] += lead_at_end(world.clone(), actions, turn.seat, luck.fork("later"))
    return legal[leads.index(max(leads))]


def shortlist(turn: Turn) -> list[int]:
    """The actions that look best at once, the best first."""
    world = GAME.determinize(turn.observation, turn.rng.fork("shortlist"))
    gains = {code: gain_of(world, turn.seat, code) for code in turn.legal}
    return sorted(turn.legal, key=lambda code: -gains[code])[:BEST]


def lead_at_end(state: BugsOnRugsState, actions: dict[Seat, int], seat: Seat, luck: Rng) -> float:
    """This seat's lead after the actions and a match played on by habit; grouping is left to the end."""
    state.apply(actions)
    while state.phase < codes.PHASE_GROUP:
        state.apply(by_habit(state, luck))
    standing = [hand_worth(state, other) for other in range(state.seats)]
    own = standing.pop(seat)
    return own - (max(standing) + sum(standing) / len(standing)) / 2


def hand_worth(state: BugsOnRugsState, seat: Seat) -> int:
    """What a hand scores with its Mosquitos paired one after the other, each as is best then."""
    hand, best = state.hands[seat], worth(state, 0, seat)
    group, left = 0, hand.count(MOSQUITO) // 2
    while left:
        tried = [group + (1 << 4 * (type_ - 1)) for type_ in {TYPE[bug] for bug in hand if bug != MOSQUITO}]
        values = [worth(state, one, seat) for one in tried]
        if not values or max(values) <= best:
            break
        best, group = max(values), tried[values.index(max(values))]
        left -= 1
    return best


# Habits


def by_habit(state: BugsOnRugsState, luck: Rng) -> dict[Seat, int]:
    """A sensible action for each seat to act."""
    return {seat: habit(state, seat, luck) for seat in state.to_act()}


def habit(state: BugsOnRugsState, seat: Seat, luck: Rng) -> int:
    """What adds most to the own hand at once."""
    legal = state.legal_actions(seat)
    if len(legal) == 1:
        return legal[0]
    if state.phase >= codes.PHASE_GROUP or luck.below(WHIM) == 0:
        return luck.choice(legal)
    counts, rugs = counted(state.hands[seat])
    best, chosen = -99.0, legal[0]
    for code in legal:
        gain = gain_of_kind(state, counts, rugs, code)
        if gain > best:
            best, chosen = gain, code
    return chosen


def gain_of(state: BugsOnRugsState, seat: Seat, code: int) -> float:
    """What an action adds to the own hand at once."""
    counts, rugs = counted(state.hands[seat])
    return gain_of_kind(state, counts, rugs, code)


def counted(hand: list[int]) -> tuple[list[int], int]:
    """Bugs by type, and the set of rugs."""
    counts, rugs = [0] * 10, 0
    for bug in hand:
        counts[TYPE[bug]] += 1
        rugs |= RUG[bug]
    return counts, rugs


def gain_of_kind(state: BugsOnRugsState, counts: list[int], rugs: int, code: int) -> float:
    """What an action adds to a hand of these counts and rugs."""
    kind, value = code >> 16, code & 0xFFFF
    if kind == codes.TAKE:
        return gain(counts, rugs, value)
    if kind == codes.HATCH:
        return gain(counts, rugs, state.wall[value & 63]) - 2 * LARVA_WORTH
    if kind == codes.SWAP:
        return gain(counts, rugs, state.wall[value])
    if kind in (codes.LAY, codes.HANG, codes.PASS, codes.OFFER):
        return -loss(counts, value)
    return 0.0


LARVA_WORTH = 1.5


def gain(counts: list[int], rugs: int, bug: int) -> float:
    """What one more bug adds to a hand."""
    type_ = TYPE[bug]
    held = counts[type_]
    added = gain_of_type(counts, type_)
    if counts[codes.BUTTERFLY] and held < 2 and type_ != codes.BUTTERFLY:
        added += counts[codes.BUTTERFLY] * (0.7 if held == 0 else -0.7)
    if not rugs & RUG[bug] and bug != MOSQUITO:
        added += counts[codes.FIREFLY]
    return added + 4.2 if type_ == codes.FIREFLY else added


def loss(counts: list[int], bug: int) -> float:
    """What a hand loses without one of its bugs; rugs are left out."""
    type_ = TYPE[bug]
    counts[type_] -= 1
    lost = gain_of_type(counts, type_) + (4.2 if type_ == codes.FIREFLY else 0.0)
    if counts[codes.BUTTERFLY] and counts[type_] < 2 and type_ != codes.BUTTERFLY:
        lost += counts[codes.BUTTERFLY] * (0.7 if counts[type_] == 0 else -0.7)
    counts[type_] += 1
    return lost


def gain_of_type(counts: list[int], type_: int) -> float:  # noqa: PLR0911 - a case for each bug
    """What one more of a type adds, by how many there are."""
    held = counts[type_]
    if type_ == codes.BUTTERFLY:
        singles = counts[1:].count(1)
        return singles + 1.0 if held == 0 else singles - 2.0 if held == 1 else singles
    if type_ == codes.LARVA:
        return 3.0 if counts[codes.MOSQUITO_TYPE] > held else LARVA_WORTH
    if type_ == codes.ANT:
        return 4.0
    if type_ == codes.SPIDER:
        return 5.0 if counts[codes.FLY] > held else 2.5
    if type_ == codes.FLY:
        return 7.0 if counts[codes.SPIDER] > held else 2.5
    if type_ == codes.BEETLE:
        return BEETLES[min(held + 1, 15)] - BEETLES[min(held, 15)]
    if type_ == codes.LADYBUG:
        return LADYBUGS[min(held + 1, 15)] - LADYBUGS[min(held, 15)]
    if type_ == codes.MOSQUITO_TYPE:
        return 3.0 if counts[codes.LARVA] > held else 2.0 if held % 2 == 0 else 3.5
    return 0.0


# Grouping


def grouped(turn: Turn) -> int:
    """The next pair of the best way to pair the Mosquitos; the others' hands matter for the Ants."""
    view = turn.observation
    worlds = [GAME.determinize(view, turn.rng.fork(f"world {number}")) for number in range(WORLDS)]
    best = max(groupings(view.hand), key=lambda group: sum(worth(world, group, turn.seat) for world in worlds))
    for type_ in range(codes.BUTTERFLY, codes.MOSQUITO_TYPE):
        if pairs_of(best, type_) > pairs_of(view.groups[turn.seat], type_):
            return codes.COPY << 16 | type_
    return codes.KEEP << 16


def groupings(hand: list[int]) -> list[int]:
    """Every way to pair the Mosquitos of a hand: pairs by type, four bits each."""
    types = sorted({TYPE[bug] for bug in hand if bug != MOSQUITO})
    most = hand.count(MOSQUITO) // 2
    chosen = [pairs for number in range(most + 1) for pairs in combinations_with_replacement(types, number)]
    return [sum(1 << 4 * (type_ - 1) for type_ in pairs) for pairs in chosen]


def worth(world: BugsOnRugsState, group: int, seat: Seat) -> int:
    """What the hand scores with these pairs."""
    groups = [0] * world.seats
    groups[seat] = group
    return sum(points(world.hands, groups, [0] * world.seats, world.options)[seat])


if __name__ == "__main__":
    play(choose)
