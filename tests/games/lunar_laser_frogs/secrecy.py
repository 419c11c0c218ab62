"""Who may see what in Lunar Laser Frogs: all but others' cards of a turn, luck to come, and perhaps an order (F8)."""

from typing import Any

from arena.engine.rng import Rng
from arena.games.lunar_laser_frogs.rules_codes import EVENT_THREW

OPEN = (
    *("options", "seats", "turn", "roller", "window", "faces", "points"),
    *("last_roller", "last_named", "last_faces", "last_seats", "last_cards", "last_windows"),
)
WINDOWS = 4
FACES = (1, 2, 3, 5)  # blank and the three single colours, which every die has

Dump = dict[str, Any]


def visible(dump: Dump, seat: int) -> Any:
    """The table as the seat sees it: dice that lie, who threw when, its own cards, the turn before, the points."""
    pile = list(zip(dump["pile_windows"], dump["pile_seats"], strict=True))
    own = [card for thrower, card in zip(dump["pile_seats"], dump["pile_cards"], strict=True) if thrower == seat]
    return [dump[name] for name in OPEN], sorted(pile) if sees_no_order(dump, seat) else pile, own


def sees_no_order(dump: Dump, seat: int) -> bool:
    """Whether this seat may not see in which order the cards of a window landed."""
    return bool(seat == dump["roller"] and not dump["options"]["roller_sees_order"])


def swap(dump: Dump, seat: int, rng: Rng) -> Dump | None:
    """One card, one die, one landing order to come, or the order within a window becomes another."""
    if dump["phase"] == "over":
        return None
    ways = [with_another_card, with_another_face, with_another_order, with_another_landing]
    rng.shuffle(numbers := [0, 1, 2, 3])
    changed = (ways[number](dump, seat, rng) for number in numbers)
    return next((one for one in changed if one is not None), None)


def with_another_card(dump: Dump, seat: int, rng: Rng) -> Dump | None:
    """A card of another seat becomes one that this seat has not thrown."""
    places = [at for at, thrower in enumerate(dump["pile_seats"]) if thrower != seat]
    if not places:
        return None
    at, cards = rng.choice(places), list(dump["pile_cards"])
    thrown = [card for who, card in zip(dump["pile_seats"], cards, strict=True) if who == dump["pile_seats"][at]]
    cards[at] = rng.choice([card for card in range(1, 6) if card not in thrown])
    return with_pile(dump, dump["pile_seats"], cards)


def with_another_face(dump: Dump, seat: int, rng: Rng) -> Dump | None:
    """A die that is still to be rolled in this round will show another face."""
    now = dump["turn"] % dump["seats"]
    dice = [
        turn * 6 + die for turn in range(now, dump["seats"]) for die in range(6) if turn > now or not dump["faces"][die]
    ]
    if not dice:
        return None
    turn, die = divmod(rng.choice(dice), 6)
    rolls = [list(faces) for faces in dump["rolls"]]
    rolls[turn][die] = rng.choice([face for face in FACES if face != rolls[turn][die]])
    return dump | {"rolls": rolls}


def with_another_order(dump: Dump, seat: int, rng: Rng) -> Dump | None:
    """Two seats change places in a landing order that is still to come."""
    first = dump["turn"] % dump["seats"] * WINDOWS + dump["window"] + (dump["phase"] != "throw")
    if first >= len(dump["orders"]):
        return None
    orders = [list(order) for order in dump["orders"]]
    order = orders[rng.choice(list(range(first, len(orders))))]
    one = rng.below(len(order) - 1)
    order[one], order[one + 1] = order[one + 1], order[one]
    return dump | {"orders": orders}


def with_another_landing(dump: Dump, seat: int, rng: Rng) -> Dump | None:
    """What two seats threw in one window lies the other way round, if this seat may not know it (F8)."""
    if not sees_no_order(dump, seat):
        return None
    blocks = blocks_of(dump)
    pairs = [at for at in range(len(blocks) - 1) if blocks[at][0] == blocks[at + 1][0]]
    if not pairs:
        return None
    at = rng.choice(pairs)
    blocks[at], blocks[at + 1] = blocks[at + 1], blocks[at]
    seats = [thrower for _, thrower, cards in blocks for _ in cards]
    return with_pile(dump, seats, [card for _, _, cards in blocks for card in cards])


def blocks_of(dump: Dump) -> list[tuple[int, int, list[int]]]:
    """The pile as what each seat threw at once: window, seat, cards."""
    blocks: list[tuple[int, int, list[int]]] = []
    for window, thrower, card in zip(dump["pile_windows"], dump["pile_seats"], dump["pile_cards"], strict=True):
        if blocks and blocks[-1][:2] == (window, thrower):
            blocks[-1][2].append(card)
        else:
            blocks.append((window, thrower, [card]))
    return blocks


def with_pile(dump: Dump, seats: list[int], cards: list[int]) -> Dump:
    """The same state with these cards in the pile and in the log, whose last throws are those of the pile."""
    log, at = list(dump["log"]), len(seats)
    for index in range(len(log) - 1, -1, -1):
        if at and log[index] & 255 == EVENT_THREW:
            at -= 1
            log[index] = log[index] >> 24 << 24 | cards[at] << 16 | seats[at] << 8 | EVENT_THREW
    return dump | {"pile_seats": list(seats), "pile_cards": list(cards), "log": log}
