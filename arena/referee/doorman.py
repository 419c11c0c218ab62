"""Stands between a stranger's agent and the gRPC server of its door, and looks at all that comes in.

gRPC gives a flood all the time that it asks for. So the referee takes the agent's connection itself, passes on what
an honest client could have sent, a bounded piece in each turn of its event loop, and answers the rest with a fault.
"""

import asyncio
import shutil
import socket
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from arena.referee.inspection import Flood, Inspection

RETRY_SECONDS: Final = 1.0  # where this machine has no descriptor left for a connection
AT_ONCE: Final = 4  # connections, until a call comes over one of them
MOST_CONNECTIONS: Final = 32  # in all; an honest client needs one
CALL_SECONDS: Final = 5.0  # from the headers of a call to the call


class Doorman:
    """Lets in the connection over which a call comes; `fail` is told of whatever no honest client does."""

    def __init__(self, fail: Callable[[str], None]) -> None:
        self._tell = fail
        self._path = Path()
        self._inner = Path()
        self._listener: socket.socket | None = None
        self._accepting: set[asyncio.Task[object]] = set()
        self._relays: list[_Relay] = []
        self._visitors = 0
        self._failed = False

    def open(self, path: Path, inner: Path) -> None:
        """Listen at `path` for the gRPC server at `inner`, which lies alone in a folder that no agent can reach."""
        self._path, self._inner = path, inner
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.setblocking(False)
        self._listener.bind(str(path))
        self._listener.listen(2 * AT_ONCE)
        self._await_visitors()

    def called(self) -> None:
        """The agent's call has arrived at the server."""
        for relay in self._relays:
            relay.called()

    def choose(self, chosen: "_Relay") -> None:
        """A call comes over this connection, and one is all that an agent gets."""
        self.close()
        self._end(relay for relay in self._relays if relay is not chosen)

    def forget(self, relay: "_Relay") -> None:
        """This connection is over."""
        if relay in self._relays:
            self._relays.remove(relay)

    def close(self) -> None:
        """Let nobody in any more."""
        if self._listener:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
            self._listener = None
            self._path.unlink(missing_ok=True)
            shutil.rmtree(self._inner.parent, ignore_errors=True)

    def shut(self) -> None:
        """Close whatever is still open."""
        self.close()
        self._end(self._relays)

    def fail(self, sentence: str) -> None:
        """The agent has done what no honest client does."""
        if not self._failed:
            self._failed = True
            self.close()
            self._tell(sentence)

    def _end(self, relays: Iterable["_Relay"]) -> None:
        for relay in [*relays]:
            relay.end()

    def _await_visitors(self) -> None:
        if self._listener:
            asyncio.get_running_loop().add_reader(self._listener, self._accept, self._listener)

    def _accept(self, listener: socket.socket) -> None:
        """Take one connection; the others wait for the next turns."""
        loop = asyncio.get_running_loop()
        try:
            line, _ = listener.accept()
        except BlockingIOError:
            return
        except OSError:
            loop.remove_reader(listener)
            loop.call_later(RETRY_SECONDS, self._await_visitors)
            return
        side = _Side(self._visited)
        accepting = loop.create_task(loop.connect_accepted_socket(lambda: side, line))
        self._accepting.add(accepting)
        accepting.add_done_callback(self._accepting.discard)

    def _visited(self, agent: "_Side") -> None:
        self._visitors += 1
        if self._visitors > MOST_CONNECTIONS:
            self.fail(f"expected one connection, got {self._visitors} of them")
        if self._listener is None or len(self._relays) == AT_ONCE:
            agent.transport.abort()
            return
        relay = _Relay(self, agent, _Side(_unnoticed))
        self._relays.append(relay)
        relay.dial(self._inner)


class _Side(asyncio.Protocol):
    """One of the two connections of a relay: with the agent, or with the server. asyncio reads 256 kB in a turn."""

    transport: asyncio.Transport

    def __init__(self, made: Callable[["_Side"], None]) -> None:
        self.take: Callable[[bytes], None] = _nowhere
        self.lost: Callable[[], None] = _nothing
        self.other: _Side | None = None
        self.deaf = False  # for good
        self._made = made

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._made(self)

    def data_received(self, data: bytes) -> None:
        self.take(data)

    def eof_received(self) -> bool:
        """What goes the other way may still be on its way."""
        if self.other and self.other.transport.can_write_eof():
            self.other.transport.write_eof()
        return self.other is not None

    def pause_writing(self) -> None:
        if self.other:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other and not self.other.deaf:
            self.other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        lost, self.take, self.lost = self.lost, _nowhere, _nothing
        lost()
        self.other = None


class _Relay:
    """A connection of the agent and the one that goes on from it to the server."""

    def __init__(self, doorman: Doorman, agent: _Side, server: _Side) -> None:
        self._doorman = doorman
        self._agent = agent
        self._server = server
        self._inspection = Inspection(time.monotonic)
        self._called = False
        self._alarm: asyncio.TimerHandle | None = None
        self._dialling: asyncio.Task[None] | None = None
        agent.take, agent.lost = self._came, self._agent_lost

    def dial(self, path: Path) -> None:
        """Connect with the server; the agent is not read before."""
        self._agent.transport.pause_reading()
        self._dialling = asyncio.create_task(self._dial(path))

    async def _dial(self, path: Path) -> None:
        try:
            await asyncio.get_running_loop().create_unix_connection(lambda: self._server, str(path))
        except OSError:
            self._agent.transport.abort()
            return
        agent, server = self._agent, self._server
        server.take, server.lost = self._left, self._server_lost
        agent.other, server.other = server, agent
        if agent.transport.is_closing():
            server.transport.abort()
        agent.transport.resume_reading()

    def called(self) -> None:
        """The agent's call has arrived at the server."""
        self._called = True
        if self._alarm:
            self._alarm.cancel()

    def end(self) -> None:
        """Close both connections at once."""
        if self._alarm:
            self._alarm.cancel()
        if self._dialling:
            self._dialling.cancel()
        for side in (self._agent, self._agent.other):
            if side:
                side.deaf = True
                side.transport.abort()

    def _came(self, data: bytes) -> None:
        """Pass on what the agent has sent, if it may."""
        stream = self._inspection.stream
        try:
            self._inspection.came(data)
        except Flood as flood:
            self._refuse(str(flood))
            return
        self._server.transport.write(data)
        if self._inspection.stream != stream:
            self._doorman.choose(self)
            self._alarm = asyncio.get_running_loop().call_later(CALL_SECONDS, self._uncalled)

    def _left(self, data: bytes) -> None:
        """Pass on what the server has sent."""
        self._inspection.left(data)
        self._agent.transport.write(data)

    def _refuse(self, sentence: str) -> None:
        """Read the agent no further. If it has called, the server says the sentence to it as the call's status."""
        self._agent.deaf = True
        self._agent.transport.pause_reading()
        self._doorman.fail(sentence)
        if not self._called:
            self.end()

    def _uncalled(self) -> None:
        self._refuse("expected a call of Play, got headers that are none")

    def _agent_lost(self) -> None:
        self._doorman.forget(self)
        if self._alarm:
            self._alarm.cancel()
        if self._agent.other:
            self._agent.other.transport.close()

    def _server_lost(self) -> None:
        """The server has ended the connection."""
        if self._inspection.farewell:
            self._refuse(f"expected sound HTTP/2, got what gRPC ends with {self._inspection.farewell!r}")
        elif self._inspection.stream and not self._called:
            self._uncalled()
        self._agent.transport.close()


def _nowhere(_: bytes) -> None:
    """Before there is anybody to pass it on to."""


def _unnoticed(_: _Side) -> None:
    """Whoever has made the connection waits for it already."""


def _nothing() -> None:
    """Before anybody wants to know."""
