"""An agent that misbehaves on command: the first argument says how, the second at which of its decisions."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import grpc

from arena.wire.v1 import referee_service_pb2 as wire

Requests = SimpleQueue[bytes | None]


def open_stream(channel: grpc.Channel, requests: Requests) -> Iterator[bytes]:
    """A Play stream that sends whatever is put into the queue."""
    play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/arena.wire.v1.RefereeService/Play")
    stream: Iterator[bytes] = play(iter(requests.get, None))
    return stream


def hello(token: str = "") -> bytes:
    """A hello, with the agent's own token unless another is given."""
    greeting = wire.Hello(token=token or os.environ["ARENA_TOKEN"], client="scripted")
    return wire.PlayRequest(hello=greeting).SerializeToString()


def answer(match_id: str, decision: int, index: int) -> bytes:
    """One decision as a message."""
    request = wire.PlayRequest()
    request.decisions.decisions.add(match_id=match_id, decision=decision, action_index=index)
    return request.SerializeToString()


def misbehave(  # noqa: C901, PLR0912 - a table of misdeeds
    how: str, request: wire.DecisionRequested, channel: grpc.Channel, requests: Requests
) -> None:
    """Do what the test asked for, in place of the honest answer."""
    match_id, decision = request.match_id, request.decision
    match how:
        case "crash":
            print("out of ideas", file=sys.stderr, flush=True)
            os._exit(7)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "stall":
            time.sleep(3600)
        case "hang-up":
            requests.put(None)
            time.sleep(3600)
        case "illegal":
            requests.put(answer(match_id, decision, 99))
        case "late":
            time.sleep(4)
            requests.put(answer(match_id, decision, 0))
        case "twice":
            requests.put(answer(match_id, decision, 0))
            requests.put(answer(match_id, decision, 0))
        case "stranger":
            requests.put(answer("another-match", decision, 0))
        case "future":
            requests.put(answer(match_id, decision + 1, 0))
        case "flood":
            for _ in range(100_000):
                requests.put(answer("flood", 0, 0))
        case "junk":
            requests.put(b"\xff" * 50)
        case "huge":
            requests.put(b"\x0a" * (8 << 20))
        case "empty":
            requests.put(wire.PlayRequest(decisions=wire.Decisions()).SerializeToString())
        case "hello-twice":
            requests.put(hello())
        case "second-stream":
            other: Requests = SimpleQueue()
            other.put(hello())
            next(open_stream(channel, other))
        case "think" | "hog" | "brood" | "litter" | "shout":
            burden(how)
        case _:
            raise SystemExit(f"expected a known misdeed, got {how!r}")


def burden(how: str) -> None:
    """Take more of the machine than is good, or leave something on it."""
    match how:
        case "think":
            print("thinking", flush=True)
            while True:
                pass
        case "hog":
            print("greedy", flush=True)
            time.sleep(0.5)  # until the test has made the machine small
            held = []
            while True:
                held.append(bytearray(1 << 20))
        case "brood":
            brood()
            os._exit(9)
        case "litter":
            litter()
            os.abort()
        case "shout":
            while True:
                os.write(1, b"x" * 65_536)


def brood() -> None:
    """Leave children behind: each in a session of its own without a parent, deaf to all signals that can be."""
    for _ in range(4):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in {*signal.Signals} - {signal.SIGKILL, signal.SIGSTOP}:
                    signal.signal(number, signal.SIG_IGN)
                time.sleep(3600)
            os._exit(0)


def litter() -> None:
    """Leave files behind wherever that is possible."""
    for place in ("/tmp", "/dev/shm"):
        for number in range(100):
            Path(place, f"litter-{number}").write_bytes(b"x" * 10_000)


def main(how: str, when: int) -> None:
    """Greet, and answer with the first legal action until it is time to misbehave."""
    if how == "never-hello":
        time.sleep(3600)
    if how == "slow":
        time.sleep(3)
    if how == "killed-early":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "exit-early":
        sys.exit("no config file")
    with grpc.insecure_channel(
        f"unix:{os.environ['ARENA_SOCKET']}", options=[("grpc.default_authority", "localhost")]
    ) as channel:
        requests: Requests = SimpleQueue()
        requests.put(answer("m", 0, 0) if how == "no-hello" else hello("guess" if how == "wrong-token" else ""))
        for data in open_stream(channel, requests):
            for message in wire.PlayResponse.FromString(data).messages:
                if not message.HasField("decision_requested"):
                    continue
                request = message.decision_requested
                if request.decision == when and how not in {"honest", "slow"}:
                    misbehave(how, request, channel, requests)
                else:
                    requests.put(answer(request.match_id, request.decision, 0))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
