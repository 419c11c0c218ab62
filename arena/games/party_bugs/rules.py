"""Party Bugs, complete: the base game, Paul with two seats, hidden card, mirror series (rulings P1-P41).

Sets of values are ints with one bit for each value, so a card that arrives in a display is an exclusive or:
pairs vanish by themselves. Ints, lists and plain classes are what mypyc makes fast.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from mypy_extensions import i64

from arena.engine import plain
from arena.engine.contract import IllegalAction, Outcome, places
from arena.engine.options import Option, OptionError, Value, resolve
from arena.engine.rng import Rng
from arena.games.party_bugs import codes, stored, words
from arena.games.party_bugs.codes import KING

ALL: Final = 0x3FFE  # the set of all values, 1 to 13
KING_BIT: Final = 1 << 13


class Options:
    """What is played: the two variants and the switch of P24, with what follows from them."""

    def __init__(
        self, *, hidden_card: bool = False, mirror_series: bool = False, hidden_pairing: str = "may"
    ) -> None:
        self.hidden_card = hidden_card
        self.mirror_series = mirror_series
        self.hidden_pairing = hidden_pairing
        self.must = hidden_pairing == "must"
        self.dealt = 4 if hidden_card else 3
        self.final_round = 12 if hidden_card else 13
        self.draws = (
            self.final_round - 4
        )  # rounds that end with a draw; the last is the mirror's deadline (P30)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash((self.hidden_card, self.mirror_series, self.must))

    def plain(self) -> dict[str, Value]:
        """The options as plain values."""
        return {
            "hidden_card": self.hidden_card,
            "mirror_series": self.mirror_series,
            "hidden_pairing": self.hidden_pairing,
        }


class Display:
    """What lies in front of a player, as the others see it."""

    def __init__(self, bits: int, *, hidden: bool) -> None:
        self.values = values_of(bits)  # face up, ascending
        self.hidden = hidden  # whether a hidden card lies there


class Observation:
    """All that one seat may know. Sets are kept as bits; the properties give them as lists of values."""

    def __init__(self, options: Options, seats: int, seat: int) -> None:
        none: list[int] = []
        self.options = options
        self.seats = seats
        self.seat = seat  # whose view this is
        self.game = 0  # of the series, from 0
        self.round = 1
        self.phase = codes.PHASE_PLAY
        self.tied = 0  # who holds the Tied card
        self.mirror = -1  # who holds the mirror card, -1 for nobody
        self.hand_bits = 0  # own cards
        self.hidden_value = 0  # own hidden card, 0 for none
        self.floor = none  # by player: the card of that colour on the dance floor, 0 where it was taken
        self.played = none  # by seat: the cards revealed, until they move to the dance floor
        self.waiting = none  # seats that choose one after the other, in order; empty while all choose at once
        self.display_bits = none  # by player: face-up values
        self.hidden_bits = 0  # a bit for each seat with a hidden card
        self.unseen_bits = none  # by player: values not shown to all yet: hand, hidden card and pile together
        self.excluded_bits = none  # by seat, under `must` only: values that the hidden card cannot have
        self.totals = none  # by player: points of the games before this one
        self.points = none  # by player: points of this game, only when the match is over

    @property
    def hand(self) -> list[int]:
        """Own cards, ascending."""
        return values_of(self.hand_bits)

    @property
    def displays(self) -> list[Display]:
        """By player: what lies there."""
        hidden = self.hidden_bits
        return [
            Display(bits, hidden=bool(hidden >> player & 1)) for player, bits in enumerate(self.display_bits)
        ]

    @property
    def unseen(self) -> list[list[int]]:
        """By player: values not shown to all yet; own cards are among one's own."""
        return [values_of(bits) for bits in self.unseen_bits]

    @property
    def excluded(self) -> list[list[int]]:
        """By seat: values that the hidden card there cannot have, because they came and stayed (P36)."""
        return [values_of(bits) for bits in self.excluded_bits]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(repr(self._key()[1:]))

    def _key(self) -> tuple[object, ...]:
        numbers = (self.seats, self.seat, self.game, self.round, self.phase, self.tied, self.mirror)
        cards = (self.hand_bits, self.hidden_value, self.hidden_bits, self.floor, self.played, self.waiting)
        sets = (self.display_bits, self.unseen_bits, self.excluded_bits)
        return self.options, numbers, cards, sets, self.totals, self.points


class PartyBugsState:
    """One match under way. Lists go by player: the seats clockwise, then Paul if there are two seats."""

    def __init__(self, options: Options, seats: int, key: int, log: list[int]) -> None:
        none: list[int] = []
        self.options = options
        self.seats = seats
        self.players = 3 if seats == 2 else seats
        self.key = key  # the root of all luck
        self.log = log  # events, with what they hide from others
        self.game = 0
        self.round = 1
        self.phase = codes.PHASE_PLAY
        self.tied = 0
        self.mirror = -1
        self.decks: list[
            list[int]
        ] = []  # as they lay after setup; how far they are drawn follows from the round
        self.hands = none
        self.hidden = none
        self.floor = none
        self.played = none
        self.waiting = none
        self.displays = none
        self.unseen = none
        self.excluded = none
        self.totals = none
        self.points = none

    # What others ask

    def to_act(self) -> list[int]:
        """Seats that must act now."""
        if self.phase <= codes.PHASE_PLAY:
            return list(range(self.seats))
        return self.waiting[:1]

    def legal_actions(self, seat: int) -> list[int]:
        """Codes in ascending order of value, a plain take before the one that pairs the hidden card."""
        legal: list[int] = []
        choices: i64 = self._choices(seat)
        first: i64 = self._first_code()
        value: i64 = 0
        while value <= KING:
            if choices >> value & 1:
                legal.append(first + value)
            if choices >> (value + 16) & 1:
                legal.append(first + value + 16)
            value += 1
        if choices >> 32:
            legal.append(first + 32)
        return legal

    def apply(self, actions: dict[int, int]) -> None:
        """Carry out the actions and all that follows from them."""
        self._check(actions)
        if self.phase == codes.PHASE_PLAY:
            self._reveal([actions[seat] & 15 for seat in range(self.seats)])
        elif self.phase == codes.PHASE_HIDE:
            self._hide(actions)
        else:
            self._choose(actions[self.waiting[0]])

    def observe(self, seat: int) -> Observation:
        """All that the seat may know."""
        view = Observation(self.options, self.seats, seat)
        view.game, view.round, view.phase = self.game, self.round, self.phase
        view.tied, view.mirror = self.tied, self.mirror
        view.hand_bits = self.hands[seat]
        view.hidden_value = self.hidden[seat]
        view.floor = self.floor[:]
        view.played = self.played[:]
        view.waiting = self.waiting[:]
        view.display_bits = self.displays[:]
        view.hidden_bits = self._hidden_bits()
        view.unseen_bits = self.unseen[:]
        view.excluded_bits = self.excluded[:]
        view.totals = self.totals[:]
        view.points = self.points[:]
        return view

    def events(self, seat: int, since: int) -> list[int]:
        """The log as this seat saw it: what others drew or hid has value 0."""
        seen: list[int] = []
        for code in self.log[since:]:
            private = code >> 16 in (codes.EVENT_DREW, codes.EVENT_HID) and code >> 8 & 255 != seat
            seen.append(code >> 8 << 8 if private else code)
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
        remarks = [paul_remark(scores)] if self.players > self.seats else []
        return Outcome(ranked, scores[: self.seats], remarks)

    def clone(self) -> "PartyBugsState":
        """An independent copy; decks never change within a game, so they are shared."""
        copy = PartyBugsState(self.options, self.seats, self.key, self.log[:])
        copy.game, copy.round, copy.phase = self.game, self.round, self.phase
        copy.tied, copy.mirror = self.tied, self.mirror
        copy.decks = self.decks
        copy.hands = self.hands[:]
        copy.hidden = self.hidden[:]
        copy.floor = self.floor[:]
        copy.played = self.played[:]
        copy.waiting = self.waiting[:]
        copy.displays = self.displays[:]
        copy.unseen = self.unseen[:]
        copy.excluded = self.excluded[:]
        copy.totals = self.totals[:]
        copy.points = self.points[:]
        return copy

    def dump(self) -> dict[str, object]:
        """The whole state as plain data."""
        return stored.dumped(self)

    # What may be done

    def _first_code(self) -> i64:
        """The code that bit 0 of `_choices` stands for."""
        if self.phase <= codes.PHASE_PICK:
            return self.phase * 16
        return codes.HAUL * 16 if self.phase == codes.PHASE_HAUL else codes.KEEP_MIRROR * 16

    def _choices(self, seat: int) -> i64:
        """The seat's legal actions as bits: bit n stands for the code `_first_code() + n`."""
        if seat < 0 or seat >= self.seats:
            return 0
        if self.phase == codes.PHASE_PLAY:
            return self.hands[seat]
        if self.phase == codes.PHASE_HIDE:
            return self.hands[seat] & ~KING_BIT
        if not self.waiting or self.waiting[0] != seat:
            return 0
        if self.phase == codes.PHASE_PICK:
            return self._pick_choices(seat)
        return self._haul_choices(seat) if self.phase == codes.PHASE_HAUL else self._mirror_choices()

    def _pick_choices(self, seat: int) -> i64:
        floor: i64 = self._floor_bits()
        if not self._may_pair(seat):
            return floor
        return floor | (floor & ~self.displays[seat] & (1 << self.hidden[seat])) << 16

    def _haul_choices(self, seat: int) -> i64:
        return 1 | (self._left_by_haul(seat) >> self.hidden[seat] & 1) << 16

    def _mirror_choices(self) -> i64:
        choices: i64 = self.displays[self.mirror] << 16
        if self.hidden[self.mirror]:
            choices |= 1 << 32
        if self.round < self.options.draws:
            choices |= 1
        return choices

    def _check(self, actions: dict[int, int]) -> None:
        acting = self.to_act()
        if not acting:
            raise IllegalAction(f"expected no action, because the match is over, got {actions}")
        first: i64 = self._first_code()
        for seat in acting:
            code = actions.get(seat)
            if code is None:
                raise IllegalAction(
                    f"expected an action of each of the seats {acting}, got {sorted(actions)}"
                )
            if code < first or code > first + 32 or not self._choices(seat) >> (code - first) & 1:
                raise IllegalAction(
                    f"seat {seat + 1}: expected one of {self.legal_actions(seat)}, got {code}"
                )
        if len(actions) != len(acting):
            raise IllegalAction(f"expected actions of the seats {acting} only, got {sorted(actions)}")

    # How a round goes

    def _hide(self, actions: dict[int, int]) -> None:
        for seat in range(self.seats):
            value = actions[seat] & 15
            self.hidden[seat] = value
            self.hands[seat] ^= 1 << value
            self._note(codes.EVENT_HID, seat, value)
        self.phase = codes.PHASE_PLAY

    def _reveal(self, played: list[int]) -> None:
        """Show the cards played, one of each seat, and settle who takes from the dance floor."""
        for seat in range(self.seats):
            bit: i64 = 1 << played[seat]
            self.hands[seat] ^= bit
            self.unseen[seat] ^= bit
            self._note(codes.EVENT_PLAYED, seat, played[seat])
        self.played = played
        for distance in range(self.seats):
            seat = (self.tied + distance) % self.seats
            if played[seat] == KING:
                self._begin_haul(seat)
                return
        self._begin_picks(self._pick_order(played))

    def _pick_order(self, played: list[int]) -> list[int]:
        """Seats by the value they played; equal ones by distance from the Tied card (P3, P5)."""
        order: list[int] = []
        for distance in range(self.seats):
            seat = (self.tied + distance) % self.seats
            place = len(order)
            while place > 0 and played[order[place - 1]] > played[seat]:
                place -= 1
            order.insert(place, seat)
        return order

    def _begin_haul(self, seat: int) -> None:
        self.waiting = [seat]
        if self._may_pair(seat) and self._left_by_haul(seat):
            self.phase = codes.PHASE_HAUL
        else:
            self._haul(pair_hidden=False)

    def _begin_picks(self, order: list[int]) -> None:
        self.waiting = order
        self.phase = codes.PHASE_PICK
        self._pick_forced()

    def _pick_forced(self) -> None:
        """Carry out the picks that public knowledge forces, up to the next choice (P24 asks more often)."""
        while self.waiting:
            seat = self.waiting[0]
            floor: i64 = self._floor_bits()
            if floor & (floor - 1) or (self._may_pair(seat) and floor & ~self.displays[seat]):
                return
            self._take(lowest(floor), pair_hidden=False)
        self._end_picks()

    def _choose(self, code: int) -> None:
        kind = code >> 4
        if kind <= codes.TAKE_AND_PAIR:
            self._take(code & 15, pair_hidden=kind == codes.TAKE_AND_PAIR)
            self._pick_forced()
        elif kind <= codes.HAUL_AND_PAIR:
            self._haul(pair_hidden=kind == codes.HAUL_AND_PAIR)
        else:
            self._use_mirror(code - codes.KEEP_MIRROR * 16)
            self._next_round()

    def _take(self, value: i64, *, pair_hidden: bool) -> None:
        seat = self.waiting.pop(0)
        self._note(codes.EVENT_TOOK, seat, value)
        self.floor[self._owner(value)] = 0
        bit: i64 = 1 << value
        if self.displays[seat] & bit:
            self._note(codes.EVENT_PAIRED, seat, value)
        self._arrive(seat, bit, bit, pair_hidden=pair_hidden)

    def _owner(self, value: i64) -> i64:
        """Whose card of this value goes: the owner closest to the Tied card, Paul last (P39)."""
        for distance in range(self.seats):
            owner: i64 = (self.tied + distance) % self.seats
            if self.floor[owner] == value:
                return owner
        return self.seats

    def _haul(self, *, pair_hidden: bool) -> None:
        seat = self.waiting.pop(0)
        self._note(codes.EVENT_HAULED, seat, 0)
        came: i64 = 0
        odd: i64 = 0
        for owner in range(self.players):
            value = self.floor[owner]
            bit: i64 = 1 << value
            if (self.displays[seat] ^ odd) & bit:
                self._note(codes.EVENT_PAIRED, seat, value)
            came |= bit
            odd ^= bit
            self.floor[owner] = 0
        self._arrive(seat, came, odd, pair_hidden=pair_hidden)
        self._end_round()

    def _arrive(self, seat: int, came: i64, odd: i64, *, pair_hidden: bool) -> None:
        """Lay the values of `came` into a display; `odd` are those that came oddly often (P7, P8, P25)."""
        display: i64 = self.displays[seat] ^ odd
        hidden = self.hidden[seat]
        if hidden:
            left: i64 = came & display
            if left >> hidden & 1 and (pair_hidden or self.options.must):
                display ^= 1 << hidden
                self._note(codes.EVENT_PAIRED_HIDDEN, seat, hidden)
                self._show_hidden(seat)
            elif self.options.must:
                self.excluded[seat] |= left
        self.displays[seat] = display

    def _end_picks(self) -> None:
        """Paul gets the card that is left (P17, P20)."""
        if self.players > self.seats:
            value = lowest(self._floor_bits())
            self._note(codes.EVENT_TOOK, self.seats, value)
            self.floor[self._owner(value)] = 0
            if self.displays[self.seats] >> value & 1:
                self._note(codes.EVENT_PAIRED, self.seats, value)
            self._arrive(self.seats, 1 << value, 1 << value, pair_hidden=False)
        self._end_round()

    def _end_round(self) -> None:
        """Move the played cards to the dance floor, then offer the mirror (P41)."""
        if self.round == self.options.final_round:
            self._end_game()
            return
        self.floor = self.played
        self.played = []
        if self.players > self.seats:
            self._reveal_paul()
        if self.mirror < 0 or self.round > self.options.draws or self._mirror_forced():
            self._next_round()
        else:
            self.waiting = [self.mirror]
            self.phase = codes.PHASE_MIRROR

    def _reveal_paul(self) -> None:
        value = self.decks[self.seats][self.round]
        self.floor.append(value)
        self.unseen[self.seats] ^= 1 << value
        self._note(codes.EVENT_PLAYED, self.seats, value)

    def _mirror_forced(self) -> bool:
        """Whether only one thing could be done with the mirror; then it is done."""
        choices: i64 = self._mirror_choices()
        if choices & (choices - 1):
            return False
        if choices == 0:
            self._note(codes.EVENT_MIRROR_LOST, self.mirror, 0)
            self.mirror = -1
        elif choices >> 32:
            self._use_mirror(32)
        else:
            self._use_mirror(lowest(choices))
        return True

    def _use_mirror(self, choice: i64) -> None:
        """Carry out one bit of the mirror's choices."""
        if choice == 0:
            return
        seat = self.mirror
        if choice == 32:
            self._note(codes.EVENT_MIRRORED_HIDDEN, seat, self.hidden[seat])
            self._show_hidden(seat)
        else:
            self._note(codes.EVENT_MIRRORED, seat, choice - 16)
            self.displays[seat] ^= 1 << (choice - 16)
        self.mirror = -1

    def _next_round(self) -> None:
        if self.round <= self.options.draws:
            for seat in range(self.seats):
                self._draw(seat, self.options.dealt + self.round)
        self.round += 1
        self.waiting = []
        if self.round < self.options.final_round - 1:
            self.phase = codes.PHASE_PLAY
        elif self.round < self.options.final_round:  # everybody holds one card
            self._reveal([lowest(bits) for bits in self.hands[: self.seats]])
        else:
            self._begin_picks([(self.tied - 1 - index) % self.seats for index in range(self.seats)])

    # How a game begins and ends

    def begin_game(self) -> None:
        """Deal the next game of the series; the deal depends on the root key and the game's number alone."""
        name = f"game {self.game + 1}"
        self._note(codes.EVENT_GAME, 0, self.game + 1)
        self.decks = self._shuffled(Rng(self.key).fork(name + " deal"))
        self.floor = [deck[0] for deck in self.decks]
        self.displays = [0] * self.players
        self.hidden = [0] * self.players
        self.hands = [0] * self.players
        self.excluded = [0] * self.seats if self.options.must else []
        self.unseen = [ALL ^ (1 << value) for value in self.floor]
        self.round = 1
        self._give_tied(name + " tied")
        if self.mirror >= 0:
            self._note(codes.EVENT_MIRROR_GIVEN, self.mirror, 0)
        for seat in range(self.seats):
            for index in range(1, 1 + self.options.dealt):
                self._draw(seat, index)
        self.phase = codes.PHASE_HIDE if self.options.hidden_card else codes.PHASE_PLAY

    def _shuffled(self, rng: Rng) -> list[list[int]]:
        decks: list[list[int]] = []
        for player in range(self.players):
            deck = list(range(1, KING + 1))
            rng.shuffle(deck)
            if deck[0] == KING:  # the next card is laid out, and the King goes anywhere below it (P1, P15)
                self._note(codes.EVENT_KING_RETURNED, player, KING)
                del deck[0]
                deck.insert(1 + rng.below(KING - 1), KING)
            self._note(codes.EVENT_LAID_OUT, player, deck[0])
            decks.append(deck)
        return decks

    def _give_tied(self, label: str) -> None:
        """The seat with the lowest card on the dance floor, never Paul; luck among equals (P2, P16)."""
        least = min(self.floor[: self.seats])
        equals = [seat for seat in range(self.seats) if self.floor[seat] == least]
        self.tied = Rng(self.key).fork(label).choice(equals) if len(equals) > 1 else equals[0]
        self._note(codes.EVENT_TIED, self.tied, 0)

    def _draw(self, seat: int, index: int) -> None:
        value = self.decks[seat][index]
        self.hands[seat] |= 1 << value
        self._note(codes.EVENT_DREW, seat, value)

    def _end_game(self) -> None:
        for seat in range(self.seats):
            if self.hidden[seat]:  # revealed and counted, never paired (P26)
                self._note(codes.EVENT_REVEALED, seat, self.hidden[seat])
                self.unseen[seat] ^= 1 << self.hidden[seat]
        points = [self._points(player) for player in range(self.players)]
        for player in range(self.players):
            self._note(codes.EVENT_SCORED, player, points[player])
        if self.options.mirror_series and self.game + 1 < self.seats:
            self.totals = [self.totals[player] + points[player] for player in range(self.players)]
            self.mirror = self._furthest_behind()
            self.game += 1
            self.begin_game()
        else:
            self.points = points
            self.phase = codes.PHASE_OVER

    def _furthest_behind(self) -> int:
        """The seat with the highest total, the closest to the Tied card among equals (P29, P33)."""
        behind = self.tied
        for distance in range(1, self.seats):
            seat = (self.tied + distance) % self.seats
            if self.totals[seat] > self.totals[behind]:
                behind = seat
        return behind

    # Small parts

    def _note(self, kind: int, player: i64, value: i64) -> None:
        mark: i64 = codes.PAUL_MARK if player == self.seats else 0
        self.log.append(mark | kind << 16 | player << 8 | value)

    def _floor_bits(self) -> i64:
        bits: i64 = 0
        for value in self.floor:
            bits |= 1 << value
        return bits & ALL

    def _left_by_haul(self, seat: int) -> i64:
        """Values of the dance floor that would lie single in the display after the haul (P25)."""
        display: i64 = self.displays[seat]
        for value in self.floor:
            display ^= 1 << value
        return display & self._floor_bits()

    def _may_pair(self, seat: int) -> bool:
        """Whether the seat is asked about its hidden card when a card arrives (P24)."""
        return self.hidden[seat] != 0 and not self.options.must

    def _show_hidden(self, seat: int) -> None:
        self.unseen[seat] ^= 1 << self.hidden[seat]
        self.hidden[seat] = 0
        if self.options.must:
            self.excluded[seat] = 0

    def _points(self, player: int) -> int:
        points: i64 = self.hidden[player]
        display: i64 = self.displays[player]
        value: i64 = 1
        while value <= KING:
            if display >> value & 1:
                points += value
            value += 1
        return points

    def _hidden_bits(self) -> int:
        bits = 0
        if self.options.hidden_card:
            for seat in range(self.seats):
                if self.hidden[seat]:
                    bits |= 1 << seat
        return bits


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
            Option(
                "mirror_series",
                [False, True],
                "variant 2: a game per seat, a mirror card for whoever is behind",
            ),
            Option(
                "hidden_pairing",
                ["may", "must"],
                "whether a hidden card may or must be discarded with its match",
            ),
        ]

    def variants(self) -> Mapping[str, Options]:
        return {
            "base": Options(),
            "hidden-card": Options(hidden_card=True),
            "hidden-card-must": Options(hidden_card=True, hidden_pairing="must"),
            "mirror-series": Options(mirror_series=True),
            "hidden-card-mirror-series": Options(hidden_card=True, mirror_series=True),
            "hidden-card-must-mirror-series": Options(
                hidden_card=True, mirror_series=True, hidden_pairing="must"
            ),
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
        if seats not in self.seat_counts():
            raise ValueError(f"party-bugs: expected 2 to 6 seats, got {seats}")
        state = PartyBugsState(options, seats, rng.key, [])
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
        key = plain.hexadecimal(data, "rng", 32)
        state = PartyBugsState(options, plain.number(data, "seats", 2, 6), key, [])
        stored.fill(state, data)
        return state


GAME: Final = PartyBugs()


def values_of(bits: i64) -> list[int]:
    """The values of a set, ascending."""
    values: list[int] = []
    value: i64 = 1
    while value <= KING:
        if bits >> value & 1:
            values.append(value)
        value += 1
    return values


def bits_of(values: Sequence[int]) -> int:
    """The set of these values."""
    bits = 0
    for value in values:
        bits |= 1 << value
    return bits


def lowest(bits: i64) -> i64:
    """The lowest bit of a set that is not empty."""
    value: i64 = 0
    while not bits >> value & 1:
        value += 1
    return value


def paul_remark(scores: Sequence[int]) -> str:
    """What the places of two seats cannot say: Paul's total, and whether he won; he loses ties (P22, P37)."""
    verdict = "the lowest total: Paul won" if scores[2] < min(scores[:2]) else "not the lowest total"
    return f"Paul has {scores[2]} points, {verdict}."


def imagined(view: Observation, rng: Rng) -> PartyBugsState:
    """A state drawn evenly from those that the view allows (P36); its later luck is drawn here too."""
    key = 0
    for _ in range(4):
        key = key << 32 | int(rng.bits32())
    state = PartyBugsState(view.options, view.seats, key, [])
    state.game, state.round, state.phase = view.game, view.round, view.phase
    state.tied, state.mirror = view.tied, view.mirror
    state.floor = view.floor[:]
    state.played = view.played[:]
    state.waiting = view.waiting[:]
    state.displays = view.display_bits[:]
    state.unseen = view.unseen_bits[:]
    state.excluded = view.excluded_bits[:]
    state.totals = view.totals[:]
    state.points = view.points[:]
    state.hidden = [imagined_hidden(view, player, rng) for player in range(state.players)]
    state.hands = [imagined_hand(view, state, player, rng) for player in range(state.players)]
    return state


def imagined_hidden(view: Observation, player: int, rng: Rng) -> int:
    """A value for the player's hidden card, 0 for none; drawn first, since the hand could strand the King."""
    if not view.hidden_bits >> player & 1:
        return 0
    if player == view.seat:
        return view.hidden_value
    if view.phase == codes.PHASE_OVER:
        return view.points[player] - sum(values_of(view.display_bits[player]))
    excluded = view.excluded_bits[player] if view.options.must else 0
    return rng.choice(values_of(view.unseen_bits[player] & ~excluded & ~KING_BIT))


def imagined_hand(view: Observation, state: PartyBugsState, player: int, rng: Rng) -> int:
    """The player's hand; what is left of the colour becomes the pile, in random order."""
    hand = view.hand_bits
    rest = values_of(view.unseen_bits[player] & ~(1 << state.hidden[player]))
    rng.shuffle(rest)
    if player != view.seat:
        hand = 0 if player == view.seats else bits_of(rest[: len(view.hand)])
    pile = [value for value in rest if not hand >> value & 1]
    state.decks.append(values_of(ALL & ~bits_of(pile)) + pile)
    return hand
