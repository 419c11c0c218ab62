"""Follows one match in several worlds that a seat cannot tell apart, and compares what it is told, byte by byte.

The worlds come from three sources: small swaps of hidden things (secrecy.swap, which knows the rulebook and not
the engine), the game's own imagination, and another generator. A world stays until the table itself shows the
seat a difference (secrecy.visible); up to then every message must be the same, and so must be who is asked.
"""

from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from arena.engine.contract import State
from tests.conformance.cases import Case

MOST_WORLDS = 5  # followed beside the match
MOST_TRIES = 16  # joint actions tried where the match's own are not possible
MOST_DEPTH = 3  # questions that one world may be behind another


@dataclass
class World:
    """One of the worlds, the match itself among them."""

    state: State[Any]
    told: int  # how many events the seat knows already
    origin: str


class Watch:
    """One seat's view of one match and of its other worlds."""

    def __init__(self, case: Case, seat: int) -> None:
        self.case = case
        self.seat = seat
        self.rng = case.rng(f"worlds of seat {seat}")
        state = case.start()
        self.match = World(state, len(state.events(seat, 0)), "the match")
        self.worlds: list[World] = []
        self.applied = 0
        self.opened = 0  # worlds found so far
        self.followed = 0  # applies after which a world was still the same to the seat

    def run(self) -> None:
        """The whole match; AssertionError where the seat is told what it may not know."""
        while self.match.state.to_act():
            self._open_worlds()
            actions = self._choose()
            self._advance(actions)
        for world in self.worlds:
            self._compare_outcomes(world)

    # Worlds

    def _open_worlds(self) -> None:
        if self.applied % 2 == 0 or len(self.worlds) < MOST_WORLDS:
            self._open("swap", self._swapped(self.match.state, 1 + self.applied % 3))
        if self.applied % 4 == 0:
            view = self.match.state.observe(self.seat)
            self._open("imagination", self.case.game.determinize(view, self.rng.fork(f"world {self.applied}")))
        if self.applied % 16 == 0:
            self._open("generator", self._with_other_generator())
        del self.worlds[:-MOST_WORLDS]

    def _open(self, origin: str, state: State[Any] | None) -> None:
        if state is None:
            return
        world = World(state, 0, f"{origin} of apply {self.applied}")
        if past := state.events(self.seat, 0):  # an imagined world has none to compare
            same = past == self.match.state.events(self.seat, 0)
            assert same, f"{self}: the past of {world.origin} is told differently"
            world.told = len(past)
        self._compare(world)
        self.worlds.insert(len(self.worlds) if origin == "swap" else 0, world)
        self.opened += 1

    def _swapped(self, state: State[Any], times: int) -> State[Any] | None:
        dump, secrecy = state.dump(), self.case.secrecy
        for _ in range(times):
            other = secrecy.swap(dump, self.seat, self.rng)
            if other is None:
                return None
            same = secrecy.visible(other, self.seat) == secrecy.visible(dump, self.seat)
            assert same, f"{self}: secrecy.swap changed what the seat sees"
            dump = other
        self.case.conservation.check(dump)
        return self.case.game.load(dump)

    def _with_other_generator(self) -> State[Any]:
        name, dump = self.case.generator(), self.match.state.dump()
        key = self.rng.fork(f"generator {self.applied}").key
        return self.case.game.load(dump | {name: f"{key:032x}" if isinstance(dump[name], str) else key})

    # Playing on

    def _choose(self) -> dict[int, int]:
        """Random actions, mostly such as are possible in many of the worlds."""
        return {seat: self._choice(seat) for seat in self.match.state.to_act()}

    def _choice(self, seat: int) -> int:
        legal = self.match.state.legal_actions(seat)
        if seat == self.seat or self.rng.below(4) == 0:
            return self.rng.choice(legal)
        elsewhere = [world.state.legal_actions(seat) for world in self.worlds]
        votes = [sum(code in codes for codes in elsewhere) for code in legal]
        return self.rng.choice([code for code, vote in zip(legal, votes, strict=True) if vote == max(votes)])

    def _advance(self, actions: dict[int, int]) -> None:
        self.match.state.apply(dict(actions))
        self.applied += 1
        shown = self._visible(self.match.state)
        self.worlds = [world for world in self.worlds if self._follow(world, actions, shown)]
        for world in (self.match, *self.worlds):
            world.told += len(world.state.events(self.seat, world.told))
        self.followed += len(self.worlds)

    def _follow(self, world: World, actions: dict[int, int], shown: Any) -> bool:
        """Whether the world goes on: the seat acts as in the match, the others so that it looks the same."""
        legal = {seat: world.state.legal_actions(seat) for seat in actions}
        if any(actions[seat] not in legal[seat] for seat in actions):
            return self._follow_otherwise(world, actions, legal, shown)
        world.state.apply(dict(actions))
        if self._visible(world.state) != shown:
            self._check_asked_alike(world)
            return False
        self._compare(world)
        return True

    def _follow_otherwise(self, world: World, actions: dict[int, int], legal: dict[int, list[int]], shown: Any) -> bool:
        """Another choice of the other seats that the seat cannot tell from the one in the match, if there is one."""
        news = self.match.state.events(self.seat, self.match.told)
        choices = [[actions[seat]] if actions[seat] in legal[seat] else legal[seat] for seat in actions]
        for codes in islice(product(*choices), MOST_TRIES):
            state = world.state.clone()
            state.apply(dict(zip(actions, codes, strict=True)))
            if state.events(self.seat, world.told) == news and self._visible(state) == shown:
                world.state = state
                self._compare(world)
                return True
        return False

    # Comparing

    def _visible(self, state: State[Any]) -> Any:
        return self.case.secrecy.visible(state.dump(), self.seat)

    def _compare(self, world: World) -> None:
        ours, theirs = self.match.state, world.state
        who = f"{self}: compared with {world.origin}"
        assert list(theirs.to_act()) == list(ours.to_act()), f"{who}, others are asked: {theirs.to_act()}"
        same = self._message(world) == self._message(self.match)
        assert same, f"{who}, the messages differ:\n{self._words(self.match)}\n---\n{self._words(world)}"

    def _message(self, world: World) -> bytes:
        return self.case.message(world.state, self.seat, world.told)

    def _words(self, world: World) -> str:
        game, events = self.case.game, world.state.events(self.seat, world.told)
        told = [game.event_text(code) for code in events]
        return f"{game.text(world.state.observe(self.seat))}\n{world.state.legal_actions(self.seat)}\n{told}"

    def _compare_outcomes(self, world: World) -> None:
        ours, theirs = self.match.state.outcome(), world.state.outcome()
        same = (ours.places, ours.scores, ours.remarks) == (theirs.places, theirs.scores, theirs.remarks)
        assert same, f"{self}: {world.origin} looks the same and ends differently"

    def _check_asked_alike(self, world: World) -> None:
        """No world may be ahead only because a question was left out in it."""
        ours = self.match.state.events(self.seat, self.match.told)
        theirs = world.state.events(self.seat, world.told)
        behind, ahead = (self.match, world) if len(ours) < len(theirs) else (world, self.match)
        skipped = self._catches_up(behind.state, behind.told, ahead, MOST_DEPTH)
        assert not skipped, f"{self}: being asked tells a secret; {world.origin} was asked otherwise"

    def _catches_up(self, state: State[Any], told: int, ahead: World, depth: int) -> bool:
        """Whether answers to open questions lead to just what the world ahead shows without them."""
        news, goal = state.events(self.seat, told), ahead.state.events(self.seat, ahead.told)
        if news == goal:
            return depth < MOST_DEPTH and self._visible(state) == self._visible(ahead.state)
        if goal[: len(news)] != news or depth == 0 or not state.to_act():
            return False
        acting = list(state.to_act())
        for codes in islice(product(*(state.legal_actions(seat) for seat in acting)), MOST_TRIES):
            later = state.clone()
            later.apply(dict(zip(acting, codes, strict=True)))
            if self._catches_up(later, told, ahead, depth - 1):
                return True
        return False

    def __str__(self) -> str:
        return f"{self.case} after {self.applied} applies, seat {self.seat + 1}"


def watch_all(case: Case) -> list[Watch]:
    """Watches the match of a case from every seat."""
    watches = [Watch(case, seat) for seat in range(case.seats)]
    for watch in watches:
        watch.run()
    return watches
