"""What an agent's connection may carry, and the sentence for everything else, however the bytes are cut."""

import struct
from itertools import repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.attack.hostile import http2
from arena.attack.hostile.http2 import frame, headers, message
from arena.referee.inspection import (
    BYTES_AHEAD,
    FRAMES_AHEAD,
    FRAMES_EACH,
    MAX_CONTROL,
    MAX_REQUEST_BYTES,
    PREFACE,
    Flood,
    Inspection,
)

GREETING = PREFACE + frame(http2.SETTINGS, 0, 0)
HELLO = GREETING + headers(1) + frame(http2.DATA, 0, 1, message(b"hello"))
QUESTION = frame(http2.DATA, 0, 1, message(b"a question"))
ANSWER = frame(http2.DATA, 0, 1, message(b"an answer"))
PING = frame(http2.PING, 0, 0, bytes(8))
GOAWAY = 7
IN_ONE_FRAME = "expected headers in one frame of at most 8,192 bytes, got"

WRONG = {
    "http 1": (b"GET / HTTP/1.1\r\nHost: localhost\r\n", "expected gRPC over HTTP/2 without TLS, got b'G"),
    "tls": (b"\x16\x03\x01" + bytes(30), "expected gRPC over HTTP/2 without TLS, got b'\\x16"),
    "no settings": (PREFACE + PING, "expected SETTINGS as the first frame, got PING"),
    "second stream": (HELLO + headers(3), "expected one Play stream, got a second one"),
    "more headers": (HELLO + headers(1), "expected one Play stream, got a second one"),
    "long headers": (GREETING + headers(1, more=[("x", "y" * 9_000)]), f"{IN_ONE_FRAME} 9,"),
    "endless headers": (GREETING + http2.endless_headers(1), f"{IN_ONE_FRAME} 14, and more to come"),
    "continuation": (HELLO + http2.continued(1), f"{IN_ONE_FRAME} CONTINUATION"),
    "promise": (HELLO + frame(5, 4, 2), f"{IN_ONE_FRAME} PUSH_PROMISE"),
    "data too soon": (GREETING + ANSWER, "expected DATA of its Play stream, got DATA of stream 1"),
    "others' data": (HELLO + frame(http2.DATA, 0, 3), "expected DATA of its Play stream, got DATA of stream 3"),
    "padding": (HELLO + frame(http2.DATA, 8, 1, b"\x01x\0"), "expected DATA without padding, got padded DATA"),
    "large frame": (
        GREETING + headers(1) + frame(http2.DATA, 0, 1, message(bytes(20_000))),
        "expected DATA of at most 16,384 bytes a frame, got 20,005",
    ),
    "large ping": (HELLO + frame(http2.PING, 0, 0, bytes(5_000)), "expected PING of at most 4,096 bytes, got 5,000"),
    "others' reset": (
        HELLO + frame(http2.RST_STREAM, 0, 3, bytes(4)),
        "expected a RST_STREAM of its open stream, got one of stream 3",
    ),
    "resets": (
        HELLO + frame(http2.RST_STREAM, 0, 1, bytes(4)) * 2,
        "expected a RST_STREAM of its open stream, got one of stream 1",
    ),
    "large message": (
        GREETING + headers(1) + frame(http2.DATA, 0, 1, struct.pack(">BI", 0, 100 << 20)),
        "expected messages of at most 1 MB, got one of 100 MB",
    ),
    "message just too large": (
        GREETING + headers(1) + frame(http2.DATA, 0, 1, struct.pack(">BI", 0, MAX_REQUEST_BYTES + 1)),
        "expected messages of at most 1 MB, got one of 1,048,577 bytes",
    ),
    "compressed": (
        GREETING + headers(1) + frame(http2.DATA, 0, 1, message(b"x", packed=True)),
        "expected messages that are not compressed, got one that is",
    ),
    "eager": (HELLO + ANSWER, "expected nothing after the hello until it is answered, got another message"),
    "pings": (
        HELLO + PING * FRAMES_AHEAD,
        "expected at most 1,024 HTTP/2 frames ahead of the game, got a flood of PING",
    ),
    "strange frames": (
        HELLO + frame(187, 0, 0, b"x") * FRAMES_AHEAD,
        "expected at most 1,024 HTTP/2 frames ahead of the game, got a flood of frame of type 187",
    ),
}


class Agent:
    """What one connection has come to."""

    def __init__(self) -> None:
        self.now = 0.0
        self.inspection = Inspection(lambda: self.now)

    def says(self, *pieces: bytes) -> str:
        """The sentence for it; empty if all of it may pass."""
        try:
            for piece in pieces:
                self.inspection.came(piece)
        except Flood as flood:
            return str(flood)
        return ""

    def hears(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.inspection.left(piece)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted(place % (len(data) + 1) for place in places)
    return [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]


@pytest.mark.parametrize(("data", "sentence"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("step", [1, 7, 1 << 30])
def test_what_no_honest_client_sends_has_a_sentence(data: bytes, sentence: str, step: int) -> None:
    said = Agent().says(*(data[place : place + step] for place in range(0, len(data), step)))
    assert said.startswith(sentence)


@settings(deadline=None)  # the machine may be busy
@given(st.lists(st.integers(min_value=0), max_size=12))
def test_an_honest_conversation_passes_however_it_is_cut(places: list[int]) -> None:
    agent = Agent()
    assert agent.says(*cut(HELLO, places)) == ""
    for _ in range(20):
        agent.hears(*cut(QUESTION * 3, places))
        assert agent.says(*cut(frame(http2.WINDOW_UPDATE, 0, 0, b"\0\0\0\1") * 2 + PING + ANSWER, places)) == ""
    assert agent.says(*cut(frame(http2.RST_STREAM, 0, 1, bytes(4)) + frame(GOAWAY, 0, 0, bytes(8)), places)) == ""


@settings(deadline=None)  # the machine may be busy
@given(st.binary(max_size=300), st.lists(st.integers(min_value=0), max_size=5))
def test_any_bytes_pass_or_have_a_sentence_however_they_are_cut(data: bytes, places: list[int]) -> None:
    for start in (b"", GREETING, HELLO):
        said = Agent().says(start + data)
        assert said == "" or said.startswith("expected ")
        assert Agent().says(*cut(start + data, places)).partition("got")[0] == said.partition("got")[0]


@settings(deadline=None)  # the machine may be busy
@given(st.binary(max_size=300))
def test_any_bytes_may_be_sent_to_an_agent(data: bytes) -> None:
    Agent().hears(data)


def test_what_is_sent_to_an_agent_lets_it_send_more() -> None:
    agent = Agent()
    assert agent.says(HELLO) == ""
    for _ in range(10 * FRAMES_AHEAD // FRAMES_EACH):
        agent.hears(QUESTION)
        assert agent.says(PING * FRAMES_EACH) == ""
    agent.hears(*repeat(QUESTION, 1_000))
    assert agent.says(PING * FRAMES_AHEAD) == ""  # but no more than that at once
    assert agent.says(PING).endswith("got a flood of PING")


def test_acknowledgements_of_a_flood_let_nobody_send_more() -> None:
    agent = Agent()
    assert agent.says(HELLO) == ""
    agent.hears(QUESTION)
    said = ""
    for _ in range(2 * FRAMES_AHEAD):
        said = said or agent.says(PING)
        agent.hears(frame(http2.PING, http2.ACK, 0, bytes(8)))
    assert said.endswith("got a flood of PING")


def test_signs_of_life_every_second_pass_for_a_day() -> None:
    agent = Agent()
    assert agent.says(HELLO) == ""
    for second in range(24 * 3_600):
        agent.now = float(second)
        assert agent.says(PING) == ""
    agent.now += 1_000_000
    assert agent.says(PING * (2 * FRAMES_AHEAD + 1)).endswith("got a flood of PING")  # savings have a limit


def test_answers_of_a_megabyte_do_not_go_on_for_ever() -> None:
    agent = Agent()
    agent.says(HELLO)
    answer = message(bytes(MAX_REQUEST_BYTES))
    pieces = [answer[place : place + 16_384] for place in range(0, len(answer), 16_384)]
    said, count = "", 0
    while not said:
        agent.hears(QUESTION)
        said = agent.says(*(frame(http2.DATA, 0, 1, piece) for piece in pieces))
        count += not said
    assert (count, said) == (BYTES_AHEAD // MAX_REQUEST_BYTES, "expected at most 2 MB ahead of the game, got more")


def test_large_frames_pass_where_the_server_takes_them() -> None:
    agent = Agent()
    agent.hears(frame(http2.SETTINGS, 0, 0, struct.pack(">HIHI", 4, 99_999, 5, 100_000)))
    assert agent.says(GREETING + headers(3) + frame(http2.DATA, 0, 3, message(bytes(90_000)))) == ""


def test_settings_cannot_be_long_for_long() -> None:
    agent = Agent()
    said = agent.says(HELLO + frame(http2.SETTINGS, 0, 0, bytes(MAX_CONTROL)) * FRAMES_AHEAD)
    assert said == "expected at most 2 MB ahead of the game, got more"


def test_a_farewell_is_remembered_if_it_tells_of_an_error() -> None:
    agent = Agent()
    agent.hears(frame(GOAWAY, 0, 0, bytes(8) + b"Server shutdown"))
    assert agent.inspection.farewell == ""
    agent.hears(*cut(frame(GOAWAY, 0, 0, bytes(7) + b"\x01too bad"), [3, 15, 20]))
    assert agent.inspection.farewell == "too bad"
