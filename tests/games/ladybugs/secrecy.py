"""Who may see what in Ladybugs (L29, L39): all but others' hands, the supplies, and clovers that others took."""

from itertools import combinations
from typing import Any

from arena.engine.rng import Rng
from arena.games.ladybugs import rules_codes as codes
from arena.games.ladybugs.rules import GAME
from arena.games.ladybugs.words import event_parts
from tests.games.ladybugs.conservation import shown

OPEN = ("options", "seats", "laid", "first", "spider", "out", "starts", "drawn", "tiles", "unused", "taken", "points")


def visible(dump: dict[str, Any], seat: int) -> Any:
    """The table as the seat sees it: what lies open or was shown, its own hand, the clovers it took."""
    table = {name: dump[name] for name in OPEN}
    seen = [sorted(shown(dump, player).elements()) for player in range(dump["seats"])]
    return table, seen, dump["hands"][seat], [dump["clovers"][mark] for mark in known_clovers(dump, seat)]


def known_clovers(dump: dict[str, Any], seat: int) -> list[int]:
    """Which marked spaces' clovers the seat knows: those it took, and at the end those that anybody took."""
    is_over = bool(dump["points"])
    return [mark for mark, taker in enumerate(dump["taken"]) if taker == seat + 1 or (is_over and taker)]


def swap(dump: dict[str, Any], seat: int, rng: Rng) -> dict[str, Any] | None:
    """Two unseen tiles of one colour, or two unknown clovers, change places."""
    tiles = [
        (player, one, other)
        for player in range(dump["seats"])
        for one, other in combinations(hidden_draws(dump, player, seat), 2)
        if dump["draws"][player][one] != dump["draws"][player][other] and other >= dump["drawn"][player]
    ]
    known = known_clovers(dump, seat)
    loose = [mark for mark in range(len(dump["clovers"])) if mark not in known]
    clovers = [pair for pair in combinations(loose, 2) if len({dump["clovers"][mark] for mark in pair}) == 2]
    if clovers and (not tiles or rng.below(3) == 0):
        return with_clovers(dump, *clovers[rng.below(len(clovers))])
    return with_tiles(dump, *tiles[rng.below(len(tiles))]) if tiles else None


def hidden_draws(dump: dict[str, Any], player: int, seat: int) -> list[int]:
    """Which of a player's draws the seat does not know: the supply, and the hand if it is another's."""
    drawn = dump["drawn"][player]
    supply = list(range(drawn, len(dump["draws"][player])))
    return supply if player == seat else hand_draws(dump, player) + supply


def hand_draws(dump: dict[str, Any], player: int) -> list[int]:
    """Draws that may be those in hand: the last ones with these dots; equal tiles cannot be told apart."""
    found: list[int] = []
    for dots in dump["hands"][player]:
        draws = [index for index in range(dump["drawn"][player]) if dump["draws"][player][index] == dots]
        found.append(next(index for index in reversed(draws) if index not in found))
    return sorted(found)


def with_tiles(dump: dict[str, Any], player: int, one: int, other: int) -> dict[str, Any]:
    """The same state with two draws of a player exchanged, in hand and in what the player was told too."""
    draws, hands, log = [list(tiles) for tiles in dump["draws"]], list(dump["hands"]), list(dump["log"])
    tiles = draws[player]
    if one < dump["drawn"][player]:
        rest = list(hands[player])
        rest.remove(tiles[one])
        hands[player] = sorted([*rest, tiles[other]])
        events = [index for index, code in enumerate(log) if is_draw(code, player)]
        if events:
            log[events[one]] += (tiles[other] - tiles[one]) << 8
    tiles[one], tiles[other] = tiles[other], tiles[one]
    return dump | {"draws": draws, "hands": hands, "log": log}


def is_draw(code: int, player: int) -> bool:
    kind, seat, *_ = event_parts(code)
    return kind == codes.EVENT_DREW and seat == player


def with_clovers(dump: dict[str, Any], one: int, other: int) -> dict[str, Any]:
    """The same state with two clovers exchanged, also in what their takers were told."""
    clovers, log = list(dump["clovers"]), list(dump["log"])
    more = clovers[other] - clovers[one]
    clovers[one], clovers[other] = clovers[other], clovers[one]
    for index, code in enumerate(log):
        kind, _, _, _, space = event_parts(code)
        if kind == codes.EVENT_CLOVER and space == marked(dump, one):
            log[index] += more << 8
        elif kind == codes.EVENT_CLOVER and space == marked(dump, other):
            log[index] -= more << 8
    return dump | {"clovers": clovers, "log": log}


def marked(dump: dict[str, Any], mark: int) -> int:
    """The space of a clover, -1 for one in the box."""
    spaces = GAME.load(dump).board.clovers
    return spaces[mark] if mark < len(spaces) else -1
