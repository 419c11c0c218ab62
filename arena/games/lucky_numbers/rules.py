"""Lucky Numbers, complete: three kinds of setup, the switch of N3, one game or a tournament (rulings N1-N21).

Everything lies open but the order of the face-down tiles. What leaves one choice is done inside `apply`: everybody can
see that it is forced. Plain numbers and gardens that never change are what mypyc makes fast.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from mypy_extensions import i64

from arena.engine import plain
from arena.engine.contract import IllegalAction, Outcome, State, places
from arena.engine.options import Option, Value, resolve
from arena.engine.rng import Rng
from arena.games.lucky_numbers import facts, stored, words
from arena.games.lucky_numbers import rules_codes as codes
from arena.games.lucky_numbers.rules_codes import DIAGONAL, TILES
from arena.games.lucky_numbers.rules_garden import EMPTY_GARDEN, Garden
from arena.games.lucky_numbers.rules_views import Observation, Options, one_of

NOBODY: Final[tuple[int, ...]] = ()
ALONE: Final = tuple((seat,) for seat in range(4))
EVERYBODY: Final = tuple(tuple(range(seats)) for seats in range(5))
CODES: Final[list[Any]] = list(range(codes.DISCARD + 1))  # the codes as objects, which lists take as they are
WIN: Final = 2  # points of a game's winner (N16)


class LuckyNumbersState(State[Observation]):
    """One match under way. Lists go by seat, but for tiles that lie in a row."""

    def __init__(self, options: Options, seats: i64, key: int, log: list[int]) -> None:
        none: list[int] = []
        self.options = options
        self.seats = seats
        self.key = key  # the root of all luck
        self.log = log  # events; all seats see them alike
        self.idle_limit: i64 = seats * facts.IDLE_TURNS
        self.game: i64 = 0
        self.phase: i64 = codes.PHASE_TURN
        self.start: i64 = 0
        self.turn: i64 = 0
        self.drawn: i64 = 0
        self.idle: i64 = 0
        self.face_up: i64 = 0  # how many of each tile, three bits for each
        self.pool = none  # the face-down tiles as they lay when setup began or ended; never changed, only replaced
        self.next: i64 = 0  # where in the pool the next tile lies
        self.gardens: list[Garden] = []
        self.set_aside = none
        self.open: list[list[int]] = []  # tiles still to be laid out, while all arrange theirs
        self.totals = none

    # What others ask

    def to_act(self) -> tuple[int, ...]:
        """Seats that must act now."""
        if self.phase == codes.PHASE_ARRANGE:
            return EVERYBODY[self.seats]
        return NOBODY if self.phase == codes.PHASE_OVER else ALONE[self.turn]

    def legal_actions(self, seat: int) -> list[int]:
        """Draw first, then takes by tile and space; places by space, discard last; the diagonal from the upper left."""
        legal: list[Any] = []
        if not self._is_asked(seat):
            return legal
        if self.phase == codes.PHASE_TURN:
            legal.append(codes.DRAW)
            self._add_takes(legal)
        elif self.phase == codes.PHASE_PLACE:
            add_codes(legal, codes.PLACE, self.gardens[self.turn].fitting(self.drawn))
            legal.append(codes.DISCARD)
        else:
            legal.extend([codes.LAY + space for space in DIAGONAL if self._is_free(seat, space)])
        return legal

    def apply(self, actions: dict[int, int]) -> None:
        """Carry out the actions and all that follows from them."""
        if self.phase == codes.PHASE_ARRANGE:
            self._arrange(actions)
            return
        if self.phase == codes.PHASE_OVER or len(actions) != 1:
            self._refuse(actions)
        code: i64 = self._checked(actions, self.turn)
        if self.phase == codes.PHASE_LAY:
            self._lay(code - codes.LAY)
        elif self.phase == codes.PHASE_PLACE:
            self._place_drawn(code)
        elif code == codes.DRAW:
            self._draw()
        else:
            self._take(code)

    def observe(self, seat: int) -> Observation:
        """All that the seat may know."""
        view = Observation(self.options, self.seats, seat)
        view.game, view.phase = self.game, self.phase
        view.start, view.turn = self.start, self.turn
        view.drawn, view.idle = self.drawn, self.idle
        view.face_down = len(self.pool) - self.next
        view.face_up_counts = self.face_up
        view.gardens = self.gardens[:]
        view.set_aside = self.set_aside[:]
        view.open = [tiles[:] for tiles in self.open]
        view.totals = self.totals[:]
        return view

    def events(self, seat: int, since: int) -> list[int]:  # noqa: ARG002 - of the contract
        """The log: everything happens in the open."""
        return self.log[since:]

    def standing(self) -> list[int]:
        """The points that would count now, earlier games included."""
        if self.phase == codes.PHASE_OVER:
            return self.totals[:]
        return [total + points for total, points in zip(self.totals, self._points(), strict=True)]

    def outcome(self) -> Outcome:
        """Places by points; equal ones share a place (N17, N19)."""
        if self.phase != codes.PHASE_OVER:
            raise ValueError("outcome: expected a finished match, got one under way")
        ranked = places([(-total,) for total in self.totals])
        stalled = self.next < len(self.pool) and not self._is_filled()
        remarks = [words.ending_remark(stalled=stalled)] if not self._is_filled() else []
        return Outcome(ranked, self.totals[:], [] if self.options.tournament else remarks)

    def clone(self) -> "LuckyNumbersState":
        """An independent copy; what is only ever replaced is shared."""
        copy = LuckyNumbersState(self.options, self.seats, self.key, self.log[:])
        copy.game, copy.phase = self.game, self.phase
        copy.start, copy.turn = self.start, self.turn
        copy.drawn, copy.idle = self.drawn, self.idle
        copy.face_up = self.face_up
        copy.pool, copy.next = self.pool, self.next
        copy.gardens = self.gardens[:]
        copy.set_aside = self.set_aside
        copy.open = self.open
        copy.totals = self.totals
        return copy

    def dump(self) -> dict[str, object]:
        """The whole state as plain data."""
        return stored.dumped(self)

    # What may be done

    def _is_asked(self, seat: i64) -> bool:
        if self.phase == codes.PHASE_ARRANGE:
            return 0 <= seat < self.seats
        return seat == self.turn and self.phase != codes.PHASE_OVER

    def _is_free(self, seat: i64, space: i64) -> bool:
        return not self.gardens[seat].filled >> space & 1

    def _add_takes(self, legal: list[Any]) -> None:
        """Every face-up tile on every space where it fits; equal tiles are one action (N21)."""
        garden = self.gardens[self.turn]
        counts: i64 = self.face_up
        tile: i64 = 1
        while counts:
            if counts & 7:
                add_codes(legal, codes.TAKE + (tile << 4), garden.fitting(tile))
            counts >>= 3
            tile += 1

    def _checked(self, actions: dict[int, int], seat: i64) -> i64:
        """The seat's action, if it is legal."""
        given = actions.get(seat)
        if given is None:
            self._refuse(actions)
        code: i64 = given if 0 <= given <= codes.DISCARD else -1
        if not self._is_legal(seat, code):
            raise IllegalAction(f"seat {seat + 1}: expected one of {self.legal_actions(seat)}, got {given}")
        return code

    def _is_legal(self, seat: i64, code: i64) -> bool:
        if self.phase == codes.PHASE_TURN:
            return code == codes.DRAW or self._is_take(code)
        if self.phase == codes.PHASE_PLACE:
            space: i64 = code - codes.PLACE
            if 0 <= space < 16:
                return self.gardens[seat].fitting(self.drawn) >> space & 1 == 1
            return code == codes.DISCARD
        laid: i64 = code - codes.LAY
        return laid in DIAGONAL and self._is_free(seat, laid)

    def _is_take(self, code: i64) -> bool:
        tile: i64 = code >> 4
        if tile < 1 or tile > TILES or not self.face_up >> 3 * (tile - 1) & 7:
            return False
        return self.gardens[self.turn].fitting(tile) >> (code & 15) & 1 == 1

    def _refuse(self, actions: dict[int, int]) -> NoReturn:
        raise IllegalAction(f"expected one action of each of the seats {self.to_act()}, got {actions}")

    # How a turn goes

    def _begin_turn(self) -> None:
        """A seat's turn; without a face-up tile it can only draw, while with one there is a choice.

        For every tile fits somewhere: on the first space with one that is no lower, else in the last corner.
        """
        self.phase = codes.PHASE_TURN
        if not self.face_up:
            self._draw()

    def _draw(self) -> None:
        self.drawn = self._next_tile()
        self.idle = 0
        self.phase = codes.PHASE_PLACE
        self._note(codes.EVENT_DREW, self.turn, self.drawn)

    def _place_drawn(self, code: i64) -> None:
        """Put the drawn tile into the garden, or leave it in the middle (N5)."""
        tile: i64 = self.drawn
        self.drawn = 0
        if code == codes.DISCARD:
            self._note(codes.EVENT_DISCARDED, self.turn, tile)
            self.face_up += one_of(tile)
            self._end_turn()
        else:
            self._place(codes.EVENT_PLACED, tile, code - codes.PLACE)

    def _take(self, code: i64) -> None:
        """Option B: a face-up tile and its space in one (N7)."""
        tile: i64 = code >> 4
        self.face_up -= one_of(tile)
        self.idle += 1
        self._place(codes.EVENT_TOOK, tile, code & 15)

    def _place(self, event: i64, tile: i64, space: i64) -> None:
        """Put a tile on a space; what lay there goes face up to the middle (N9)."""
        garden = self.gardens[self.turn]
        exchanged: i64 = garden.tile(space)
        planted = garden.placed(tile, space)
        self.gardens[self.turn] = planted
        self.log.append(event << 16 | self.turn << 14 | space << 10 | exchanged << 5 | tile)
        if exchanged:
            self.face_up += one_of(exchanged)
        else:
            self.idle = 0
        if planted.empty:
            self._end_turn()
        else:
            self._end_game(codes.EVENT_FILLED)

    def _end_turn(self) -> None:
        """The next seat's turn, unless the last tile was played (N13) or nothing happens any more (N11)."""
        if self.next == len(self.pool):
            self._end_game(codes.EVENT_LAST_TILE)
        elif self.idle >= self.idle_limit:
            self._end_game(codes.EVENT_STALLED)
        else:
            self.turn = self._after(self.turn)
            self._begin_turn()

    # Setup

    def begin_match(self) -> None:
        """The first game; who begins is drawn (N1)."""
        self.start = Rng(self.key).fork("start").below(self.seats)
        self.totals = [0] * self.seats
        self._begin_game()

    def _begin_game(self) -> None:
        """Shuffle a set of tiles for each seat, and set up as agreed."""
        self._note(codes.EVENT_GAME, 0, self.game + 1)
        self._note(codes.EVENT_START, self.start, 0)
        self.pool = [tile for tile in range(1, TILES + 1) for _ in range(self.seats)]
        self._luck("pool").shuffle(self.pool)
        self.next = self.face_up = self.idle = 0
        self.turn = self.start
        self.gardens = [EMPTY_GARDEN] * self.seats
        self.set_aside = []
        if self.options.setup == "michael":
            self._begin_lay()
        else:
            self._deal()

    def _deal(self) -> None:
        """Four tiles for each seat, from the start player on; sorted onto the diagonal, or left for the seats (N2)."""
        dealt: list[list[int]] = [[] for _ in range(self.seats)]
        for _ in range(self.seats):
            for _ in DIAGONAL:
                dealt[self.turn].append(self._setup_tile(dealt[self.turn]))
            dealt[self.turn].sort()
            self.turn = self._after(self.turn)
        if self.options.setup == "arrange":
            self.open = dealt
            self.phase = codes.PHASE_ARRANGE
            return
        for seat, tiles in enumerate(dealt):
            for tile, space in zip(tiles, DIAGONAL, strict=True):
                self._lay_out(seat, tile, space)
        self._end_setup()

    def _setup_tile(self, others: list[int]) -> i64:
        """The next tile for a diagonal; under `distinct_diagonal` one that equals no other there (N3, N20)."""
        tile: i64 = self._next_tile()
        while self.options.distinct_diagonal and tile in others:
            self._note(codes.EVENT_SET_ASIDE, self.turn, tile)
            self.set_aside = [*self.set_aside, tile]  # clones share the list
            tile = self._next_tile()
        if self.options.setup != "sorted":
            self._note(codes.EVENT_OPENED, self.turn, tile)
        return tile

    def _arrange(self, actions: dict[int, int]) -> None:
        """Every seat lays out its lowest tile; the last one goes by itself (N20)."""
        if len(actions) != self.seats:
            self._refuse(actions)
        spaces = [self._checked(actions, seat) - codes.LAY for seat in range(self.seats)]
        self._lay_lowest(spaces)
        if len(self.open[0]) == 1:
            self._lay_lowest([self._free_space(seat) for seat in range(self.seats)])
            self.open = []
            self._end_setup()

    def _lay_lowest(self, spaces: list[int]) -> None:
        for seat, space in enumerate(spaces):
            self._lay_out(seat, self.open[seat][0], space)
        self.open = [tiles[1:] for tiles in self.open]

    def _begin_lay(self) -> None:
        """Michael's setup: the next seat draws a tile for its diagonal (N4)."""
        self.drawn = self._setup_tile(self.gardens[self.turn].tiles())
        self.phase = codes.PHASE_LAY

    def _lay(self, space: i64) -> None:
        """Lay the drawn tile out; the last of each seat has one place to go."""
        self._lay_drawn(space)
        while self.phase == codes.PHASE_LAY and self.gardens[self.turn].empty == 13:
            self._lay_drawn(self._free_space(self.turn))

    def _lay_drawn(self, space: i64) -> None:
        self._lay_out(self.turn, self.drawn, space)
        self.drawn = 0
        self.turn = self._after(self.turn)
        if self.gardens[self.turn].empty > 12:
            self._begin_lay()
        else:
            self._end_setup()

    def _lay_out(self, seat: i64, tile: i64, space: i64) -> None:
        self.gardens[seat] = self.gardens[seat].placed(tile, space)
        self.log.append(codes.event_code(codes.EVENT_LAID, seat, tile, space, 0))

    def _free_space(self, seat: i64) -> i64:
        """The first free space of a seat's diagonal."""
        return next(space for space in DIAGONAL if self._is_free(seat, space))

    def _end_setup(self) -> None:
        """Tiles set aside go back among the face-down ones (N20), and the start player's turn begins."""
        if self.set_aside:
            self.pool = self.pool[self.next :] + self.set_aside
            self.next = 0
            self.set_aside = []
            self._luck("set aside").shuffle(self.pool)
            self._note(codes.EVENT_SHUFFLED_BACK, 0, 0)
        self.turn = self.start
        self._begin_turn()

    # The end of a game

    def _end_game(self, event: i64) -> None:
        """Count the points (N16); in a tournament the next game begins, with the next seat (N16)."""
        self._note(event, self.turn if event == codes.EVENT_FILLED else 0, 0)
        points = self._points()
        for seat in range(self.seats):
            self._note(codes.EVENT_WON if points[seat] > 0 else codes.EVENT_LOST, seat, abs(points[seat]))
        self.totals = [total + more for total, more in zip(self.totals, points, strict=True)]
        if self.options.tournament and self.game + 1 < self.seats:
            self.game += 1
            self.start = self._after(self.start)
            self._begin_game()
        else:
            self.phase = codes.PHASE_OVER

    def _points(self) -> list[int]:
        """The points if the game ended now: those with the fewest empty spaces win (N13, N16)."""
        least = min([garden.empty for garden in self.gardens])
        return [WIN if garden.empty == least else -garden.empty for garden in self.gardens]

    def _is_filled(self) -> bool:
        return any(garden.empty == 0 for garden in self.gardens)

    # Small parts

    def _note(self, kind: i64, seat: i64, tile: i64) -> None:
        self.log.append(kind << 16 | seat << 14 | tile)

    def _after(self, seat: i64) -> i64:
        """The next seat clockwise."""
        return seat + 1 if seat + 1 < self.seats else 0

    def _next_tile(self) -> i64:
        tile: i64 = self.pool[self.next]
        self.next += 1
        return tile

    def _luck(self, purpose: str) -> Rng:
        """Luck of this game for this purpose."""
        return Rng(self.key).fork(f"game {self.game + 1}: {purpose}")


def add_codes(legal: list[Any], first: i64, spaces: i64) -> None:
    """Add an action for each of these spaces."""
    code: i64 = first
    while spaces:
        if spaces & 1:
            legal.append(CODES[code])
        spaces >>= 1
        code += 1


class LuckyNumbers:
    """The rules as a game of the contract."""

    @property
    def name(self) -> str:
        return "lucky-numbers"

    @property
    def title(self) -> str:
        return "Lucky Numbers"

    def seat_counts(self) -> range:
        return range(2, 5)

    def option_list(self) -> Sequence[Option]:
        setups = "first four tiles: laid out in ascending order, arranged by each player, or one by one (Michael's)"
        return [
            Option("setup", ["sorted", "arrange", "michael"], setups),
            Option("distinct_diagonal", [False, True], "replace tiles that are equal to another one at setup"),
            Option("tournament", [False, True], "a game per seat, each begun by another, points added up"),
        ]

    def variants(self) -> Mapping[str, Options]:
        return {
            "base": Options(),
            "michael": Options(setup="michael"),
            "tournament": Options(tournament=True),
            "michael-tournament": Options(setup="michael", tournament=True),
            "arrange": Options(setup="arrange"),
            "distinct": Options(distinct_diagonal=True),
            "arrange-distinct": Options(setup="arrange", distinct_diagonal=True),
            "michael-distinct": Options(setup="michael", distinct_diagonal=True),
        }

    def options(self, given: Mapping[str, object]) -> Options:
        read = resolve(self.option_list(), given)
        return Options(
            setup=str(read["setup"]),
            distinct_diagonal=read["distinct_diagonal"] is True,
            tournament=read["tournament"] is True,
        )

    def plain_options(self, options: Options) -> dict[str, Value]:
        return options.plain()

    def length_bound(self, options: Options, seats: int) -> int:
        """Draws and fillings, with the longest idle time after each (N21); a draw asks twice; and the setup."""
        draws, fillings = 16 * seats, 12 * seats
        game = (draws + fillings) * seats * facts.IDLE_TURNS + draws + 4 * seats
        return game * seats if options.tournament else game

    def setup(self, options: Options, seats: int, rng: Rng) -> LuckyNumbersState:
        if seats not in self.seat_counts():
            raise ValueError(f"lucky-numbers: expected 2 to 4 seats, got {seats}")
        state = LuckyNumbersState(options, seats, rng.key, [])
        state.begin_match()
        return state

    def determinize(self, observation: Observation, rng: Rng) -> LuckyNumbersState:
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

    def load(self, data: Mapping[str, object]) -> LuckyNumbersState:
        plain.fields(data, stored.FIELDS)
        options = self.options(plain.mapping(data, "options"))
        key = plain.hexadecimal(data, "rng", 32)
        state = LuckyNumbersState(options, plain.number(data, "seats", 2, 4), key, [])
        stored.fill(state, data)
        return state


GAME: Final = LuckyNumbers()


def imagined(view: Observation, rng: Rng) -> LuckyNumbersState:
    """A state with the face-down tiles in random order, all orders equally likely (N18); later luck is drawn too."""
    key = int(rng.bits32())
    for _ in range(3):
        key = key << 32 | int(rng.bits32())
    state = LuckyNumbersState(view.options, view.seats, key, [])
    state.game, state.phase = view.game, view.phase
    state.start, state.turn = view.start, view.turn
    state.drawn, state.idle = view.drawn, view.idle
    state.face_up = view.face_up_counts
    state.gardens = view.gardens[:]
    state.set_aside = view.set_aside[:]
    state.open = [tiles[:] for tiles in view.open]
    state.totals = view.totals[:]
    state.pool = view.unseen()
    rng.shuffle(state.pool)
    return state
