"""Bugs on Rugs once more, as plain as can be, written from the rulebook and the rulings; no code of the engine.

A bug is a pair of type and rug, a Mosquito has rug 0; the End card lies in the deck as a card. The match is driven by
the choices of another one, and complains when that one offers others or shows another table.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

Bug = tuple[str, int]
Move = tuple[Any, ...]

SHEET = ("Butterfly", "Firefly", "Larva", "Ant", "Spider", "Fly", "Beetle", "Ladybug")
LATER = SHEET[3:]
END: Bug = ("End", 0)
END_BELOW = {2: 30, 3: 45, 4: 60, 5: 68}  # cards above the End card (B1)


@dataclass
class Moment:
    """One decision of the other match: its table, and by seat what it allows and what was chosen."""

    table: dict[str, Any]
    legal: dict[int, list[Move]]
    chosen: dict[int, Move]


@dataclass
class Result:
    """How a match ended, by seat."""

    points: list[dict[str, int]]
    places: list[int]


class SimpleMatch:
    """One match."""

    def __init__(
        self, options: dict[str, Any], seats: int, deck: list[Bug], start: int, moments: Iterator[Moment]
    ) -> None:
        self.options = options
        self.seats = list(range(seats))
        self.deck = [*deck[: END_BELOW[seats]], END, *deck[END_BELOW[seats] :]]
        self.start = start
        self.moments = moments
        self.asked = 0
        self.round = 0
        self.final = 0
        self.floor: list[Bug] = []
        self.gone: list[Bug] = []
        self.hands = [[self.draw()] for _ in self.seats]
        self.wall = [self.draw()]

    def draw(self) -> Any:
        """The next card; nothing if there is none."""
        if self.deck and self.deck[0] == END:
            self.deck.pop(0)
            self.final = self.round + 1
        return self.deck.pop(0) if self.deck else None

    def in_turn(self) -> list[int]:
        return self.seats[self.start :] + self.seats[: self.start]

    def ask(self, expected: dict[int, list[Move]]) -> dict[int, Move]:
        """What the seats choose; the other match must ask the same of the same at the same table."""
        moment = next(self.moments)
        self.asked += 1
        assert moment.legal.keys() == expected.keys(), f"asks {list(moment.legal)}, expected {list(expected)}"
        for seat, moves in expected.items():
            assert len(set(moment.legal[seat])) == len(moment.legal[seat])
            got, wanted = set(moment.legal[seat]), set(moves)
            assert got == wanted, f"seat {seat}: too much {got - wanted}, missing {wanted - got}"
        assert moment.table == self.table()
        return moment.chosen

    def ask_one(self, seat: int, moves: list[Move]) -> Move:
        return self.ask({seat: moves})[seat]

    def table(self) -> dict[str, Any]:
        return {
            "hands": [sorted(hand) for hand in self.hands],
            "floor": sorted(self.floor),
            "wall": self.wall,
            "deck": [card for card in self.deck if card != END],
            "gone": sorted(self.gone),
            "round": self.round,
            "final": self.final,
            "start": self.start,
        }

    def play(self) -> Result:
        """The whole match."""
        while True:
            self.lay_out()
            self.draft()
            if not self.floor:
                break
            bug = self.floor.pop()
            self.wall.append(bug)
            self.leftover(bug[0])
            if self.round == self.final:
                break
            self.start = self.in_turn()[1]
        return self.score()

    def lay_out(self) -> None:
        while len(self.floor) < 2 * len(self.seats) + 1:
            card = self.draw()
            if card is None:
                break
            self.floor.append(card)
        self.round += 1

    # Drafting

    def draft(self) -> None:
        order = self.in_turn()
        for seat in order + order[::-1]:
            if self.floor:
                self.pick(seat)

    def pick(self, seat: int) -> None:
        taken = None
        while taken is None:
            moves: list[Move] = [("take", bug) for bug in set(self.floor)] + self.hatches(seat)
            forced = len(set(self.floor)) == 1 and not self.might_hatch(seat)
            move = moves[0] if forced else self.ask_one(seat, moves)
            if move[0] == "hatch":
                self.hatch(seat, move)
            else:
                taken = move[1]
        self.floor.remove(taken)
        self.hands[seat].append(taken)
        while taken[0] == "Larva" and self.might_hatch(seat):
            move = self.ask_one(seat, [("done",), *self.hatches(seat)])
            if move == ("done",):
                break
            self.hatch(seat, move)

    def might_hatch(self, seat: int) -> bool:
        return bool(self.wall) and len(self.hands[seat]) >= 2

    def hatches(self, seat: int) -> list[Move]:
        larva = sorted(bug for bug in self.hands[seat] if bug[0] == "Larva")
        pairs = set(combinations(larva, 2))
        return [("hatch", *pair, place) for pair in pairs for place in range(len(self.wall))]

    def hatch(self, seat: int, move: Move) -> None:
        for bug in move[1:3]:
            self.hands[seat].remove(bug)
            self.gone.append(bug)
        self.hands[seat].append(self.wall.pop(move[3]))

    # Wall powers

    def leftover(self, type_: str) -> None:
        larva = [bug for bug in self.wall if bug[0] == "Larva"]
        if type_ == "Larva" and len(larva) >= 2:
            self.gone += larva
            self.wall = [bug for bug in self.wall if bug not in larva]
            self.call_next()
        else:
            self.power(type_)

    def call_next(self) -> None:
        card = self.draw()
        if card is not None:
            self.wall.append(card)
            self.power(card[0])

    def power(self, type_: str) -> None:
        if type_ == "Ant":
            self.call_next()
        elif type_ == "Butterfly":
            self.butterfly()
        elif type_ == "Ladybug":
            for seat in self.in_turn():
                card = self.draw()
                self.hands[seat] += [] if card is None else [card]
        elif type_ in ("Fly", "Beetle"):
            self.passing(1 if type_ == "Beetle" else -1)
        elif type_ in ("Firefly", "Spider", "Mosquito"):
            for seat in self.in_turn():
                self.in_turn_power(type_, seat)

    def in_turn_power(self, type_: str, seat: int) -> None:
        if type_ == "Firefly" and (self.options["final_firefly"] or self.round != self.final):
            _, bug = self.ask_one(seat, [("lay", bug) for bug in set(self.hands[seat])])
            self.hands[seat].remove(bug)
            self.floor.append(bug)
        elif type_ == "Spider":
            _, bug = self.ask_one(seat, [("hang", bug) for bug in set(self.hands[seat])])
            self.hands[seat].remove(bug)
            self.wall.append(bug)
            self.hands[seat].append(self.wall.pop(0))
        elif type_ == "Mosquito":
            self.mosquito(seat)

    def butterfly(self) -> None:
        others = {bug for bug in self.hands[self.start] if bug[0] != "Butterfly"}
        move = self.ask_one(self.start, [("show", bug) for bug in others] or [("show hand",)])
        if move != ("show hand",) and move[1][0] != "Larva":
            self.power(move[1][0])

    def passing(self, side: int) -> None:
        moves = self.ask({seat: [("pass", bug) for bug in set(self.hands[seat])] for seat in self.seats})
        for seat, (_, bug) in moves.items():
            self.hands[seat].remove(bug)
        for seat, (_, bug) in moves.items():
            self.hands[(seat + side) % len(self.seats)].append(bug)

    def mosquito(self, seat: int) -> None:
        choices = list(product(set(self.hands[seat]), range(len(self.wall))))
        other_type = [(bug, place) for bug, place in choices if bug[0] != self.wall[place][0]]
        choices = other_type or choices
        _, given = self.ask_one(seat, [("offer", bug) for bug in {bug for bug, _ in choices}])
        places = [place for bug, place in choices if bug == given]
        place = places[0]
        if len(places) > 1:
            _, place = self.ask_one(seat, [("swap", place) for place in places])
        self.hands[seat].remove(given)
        self.hands[seat].append(self.wall[place])
        self.wall[place] = given

    # Scoring

    def score(self) -> Result:
        self.gone += self.floor
        self.floor = []
        groups = self.group()
        sheets = [self.sheet(hand, group) for hand, group in zip(self.hands, groups, strict=True)]
        if self.options["breaking_pairs"]:
            self.break_pairs(groups)
        self.later(sheets, groups)
        return Result(sheets, places_of(sheets))

    def group(self) -> list[Counter[str]]:
        """Pairs of Mosquitos, one choice after the other, as often as anybody could have a pair (B48)."""
        groups: list[Counter[str]] = [Counter() for _ in self.seats]
        seen = [bug for bug in self.wall + self.gone if bug[0] == "Mosquito"]
        for _ in range((10 - len(seen)) // 2):
            asked: dict[int, list[Move]] = {}
            for seat in self.seats:
                types = {bug[0] for bug in self.hands[seat]} - {"Mosquito"}
                enough = self.mosquitos(seat, groups[seat]) >= 2
                asked[seat] = [("keep",)] + [("copy", type_) for type_ in types if enough]
            for seat, move in self.ask(asked).items():
                groups[seat].update(move[1:])
        return groups

    def mosquitos(self, seat: int, group: Counter[str]) -> int:
        """How many are not paired."""
        return [bug[0] for bug in self.hands[seat]].count("Mosquito") - 2 * group.total()

    def sheet(self, hand: list[Bug], group: Counter[str]) -> dict[str, int]:
        """Butterflies and Fireflies."""
        counts = Counter(type_ for type_, _ in hand if type_ != "Mosquito") + group
        left = [bug[0] for bug in hand].count("Mosquito") - 2 * group.total()
        alone = [type_ for type_ in SHEET if counts[type_] == 1]
        if left == 1 and self.options["mosquito_is_type"]:
            alone.append("Mosquito")
        rugs = {rug for type_, rug in hand if type_ != "Mosquito"}
        return {"Butterfly": counts["Butterfly"] * len(alone), "Firefly": counts["Firefly"] * len(rugs)}

    def break_pairs(self, groups: list[Counter[str]]) -> None:
        asked: dict[int, list[Move]] = {}
        for seat in self.seats:
            numbers = [range(groups[seat][type_] + 1) for type_ in LATER]
            moves: list[Move] = [("break", *broken) for broken in product(*numbers)]
            if len(moves) > 1:
                asked[seat] = moves
        for seat, move in (self.ask(asked) if asked else {}).items():
            groups[seat] -= Counter(dict(zip(LATER, move[1:], strict=True)))

    def later(self, sheets: list[dict[str, int]], groups: list[Counter[str]]) -> None:
        """Everything from the Larva on."""
        counts = [
            Counter(type_ for type_, _ in hand if type_ != "Mosquito") + group
            for hand, group in zip(self.hands, groups, strict=True)
        ]
        ants = sorted({count["Ant"] for count in counts}, reverse=True)
        for seat, count in enumerate(counts):
            sheet = sheets[seat]
            sheet["Larva"] = 3 * min(count["Larva"], self.mosquitos(seat, groups[seat]))
            sheet["Ant"] = count["Ant"] * ([5, 3] + [1] * len(ants))[ants.index(count["Ant"])]
            fed = min(count["Spider"], count["Fly"])
            sheet["Spider"], sheet["Fly"] = 7 * fed, 2 * (count["Fly"] - fed)
            sheet["Beetle"] = count["Beetle"] * (5 if count["Beetle"] % 2 == 0 else 2)
            sheet["Ladybug"] = 25 if count["Ladybug"] == 4 else count["Ladybug"]


def places_of(sheets: list[dict[str, int]]) -> list[int]:
    """By points; then by the best type, the next best, and so on."""
    keys = [[sum(sheet.values()), *sorted(sheet.values(), reverse=True)] for sheet in sheets]
    return [1 + sum(other > key for other in keys) for key in keys]
