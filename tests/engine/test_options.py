"""Options are read strictly: what is not meant is refused, with a sentence that says what was expected."""

import pytest

from arena.engine.options import Option, OptionError, Value, brief, live_choices, resolve

OPTIONS = [
    Option("hidden_card", [False, True], "whether a card is hidden"),
    Option("hidden_pairing", ["may", "must"], "whether it is paired"),
    Option("rounds", [2, 1, 3], "how many rounds"),
]


def test_what_is_not_given_has_its_default() -> None:
    assert resolve(OPTIONS, {}) == {"hidden_card": False, "hidden_pairing": "may", "rounds": 2}


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({"hidden_card": True}, "hidden_card", True),
        ({"hidden_card": "true"}, "hidden_card", True),
        ({"hidden_card": " False "}, "hidden_card", False),
        ({"hidden_pairing": "must"}, "hidden_pairing", "must"),
        ({"hidden_pairing": "MUST"}, "hidden_pairing", "must"),
        ({"rounds": 3}, "rounds", 3),
        ({"rounds": "3"}, "rounds", 3),
    ],
)
def test_values_and_their_text_are_read(given: dict[str, object], name: str, value: Value) -> None:
    read = resolve(OPTIONS, given)[name]
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"hidden_card": 1}, "option hidden_card: expected one of false, true; got 1"),
        ({"hidden_card": "yes"}, "option hidden_card: expected one of false, true; got 'yes'"),
        ({"hidden_card": None}, "option hidden_card: expected one of false, true; got None"),
        ({"hidden_pairing": "might"}, "option hidden_pairing: expected one of may, must; got 'might'"),
        ({"rounds": True}, "option rounds: expected one of 2, 1, 3; got True"),
        ({"rounds": 4}, "option rounds: expected one of 2, 1, 3; got 4"),
        ({"rounds": 2.0}, "option rounds: expected one of 2, 1, 3; got 2.0"),
        ({"hiden_card": True}, "unknown option 'hiden_card': did you mean hidden_card?"),
        ({"xyz": 1}, "unknown option 'xyz': expected one of hidden_card, hidden_pairing, rounds"),
    ],
)
def test_anything_else_is_refused(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        resolve(OPTIONS, given)
    assert str(caught.value) == sentence


def test_a_game_without_options_takes_none() -> None:
    assert resolve([], {}) == {}
    with pytest.raises(OptionError, match="unknown option 'x': expected one of none at all"):
        resolve([], {"x": 1})


TIMING = Option("timing", ["windows", "arrival"], "what counts", live=["arrival"])


def test_live_choices_name_what_makes_the_order_of_answers_count() -> None:
    assert live_choices([*OPTIONS, TIMING], {"timing": "arrival", "rounds": 2}) == ["timing=arrival"]
    assert live_choices([*OPTIONS, TIMING], {"timing": "windows", "rounds": 2}) == []
    assert live_choices([*OPTIONS, TIMING], {}) == []
    assert live_choices(OPTIONS, resolve(OPTIONS, {})) == []


def doubled(text: str) -> str:
    """A content is fine if it is written twice; its canonical form is the half of it."""
    half = text[: len(text) // 2]
    if text.strip() != text or half * 2 != text:
        raise ValueError(f"expected something twice, got {text!r}")
    return half * 2


CONTENT = Option("board", ["standard"], "a board", doubled)


@pytest.mark.parametrize(("given", "value"), [("standard", "standard"), (" Standard ", "standard"), ("abab", "abab")])
def test_an_option_may_carry_a_text_of_its_own(given: str, value: str) -> None:
    assert CONTENT.read(given) == value
    assert CONTENT.read(CONTENT.read(given)) == value
    assert CONTENT.default == "standard"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("aba", "option board: expected standard or a text that fits; expected something twice, got 'aba'"),
        (7, "option board: expected standard or a text; got 7"),
        (None, "option board: expected standard or a text; got None"),
    ],
)
def test_a_text_that_does_not_fit_is_refused(given: object, sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        CONTENT.read(given)
    assert str(caught.value) == sentence


def test_a_long_value_is_shown_in_brief() -> None:
    assert brief("x" * 40) == "x" * 40
    assert brief("x" * 41) == "x" * 39 + "…"
    assert brief(True) == "true"
