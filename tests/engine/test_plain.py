"""Plain data is read strictly: each wrong shape is refused with a sentence."""

from collections.abc import Callable

import pytest

from arena.engine import plain

DATA: dict[str, object] = {
    "seats": 4,
    "floor": [1, 0, 13],
    "hands": [[1, 2], [3]],
    "phase": "play",
    "rng": "00ff",
    "options": {"a": True},
}


def test_what_is_right_is_read() -> None:
    plain.fields(DATA, list(DATA))
    assert plain.number(DATA, "seats", 2, 6) == 4
    assert plain.numbers(DATA, "floor", [3], 0, 13) == [1, 0, 13]
    assert plain.number_lists(DATA, "hands", [2], 1, 13) == [[1, 2], [3]]
    assert plain.word(DATA, "phase", ["hide", "play"]) == "play"
    assert plain.hexadecimal(DATA, "rng", 4) == 255
    assert plain.mapping(DATA, "options") == {"a": True}


@pytest.mark.parametrize(
    ("value", "read", "sentence"),
    [
        (7, lambda data: plain.number(data, "x", 2, 6), "x: expected a whole number from 2 to 6, got 7"),
        (True, lambda data: plain.number(data, "x", 0, 6), "x: expected a whole number from 0 to 6, got True"),
        ("4", lambda data: plain.number(data, "x", 0, 6), "x: expected a whole number from 0 to 6, got '4'"),
        (4.0, lambda data: plain.number(data, "x", 0, 6), "x: expected a whole number from 0 to 6, got 4.0"),
        ([1], lambda data: plain.numbers(data, "x", [2], 0, 6), "x: expected a list of 2, got [1]"),
        ((1, 2), lambda data: plain.numbers(data, "x", [2], 0, 6), "x: expected a list of 2, got (1, 2)"),
        ([1, 7], lambda data: plain.numbers(data, "x", [2], 0, 6), "x: expected a whole number from 0 to 6, got 7"),
        ([[1, 1]], lambda data: plain.number_lists(data, "x", [1], 0, 6), "x: expected no number twice, got [1, 1]"),
        ([5], lambda data: plain.number_lists(data, "x", [1], 0, 6), "x: expected a list of up to 7, got 5"),
        ("pick", lambda data: plain.word(data, "x", ["hide", "play"]), "x: expected one of hide, play, got 'pick'"),
        (["a"], lambda data: plain.word(data, "x", ["hide"]), "x: expected one of hide, got ['a']"),
        ("0g", lambda data: plain.hexadecimal(data, "x", 2), "x: expected 2 hexadecimal digits, got '0g'"),
        ("0f0", lambda data: plain.hexadecimal(data, "x", 2), "x: expected 2 hexadecimal digits, got '0f0'"),
        ([], lambda data: plain.mapping(data, "x"), "x: expected a mapping, got []"),
    ],
)
def test_what_is_wrong_is_refused(value: object, read: Callable[[dict[str, object]], object], sentence: str) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        read({"x": value})
    assert str(caught.value) == sentence


@pytest.mark.parametrize("names", [["seats"], [*DATA, "more"]])
def test_missing_and_surplus_fields_are_refused(names: list[str]) -> None:
    with pytest.raises(ValueError, match="a state: expected the fields"):
        plain.fields(DATA, names)
