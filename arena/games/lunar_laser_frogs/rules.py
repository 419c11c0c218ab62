"""Lunar Laser Frogs, complete: 3 to 8 seats, sealed throwing windows or arrival order, extra turns (rulings F1-F29).

A turn is: window 0, roll, window 1, roll, window 2, roll, window 3, the roller names a seat, the cards are shown. The
luck of a round, in which every seat rolls once, is drawn when it begins, so nothing that players do can change it.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

from mypy_extensions import i64

from arena.engine import plain
from arena.engine.contract import IllegalAction, Outcome, State, places
from arena.engine.options import Option, Value, resolve
from arena.engine.packed import members
from arena.engine.rng import Rng
from arena.games.lunar_laser_frogs import codes, stored, words
from arena.games.lunar_laser_frogs.rules_codes import (
    CODE_BITS,
    DICE,
    EVENT_COPIED,
    EVENT_EXTRA_TURN,
    EVENT_LASERED,
    EVENT_REVEALED,
    EVENT_ROLLED,
    EVENT_THREW,
    EVENT_TURN,
    GREY,
    LAST_WINDOW,
    NAME,
    PAIR_BITS,
    PHASE_NAME,
    PHASE_OVER,
    PHASE_ROLL,
    PHASE_THROW,
    ROLL,
    THROW,
    THROW_TWO,
    VALUE_MASK,
    WAIT,
)
from arena.games.lunar_laser_frogs.rules_dice import (
    MOST_EXTRA_TURNS,
    THE_DICE,
    missing_colours,
    points,
    unrolled,
    with_shown,
)
from arena.games.lunar_laser_frogs.rules_views import Observation, Options, Pile, cards_that_score, cards_to_throw

MOST_TURNS: Final = 6  # of each seat, as an option
WINDOWS: Final = 4
HIGHEST_CODE: Final = NAME << CODE_BITS | VALUE_MASK
SEATS_OF: Final = tuple(tuple(members(seats)) for seats in range(256))  # by set of seats
ALONE: Final = tuple((seat,) for seat in range(8))
NOBODY: Final[tuple[int, ...]] = ()
OWN_THROW: Final = 0xFFFFFF  # what a seat may see of its own throws, and of others'
OTHERS_THROW: Final = 0xFFFF
FACTORIALS: Final = [1, 1, 2, 6, 24, 120, 720, 5040]
PAIR_MASK: Final = (1 << PAIR_BITS) - 1


def _throws(without: int) -> list[int]:
    """Codes to throw one card, but not this one."""
    return [THROW << CODE_BITS | card for card in range(1, GREY + 1) if card != without]


def _pairs() -> list[int]:
    """Codes to throw two different cards at once, in order (F25)."""
    cards = range(1, GREY + 1)
    return [THROW_TWO << CODE_BITS | one << 3 | two for one in cards for two in cards if one != two]


def _names(seats: int, roller: int) -> list[int]:
    """Codes to name one of the others."""
    return [NAME << CODE_BITS | other for other in range(seats) if other != roller]


NAMES: Final = [[_names(seats, roller) for roller in range(seats)] for seats in range(9)]
MUST: Final = [_throws(without) for without in range(GREY + 1)]  # by the card that is thrown already, 0 for none
MUST_TWO: Final = _pairs()
MAY: Final = [[WAIT << CODE_BITS, *throws] for throws in MUST]
MAY_TWO: Final = [*MAY[0], *MUST_TWO]


class LunarLaserFrogsState(State[Observation]):
    """One match under way."""

    def __init__(self, options: Options, seats: i64, rng: Rng, log: list[int]) -> None:
        none: list[int] = []
        self.options = options
        self.seats: i64 = seats
        self.to_throw: i64 = cards_to_throw(seats)
        self.scoring: i64 = cards_that_score(seats)
        self.whole: i64 = options.turns_each(seats) * seats  # turns before anybody can win
        self.rng = rng  # the root of all luck
        self.log = log  # events, with what they hide from others
        self.turn: i64 = 0
        self.roller: i64 = 0
        self.phase: i64 = PHASE_THROW
        self.window: i64 = 0
        self.owing: i64 = 0  # the set of seats that have still to throw
        self.left: i64 = 0  # dice not rolled yet, three bits for each kind
        self.faces: i64 = 0  # a row by die
        self.pile: i64 = 0  # a row of seats that count from 1, in the order in which their cards landed
        self.cards: i64 = 0  # a row, as the pile
        self.windows: i64 = 0  # a row, as the pile
        self.size: i64 = 0  # of the pile
        self.last_roller: i64 = -1  # the turn before this one
        self.last_named: i64 = 0
        self.last_faces: i64 = 0
        self.last_pile = Pile(0, 0, 0, 0)
        self.points = none  # by seat
        self.rolls = none  # by turn of the round: the row of faces that the dice will show
        self.orders = none  # by turn of the round: four numbers of orders, one for each window

    # What others ask

    def to_act(self) -> tuple[int, ...]:
        """Seats that must act now."""
        if self.phase == PHASE_THROW:
            return SEATS_OF[self.owing]
        return ALONE[self.roller] if self.phase < PHASE_OVER else NOBODY

    def legal_actions(self, seat: int) -> list[int]:
        """Waiting first, then single cards, then two at once; dice by kind; seats ascending."""
        if self.phase == PHASE_THROW:
            return self._throw_choices(seat)[:] if 0 <= seat < 8 and self.owing >> seat & 1 else []
        if self.phase == PHASE_OVER or seat != self.roller:
            return []
        if self.phase == PHASE_ROLL:
            return self._roll_choices()[:]
        return NAMES[self.seats][self.roller][:]

    def apply(self, actions: dict[int, int]) -> None:
        """Carry out the actions and all that follows from them."""
        if self.phase == PHASE_THROW:
            self._check_throws(actions)
            if self.options.by_arrival:
                self._land_by_arrival(actions)
            else:
                self._land_by_luck(actions)
            self._close_window()
            return
        value: i64 = self._roller_value(actions)
        if self.phase == PHASE_ROLL:
            self._roll(value)
        else:
            self._reveal(value)

    def observe(self, seat: int) -> Observation:
        """All that the seat may know."""
        view = Observation(self.options, self.seats, seat)
        view.turn, view.roller, view.phase, view.window = self.turn, self.roller, self.phase, self.window
        view.face_row = self.faces
        if seat == self.roller and not self.options.roller_sees_order:
            view.pile = self._pile_by_seat()
        else:
            view.pile = Pile(self.pile, self._cards_of(seat), self.windows, self.size)
        view.points = self.points[:]
        view.last_roller, view.last_named = self.last_roller, self.last_named
        view.last_face_row, view.last_pile = self.last_faces, self.last_pile
        return view

    def events(self, seat: int, since: int) -> list[int]:
        """The log as this seat saw it: others' cards have value 0, and a roller may see them by seat (F8)."""
        log = self.log if self.options.roller_sees_order else self._log_by_seat(seat, since)
        seen: list[int] = []
        for code in log[since:]:
            if code & 255 != EVENT_THREW:
                seen.append(code)
            else:
                seen.append(code & OWN_THROW if code >> 8 & 255 == seat else code & OTHERS_THROW)
        return seen

    def standing(self) -> list[int]:
        """The points so far."""
        return self.points[:]

    def outcome(self) -> Outcome:
        """Places by points; a tie for the lead remains only where the extra turns ran out (F22, F23, F28)."""
        if self.phase != PHASE_OVER:
            raise ValueError("outcome: expected a finished match, got one under way")
        ranked = places([(-points,) for points in self.points])
        return Outcome(ranked, self.points[:], words.remarks(self.turn - self.whole, ranked.count(1)))

    def clone(self) -> "LunarLaserFrogsState":
        """An independent copy; the luck of a round and the pile of the last turn never change, so they are shared."""
        copy = LunarLaserFrogsState(self.options, self.seats, self.rng, self.log[:])
        copy.turn, copy.roller, copy.phase, copy.window = self.turn, self.roller, self.phase, self.window
        copy.owing, copy.left, copy.faces = self.owing, self.left, self.faces
        copy.pile, copy.cards, copy.windows, copy.size = self.pile, self.cards, self.windows, self.size
        copy.last_roller, copy.last_named = self.last_roller, self.last_named
        copy.last_faces, copy.last_pile = self.last_faces, self.last_pile
        copy.points = self.points[:]
        copy.rolls, copy.orders = self.rolls, self.orders
        return copy

    def dump(self) -> dict[str, object]:
        """The whole state as plain data."""
        return stored.dumped(self)

    # What may be done

    def _throw_choices(self, seat: i64) -> list[int]:
        """What a seat that owes cards may do; in the last window it must throw all of them (F17, F25)."""
        may_wait = self.window < LAST_WINDOW
        if self.to_throw == 1:
            return MAY[0] if may_wait else MUST[0]
        thrown: i64 = self.thrown(seat)
        if thrown == 0:
            return MAY_TWO if may_wait else MUST_TWO
        return MAY[thrown] if may_wait else MUST[thrown]

    def _roll_choices(self) -> list[int]:
        """What the roller may roll, now that it is not all of the rest (F3)."""
        return THE_DICE.first_choices[self.left] if self.window == 0 else THE_DICE.second_choices[self.left]

    def thrown(self, seat: i64) -> i64:
        """The card that the seat threw first in this turn, 0 for none."""
        at: i64 = 0
        while at < self.size:
            if self.pile >> (at << 2) & 15 == seat + 1:
                return self.cards >> (at << 2) & 15
            at += 1
        return 0

    def _check_throws(self, actions: dict[int, int]) -> None:
        """Refuse actions that are not exactly one legal action of each seat that owes cards."""
        count: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            if self.owing >> seat & 1:
                self._check_throw(seat, actions)
                count += 1
            seat += 1
        if len(actions) != count:
            self._refuse(actions)

    def _check_throw(self, seat: i64, actions: dict[int, int]) -> None:
        given = actions.get(seat)
        if given is None:
            self._refuse(actions)
        code: i64 = given if 0 <= given <= HIGHEST_CODE else 0
        if not self._is_throw(seat, code):
            raise IllegalAction(f"seat {seat + 1}: expected one of {self.legal_actions(seat)}, got {given}")

    def _is_throw(self, seat: i64, code: i64) -> bool:
        """Whether the seat, which owes cards, may do this."""
        kind: i64 = code >> CODE_BITS
        card: i64 = code & VALUE_MASK
        if kind == WAIT:
            return card == 0 and self.window < LAST_WINDOW
        thrown: i64 = 0 if self.to_throw == 1 else self.thrown(seat)
        if kind == THROW:
            owes_two = self.to_throw == 2 and thrown == 0
            return 1 <= card <= GREY and card != thrown and not (owes_two and self.window == LAST_WINDOW)
        if kind != THROW_TWO or self.to_throw == 1 or thrown:
            return False
        first: i64 = card >> 3
        second: i64 = card & 7
        return 1 <= first <= GREY and 1 <= second <= GREY and first != second

    def _roller_value(self, actions: dict[int, int]) -> i64:
        """The roller's action without its kind, if it is legal."""
        given = actions.get(self.roller)
        if given is None or len(actions) != 1 or self.phase == PHASE_OVER:
            self._refuse(actions)
        code: i64 = given if 0 <= given <= HIGHEST_CODE else 0
        value: i64 = code & VALUE_MASK
        kind: i64 = code >> CODE_BITS
        if self.phase == PHASE_ROLL:
            is_legal = kind == ROLL and self._may_roll(value)
        else:
            is_legal = kind == NAME and value < self.seats and value != self.roller
        if not is_legal:
            raise IllegalAction(f"seat {self.roller + 1}: expected one of {self._listed_choices()}, got {given}")
        return value

    def _listed_choices(self) -> list[int]:
        return self.legal_actions(self.roller)

    def _may_roll(self, value: i64) -> bool:
        """Whether so many dice of each kind are left, at least one is rolled, and enough stay for later (F2, F3)."""
        count: i64 = 0
        rest: i64 = 0
        shift: i64 = 0
        while shift < 9:
            wanted: i64 = value >> shift & 7
            there: i64 = self.left >> shift & 7
            if wanted > there:
                return False
            count += wanted
            rest += there - wanted
            shift += 3
        return value < 512 and count >= 1 and rest >= 2 - self.window

    def _refuse(self, actions: dict[int, int]) -> NoReturn:
        raise IllegalAction(f"expected one action of each of the seats {self.to_act()}, got {actions}")

    # How a turn goes

    def _land_by_luck(self, actions: dict[int, int]) -> None:
        """Cards land in an order drawn for all others, of which those who wait are left out (F26)."""
        order: i64 = self.order(self.turn % self.seats, self.window)
        while order:
            seat: i64 = (order & 15) - 1
            order >>= 4
            if self.owing >> seat & 1:
                self._throw(seat, actions[seat])

    def _land_by_arrival(self, actions: dict[int, int]) -> None:
        """Cards land in the order in which the answers came (F27)."""
        for seat, code in actions.items():
            self._throw(seat, code)

    def _throw(self, seat: i64, code: i64) -> None:
        kind: i64 = code >> CODE_BITS
        if kind == WAIT:
            return
        if kind == THROW_TWO:
            self._drop(seat, code >> 3 & 7)
            self._drop(seat, code & 7)
        else:
            self._drop(seat, code & VALUE_MASK)
        if self.to_throw == 1 or kind == THROW_TWO or self._threw_before(seat):
            self.owing ^= 1 << seat

    def _threw_before(self, seat: i64) -> bool:
        """Whether the card that the seat has just dropped is not its first."""
        at: i64 = 0
        while at < self.size - 1:
            if self.pile >> (at << 2) & 15 == seat + 1:
                return True
            at += 1
        return False

    def _drop(self, seat: i64, card: i64) -> None:
        shift: i64 = self.size << 2
        self.pile |= (seat + 1) << shift
        self.cards |= card << shift
        self.windows |= self.window << shift
        self.size += 1
        # The roller goes into the log too, since it may be the one who sees no order (F8).
        self._note(EVENT_THREW, seat, (self.roller + 1) << 8 | card)

    def _close_window(self) -> None:
        """Go on to the next roll, or to the naming after the last one; a roll without a choice is made at once."""
        if self.window == LAST_WINDOW:
            self.phase = PHASE_NAME
        elif self.window == LAST_WINDOW - 1:
            self._roll(self.left)
        else:
            choices = self._roll_choices()
            if len(choices) == 1:
                only: i64 = choices[0]
                self._roll(only & VALUE_MASK)
            else:
                self.phase = PHASE_ROLL

    def _roll(self, wanted: i64) -> None:
        """Roll so many dice of each kind, the lowest numbers first, and open the next window if somebody owes."""
        self.left -= wanted
        drawn: i64 = self.rolls[self.turn % self.seats]
        rolled: i64 = 0
        die: i64 = 0
        while die < DICE:
            face: i64 = 15 << (die << 2)
            kind: i64 = THE_DICE.shift(die)
            if not self.faces & face and wanted >> kind & 7:
                wanted -= 1 << kind
                rolled |= drawn & face
            die += 1
        self.faces |= rolled
        self._note(EVENT_ROLLED, self.roller, rolled)
        self.window += 1
        if self.window == LAST_WINDOW:
            self._note_lasered()
        if self.owing:
            self.phase = PHASE_THROW
        else:
            self._close_window()

    def _note_lasered(self) -> None:
        missing: i64 = missing_colours(self.faces)
        card: i64 = 1
        while missing:
            if missing & 1:
                self._note(EVENT_LASERED, self.roller, card)
            missing >>= 1
            card += 1

    def _reveal(self, named: i64) -> None:
        """Show the cards, give everybody the points (F7, F18), and go on to the next turn."""
        brought: i64 = points(self.faces, self.cards, self.size, self.scoring)
        copied: i64 = 0
        at: i64 = 0
        while at < self.size:
            shift: i64 = at << 2
            seat: i64 = (self.pile >> shift & 15) - 1
            one: i64 = brought >> shift & 15
            if one:
                self.points[seat] += one
            if seat == named:
                copied += one
            self._note(EVENT_REVEALED, seat, one << 3 | self.cards >> shift & 15)
            at += 1
        self.points[self.roller] += copied
        self._note(EVENT_COPIED, self.roller, copied << 3 | named)
        self._end_turn(named)

    def _end_turn(self, named: i64) -> None:
        self.last_roller = self.roller
        self.last_named = named
        self.last_faces = self.faces
        self.last_pile = Pile(self.pile, self.cards, self.windows, self.size)
        self.faces = self.pile = self.cards = self.windows = self.size = self.window = 0
        self.turn += 1
        if self._is_decided():
            self.phase = PHASE_OVER
        else:
            self.roller = self.roller + 1 if self.roller + 1 < self.seats else 0
            self.begin_turn()

    def _is_decided(self) -> bool:
        """Whether everybody had the agreed turns, and one leads or the extra turns are used up (F21 to F23)."""
        if self.turn < self.whole:
            return False
        return self.turn - self.whole >= MOST_EXTRA_TURNS or self.points.count(max(self.points)) == 1

    def begin_turn(self) -> None:
        """Give the roller the dice and open the first window."""
        if self.turn % self.seats == 0:
            self.draw_luck(self.rng.fork(f"round {self.turn // self.seats + 1}"))
        self.owing = (1 << self.seats) - 1 ^ 1 << self.roller
        self.left = THE_DICE.all
        self.phase = PHASE_THROW
        if self.turn < self.whole:
            self._note(EVENT_TURN, self.roller, self.turn + 1)
        else:
            self._note(EVENT_EXTRA_TURN, self.roller, self.turn - self.whole + 1)

    def draw_luck(self, rng: Rng) -> None:
        """Draw what the dice show and how cards land in each turn of a round; nobody's choices have a say in it."""
        self.rolls = []
        self.orders = []
        orders: i64 = FACTORIALS[self.seats - 1]
        turn: i64 = 0
        while turn < self.seats:
            self.rolls.append(THE_DICE.drawn(rng))
            early: i64 = rng.below(orders * orders)
            late: i64 = rng.below(orders * orders)
            self.orders.append(late << PAIR_BITS | early)
            turn += 1

    def order(self, turn: i64, window: i64) -> i64:
        """The landing order of a window in a turn of this round: a row of the other seats, counted from 1."""
        numbers: i64 = self.orders[turn]
        pair: i64 = numbers >> PAIR_BITS if window >= 2 else numbers & PAIR_MASK
        orders: i64 = FACTORIALS[self.seats - 1]
        now: i64 = self.turn if self.phase != PHASE_OVER else self.turn - 1  # the roller's turn in any case
        roller: i64 = (self.roller + turn - now % self.seats + self.seats) % self.seats
        return order_of(pair // orders if window & 1 else pair % orders, self.seats, roller)

    # Small parts

    def _note(self, kind: i64, player: i64, value: i64) -> None:
        self.log.append(value << 16 | player << 8 | kind)

    def _cards_of(self, seat: i64) -> i64:
        """The cards of the pile, with 0 for those of others."""
        seen: i64 = 0
        at: i64 = 0
        while at < self.size:
            shift: i64 = at << 2
            if self.pile >> shift & 15 == seat + 1:
                seen |= self.cards & 15 << shift
            at += 1
        return seen

    def _pile_by_seat(self) -> Pile:
        """The pile as a roller sees it who may not see the order: window by window, in each by seat, all face down."""
        seats: i64 = 0
        windows: i64 = 0
        size: i64 = 0
        for window in range(WINDOWS):
            for seat in range(self.seats):
                for at in range(self.size):
                    if self.windows >> (at << 2) & 15 == window and self.pile >> (at << 2) & 15 == seat + 1:
                        seats |= (seat + 1) << (size << 2)
                        windows |= window << (size << 2)
                        size += 1
        return Pile(seats, 0, windows, size)

    def _log_by_seat(self, seat: int, since: int) -> list[int]:
        """The log with what was thrown at once in the order of seats, where this seat was the roller (F8)."""
        log = self.log[:]
        start = since
        while start > 0 and is_hidden_throw(log[start - 1], seat):
            start -= 1
        while start < len(log):
            end = start
            while end < len(log) and is_hidden_throw(log[end], seat):
                end += 1
            log[start:end] = sorted(log[start:end], key=player_of)  # a seat's own two cards stay in order
            start = end + 1
        return log


def is_hidden_throw(code: int, roller: int) -> bool:
    """Whether an event of the log is a throw in a turn of this roller."""
    return code & 255 == EVENT_THREW and code >> 24 == roller + 1


def player_of(code: int) -> int:
    """Who did what the event says."""
    return code >> 8 & 255


def order_of(number: i64, seats: i64, roller: i64) -> i64:
    """One of the orders of all seats but the roller's, as a row of seats that count from 1."""
    row: i64 = 0
    size: i64 = 0
    seat: i64 = 0
    while seat < seats:
        if seat != roller:
            size += 1
            shift: i64 = number % size << 2  # it goes anywhere among those that are there
            number //= size
            kept: i64 = row & ((1 << shift) - 1)
            row = (row ^ kept) << 4 | (seat + 1) << shift | kept
        seat += 1
    return row


class LunarLaserFrogs:
    """The rules as a game of the contract."""

    @property
    def name(self) -> str:
        return "lunar-laser-frogs"

    @property
    def title(self) -> str:
        return "Lunar Laser Frogs"

    def seat_counts(self) -> range:
        return range(3, 9)

    def option_list(self) -> Sequence[Option]:
        return [
            Option("turns", list(range(MOST_TURNS + 1)), "of each seat; 0: 3 with 3 seats, 2 with 4 or 5, else 1"),
            Option("roller_sees_order", [True, False], "whether the roller sees in which order cards were thrown"),
            Option(
                "timing",
                ["windows", "arrival"],
                "what orders the cards of a window: luck, or arrival",
                live=["arrival"],
            ),
        ]

    def variants(self) -> Mapping[str, Options]:
        return {
            "base": Options(),
            "hidden-order": Options(roller_sees_order=False),
            "long": Options(turns=MOST_TURNS),
        }

    def options(self, given: Mapping[str, object]) -> Options:
        read = resolve(self.option_list(), given)
        sees_order = read["roller_sees_order"] is True
        return Options(turns=int(read["turns"]), roller_sees_order=sees_order, timing=str(read["timing"]))

    def plain_options(self, options: Options) -> dict[str, Value]:
        return options.plain()

    def length_bound(self, options: Options, seats: int) -> int:
        """Four windows, two choices of dice and a name in every turn, extra turns included."""
        return (WINDOWS + 3) * (options.turns_each(seats) * seats + MOST_EXTRA_TURNS)

    def setup(self, options: Options, seats: int, rng: Rng) -> LunarLaserFrogsState:
        if seats not in self.seat_counts():
            raise ValueError(f"lunar-laser-frogs: expected 3 to 8 seats, got {seats}")
        state = LunarLaserFrogsState(options, seats, rng, [])
        state.points = [0] * seats
        state.roller = rng.fork("start").below(seats)  # F1
        state.begin_turn()
        return state

    def determinize(self, observation: Observation, rng: Rng) -> LunarLaserFrogsState:
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

    def load(self, data: Mapping[str, object]) -> LunarLaserFrogsState:
        plain.fields(data, stored.FIELDS)
        options = self.options(plain.mapping(data, "options"))
        rng = Rng(plain.hexadecimal(data, "rng", 32))
        state = LunarLaserFrogsState(options, plain.number(data, "seats", 3, 8), rng, [])
        stored.fill(state, data)
        return state


GAME: Final = LunarLaserFrogs()


def imagined(view: Observation, rng: Rng) -> LunarLaserFrogsState:
    """A state drawn evenly from those that the view allows (F29); its later luck is drawn here too."""
    key = int(rng.bits32())
    for _ in range(3):
        key = key << 32 | int(rng.bits32())
    state = LunarLaserFrogsState(view.options, view.seats, Rng(key), [])
    state.turn, state.roller, state.phase, state.window = view.turn, view.roller, view.phase, view.window
    state.faces = view.face_row
    state.last_roller, state.last_named = view.last_roller, view.last_named
    state.last_faces, state.last_pile = view.last_face_row, view.last_pile
    state.points = view.points[:]
    if view.phase == PHASE_OVER:
        return state
    state.draw_luck(rng)
    state.rolls[view.turn % view.seats] = with_shown(state.rolls[view.turn % view.seats], view.face_row)
    state.left = unrolled(view.face_row)
    _imagine_pile(state, view, rng)
    return state


def _imagine_pile(state: LunarLaserFrogsState, view: Observation, rng: Rng) -> None:
    """Give a state the pile of the view, with cards where it shows none, and find out who owes cards."""
    pile = view.pile
    if view.seat == view.roller and not view.options.roller_sees_order:
        pile = _in_some_order(pile, view.seats, view.roller, rng)
    state.pile, state.windows, state.size = pile.seats, pile.windows, pile.size
    counts: i64 = 0  # a row by seat, counted from 1
    at: i64 = 0
    while at < pile.size:
        shift: i64 = at << 2
        seat: i64 = (pile.seats >> shift & 15) - 1
        card: i64 = pile.cards >> shift & 15
        if card == 0:
            other: i64 = state.thrown(seat) if counts >> (seat << 2) & 15 else 0
            card = _some_card(other, rng)
        state.cards |= card << shift
        counts += 1 << (seat << 2)
        at += 1
    seat = 0
    while seat < view.seats:
        if seat != view.roller and counts >> (seat << 2) & 15 < state.to_throw:
            state.owing |= 1 << seat
        seat += 1


def _some_card(other: i64, rng: Rng) -> i64:
    """Any card of a set but the other one, which is 0 for none."""
    if other == 0:
        return 1 + rng.below(GREY)
    card: i64 = 1 + rng.below(GREY - 1)
    return card + 1 if card >= other else card


def _in_some_order(pile: Pile, seats: i64, roller: i64, rng: Rng) -> Pile:
    """The pile with the seats of each window in random order; two cards thrown at once stay together (F25)."""
    row: i64 = 0
    windows: i64 = 0
    size: i64 = 0
    for window in range(WINDOWS):
        order: i64 = order_of(rng.below(FACTORIALS[seats - 1]), seats, roller)
        while order:
            for at in range(pile.size):
                if pile.windows >> (at << 2) & 15 == window and pile.seats >> (at << 2) & 15 == order & 15:
                    row |= (order & 15) << (size << 2)
                    windows |= window << (size << 2)
                    size += 1
            order >>= 4
    return Pile(row, 0, windows, size)
