"""What every game must hold about its names, options and variants."""

import re

import pytest

from arena import games
from arena.engine.options import Option, OptionError, Value, live_choices, written
from tests.conformance.cases import Case, each_case, each_game

KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@each_game()
def test_the_game_has_the_name_of_its_folder_and_a_title(name: str) -> None:
    game = games.load(name)
    assert game.name == name
    assert KEBAB.fullmatch(name)
    assert game.title.strip()
    assert len(game.seat_counts()) > 0
    assert game.seat_counts()[0] >= 2


@each_game()
def test_the_first_variant_is_the_base_game(name: str) -> None:
    game = games.load(name)
    first, options = next(iter(game.variants().items()))
    assert first == "base"
    assert options == game.options({}), f"{name}: expected base to be what nobody asked to change"


@each_game()
def test_variants_are_distinct_and_well_named(name: str) -> None:
    game = games.load(name)
    plain = [game.plain_options(options) for options in game.variants().values()]
    assert all(KEBAB.fullmatch(variant) for variant in game.variants()), f"{name}: {list(game.variants())}"
    assert all(plain.count(one) == 1 for one in plain), f"{name}: two variants have the same options"


@each_game()
def test_every_value_of_every_option_is_covered_by_a_variant(name: str) -> None:
    game = games.load(name)
    plain = [game.plain_options(options) for options in game.variants().values()]
    for option in game.option_list():
        missing = [value for value in wanted(option) if all(one[option.name] != value for one in plain)]
        assert not missing, f"{name}: no variant has {option.name} {missing}"


def wanted(option: Option) -> list[Value]:
    """The values that variants must have: all but live ones; of a row of numbers the ends stand for all."""
    values = [value for value in option.values if value not in option.live]
    return values[:: max(1, len(values) - 1)] if all(type(value) is int for value in values) else values


@each_game()
def test_no_variant_depends_on_when_answers_arrive(name: str) -> None:
    game = games.load(name)
    for variant, options in game.variants().items():
        live = live_choices(game.option_list(), game.plain_options(options))
        assert not live, f"{name}: {variant} has {live}, which no ladder can repeat"
    for option in game.option_list():
        assert set(option.live) <= set(option.values), f"{name}: {option.name} cannot have {option.live}"
        assert option.default not in option.live, f"{name}: {option.name} is live unless told otherwise"


@each_game()
def test_every_option_says_what_it_means(name: str) -> None:
    for option in games.load(name).option_list():
        assert option.meaning.strip(), f"{name}: {option.name} has no meaning"
        least = 1 if option.text else 2  # a text is as good as many values
        assert len(option.values) == len(set(option.values)) >= least, f"{name}: {option.name} has {option.values}"
        assert len({type(value) for value in option.values}) == 1, f"{name}: {option.name} has values of two types"


@each_case()
def test_options_and_plain_options_are_inverse(case: Case) -> None:
    game = case.game
    plain = game.plain_options(case.options)
    assert list(plain) == [option.name for option in game.option_list()], f"{case}: expected all options"
    assert game.options(plain) == case.options, f"{case}: {plain} is read as other options"
    typed = {name: written(value) for name, value in plain.items()}
    assert game.options(typed) == case.options, f"{case}: {typed} is read as other options"


@each_case()
def test_options_travel_on_the_wire(case: Case) -> None:
    sent = case.codec.encode_options(case.options)
    assert case.codec.decode_options(sent) == case.options, f"{case}: the options came back changed"
    package = f"arena.games.{games.package(case.name)}.v1"
    assert case.codec.options_type.endswith(f"{package}.Options")
    assert case.codec.observation_type.endswith(f"{package}.Observation")


@each_game()
def test_an_unknown_option_is_refused_with_the_nearest_name(name: str) -> None:
    game = games.load(name)
    for option in game.option_list():
        with pytest.raises(OptionError, match=rf"(?s)\b{option.name}\b"):
            game.options({option.name + "x": option.default})
    with pytest.raises(OptionError, match="qqq"):
        game.options({"qqq": 1})


@each_game()
def test_a_wrong_value_is_refused_with_the_right_ones(name: str) -> None:
    game = games.load(name)
    for option in game.option_list():
        wrong_values: list[object] = [None, "qqq", -(1 << 70), 1.5, [], {}]
        for wrong in wrong_values:
            with pytest.raises(OptionError, match=rf"{option.name}.*expected") as caught:
                game.options({option.name: wrong})
            assert written(option.values[0]) in str(caught.value), f"{name}: {caught.value}"


@each_game()
def test_an_unknown_game_is_refused_with_the_nearest_name(name: str) -> None:
    with pytest.raises(Exception, match=name) as caught:
        games.load(name[:-1])
    assert type(caught.value).__name__ == "UserError", f"got {caught.value!r}"
