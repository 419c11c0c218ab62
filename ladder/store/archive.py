"""One file that holds ladders: a zstd-compressed tar of JSON lines for rows, with the match records behind them.

Whoever reads one trusts nothing: plain files with expected names, of bounded size, whole to the last byte.
"""

import io
import json
import math
import os
import re
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import zstandard

from ladder.store.errors import StoreError, reason

FORMAT = "arena ladders"
VERSION = 1
MANIFEST = "manifest.json"
ROWS = ("players", "ladders", "blocks", "matches", "ratings", "secrets")
RECORD = re.compile(r"records/([A-Za-z0-9][A-Za-z0-9_-]{1,63})\.arena")

MAX_ROWS = 256 << 20  # bytes of one kind of rows
MAX_LINE = 1 << 16
MAX_RECORD = 4 << 20
MAX_TOTAL = 4 << 30  # bytes once unpacked
SMALL = 64 << 20  # bytes that any file may unpack to; beyond, a hundred times its own size
RATIO = 100
PIECE = 1 << 14

LINE = r"[^\x00-\x1f\x7f-\x9f]{0,4000}"  # nothing that would move a terminal's cursor

Fields = dict[str, Any]


class ArchiveError(StoreError):
    """A file that is no whole export."""


# Writing


def write(
    path: Path, manifest: Fields, rows: Mapping[str, Iterable[Fields]], records: Iterable[tuple[str, bytes]]
) -> None:
    """Write an export, whole or not at all; nothing is replaced."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        part = Path(name)
        try:
            with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
                _write_to(file, manifest, rows, records)
                file.flush()
                os.fsync(file.fileno())
            path.hardlink_to(part)  # unlike a rename, it replaces nothing
        finally:
            part.unlink()
    except FileExistsError:
        raise StoreError(f"expected a new file to export to, got {path}, which exists") from None
    except OSError as error:
        raise StoreError(f"the export {path} was not written: {reason(error)}") from None


def _write_to(
    file: BinaryIO, manifest: Fields, rows: Mapping[str, Iterable[Fields]], records: Iterable[tuple[str, bytes]]
) -> None:
    compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
    with (
        compressor.stream_writer(file, closefd=False) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.USTAR_FORMAT) as tar,
    ):
        _add(tar, MANIFEST, _line({"format": FORMAT, "version": VERSION, **manifest}))
        for kind in ROWS:
            _add(tar, f"{kind}.jsonl", b"".join(_line(row) for row in rows[kind]))
        for match, data in records:
            _add(tar, f"records/{match}.arena", data)


def _line(row: Fields) -> bytes:
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(data), 0o600
    tar.addfile(member, io.BytesIO(data))


# Reading


def read(path: Path) -> Iterator[tuple[str, bytes]]:
    """The members of an export, in order; ArchiveError as soon as something is wrong with it."""
    try:
        with path.open("rb") as file:
            yield from _members(_Unpacked(path, file))
    except OSError as error:
        raise ArchiveError(f"cannot read the export {path}: {reason(error)}") from None


class _Unpacked:
    """The content of exactly one zstd frame, a piece at a time and never more than is believable."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file
        self._most = min(MAX_TOTAL, max(SMALL, RATIO * os.fstat(file.fileno()).st_size))
        self._unpacking = zstandard.ZstdDecompressor(max_window_size=1 << 23).decompressobj()
        self._ready = bytearray()
        self._total = 0

    def take(self, size: int) -> bytes:
        """The next bytes; as many as there are, at the end."""
        while len(self._ready) < size and self._fill():
            pass
        found = bytes(self._ready[:size])
        del self._ready[:size]
        return found

    def finish(self) -> None:
        """ArchiveError unless nothing but zeros is left, and the frame's checksum holds."""
        while rest := self.take(PIECE):
            if rest.strip(b"\0"):
                raise damaged(self.path, "something follows after its end")
        if self._unpacking.unused_data or self._file.read(1):
            raise damaged(self.path, "something follows after its end")

    def _fill(self) -> bool:
        if self._unpacking.eof:
            return False
        packed = self._file.read(512)  # unpacks to 16 MiB at most, so a bomb is seen before it fills the memory
        if not packed:
            raise damaged(self.path, "its end is missing")
        try:
            self._ready += (piece := self._unpacking.decompress(packed))
        except (zstandard.ZstdError, MemoryError) as error:
            raise damaged(self.path, str(error) if self._total else "it is of another kind") from None
        self._total += len(piece)
        if self._total > self._most:
            raise damaged(self.path, f"it unpacks to more than {self._most >> 20} MiB")
        return True


def _members(content: _Unpacked) -> Iterator[tuple[str, bytes]]:
    while True:
        try:
            member = tarfile.TarInfo.frombuf(content.take(tarfile.BLOCKSIZE), "utf-8", "strict")
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined] # it exists, but the stubs do not know
            break
        except (tarfile.HeaderError, UnicodeError):
            raise damaged(content.path, "it holds no tar archive") from None
        yield member.name, _data(content, member)
    content.finish()


def _data(content: _Unpacked, member: tarfile.TarInfo) -> bytes:
    """The content of a member, which is read only if its name, kind and size are as expected."""
    most = MAX_RECORD if RECORD.fullmatch(member.name) else MAX_ROWS
    expected = {MANIFEST, *(f"{kind}.jsonl" for kind in ROWS)}
    if member.type != tarfile.REGTYPE or (member.name not in expected and not RECORD.fullmatch(member.name)):
        raise damaged(content.path, f"it holds {member.name[:80]!r}, which is not expected there")
    if not 0 <= member.size <= most:
        raise damaged(content.path, f"{member.name} is larger than {most >> 20} MiB")
    padded = content.take(-(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE)
    if len(padded) < member.size:
        raise damaged(content.path, "its end is missing")
    return padded[: member.size]


def damaged(path: Path, why: str) -> ArchiveError:
    """The sentence for a file that is no whole export."""
    return ArchiveError(f"{path} is no whole export of ladders: {why}; nothing was changed")


# Rows, field by field


class Row:
    """One row of an export: every field is checked when it is asked for."""

    def __init__(self, path: Path, kind: str, fields: object) -> None:
        if not isinstance(fields, dict):
            raise damaged(path, f"{kind}: expected rows of named fields, got {str(fields)[:60]!r}")
        self._path, self._kind, self._fields = path, kind, fields

    def wrong(self, name: str, wanted: str) -> NoReturn:
        """Say what was expected of a field."""
        raise damaged(self._path, f"{self._kind}: expected {name} to be {wanted}, got {_short(self._fields.get(name))}")

    def whole(self, name: str, least: int = 0, most: int = 2**31 - 1) -> int:
        """A whole number within bounds."""
        value = self._fields.get(name)
        if type(value) is not int or not least <= value <= most:
            self.wrong(name, f"a whole number from {least} to {most}")
        return value

    def real(self, name: str) -> float:
        """A finite number."""
        value = self._fields.get(name)
        if type(value) is int and abs(value) < 2**53:
            return float(value)
        if type(value) is not float or not math.isfinite(value):
            self.wrong(name, "a number")
        return value

    def text(self, name: str, pattern: str = LINE) -> str:
        """A text that fits a pattern."""
        value = self._fields.get(name)
        if type(value) is not str or not re.fullmatch(pattern, value) or not _encodable(value):
            self.wrong(name, f"a text like {pattern}")
        return value

    def switch(self, name: str) -> bool:
        """True or false."""
        value = self._fields.get(name)
        if type(value) is not bool:
            self.wrong(name, "true or false")
        return value

    def wholes(self, name: str, least: int, most: int) -> list[int]:
        """A list of so many whole numbers."""
        value = self._fields.get(name)
        if type(value) is not list or not least <= len(value) <= most or any(type(one) is not int for one in value):
            self.wrong(name, f"{least} to {most} whole numbers")
        return value

    def table(self, name: str) -> dict[str, Any]:
        """Named texts, whole numbers and switches."""
        value = self._fields.get(name)
        if type(value) is not dict or any(type(one) not in (str, int, bool) for one in value.values()):
            self.wrong(name, "options by name")
        return value

    def has(self, name: str) -> bool:
        """Whether a field is there."""
        return name in self._fields

    def is_none(self, name: str) -> bool:
        """Whether a field is there, and empty."""
        return self._fields.get(name, ...) is None


def rows_of(path: Path, kind: str, data: bytes) -> list[Row]:
    """The rows of one kind."""
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise damaged(path, f"{kind}: its last line is not whole")
    if any(len(line) > MAX_LINE for line in lines):
        raise damaged(path, f"{kind}: a line is longer than {MAX_LINE} bytes")
    return [Row(path, kind, _parsed(path, kind, line)) for line in lines]


def _parsed(path: Path, kind: str, line: bytes) -> object:
    try:
        return json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise damaged(path, f"{kind}: expected JSON, got {_short(line)}") from None


def _refuse(number: str) -> NoReturn:
    raise ValueError(f"expected a finite number, got {number}")


def _encodable(value: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _short(value: object) -> str:
    return repr(value)[:60]
