"""No file, however made, changes a home: what is no whole and honest export is told in one sentence."""

import json
import os
import random
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from arena.home import Home
from arena.limits import Limits
from ladder.store import StoreError, export_ladders, import_ladders
from tests.ladder.exports import Members, members, pack
from tests.ladder.synthetic import NOW, fill, scene


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("whole")
    here = scene(folder / "here")
    fill(here, range(6), faulty=[2])
    export_ladders(here.home, folder / "file")
    return (folder / "file").read_bytes()


@pytest.fixture
def file(whole: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(whole)
    return path


@pytest.fixture
def there(tmp_path: Path) -> Home:
    return Home(tmp_path / "there")


# Files that are no exports


def test_what_was_packed_by_hand_is_read(file: Path, there: Home) -> None:
    pack(file, members(file))
    assert import_ladders(there, file, now=NOW).new == 18


def test_every_truncation_is_told(file: Path, there: Home) -> None:
    whole = file.read_bytes()
    for length in [*range(60), *range(60, len(whole), 97), *range(len(whole) - 20, len(whole))]:
        file.write_bytes(whole[:length])
        with pytest.raises(StoreError, match="is no whole export of ladders"):
            import_ladders(there, file, now=NOW)
    assert not there.path.exists()


def test_flipped_bytes_are_told(file: Path, there: Home) -> None:
    whole = file.read_bytes()
    for index in random.Random(3).sample(range(20, len(whole)), 150):
        file.write_bytes(whole[:index] + bytes([whole[index] ^ 0x10]) + whole[index + 1 :])
        with pytest.raises(StoreError, match="nothing was changed"):
            import_ladders(there, file, now=NOW)
    assert not there.path.exists()


FOREIGN = [b"", b"hello\n", os.urandom(5000), zstandard.ZstdCompressor().compress(b"hello"), bytes(2000)]


@pytest.mark.parametrize("content", FOREIGN, ids=["empty", "text", "noise", "zstd", "zeros"])
def test_foreign_files_are_told(content: bytes, file: Path, there: Home) -> None:
    file.write_bytes(content)
    with pytest.raises(StoreError, match="is no whole export"):
        import_ladders(there, file, now=NOW)
    assert not there.path.exists()


def test_what_follows_is_told(file: Path, there: Home) -> None:
    file.write_bytes(file.read_bytes() + b"more")
    with pytest.raises(StoreError, match="something follows"):
        import_ladders(there, file, now=NOW)


def test_a_bomb_is_told(file: Path, there: Home) -> None:
    file.write_bytes(zstandard.ZstdCompressor().compress(members(file)["manifest.json"] + bytes(200 << 20)))
    with pytest.raises(StoreError, match="is no whole export"):
        import_ladders(there, file, now=NOW)
    pack(file, {"manifest.json": bytes(100 << 20)})
    with pytest.raises(StoreError, match="unpacks to more than 64 MiB"):
        import_ladders(there, file, now=NOW)


def test_what_is_no_file_is_told(there: Home, tmp_path: Path) -> None:
    for path, words in [(tmp_path / "missing", "No such file"), (tmp_path, "Is a directory")]:
        with pytest.raises(StoreError, match=words):
            import_ladders(there, path, now=NOW)


def link(kind: bytes) -> Callable[[tarfile.TarFile], None]:
    def add(tar: tarfile.TarFile) -> None:
        member = tarfile.TarInfo("records/zz.arena")
        member.type, member.linkname = kind, "/etc/passwd"
        tar.addfile(member)

    return add


KINDS = [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.XHDTYPE]


@pytest.mark.parametrize("kind", KINDS)
def test_only_plain_files_are_read(kind: bytes, file: Path, there: Home) -> None:
    pack(file, members(file), link(kind))
    with pytest.raises(StoreError, match=r"'records/zz\.arena', which is not expected there"):
        import_ladders(there, file, now=NOW)


@pytest.mark.parametrize(
    "name", ["../x", "/etc/x", "records/../x.arena", "records/x.arena/y", "x.jsonl", "records/aaaa.arena"]
)
def test_only_expected_names_are_read(name: str, file: Path, there: Home) -> None:
    pack(file, {**members(file), name: b"{}\n"})
    with pytest.raises(StoreError, match="which is not expected there"):
        import_ladders(there, file, now=NOW)
    assert not there.path.exists()


# Rows that lie


def edited(kind: str, **fields: Any) -> Callable[[Members], None]:
    """The first row of a kind with other fields."""

    def edit(content: Members) -> None:
        rows = content[f"{kind}.jsonl"].splitlines(keepends=True)
        rows[0] = json.dumps({**json.loads(rows[0]), **fields}).encode() + b"\n"
        content[f"{kind}.jsonl"] = b"".join(rows)

    return edit


def raw(name: str, data: bytes) -> Callable[[Members], None]:
    return lambda content: content.update({name: data})


def doubled(kind: str) -> Callable[[Members], None]:
    def edit(content: Members) -> None:
        rows = content[f"{kind}.jsonl"].splitlines(keepends=True)
        content[f"{kind}.jsonl"] = b"".join([rows[0], *rows[:-1]])

    return edit


def swapped_records(content: Members) -> None:
    first, second = [name for name in content if name.startswith("records/")][:2]
    content[first], content[second] = content[second], content[first]


def without_last_record(content: Members) -> None:
    del content[list(content)[-1]]


LIES: list[tuple[Callable[[Members], None], str]] = [
    (raw("manifest.json", b"{}\n"), "expected format"),
    (raw("manifest.json", b'{"format":"arena ladders","version":2}\n'), "expected an export of version 1, got 2"),
    (raw("manifest.json", b"[1]\n"), "expected rows of named fields"),
    (raw("manifest.json", b"[" * 5000 + b"\n"), "expected JSON"),
    (raw("players.jsonl", b""), "players: expected 5 rows, got 0"),
    (raw("players.jsonl", b"{}"), "its last line is not whole"),
    (raw("players.jsonl", b" " * 70_000 + b"\n"), "a line is longer"),
    (raw("ratings.jsonl", b"\xff\n" * 54), "expected JSON"),
    (edited("players", name="../evil"), "expected name to be a text like"),
    (edited("players", name="a\x1b[2J"), "expected name"),
    (edited("players", author="a\x1b[2J"), "expected author"),
    (edited("players", author="\ud800"), "expected author"),
    (edited("players", sha256="F" * 64), "expected sha256"),
    (edited("players", sha256="e" * 64), "expected the bots of block"),
    (edited("players", anchor=1), "expected anchor to be true or false"),
    (edited("players", first_seen="now"), "expected first_seen to be a number"),
    (edited("players", first_seen=10**400), "expected first_seen to be a number"),
    (edited("players", id=0), "expected id"),
    (doubled("players"), "expected everybody once"),
    (edited("ladders", game="Chess; DROP TABLE"), "expected game"),
    (edited("ladders", game="chess"), "expected match to be"),
    (edited("ladders", options={"a": 1.5}), "expected options"),
    (edited("ladders", seats=1), "expected seats"),
    (edited("ladders", seats=4), "expected lineup to be 4 players"),
    (edited("ladders", allowance_ms=-1), "expected allowance_ms"),
    (edited("ladders", bank_ms=2**40), "expected bank_ms"),
    (edited("ladders", seed="7 "), "expected seed"),
    (edited("ladders", seed="7"), "expected match to be"),
    (edited("ladders", limits={}), "expected limits to be whole numbers for memory_mb"),
    (edited("ladders", limits={**Limits().plain(), "memory_mb": "64"}), "expected limits to be whole numbers for"),
    (edited("ladders", limits={**Limits().plain(), "memory_mb": 0}), "expected limits to be numbers within bounds"),
    (edited("blocks", ladder=1), "expected ladder to be one of this file"),
    (edited("blocks", lineup=[1, 2]), "expected lineup to be 3 players"),
    (edited("blocks", lineup=[1, 2, 2]), "nobody twice"),
    (edited("blocks", lineup=[1, 2, 99]), "players of this file"),
    (edited("blocks", lineup="123"), "expected lineup"),
    (edited("blocks", number=1), "expected number to be 0"),
    (edited("matches", block=99), "expected block to be one of its ladder"),
    (edited("matches", rotation=3), "expected rotation"),
    (edited("matches", rotation=True), "expected rotation"),
    (edited("matches", match="zz"), "expected match to be"),
    (edited("matches", ended=float("nan")), "matches: expected JSON"),
    (edited("matches", attempts=0), "expected attempts"),
    (doubled("matches"), "expected each rotation of every block once, 18 matches, got 18"),
    (edited("ratings", player=99), "expected player to be one of its block"),
    (edited("ratings", mu=float("inf")), "ratings: expected JSON"),
    (edited("ratings", mu=None), "expected mu to be a number"),
    (doubled("ratings"), "each rating once"),
    (raw("secrets.jsonl", b'{"ladder":0,"secret":"x"}\n'), "secrets: expected 0 rows"),
    (swapped_records, "expected match"),
    (without_last_record, "got nothing more"),
]


@pytest.mark.parametrize(("edit", "words"), LIES, ids=[words for _, words in LIES])
def test_rows_that_lie_are_told(edit: Callable[[Members], None], words: str, file: Path, there: Home) -> None:
    content = members(file)
    edit(content)
    pack(file, content)
    with pytest.raises(StoreError, match=words) as raised:
        import_ladders(there, file, now=NOW)
    assert "\n" not in str(raised.value)
    assert "\x1b" not in str(raised.value)
    assert not there.path.exists()


FORGED: list[Callable[[dict[str, Any]], object]] = [
    lambda fields: fields.update(places=[0, 1, 2]),
    lambda fields: fields.update(places=[1, 2, 10**30]),
    lambda fields: fields.update(scores=[1, 2, 10**30]),
    lambda fields: fields["faults"][0].update(decision=10**30),
    lambda fields: fields["entrants"][0].update(level="\x1b[2J"),
    lambda fields: fields.update(time={"allowance_ms": 1, "bank_ms": 2}),
    lambda fields: fields.update(options={}),
    lambda fields: fields.update(match="zzzz"),
    lambda fields: fields.update(version=2),
]


@pytest.mark.parametrize("forge", FORGED, ids=[str(number) for number in range(len(FORGED))])
def test_records_that_lie_are_told(forge: Callable[[dict[str, Any]], object], file: Path, there: Home) -> None:
    content = members(file)
    name = next(name for name in content if name.startswith("records/"))
    fields = json.loads(zstandard.ZstdDecompressor().decompress(content[name]))
    forge(fields)
    content[name] = zstandard.ZstdCompressor(write_checksum=True).compress(json.dumps(fields).encode())
    pack(file, content)
    with pytest.raises(StoreError, match="nothing was changed"):
        import_ladders(there, file, now=NOW)
    assert not there.path.exists()
