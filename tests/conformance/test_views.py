"""What every game must hold about what seats see: events, imagined worlds, the generator, luck, words and bytes."""

from contextlib import suppress
from functools import partial
from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.message_factory import GetMessageClass

from arena.engine.contract import State
from tests.conformance.cases import (
    Case,
    Choose,
    Moment,
    always_first,
    always_last,
    at_random,
    each_case,
    refuses,
)

WORLDS = 16  # imagined for one view, where they must vary


@each_case()
def test_events_only_grow(case: Case) -> None:
    told: list[list[int]] = [[] for _ in range(case.seats)]
    for moment in case.walk():
        for seat, before in enumerate(told):
            events = moment.state.events(seat, 0)
            assert events[: len(before)] == before, f"{moment}: seat {seat + 1}'s past changed"
            since = moment.state.events(seat, len(before))
            assert since == events[len(before) :], f"{moment}: seat {seat + 1}'s events are numbered anew"
            told[seat] = events
    assert all(told), f"{case}: expected events for every seat, got none"


@each_case()
def test_an_imagined_world_gives_back_the_view(case: Case) -> None:
    for moment in case.sampled("play", 40):
        for seat in range(case.seats):
            view = moment.state.observe(seat)
            world = case.game.determinize(view, case.rng(f"imagine {moment.applied} {seat}"))
            check_fits(moment, seat, world)
            assert view == moment.state.observe(seat), f"{moment}: imagining changed seat {seat + 1}'s view"


def check_fits(moment: Moment, seat: int, world: State[Any]) -> None:
    case, state, who = moment.case, moment.state, f"{moment}: seat {seat + 1}'s imagined world"
    assert world.observe(seat) == state.observe(seat), f"{who} looks different to that seat"
    assert list(world.to_act()) == list(state.to_act()), f"{who} asks other seats: {world.to_act()}"
    assert world.legal_actions(seat) == state.legal_actions(seat), f"{who} allows other actions"
    assert world.events(seat, 0) == [], f"{who} has a past"
    told = len(state.events(seat, 0))
    assert case.message(world, seat) == case.message(state, seat, told), f"{who} reads differently on the wire"
    case.conservation.check(world.dump())


@each_case()
def test_an_imagined_world_can_be_played_and_repeated(case: Case) -> None:
    bound = case.game.length_bound(case.options, case.seats)
    for moment in case.sampled("play", 6):
        seat, purpose = moment.applied % case.seats, f"imagine {moment.applied}"
        view = moment.state.observe(seat)
        world = case.game.determinize(view, case.rng(purpose))
        again = case.game.determinize(view, case.rng(purpose))
        assert world.dump() == again.dump(), f"{moment}: the same luck imagines two worlds"
        assert case.game.load(world.dump()).dump() == world.dump(), f"{moment}: an imagined world is not loaded back"
        applied = play_out(case, world)
        assert applied <= bound, f"{moment}: an imagined world went on for {applied} applies"
        assert len(world.outcome().places) == case.seats, f"{moment}: an imagined world has no outcome"


def play_out(case: Case, state: State[Any]) -> int:
    rng, applied = case.rng("play out"), 0
    while state.to_act():
        state.apply(at_random(state, rng))
        applied += 1
    return applied


@each_case()
def test_imagined_worlds_vary_wherever_more_than_one_fits(case: Case) -> None:
    varied = 0
    for moment in case.sampled("play", 8):
        for seat in range(case.seats):
            uncertain = swappable(moment, seat)
            varied += len(uncertain)
            if uncertain:
                check_varied(moment, seat, uncertain)
            else:
                check_only_world(moment, seat)
    assert varied, f"{case}: expected something hidden from somebody, got nothing"


def swappable(moment: Moment, seat: int) -> set[str]:
    """Parts of the state that the seat cannot know, found by some swaps of what is hidden from it."""
    dump, rng = moment.state.dump(), moment.case.rng(f"swap {moment.applied} {seat}")
    swaps = [moment.case.secrecy.swap(dump, seat, rng) for _ in range(6)]
    before = parts(dump)
    return {part for swap in swaps if swap for part, value in parts(swap).items() if value != before[part]}


def check_varied(moment: Moment, seat: int, uncertain: set[str]) -> None:
    worlds = [parts(world) for world in imagined(moment, seat)]
    for part in sorted(uncertain & worlds[0].keys()):  # the past is uncertain too, but not imagined
        same = all(world[part] == worlds[0][part] for world in worlds)
        assert not same, f"{moment}: seat {seat + 1} imagines {part} in one way only"


def parts(dump: dict[str, Any]) -> dict[str, Any]:
    """A dump by its parts: the items of its lists, and what is no list."""
    lists = {name: value for name, value in dump.items() if isinstance(value, list)}
    items = {f"{name}[{index}]": item for name, value in lists.items() for index, item in enumerate(value)}
    return items | {name: value for name, value in dump.items() if name not in lists}


def imagined(moment: Moment, seat: int) -> list[dict[str, Any]]:
    case, view = moment.case, moment.state.observe(seat)
    rng = case.rng(f"vary {moment.applied} {seat}")
    return [case.dealt(case.game.determinize(view, rng.fork(str(world)))) for world in range(WORLDS)]


def check_only_world(moment: Moment, seat: int) -> None:
    """Where nothing is hidden from a seat, its imagined world is the true one for everybody."""
    case = moment.case
    world = case.game.determinize(moment.state.observe(seat), case.rng("only"))
    for other in range(case.seats):
        same = world.observe(other) == moment.state.observe(other)
        assert same, f"{moment}: seat {seat + 1} sees all, but imagines seat {other + 1} wrongly"


@each_case()
def test_the_generator_shows_in_no_view(case: Case) -> None:
    name = case.generator()
    for moment in case.sampled("play", 20):
        dump = moment.state.dump()
        other = case.rng(f"generator {moment.applied}").fork("other").key
        changed = case.game.load(dump | {name: f"{other:032x}" if isinstance(dump[name], str) else other})
        assert changed.dump() != dump, f"{moment}: the generator in the dump is not used"
        assert list(changed.to_act()) == list(moment.state.to_act()), f"{moment}: the generator says who acts"
        assert case.messages(changed) == case.messages(moment.state), f"{moment}: a view shows the generator"


@each_case(seeds=2)
def test_luck_does_not_depend_on_choices(case: Case) -> None:
    plays: list[tuple[str, Choose]] = [("one", at_random), ("two", at_random)]
    plays += [("first", always_first), ("last", always_last)]
    ends = [case.final(purpose, choose) for purpose, choose in plays]
    luck = [case.luck.drawn(end.dump()) for end in ends]
    assert any(luck[0].values()), f"{case}: expected some luck in a match, got none"
    assert len({str(end.dump()) for end in ends}) > 1, f"{case}: four ways to play made the same match"
    for (purpose, _), other in zip(plays[1:], luck[1:], strict=True):
        for label in luck[0].keys() & other.keys():
            pairs = zip(luck[0][label], other[label], strict=False)  # a match may end before all is drawn
            assert all(one == two for one, two in pairs), f"{case}: {label} depends on choices ({purpose})"


@each_case()
def test_luck_differs_between_seeds(case: Case) -> None:
    drawn = [case.luck.drawn(case.start(case.seed + offset).dump()) for offset in range(6)]
    assert any(one != drawn[0] for one in drawn), f"{case}: six seeds have the same luck"


def protobufs_own(case: Case, sent: bytes) -> bytes:
    """What protobuf makes of a message that a codec has written, perhaps without its help."""
    name = case.codec.observation_type.rpartition("/")[2]
    message = GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name)).FromString(sent)
    return message.SerializeToString(deterministic=True)


@each_case()
def test_bytes_come_back_as_the_same_values(case: Case) -> None:
    told = [0] * case.seats
    for moment in case.walk():
        for seat in range(case.seats):
            view, legal = moment.state.observe(seat), moment.state.legal_actions(seat)
            events = moment.state.events(seat, told[seat])
            told[seat] += len(events)
            sent = case.codec.encode_observation(view, legal, events)
            assert protobufs_own(case, sent) == sent, f"{moment}: protobuf writes seat {seat + 1}'s message differently"
            back = case.codec.decode_observation(sent)
            assert (back[0], list(back[1]), list(back[2])) == (view, legal, events), f"{moment}: seat {seat + 1}"
            assert case.codec.encode_observation(*back) == sent, f"{moment}: seat {seat + 1}'s bytes differ"


@each_case()
def test_a_view_stays_as_it_was(case: Case) -> None:
    kept: list[tuple[Moment, Any, bytes]] = []
    for moment in case.sampled("play", 20):
        for seat in range(case.seats):
            view = moment.state.observe(seat)
            kept.append((moment, view, case.codec.encode_observation(view, [], [])))
    for moment, view, sent in kept:
        assert case.codec.encode_observation(view, [], []) == sent, f"{moment}: playing on changed an old view"


@each_case()
def test_broken_bytes_are_refused_in_words(case: Case) -> None:
    sent = case.message(case.start(), 0)
    for length in range(0, len(sent), 1 + len(sent) // 60):
        for broken in (sent[:length], sent[:length] + b"\xff" + sent[length + 1 :], sent[:length] + b"\xff" * 12):
            with suppress(ValueError):  # some cuts leave a message whole
                case.codec.decode_observation(broken)
    refuses(ValueError, f"{case}: junk", partial(case.codec.decode_observation, b"\xff" * 8))


@each_case()
def test_everything_can_be_said_in_words(case: Case) -> None:
    told = [0] * case.seats
    for moment in case.walk():
        for seat in range(case.seats):
            check_paragraph(moment, case.game.text(moment.state.observe(seat)))
            check_actions_in_words(moment, moment.state.legal_actions(seat))
            events = moment.state.events(seat, told[seat])
            told[seat] += len(events)
            for event in events:
                check_sentence(moment, case.game.event_text(event))


def check_actions_in_words(moment: Moment, legal: list[int]) -> None:
    words = [moment.case.game.action_text(code) for code in legal]
    for sentence in words:
        check_sentence(moment, sentence)
    assert len(set(words)) == len(words), f"{moment}: two legal actions in the same words: {words}"


def check_sentence(moment: Moment, words: str) -> None:
    check_paragraph(moment, words)
    assert "\n" not in words, f"{moment}: expected one line, got {words!r}"


def check_paragraph(moment: Moment, words: str) -> None:
    assert words.strip(), f"{moment}: expected words, got {words!r}"
    assert words == words.strip(), f"{moment}: expected nothing around the words, got {words!r}"
    assert "\n\n" not in words, f"{moment}: expected one paragraph, got {words!r}"
    assert words.replace("\n", "").isprintable(), f"{moment}: expected printable words, got {words!r}"


@each_case()
def test_every_action_has_a_value_of_its_own(case: Case) -> None:
    codes = {code for moment in case.walk() for seat in range(case.seats) for code in moment.state.legal_actions(seat)}
    values = [case.game.action(code) for code in sorted(codes)]
    assert len({repr(value) for value in values}) == len(codes), f"{case}: two codes mean the same: {values}"
    assert all(case.game.action(code) == value for code, value in zip(sorted(codes), values, strict=True))
    for code in (-1, 1 << 20, 1 << 70):
        refuses(ValueError, f"{case}: the code {code}", partial(case.game.action, code))
