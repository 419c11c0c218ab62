"""Party Bugs, complete: the base game, Paul with two seats, hidden card, mirror series (rulings P1-P41).

Sets of values have a bit for each value, so a card that arrives in a display flips its bit: pairs vanish by
themselves. Cards that lie one to a player are rows of four bits each. Plain numbers are what mypyc makes fast.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

from mypy_extensions import i64

from arena.engine import plain
from arena.engine.contract import IllegalAction, Outcome, State, places
from arena.engine.options import Option, OptionError, Value, resolve
from arena.engine.packed import (
    EMPTY_SETS,
    Log,
    Sets,
    lowest,
    members,
    row_of,
    row_places,
    row_values,
    set_of,
    sets_of,
    total,
)
from arena.engine.rng import Rng
from arena.games.party_bugs import codes, stored, words
from arena.games.party_bugs.codes import KING
from arena.games.party_bugs.rules_views import Observation, Options

ALL: Final = 0x3FFE  # the set of all values, 1 to 13
KING_BIT: Final = 1 << 13
VALUES: Final = tuple(range(1, KING + 1))
NOBODY: Final[tuple[int, ...]] = ()
ALONE: Final[tuple[tuple[int, ...], ...]] = tuple((seat,) for seat in range(6))
EVERYBODY: Final[tuple[tuple[int, ...], ...]] = tuple(tuple(range(seats)) for seats in range(7))


class PartyBugsState(State[Observation]):
    """One match under way. Lists and rows go by player: the seats clockwise, then Paul if there are two."""

    def __init__(self, options: Options, seats: i64, rng: Rng, log: Log) -> None:
        none: list[int] = []
        self.options = options
        self.seats: i64 = seats
        self.players: i64 = 3 if seats == 2 else seats
        self.rng = rng  # the root of all luck: forked, never drawn from
        self.log = log  # events, with what they hide from others
        self.game: i64 = 0
        self.round: i64 = 1
        self.phase: i64 = codes.PHASE_PLAY
        self.tied: i64 = 0
        self.mirror: i64 = -1
        self.floor: i64 = 0  # a row
        self.played: i64 = 0  # a row
        self.waiting: i64 = 0  # a row of seats that count from 1
        self.hidden: i64 = 0  # a row
        self.decks: list[list[int]] = []  # as they lay after setup; how far they are drawn follows from the round
        self.hands = EMPTY_SETS
        self.displays = EMPTY_SETS
        self.unseen = EMPTY_SETS
        self.excluded = EMPTY_SETS  # stays so unless a hidden card must be paired
        self.totals = none  # replaced, never changed, as are the points: copies and views share them
        self.points = none

    # What others ask

    def to_act(self) -> tuple[int, ...]:
        """Seats that must act now."""
        if self.phase <= codes.PHASE_PLAY:
            return EVERYBODY[self.seats]
        return ALONE[self._first_waiting()] if self.waiting else NOBODY

    def legal_actions(self, seat: int) -> list[int]:
        """Codes in ascending order of value, a plain take before the one that pairs the hidden card."""
        legal: list[int] = []
        code: i64 = self._first_code()
        choices: i64 = self._choices(seat)
        single: i64 = choices & 0xFFFF
        paired: i64 = choices >> 16
        values: i64 = single | paired
        while values:
            value: i64 = lowest(values)
            values &= values - 1
            if single >> value & 1:
                legal.append(code + value)
            if paired >> value & 1:
                legal.append(code + value + 16)
        return legal

    def apply(self, actions: dict[int, int]) -> None:
        """Carry out the actions and all that follows from them."""
        if self.phase > codes.PHASE_PLAY:
            if not self.waiting or len(actions) != 1:
                self._refuse(actions)
            self._choose(self._checked(actions, self._first_waiting()))
            return
        if len(actions) != self.seats:
            self._refuse(actions)
        values: i64 = 0
        seat: i64 = self.seats
        while seat > 0:
            seat -= 1
            values = values << 4 | self._checked(actions, seat) & 15
        if self.phase == codes.PHASE_PLAY:
            self._reveal(values)
        else:
            self._hide(values)

    def observe(self, seat: int) -> Observation:
        """All that the seat may know."""
        view = Observation(self.options, self.seats, seat)
        view.game, view.round, view.phase = self.game, self.round, self.phase
        view.tied, view.mirror = self.tied, self.mirror
        view.hand_bits = self.hands.of(seat)
        view.hidden_value = self._hidden_value(seat)
        view.hidden_bits = self._hidden_seats()
        view.floor_row, view.played_row, view.waiting_row = self.floor, self.played, self.waiting
        view.display_sets = self.displays.copy()
        view.unseen_sets = self.unseen.copy()
        if self.options.must:
            view.excluded_sets = self.excluded.copy()
        view.totals, view.points = self.totals, self.points
        return view

    def events(self, seat: int, since: int) -> list[int]:
        """The log as this seat saw it: what others drew or hid has value 0."""
        seen = self.log.since(since)
        for index, number in enumerate(seen):
            code: i64 = number
            if code >> 16 in (codes.EVENT_DREW, codes.EVENT_HID) and code >> 8 & 255 != seat:
                seen[index] = code >> 8 << 8
        return seen

    def standing(self) -> list[int]:
        """Minus the points that would count now, hidden cards and earlier games included."""
        return [-self.totals[seat] - self._points(seat) for seat in range(self.seats)]

    def outcome(self) -> Outcome:
        """Places by total, then by distance from the last game's Tied card (P14, P35, P38)."""
        if self.phase != codes.PHASE_OVER:
            raise ValueError("outcome: expected a finished match, got one under way")
        scores = [total + points for total, points in zip(self.totals, self.points, strict=True)]
        ranked = places([(scores[seat], (seat - self.tied) % self.seats) for seat in range(self.seats)])
        return Outcome(ranked, scores[: self.seats], words.remarks(scores, self.seats, self.tied))

    def clone(self) -> "PartyBugsState":
        """An independent copy; decks never change within a game, so they are shared."""
        copy = PartyBugsState(self.options, self.seats, self.rng, self.log.copy())
        copy.game, copy.round, copy.phase = self.game, self.round, self.phase
        copy.tied, copy.mirror = self.tied, self.mirror
        copy.floor, copy.played = self.floor, self.played
        copy.waiting, copy.hidden = self.waiting, self.hidden
        copy.decks = self.decks
        copy.hands = self.hands.copy()
        copy.displays = self.displays.copy()
        copy.unseen = self.unseen.copy()
        if self.options.must:
            copy.excluded = self.excluded.copy()
        copy.totals, copy.points = self.totals, self.points
        return copy

    def dump(self) -> dict[str, object]:
        """The whole state as plain data."""
        return stored.dumped(self)

    # What may be done

    def _first_code(self) -> i64:
        """The code that bit 0 of `_choices` stands for."""
        if self.phase <= codes.PHASE_PICK:
            return self.phase << 4
        return codes.HAUL * 16 if self.phase == codes.PHASE_HAUL else codes.KEEP_MIRROR * 16

    def _choices(self, seat: i64) -> i64:
        """The seat's legal actions as bits: bit n stands for the code `_first_code() + n`."""
        if self.phase <= codes.PHASE_PLAY:
            if seat < 0 or seat >= self.seats:
                return 0
            hand: i64 = self.hands.of(seat)
            return hand if self.phase == codes.PHASE_PLAY else hand & ~KING_BIT
        if self._first_waiting() != seat:
            return 0
        if self.phase == codes.PHASE_PICK:
            return self._pick_choices(seat)
        return self._haul_choices(seat) if self.phase == codes.PHASE_HAUL else self._mirror_choices()

    def _pick_choices(self, seat: i64) -> i64:
        floor: i64 = self._floor_values()
        if not self._may_pair(seat):
            return floor
        hidden: i64 = 1 << self._hidden_value(seat)
        return floor | (floor & ~self.displays.of(seat) & hidden) << 16

    def _haul_choices(self, seat: i64) -> i64:
        return 1 | (self._left_by_haul(seat) >> self._hidden_value(seat) & 1) << 16

    def _mirror_choices(self) -> i64:
        display: i64 = self.displays.of(self.mirror)
        keep: i64 = 1 if self.round < self.options.draws else 0
        hidden: i64 = 1 if self._hidden_value(self.mirror) else 0
        return keep | display << 16 | hidden << 32

    def _checked(self, actions: dict[int, int], seat: i64) -> i64:
        """The seat's action, if it is legal."""
        given = actions.get(seat)
        if given is None:
            self._refuse(actions)
        code: i64 = given if 0 <= given <= codes.MIRROR_HIDDEN * 16 else 0
        bit: i64 = code - self._first_code()
        if bit < 0 or bit > 32 or not self._choices(seat) >> bit & 1:
            raise IllegalAction(f"seat {seat + 1}: expected one of {self.legal_actions(seat)}, got {given}")
        return code

    def _refuse(self, actions: dict[int, int]) -> NoReturn:
        raise IllegalAction(f"expected one action of each of the seats {self.to_act()}, got {actions}")

    # How a round goes

    def _hide(self, values: i64) -> None:
        self.hidden = values
        seat: i64 = 0
        while seat < self.seats:
            value: i64 = values >> (seat << 2) & 15
            self.hands.flip(seat, 1 << value)
            self._note(codes.EVENT_HID, seat, value)
            seat += 1
        self.phase = codes.PHASE_PLAY

    def _reveal(self, played: i64) -> None:
        """Show the cards played, a row of them, and settle who takes from the dance floor."""
        self.played = played
        kings: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            value: i64 = played >> (seat << 2) & 15
            self._show(seat, value)
            if value == KING:
                kings |= 1 << seat
            seat += 1
        if kings:
            self._begin_haul(self._closest(kings))
        else:
            self._begin_picks(self._pick_order(played))

    def _closest(self, seats: i64) -> i64:
        """The one of these seats that is closest to the Tied card, clockwise (P3)."""
        if seats & (seats - 1) == 0:
            return lowest(seats)
        count: i64 = self.seats
        tied: i64 = self.tied
        return (lowest(seats >> tied | seats << (count - tied)) + tied) % count

    def _show(self, seat: i64, value: i64) -> None:
        self.hands.flip(seat, 1 << value)
        self.unseen.flip(seat, 1 << value)
        self._note(codes.EVENT_PLAYED, seat, value)

    def _pick_order(self, played: i64) -> i64:
        """The seats by the value they played; equal ones by distance from the Tied card (P3, P5)."""
        order: i64 = 0
        ranks: i64 = self._pick_ranks(played)
        seats: i64 = self.seats
        seat: i64 = 0
        while seat < seats:
            rank: i64 = ranks >> (seat << 3) & 255
            before: i64 = 0
            other: i64 = 0
            while other < seats:
                if ranks >> (other << 3) & 255 < rank:
                    before += 1
                other += 1
            order |= (seat + 1) << (before << 2)
            seat += 1
        return order

    def _pick_ranks(self, played: i64) -> i64:
        """A byte for each seat: what it played, then its distance from the Tied card."""
        ranks: i64 = 0
        tied: i64 = self.tied
        seats: i64 = self.seats
        seat: i64 = 0
        while seat < seats:
            distance: i64 = seat - tied if seat >= tied else seat - tied + seats
            ranks |= ((played >> (seat << 2) & 15) << 3 | distance) << (seat << 3)
            seat += 1
        return ranks

    def _begin_haul(self, seat: i64) -> None:
        self.waiting = seat + 1
        if self._may_pair(seat) and self._left_by_haul(seat):
            self.phase = codes.PHASE_HAUL
        else:
            self._haul(pair_hidden=False)

    def _begin_picks(self, order: i64) -> None:
        self.waiting = order
        self.phase = codes.PHASE_PICK
        self._pick_forced()

    def _pick_forced(self) -> None:
        """Carry out the picks that public knowledge forces, up to the next choice (P24 asks more often)."""
        while self.waiting:
            seat: i64 = self._first_waiting()
            floor: i64 = self._floor_values()
            if floor & (floor - 1):
                return
            if floor & ~self.displays.of(seat) and self._may_pair(seat):
                return
            self._take(lowest(floor), pair_hidden=False)
        if self.players > self.seats:  # Paul gets the card that is left (P17, P20)
            self._take_for(self.seats, lowest(self._floor_values()), pair_hidden=False)
        self._end_round()

    def _choose(self, code: i64) -> None:
        kind: i64 = code >> 4
        if kind <= codes.TAKE_AND_PAIR:
            self._take(code & 15, pair_hidden=kind == codes.TAKE_AND_PAIR)
            self._pick_forced()
        elif kind <= codes.HAUL_AND_PAIR:
            self._haul(pair_hidden=kind == codes.HAUL_AND_PAIR)
        else:
            self._use_mirror(code - codes.KEEP_MIRROR * 16)
            self._next_round()

    def _take(self, value: i64, *, pair_hidden: bool) -> None:
        seat: i64 = self._first_waiting()
        self.waiting >>= 4
        self._take_for(seat, value, pair_hidden=pair_hidden)

    def _take_for(self, player: i64, value: i64, *, pair_hidden: bool) -> None:
        self._note(codes.EVENT_TOOK, player, value)
        self.floor ^= value << (self._owner(value) << 2)
        if self.displays.of(player) >> value & 1:
            self._note(codes.EVENT_PAIRED, player, value)
        self._arrive(player, 1 << value, 1 << value, pair_hidden=pair_hidden)

    def _owner(self, value: i64) -> i64:
        """Whose card of this value goes: the owner closest to the Tied card, Paul last (P39)."""
        owners: i64 = row_places(self.floor, self.seats, value)
        return self._closest(owners) if owners else self.seats

    def _haul(self, *, pair_hidden: bool) -> None:
        seat: i64 = self._first_waiting()
        self._note(codes.EVENT_HAULED, seat, 0)
        display: i64 = self.displays.of(seat)
        odd: i64 = 0
        floor: i64 = self.floor
        while floor:
            bit: i64 = 1 << (floor & 15)
            if (display ^ odd) & bit:
                self._note(codes.EVENT_PAIRED, seat, floor & 15)
            odd ^= bit
            floor >>= 4
        came: i64 = self._floor_values()
        self.floor = 0
        self._arrive(seat, came, odd, pair_hidden=pair_hidden)
        self._end_round()

    def _arrive(self, player: i64, came: i64, odd: i64, *, pair_hidden: bool) -> None:
        """Lay the values of `came` into a display; `odd` are those that came oddly often (P7, P8, P25)."""
        self.displays.flip(player, odd)
        hidden: i64 = self._hidden_value(player)
        if hidden:
            left: i64 = came & self.displays.of(player)
            if left >> hidden & 1 and (pair_hidden or self.options.must):
                self.displays.flip(player, 1 << hidden)
                self._note(codes.EVENT_PAIRED_HIDDEN, player, hidden)
                self._show_hidden(player)
            elif self.options.must:
                self.excluded.flip(player, left & ~self.excluded.of(player))

    def _end_round(self) -> None:
        """Move the played cards to the dance floor, then offer the mirror (P41)."""
        self.waiting = 0
        if self.round == self.options.final_round:
            self._end_game()
            return
        self.floor = self.played
        self.played = 0
        if self.players > self.seats:
            self._reveal_paul()
        if self.mirror < 0 or self._mirror_forced():
            self._next_round()
        else:
            self.waiting = self.mirror + 1
            self.phase = codes.PHASE_MIRROR

    def _reveal_paul(self) -> None:
        value: i64 = self.decks[self.seats][self.round]
        self.unseen.flip(self.seats, 1 << value)
        self.floor |= value << (self.seats << 2)
        self._note(codes.EVENT_PLAYED, self.seats, value)

    def _mirror_forced(self) -> bool:
        """Whether only one thing could be done with the mirror; then it is done."""
        choices: i64 = self._mirror_choices()
        if choices & (choices - 1):
            return False
        if choices:
            self._use_mirror(lowest(choices))
        else:
            self._note(codes.EVENT_MIRROR_LOST, self.mirror, 0)
            self.mirror = -1
        return True

    def _use_mirror(self, choice: i64) -> None:
        """Carry out one of the bits of `_mirror_choices`."""
        seat: i64 = self.mirror
        if choice == 0:
            return
        if choice == 32:
            self._note(codes.EVENT_MIRRORED_HIDDEN, seat, self._hidden_value(seat))
            self._show_hidden(seat)
        else:
            self.displays.flip(seat, 1 << (choice - 16))
            self._note(codes.EVENT_MIRRORED, seat, choice - 16)
        self.mirror = -1

    def _next_round(self) -> None:
        if self.round <= self.options.draws:
            self._draw(self.options.dealt + self.round)
        self.round += 1
        self.waiting = 0
        if self.round < self.options.final_round - 1:
            self.phase = codes.PHASE_PLAY
        elif self.round < self.options.final_round:  # everybody holds one card
            self._reveal(row_of([lowest(hand) for hand in self.hands.bits(self.seats)]))
        else:  # anti-clockwise, the holder of the Tied card last (P13)
            order = [(self.tied - 1 - index) % self.seats + 1 for index in range(self.seats)]
            self._begin_picks(row_of(order))

    # How a game begins and ends

    def begin_game(self) -> None:
        """Deal the next game of the series; the deal depends on the root key and the game's number alone."""
        name = f"game {self.game + 1}"
        self._note(codes.EVENT_GAME, 0, self.game + 1)
        self._shuffle(self.rng.fork(name + " deal"))
        self._give_tied(name + " tied")
        if self.mirror >= 0:
            self._note(codes.EVENT_MIRROR_GIVEN, self.mirror, 0)
        self.hidden = 0
        self.hands = Sets()
        self.displays = Sets()
        self.excluded = Sets()
        self.round = 1
        for index in range(self.options.dealt):
            self._draw(index + 1)
        self.phase = codes.PHASE_HIDE if self.options.hidden_card else codes.PHASE_PLAY

    def _shuffle(self, rng: Rng) -> None:
        self.decks = []
        self.unseen = Sets()
        self.floor = 0
        player: i64 = 0
        while player < self.players:
            deck = list(VALUES)
            rng.shuffle(deck)
            if deck[0] == KING:  # the next card is laid out, and the King goes anywhere below it (P1, P15)
                self._note(codes.EVENT_KING_RETURNED, player, KING)
                del deck[0]
                deck.insert(1 + rng.below(KING - 1), KING)
            value: i64 = deck[0]
            self._note(codes.EVENT_LAID_OUT, player, value)
            self.decks.append(deck)
            self.unseen.flip(player, ALL ^ 1 << value)
            self.floor |= value << (player << 2)
            player += 1

    def _give_tied(self, label: str) -> None:
        """The seat with the lowest card on the dance floor, never Paul; luck among equals (P2, P16)."""
        least: i64 = lowest(row_values(self.floor, self.seats))
        equals: i64 = row_places(self.floor, self.seats, least)
        several = equals & (equals - 1)
        self.tied = self.rng.fork(label).choice(members(equals)) if several else lowest(equals)
        self._note(codes.EVENT_TIED, self.tied, 0)

    def _draw(self, index: i64) -> None:
        """Every seat draws the card at this place of its deck."""
        seat: i64 = 0
        while seat < self.seats:
            value: i64 = self.decks[seat][index]
            self.hands.flip(seat, 1 << value)
            self._note(codes.EVENT_DREW, seat, value)
            seat += 1

    def _end_game(self) -> None:
        for seat in members(self._hidden_seats()):  # revealed and counted, never paired (P26)
            self._note(codes.EVENT_REVEALED, seat, self._hidden_value(seat))
            self.unseen.flip(seat, 1 << self._hidden_value(seat))
        points = [self._points(player) for player in range(self.players)]
        for player in range(self.players):
            self._note(codes.EVENT_SCORED, player, points[player])
        if self.options.mirror_series and self.game + 1 < self.seats:
            self.totals = [total + more for total, more in zip(self.totals, points, strict=True)]
            self.mirror = self._furthest_behind()
            self.game += 1
            self.begin_game()
        else:
            self.points = points
            self.phase = codes.PHASE_OVER

    def _furthest_behind(self) -> i64:
        """The seat with the highest total, the closest to the Tied card among equals (P29, P33)."""
        behind = self.tied
        for distance in range(1, self.seats):
            seat = (self.tied + distance) % self.seats
            if self.totals[seat] > self.totals[behind]:
                behind = seat
        return behind

    # Small parts

    def _note(self, kind: i64, player: i64, value: i64) -> None:
        code: i64 = kind << 16 | player << 8 | value
        self.log.add(code | codes.PAUL_MARK if player == self.seats else code)

    def _first_waiting(self) -> i64:
        return (self.waiting & 15) - 1

    def _floor_values(self) -> i64:
        """The set of values on the dance floor."""
        return row_values(self.floor, self.players)

    def _left_by_haul(self, seat: i64) -> i64:
        """Values of the dance floor that would lie single in the display after the haul (P25)."""
        display: i64 = self.displays.of(seat)
        floor: i64 = self.floor
        while floor:
            display ^= 1 << (floor & 15)
            floor >>= 4
        return display & self._floor_values()

    def _hidden_value(self, player: i64) -> i64:
        return self.hidden >> (player << 2) & 15

    def _hidden_seats(self) -> i64:
        """The set of seats where a hidden card lies."""
        seats: i64 = 0
        hidden: i64 = self.hidden
        bit: i64 = 1
        while hidden:
            if hidden & 15:
                seats |= bit
            bit <<= 1
            hidden >>= 4
        return seats

    def _may_pair(self, seat: i64) -> bool:
        """Whether the seat is asked about its hidden card when a card arrives (P24)."""
        return self._hidden_value(seat) != 0 and not self.options.must

    def _show_hidden(self, seat: i64) -> None:
        """Take a hidden card out of the game, face up."""
        value: i64 = self._hidden_value(seat)
        self.unseen.flip(seat, 1 << value)
        self.hidden ^= value << (seat << 2)
        if self.options.must:
            self.excluded.flip(seat, self.excluded.of(seat))

    def _points(self, player: i64) -> i64:
        return self._hidden_value(player) + total(self.displays.of(player))


class PartyBugs:
    """The rules as a game of the contract."""

    @property
    def name(self) -> str:
        return "party-bugs"

    @property
    def title(self) -> str:
        return "Party Bugs"

    def seat_counts(self) -> range:
        return range(2, 7)

    def option_list(self) -> Sequence[Option]:
        return [
            Option("hidden_card", [False, True], "variant 1: each player hides a card in the display"),
            Option("mirror_series", [False, True], "variant 2: a game per seat, a mirror card for whoever is behind"),
            Option("hidden_pairing", ["may", "must"], "whether a hidden card may or must be discarded with its match"),
        ]

    def variants(self) -> Mapping[str, Options]:
        return {
            "base": Options(),
            "hidden-card": Options(hidden_card=True),
            "hidden-card-must": Options(hidden_card=True, hidden_pairing="must"),
            "mirror-series": Options(mirror_series=True),
            "hidden-card-mirror-series": Options(hidden_card=True, mirror_series=True),
            "hidden-card-must-mirror-series": Options(hidden_card=True, mirror_series=True, hidden_pairing="must"),
        }

    def options(self, given: Mapping[str, object]) -> Options:
        read = resolve(self.option_list(), given)
        hidden_card = read["hidden_card"] is True
        if read["hidden_pairing"] == "must" and not hidden_card:
            raise OptionError("option hidden_pairing: expected may, because hidden_card is false; got must")
        return Options(
            hidden_card=hidden_card,
            mirror_series=read["mirror_series"] is True,
            hidden_pairing=str(read["hidden_pairing"]),
        )

    def plain_options(self, options: Options) -> dict[str, Value]:
        return options.plain()

    def length_bound(self, options: Options, seats: int) -> int:
        """Every choice that could be asked: hiding, plays, each seat's pick in each round, the mirror."""
        game = 1 + options.final_round * (1 + seats) + options.draws
        return game * seats if options.mirror_series else game

    def setup(self, options: Options, seats: int, rng: Rng) -> PartyBugsState:
        if not 2 <= seats <= 6:
            raise ValueError(f"party-bugs: expected 2 to 6 seats, got {seats}")
        state = PartyBugsState(options, seats, rng, Log())
        state.totals = [0] * state.players
        state.begin_game()
        return state

    def determinize(self, observation: Observation, rng: Rng) -> PartyBugsState:
        return imagined(observation, rng)

    def action(self, code: int) -> codes.Action:
        return codes.decoded(code)

    def code(self, action: codes.Action) -> int:
        """The code that means this action: the inverse of `action`."""
        return codes.coded(action)

    def action_text(self, code: int) -> str:
        return words.action_text(code)

    def event_text(self, code: int) -> str:
        return words.event_text(code)

    def text(self, observation: Observation) -> str:
        return words.observation_text(observation)

    def load(self, data: Mapping[str, object]) -> PartyBugsState:
        plain.fields(data, stored.FIELDS)
        options = self.options(plain.mapping(data, "options"))
        rng = Rng(plain.hexadecimal(data, "rng", 32))
        state = PartyBugsState(options, plain.number(data, "seats", 2, 6), rng, Log())
        stored.fill(state, data)
        return state


GAME: Final = PartyBugs()


def imagined(view: Observation, rng: Rng) -> PartyBugsState:
    """A state drawn evenly from those that the view allows (P36); its later luck is drawn here too."""
    key = int(rng.bits32())
    for _ in range(3):
        key = key << 32 | int(rng.bits32())
    state = PartyBugsState(view.options, view.seats, Rng(key), Log())
    state.game, state.round, state.phase = view.game, view.round, view.phase
    state.tied, state.mirror = view.tied, view.mirror
    state.floor, state.played, state.waiting = view.floor_row, view.played_row, view.waiting_row
    state.displays = view.display_sets.copy()
    state.unseen = view.unseen_sets.copy()
    state.excluded = view.excluded_sets.copy()
    state.totals, state.points = view.totals, view.points
    state.hidden = row_of([imagined_hidden(view, player, rng) for player in range(state.players)])
    state.hands = sets_of([imagined_hand(view, state, player, rng) for player in range(state.players)])
    return state


def imagined_hidden(view: Observation, player: i64, rng: Rng) -> i64:
    """A value for the player's hidden card, 0 for none; drawn first, since the hand could strand the King."""
    if not view.hidden_bits >> player & 1:
        return 0
    if player == view.seat:
        return view.hidden_value
    if view.phase == codes.PHASE_OVER:
        return view.points[player] - total(view.display_sets.of(player))
    possible: i64 = view.unseen_sets.of(player) & ~view.excluded_sets.of(player)
    return rng.choice(members(possible & ~KING_BIT))


def imagined_hand(view: Observation, state: PartyBugsState, player: i64, rng: Rng) -> i64:
    """The player's hand; what is left of the colour becomes the pile, in random order."""
    hidden: i64 = 1 << (state.hidden >> (player << 2) & 15)
    unseen: i64 = view.unseen_sets.of(player)
    hand: i64 = view.hand_bits
    rest = members(unseen & ~hidden & ~hand if player == view.seat else unseen & ~hidden)
    rng.shuffle(rest)
    if player != view.seat:
        held: i64 = 0 if player == view.seats else len(view.hand)
        hand = set_of(rest[:held])
        rest = rest[held:]
    state.decks.append(members(ALL & ~set_of(rest)) + rest)
    return hand
