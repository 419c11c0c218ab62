"""How the bot decides: a number for each legal action, and the highest wins. Make these five functions yours.

An observation is all that your seat may know. The .proto file of each game, in the folder proto/, says what its
numbers mean.
"""

from collections.abc import Callable
from typing import Any

from arena.games.bugs_on_rugs.v1 import bugs_on_rugs_pb2 as bugs
from arena.games.ladybugs.v1 import ladybugs_pb2 as lady
from arena.games.lucky_numbers.v1 import lucky_numbers_pb2 as lucky
from arena.games.lunar_laser_frogs.v1 import lunar_laser_frogs_pb2 as frogs
from arena.games.party_bugs.v1 import party_bugs_pb2 as party


def choose(game: str, observation: Any) -> int:
    """The index of the legal action with the highest score; the first of them if there are several."""
    score = SCORES[game]
    scores = [score(observation, action) for action in observation.legal_actions]
    return scores.index(max(scores))


def party_bugs(seen: party.Observation, action: party.Action) -> int:
    """Low cards are good, and a second card of a value takes both away."""
    display = seen.displays[seen.seat].values
    match action.kind:
        case party.ACTION_KIND_TAKE:
            return 100 + action.value if action.value in display else -action.value
        case party.ACTION_KIND_TAKE_AND_PAIR | party.ACTION_KIND_HAUL_AND_PAIR:
            return 200 + action.value
        case party.ACTION_KIND_MIRROR | party.ACTION_KIND_MIRROR_HIDDEN:
            return action.value
        case party.ACTION_KIND_PLAY:
            # The Party King takes everything: play it when that costs the least.
            return 12 - sum(seen.floor) if action.value == 13 else -action.value
        case party.ACTION_KIND_HIDE:
            return -action.value
        case _:
            return 0


def lucky_numbers(seen: lucky.Observation, action: lucky.Action) -> int:
    """Every space has a number that suits it best: 1 in the upper left corner, 20 in the lower right one."""
    garden = seen.gardens[seen.seat].tiles
    match action.kind:
        case lucky.ACTION_KIND_DRAW:
            return 70
        case lucky.ACTION_KIND_DISCARD:
            return 0
        case lucky.ACTION_KIND_LAY:
            return -misfit(seen.drawn, action.space)
    tile = action.tile if action.kind == lucky.ACTION_KIND_TAKE else seen.drawn
    there = garden[action.space]
    if there == 0:
        return 100 - misfit(tile, action.space)
    return misfit(there, action.space) - misfit(tile, action.space) - 60


def misfit(tile: int, space: int) -> int:
    """How far a tile is from the number that suits a space best, in sixths."""
    return abs(6 * (tile - 1) - 19 * (space // 4 + space % 4))


def ladybugs(seen: lady.Observation, action: lady.Action) -> int:
    """Flower beds bring points, action tiles are few, and whoever covers an opponent's tile takes its dots away."""
    match action.kind:
        case lady.ACTION_KIND_PLACE:
            bed = 20 if seen.beds[action.space] > 0 else 0
            covers = 5 if top_seat(seen, action.space) not in (-1, seen.seat) else 0
            return bed + covers + action.dots - 4 * (action.uses & 7).bit_count()
        case lady.ACTION_KIND_BEGIN:
            return -action.dots
        case lady.ACTION_KIND_MOVE_SPIDER:
            return -action.dots
        case lady.ACTION_KIND_RESIGN:
            return -100
        case _:
            return 0


def top_seat(seen: lady.Observation, space: int) -> int:
    """Whose tile lies uppermost on a space; -1 if none does."""
    seat = -1
    for number, at in enumerate(seen.tiles.spaces):
        if at == space:
            seat = seen.tiles.seats[number]
    return seat


def bugs_on_rugs(seen: bugs.Observation, action: bugs.Action) -> int:
    """Bugs of a type that is in the hand already are worth more, and given away last."""
    match action.kind:
        case bugs.ACTION_KIND_TAKE:
            return 10 * held(seen, bug_type(action.bug)) + WORTH[bug_type(action.bug)]
        case bugs.ACTION_KIND_HATCH | bugs.ACTION_KIND_SWAP:
            there = bug_type(seen.wall[action.wall])
            return 10 * held(seen, there) + WORTH[there]
        case bugs.ACTION_KIND_LAY | bugs.ACTION_KIND_HANG | bugs.ACTION_KIND_PASS | bugs.ACTION_KIND_OFFER:
            return -10 * held(seen, bug_type(action.bug)) - WORTH[bug_type(action.bug)]
        case bugs.ACTION_KIND_COPY:
            return 10 * held(seen, action.type)
        case bugs.ACTION_KIND_BREAK:
            return -sum(action.broken)
        case _:
            return 0


def bug_type(bug: int) -> int:
    """The type of a bug, as in BugType."""
    return (bug - 1) // 7 + 1


def held(seen: bugs.Observation, wanted: int) -> int:
    """How many bugs of a type are in the hand."""
    return sum(bug_type(bug) == wanted for bug in seen.hand)


# By type, from 1 on: about what a first bug of that type is worth.
WORTH = (0, 3, 5, 0, 9, 4, 6, 7, 5, 2)


def lunar_laser_frogs(seen: frogs.Observation, action: frogs.Action) -> int:
    """Cards score by the dice that match them, but only the first of a kind does: do not wait for the last roll."""
    match action.kind:
        case frogs.ACTION_KIND_WAIT:
            return 13 if seen.window < 2 else 0
        case frogs.ACTION_KIND_THROW | frogs.ACTION_KIND_THROW_TWO:
            return sum(promise(seen, card) for card in action.cards)
        case frogs.ACTION_KIND_ROLL:
            return -abs(sum(action.dice) - 2)
        case frogs.ACTION_KIND_NAME:
            return -list(seen.pile.seats).index(action.seat)  # whoever threw first
        case _:
            return 0


def promise(seen: frogs.Observation, card: int) -> int:
    """Three times what a card may bring: a die that is still to be rolled matches it in one of three cases."""
    faces = [face - 1 for face in seen.faces if face > 0]
    to_roll = len(seen.faces) - len(faces)
    if card == GREY:
        return 3 * len(seen.pile.seats)
    if card == BLANK:
        return 2 * (3 * sum(face == 0 for face in faces) + to_roll)
    matching = sum(face >> (card - 1) & 1 for face in faces)
    if matching == 0 and seen.window >= 2:
        return 12  # a colour that no die shows is lasered on all of them
    return 3 * matching + to_roll


BLANK, GREY = 4, 5

SCORES: dict[str, Callable[[Any, Any], int]] = {
    "party-bugs": party_bugs,
    "lucky-numbers": lucky_numbers,
    "ladybugs": ladybugs,
    "bugs-on-rugs": bugs_on_rugs,
    "lunar-laser-frogs": lunar_laser_frogs,
}
