"""Bugs on Rugs, complete: drafts, all Wall powers, hatching, grouping and scoring (rulings B1-B48).

Hands are ascending lists of bugs. All luck is the order of the deck and the first start player. What
happened to hands is kept beside the event log, since imagining a table needs all of it (B43, B47).
"""

from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

from mypy_extensions import i64

from arena.engine import plain
from arena.engine.contract import IllegalAction, Outcome, places
from arena.engine.options import Option, Value, resolve
from arena.engine.rng import Rng
from arena.games.bugs_on_rugs import actions as typed
from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs import stored, words
from arena.games.bugs_on_rugs.deck import BELOW_END, CARDS, MOSQUITOS
from arena.games.bugs_on_rugs.rules_choices import (
    BREAKABLE_FROM,
    all_same,
    append_bugs,
    append_hatches,
    breaks,
    copies,
    differs,
    most_pairs,
    offers,
    packed_pairs,
    put,
    shows,
    swaps,
)
from arena.games.bugs_on_rugs.rules_codes import LARVA, type_of
from arena.games.bugs_on_rugs.rules_scores import pairs_of, points
from arena.games.bugs_on_rugs.rules_views import Observation, Options
from arena.games.bugs_on_rugs.rules_worlds import imagined_past

NOBODY: Final[tuple[int, ...]] = ()
ALONE: Final = tuple((seat,) for seat in range(5))
EVERYBODY: Final = tuple(tuple(range(seats)) for seats in range(6))


class BugsOnRugsState:
    """One match under way. Lists go by seat, clockwise."""

    def __init__(self, options: Options, seats: i64, key: int, log: list[int]) -> None:
        none: list[int] = []
        rows: list[list[int]] = []
        self.options = options
        self.seats: i64 = seats
        self.key = key  # the root of all luck
        self.log = log  # events, with what they hide from others
        self.history = none  # those of them that change or show a hand; empty from the reveal on
        self.round: i64 = 0
        self.last_round: i64 = 0  # 0 until the End card is drawn
        self.phase: i64 = codes.PHASE_PICK
        self.start: i64 = 0  # who holds the start marker
        self.turn: i64 = 0  # which pick, or whose turn in a power, from 0
        self.offered: i64 = 0  # a bug that waits for its swap
        self.steps: i64 = 0  # of grouping, still to come
        self.deck = none  # shared by copies: cards are counted, not removed
        self.drawn: i64 = 0
        self.floor = none
        self.wall = none
        self.discards = none
        self.hands = rows
        self.groups = none  # pairs by type, four bits each
        self.points = rows  # at the end

    # What others ask

    def to_act(self) -> tuple[int, ...]:
        """Seats that must act now."""
        if self.phase <= codes.PHASE_SWAP:
            return ALONE[self._acting()]
        if self.phase == codes.PHASE_OVER:
            return NOBODY
        asked = [seat for seat in range(self.seats) if self._is_asked(seat)]
        return EVERYBODY[self.seats] if len(asked) == self.seats else tuple(asked)

    def legal_actions(self, seat: int) -> list[int]:
        """Codes, bugs ascending, then what is not a bug."""
        legal: list[int] = []
        if not self._is_asked(seat):
            return legal
        phase: i64 = self.phase
        if phase == codes.PHASE_PICK:
            append_bugs(legal, codes.TAKE, sorted(self.floor))
            append_hatches(legal, self.hands[seat], self.wall)
        elif phase == codes.PHASE_HATCH:
            legal.append(codes.DONE << 16)
            append_hatches(legal, self.hands[seat], self.wall)
        elif phase == codes.PHASE_LAY:
            append_bugs(legal, codes.LAY, self.hands[seat])
        elif phase == codes.PHASE_HANG:
            append_bugs(legal, codes.HANG, self.hands[seat])
        elif phase in (codes.PHASE_PASS_LEFT, codes.PHASE_PASS_RIGHT):
            append_bugs(legal, codes.PASS, self.hands[seat])
        else:
            legal = self._other_actions(seat)
        return legal

    def _other_actions(self, seat: i64) -> list[int]:
        if self.phase == codes.PHASE_SHOW:
            return shows(self.hands[seat])
        if self.phase == codes.PHASE_OFFER:
            return offers(self.hands[seat], self.wall)
        if self.phase == codes.PHASE_SWAP:
            return swaps(self.offered, self.wall)
        group: i64 = self.groups[seat]
        return copies(self.hands[seat], group) if self.phase == codes.PHASE_GROUP else breaks(group)

    def apply(self, actions: dict[int, int]) -> None:
        """Carry out the actions and all that follows from them."""
        if self.phase <= codes.PHASE_SWAP:
            if len(actions) != 1:
                self._refuse(actions)
            seat = self._acting()
            self._choose(seat, self._checked(actions, seat))
            return
        acting = self.to_act()
        if not acting or len(actions) != len(acting):
            self._refuse(actions)
        chosen = [self._checked(actions, seat) & 0xFFFF for seat in acting]
        if self.phase <= codes.PHASE_PASS_LEFT:
            self._pass(acting, chosen)
        elif self.phase == codes.PHASE_GROUP:
            self._group(chosen)
        else:
            self._break(acting, chosen)

    def observe(self, seat: int) -> Observation:
        """All that the seat may know."""
        view = Observation(self.options, self.seats, seat)
        view.round, view.last_round, view.phase = self.round, self.last_round, self.phase
        view.start, view.turn, view.deck_size = self.start, self.turn, self._left()
        view.offered, view.steps = self.offered, self.steps
        view.hand = self.hands[seat][:]
        view.hand_sizes = [len(hand) for hand in self.hands]
        view.floor, view.wall, view.discards = self.floor[:], self.wall[:], self.discards[:]
        view.history = [codes.seen_by(code, seat, self.seats) for code in self.history]
        if self.phase >= codes.PHASE_BREAK:
            view.groups = self.groups[:]
            view.hands = [hand[:] for hand in self.hands]
            view.points = self.points  # replaced, never changed
        elif self.phase == codes.PHASE_GROUP:
            view.groups = [0] * self.seats
            view.groups[seat] = self.groups[seat]
        return view

    def events(self, seat: int, since: int) -> list[int]:
        """The log as this seat saw it: bugs that only others know are 0."""
        return [codes.seen_by(code, seat, self.seats) for code in self.log[since:]]

    def standing(self) -> list[int]:
        """The points of each hand as it is, with the pairs chosen so far."""
        rows = self.points
        if not rows:
            none = [0] * self.seats
            rows = points(self.hands, self.groups or none, none, self.options)
        return [sum(row) for row in rows]

    def outcome(self) -> Outcome:
        """Places by score, then by the best type, the second best, and so on (B40, B46)."""
        if self.phase != codes.PHASE_OVER:
            raise ValueError("outcome: expected a finished match, got one under way")
        keys = [(-sum(row), *sorted(-one for one in row)) for row in self.points]
        return Outcome(places(keys), [sum(row) for row in self.points], words.remarks(self.points))

    def clone(self) -> "BugsOnRugsState":
        """An independent copy."""
        copy = BugsOnRugsState(self.options, self.seats, self.key, self.log[:])
        copy.history = self.history[:]
        copy.round, copy.last_round, copy.phase = self.round, self.last_round, self.phase
        copy.start, copy.turn = self.start, self.turn
        copy.offered, copy.steps = self.offered, self.steps
        copy.deck, copy.drawn = self.deck, self.drawn
        copy.floor, copy.wall, copy.discards = self.floor[:], self.wall[:], self.discards[:]
        copy.hands = [hand[:] for hand in self.hands]
        copy.groups = self.groups[:]
        copy.points = self.points
        return copy

    def dump(self) -> dict[str, object]:
        """The whole state as plain data."""
        return stored.dumped(self)

    # Who may do what

    def _acting(self) -> i64:
        """The seat that chooses alone."""
        turn: i64 = self.turn
        if self.phase == codes.PHASE_SHOW:
            turn = 0
        elif turn >= self.seats:  # the second pick goes the other way
            turn = 2 * self.seats - 1 - turn
        seat: i64 = self.start + turn
        return seat if seat < self.seats else seat - self.seats

    def _is_asked(self, seat: i64) -> bool:
        if self.phase <= codes.PHASE_SWAP:
            return seat == self._acting()
        if self.phase <= codes.PHASE_PASS_LEFT:
            return len(self.hands[seat]) > 0
        if self.phase == codes.PHASE_BREAK:
            group: i64 = self.groups[seat]
            return group >> BREAKABLE_FROM != 0
        return self.phase == codes.PHASE_GROUP

    def _may_hatch(self, seat: i64) -> bool:
        """Whether, for all that everybody knows, the seat could hatch two Larva (B9)."""
        return len(self.wall) > 0 and len(self.hands[seat]) > 1

    def _checked(self, actions: dict[int, int], seat: i64) -> i64:
        """The seat's action, if it is legal."""
        given = actions.get(seat)
        if given is None:
            self._refuse(actions)
        code: i64 = given if 0 <= given <= codes.LAST_CODE else 0
        if not self._allows(seat, code):
            raise IllegalAction(f"seat {seat + 1}: expected one of {self.legal_actions(seat)}, got {given}")
        return code

    def _allows(self, seat: i64, code: i64) -> bool:
        """The usual actions are looked up where the bug must be; all others among the legal ones."""
        kind: i64 = code >> 16
        phase: i64 = self.phase
        if kind == codes.TAKE and phase == codes.PHASE_PICK:
            return code & 0xFFFF in self.floor
        if kind == codes.PASS and phase in (codes.PHASE_PASS_LEFT, codes.PHASE_PASS_RIGHT):
            return code & 0xFFFF in self.hands[seat]
        return code in self.legal_actions(seat)

    def _refuse(self, actions: dict[int, int]) -> NoReturn:
        raise IllegalAction(f"expected one action of each of the seats {self.to_act()}, got {actions}")

    # Picks

    def begin(self, rng: Rng) -> None:
        """Shuffle, deal a bug to each seat, reveal the first of the Wall, and choose who starts."""
        self.deck = list(CARDS)
        rng.fork("deck").shuffle(self.deck)
        self.start = rng.fork("start").below(self.seats)
        self.history, self.floor, self.wall, self.discards = [], [], [], []
        self.hands = [[] for _ in range(self.seats)]
        for seat in range(self.seats):
            self._draw_for(seat, codes.EVENT_DEALT)
        self._draw_to_wall()  # without its power (B3)
        self._begin_round()

    def _begin_round(self) -> None:
        """Lay out the Floor; if the End card comes up now, this round is the last (B25)."""
        self._note(codes.EVENT_ROUND, self.start, self.round + 1)
        while len(self.floor) < 2 * self.seats + 1:
            bug: i64 = self._draw()
            if not bug:
                break
            self._note(codes.EVENT_FLOOR, 0, bug)
            self.floor.append(bug)
        self.round += 1
        self.turn = 0
        self._go_on_picking()

    def _go_on_picking(self) -> None:
        """Carry out the picks that everybody sees to be forced, up to the next choice."""
        while self.turn < 2 * self.seats and self.floor:
            seat: i64 = self._acting_in(codes.PHASE_PICK)
            if self._may_hatch(seat) or not all_same(self.floor):
                return
            self._take(seat, self.floor[0])
            if self.phase == codes.PHASE_HATCH:
                return
        self._end_picks()

    def _acting_in(self, phase: i64) -> i64:
        self.phase = phase
        return self._acting()

    def _take(self, seat: i64, bug: i64) -> None:
        """A pick; a Larva opens the question of hatching (B9)."""
        self.floor.remove(bug)
        put(self.hands[seat], bug)
        self._note_hand(codes.EVENT_TOOK, seat, bug)
        if type_of(bug) == LARVA and self._may_hatch(seat):
            self.phase = codes.PHASE_HATCH
        else:
            self.turn += 1

    def _hatch(self, seat: i64, value: i64) -> None:
        """Two Larva leave the game for a bug of the Wall (B10, B42)."""
        for rug in (value >> 9, value >> 6 & 7):
            bug: i64 = codes.bug_of(LARVA, rug)
            self.hands[seat].remove(bug)
            put(self.discards, bug)
            self._note_hand(codes.EVENT_HATCHED, seat, bug)
        self._take_wall(seat, value & 63)

    def _take_wall(self, seat: i64, index: i64) -> None:
        bug: i64 = self.wall.pop(index)
        put(self.hands[seat], bug)
        self._note_hand(codes.EVENT_TOOK_WALL, seat, bug)

    def _end_picks(self) -> None:
        """The bug left over flies to the Wall; without one, the deck was too short for a last round (B28)."""
        if not self.floor:
            self._begin_grouping()
            return
        bug: i64 = self.floor.pop()
        self.wall.append(bug)
        self._note(codes.EVENT_LEFTOVER, 0, bug)
        type_: i64 = type_of(bug)
        if type_ == LARVA:
            type_ = self._larva_arrived()
        self._activate(type_)

    def _larva_arrived(self) -> i64:
        """Two or more Larva leave the Wall for a new bug, whose type counts; else nothing happens (B16, B17)."""
        larva = [bug for bug in self.wall if type_of(bug) == LARVA]
        if len(larva) < 2:
            return LARVA
        self.wall = [bug for bug in self.wall if type_of(bug) != LARVA]
        for bug in larva:
            put(self.discards, bug)
            self._note(codes.EVENT_LARVA_LEFT, 0, bug)
        return self._draw_to_wall()

    # Wall powers

    def _activate(self, type_: i64) -> None:
        """The power of a bug of this type; 0 is for one that the empty deck did not give (B28)."""
        while type_ == codes.ANT:  # Ants call the next bug (B18)
            type_ = self._draw_to_wall()
        self.turn = 0
        if type_ == codes.BUTTERFLY:
            self.phase = codes.PHASE_SHOW
        elif type_ == codes.FIREFLY and (self.options.final_firefly or self.round != self.last_round):
            self.phase = codes.PHASE_LAY
        elif type_ == codes.SPIDER:
            self.phase = codes.PHASE_HANG
        elif type_ == codes.FLY:
            self.phase = codes.PHASE_PASS_RIGHT
        elif type_ == codes.BEETLE:
            self.phase = codes.PHASE_PASS_LEFT
        elif type_ == codes.MOSQUITO_TYPE:
            self.phase = codes.PHASE_OFFER
        else:
            if type_ == codes.LADYBUG:
                self._draw_all()
            self._end_round()
            return
        self._skip_empty_hands()

    def _skip_empty_hands(self) -> None:
        """Who has no bug is left out of a power (B24)."""
        if self.phase >= codes.PHASE_PASS_RIGHT:
            if not self.to_act():
                self._end_round()
            return
        turns: i64 = 1 if self.phase == codes.PHASE_SHOW else self.seats
        while self.turn < turns and not self.hands[self._acting()]:
            self.turn += 1
        if self.turn == turns:
            self._end_round()

    def _draw_all(self) -> None:
        """Ladybug: everybody draws, in turn order (B21)."""
        for turn in range(self.seats):
            self._draw_for((self.start + turn) % self.seats, codes.EVENT_DREW)

    def _choose(self, seat: i64, code: i64) -> None:
        """Carry out the action of a seat that chooses alone."""
        kind: i64 = code >> 16
        value: i64 = code & 0xFFFF
        if kind <= codes.DONE:
            self._choose_pick(seat, kind, value)
        elif kind <= codes.SHOW_HAND:
            self._show(seat, value)
        elif kind == codes.OFFER:
            self._offer(seat, value)
        else:
            if kind == codes.LAY:
                self._give(codes.EVENT_LAID, seat, value)
                self.floor.append(value)
            elif kind == codes.HANG:  # last on the Wall, then the first one is taken (B19)
                self._give(codes.EVENT_HUNG, seat, value)
                self.wall.append(value)
                self._take_wall(seat, 0)
            else:
                self._swap(seat, value)
            self.turn += 1
            self._skip_empty_hands()

    def _choose_pick(self, seat: i64, kind: i64, value: i64) -> None:
        if kind == codes.TAKE:
            self._take(seat, value)
        elif kind == codes.HATCH:
            self._hatch(seat, value)
        if self.phase == codes.PHASE_HATCH:
            if kind != codes.DONE and self._may_hatch(seat):
                return
            self.turn += 1
        self._go_on_picking()

    def _give(self, event: i64, seat: i64, bug: i64) -> None:
        self.hands[seat].remove(bug)
        self._note_hand(event, seat, bug)

    def _show(self, seat: i64, bug: i64) -> None:
        """Butterfly: the shown bug's power; Larva have none here, nor a hand of Butterflies (B11-B13)."""
        if not bug:
            self._show_hand(seat)
            self._end_round()
            return
        self._note_hand(codes.EVENT_SHOWED, seat, bug)
        self._activate(type_of(bug))

    def _show_hand(self, seat: i64) -> None:
        for bug in self.hands[seat]:
            self._note_hand(codes.EVENT_SHOWED_HAND, seat, bug)

    def _offer(self, seat: i64, bug: i64) -> None:
        """Mosquito: a bug of the hand is named for the swap; a hand without choice is shown (B22, B23)."""
        if not differs(bug, self.wall):
            self._show_hand(seat)
        self._note_hand(codes.EVENT_OFFERED, seat, bug)
        self.offered = bug
        places_to_go = swaps(bug, self.wall)
        if len(places_to_go) > 1:
            self.phase = codes.PHASE_SWAP
            return
        self._swap(seat, places_to_go[0] & 0xFFFF)
        self.turn += 1
        self._skip_empty_hands()

    def _swap(self, seat: i64, index: i64) -> None:
        """The offered bug takes the place of the one on the Wall."""
        self._give(codes.EVENT_HUNG, seat, self.offered)
        bug: i64 = self.wall[index]
        self.wall[index] = self.offered
        put(self.hands[seat], bug)
        self._note_hand(codes.EVENT_TOOK_WALL, seat, bug)
        self.offered = 0
        self.phase = codes.PHASE_OFFER

    def _pass(self, givers: tuple[int, ...], bugs: list[int]) -> None:
        """Fly and Beetle: all give at once, then all get (B20)."""
        event: i64 = codes.EVENT_PASSED_LEFT if self.phase == codes.PHASE_PASS_LEFT else codes.EVENT_PASSED_RIGHT
        for index in range(len(givers)):
            self._give(event, givers[index], bugs[index])
        for index in range(len(givers)):
            put(self.hands[codes.receiver(event, givers[index], self.seats)], bugs[index])
        self._end_round()

    def _end_round(self) -> None:
        """After the power: the last round leads to the scores, any other to the next start player (B5, B27)."""
        if self.round == self.last_round:
            self._begin_grouping()
        else:
            self.start = self.start + 1 if self.start + 1 < self.seats else 0
            self._begin_round()

    # The end

    def _begin_grouping(self) -> None:
        """What Fireflies laid out now is lost (B15); then everybody groups as often as anybody could need (B48)."""
        for bug in self.floor:
            put(self.discards, bug)
            self._note(codes.EVENT_LOST, 0, bug)
        self.floor = []
        self.groups = [0] * self.seats
        self.phase = codes.PHASE_GROUP
        self.turn = 0
        self.steps = most_pairs(self.wall, self.discards)
        if not self.steps:
            self._reveal()

    def _group(self, chosen: list[int]) -> None:
        """One pair of each seat copies a type, or none does."""
        for seat in range(self.seats):
            if chosen[seat]:
                self.groups[seat] += 1 << ((chosen[seat] - 1) << 2)
        self.steps -= 1
        if not self.steps:
            self._reveal()

    def _reveal(self) -> None:
        """All hands lie open with their pairs; what was known of them does not matter any more."""
        self.history = []
        for seat in range(self.seats):
            self._note_pairs(codes.EVENT_COPIED, seat, self.groups[seat])
        self.phase = codes.PHASE_BREAK
        if not self.options.breaking_pairs or not self.to_act():
            self._score([0] * self.seats)

    def _break(self, acting: tuple[int, ...], chosen: list[int]) -> None:
        """Pairs of later types are broken to hatch Larva (B45)."""
        broken = [0] * self.seats
        for index in range(len(acting)):
            broken[acting[index]] = packed_pairs(chosen[index])
            self._note_pairs(codes.EVENT_BROKE, acting[index], broken[acting[index]])
        self._score(broken)

    def _score(self, broken: list[int]) -> None:
        self.points = points(self.hands, self.groups, broken, self.options)
        self.phase = codes.PHASE_OVER
        for seat in range(self.seats):
            self._note(codes.EVENT_SCORED, seat, sum(self.points[seat]))

    # Small parts

    def _left(self) -> i64:
        return len(self.deck) - self.drawn

    def _draw(self) -> i64:
        """The next bug of the deck, 0 if there is none; the End card on the way makes the next round the last."""
        if not self.last_round and self._left() == BELOW_END[self.seats]:
            self.last_round = self.round + 1  # a round counts from when its Floor is laid out (B25, B26)
            self._note(codes.EVENT_END, 0, self.last_round)
        if not self._left():
            self._note(codes.EVENT_NO_CARD, 0, 0)
            return 0
        bug: i64 = self.deck[self.drawn]
        self.drawn += 1
        return bug

    def _draw_for(self, seat: i64, event: i64) -> None:
        bug: i64 = self._draw()
        if bug:
            put(self.hands[seat], bug)
            self._note_hand(event, seat, bug)

    def _draw_to_wall(self) -> i64:
        """A new bug, last on the Wall: its type, 0 if there is none."""
        bug: i64 = self._draw()
        if not bug:
            return 0
        self.wall.append(bug)
        self._note(codes.EVENT_WALL, 0, bug)
        return type_of(bug)

    def _note(self, kind: i64, seat: i64, value: i64) -> None:
        self.log.append(kind << 16 | seat << 12 | value)

    def _note_hand(self, kind: i64, seat: i64, bug: i64) -> None:
        code = kind << 16 | seat << 12 | bug
        self.log.append(code)
        self.history.append(code)

    def _note_pairs(self, kind: i64, seat: i64, group: i64) -> None:
        for type_ in range(codes.BUTTERFLY, codes.MOSQUITO_TYPE):
            for _ in range(pairs_of(group, type_)):
                self._note(kind, seat, type_)


class BugsOnRugs:
    """The rules as a game of the contract."""

    @property
    def name(self) -> str:
        return "bugs-on-rugs"

    @property
    def title(self) -> str:
        return "Bugs on Rugs"

    def seat_counts(self) -> range:
        return range(2, 6)

    def option_list(self) -> Sequence[Option]:
        return [
            Option("final_firefly", [True, False], "whether a Firefly's power is carried out in the final round"),
            Option("breaking_pairs", [False, True], "whether Mosquito pairs may be broken to hatch Larva when scoring"),
            Option("mosquito_is_type", [True, False], "whether a single Mosquito counts as a type for Butterflies"),
        ]

    def variants(self) -> Mapping[str, Options]:
        return {
            "base": Options(),
            "no-final-firefly": Options(final_firefly=False),
            "breaking-pairs": Options(breaking_pairs=True),
            "mosquito-no-type": Options(mosquito_is_type=False),
            "all-switches": Options(final_firefly=False, breaking_pairs=True, mosquito_is_type=False),
        }

    def options(self, given: Mapping[str, object]) -> Options:
        read = resolve(self.option_list(), given)
        return Options(
            final_firefly=read["final_firefly"] is True,
            breaking_pairs=read["breaking_pairs"] is True,
            mosquito_is_type=read["mosquito_is_type"] is True,
        )

    def plain_options(self, options: Options) -> dict[str, Value]:
        return options.plain()

    def length_bound(self, options: Options, seats: int) -> int:
        """In each round two picks of each seat, each with a hatch refused, and a swap in two parts.

        Every round takes a bug more than there are seats from the deck at least. Hatches use up Larva, and a
        Butterfly that asks again has used up a card.
        """
        rounds = 2 + len(CARDS) // (seats + 1)
        scoring = MOSQUITOS // 2 + (1 if options.breaking_pairs else 0)
        return rounds * 6 * seats + len(CARDS) + scoring

    def setup(self, options: Options, seats: int, rng: Rng) -> BugsOnRugsState:
        if not 2 <= seats <= 5:
            raise ValueError(f"bugs-on-rugs: expected 2 to 5 seats, got {seats}")
        state = BugsOnRugsState(options, seats, rng.key, [])
        state.begin(rng)
        return state

    def determinize(self, observation: Observation, rng: Rng) -> BugsOnRugsState:
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

    def load(self, data: Mapping[str, object]) -> BugsOnRugsState:
        plain.fields(data, stored.FIELDS)
        options = self.options(plain.mapping(data, "options"))
        key = plain.hexadecimal(data, "rng", 32)
        state = BugsOnRugsState(options, plain.number(data, "seats", 2, 5), key, [])
        stored.fill(state, data)
        return state


GAME: Final = BugsOnRugs()


def imagined(view: Observation, rng: Rng) -> BugsOnRugsState:
    """A state that the view allows (B47)."""
    key = int(rng.bits32())
    for _ in range(3):
        key = key << 32 | int(rng.bits32())
    state = BugsOnRugsState(view.options, view.seats, key, [])
    state.round, state.last_round, state.phase = view.round, view.last_round, view.phase
    state.start, state.turn = view.start, view.turn
    state.offered, state.steps = view.offered, view.steps
    state.floor, state.wall, state.discards = view.floor[:], view.wall[:], view.discards[:]
    past = imagined_past(view, rng, list(CARDS))
    state.history, state.hands, state.deck = past.history, past.hands, past.deck
    state.groups = view.groups[:]
    state.points = view.points
    if view.phase == codes.PHASE_GROUP:
        for seat in range(state.seats):
            if seat != view.seat:
                imagine_group(state, seat, rng)
    return state


def imagine_group(state: BugsOnRugsState, seat: i64, rng: Rng) -> None:
    """What the seat may have chosen in the sealed choices so far."""
    past: i64 = most_pairs(state.wall, state.discards) - state.steps
    while past > 0:
        chosen: i64 = rng.choice(state.legal_actions(seat)) & 0xFFFF
        if chosen:
            state.groups[seat] += 1 << ((chosen - 1) << 2)
        past -= 1
