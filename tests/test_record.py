"""Records: what is written comes back, and nothing else is believed."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard

from arena import games, record
from arena.home import Home
from arena.limits import Limits, Usage
from arena.match import ClockRule, Evidence, FaultKind, Printed
from arena.record import RecordError
from tests.cli.matches import Failure, Wanted, played

TIMEOUT = Failure(FaultKind.TIMEOUT, 5, micros=500_000)
ILLEGAL = Failure(FaultKind.ILLEGAL, 3, micros=400)
NEVER = Failure(FaultKind.NEVER_CONNECTED, None)
GONE = Failure(FaultKind.DISCONNECTED, 7)
MATCHES = [
    *(Wanted(variant, seats, seed=seats) for variant in games.load("party-bugs").variants() for seats in (2, 4, 6)),
    Wanted(failures={1: TIMEOUT}),
    Wanted(failures={0: ILLEGAL, 2: NEVER}),
    Wanted("hidden-card", 4, failures={0: NEVER, 1: NEVER, 2: TIMEOUT, 3: GONE}),
    Wanted(seed=-(10**30)),
]


MISSING = object()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A sound record in a file."""
    path = tmp_path / "match.arena"
    record.write_file(path, played(Wanted(failures={1: TIMEOUT})))
    return path


# Writing, finding, reading


@pytest.mark.parametrize("wanted", MATCHES, ids=str)
def test_a_match_comes_back_as_it_was_and_verifies(wanted: Wanted, home: Home) -> None:
    result = played(wanted)
    path = record.write(home, result)
    assert record.read(path) == result
    assert record.verify(record.read(path)) == []


def test_what_is_known_of_a_faulty_process_and_the_clocks_comes_back(home: Home) -> None:
    result = played(Wanted(failures={1: TIMEOUT}))
    evidence = Evidence(("one", "two"), "killed: its memory limit of 64 MB", Limits(memory_mb=64), Usage(5, None, 7))
    rules = (ClockRule.CPU, ClockRule.FRAME, ClockRule.CPU)
    result = replace(result, faults=(replace(result.faults[0], evidence=evidence),), clocks=rules)
    assert record.read(record.write(home, result)) == result


def test_what_bots_printed_comes_back_and_need_not_be_there(home: Home) -> None:
    silent = played()
    loud = replace(silent, logs=(None, Printed("a\tb\n", 7, 2), None))
    assert record.read(record.write(home, loud)) == loud
    assert record.read(record.write(home, silent)) == silent
    assert record.verify(loud) == record.verify(silent) == []


def test_a_record_is_small_and_says_who_wrote_it(home: Home) -> None:
    path = record.write(home, played(Wanted("base", 4)))
    assert path.stat().st_size < 1500
    assert record.written_by(path) == "0.1.0"
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.name == path.stem[:2]


def test_nothing_but_the_record_is_left(home: Home) -> None:
    path = record.write(home, played())
    record.write(home, replace(played(), spec=replace(played().spec, match_id=path.stem)))
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_many_are_written_at_once(home: Home) -> None:
    results = [played(Wanted(seed=seed)) for seed in range(20)]
    paths = record.write_all(home, iter(results))
    assert [record.read(path) for path in paths] == results
    assert sorted(record.stored(home)) == sorted(paths)
    assert record.write_all(home, []) == []


def test_many_of_which_one_cannot_be_written_leave_no_part(home: Home) -> None:
    results = [played(Wanted(seed=seed)) for seed in range(3)]
    blocked = replace(results[1], spec=replace(results[1].spec, match_id="inway"))
    record.path_of(home, "inway").mkdir(parents=True)
    with pytest.raises(RecordError, match=r"inway\.arena was not written"):
        record.write_all(home, [results[0], blocked, results[2]])
    assert list(home.path.rglob("*.part")) == []


@pytest.mark.parametrize("match_id", ["", "a", "../../escape", "a/b", ".hidden", "x" * 65, "sp ace"])
def test_a_match_id_cannot_lead_out_of_the_home(match_id: str, home: Home) -> None:
    with pytest.raises(RecordError, match="expected a match id"):
        record.write(home, replace(played(), spec=replace(played().spec, match_id=match_id)))


def test_ids_are_short_distinct_and_typable() -> None:
    ids = {record.new_match_id() for _ in range(5000)}
    assert len(ids) == 5000
    assert all(len(one) == 10 and not set(one) & set("ilou") and one == one.lower() for one in ids)


def test_a_match_is_found_by_path_id_beginning_or_as_the_last(home: Home) -> None:
    paths = [_write_as(home, match_id) for match_id in ("aaaa", "aabb", "bbbb")]
    os.utime(paths[1], ns=(2**62, 2**62))
    assert record.find(home, str(paths[0])) == paths[0]
    assert record.find(home, "aaaa") == paths[0]
    assert record.find(home, "aab") == paths[1]
    assert record.find(home, "b") == paths[2]
    assert record.find(home, "last") == paths[1]
    assert sorted(record.stored(home)) == paths


def test_an_id_that_begins_another_means_itself(home: Home) -> None:
    short, _ = _write_as(home, "aaaa"), _write_as(home, "aaaab")
    assert record.find(home, "aaaa") == short


def test_what_is_not_found_is_named(home: Home) -> None:
    for reference, words in [
        ("last", "no match was played"),
        ("zz", "got 'zz': no record"),
        ("./missing.arena", "does not exist"),
        ("*", "got '\\*'"),
        (str(Path(__file__).parent) + "/", "is no file"),
    ]:
        with pytest.raises(RecordError, match=words):
            record.find(home, reference)
    _write_as(home, "aaaa")
    _write_as(home, "aabb")
    with pytest.raises(RecordError, match="begins 2 of them: aaaa, aabb"):
        record.find(home, "aa")


def test_finding_makes_no_folder(home: Home) -> None:
    with pytest.raises(RecordError):
        record.find(home, "last")
    assert not home.path.exists()


def _write_as(home: Home, match_id: str) -> Path:
    result = played()
    return record.write(home, replace(result, spec=replace(result.spec, match_id=match_id)))


# A disk that is full


WRITE = """
import resource, sys
from pathlib import Path
from arena import record
from arena.home import Home
from tests.cli.matches import played
if sys.argv[2] != "-":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    record.write(Home(Path(sys.argv[1])), played())
except record.RecordError as error:
    sys.exit(str(error))
"""


def test_a_file_that_cannot_grow_is_said_and_leaves_nothing(home: Home) -> None:
    ended = _run([sys.executable, "-c", WRITE, str(home.path), "300"])
    assert "was not written: the disk is full" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert [path for path in home.path.rglob("*") if path.is_file()] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to mount a small disk")
def test_a_full_disk_is_said_and_leaves_nothing(home: Home, tmp_path: Path) -> None:
    script = tmp_path / "write.py"
    script.write_text(WRITE)
    fill = (
        'mount -t tmpfs -o size=64k tmpfs "$1" && { cat /dev/zero > "$1/filler" 2>/dev/null; '
        'mkdir -p "$1/records"; "$2" "$3" "$1" -; echo "code $?"; ls -RA "$1"; }'
    )
    home.path.mkdir()
    shell = ["unshare", "-m", "--propagation", "private", "sh", "-c", fill, "sh"]
    ended = _run([*shell, str(home.path), sys.executable, str(script)])
    assert "was not written: the disk is full" in ended.stderr, ended
    assert "code 1" in ended.stdout
    assert ".part" not in ended.stdout
    assert ".arena" not in ended.stdout


def test_a_folder_that_cannot_be_made_is_said(home: Home) -> None:
    home.records.joinpath("ab").write_text("in the way")
    with pytest.raises(RecordError, match="was not written: File exists"):
        _write_as(home, "abcd")


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    root = Path(__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=60)


# What is no record


def test_every_truncation_is_told(packed: Path) -> None:
    whole = packed.read_bytes()
    for length in range(len(whole)):
        packed.write_bytes(whole[:length])
        with pytest.raises(RecordError, match=r"match\.arena"):
            record.read(packed)


def test_every_flipped_byte_is_told_or_harmless(packed: Path) -> None:
    whole, result = packed.read_bytes(), record.read(packed)
    refused = 0
    for index in range(len(whole)):
        for bit in (0x01, 0x80):
            packed.write_bytes(whole[:index] + bytes([whole[index] ^ bit]) + whole[index + 1 :])
            try:
                assert record.read(packed) == result, f"byte {index}"
            except RecordError as error:
                assert "match.arena" in str(error)  # noqa: PT017 - either way is right
                refused += 1
    assert refused > 2 * len(whole) - 10  # a few bits of a frame's header change nothing


@pytest.mark.parametrize(
    "content",
    [b"", b"\0", b"hello", b"{}", b"\x28\xb5\x2f\xfd", b"PK\x03\x04" + bytes(99), os.urandom(999)],
    ids=["empty", "zero", "text", "json", "magic", "zip", "noise"],
)
def test_foreign_files_are_told(content: bytes, packed: Path) -> None:
    packed.write_bytes(content)
    with pytest.raises(RecordError, match=r"match\.arena is (not a match record|damaged)"):
        record.read(packed)


def test_a_second_frame_or_a_tail_is_told(packed: Path) -> None:
    whole = packed.read_bytes()
    for tail in (b"x", b"\0" * 5000, whole):
        packed.write_bytes(whole + tail)
        with pytest.raises(RecordError, match="something follows after its end"):
            record.read(packed)


def test_bombs_are_told_without_being_unpacked(packed: Path) -> None:
    for level, size in ((19, 1 << 28), (1, 1 << 28)):
        packed.write_bytes(zstandard.ZstdCompressor(level=level).compress(bytes(size)))
        assert packed.stat().st_size < 1 << 20
        with pytest.raises(RecordError, match=r"unpacks to more than 16 MiB|damaged"):
            record.read(packed)
    packed.write_bytes(bytes(5 << 20))
    with pytest.raises(RecordError, match="at most 4 MiB"):
        record.read(packed)


def test_a_bomb_stays_small_in_memory(packed: Path) -> None:
    packed.write_bytes(zstandard.ZstdCompressor(level=3).compress(bytes(1 << 29)))
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_DATA, (250 << 20,) * 2)\n"
    code = "from pathlib import Path; from arena import record\ntry: record.read(Path(sys.argv[1]))\n"
    ended = _run([sys.executable, "-c", f"{limited}{code}except record.RecordError: print('told')", str(packed)])
    assert ended.stdout == "told\n", ended.stderr


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "NaN",
        "1e999",
        '{"format": "arena record", "version": 1.0}',
        "9" * 5000,
        '"\\ud800"',
    ],
    ids=["lists", "objects", "nan", "float", "version", "digits", "surrogate"],
)
def test_hostile_json_is_told(text: str, packed: Path) -> None:
    _pack(packed, text)
    with pytest.raises(RecordError, match=r"match\.arena"):
        record.read(packed)


def test_another_version_is_told(packed: Path) -> None:
    for version in (0, 2, "1", True, None):
        _change(packed, version=version)
        with pytest.raises(RecordError, match="expected a record of version 1, got"):
            record.read(packed)


USED = {"peak_memory": 1, "cpu_micros": None, "processes": 2}
PLAIN_FAULT = {
    "kind": "illegal",
    "seat": 0,
    "decision": 0,
    "sentence": "",
    "log": [],
    "ended": "",
    "limits": None,
    "usage": USED,
}
WRONG: list[tuple[str, object, str]] = [
    ("match", "../../x", "match: expected an id"),
    ("match", 7, "match: expected str, got 7"),
    ("policy", "other", "policy: expected"),
    ("game", None, "game: expected str, got None"),
    ("options", [], "options: expected dict"),
    ("options", {"a": None}, "options: expected a text, number or switch for a"),
    ("seed", "1", "seed: expected int, got '1'"),
    ("seed", True, "seed: expected int, got True"),
    ("time", {"allowance_ms": 1}, "expected a field 'bank_ms'"),
    ("time", {"allowance_ms": -1, "bank_ms": 1}, "allowance_ms: expected a number from 0"),
    ("entrants", [], "entrants: expected at least one, got none"),
    ("entrants", [1], "entrants: expected dict"),
    ("decisions", [[0, 1]], r"decisions: expected \[seat, action, micros\]"),
    ("decisions", [[0, 1, 2, 3]], "decisions: expected a seat below 3"),
    ("decisions", [[3, 1, 2]], "decisions: expected a seat below 3"),
    ("decisions", [[-1, 1, 2]], "decisions: expected a seat below 3"),
    ("decisions", [[0, 1, -2]], "no negative time"),
    ("decisions", [[0, True, 2]], r"decisions: expected \[seat"),
    ("decisions", ["012"], r"decisions: expected \[seat"),
    ("places", [1, 2], "places: expected one for each of 3 seats, got 2"),
    ("scores", [1, 2, None], "scores: expected int"),
    ("faults", [{"kind": "tired", "seat": 0, "decision": 0, "sentence": ""}], "faults: expected one of illegal"),
    ("faults", [{"kind": "illegal", "seat": 9, "decision": 0, "sentence": ""}], "faults: expected a seat below 3"),
    ("faults", [{"kind": "illegal", "seat": 0, "sentence": ""}], "expected a field 'decision'"),
    ("remarks", [1], "remarks: expected str"),
    ("clocks", ["sundial"] * 3, "clocks: expected frame or cpu for each of 3 seats"),
    ("clocks", ["cpu"], "clocks: expected frame or cpu for each of 3 seats"),
    ("logs", [None], "logs: expected one for each of 3 seats, got 1"),
    ("logs", [None, None, "text"], "logs: expected dict"),
    ("logs", [None, None, {"text": "x" * 4097, "left_out": 0, "others": 0}], "logs: expected at most 4096 characters"),
    ("logs", [None, None, {"text": "x", "left_out": -1, "others": 0}], "left_out: expected a number from 0"),
    ("logs", [None, None, {"text": "x", "left_out": 0}], "expected a field 'others'"),
    ("faults", [{**PLAIN_FAULT, "log": [1]}], "log: expected str"),
    ("faults", [{**PLAIN_FAULT, "ended": None}], "ended: expected str"),
    ("faults", [{**PLAIN_FAULT, "limits": {"memory_mb": 1}}], "limits: expected whole numbers for memory_mb, cpu_p"),
    ("faults", [{**PLAIN_FAULT, "usage": {**USED, "processes": -1}}], "usage: expected whole numbers for peak_mem"),
    ("faults", [{**PLAIN_FAULT, "usage": {}}], "usage: expected whole numbers for peak_memory, cpu_micros"),
]


@pytest.mark.parametrize(("name", "value", "words"), WRONG, ids=[f"{name}-{value}"[:40] for name, value, _ in WRONG])
def test_another_shape_is_told(name: str, value: object, words: str, packed: Path) -> None:
    _change(packed, **{name: value})
    with pytest.raises(RecordError, match=words) as caught:
        record.read(packed)
    assert str(packed) in str(caught.value)


def test_every_field_is_needed(packed: Path) -> None:
    whole = packed.read_bytes()
    for name in json.loads(zstandard.decompress(whole)):
        packed.write_bytes(whole)
        _change(packed, **{name: MISSING})
        if name == "arena":
            assert record.written_by(packed) == "None"
            continue
        with pytest.raises(RecordError, match=r"match\.arena"):
            record.read(packed)


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.arena", tmp_path):
        with pytest.raises(RecordError, match="cannot read the record"):
            record.read(path)


def _pack(path: Path, text: str) -> None:
    path.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(text.encode()))


def _change(path: Path, **changes: object) -> None:
    fields = json.loads(zstandard.decompress(path.read_bytes())) | changes
    _pack(path, json.dumps({name: value for name, value in fields.items() if value is not MISSING}))
