"""A bot that asks for imagined worlds, and does at its third decision what its first word says."""

import json
import os
import signal
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message

from arena.sdk import Turn, play
from arena.wire.v1 import world_service_pb2 as wire

channel = grpc.insecure_channel(f"unix:{os.environ['ARENA_WORLDS']}", options=[("grpc.default_authority", "localhost")])


def ask(method: str, request: Message) -> bytes:
    """Bytes as they come."""
    asking: Any = channel.unary_unary(f"/arena.wire.v1.WorldService/{method}")
    answer: bytes = asking(request.SerializeToString(), timeout=60)
    return answer


def sampled(turn: Turn, worlds: int = 4) -> wire.SampleRequest:
    """Worlds, with all that is told of them."""
    observation = Packed()
    observation.Pack(turn.message)
    details = wire.Details(observations=True, dump=True)
    return wire.SampleRequest(observation=observation, worlds=worlds, seed=turn.decision, details=details)


def handles(answer: bytes) -> list[int]:
    """Of the worlds in it."""
    return [world.handle for world in wire.SampleResponse.FromString(answer).worlds]


def say(**facts: object) -> None:
    """A line of the log."""
    print(json.dumps(facts), flush=True)


def imagine(turn: Turn) -> None:
    """Tell all that was asked and answered."""
    request = sampled(turn)
    answer = ask("Sample", request)
    say(method="Sample", request=request.SerializeToString().hex(), answer=answer.hex())
    ends = wire.PlayoutRequest(handles=handles(answer), playouts=3, seed=turn.decision)
    say(method="Playout", request=ends.SerializeToString().hex(), answer=ask("Playout", ends).hex())


def think(turn: Turn) -> None:
    """Let the others do the work, and tell what it cost them and us."""
    before, own = cpu_seconds(), time.process_time()
    ask("Playout", wire.PlayoutRequest(handles=handles(ask("Sample", sampled(turn, 10))), playouts=3_000))
    say(decision=turn.decision, worlds=cpu_seconds() - before, own=time.process_time() - own)


def dream(turn: Turn) -> None:
    """Ask for as much as there may be in one call, again and again."""
    request = wire.PlayoutRequest(handles=handles(ask("Sample", sampled(turn, 10))), playouts=10_000)
    while True:
        ask("Playout", request)


def cpu_seconds() -> float:
    """Of the process that imagines."""
    fields = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def busily(turn: Turn) -> None:
    """Ask for so much that it takes seconds, and do not wait for it."""
    request = wire.PlayoutRequest(handles=handles(ask("Sample", sampled(turn, 10))), playouts=10_000)
    Thread(target=ask, args=("Playout", request), daemon=True).start()
    time.sleep(0.1)


def leave(turn: Turn) -> None:
    busily(turn)
    print("out of ideas", flush=True)
    os._exit(7)


def crash(turn: Turn) -> None:
    busily(turn)
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def be_killed(turn: Turn) -> None:
    busily(turn)
    os.kill(os.getpid(), signal.SIGKILL)


def end_the_worlds(turn: Turn) -> None:
    """Nobody answers any more; at the level none the bot may still be there to notice."""
    os.kill(os.getppid(), signal.SIGKILL)
    ask("Sample", sampled(turn))


def misask(turn: Turn) -> None:
    """A bot that does not expect an error."""
    ask("Sample", sampled(turn, 5_000))


DEEDS = {
    "imagine": imagine,
    "think": think,
    "dream": dream,
    "leave": leave,
    "crash": crash,
    "be-killed": be_killed,
    "end-the-worlds": end_the_worlds,
    "misask": misask,
}


def choose(turn: Turn) -> int:
    """The last action, after the deed."""
    if turn.decision == 2 or sys.argv[1] == "imagine":
        DEEDS[sys.argv[1]](turn)
    return turn.legal[-1]


if __name__ == "__main__":
    play(choose)
