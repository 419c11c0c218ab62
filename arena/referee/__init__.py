"""The referee: owns the true states, asks agents over gRPC, keeps the clocks, and always comes to a result."""

import logging
import os

# What gRPC, which is imported after this, thinks of an agent's bytes it says on our standard error, by itself and
# through asyncio: a bot could fill a terminal or a disk with it.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a complaint of asyncio is not just about a method whose name was no text."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


logging.getLogger("asyncio").addFilter(_is_ours)
