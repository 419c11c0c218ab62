"""One agent process in conversation: its matches, its frames, its clock. The gRPC server only carries the bytes.

One frame is under way at a time; what falls due meanwhile goes into the next. A frame of k decisions has k
allowances and the smallest of its banks; answers that arrive together share the time since the last ones.
"""

import asyncio
import hmac
from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.message import DecodeError

from arena import games
from arena.match import MICROS, ClockRule, Evidence, FaultKind, MatchResult
from arena.referee.clock import Clock
from arena.referee.player import Place
from arena.referee.stopwatch import BACKSTOP, Lateness, Stopwatch
from arena.sandbox import Meter
from arena.wire.v1 import referee_service_pb2 as wire

MAX_CLIENT_NAME = 200  # characters of a hello that are worth keeping


class Misuse(Exception):
    """The agent broke the protocol; the sentence is for its author."""


class Session:
    """What the referee knows of one agent process; the Player of all its matches."""

    def __init__(self, token: str, clock: Clock, referee: str, cores: asyncio.Semaphore | None = None) -> None:
        self.closed = asyncio.Event()  # no more frames: the matches are over, or the agent has failed
        self.greeted = asyncio.Event()  # its hello was accepted, or it failed before that
        self.gone = asyncio.Event()  # its stream has ended, from whichever side
        self.client = ""
        self.failure: tuple[FaultKind, str] | None = None
        self._token = token
        self._referee = referee
        self._stopwatch = Stopwatch(clock)
        # For bots that pay by CPU time: no more of them think at once than can run at once.
        self._cores = cores or asyncio.Semaphore()
        self._has_core = False
        self._tell: Callable[[], Evidence] = Evidence
        self._places: dict[str, Place] = {}
        self._open: dict[str, int] = {}  # match id -> decision: what the frame under way asks
        self._next: dict[str, int] = {}  # the same of the frame that is being filled
        self._frame = wire.PlayResponse()
        self._due = asyncio.Event()  # a frame can be sent, or the session is over
        self._codec_of: Callable[[str], Any] = games.codec

    def attach(self, meter: Meter | None, tell: Callable[[], Evidence], *, alone: bool) -> None:
        """The process is up: what counts its use, who tells of it, and whether it plays one match at a time."""
        self._stopwatch.measure(meter, alone=alone)
        self._tell = tell

    def detach(self) -> None:
        """The process is gone, and whoever told of it."""
        self._tell = Evidence

    # The player of its matches

    @property
    def rule(self) -> ClockRule:
        """How its thinking is charged."""
        return self._stopwatch.rule

    def evidence(self) -> Evidence:
        """What is known of its process now."""
        return self._tell()

    def begin(self, place: Place) -> None:
        """Announce a match; an agent that is gone already faults at once."""
        if self.failure:
            place.fault(*self.failure)
            return
        spec, codec = place.spec, self._codec_of(place.spec.game)
        self._places[spec.match_id] = place
        started = self._frame.messages.add().match_started
        started.match_id = spec.match_id
        started.game = spec.game
        started.options.type_url = codec.options_type
        started.options.value = codec.encode_options(games.load(spec.game).options(spec.options))
        started.seat = place.seat
        started.seats = len(spec.entrants)
        started.seed = place.bot_seed
        started.allowance_ms = spec.time.allowance_ms
        started.bank_ms = spec.time.bank_ms

    def ask(self, place: Place, decision: int, observation: Any, legal: list[int], events: list[int]) -> None:
        """Put a question into the next frame."""
        spec = place.spec
        codec = self._codec_of(spec.game)
        request = self._frame.messages.add().decision_requested
        request.match_id = spec.match_id
        request.decision = decision
        request.observation.type_url = codec.observation_type
        request.observation.value = codec.encode_observation(observation, legal, events)
        request.bank_ms = place.bank // MICROS
        self._next[spec.match_id] = decision
        self._wake()

    def end(self, place: Place, result: MatchResult, observation: Any, events: list[int]) -> None:
        """Tell how a match ended."""
        if self._places.pop(result.spec.match_id, None) is None or self.failure:
            return
        codec = self._codec_of(result.spec.game)
        ended = self._frame.messages.add().match_ended
        ended.match_id = result.spec.match_id
        ended.places.extend(result.places)
        ended.scores.extend(result.scores)
        ended.observation.type_url = codec.observation_type
        ended.observation.value = codec.encode_observation(observation, [], events)
        ended.fault = next((fault.sentence for fault in result.faults if fault.seat == place.seat), "")
        self._wake()

    # The transport's side

    async def frame(self) -> bytes | None:
        """The next frame once it may be sent, None when the session is over."""
        await self._due.wait()
        await asyncio.sleep(0)  # answers that have arrived already may add to this frame
        await self._take_core()
        if self.failure or (self.closed.is_set() and not self._frame.messages):
            self._give_core_back()
            return None
        frame, self._frame = self._frame, wire.PlayResponse()
        self._open, self._next = self._next, {}
        self._due.clear()
        if self.closed.is_set():
            self._due.set()
        self._stopwatch.start()
        self._watch()
        return frame.SerializeToString()

    def receive(self, data: bytes) -> None:
        """Take one message of the agent; Misuse if it has no place in the conversation."""
        if self.failure:
            return  # it was too late, or wrong, already
        try:
            request = wire.PlayRequest.FromString(data)
        except DecodeError:
            raise Misuse(f"expected a PlayRequest, got {len(data)} bytes that are none") from None
        kind = request.WhichOneof("message")
        if kind == "decisions" and self.greeted.is_set():
            self._answers(request.decisions.decisions)
        elif kind == "hello":
            self._hello(request.hello)
        else:
            raise Misuse(
                f"expected {'decisions' if self.greeted.is_set() else 'a hello first'}, got {kind or 'nothing'}"
            )

    def hung_up(self) -> None:
        """The stream has ended; why, and whether that is a fault, the owner of the process can tell."""
        self.gone.set()

    def fail(self, kind: FaultKind, sentence: str, micros: int = 0) -> None:
        """The agent is lost to all its matches; only the first reason counts. The open decisions took so long."""
        if self.failure or self.closed.is_set():
            return
        self.failure = (kind, sentence)
        self._finish()
        places, self._places = self._places, {}
        for match_id, place in places.items():
            place.fault(kind, sentence, micros if match_id in self._open else 0)

    def close(self) -> None:
        """No more matches: the stream ends once what is due has been sent."""
        self._finish()

    # Inside

    async def _take_core(self) -> None:
        """Wait for a core, if this frame asks a bot that pays by CPU time; the wait is on nobody's clock."""
        if self._next and self.rule is ClockRule.CPU and not self._has_core:
            await self._cores.acquire()
            self._has_core = True

    def _give_core_back(self) -> None:
        if self._has_core:
            self._has_core = False
            self._cores.release()

    def _finish(self) -> None:
        self._stopwatch.stop()
        self._give_core_back()
        self.closed.set()
        self.greeted.set()
        self._due.set()

    def _wake(self) -> None:
        if not self._open and self.greeted.is_set():
            self._due.set()

    def _hello(self, hello: wire.Hello) -> None:
        if self.greeted.is_set():
            raise Misuse("expected decisions, got a second hello")
        if not hmac.compare_digest(hello.token.encode(), self._token.encode()):
            raise Misuse("expected the token of ARENA_TOKEN, got another one")
        self.client = hello.client[:MAX_CLIENT_NAME]
        welcome = wire.PlayResponse()
        welcome.messages.add().welcome.referee = self._referee
        welcome.messages.extend(self._frame.messages)
        self._frame = welcome
        self.greeted.set()
        self._due.set()

    def _answers(self, answers: Sequence[wire.Decision]) -> None:
        if not answers:
            raise Misuse("expected at least one decision in a message, got none")
        share = self._stopwatch.lap() // len(answers)
        for answer in answers:
            self._answer(answer, share)
        self._watch()
        if not self._open and self._frame.messages:
            self._due.set()

    def _answer(self, answer: wire.Decision, micros: int) -> None:
        match_id = answer.match_id
        if self._open.get(match_id) != answer.decision:
            raise Misuse(self._uncalled(answer))
        del self._open[match_id]
        self._places[match_id].answer(answer.action_index, micros)

    def _uncalled(self, answer: wire.Decision) -> str:
        got = f"got one for decision {answer.decision}"
        if answer.match_id not in self._places:
            return f"expected an answer for a match of its own, {got} of match {answer.match_id[:40]!r}"
        if answer.match_id in self._open:
            return f"expected an answer for decision {self._open[answer.match_id]}, {got}"
        return f"expected no answer for match {answer.match_id}, which asks nothing now, {got}"

    def _watch(self) -> None:
        """Watch the time of the questions that are open now."""
        if self._open:
            self._stopwatch.call_when_late(self._limit(), self._late)
        else:
            self._stopwatch.stop()
            self._give_core_back()

    def _limit(self) -> int:
        places = [self._places[match_id] for match_id in self._open]
        allowances = sum(place.spec.time.allowance_ms for place in places)
        return allowances * MICROS + min(place.bank for place in places)

    def _late(self, late: Lateness) -> None:
        count, limit = len(self._open), self._limit() / 1e6
        what = "the decision" if count == 1 else f"all {count} decisions of a frame"
        if self.rule is ClockRule.CPU:
            of_cpu = f"{late.charged / 1e6:.3f} s of CPU time and " if late.paid else ""
            sentence = (
                f"expected {what} within {limit:.3f} s of CPU time (allowance and bank) or {BACKSTOP * limit:.3f} s "
                f"by the wall, got no answer in {of_cpu}{late.wall / 1e6:.3f} s by the wall"
            )
        else:
            sentence = f"expected {what} within {limit:.3f} s (allowance and bank), got no answer"
        if late.starved:
            sentence += ", but the machine had no core for it most of that time"
        self.fail(FaultKind.STARVED if late.starved else FaultKind.TIMEOUT, sentence, late.charged)
