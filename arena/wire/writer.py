"""Writes protobuf messages field by field, for those that are written too often to be built as objects first.

Compiled by mypyc. The bytes are the ones that protobuf itself would give: whoever writes fields in ascending order
and leaves out nothing gets them, and a test of every codec compares.
"""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64, u8

LENGTH_PREFIXED: Final = 2  # the wire type of lists and messages; that of numbers is 0


class Writer:
    """One message that grows at its end; `begin` and `end` stand around a message inside it."""

    def __init__(self) -> None:
        self._bytes = BytesWriter()

    def number(self, field: i64, value: i64) -> None:
        """A number from 0 on, or an enum; zero is what a missing field means, and so is left out."""
        if value:
            self._varint(field << 3)
            self._varint(value)

    def signed(self, field: i64, value: i64) -> None:
        """A number of a type that is made for negative ones, sint32 or sint64."""
        self.number(field, value << 1 if value >= 0 else (-value << 1) - 1)

    def packed(self, field: i64, numbers: list[int]) -> None:
        """A list of numbers from 0 on; one that is empty is left out."""
        if numbers:
            mark = self.begin(field)
            for number in numbers:
                self._varint(number)
            self.end(mark)

    def data(self, field: i64, content: bytes) -> None:
        """A text or a packed list that exists as bytes already; one that is empty is left out."""
        if content:
            self._varint(field << 3 | LENGTH_PREFIXED)
            self._varint(len(content))
            self._bytes.write(content)

    def packed_set(self, field: i64, bits: i64) -> None:
        """The members of a set, ascending, as a list of numbers."""
        if not bits:
            return
        mark = self.begin(field)
        member: i64 = 0
        while bits:
            if bits & 1:
                self._bytes.append(u8(member))
            bits >>= 1
            member += 1
        self.end(mark)

    def packed_row(self, field: i64, row: i64, length: i64) -> None:
        """The first so many numbers of a row, as a list of numbers."""
        if length <= 0:
            return
        mark = self.begin(field)
        while length > 0:
            self._bytes.append(u8(row & 15))
            row >>= 4
            length -= 1
        self.end(mark)

    def begin(self, field: i64) -> i64:
        """What follows, up to `end` with the mark that this gives, is the content of one field."""
        self._varint(field << 3 | LENGTH_PREFIXED)
        self._bytes.append(u8(0))
        return len(self._bytes)

    def end(self, mark: i64) -> None:
        """Close what `begin` opened, now that its length is known."""
        length: i64 = len(self._bytes) - mark
        place: i64 = mark - 1
        while length >= 128:
            self._bytes[place] = u8(length & 127 | 128)
            length >>= 7
            place += 1
            self._make_room(place)
        self._bytes[place] = u8(length)

    def written(self) -> bytes:
        """The message so far."""
        return self._bytes.getvalue()

    def _make_room(self, place: i64) -> None:
        """Move what stands from this place on by one."""
        self._bytes.append(u8(0))
        last: i64 = len(self._bytes) - 1
        while last > place:
            self._bytes[last] = self._bytes[last - 1]
            last -= 1

    def _varint(self, value: i64) -> None:
        while value >= 128:
            self._bytes.append(u8(value & 127 | 128))
            value >>= 7
        self._bytes.append(u8(value))
