"""The dice as data, and what they come to: exact numbers, by formula, by all 46,656 throws, and as the engine draws."""

import json
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest

import arena.games.lunar_laser_frogs
from arena.engine.packed import numbers_of
from arena.engine.rng import seeded
from arena.games.lunar_laser_frogs.rules import GAME
from arena.games.lunar_laser_frogs.rules_dice import THE_DICE, dice_of, missing_colours, most_extra_turns_of, values

PATH = Path(arena.games.lunar_laser_frogs.__path__[0]) / "dice.json"
COLOURS = (1, 2, 4)
CERTAINTIES = {"CONFIRMED", "STRONG", "LIKELY", "WEAK", "INVENTED"}


def data() -> dict[str, Any]:
    """The data file, fresh for each test that changes it."""
    read: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return read


# The data


def test_every_die_has_the_five_plain_faces_and_one_with_two_colours() -> None:
    """The rulebook's list: blue, pink, yellow, blank, blank, and one of three pairs."""
    assert THE_DICE.sides == [[1, 2, 4, 0, 0, two] for two in (3, 6, 5)]
    assert THE_DICE.kinds == [0, 0, 1, 1, 2, 2]


def test_every_fact_has_its_provenance() -> None:
    dice, extra = data()["dice"]["provenance"], data()["extra_turns"]["provenance"]
    assert dice["faces"]["certainty"] == "CONFIRMED"
    assert dice["count"]["certainty"] == "LIKELY"
    assert extra["most"]["certainty"] == "INVENTED"  # F23
    for fact in (*dice.values(), *extra.values()):
        assert fact["certainty"] in CERTAINTIES
        assert fact["source"].strip()


WRONG: list[tuple[str, Any, str]] = [
    ("no kinds", {}, "dice: expected a list of 3 kinds, got None"),
    ("no data", {"dice": None}, "dice: expected a list of 3 kinds"),
    ("two kinds", {"dice": {"kinds": data()["dice"]["kinds"][:2]}}, "expected a list of 3 kinds"),
    ("seven dice", {"count": 3}, r"expected counts that make 6, got \[3, 2, 2\]"),
    ("no count", {"count": None}, "count: expected a whole number up to 6, got None"),
    ("true", {"count": True}, "count: expected a whole number up to 6, got True"),
    ("a negative count", {"count": -1}, "count: expected a whole number up to 6, got -1"),
    ("five faces", {"faces": [[], [], [], [], []]}, "faces: expected a list of 6"),
    ("a strange colour", {"faces": [[], [], [], [], [], ["green"]]}, "a face: expected a list of different colours"),
    ("a colour twice", {"faces": [[], [], [], [], [], ["blue", "blue"]]}, "a face: expected a list of different"),
    ("a word for a face", {"faces": [[], [], [], [], [], "blue"]}, "a face: expected a list of different colours"),
]


@pytest.mark.parametrize(("change", "words"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_other_data_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    given = data()
    if "dice" in change or not change:
        given = change
    else:
        given["dice"]["kinds"][0] |= change
    with pytest.raises(ValueError, match=words):
        dice_of(given)


def test_a_strange_number_of_extra_turns_is_refused() -> None:
    assert most_extra_turns_of(data()) == 50
    with pytest.raises(ValueError, match="most: expected a whole number"):
        most_extra_turns_of({"extra_turns": {"most": "many"}})


def test_another_split_of_the_dice_would_do_too() -> None:
    given = data()
    for kind, count in zip(given["dice"]["kinds"], (4, 1, 1), strict=True):
        kind["count"] = count
    dice = dice_of(given)
    assert dice.kinds == [0, 0, 0, 0, 1, 2]
    assert len(dice.first_choices[dice.all]) == 5 * 2 * 2 - 1 - 4  # all but none, and those that leave fewer than two


# Exact numbers


def throws() -> list[int]:
    """All throws of six dice as rows, each as likely as the others."""
    return [low | high << 12 for low in THE_DICE.low for high in THE_DICE.high]


def number_missing(row: int) -> int:
    return int(missing_colours(row)).bit_count()


def chance_without(colours: int) -> Fraction:
    """The chance that none of these colours shows, from the faces of the data file."""
    chance = Fraction(1)
    for kind in data()["dice"]["kinds"]:
        names = [name for bit, name in enumerate(("blue", "pink", "yellow")) if colours >> bit & 1]
        without = sum(not set(face) & set(names) for face in kind["faces"])
        chance *= Fraction(without, 6) ** kind["count"]
    return chance


def subsets(colours: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(colours, size) for size in range(len(colours) + 1)))


def chance_of_missing(count: int) -> Fraction:
    """The chance that exactly so many colours are missing, by inclusion and exclusion."""
    total = Fraction(0)
    for missing in combinations(COLOURS, count):
        rest = tuple(colour for colour in COLOURS if colour not in missing)
        total += sum((-1) ** len(more) * chance_without(sum(missing) + sum(more)) for more in subsets(rest))
    return total


def expected_colour(colour: int) -> Fraction:
    """The dice that show it, and six if it is missing (F9)."""
    shown = Fraction(0)
    for kind in data()["dice"]["kinds"]:
        shown += kind["count"] * Fraction(sum(bool(set(face) & names((colour,))) for face in kind["faces"]), 6)
    return shown + 6 * chance_without(colour)


def expected_blank() -> Fraction:
    """Two for each blank die while nothing is missing (F10): one die is blank, five show all colours."""
    total = Fraction(0)
    for left_out in data()["dice"]["kinds"]:
        for missing in subsets(COLOURS):
            without = sum(not set(face) & names(missing) for face in left_out["faces"])
            others = chance_without(sum(missing)) / Fraction(without, 6)
            total += left_out["count"] * (-1) ** len(missing) * Fraction(1, 3) * others * 2
    return total


def names(colours: tuple[int, ...]) -> set[str]:
    return {("blue", "pink", "yellow")[colour.bit_length() - 1] for colour in colours}


@pytest.mark.parametrize(("count", "percent"), [(0, 63.4), (1, 32.2), (2, 4.3), (3, 0.14)])
def test_the_chance_that_colours_are_missing_is_exact(count: int, percent: float) -> None:
    """Section 5.1 of the rulings: none 63.4 %, one 32.2 %, two 4.3 %, three 0.14 %."""
    every = throws()
    found = Fraction(sum(number_missing(row) == count for row in every), len(every))
    assert found == chance_of_missing(count)
    assert float(found) * 100 == pytest.approx(percent, abs=0.05 if count < 3 else 0.005)


@pytest.mark.parametrize("card", [1, 2, 3])
def test_the_expected_points_of_a_colour_are_exact(card: int) -> None:
    """Section 5.1 of the rulings: 2.49 for each of the three colours."""
    every = throws()
    found = Fraction(sum(numbers_of(values(row), 5)[card] for row in every), len(every))
    assert found == expected_colour(1 << (card - 1)) == Fraction(5, 3) + 6 * Fraction(5, 6) ** 2 * Fraction(4, 6) ** 4
    assert float(found) == pytest.approx(2.49, abs=0.005)


def test_the_expected_points_of_blank_are_exact() -> None:
    """Section 5.1 of the rulings: 2.05."""
    every = throws()
    found = Fraction(sum(numbers_of(values(row), 5)[4] for row in every), len(every))
    assert found == expected_blank()
    assert float(found) == pytest.approx(2.05, abs=0.005)


# What the engine draws


def drawn_throws(wanted: int) -> list[list[int]]:
    """Throws as matches of different seeds draw them."""
    rolls: list[list[int]] = []
    for seed in range(wanted // 8):
        dump: dict[str, Any] = GAME.setup(GAME.options({}), 8, seeded(seed)).dump()
        rolls += dump["rolls"]
    return rolls


def test_every_face_of_every_die_is_as_likely() -> None:
    rolls = drawn_throws(12_000)
    for die, kind in enumerate(THE_DICE.kinds):
        found = Counter(faces[die] - 1 for faces in rolls)
        expected = {side: len(rolls) * THE_DICE.sides[kind].count(side) / 6 for side in THE_DICE.sides[kind]}
        assert set(found) == set(expected)
        square = sum((found[side] - number) ** 2 / number for side, number in expected.items())
        assert square < 18.5  # four degrees of freedom: one in a thousand by chance


def test_drawn_throws_have_the_exact_chances_of_missing_colours() -> None:
    rolls = drawn_throws(12_000)
    rows = [sum(face << 4 * die for die, face in enumerate(faces)) for faces in rolls]
    found = Counter(min(2, number_missing(row)) for row in rows)
    chances = [chance_of_missing(0), chance_of_missing(1), chance_of_missing(2) + chance_of_missing(3)]
    square = sum(
        (found[count] - len(rows) * chance) ** 2 / (len(rows) * chance) for count, chance in enumerate(chances)
    )
    assert square < 13.8  # two degrees of freedom: one in a thousand by chance


def test_average_points_of_drawn_throws_come_near_the_expected_ones() -> None:
    rolls = drawn_throws(12_000)
    rows = [sum(face << 4 * die for die, face in enumerate(faces)) for faces in rolls]
    worth = [numbers_of(values(row), 5) for row in rows]
    for card, expected in ((1, 2.49), (2, 2.49), (3, 2.49), (4, 2.05)):
        average = sum(one[card] for one in worth) / len(worth)
        assert average == pytest.approx(expected, abs=0.08)  # four deviations of the mean
