"""Games with one fault each, to show that the conformance tests find it: real ones with a method replaced."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from zlib import crc32

from arena.engine.contract import IllegalAction, Outcome
from arena.engine.rng import Rng, seeded
from tests.conformance.cases import Case, at_random

Change = Callable[..., Any]
Actions = dict[int, int]


class Altered:
    """A game, state or codec with some methods replaced; each gets this object first, and finds the original in it."""

    def __init__(self, inner: Any, changes: dict[str, Change]) -> None:
        self.inner = inner
        self.changes = changes

    def __getattr__(self, name: str) -> Any:
        change = self.changes.get(name)
        return (lambda *given: change(self, *given)) if change else getattr(self.inner, name)


def altered_state(inner: Any, changes: dict[str, Change]) -> Any:
    """A state with a fault, which its clones inherit."""
    return Altered(inner, {"clone": lambda state: altered_state(state.inner.clone(), changes)} | changes)


def with_state(case: Case, **changes: Change) -> Case:
    """The case with a fault in every state."""
    return with_game(case, **making(changes, "setup", "load", "determinize"))


def making(changes: dict[str, Change], *methods: str) -> dict[str, Change]:
    """Methods of a game that make states with a fault."""

    def faulty(method: str) -> Change:
        return lambda game, *given: altered_state(getattr(game.inner, method)(*given), changes)

    return {method: faulty(method) for method in methods}


def with_game(case: Case, **changes: Change) -> Case:
    """The case with a fault in the game."""
    game: Any = Altered(case.game, changes)
    return replace(case, game=game)


def with_codec(case: Case, **changes: Change) -> Case:
    """The case with a fault in the codec."""
    return replace(case, codec=Altered(case.codec, changes))


# Faults in play


def outcome_at_any_time(case: Case) -> Case:
    return with_state(case, outcome=lambda state: Outcome([1] * case.seats, [0] * case.seats, []))


def nobody_is_first(case: Case) -> Case:
    def outcome(state: Altered) -> Outcome:
        true: Outcome = state.inner.outcome()
        return Outcome([place + 1 for place in true.places], true.scores, true.remarks)

    return with_state(case, outcome=outcome)


def standing_upside_down(case: Case) -> Case:
    return with_state(case, standing=lambda state: [-one for one in state.inner.standing()])


def an_action_twice(case: Case) -> Case:
    def legal_actions(state: Altered, seat: int) -> list[int]:
        legal: list[int] = state.inner.legal_actions(seat)
        return legal + legal[:1]

    return with_state(case, legal_actions=legal_actions)


def actions_out_of_turn(case: Case) -> Case:
    return with_state(case, legal_actions=lambda state, seat: state.inner.legal_actions(seat) or [0])


def actions_in_any_order(case: Case) -> Case:
    rng = case.rng("order")

    def legal_actions(state: Altered, seat: int) -> list[int]:
        legal: list[int] = state.inner.legal_actions(seat)
        rng.shuffle(legal)
        return legal

    return with_state(case, legal_actions=legal_actions)


def seats_descending(case: Case) -> Case:
    return with_state(case, to_act=lambda state: list(state.inner.to_act())[::-1])


def surplus_actions_taken(case: Case) -> Case:
    def apply(state: Altered, actions: Actions) -> None:
        state.inner.apply({seat: actions[seat] for seat in state.inner.to_act() if seat in actions})

    return with_state(case, apply=apply)


def refused_but_applied(case: Case) -> Case:
    def apply(state: Altered, actions: Actions) -> None:
        try:
            state.inner.apply(actions)
        except IllegalAction:
            state.inner.apply(at_random(state.inner, case.rng("half")))
            raise

    return with_state(case, apply=apply)


def clone_is_the_original(case: Case) -> Case:
    return with_state(case, clone=lambda state: state)


def clone_with_other_secrets(case: Case) -> Case:
    def clone(state: Altered) -> Any:
        swapped = case.secrecy.swap(state.inner.dump(), 0, case.rng("clone"))
        return case.game.load(swapped) if swapped else state.inner.clone()

    return with_state(case, clone=clone)


def load_with_other_secrets(case: Case) -> Case:
    def load(game: Altered, data: dict[str, Any]) -> Any:
        return game.inner.load(case.secrecy.swap(data, 0, case.rng("load")) or data)

    return with_game(case, load=load)


def load_takes_anything(case: Case) -> Case:
    return with_game(case, load=lambda game, data: game.inner.load(case.start().dump()))


def luck_from_outside(case: Case) -> Case:
    def setup(game: Altered, options: Any, seats: int, rng: Rng) -> Any:
        return game.inner.setup(options, seats, seeded(int.from_bytes(os.urandom(8))))

    return with_game(case, setup=setup)


def one_deal_for_all(case: Case) -> Case:
    dump, name = case.start().dump(), case.generator()

    def setup(game: Altered, options: Any, seats: int, rng: Rng) -> Any:
        return game.inner.load(dump | {name: f"{rng.key:032x}"})

    return with_game(case, setup=setup)


def bound_too_low(case: Case) -> Case:
    return with_game(case, length_bound=lambda game, options, seats: 5)


def any_number_of_seats(case: Case) -> Case:
    return with_game(case, setup=lambda game, options, seats, rng: game.inner.setup(options, case.seats, rng))


# Faults in views


def past_rewritten(case: Case) -> Case:
    return with_state(case, events=lambda state, seat, since: state.inner.events(seat, 0)[::-1][since:])


def imagines_another_seat(case: Case) -> Case:
    def determinize(game: Altered, view: Any, rng: Rng) -> Any:
        world = game.inner.determinize(view, rng)
        return game.inner.determinize(world.observe((view.seat + 1) % case.seats), rng)

    return with_game(case, determinize=determinize)


def imagines_one_world(case: Case) -> Case:
    return with_game(case, determinize=lambda game, view, rng: game.inner.determinize(view, case.rng("one world")))


def imagines_without_its_luck(case: Case) -> Case:
    def determinize(game: Altered, view: Any, rng: Rng) -> Any:
        return game.inner.determinize(view, seeded(int.from_bytes(os.urandom(8))))

    return with_game(case, determinize=determinize)


def luck_by_choices(case: Case) -> Case:
    """What is still hidden is dealt anew by what the players did."""

    def apply(state: Altered, actions: Actions) -> None:
        state.inner.apply(actions)
        swapped = case.secrecy.swap(state.inner.dump(), 0, seeded(sum(actions.values())))
        state.inner = case.game.load(swapped) if swapped else state.inner

    return with_state(case, apply=apply)


def codec_forgets_events(case: Case) -> Case:
    def decode(codec: Altered, data: bytes) -> Any:
        view, legal, _ = codec.inner.decode_observation(data)
        return view, legal, []

    return with_codec(case, decode_observation=decode)


def decoding_breaks(case: Case) -> Case:
    def decode(codec: Altered, data: bytes) -> Any:
        try:
            return codec.inner.decode_observation(data)
        except ValueError as error:
            raise KeyError from error

    return with_codec(case, decode_observation=decode)


def views_that_go_on(case: Case) -> Case:
    """A view is a window on the state instead of a picture of it."""

    def encode(codec: Altered, view: Any, legal: list[int], events: list[int]) -> bytes:
        sent: bytes = codec.inner.encode_observation(view[0].observe(view[1]), legal, events)
        return sent

    windows = with_state(case, observe=lambda state, seat: (state.inner, seat))
    return replace(windows, codec=with_codec(case, encode_observation=encode).codec)


def no_words(case: Case) -> Case:
    return with_game(case, text=lambda game, view: "")


def actions_in_the_same_words(case: Case) -> Case:
    return with_game(case, action_text=lambda game, code: "act")


def events_in_two_lines(case: Case) -> Case:
    return with_game(case, event_text=lambda game, code: "this\nand that")


def codes_with_one_meaning(case: Case) -> Case:
    return with_game(case, action=lambda game, code: "act")


# Faults in secrecy


def told_what_the_next_seat_is_told(case: Case) -> Case:
    return with_state(case, events=lambda state, seat, since: state.inner.events((seat + 1) % case.seats, since))


def order_of_actions_by_a_secret(case: Case) -> Case:
    def legal_actions(state: Altered, seat: int) -> list[int]:
        legal: list[int] = state.inner.legal_actions(seat)
        return legal[:: 1 - 2 * next_seat_bit(case, state.inner, seat)]

    return with_state(case, legal_actions=legal_actions)


def not_asked_when_a_secret_leaves_one_action(case: Case) -> Case:
    def apply(state: Altered, actions: Actions) -> None:
        state.inner.apply(actions)
        while (acting := state.inner.to_act()) and all(len(state.inner.legal_actions(seat)) == 1 for seat in acting):
            state.inner.apply(at_random(state.inner, case.rng("forced")))

    return with_state(case, apply=apply)


def view_with_a_secret_bit(case: Case) -> Case:
    """Every view shows one bit of the next seat's view, and imagined worlds keep to it."""
    return with_secret(case, lambda state, seat: next_seat_bit(case, state, seat))


def view_with_a_bit_of_the_generator(case: Case) -> Case:
    """Every view shows one bit of the generator, and imagined worlds keep to it."""
    name = case.generator()
    return with_secret(case, lambda state, seat: crc32(str(state.dump()[name]).encode()) & 1)


def next_seat_bit(case: Case, state: Any, seat: int) -> int:
    """One bit of what the next seat knows."""
    view = state.observe((seat + 1) % case.seats)
    return crc32(case.codec.encode_observation(view, [], [])) & 1


def with_secret(case: Case, secret: Callable[[Any, int], int]) -> Case:
    """The case with views that hold a secret bit, of which the rest of the game makes use."""

    def determinize(game: Altered, view: tuple[Any, int], rng: Rng) -> Any:
        worlds = (game.inner.determinize(view[0], rng.fork(str(number))) for number in range(1000))
        world = next(world for world in worlds if secret(world, view[0].seat) == view[1])
        return altered_state(world, observing)

    def encode(codec: Altered, view: tuple[Any, int], legal: list[int], events: list[int]) -> bytes:
        sent: bytes = codec.inner.encode_observation(view[0], legal, events)
        return sent + bytes([view[1]])

    def observe(state: Altered, seat: int) -> tuple[Any, int]:
        return state.inner.observe(seat), secret(state.inner, seat)

    observing: dict[str, Change] = {"observe": observe}
    leaking = with_game(
        case, **making(observing, "setup", "load"), determinize=determinize, text=lambda game, view: str(view)
    )
    return replace(leaking, codec=with_codec(case, encode_observation=encode).codec)
