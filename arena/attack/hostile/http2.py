"""Just enough HTTP/2 to break its rules: frames by hand on a bare socket."""

import socket
import struct
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Final

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS = 0x0, 0x1, 0x2, 0x3, 0x4
PING, WINDOW_UPDATE, CONTINUATION = 0x6, 0x8, 0x9
ACK: Final = 0x1
END_HEADERS: Final = 0x4
INITIAL_WINDOW: Final = 65_535
LARGEST_FRAME: Final = 16_384
WINDOW_SETTING: Final = 4
PLAY: Final = "/arena.wire.v1.RefereeService/Play"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One frame."""
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def headers(stream: int, path: str = PLAY, more: Iterable[tuple[str, str]] = ()) -> bytes:
    """The frame that opens a gRPC call; the names and values are plain, so that nothing needs a table."""
    fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "localhost"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
        *more,
    ]
    block = b"".join(b"\x00" + _text(name) + _text(value) for name, value in fields)
    return frame(HEADERS, END_HEADERS, stream, block)


def endless_headers(stream: int) -> bytes:
    """The beginning of headers of which more is to come."""
    return frame(HEADERS, 0, stream, b"\x00" + _text(":method") + _text("POST"))


def continued(stream: int) -> bytes:
    """More of them, and still not the end."""
    return frame(CONTINUATION, 0, stream, b"\x00" + _text("x") + _text("y" * (LARGEST_FRAME - 100)))


def _text(words: str) -> bytes:
    data = words.encode()
    size = len(data)
    if size < 127:
        return bytes((size,)) + data
    rest, coded = size - 127, bytearray((127,))
    while rest >= 128:
        coded.append(rest % 128 + 128)
        rest //= 128
    return bytes((*coded, rest)) + data


def message(payload: bytes, *, packed: bool = False) -> bytes:
    """A gRPC message; `packed` says that it is compressed."""
    return struct.pack(">?I", packed, len(payload)) + payload


class Line:
    """A connection that sends what it is told, within the window that the other side gives or not."""

    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.sendall(PREFACE + frame(SETTINGS, 0, 0))
        self.closed = threading.Event()
        self._sending = threading.Lock()
        self._received: SimpleQueue[bytes] = SimpleQueue()  # contents of DATA; an empty one is the end
        self._room = threading.Condition()
        self._windows = {0: INITIAL_WINDOW, 1: INITIAL_WINDOW}
        self._first = INITIAL_WINDOW

    def listen(self) -> None:
        """Read in the background: acknowledge, and take note of how much may be sent."""
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, *frames: bytes) -> None:
        """Send frames as they are."""
        with self._sending:
            self.socket.sendall(b"".join(frames))

    def messages(self) -> Iterator[bytes]:
        """The gRPC messages that come in, while it listens."""
        data = bytearray()
        while piece := self._received.get():
            data += piece
            while len(data) >= 5 and len(data) >= (end := 5 + int.from_bytes(data[1:5], "big")):
                yield bytes(data[5:end])
                del data[:end]

    def data(self, payload: bytes, stream: int = 1) -> None:
        """Send so many bytes as the other side has room for, frame by frame, until all are sent."""
        while payload:
            size = self._taken(stream, min(len(payload), LARGEST_FRAME))
            if not size:
                return
            self.send(frame(DATA, 0, stream, payload[:size]))
            payload = payload[size:]

    def _taken(self, stream: int, wanted: int) -> int:
        with self._room:
            self._room.wait_for(lambda: self.closed.is_set() or min(self._windows[0], self._windows[stream]) > 0)
            size = 0 if self.closed.is_set() else min(wanted, self._windows[0], self._windows[stream])
            self._windows[0] -= size
            self._windows[stream] -= size
        return size

    def _listen(self) -> None:
        with suppress(OSError), self.socket.makefile("rb") as source:
            while len(head := source.read(9)) == 9:
                size = int.from_bytes(head[:3], "big")
                self._noted(head[3], head[4], int.from_bytes(head[5:], "big"), source.read(size))
        with self._room:
            self.closed.set()
            self._room.notify_all()
        self._received.put(b"")

    def _noted(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == WINDOW_UPDATE:
            self._widen(stream, int.from_bytes(payload, "big"))
        elif kind == SETTINGS and not flags & ACK:
            self._settings(payload)
            self.send(frame(SETTINGS, ACK, 0))
        elif kind == PING and not flags & ACK:
            self.send(frame(PING, ACK, 0, payload))
        elif kind == DATA and payload:
            self._received.put(payload)
            more = len(payload).to_bytes(4, "big")
            self.send(frame(WINDOW_UPDATE, 0, 0, more), frame(WINDOW_UPDATE, 0, stream, more))

    def _settings(self, payload: bytes) -> None:
        for place in range(0, len(payload), 6):
            name, value = struct.unpack(">HI", payload[place : place + 6])
            if name == WINDOW_SETTING:
                self._widen(1, value - self._first)
                self._first = value

    def _widen(self, stream: int, by: int) -> None:
        with self._room:
            self._windows[stream] = self._windows.get(stream, self._first) + by
            self._room.notify_all()
