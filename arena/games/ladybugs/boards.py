"""Board files of Ladybugs: the one that is shipped, and those of users, read strictly.

A board file is JSON: squares, layouts by number of seats, clover values. What stands under `provenance` says where
the facts come from and does not matter in play. The option's value is the file's content in one canonical form, so
that records hold the board itself.
"""

import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from arena.engine.plain import checked, sequence
from arena.games.ladybugs.rules_board import Kit, Layout, turned
from arena.games.ladybugs.rules_codes import MOST_LINES, NOWHERE

FILE: Final = Path(__file__).with_name("board.json")
STANDARD: Final = "standard"  # the value that stands for the shipped board
FORMAT: Final = "ladybugs board"
FIELDS: Final = ("format", "version", "clovers", "layouts", "squares")
SEATS: Final = ("2", "3", "4")
LAYOUT: Final = ("rows", "inserts", "starts", "spider", "centre")
ROOM: Final = 12  # lines: one side has so many, so that the spider can always move on by six (L37)
MOST_SQUARES: Final = 8
MOST_CLOVERS: Final = 32
MOST_VALUE: Final = 9
MOST_TEXT: Final = 64 << 10


def canonical(text: str) -> str:
    """The one way to write this board; ValueError says what is wrong with it."""
    content = _content(text)
    plain = json.dumps(content, separators=(",", ":"), sort_keys=True)
    return STANDARD if plain == _standard() else plain


@lru_cache(maxsize=64)
def kit(value: str) -> Kit:
    """The board that a value of the option stands for."""
    return _kit(value, json.loads(_standard() if value == STANDARD else value))


@lru_cache(maxsize=1)
def _standard() -> str:
    return json.dumps(_content(FILE.read_text(encoding="utf-8")), separators=(",", ":"), sort_keys=True)


def _content(text: str) -> dict[str, Any]:
    """What a board file says that matters in play, after all checks."""
    data = _parsed(text)
    if data.get("format") != FORMAT or data.get("version") != 1 or type(data.get("version")) is not int:
        raise ValueError(f"expected format {FORMAT!r} and version 1, got {_short(data.get('format'))}")
    data.pop("provenance", None)
    _fields(data, FIELDS, "a board")
    _check_squares(_mapping(data["squares"], "squares"))
    layouts = _mapping(data["layouts"], "layouts")
    _fields(layouts, SEATS, "layouts")
    for seats in SEATS:
        _check_layout(seats, _mapping(layouts[seats], f"layout {seats}"), data["squares"])
    _check_clovers(data)
    return data


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > MOST_TEXT:
        raise ValueError(f"expected at most {MOST_TEXT} letters, got {len(text)}")
    try:
        return _mapping(json.loads(text), "a board")
    except RecursionError:
        raise ValueError("expected a board as JSON, got something too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"expected a board as JSON, got {_short(text)} ({error})") from None


def _check_squares(squares: Mapping[str, Any]) -> None:
    if not 1 <= len(squares) <= MOST_SQUARES:
        raise ValueError(f"squares: expected 1 to {MOST_SQUARES}, got {len(squares)}")
    for name, faces in squares.items():
        if not 1 <= len(name) <= 8 or not name.isalnum():
            raise ValueError(f"squares: expected names of up to 8 letters or digits, got {_short(name)}")
        for number, face in enumerate(sequence(faces, f"square {name}", [2]), start=1):
            _check_rows(face, f"face {name}{number}", "#.c", range(1, MOST_LINES + 1))
    sizes = {(len(face), len(face[0])) for faces in squares.values() for face in faces}
    if len(sizes) > 1 or any(height != width for height, width in sizes):
        raise ValueError(f"squares: expected faces of one size, as high as wide, got {sorted(sizes)}")


def _check_rows(rows: object, name: str, letters: str, lengths: Collection[int]) -> None:
    lines = sequence(rows, f"the rows of {name}", lengths)
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, str) or not line or set(line) - set(letters):
            raise ValueError(f"{name}, row {number}: expected letters of {letters}, got {_short(line)}")
        if len(line) != len(str(lines[0])) or len(line) > MOST_LINES:
            wanted = f"{min(len(str(lines[0])), MOST_LINES)} letters, as in row 1 and at most {MOST_LINES}"
            raise ValueError(f"{name}, row {number}: expected {wanted}, got {len(line)}")


def _check_layout(seats: str, layout: dict[str, Any], squares: Mapping[str, list[list[str]]]) -> None:
    name = f"layout {seats}"
    _fields(layout, LAYOUT, name)
    rows = layout["rows"]
    _check_rows(rows, name, "#.c?", range(1, MOST_LINES + 1))
    if max(len(rows), len(rows[0])) < ROOM:
        raise ValueError(f"{name}: expected {ROOM} rows or columns at least, got {len(rows)} and {len(rows[0])}")
    _check_inserts(name, layout, squares)
    starts = [_fixed(name, rows, place) for place in sequence(layout["starts"], f"{name}, starts", [int(seats)])]
    spiders = [_fixed(name, rows, place) for place in sequence(layout["spider"], f"{name}, spider", _spiders(seats))]
    if len({*starts, *spiders}) < len(starts) + len(spiders):
        raise ValueError(f"{name}: expected different spaces for starts and spider, got one twice")
    if any(rows[row][column] == "c" for row, column in starts):
        raise ValueError(f"{name}: expected start spaces without a clover, got one with it")
    if layout["centre"] is not None:
        row, column = _fixed(name, rows, layout["centre"])
        if rows[row][column] != "#":
            raise ValueError(f"{name}, centre: expected a space of a bed or null, got {layout['centre']}")


def _spiders(seats: str) -> list[int]:
    """How many starts the spider may have; a choice needs the one player who does not begin (L38)."""
    return [1, 2] if seats == "2" else [1]


def _check_inserts(name: str, layout: Mapping[str, Any], squares: Mapping[str, list[list[str]]]) -> None:
    """Squares fill exactly the open spaces, and agree with the others however they are laid."""
    rows, size = layout["rows"], len(next(iter(squares.values()))[0])
    inserts = sequence(layout["inserts"], f"{name}, inserts", range(len(squares) + 1))
    covered: set[tuple[int, int]] = set()
    for top, left in [_place(f"{name}, inserts", rows, insert) for insert in inserts]:
        if top + size > len(rows) or left + size > len(rows[0]):
            raise ValueError(f"{name}, inserts: expected squares inside the board, got one at [{top}, {left}]")
        own = {(top + down, left + right) for down in range(size) for right in range(size)}
        if own & covered:
            raise ValueError(f"{name}, inserts: expected squares apart from each other, got [{top}, {left}] on another")
        covered |= own
        _check_overlap(name, rows, (top, left), squares)
    loose = [[row, line.index("?")] for row, line in enumerate(rows) if _loose(row, line, covered)]
    if loose:
        raise ValueError(f"{name}: expected a square over every ?, got none at row {loose[0][0]}")


def _loose(row: int, line: str, covered: set[tuple[int, int]]) -> bool:
    return any(letter == "?" and (row, column) not in covered for column, letter in enumerate(line))


def _check_overlap(name: str, rows: list[str], corner: tuple[int, int], squares: Mapping[str, list[list[str]]]) -> None:
    for square, faces in squares.items():
        for number, face in enumerate(faces, start=1):
            for quarters in range(4):
                for down, line in enumerate(turned(face, quarters)):
                    for right, letter in enumerate(line):
                        wanted = rows[corner[0] + down][corner[1] + right]
                        if wanted not in ("?", letter):
                            where = f"row {corner[0] + down}, column {corner[1] + right}"
                            wrong = f"expected {wanted} at {where} however it is turned, got {letter}"
                            raise ValueError(f"{name}, face {square}{number}: {wrong}")


def _check_clovers(data: Mapping[str, Any]) -> None:
    clovers = sequence(data["clovers"], "clovers", range(MOST_CLOVERS + 1))
    for value in clovers:
        checked(value, "clovers", 0, MOST_VALUE)
    for seats, layout in data["layouts"].items():
        marks = sorted(max(_marks(face) for face in faces) for faces in data["squares"].values())
        most = _marks(layout["rows"]) + sum(marks[len(marks) - len(layout["inserts"]) :])
        if most > len(clovers):
            raise ValueError(f"clovers: expected {most} values, as layout {seats} can mark, got {len(clovers)}")


def _marks(rows: list[str]) -> int:
    return "".join(rows).count("c")


def _fixed(name: str, rows: list[str], place: object) -> tuple[int, int]:
    """A space that is the same however the squares lie."""
    row, column = _place(name, rows, place)
    if rows[row][column] == "?":
        raise ValueError(f"{name}: expected a space outside the squares, got {place}")
    return row, column


def _place(name: str, rows: list[str], place: object) -> tuple[int, int]:
    row, column = sequence(place, f"{name}, a space", [2])
    return checked(row, f"{name}, a row", 0, len(rows) - 1), checked(column, f"{name}, a column", 0, len(rows[0]) - 1)


def _mapping(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name}: expected a JSON object, got {_short(value)}")  # noqa: TRY004 - one error for all
    return value


def _fields(data: Mapping[str, object], names: Collection[str], what: str) -> None:
    if set(data) != set(names):
        raise ValueError(f"{what}: expected the fields {', '.join(names)}, got {_short(', '.join(data) or 'none')}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _kit(value: str, data: Mapping[str, Any]) -> Kit:
    names = sorted(data["squares"])
    faces = [face for name in names for face in data["squares"][name]]
    layouts = {int(seats): _layout(layout) for seats, layout in data["layouts"].items()}
    return Kit(value, names, faces, layouts, list(data["clovers"]))


def _layout(layout: Mapping[str, Any]) -> Layout:
    centre = layout["centre"]
    return Layout(
        layout["rows"],
        [_space(place) for place in layout["inserts"]],
        [_space(place) for place in layout["starts"]],
        [_space(place) for place in layout["spider"]],
        NOWHERE if centre is None else _space(centre),
    )


def _space(place: list[int]) -> int:
    return place[0] << 4 | place[1]
