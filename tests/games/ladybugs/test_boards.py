"""The board that is shipped, and board files of users: what they may be, and what is said of those that may not."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from arena.engine.options import OptionError
from arena.engine.rng import Rng
from arena.games.ladybugs import boards
from arena.games.ladybugs.actions import space_name, space_named
from arena.games.ladybugs.boards import FILE, STANDARD, canonical
from arena.games.ladybugs.codec import CODEC
from arena.games.ladybugs.rules import GAME
from arena.games.ladybugs.rules_board import Board, shuffled, turned
from arena.games.ladybugs.v1 import ladybugs_pb2 as pb
from tests.games.ladybugs.positions import BASE

SHIPPED = json.loads(FILE.read_text(encoding="utf-8"))
ASSEMBLIES = 400


def assemblies(seats: int) -> list[Board]:
    kit = boards.kit(STANDARD)
    return [Board(kit, seats, shuffled(kit, seats, Rng(key))) for key in range(ASSEMBLIES)]


def spaces_of(board: Board) -> dict[int, set[int]]:
    """The spaces of each bed."""
    return {bed: {space for space in range(240) if board.beds[space] == bed} for bed in range(1, len(board.sizes))}


@pytest.mark.parametrize(
    ("seats", "rows", "columns", "fewest", "most"), [(2, 8, 15, 10, 12), (3, 15, 15, 19, 21), (4, 15, 15, 19, 21)]
)
def test_the_shipped_board_in_every_assembly(seats: int, rows: int, columns: int, fewest: int, most: int) -> None:
    """Sizes of three to nine, beds that never touch, the centre the only one of nine (rulings, section 1.4)."""
    for board in assemblies(seats):
        assert (board.rows, board.columns) == (rows, columns)
        beds = spaces_of(board)
        assert fewest <= len(beds) <= most
        assert all(3 <= len(spaces) == board.sizes[bed] <= 9 for bed, spaces in beds.items())
        nines = [bed for bed, spaces in beds.items() if len(spaces) == 9]
        assert nines == ([] if seats == 2 else [board.centre])
        for bed, spaces in beds.items():
            around = {space + step for space in spaces for step in (-17, -16, -15, -1, 1, 15, 16, 17)}
            assert not any(other in around for number, others in beds.items() if number != bed for other in others)
        assert len(board.clovers) == (6 if seats == 2 else 12)


def test_l5_a_bed_goes_on_across_the_seams() -> None:
    board = assemblies(4)[0]
    centre = {space_name(space) for space in spaces_of(board)[board.centre]}
    assert centre == {f"{column}{row}" for column in "ghi" for row in (7, 8, 9)}


def test_the_skeleton_is_that_of_candidate_a() -> None:
    """A space is bed if it is within 1 of a line row and of a line column."""
    for seats, lines in ((2, (0, 7)), (3, (0, 7, 14)), (4, (0, 7, 14))):
        for row, line in enumerate(SHIPPED["layouts"][str(seats)]["rows"]):
            for column, letter in enumerate(line):
                near_row = any(abs(row - at) <= 1 for at in lines)
                near_column = any(abs(column - at) <= 1 for at in (0, 7, 14))
                on_line = row in lines or column in (0, 7, 14)
                wanted = "#" if near_row and near_column else "." if on_line else "?"
                assert letter == wanted, f"{seats} seats, row {row}, column {column}"


def test_faces_have_the_bed_sizes_that_the_rulings_name() -> None:
    named = {"A": [[3, 4, 7], [4, 8]], "B": [[3, 3, 7], [3, 4, 6]], "C": [[3, 3, 8], [3, 4, 5]]}
    named["D"] = [[3, 4, 6], [4, 7]]
    for name, faces in SHIPPED["squares"].items():
        for face, sizes in zip(faces, named[name], strict=True):
            assert inner_sizes(face) == sizes
            assert "".join(face).count("c") == 3


def inner_sizes(face: list[str]) -> list[int]:
    """Sizes of the beds of a face, without those that reach into a corner."""
    left = {(row, column) for row in range(6) for column in range(6) if face[row][column] == "#"}
    sizes = []
    while left:
        bed, edge = set(), {left.pop()}
        while edge:
            bed |= edge
            edge = {(row + down, column + right) for row, column in edge for down, right in NEXT} & left
            left -= edge
        if not bed & {(0, 0), (0, 5), (5, 0), (5, 5)}:
            sizes.append(len(bed))
    return sorted(sizes)


NEXT = ((0, 1), (1, 0), (0, -1), (-1, 0))


def test_every_fact_of_the_shipped_file_has_its_provenance() -> None:
    provenance = SHIPPED["provenance"]
    for fact in ("squares", "clovers", "layouts.rows", "layouts.centre", "layouts.spider"):
        assert provenance[fact].split()[0].rstrip(".") in ("CONFIRMED", "STRONG", "LIKELY", "INVENTED")
    assert {f"layouts.starts.{seats}" for seats in (2, 3, 4)} <= set(provenance)


def test_a_face_turns_clockwise() -> None:
    face = ["ab", "cd"]
    assert [turned(face, quarters) for quarters in range(4)] == [["ab", "cd"], ["ca", "db"], ["dc", "ba"], ["bd", "ac"]]


# A user's own board


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    """The shipped file with one change."""
    data = copy.deepcopy(SHIPPED)
    change(data)
    return json.dumps(data)


def test_the_shipped_file_itself_is_the_standard_board() -> None:
    assert canonical(FILE.read_text(encoding="utf-8")) == STANDARD
    assert GAME.options({"board": FILE.read_text(encoding="utf-8")}) == BASE


def test_what_does_not_matter_in_play_leaves_the_value_as_it_is() -> None:
    other = changed(lambda data: data["clovers"].reverse())
    spaced = json.dumps(dict(reversed(json.loads(other).items())), indent=7)
    bare = json.loads(other)
    del bare["provenance"]
    values = {canonical(text) for text in (other, spaced, json.dumps(bare))}
    assert len(values) == 1
    assert values != {STANDARD}
    (value,) = values
    assert canonical(value) == value
    assert "provenance" not in value


def test_the_options_carry_the_board_itself() -> None:
    """Through plain values, the wire and a dump; no path anywhere."""
    text = changed(lambda data: data.update(clovers=[9] * 12))
    options = GAME.options({"board": text, "lucky_clover": True})
    assert GAME.options(GAME.plain_options(options)) == options
    assert CODEC.decode_options(CODEC.encode_options(options)) == options
    state = GAME.setup(options, 4, Rng(1))
    assert state.clovers == [9] * 12
    assert GAME.load(state.dump()).dump() == state.dump()
    view = state.observe(2)
    assert CODEC.decode_observation(CODEC.encode_observation(view, [], []))[0] == view


def test_another_layout_is_played() -> None:
    text = changed(lambda data: data["layouts"]["3"].update(starts=[[14, 0], [14, 14], [0, 7]]))
    state = GAME.setup(GAME.options({"board": text}), 3, Rng(1))
    spaces = [code >> 4 & 255 for code in state.legal_actions(state.to_act()[0])]
    assert sorted(spaces) == sorted(map(space_named, ("a15", "o15", "h1")))


def second(data: dict[str, Any]) -> list[Any]:
    face: list[Any] = data["squares"]["A"][1]
    return face


def four(data: dict[str, Any]) -> dict[str, Any]:
    layout: dict[str, Any] = data["layouts"]["4"]
    return layout


WRONG: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (
        lambda data: data.update(format="chess board"),
        "expected format 'ladybugs board' and version 1, got 'chess board'",
    ),
    (lambda data: data.update(version=2), "expected format 'ladybugs board' and version 1"),
    (lambda data: data.update(colour="red"), "a board: expected the fields format, version, clovers, layouts, squares"),
    (lambda data: data.pop("clovers"), "a board: expected the fields format, version, clovers, layouts, squares"),
    (lambda data: data.update(squares=[]), "squares: expected a JSON object, got []"),
    (lambda data: data.update(squares={}), "squares: expected 1 to 8, got 0"),
    (lambda data: data["squares"].update({"E!": data["squares"]["A"]}), "letters or digits, got 'E!'"),
    (lambda data: data["squares"]["A"].pop(), "square A: expected a list of 2"),
    (lambda data: data["squares"]["A"][0].pop(), "squares: expected faces of one size, as high as wide"),
    (
        lambda data: second(data).__setitem__(2, "#x...."),
        "face A2, row 3: expected letters of #.c, got '#x....'",
    ),
    (lambda data: second(data).__setitem__(2, "#...."), "face A2, row 3: expected 6 letters, as in row 1"),
    (lambda data: second(data).__setitem__(2, 7), "face A2, row 3: expected letters of #.c, got 7"),
    (
        lambda data: data["squares"]["B"][1].__setitem__(0, "..##.#"),
        "layout 2, face B2: expected # at row 1, column 1 however it is turned, got .",
    ),
    (lambda data: data["layouts"].pop("3"), "layouts: expected the fields 2, 3, 4, got '2, 4'"),
    (lambda data: four(data).pop("centre"), "layout 4: expected the fields rows, inserts, starts, spider, centre"),
    (lambda data: four(data).update(rows=[]), "the rows of layout 4: expected a list of up to 15, got []"),
    (lambda data: four(data).update(rows=["." * 16]), "layout 4, row 1: expected 15 letters"),
    (
        lambda data: four(data).update(rows=["." * 11] * 11),
        "expected 12 rows or columns at least, got 11 and 11",
    ),
    (lambda data: four(data)["inserts"].pop(), "layout 4: expected a square over every ?, got none at row 8"),
    (lambda data: four(data)["inserts"].append([1, 1]), "layout 4, inserts: expected a list of up to 4"),
    (lambda data: four(data).update(inserts=[[1, 1], [1, 1]]), "expected squares apart from each other, got [1, 1]"),
    (lambda data: four(data).update(inserts=[[12, 1]]), "expected squares inside the board, got one at [12, 1]"),
    (lambda data: four(data)["starts"].pop(), "layout 4, starts: expected a list of 4"),
    (lambda data: four(data)["starts"].__setitem__(1, [0, 0]), "expected different spaces for starts and spider"),
    (
        lambda data: four(data)["starts"].__setitem__(1, [0, 15]),
        "a column: expected a whole number from 0 to 14",
    ),
    (
        lambda data: four(data)["starts"].__setitem__(1, [2, 2]),
        "expected a space outside the squares, got [2, 2]",
    ),
    (lambda data: four(data)["starts"].__setitem__(1, "a1"), "layout 4, a space: expected a list of 2, got 'a1'"),
    (lambda data: four(data).update(spider=[[7, 7], [0, 7]]), "layout 4, spider: expected a list of 1"),
    (lambda data: four(data).update(spider=[[0, 0]]), "expected different spaces for starts and spider"),
    (lambda data: four(data).update(centre=[0, 3]), "layout 4, centre: expected a space of a bed or null, got [0, 3]"),
    (lambda data: data.update(clovers=[1] * 11), "clovers: expected 12 values, as layout 3 can mark, got 11"),
    (lambda data: data.update(clovers=[1] * 11 + [10]), "clovers: expected a whole number from 0 to 9, got 10"),
    (lambda data: data.update(clovers=[1] * 11 + [True]), "clovers: expected a whole number from 0 to 9, got True"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG, ids=[sentence[:50] for _, sentence in WRONG])
def test_a_board_that_cannot_be_is_refused_in_words(change: Callable[[dict[str, Any]], object], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        GAME.options({"board": changed(change)})
    message = str(caught.value)
    assert message.startswith("option board: expected standard or a text that fits; ")
    assert sentence in message
    assert len(message) < 300


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("qqq", "expected a board as JSON, got 'qqq'"),
        ("[]", "a board: expected a JSON object, got []"),
        ("[" * 30_000, "expected a board as JSON, got"),
        (" " * 70_000, "expected at most 65536 letters, got 70000"),
    ],
)
def test_text_that_is_no_board_is_refused_in_words(text: str, sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        GAME.options({"board": text})
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_clover_on_a_start_space_is_refused() -> None:
    def marked(data: dict[str, Any]) -> None:
        rows = four(data)["rows"]
        rows[0] = rows[0][:3] + "c" + rows[0][4:]
        four(data)["starts"][0] = [0, 3]

    with pytest.raises(OptionError, match="expected start spaces without a clover"):
        GAME.options({"board": changed(marked)})


def test_the_wire_takes_only_the_canonical_form() -> None:
    options = GAME.options({"board": changed(lambda data: data.update(clovers=[2] * 12))})
    loose = json.dumps(json.loads(options.board), indent=1)
    with pytest.raises(ValueError, match="canonical form"):
        CODEC.decode_options(pb.Options(board=loose).SerializeToString())


def test_l37_a_board_has_room_for_the_spider_wherever_it_is() -> None:
    """Twelve lines on one side are enough for six spaces in one of two directions; eleven are not."""
    for size in range(8, 16):
        has_room = all(place >= 6 or size - 1 - place >= 6 for place in range(size))
        assert has_room == (size >= boards.ROOM)


def test_may_resign_needs_action_tiles() -> None:
    with pytest.raises(OptionError, match="may_resign: expected false, because action_tiles is false; got true"):
        GAME.options({"may_resign": True})
