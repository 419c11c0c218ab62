"""Imagined tables against every world that fits what a seat saw (B47): the same support, frequencies aside."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.actions import Show, ShowHand, Take
from arena.games.bugs_on_rugs.codec import CODEC
from arena.games.bugs_on_rugs.deck import CARDS
from arena.games.bugs_on_rugs.rules import GAME, BugsOnRugsState
from arena.games.bugs_on_rugs.rules_views import Observation
from arena.games.bugs_on_rugs.v1 import bugs_on_rugs_pb2 as pb
from tests.games.bugs_on_rugs import conservation
from tests.games.bugs_on_rugs.positions import Position, act, begun, bug, bugs
from tests.games.bugs_on_rugs.table import PASSED, hidden_from, parts, receiver, remembered
from tests.games.bugs_on_rugs.worlds import TooMany, World, Worlds

MOST = 150  # worlds of a position
SAMPLES = 120  # for each of them
POSITIONS = 6

Imagine = Callable[[Observation, Rng], World]


@dataclass(frozen=True)
class Seen:
    """A view with few worlds behind it."""

    name: str
    view: Observation
    worlds: set[World]


def small_match(seats: int, seed: int) -> BugsOnRugsState:
    """A match shortly before a Wall power: small hands, few bugs that only their owners know, a short deck."""
    rng = seeded(seed).fork("position")
    cards = list(CARDS)
    rng.shuffle(cards)
    hands = [sorted(cards.pop() for _ in range(2 + rng.below(5 - seats // 2))) for _ in range(seats)]
    secretive = (0, 1 + seed % (seats - 1))
    wall, floor = [cards.pop(), cards.pop()], [cards.pop() for _ in range(3)]
    deck = [cards.pop() for _ in range(2 * seats + 4)]
    history = [
        (codes.EVENT_DEALT if place == 0 and seat in secretive else codes.EVENT_TOOK) << 16 | seat << 12 | bug
        for seat, hand in enumerate(hands)
        for place, bug in enumerate(hand)
    ]
    data = GAME.setup(GAME.options({}), seats, seeded(seed)).dump()
    data |= {"hands": hands, "wall": wall, "floor": floor, "deck": deck, "discards": sorted(cards)}
    data |= {"history": history, "log": [], "turn": 2 * seats - 2, "round": 2, "last_round": 3}
    state = GAME.load(data)
    conservation.check(state.dump())
    return state


def moments(seats: int) -> Iterator[tuple[str, BugsOnRugsState]]:
    """Decisions of small matches."""
    for seed in range(10_000):
        state, rng = small_match(seats, seed), seeded(seed).fork("choices")
        number = 0
        while state.to_act() and state.phase < codes.PHASE_GROUP:
            yield f"{seats} seats, seed {seed}, decision {number}", state
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
            number += 1


def positions(seats: int, only: Callable[[Observation], bool]) -> Iterator[Seen]:
    """Views of seat 1 with more than one world and not too many; no two of one match."""
    used = ""
    for name, state in moments(seats):
        match, _, _ = name.rpartition(",")
        view = state.observe(0)
        if match != used and only(view) and (worlds := few_worlds(state)):
            used = match
            yield Seen(name, view, worlds)


def few_worlds(state: BugsOnRugsState) -> set[World]:
    """The worlds that fit what seat 1 saw, if there are several and not too many."""
    hidden = [code & 0xFFF for code in state.history if code >> 16 <= codes.EVENT_DREW and code >> 12 & 15]
    unseen = Counter(state.deck[state.drawn :]) + Counter(hidden)
    watcher = Worlds(0, state.seats, unseen, 20 * MOST)
    try:
        watcher.watch(remembered(state.history, 0, state.seats))
        worlds = watcher.all()
    except TooMany:
        return set()
    assert tuple(map(tuple, state.hands)) in worlds, "the match itself is none of its worlds"
    return worlds if 1 < len(worlds) <= MOST else set()


def imagined(view: Observation, rng: Rng) -> World:
    """The engine's own answer."""
    return tuple(map(tuple, GAME.determinize(view, rng).hands))


def verdict(seen: Seen, imagine: Imagine) -> str:
    """What is wrong with the imagined worlds, or nothing."""
    rng = seeded(1)
    tally = {imagine(seen.view, rng) for _ in range(SAMPLES * len(seen.worlds))}
    if wrong := tally - seen.worlds:
        return f"{seen.name}: {len(wrong)} of {len(tally)} imagined worlds cannot be"
    if missing := seen.worlds - tally:
        return f"{seen.name}: {len(missing)} of {len(seen.worlds)} worlds are never imagined"
    return ""


def any_view(view: Observation) -> bool:
    return True


def hidden_passes(view: Observation) -> int:
    """How many passes between others it has seen."""
    return sum(hidden_from(code, 0, view.seats) and code >> 16 > codes.EVENT_DREW for code in view.history)


def uncovered(view: Observation) -> bool:
    """Whether a hidden pass was followed by a bug that another seat showed or gave away."""
    places = [at for at, code in enumerate(view.history) if code >> 16 in (8, 9) and not code & 0xFFF]
    open_kinds = (codes.EVENT_LAID, codes.EVENT_HUNG, codes.EVENT_HATCHED, codes.EVENT_SHOWED, codes.EVENT_OFFERED)
    later = view.history[places[0] :] if places else []
    return any(code >> 16 in open_kinds and code >> 12 & 15 for code in later)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_imagined_worlds_are_just_those_that_fit(seats: int) -> None:
    found = list(islice(positions(seats, any_view), POSITIONS))
    assert [verdict(seen, imagined) for seen in found] == [""] * POSITIONS


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_after_hidden_passes(seats: int) -> None:
    found = list(islice(positions(seats, lambda view: hidden_passes(view) > 0), POSITIONS))
    assert [verdict(seen, imagined) for seen in found] == [""] * POSITIONS


@pytest.mark.parametrize("seats", [3, 4])
def test_what_only_history_excludes_is_never_imagined(seats: int) -> None:
    """A bug that somebody gave away after a hidden pass tells what was passed, or what was not."""
    found = list(islice(positions(seats, uncovered), POSITIONS))
    assert [verdict(seen, imagined) for seen in found] == [""] * POSITIONS


def test_a_shown_hand_stays_known() -> None:
    """Seat 2 has shown nothing but Butterflies (B11); seat 3 holds one bug of the three that nobody has seen."""
    position = Position(["rAnt", "gBut oBut", "rFly"], "vBut rBut", "bBee", start=1, turn=5, deck_size=9)
    state = begun(position)
    act(state, 1, Take(bug("vBut")))
    act(state, 1, ShowHand())
    seen = Seen("shown hand", state.observe(0), few_worlds(state))
    assert {world[1] for world in seen.worlds} == {tuple(sorted(bugs("gBut oBut vBut")))}
    assert len(seen.worlds) == 3
    assert verdict(seen, imagined) == ""
    assert "cannot be" in verdict(seen, forgetting(codes.EVENT_SHOWED_HAND))


# Mutants: each forgets one thing that its seat saw, and must be caught.


def forgetting(*kinds: int) -> Imagine:
    """An engine that has forgotten all events of these kinds."""

    def imagine(view: Observation, rng: Rng) -> World:
        return imagined(with_history(view, [code for code in view.history if code >> 16 not in kinds]), rng)

    return imagine


def with_history(view: Observation, history: list[int]) -> Observation:
    message = pb.Observation()
    message.ParseFromString(CODEC.encode_observation(view, [], []))
    other = CODEC.decode_observation(message.SerializeToString())[0]
    other.history = history
    return other


def forgetting_names(view: Observation, rng: Rng) -> World:
    """An engine that remembers how many bugs the others hold, and not which."""
    sizes = enumerate(view.hand_sizes)
    held = [codes.EVENT_DEALT << 16 | seat << 12 for seat, size in sizes if seat != view.seat for _ in range(size)]
    dump = GAME.determinize(with_history(view, held), rng)
    return tuple(map(tuple, dump.hands))


def forgetting_own_passes(view: Observation, rng: Rng) -> World:
    """An engine that knows that it passed a bug, and not which."""
    history = view.history[:]
    for at, code in enumerate(history):
        kind, giver, _ = parts(code)
        if kind in PASSED and giver == view.seat:
            history[at] = codes.EVENT_DREW << 16 | receiver(kind, giver, view.seats) << 12
    return imagined(with_history(view, history), rng)


def caught(found: Iterator[Seen], mutant: Imagine, words: str) -> bool:
    """Whether one of the next positions shows what is wrong."""
    return any(words in verdict(seen, mutant) for seen in islice(found, 12))


def test_an_engine_that_forgets_what_was_shown_is_caught() -> None:
    """Seat 2 shows its first bug, which nobody else had seen."""
    state = begun(Position(["rAnt", "oBee", "rFly"], "vAnt rBut", "bBee", start=1, turn=5, deck_size=4))
    act(state, 1, Take(bug("vAnt")))
    act(state, 1, Show(bug("oBee")))
    seen = Seen("shown bug", state.observe(0), few_worlds(state))
    assert len(seen.worlds) == 5
    assert verdict(seen, imagined) == ""
    assert "cannot be" in verdict(seen, forgetting(codes.EVENT_SHOWED))


def test_an_engine_that_forgets_names_is_caught() -> None:
    assert caught(positions(2, any_view), forgetting_names, "cannot be")


def test_an_engine_that_forgets_what_it_passed_is_caught() -> None:
    passed = positions(3, lambda view: any(code >> 16 in PASSED for code in view.history))
    assert caught(passed, forgetting_own_passes, "cannot be")


def test_the_check_itself_sees_a_missing_world() -> None:
    seen = next(positions(3, any_view))
    assert "never imagined" in verdict(seen, lambda view, rng: imagined(view, Rng(7)))


# Everywhere


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_view_of_many_matches_can_be_imagined(seats: int) -> None:
    """Long pasts with many hidden passes; interpreted and compiled bits must agree up to the highest bug."""
    for seed in range(12):
        state, rng = GAME.setup(GAME.options({}), seats, seeded(seed)), seeded(seed).fork("choices")
        while state.to_act():
            for seat in range(seats):
                world = GAME.determinize(state.observe(seat), rng)
                assert world.observe(seat) == state.observe(seat), f"seed {seed}"
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})


def test_sealed_pairs_of_others_are_imagined_too() -> None:
    """While all group, another seat may have copied anything that its hand allows, or nothing."""
    state = begun(Position(["rAnt", "rFly oBee gLar Mosq Mosq"], phase="group", steps=4))
    rng, copied = seeded(1), Counter[int]()
    for _ in range(2000):
        world = GAME.determinize(state.observe(0), rng)
        types = [type_ for type_ in range(1, 9) if world.groups[1] >> 4 * (type_ - 1) & 15]
        assert len(types) <= world.hands[1].count(codes.MOSQUITO) // 2
        assert set(types) <= {codes.type_of(one) for one in world.hands[1]}
        copied.update(types or [0])
    assert set(copied) == set(range(9))


def test_a_past_that_cannot_be_is_refused() -> None:
    view = begun(Position(["rAnt", "rFly"], "rBee oBee gBee bBee vBee", "rLady")).observe(0)
    gone = codes.EVENT_HUNG << 16 | 1 << 12
    with pytest.raises(ValueError, match="expected one of a possible match"):
        GAME.determinize(with_history(view, [*view.history, gone | bug("rFly"), gone | bug("oFly")]), Rng(1))
