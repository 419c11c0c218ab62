"""Party Bugs once more, written from the rulebook alone: slow, plain lists of cards, no cleverness.

It deals nothing and decides nothing. It is given the decks as they lay after setup and what was decided, works out
everything else, and says at every question what it expects the engine to say.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arena.games.party_bugs.codes import Action, Haul, Hide, KeepMirror, Play, Take, UseMirror

KING = 13
PAUL = 2


@dataclass
class Moment:
    """The engine at a decision: its dump, what each seat may do, and what each seat did."""

    dump: dict[str, Any]
    legal: dict[int, list[Action]]
    chosen: dict[int, Action]


@dataclass
class Result:
    """How a match ended: points by player, places by seat."""

    totals: list[int]
    places: list[int]


class SimpleMatch:
    """A match that follows the engine's moments and compares itself with each of them."""

    def __init__(self, options: dict[str, Any], seats: int, moments: Iterator[Moment]) -> None:
        self.options = options
        self.seats = seats
        self.players = seats + 1 if seats == 2 else seats
        self.rounds = 12 if options["hidden_card"] else 13
        self.moments = moments
        self.moment = next(moments)
        self.asked = 0
        self.totals = [0] * self.players
        self.mirror: int | None = None
        self.tied = 0
        self.game = 0

    def play(self) -> Result:
        """The whole match: one game, or as many as there are seats (P28)."""
        games = self.seats if self.options["mirror_series"] else 1
        for self.game in range(games):
            self.play_game()
            points = [self.points(player) for player in range(self.players)]
            self.totals = [total + more for total, more in zip(self.totals, points, strict=True)]
            most = max(self.totals[: self.seats])
            behind = [seat for seat in range(self.seats) if self.totals[seat] == most]
            self.mirror = min(behind, key=self.distance)  # P29, P33
        return Result(self.totals, self.places())

    def places(self) -> list[int]:
        """Lowest total first, then closest to the Tied card (P14, P38)."""
        ranking = sorted(range(self.seats), key=lambda seat: (self.totals[seat], self.distance(seat)))
        return [ranking.index(seat) + 1 for seat in range(self.seats)]

    def distance(self, seat: int) -> int:
        """How far a seat sits from the Tied card, clockwise (P3)."""
        steps = 0
        while (self.tied + steps) % self.seats != seat:
            steps += 1
        return steps

    def points(self, player: int) -> int:
        """What lies in a display at the end, the hidden card too (P26)."""
        return sum(self.displays[player]) + (self.hidden[player] or 0)

    def play_game(self) -> None:
        """Setup, the rounds of cards played, the final round."""
        self.set_up()
        while self.round < self.rounds:
            self.play_round()
            self.round += 1
        self.played: dict[int, int] = {}
        order = [(self.tied - step) % self.seats for step in range(1, self.seats + 1)]  # P13, P20
        self.take_in_order(order)

    def set_up(self) -> None:
        """Lay out the first cards, give the Tied card, deal, and hide (P1, P2, P15, P16, P23)."""
        self.piles = [list(deck) for deck in self.moment.dump["decks"]]
        self.floor = {player: self.piles[player].pop(0) for player in range(self.players)}
        assert KING not in self.floor.values()
        self.tied = self.moment.dump["tied"]
        assert self.floor[self.tied] == min(self.floor[seat] for seat in range(self.seats))
        self.displays: list[list[int]] = [[] for _ in range(self.players)]
        self.hidden: list[int | None] = [None] * self.players
        self.round = 1
        self.played = {}
        size = 4 if self.options["hidden_card"] else 3
        self.hands = [[self.piles[seat].pop(0) for _ in range(size)] for seat in range(self.seats)]
        if self.options["hidden_card"]:
            self.hide()

    def hide(self) -> None:
        """Everybody lays one card but the King face down."""
        choices: dict[int, list[Action]] = {seat: [] for seat in range(self.seats)}
        for seat, hand in enumerate(self.hands):
            choices[seat] += [Hide(card) for card in hand if card != KING]
        for seat, action in self.ask(choices).items():
            assert isinstance(action, Hide)
            self.hands[seat].remove(action.card)
            self.hidden[seat] = action.card

    def play_round(self) -> None:
        """Play, take, move the played cards, use the mirror, draw (P41)."""
        self.played = self.chosen_cards()
        for seat, card in self.played.items():
            self.hands[seat].remove(card)
        kings = [seat for seat, card in self.played.items() if card == KING]
        if kings:
            self.haul(min(kings, key=self.distance))  # P9
        else:
            order = sorted(range(self.seats), key=lambda seat: (self.played[seat], self.distance(seat)))  # P5
            self.take_in_order(order)
        self.floor = dict(self.played)
        self.played = {}
        if self.seats == 2:
            self.floor[PAUL] = self.piles[PAUL].pop(0)
        draws = self.rounds - 4
        if self.mirror is not None and self.round <= draws:
            self.use_mirror(self.mirror, last=self.round == draws)
        for seat in range(self.seats):
            if self.piles[seat]:
                self.hands[seat].append(self.piles[seat].pop(0))

    def chosen_cards(self) -> dict[int, int]:
        """What everybody plays; a last card is not asked for."""
        if all(len(hand) == 1 for hand in self.hands):
            return {seat: self.hands[seat][0] for seat in range(self.seats)}
        choices: dict[int, list[Action]] = {seat: [] for seat in range(self.seats)}
        for seat, hand in enumerate(self.hands):
            choices[seat] += [Play(card) for card in hand]
        return {seat: action.card for seat, action in self.ask(choices).items() if isinstance(action, Play)}

    def take_in_order(self, order: list[int]) -> None:
        """One card for each seat, and the last for Paul (P6, P17)."""
        for seat in order:
            self.take(seat)
        if self.seats == 2:
            ((owner, card),) = self.floor.items()
            del self.floor[owner]
            self.arrive(PAUL, [card], pair_hidden=False)

    def take(self, seat: int) -> None:
        """A seat takes a card of its choice; where nothing can be chosen or told, it just gets one (P24)."""
        values = sorted(set(self.floor.values()))
        choices: list[Action] = []
        for value in values:
            choices.append(Take(value, pair_hidden=False))
            if self.may_pair() and self.hidden[seat] == value and value not in self.displays[seat]:
                choices.append(Take(value, pair_hidden=True))
        fresh = [value for value in values if value not in self.displays[seat]]
        hides = self.may_pair() and self.hidden[seat] is not None
        asked = len(values) > 1 or (hides and len(fresh) > 0)
        action = self.ask({seat: choices})[seat] if asked else choices[0]
        assert isinstance(action, Take)
        owners = [owner for owner, card in self.floor.items() if card == action.card]
        owner = min(owners, key=lambda owner: self.distance(owner) if owner < self.seats else self.seats)  # P39
        del self.floor[owner]
        self.arrive(seat, [action.card], pair_hidden=action.pair_hidden)

    def haul(self, seat: int) -> None:
        """The Party King: everything goes to one seat, nobody else takes (P8, P11, P18)."""
        cards = list(self.floor.values())
        single = [v for v in set(cards) if (self.displays[seat].count(v) + cards.count(v)) % 2 == 1]
        choices: list[Action] = [Haul(pair_hidden=False)]
        if self.hidden[seat] in single:
            choices.append(Haul(pair_hidden=True))
        action: Action = choices[0]
        if self.may_pair() and self.hidden[seat] is not None and single:
            action = self.ask({seat: choices})[seat]
        assert isinstance(action, Haul)
        self.floor = {}
        self.arrive(seat, cards, pair_hidden=action.pair_hidden)

    def may_pair(self) -> bool:
        """Whether pairing the hidden card is a choice."""
        return bool(self.options["hidden_pairing"] == "may")

    def arrive(self, player: int, cards: list[int], *, pair_hidden: bool) -> None:
        """Cards enter a display; pairs leave it, then perhaps one with the hidden card (P7, P8, P25)."""
        display = self.displays[player]
        display.extend(cards)
        for value in set(display):
            while display.count(value) >= 2:
                display.remove(value)
                display.remove(value)
        hidden = self.hidden[player]
        matches = hidden is not None and hidden in cards and hidden in display
        assert matches or not pair_hidden
        if hidden is not None and matches and (pair_hidden or not self.may_pair()):
            display.remove(hidden)
            self.hidden[player] = None

    def use_mirror(self, seat: int, *, last: bool) -> None:
        """The mirror may go with any card of the display, and must before the last draw (P30-P32, P40)."""
        choices: list[Action] = [] if last else [KeepMirror()]
        choices += [UseMirror(card) for card in sorted(self.displays[seat])]
        if self.hidden[seat] is not None:
            choices.append(UseMirror(None))
        if not choices:
            self.mirror = None
            return
        action = self.ask({seat: choices})[seat] if len(choices) > 1 else choices[0]
        if isinstance(action, UseMirror):
            self.mirror = None
            if action.card is None:
                self.hidden[seat] = None
            else:
                self.displays[seat].remove(action.card)

    def ask(self, choices: dict[int, list[Action]]) -> dict[int, Action]:
        """What these seats decided, after comparing the engine with what is known here."""
        moment = self.moment
        assert sorted(moment.legal) == sorted(choices), f"asked {sorted(moment.legal)}, not {sorted(choices)}"
        for seat, actions in choices.items():
            assert set(moment.legal[seat]) == set(actions), f"seat {seat}: {moment.legal[seat]}, not {actions}"
        self.compare(moment.dump)
        self.asked += 1
        self.moment = next(self.moments)
        return moment.chosen

    def compare(self, dump: dict[str, Any]) -> None:
        """The engine's cards are those here."""
        none = [0] * (self.players - self.seats)
        assert dump["game"] == self.game
        assert dump["round"] == self.round
        assert dump["totals"] == self.totals
        assert dump["mirror"] == (-1 if self.mirror is None else self.mirror)
        assert dump["floor"] == [self.floor.get(player, 0) for player in range(self.players)]
        assert dump["played"] == [self.played[seat] for seat in sorted(self.played)]
        assert dump["displays"] == [sorted(display) for display in self.displays]
        assert dump["hands"] == [sorted(hand) for hand in self.hands] + [[]] * len(none)
        assert dump["hidden"] == [card or 0 for card in self.hidden]
