"""Ladybugs, complete: two to four seats, action tiles, lucky clover and spider in any combination (rulings L1-L47).

A hand is one number: the fewer dots, and eight times the more. What lies on the board is a Table. Plain numbers are
what mypyc makes fast.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NoReturn, cast

from mypy_extensions import i64

from arena.engine import plain
from arena.engine.contract import IllegalAction, Outcome, State, places
from arena.engine.options import Option, OptionError, Value, resolve
from arena.engine.rng import Rng
from arena.games.ladybugs import actions as typed
from arena.games.ladybugs import boards, stored, words
from arena.games.ladybugs import rules_codes as codes
from arena.games.ladybugs.rules_board import Board, height, shuffled
from arena.games.ladybugs.rules_codes import (
    ACTION_TILES,
    GRASSHOPPER,
    NOWHERE,
    RHINOCEROS,
    SPACES,
    STAG,
    START,
    TILES,
)
from arena.games.ladybugs.rules_scoring import all_dots, bed_dots, bed_points, points_in_beds
from arena.games.ladybugs.rules_table import Table, laid_out
from arena.games.ladybugs.rules_views import (
    Observation,
    Options,
    hand_tiles,
    row_counts,
    row_tiles,
    with_tile,
    without_tile,
)

NOBODY: Final[tuple[int, ...]] = ()
ALONE: Final[tuple[tuple[int, ...], ...]] = tuple((seat,) for seat in range(4))
EVERYBODY: Final[tuple[tuple[int, ...], ...]] = tuple(tuple(range(seats)) for seats in range(5))
ALL_UNSEEN: Final = 0x4444440  # four of each number of dots
ALL_TILES: Final = tuple(row_tiles(ALL_UNSEEN))
# Codes as ints that are made once, for lists of them that are made all the time.
PLACEMENTS: Final[list[object]] = [codes.PLACE << 16 | code for code in range(7 << 12)]
SPIDER_MOVES: Final[list[object]] = [codes.MOVE_SPIDER << 16 | code for code in range(7 << 12)]
ANY: Final = 1 << 20  # above every action's code


class LadybugsState(State[Observation]):
    """One match under way. Lists go by seat, by space, by row or column, or by marked space."""

    def __init__(self, options: Options, board: Board, rng: Rng, log: list[int]) -> None:
        none: list[int] = []
        self.options = options
        self.board = board
        self.seats: i64 = board.seats
        self.rng = rng  # the root of all luck: forked, never drawn from
        self.log = log  # events, with what they hide from others
        self.phase: i64 = codes.PHASE_START
        self.first: i64 = 0
        self.current: i64 = 0
        self.out: i64 = 0  # the set of eliminated seats
        self.table = Table(board)
        self.starts = none  # by seat; replaced, never changed, as are the points: copies and views share them
        self.draws: list[list[int]] = []  # by seat: its tiles in the order in which they are drawn; never changed
        self.clovers = none  # values in the order of the marked spaces, then those in the box; never changed
        self.points = none
        self.hands = none
        self.drawn = none
        self.unseen = none  # by seat: a row that counts the tiles that nobody but the seat has seen
        self.unused = none  # by seat: action tiles and rule 7, as a set of bits
        self.taken = none

    # What others ask

    def to_act(self) -> tuple[int, ...]:
        """Seats that must act now."""
        if self.phase == codes.PHASE_BEGIN:
            return EVERYBODY[self.seats]
        return ALONE[self.current] if self.phase < codes.PHASE_OVER else NOBODY

    def legal_actions(self, seat: int) -> list[int]:
        """Placements by dots, space and what they use, then moves of the spider, then resigning."""
        if seat < 0 or seat >= self.seats:
            return []
        if self.phase == codes.PHASE_BEGIN:
            return self._beginnings(seat)
        if seat != self.current or self.phase == codes.PHASE_OVER:
            return []
        if self.phase == codes.PHASE_PLAY:
            return self._plays(seat)
        return self._spaces_to_choose()

    def apply(self, actions: dict[int, int]) -> None:
        """Carry out the actions and all that follows from them."""
        if self.phase == codes.PHASE_BEGIN:
            if len(actions) != self.seats:
                self._refuse(actions)
            self._begin([self._checked(actions, seat) >> 12 & 7 for seat in range(self.seats)])
            return
        if self.phase == codes.PHASE_OVER or len(actions) != 1:
            self._refuse(actions)
        code: i64 = self._checked(actions, self.current)
        if self.phase == codes.PHASE_PLAY:
            self._play(code)
            self._go_on()
        else:
            self._choose(code >> 4 & 255)

    def observe(self, seat: int) -> Observation:
        """All that the seat may know (L39)."""
        view = Observation(self.options, self.board, seat)
        view.phase, view.first, view.current = self.phase, self.first, self.current
        view.spider, view.out = self.table.spider, self.out
        view.hand_pair = self.hands[seat]
        view.starts, view.points = self.starts, self.points
        view.stacks = self.table.stacks[:]
        view.drawn = self.drawn[:]
        view.unseen_rows = self.unseen[:]
        view.unused = self.unused[:]
        view.taken = self.taken[:]
        view.values = self._known_clovers(seat)
        return view

    def events(self, seat: int, since: int) -> list[int]:
        """The log as this seat saw it: what others drew, and the clovers they took, have value 0."""
        seen: list[int] = []
        for code in self.log[since:]:
            kind = code >> 24
            private = (kind == codes.EVENT_DREW or kind == codes.EVENT_CLOVER) and code >> 22 & 3 != seat  # noqa: PLR1714
            seen.append(code & ~(1023 << 8) if private else code)
        return seen

    def standing(self) -> list[int]:
        """Points, then the dots in the centre bed (L20), then all dots in view: they are worth something to search."""
        dots = bed_dots(self.board, self.table.tops, self.table.stacks)
        found: list[int] = []
        seat: i64 = 0
        while seat < self.seats:
            points: i64 = points_in_beds(self.board, dots, seat) + self._module_points(seat)
            found.append(points << 16 | self._centre_dots(dots, seat) << 8 | all_dots(dots, seat))
            seat += 1
        return found

    def outcome(self) -> Outcome:
        """Places by points, then by the dots in the centre bed (L20, L46)."""
        if self.phase != codes.PHASE_OVER:
            raise ValueError("outcome: expected a finished match, got one under way")
        dots = bed_dots(self.board, self.table.tops, self.table.stacks)
        centre = [int(self._centre_dots(dots, seat)) for seat in range(self.seats)]
        ranked = places([(-self.points[seat], -centre[seat]) for seat in range(self.seats)])
        return Outcome(ranked, self.points[:], words.remarks(self.points, centre, self.out))

    def clone(self) -> "LadybugsState":
        """An independent copy; what never changes after the setup is shared."""
        copy = LadybugsState(self.options, self.board, self.rng, self.log[:])
        copy.phase, copy.first, copy.current = self.phase, self.first, self.current
        copy.out = self.out
        copy.starts, copy.points = self.starts, self.points
        copy.draws, copy.clovers = self.draws, self.clovers
        copy.table = self.table.copy()
        copy.hands = self.hands[:]
        copy.drawn = self.drawn[:]
        copy.unseen = self.unseen[:]
        copy.unused = self.unused[:]
        copy.taken = self.taken[:]
        return copy

    def dump(self) -> dict[str, object]:
        """The whole state as plain data."""
        return stored.dumped(self)

    # What may be done

    def _spaces_to_choose(self) -> list[int]:
        """Start spaces that are free (L2), or the spaces where the spider may start (L38)."""
        if self.phase == codes.PHASE_SPIDER:
            return [codes.SET_SPIDER << 16 | space << 4 for space in sorted(self.board.spiders)]
        free = [space for space in sorted(self.board.starts) if space not in self.starts]
        return [codes.CHOOSE_START << 16 | space << 4 for space in free]

    def _beginnings(self, seat: i64) -> list[int]:
        hand: i64 = self.hands[seat]
        legal = [codes.BEGIN << 16 | (hand & 7) << 12]
        if hand & 7 != hand >> 3:
            legal.append(codes.BEGIN << 16 | (hand >> 3) << 12)
        return legal

    def _plays(self, seat: i64) -> list[int]:
        """Everything the seat may do in its turn; at least one action, or it would be eliminated."""
        found = self.table.reach(seat, self.unused[seat], SPACES)
        start: i64 = self._open_start(seat, 1)
        if start >= 0 and not self.table.sets[start]:
            found.append(start)
        found.sort()
        hand: i64 = self.hands[seat]
        legal: list[object] = []  # not of ints, which would be made anew
        self._offer(legal, found, start, (hand & 7) << 12)
        if hand & 7 != hand >> 3:
            self._offer(legal, found, start, (hand >> 3) << 12)
        self.table.forget(found)
        if self.table.spider >= 0:
            self._offer_spider(legal, hand & 7)
            if hand & 7 != hand >> 3:
                self._offer_spider(legal, hand >> 3)
        if not legal:  # rule 7 then even makes a stack of three (L12)
            self._offer_last(legal, seat, hand)
        actions = cast("list[int]", legal)
        if self.options.may_resign and all(code & ACTION_TILES for code in actions):
            actions.append(codes.RESIGN << 16)
        return actions

    def _offer(self, legal: list[object], found: list[int], start: i64, base: i64) -> None:
        """Add the placements of one tile: on each space every set of means of which no smaller one does (L43)."""
        means = self.table.sets
        stacks = self.table.stacks
        for space in found:
            at: i64 = space
            sets: i64 = means[at]
            code: i64 = base | at << 4
            stack: i64 = stacks[at]
            if stack >= 32:
                code |= STAG
            if sets & 1:
                legal.append(PLACEMENTS[code])
                continue
            if sets & 2:
                legal.append(PLACEMENTS[code | GRASSHOPPER])
            if sets & 4:
                legal.append(PLACEMENTS[code | RHINOCEROS])
            if sets == 8:
                legal.append(PLACEMENTS[code | GRASSHOPPER | RHINOCEROS])
            if at == start:
                legal.append(PLACEMENTS[code | START])

    def _offer_spider(self, legal: list[object], dots: i64) -> None:
        """Add the spider's moves by as many spaces as the discarded tile has dots (L31)."""
        base: i64 = dots << 12
        row: i64 = self.table.spider >> 4
        column: i64 = self.table.spider & 15
        if row >= dots:
            legal.append(SPIDER_MOVES[base | (self.table.spider - (dots << 4)) << 4])
        if column >= dots:
            legal.append(SPIDER_MOVES[base | (self.table.spider - dots) << 4])
        if column + dots < self.board.columns:
            legal.append(SPIDER_MOVES[base | (self.table.spider + dots) << 4])
        if row + dots < self.board.rows:
            legal.append(SPIDER_MOVES[base | (self.table.spider + (dots << 4)) << 4])

    def _offer_last(self, legal: list[object], seat: i64, hand: i64) -> None:
        start: i64 = self._open_start(seat, 2)
        if start >= 0:
            legal.append(PLACEMENTS[(hand & 7) << 12 | start << 4 | START])
            if hand & 7 != hand >> 3:
                legal.append(PLACEMENTS[(hand >> 3) << 12 | start << 4 | START])

    def _open_start(self, seat: i64, most: i64) -> i64:
        """The seat's start space if rule 7 may put a tile there, onto at most so many others; else nowhere (L12)."""
        unused: i64 = self.unused[seat]
        start: i64 = self.starts[seat]
        if not unused & START or start == self.table.spider:
            return NOWHERE
        return start if height(self.table.stacks[start]) <= most else NOWHERE

    # Checks

    def _checked(self, actions: dict[int, int], seat: i64) -> i64:
        """The seat's action, if it is legal."""
        given = actions.get(seat)
        if given is None:
            self._refuse(actions)
        code: i64 = given if 0 <= given < ANY else ANY
        if self.phase == codes.PHASE_PLAY and self._is_offered(seat, code):
            return code
        if code not in self.legal_actions(seat):
            raise IllegalAction(f"seat {seat + 1}: expected one of {self.legal_actions(seat)}, got {given}")
        return code

    def _is_offered(self, seat: i64, code: i64) -> bool:
        """Whether `_plays` has this action, found without the others; false also for some that are rare."""
        kind: i64 = code >> 16
        hand: i64 = self.hands[seat]
        dots: i64 = code >> 12 & 15
        space: i64 = code >> 4 & 255
        if dots != hand & 7 and dots != hand >> 3:
            return False
        if space >> 4 >= self.board.rows or space & 15 >= self.board.columns:
            return False
        if kind != codes.PLACE:
            return kind == codes.MOVE_SPIDER and not code & 15 and self._is_spider_move(dots, space)
        sets: i64 = self.table.sets_to(seat, self.unused[seat], space)
        uses: i64 = code & 15
        if uses == START:
            return not sets & 1 and self._open_start(seat, 1) == space
        stack: i64 = self.table.stacks[space]
        if (uses & STAG != 0) != (stack >= 32) or uses & START:
            return False
        by: i64 = uses & 3
        return sets >> by & 1 != 0 and (by == 0 or (not sets & 1 and (by < 3 or not sets & 6)))

    def _is_spider_move(self, dots: i64, space: i64) -> bool:
        away: i64 = space - self.table.spider
        if self.table.spider < 0:
            return False
        if away == dots << 4 or -away == dots << 4:
            return True
        beside = away == dots or -away == dots  # noqa: PLR1714 - a tuple would be made each time
        return beside and space >> 4 == self.table.spider >> 4

    def _refuse(self, actions: dict[int, int]) -> NoReturn:
        raise IllegalAction(f"expected one action of each of the seats {self.to_act()}, got {actions}")

    # How a match is set up

    def begin(self) -> None:
        """The start player, the board, start spaces as far as nobody chooses, and all luck of the match (L41)."""
        self.first = self.rng.fork("start player").below(self.seats)
        self._note(codes.EVENT_FIRST, self.first, 0, 0, 0)
        for place, laid in enumerate(self.board.laid):
            self._note(codes.EVENT_SQUARE, 0, 0, laid, place)
        luck = self.rng.fork("tiles")
        self.draws = [shuffled_tiles(luck) for _ in range(self.seats)]
        if self.options.lucky_clover:
            self.clovers = self.board.kit.clovers[:]
            luck.shuffle(self.clovers)
        self._clear_table()
        self.current = self.first
        if self.seats == 3:
            return
        for seat in range(self.seats):
            self._take_start(seat, self.board.starts[seat])
        self._bring_spider()

    def _clear_table(self) -> None:
        none = [0] * self.seats
        self.starts = [NOWHERE] * self.seats
        self.table.clear()
        self.hands, self.drawn = none, none[:]
        self.unseen = [ALL_UNSEEN] * self.seats
        self.unused = [START | ACTION_TILES if self.options.action_tiles else START] * self.seats
        self.taken = [0] * len(self.board.clovers) if self.options.lucky_clover else []

    def _choose(self, space: i64) -> None:
        """A start space (L2), or the spider's (L38)."""
        if self.phase == codes.PHASE_SPIDER:
            self._set_spider(space)
            self._deal()
            return
        self._take_start(self.current, space)
        self.current = (self.current + 1) % self.seats
        if self.starts.count(NOWHERE) == 1:
            self._take_start(self.current, next(free for free in self.board.starts if free not in self.starts))
            self._bring_spider()

    def _take_start(self, seat: int, space: int) -> None:
        self.starts = [space if at == seat else taken for at, taken in enumerate(self.starts)]
        self.table.claim(seat, space)
        self._note(codes.EVENT_START, seat, 0, 0, space)

    def _bring_spider(self) -> None:
        """With two places to start from, the player who does not begin says which (L38)."""
        if self.options.spider and len(self.board.spiders) > 1:
            self.phase = codes.PHASE_SPIDER
            self.current = (self.first + 1) % self.seats
            return
        if self.options.spider:
            self._set_spider(self.board.spiders[0])
        self._deal()

    def _set_spider(self, space: i64) -> None:
        self.table.spider = space
        self._note(codes.EVENT_SPIDER_SET, self.current, 0, 0, space)

    def _deal(self) -> None:
        self.current = self.first
        for seat in range(self.seats):
            self._draw(seat)
            self._draw(seat)
        self.phase = codes.PHASE_BEGIN

    def _begin(self, chosen: list[i64]) -> None:
        """All start tiles are shown together, then each seat draws again (L3)."""
        for seat in range(self.seats):
            self._show(seat, chosen[seat])
            self._note(codes.EVENT_BEGAN, seat, 0, chosen[seat], self.starts[seat])
            self.table.lay(seat, chosen[seat], self.starts[seat])
        for seat in range(self.seats):
            self._draw(seat)
        self.phase = codes.PHASE_PLAY
        self.current = (self.first + self.seats - 1) % self.seats
        self._go_on()

    # How a turn goes

    def _play(self, code: i64) -> None:
        """The current seat's turn: a tile is placed or sent to the box, then another is drawn."""
        kind: i64 = code >> 16
        seat: i64 = self.current
        if kind == codes.RESIGN:
            self._note(codes.EVENT_RESIGNED, seat, 0, 0, 0)
            self.out |= 1 << seat
            return
        dots: i64 = code >> 12 & 7
        space: i64 = code >> 4 & 255
        self._show(seat, dots)
        if kind == codes.PLACE:
            self._place(seat, dots, space, code & 15)
        else:
            self._move_spider(seat, dots, space)
        drawn: i64 = self.drawn[seat]
        if drawn < TILES:
            self._draw(seat)

    def _place(self, seat: i64, dots: i64, space: i64, uses: i64) -> None:
        self._note(codes.EVENT_PLACED, seat, uses, dots, space)
        if uses:
            unused: i64 = self.unused[seat]
            self.unused[seat] = unused & ~uses
        self.table.lay(seat, dots, space)
        mark: i64 = self.board.marks[space]
        if mark >= 0 and self.options.lucky_clover and not self.taken[mark]:
            self.taken[mark] = seat + 1
            value: i64 = self.clovers[mark]
            self._note(codes.EVENT_CLOVER, seat, 0, value + 1, space)

    def _move_spider(self, seat: i64, dots: i64, space: i64) -> None:
        """The spider eats the top tile of where it lands (L32)."""
        self._note(codes.EVENT_SPIDER_MOVED, seat, 0, dots, space)
        self.table.spider = space
        tile: i64 = self.table.eat(space)
        if tile:
            self._note(codes.EVENT_EATEN, tile >> 3, 0, tile & 7, space)

    def _go_on(self) -> None:
        """Find the next seat that has a choice; who cannot play is eliminated at the start of its turn (L44)."""
        idle: i64 = 0
        while idle < self.seats:
            self.current = self.current + 1 if self.current + 1 < self.seats else 0
            idle += 1
            if self._is_done(self.current):
                continue
            if not self._can_play(self.current):
                self._note(codes.EVENT_ELIMINATED, self.current, 0, 0, 0)
                self.out |= 1 << self.current
                continue
            forced: i64 = self._forced(self.current)
            if forced < 0:
                return
            self._play(forced)
            idle = 0
        self._end()

    def _is_done(self, seat: i64) -> bool:
        """Whether the seat is eliminated, or has played down to its last tile (L17)."""
        hand: i64 = self.hands[seat]
        return hand < 8 or self.out >> seat & 1 != 0

    def _can_play(self, seat: i64) -> bool:
        """Whether any legal action exists; where the spider is, one always does (L37)."""
        if self.table.spider >= 0 or self._open_start(seat, 2) >= 0:
            return True
        found = self.table.reach(seat, self.unused[seat], 1)
        self.table.forget(found)
        return len(found) > 0

    def _forced(self, seat: i64) -> i64:
        """The only action, where everybody can tell: all tiles of the seat that are still unseen are alike."""
        unseen: i64 = self.unseen[seat]
        while not unseen & 15:
            unseen >>= 4
        if unseen > 15:
            return -1
        legal = self._plays(seat)
        return legal[0] if len(legal) == 1 else -1

    def _end(self) -> None:
        """Count the beds, then the unused action tiles, then the clovers (L40)."""
        dots = bed_dots(self.board, self.table.tops, self.table.stacks)
        self.table.spider = NOWHERE
        for bed in range(1, len(self.board.sizes)):
            for seat in range(self.seats):
                points = bed_points(self.board, dots, bed, seat)
                if points:
                    self._note(codes.EVENT_BED, seat, 0, points, self.board.firsts[bed])
        for seat in range(self.seats):
            if self.options.action_tiles:
                self._note(codes.EVENT_UNUSED, seat, 0, self._unused_tiles(seat), 0)
            if self.options.lucky_clover:
                self._note(codes.EVENT_CLOVERS, seat, 0, self._clover_points(seat), 0)
        beds = [points_in_beds(self.board, dots, seat) for seat in range(self.seats)]
        self.points = [int(beds[seat] + self._module_points(seat)) for seat in range(self.seats)]
        for seat in range(self.seats):
            self._note(codes.EVENT_SCORED, seat, 0, self.points[seat], 0)
        self.phase = codes.PHASE_OVER

    # Small parts

    def _note(self, kind: i64, seat: i64, uses: i64, value: i64, space: i64) -> None:
        self.log.append(codes.event_code(kind, seat, uses, value, space))

    def _draw(self, seat: i64) -> None:
        drawn: i64 = self.drawn[seat]
        dots: i64 = self.draws[seat][drawn]
        self.drawn[seat] = drawn + 1
        self.hands[seat] = with_tile(self.hands[seat], dots)
        self._note(codes.EVENT_DREW, seat, 0, dots, 0)

    def _show(self, seat: i64, dots: i64) -> None:
        """Take a tile out of a hand, for everybody to see."""
        unseen: i64 = self.unseen[seat]
        self.unseen[seat] = unseen - (1 << (dots << 2))
        self.hands[seat] = without_tile(self.hands[seat], dots)

    def _centre_dots(self, dots: list[int], seat: i64) -> i64:
        return dots[(self.board.centre << 2) + seat] if self.board.centre else 0

    def _module_points(self, seat: i64) -> i64:
        points: i64 = self._unused_tiles(seat) if self.options.action_tiles else 0
        return points + self._clover_points(seat) if self.options.lucky_clover else points

    def _unused_tiles(self, seat: i64) -> i64:
        """One point for each action tile that was never flipped."""
        unused: i64 = self.unused[seat]
        return (unused & 1) + (unused >> 1 & 1) + (unused >> 2 & 1)

    def _clover_points(self, seat: i64) -> i64:
        points: i64 = 0
        mark: i64 = 0
        while mark < len(self.taken):
            if self.taken[mark] == seat + 1:
                value: i64 = self.clovers[mark]
                points += value
            mark += 1
        return points

    def _known_clovers(self, seat: int) -> list[int]:
        """By marked space: 1 + the value where this seat took the clover, or anybody did and all is over (L29)."""
        is_over = self.phase == codes.PHASE_OVER
        return [
            self.clovers[mark] + 1 if taker == seat + 1 or (is_over and taker) else 0
            for mark, taker in enumerate(self.taken)
        ]


class Ladybugs:
    """The rules as a game of the contract."""

    @property
    def name(self) -> str:
        return "ladybugs"

    @property
    def title(self) -> str:
        return "Ladybugs"

    def seat_counts(self) -> range:
        return range(2, 5)

    def option_list(self) -> Sequence[Option]:
        return [
            Option("action_tiles", [False, True], "module 1: three special action tiles for each player"),
            Option("lucky_clover", [False, True], "module 2: clover tiles to collect on the meadows"),
            Option("spider", [False, True], "module 3: a spider that eats tiles"),
            Option("may_resign", [False, True], "whether a player may resign rather than flip an action tile"),
            Option("board", [boards.STANDARD], "the squares, layouts and clover values", boards.canonical),
        ]

    def variants(self) -> Mapping[str, Options]:
        return {
            "base": Options(),
            "action-tiles": Options(action_tiles=True),
            "lucky-clover": Options(lucky_clover=True),
            "spider": Options(spider=True),
            "action-tiles-lucky-clover": Options(action_tiles=True, lucky_clover=True),
            "action-tiles-spider": Options(action_tiles=True, spider=True),
            "lucky-clover-spider": Options(lucky_clover=True, spider=True),
            "action-tiles-may-resign": Options(action_tiles=True, may_resign=True),
            "all-modules": Options(action_tiles=True, lucky_clover=True, spider=True),
        }

    def options(self, given: Mapping[str, object]) -> Options:
        read = resolve(self.option_list(), given)
        if read["may_resign"] is True and read["action_tiles"] is False:
            raise OptionError("option may_resign: expected false, because action_tiles is false; got true")
        return Options(
            action_tiles=read["action_tiles"] is True,
            lucky_clover=read["lucky_clover"] is True,
            spider=read["spider"] is True,
            may_resign=read["may_resign"] is True,
            board=str(read["board"]),
        )

    def plain_options(self, options: Options) -> dict[str, Value]:
        return options.plain()

    def length_bound(self, options: Options, seats: int) -> int:
        """Start spaces, the spider's start, the start tiles, and 22 turns of each seat (L17)."""
        choices = (2 if seats == 3 else 0) + (1 if options.spider else 0)
        return choices + 1 + (TILES - 2) * seats

    def setup(self, options: Options, seats: int, rng: Rng) -> LadybugsState:
        if not 2 <= seats <= 4:
            raise ValueError(f"ladybugs: expected 2 to 4 seats, got {seats}")
        board = Board(options.kit, seats, shuffled(options.kit, seats, rng.fork("board")))
        state = LadybugsState(options, board, rng, [])
        state.begin()
        return state

    def determinize(self, observation: Observation, rng: Rng) -> LadybugsState:
        return imagined(observation, rng)

    def action(self, code: int) -> typed.Action:
        return typed.decoded(code)

    def code(self, action: typed.Action) -> int:
        """The code that means this action: the inverse of `action`."""
        return typed.coded(action)

    def action_text(self, code: int) -> str:
        return words.action_text(code)

    def event_text(self, code: int) -> str:
        return words.event_text(code)

    def text(self, observation: Observation) -> str:
        return words.observation_text(observation)

    def load(self, data: Mapping[str, object]) -> LadybugsState:
        plain.fields(data, stored.FIELDS)
        options = self.options(plain.mapping(data, "options"))
        board = stored.board(options, data)
        state = LadybugsState(options, board, Rng(plain.hexadecimal(data, "rng", 32)), [])
        stored.fill(state, data)
        return state


GAME: Final = Ladybugs()


def shuffled_tiles(rng: Rng) -> list[int]:
    """The tiles of a colour in the order in which they will be drawn."""
    tiles = list(ALL_TILES)
    rng.shuffle(tiles)
    return tiles


def imagined(view: Observation, rng: Rng) -> LadybugsState:
    """A state that the view allows, what is unseen shuffled (L47); its later luck is drawn here too."""
    key = int(rng.bits32())
    for _ in range(3):
        key = key << 32 | int(rng.bits32())
    state = LadybugsState(view.options, view.board, Rng(key), [])
    state.phase, state.first, state.current = view.phase, view.first, view.current
    state.out, state.starts, state.points = view.out, view.starts, view.points
    state.drawn, state.unseen, state.unused = view.drawn[:], view.unseen_rows[:], view.unused[:]
    state.taken = view.taken[:]
    state.table = laid_out(view.board, view.spider, view.starts, view.stacks)
    state.clovers = imagined_clovers(view, rng)
    state.hands = []
    for seat in range(view.seats):
        imagined_tiles(view, state, seat, rng)
    return state


def imagined_tiles(view: Observation, state: LadybugsState, seat: int, rng: Rng) -> None:
    """A hand and a supply from the seat's unseen tiles; the own hand is known."""
    held: i64 = view.hand_pair if seat == view.seat else 0
    known = hand_tiles(held)
    loose = row_tiles(view.unseen_rows[seat] - row_counts(known))
    rng.shuffle(loose)
    size = view.drawn[seat] - (TILES - len(loose) - len(known)) - len(known)
    for dots in loose[:size]:
        held = with_tile(held, dots)
    state.hands.append(held)
    state.draws.append(row_tiles(ALL_UNSEEN - view.unseen_rows[seat]) + known + loose)


def imagined_clovers(view: Observation, rng: Rng) -> list[int]:
    """All clover values, those that the seat does not know in random order."""
    loose = view.board.kit.clovers[:] if view.options.lucky_clover else []
    for value in view.values:
        if value:
            loose.remove(value - 1)
    rng.shuffle(loose)
    values = [value - 1 if value else loose.pop() for value in view.values]
    return values + loose
