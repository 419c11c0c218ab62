"""What a stranger's connection may carry: HTTP/2 as gRPC clients speak it, in proportion to the conversation.

Only the heads of frames are looked at (9 bytes, RFC 9113) and the length in front of each gRPC message. Limits are
wide: a client spends about one frame for each that it gets, may spend sixteen, and floods with hundreds of thousands.
"""

import struct
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
MAX_REQUEST_BYTES: Final = 1 << 20  # a frame of 1,024 answers takes about 40 kB

FRAMES_AHEAD: Final = 1_024  # that may come before anything else is sent to the agent
FRAMES_EACH: Final = 16  # more, for each piece of a message that is sent to it
FRAMES_A_SECOND: Final = 8  # more: signs of life
BYTES_AHEAD: Final = 2 * MAX_REQUEST_BYTES
BYTES_EACH: Final = 1_024  # more, for each piece
BYTES_FOR_A_BYTE: Final = 8  # more, for each byte of it: answers are shorter than questions
MAX_HEADERS: Final = 8_192  # bytes; clients need some hundred
MAX_CONTROL: Final = 4_096  # bytes of any other frame; clients need less than a hundred
SMALLEST_MAX_FRAME: Final = 16_384  # what every side has to take

DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, GOAWAY, CONTINUATION = 0x0, 0x1, 0x3, 0x4, 0x5, 0x7, 0x9
NAMES: Final = (
    *("DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS"),
    *("PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE", "CONTINUATION"),
)
ACK: Final = 0x1
END_HEADERS: Final = 0x4
PADDED: Final = 0x8
MAX_FRAME_SETTING: Final = 5
SECOND_STREAM: Final = "expected one Play stream, got a second one"

_HEAD: Final = struct.Struct(">BHBBI")
_PREFIX_BYTES: Final = 5  # of a gRPC message: whether it is compressed, and its length


class Flood(Exception):
    """The connection carries what it may not; the sentence is for the agent's author."""


class Frame(NamedTuple):
    """The head of a frame."""

    kind: int
    flags: int
    stream: int
    size: int

    @property
    def name(self) -> str:
        """As the standard calls its type."""
        return NAMES[self.kind] if self.kind < len(NAMES) else f"frame of type {self.kind}"


class Inspection:
    """One connection of an agent, both ways."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.stream = 0  # the one that it has opened
        self.farewell = ""  # why the server has ended the connection, in its own words
        self._greeting = bytearray()
        self._settled = False  # its settings have come
        self._reset = False
        self._most = SMALLEST_MAX_FRAME  # bytes that a frame may have, as the server has told
        self._budget = _Budget(now)
        self._messages = _Messages()
        self._incoming = _Frames()
        self._outgoing = _Frames()
        self._answered = False  # by a message of the server
        self._told = bytearray()  # the content of what the server sends just now, if that matters

    def came(self, data: bytes) -> None:
        """Look at what the agent has sent; Flood if it is not to be passed on."""
        if len(self._greeting) < len(PREFACE):
            missing = len(PREFACE) - len(self._greeting)
            self._greeting += data[:missing]
            data = data[missing:]
            if not PREFACE.startswith(self._greeting):
                raise Flood(f"expected gRPC over HTTP/2 without TLS, got {bytes(self._greeting)!r}")
        for frame, content in self._incoming.split(data):
            if content is None:
                self._came(frame)
            elif frame.kind == DATA:
                self._content_came(content)

    def left(self, data: bytes) -> None:
        """Look at what is sent to the agent."""
        for frame, content in self._outgoing.split(data):
            if content is None:
                self._left(frame)
            elif frame.kind in {SETTINGS, GOAWAY}:
                self._content_left(frame, content)

    def _came(self, frame: Frame) -> None:
        self._budget.count(frame)
        if not self._settled and (frame.kind != SETTINGS or frame.flags & ACK):
            raise Flood(f"expected SETTINGS as the first frame, got {frame.name}")
        self._settled = True
        if frame.kind == DATA:
            self._check_data(frame)
        elif frame.kind in {HEADERS, PUSH_PROMISE, CONTINUATION}:
            self._check_headers(frame)
        elif frame.size > MAX_CONTROL:
            raise Flood(f"expected {frame.name} of at most {MAX_CONTROL:,} bytes, got {frame.size:,}")
        elif frame.kind == RST_STREAM:
            if frame.stream != self.stream or self._reset:
                raise Flood(f"expected a RST_STREAM of its open stream, got one of stream {frame.stream}")
            self._reset = True
        self._budget.spend(frame)

    def _check_data(self, frame: Frame) -> None:
        if not self.stream or frame.stream != self.stream:
            raise Flood(f"expected DATA of its Play stream, got DATA of stream {frame.stream}")
        if frame.flags & PADDED:
            raise Flood("expected DATA without padding, got padded DATA")
        if frame.size > self._most:
            raise Flood(f"expected DATA of at most {self._most:,} bytes a frame, got {frame.size:,}")

    def _check_headers(self, frame: Frame) -> None:
        if frame.kind != HEADERS:
            raise Flood(f"expected headers in one frame of at most {MAX_HEADERS:,} bytes, got {frame.name}")
        if self.stream:
            raise Flood(SECOND_STREAM)
        if frame.size > MAX_HEADERS or not frame.flags & END_HEADERS:
            got = f"{frame.size:,}" + ("" if frame.flags & END_HEADERS else ", and more to come")
            raise Flood(f"expected headers in one frame of at most {MAX_HEADERS:,} bytes, got {got}")
        self.stream = frame.stream

    def _content_came(self, data: bytes) -> None:
        self._messages.feed(data)
        if self._messages.count > 1 and not self._answered:
            raise Flood("expected nothing after the hello until it is answered, got another message")

    def _left(self, frame: Frame) -> None:
        if frame.kind == DATA:
            self._answered = True
            self._budget.earn(frame)
        self._told.clear()

    def _content_left(self, frame: Frame, data: bytes) -> None:
        self._told += data
        if len(self._told) < frame.size:
            return
        if frame.kind == SETTINGS:
            for place in range(0, frame.size - frame.size % 6, 6):
                name, value = struct.unpack_from(">HI", self._told, place)
                if name == MAX_FRAME_SETTING:
                    self._most = max(self._most, value)
        elif self._told[4:8] != bytes(4):  # with an error
            self.farewell = self._told[8:].decode(errors="replace")


class _Frames:
    """Splits what comes piece by piece into frames."""

    def __init__(self) -> None:
        self._part = bytearray()  # of a head
        self._frame = Frame(0, 0, 0, 0)
        self._missing = 0  # bytes of its content

    def split(self, data: bytes) -> Iterator[tuple[Frame, bytes | None]]:
        """Each frame when its head is complete, then again with its contents as they come."""
        place, end = 0, len(data)
        while place < end:
            if self._missing:
                size = min(self._missing, end - place)
                self._missing -= size
                yield self._frame, data[place : place + size]
                place += size
            elif not self._part and end - place >= _HEAD.size:
                yield self._begin(data, place)
                place += _HEAD.size
            else:
                size = min(_HEAD.size - len(self._part), end - place)
                self._part += data[place : place + size]
                place += size
                if len(self._part) == _HEAD.size:
                    yield self._begin(bytes(self._part), 0)
                    self._part.clear()

    def _begin(self, data: bytes, place: int) -> tuple[Frame, None]:
        high, low, kind, flags, stream = _HEAD.unpack_from(data, place)
        self._frame = Frame(kind, flags, stream & 0x7FFF_FFFF, high << 16 | low)
        self._missing = self._frame.size
        return self._frame, None


class _Messages:
    """The gRPC messages in the contents of DATA: each has its length in front."""

    def __init__(self) -> None:
        self.count = 0  # of those that have begun
        self._prefix = bytearray()
        self._missing = 0

    def feed(self, data: bytes) -> None:
        place, end = 0, len(data)
        while place < end:
            if self._missing:
                size = min(self._missing, end - place)
                self._missing -= size
            else:
                size = min(_PREFIX_BYTES - len(self._prefix), end - place)
                self._prefix += data[place : place + size]
                if len(self._prefix) == _PREFIX_BYTES:
                    self._begin()
            place += size

    def _begin(self) -> None:
        packed, size = struct.unpack(">BI", self._prefix)
        self._prefix.clear()
        self._missing = size
        self.count += 1
        if size > MAX_REQUEST_BYTES:
            raise Flood(f"expected messages of at most 1 MB, got one of {_size(size)}")
        if packed:
            raise Flood("expected messages that are not compressed, got one that is")


class _Budget:
    """How much may come: a little ahead, and more with what is sent to the agent; savings have a limit."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._since = now()
        self._frames = float(FRAMES_AHEAD)
        self._bytes = BYTES_AHEAD
        self._spent: Counter[str] = Counter()  # since there was plenty

    def earn(self, frame: Frame) -> None:
        """A piece of a message was sent to the agent."""
        self._bytes = min(BYTES_AHEAD, self._bytes + BYTES_EACH + BYTES_FOR_A_BYTE * frame.size)
        self._add(FRAMES_EACH)

    def count(self, frame: Frame) -> None:
        """One frame has come."""
        self._spent[frame.name] += 1
        self._frames -= 1
        if self._frames < 0:
            self._wait()
        if self._frames < 0:
            most = self._spent.most_common(1)[0][0]
            raise Flood(f"expected at most {FRAMES_AHEAD:,} HTTP/2 frames ahead of the game, got a flood of {most}")

    def spend(self, frame: Frame) -> None:
        """It has so many bytes."""
        self._bytes -= frame.size
        if self._bytes < 0:
            raise Flood(f"expected at most {_size(BYTES_AHEAD)} ahead of the game, got more")

    def _wait(self) -> None:
        now = self._now()
        self._add((now - self._since) * FRAMES_A_SECOND)
        self._since = now

    def _add(self, frames: float) -> None:
        self._frames += frames
        if self._frames >= FRAMES_AHEAD:
            self._frames = float(FRAMES_AHEAD)
            self._spent.clear()


def _size(count: int) -> str:
    return f"{count:,} bytes" if count % (1 << 20) else f"{count >> 20:,} MB"
