"""Plays honestly up to a decision and then attacks: the first word says how, the second at which decision.

Some attack once and are done for; others go on playing while their attack runs beside it.
"""

import os
import socket
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, repeat
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar

import grpc

from arena.wire.v1 import referee_service_pb2 as wire

from . import http2
from .http2 import Line

MB: Final = 1 << 20
OTHER: Final = "/other/Method"
Requests = SimpleQueue[bytes | None]
T = TypeVar("T")


class Player:
    """An honest player, as long as nothing else is asked of it."""

    def __init__(self, how: str, when: int) -> None:
        self.socket = os.environ["ARENA_SOCKET"]
        self._how = how
        self._when = when
        self._requests: Requests = SimpleQueue()
        self._sent: list[bytes] = []

    def play(self, token: str) -> None:
        """One stream to its end."""
        with self.channel() as channel:
            self._requests.put(hello(token))
            for data in self.stream(channel):
                for message in wire.PlayResponse.FromString(data).messages:
                    if message.HasField("decision_requested"):
                        self._decide(message.decision_requested)

    def channel(self) -> grpc.Channel:
        """Another connection."""
        options = [("grpc.default_authority", "localhost"), ("grpc.max_send_message_length", -1)]
        return grpc.insecure_channel(f"unix:{self.socket}", options=options)

    def stream(self, channel: grpc.Channel) -> Iterator[bytes]:
        """A Play stream that sends whatever is put into the queue."""
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(http2.PLAY)
        frames: Iterator[bytes] = play(iter(self._requests.get, None))
        return frames

    def send(self, *messages: bytes) -> None:
        """Messages in place of an answer."""
        for one in messages:
            self._requests.put(one)

    def replay(self) -> None:
        """All answers so far once more."""
        self.send(*self._sent)

    def _decide(self, request: wire.DecisionRequested) -> None:
        if request.decision == self._when and self._how in ONCE:
            ONCE[self._how](self, request)
            return
        if request.decision == self._when and self._how in BESIDE:
            threading.Thread(target=forever, args=(BESIDE[self._how], self), daemon=True).start()
        self._sent.append(answer(request.match_id, request.decision, 0))
        self._requests.put(self._sent[-1])


def hello(token: str, client: str = "hostile") -> bytes:
    """A hello."""
    return wire.PlayRequest(hello=wire.Hello(token=token, client=client)).SerializeToString()


def answer(match_id: str, decision: int, index: int, times: int = 1) -> bytes:
    """One decision as a message, or the same one many times."""
    request = wire.PlayRequest()
    for _ in range(times):
        request.decisions.decisions.add(match_id=match_id, decision=decision, action_index=index)
    return request.SerializeToString()


def stall() -> None:
    """Nothing more, for as long as anybody waits."""
    time.sleep(3600)


def forever(attack: Callable[[T], None], player: T) -> None:
    """The same attack again and again while the player plays on."""
    with suppress(OSError):  # it was shut out
        while True:
            attack(player)


# Once, in place of an answer


def second_stream(player: Player, _: wire.DecisionRequested) -> None:
    with player.channel() as channel, suppress(grpc.RpcError):
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(http2.PLAY)
        next(play(iter([hello(os.environ["ARENA_TOKEN"])])))
    stall()


def foreign_match(player: Player, request: wire.DecisionRequested) -> None:
    player.send(answer("m2", request.decision, 0))


def replay(player: Player, _: wire.DecisionRequested) -> None:
    player.replay()


def heavy_frame(player: Player, _: wire.DecisionRequested) -> None:
    player.send(bytes(100 * MB))
    stall()


def tiny_messages(player: Player, _: wire.DecisionRequested) -> None:
    player.send(*(b"" for _ in range(1_000_000)))


def many_answers(player: Player, request: wire.DecisionRequested) -> None:
    player.send(answer(request.match_id, request.decision, 0, times=20_000))


def noise(player: Player, _: wire.DecisionRequested) -> None:
    player.send(b"\xff\x07\x80\x13\x2a" * 1_000)


def unknown_fields(player: Player, _: wire.DecisionRequested) -> None:
    player.send(b"\xfa\x7f\xf0\x93\x09" + bytes(150_000))  # field 2047, of 150,000 bytes


def leave(_player: Player, _: wire.DecisionRequested) -> None:
    """No attack at all: what it costs the others that a bot has to be started again."""
    os._exit(3)


# Again and again beside honest play


def spin(_: Player) -> None:
    """Nothing but a core kept busy, as any thinking bot does: what that alone does to the others."""
    sum(range(100_000))


def _connected(path: str) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    return line


# Again and again on the very connection over which it plays on by hand


def broken_frames(line: Line) -> None:
    """Frames of all kinds with senseless contents."""
    line.send(*(http2.frame(kind, kind, kind, os.urandom(50)) for kind in range(12)))


def pings(line: Line) -> None:
    line.send(http2.frame(http2.PING, 0, 0, bytes(8)) * 100)


def settings(line: Line) -> None:
    line.send(http2.frame(http2.SETTINGS, 0, 0, b"\x00\x04\x00\x00\xff\xff") * 100)


def resets(line: Line) -> None:
    """Calls that are opened and taken back at once."""
    for stream in range(3, 1003, 2):
        line.send(http2.headers(stream, OTHER), http2.frame(http2.RST_STREAM, 0, stream, bytes(4)))


def windows(line: Line) -> None:
    """A byte more room again and again."""
    line.send(http2.frame(http2.WINDOW_UPDATE, 0, 0, b"\0\0\0\1") * 100)


def priorities(line: Line) -> None:
    line.send(http2.frame(http2.PRIORITY, 0, 1, b"\0\0\0\0\1") * 100)


def extensions(line: Line) -> None:
    """Frames of a type that nobody knows, which are to be ignored."""
    line.send(http2.frame(0xBB, 0, 0, b"?") * 100)


def empty_data(line: Line) -> None:
    line.send(http2.frame(http2.DATA, 0, 1) * 100)


def crumbs(line: Line) -> None:
    """A message of a megabyte, a byte at a time."""
    line.send(http2.frame(http2.DATA, 0, 1, http2.message(bytes(MB))[:5]))
    for _ in range(MB):
        line.data(b"\0")


def play_by_hand(how: str, when: int, token: str) -> None:
    """Play on a bare connection, and flood it beside."""
    line = Line(os.environ["ARENA_SOCKET"])
    line.listen()
    line.send(http2.headers(1))
    line.data(http2.message(hello(token)))
    for data in line.messages():
        for one in wire.PlayResponse.FromString(data).messages:
            if not one.HasField("decision_requested"):
                continue
            request = one.decision_requested
            if request.decision == when:
                threading.Thread(target=forever, args=(FLOODS[how], line), daemon=True).start()
            line.data(http2.message(answer(request.match_id, request.decision, 0)))


# Before a greeting


def connections(path: str, count: int) -> None:
    """As many connections at once, held for a moment; then it plays as if nothing had been."""
    lines: list[socket.socket] = []
    with suppress(OSError):
        lines.extend(_connected(path) for _ in range(count))
    time.sleep(0.5)
    for line in lines:
        line.close()


# Instead of a greeting


def garbage(path: str, _: str) -> None:
    """Random bytes after a proper beginning, again and again."""
    while True:
        with suppress(OSError):
            line = Line(path)
            with line.socket:
                while True:
                    line.send(os.urandom(4096))
        time.sleep(0.01)  # it was shut out: what is felt of it then is not to be its own busy loop


def unknown_methods(_path: str, token: str) -> None:
    player = Player("honest", 0)
    with player.channel() as channel:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(OTHER)
        for _ in range(1_000):
            with suppress(grpc.RpcError):
                call(hello(token))
    stall()


def bad_method(path: str, _: str) -> None:
    """A method whose name is no text."""
    line = Line(path)
    line.listen()
    line.send(http2.headers(1, "/name").replace(b"name", b"n\xffme"))
    stall()


def big_headers(path: str, _: str) -> None:
    """Headers that go on and on."""
    line = Line(path)
    line.listen()
    line.send(http2.endless_headers(1))
    while True:
        line.send(http2.continued(1))


def bomb(path: str, _: str) -> None:
    """A message of less than a megabyte that would unpack to 900; its end is never looked at."""
    packer = zlib.compressobj(9, wbits=31)
    packed = packer.compress(bytes(MB)) + packer.flush(zlib.Z_FULL_FLUSH)
    packed += 899 * (packer.compress(bytes(MB)) + packer.flush(zlib.Z_FULL_FLUSH))
    line = Line(path)
    line.listen()
    line.send(http2.headers(1, more=[("grpc-encoding", "gzip")]))
    line.data(http2.message(packed, packed=True))
    stall()


def half_open(path: str, _: str) -> None:
    line = Line(path)
    line.send(http2.headers(1))
    stall()


def half_hello(path: str, token: str) -> None:
    line = Line(path)
    line.send(http2.headers(1), http2.frame(http2.DATA, 0, 1, http2.message(hello(token))[:20]))
    stall()


def half_answer(path: str, token: str) -> None:
    """A greeting, and an answer of which the second half never comes."""
    line = Line(path)
    line.listen()
    line.send(http2.headers(1), http2.frame(http2.DATA, 0, 1, http2.message(hello(token))))
    next(line.messages())  # the welcome: before it there may be nothing else
    line.data(http2.message(answer("m1", 0, 0))[:9])
    stall()


def no_http(path: str, _: str) -> None:
    with _connected(path) as line:
        line.sendall(os.urandom(100_000))
        stall()


def never_reading(path: str, token: str) -> None:
    """A greeting, and not a byte read after it."""
    line = Line(path)
    line.send(http2.headers(1), http2.frame(http2.DATA, 0, 1, http2.message(hello(token))))
    stall()


def small_messages(path: str, _: str) -> None:
    """A million empty messages, packed as tightly as the wire allows."""
    line = Line(path)
    line.listen()
    line.send(http2.headers(1))
    for packed in repeat(http2.message(b"") * 1_000, 1_000):
        line.data(packed)
    stall()


def long_hello(path: str, token: str) -> None:
    """A name as long as a message may be: taken, and cut."""
    line = Line(path)
    line.send(http2.headers(1))
    line.listen()
    line.data(http2.message(hello(token, "x" * 1_000_000)))
    stall()


def trickle(path: str, token: str) -> None:
    """A greeting that comes a byte at a time."""
    line = Line(path)
    line.send(http2.headers(1))
    for byte in http2.message(hello(token)):
        line.send(http2.frame(http2.DATA, 0, 1, bytes((byte,))))
        time.sleep(0.5)
    stall()


def stolen() -> str:
    """The token of another agent, if its environment can be read."""
    own = os.environ["ARENA_TOKEN"]
    for number in count():
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                found = dict(one.partition("=")[::2] for one in path.read_text(errors="replace").split("\0"))
                if found.get("ARENA_TOKEN", own) != own:
                    return found["ARENA_TOKEN"]
        if number > 20:
            sys.exit("no token but its own was found")
        time.sleep(0.1)
    return own


ONCE: Final[dict[str, Callable[[Player, wire.DecisionRequested], None]]] = {
    "second-stream": second_stream,
    "foreign-match": foreign_match,
    "replay": replay,
    "heavy-frame": heavy_frame,
    "tiny-messages": tiny_messages,
    "many-answers": many_answers,
    "noise": noise,
    "unknown-fields": unknown_fields,
    "leave": leave,
    "bulk": leave,
}
BESIDE: Final[dict[str, Callable[[Player], None]]] = {"spin": spin}
FLOODS: Final[dict[str, Callable[[Line], None]]] = {
    "broken-frames": broken_frames,
    "pings": pings,
    "settings": settings,
    "resets": resets,
    "windows": windows,
    "priorities": priorities,
    "extensions": extensions,
    "empty-data": empty_data,
    "crumbs": crumbs,
}
INSTEAD: Final[dict[str, Callable[[str, str], None]]] = {
    "bomb": bomb,
    "half-open": half_open,
    "half-hello": half_hello,
    "half-answer": half_answer,
    "no-http": no_http,
    "never-reading": never_reading,
    "small-messages": small_messages,
    "long-hello": long_hello,
    "trickle": trickle,
    "garbage": garbage,
    "unknown-methods": unknown_methods,
    "bad-method": bad_method,
    "big-headers": big_headers,
}
CONNECTIONS: Final = {"visits": 20, "connections": 200}
TOKENS: Final[dict[str, Callable[[], str]]] = {"wrong-token": lambda: "a guess", "stolen-token": stolen}


def main(how: str, when: int) -> None:
    """Attack in the way that was asked for."""
    own = os.environ["ARENA_TOKEN"]
    if how in INSTEAD:
        INSTEAD[how](os.environ["ARENA_SOCKET"], own)
    elif how in FLOODS:
        play_by_hand(how, when, own)
    elif how in CONNECTIONS:
        connections(os.environ["ARENA_SOCKET"], CONNECTIONS[how])
        Player(how, when).play(own)
    elif how in {"honest", *ONCE, *BESIDE, *TOKENS}:
        Player(how, when).play(TOKENS[how]() if how in TOKENS else own)
    else:
        sys.exit(f"expected a known attack, got {how!r}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
