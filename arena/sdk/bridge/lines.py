"""The language of the bridge: messages as lines of JSON, and lines of the bot as answers.

A message is written in the proto's own JSON mapping, by the names of the proto, with all zeros, without spaces and
with its keys in the order of the proto, so that a bot without a JSON library can find its way by plain text.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf import descriptor_pool, json_format

from arena import games
from arena.sdk.bridge.trouble import Trouble
from arena.wire.v1 import referee_service_pb2 as wire

MOST_SHOWN = 60  # characters of a bad line in a sentence
TYPE = "@type"  # the mapping's key for what a google.protobuf.Any holds
KEYS = ("match_id", "decision", "action_index")
EXPECTED = 'expected an index such as 0, or {"match_id": "...", "decision": 0, "action_index": 0}'

Plain = dict[str, Any]


# To the bot


def plain(message: wire.Message) -> Plain:
    """A message as JSON data."""
    if message.HasField("match_started"):
        games.codec(message.match_started.game)  # brings the types that later messages hold
    data = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return _in_order(data, message.DESCRIPTOR)


def line(data: Plain) -> bytes:
    """JSON data as one line: ASCII, no spaces."""
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _in_order(data: Plain, descriptor: Any) -> Plain:
    """The same with its keys in the order of the proto: the mapping itself puts zeros last."""
    ordered: Plain = {}
    if TYPE in data:
        ordered[TYPE] = data[TYPE]
        descriptor = descriptor_pool.Default().FindMessageTypeByName(data[TYPE].rpartition("/")[2])
    for field in descriptor.fields:
        if field.name in data:
            ordered[field.name] = _value(data[field.name], field.message_type)
    return ordered


def _value(value: Any, descriptor: Any) -> Any:
    if descriptor is None:
        return value
    return [_in_order(one, descriptor) for one in value] if isinstance(value, list) else _in_order(value, descriptor)


# From the bot


@dataclass(frozen=True)
class Answer:
    """What a bot chose, and for which question, as far as it says."""

    action_index: int
    match_id: str | None = None  # of the oldest open question
    decision: int | None = None  # the one that the match asks


def answer(text: bytes) -> Answer:
    """A line of the bot; Trouble if it is no answer."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Trouble(f"{EXPECTED}, got {shown(text)}") from None
    if isinstance(data, Mapping):
        return _of_object(data, text)
    return Answer(_whole(data, text))


def shown(text: bytes) -> str:
    """A line for a sentence, cut."""
    words = text.decode(errors="replace").strip()
    return repr(words if len(words) <= MOST_SHOWN else f"{words[:MOST_SHOWN]}...")


def _of_object(data: Mapping[str, Any], text: bytes) -> Answer:
    strange = next((key for key in data if key not in KEYS), None)
    if strange is not None:
        raise Trouble(f"{EXPECTED}, got the key {shown(strange.encode(errors='replace'))} in {shown(text)}")
    match_id = data.get("match_id")
    if match_id is not None and not isinstance(match_id, str):
        raise Trouble(f"{EXPECTED}, got no text for match_id in {shown(text)}")
    decision = _whole(data["decision"], text) if "decision" in data else None
    if decision is not None and match_id is None:
        raise Trouble(f"expected a match_id beside the decision, got none in {shown(text)}")
    return Answer(_whole(data.get("action_index"), text), match_id, decision)


def _whole(value: object, text: bytes) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise Trouble(f"{EXPECTED}, got {shown(text)}")
    return value
