"""One decision as a bot sees it; decoded only as far as the bot looks."""

from functools import cached_property
from typing import Any

from google.protobuf import descriptor_pool, message_factory

from arena import games
from arena.engine.contract import Game
from arena.engine.rng import Rng, seeded
from arena.wire.v1 import referee_service_pb2 as wire


class Match:
    """What a bot knows of a match from its start."""

    def __init__(self, started: wire.MatchStarted) -> None:
        self.match_id = started.match_id
        self.seat = started.seat
        self.seats = started.seats
        self.allowance_ms = started.allowance_ms
        self.bank_ms = started.bank_ms
        self.game: Game[Any, Any, Any] = games.load(started.game)
        self.codec = games.codec(started.game)
        self.options = self.codec.decode_options(started.options.value)
        self.luck: Rng = seeded(started.seed)


class Turn:
    """A decision that is due."""

    def __init__(self, match: Match, request: wire.DecisionRequested) -> None:
        self.match = match
        self.decision = request.decision  # counts this seat's decisions from 0
        self.bank_ms = request.bank_ms  # left of the match's bank
        self._type = request.observation.type_url
        self._observation = request.observation.value

    @property
    def game(self) -> Game[Any, Any, Any]:
        """The rules: actions in types and words, and `determinize` for bots that imagine."""
        return self.match.game

    @property
    def seat(self) -> int:
        """The bot's own seat."""
        return self.match.seat

    @property
    def observation(self) -> Any:
        """All that the seat may know."""
        return self._decoded[0]

    @cached_property
    def message(self) -> Any:
        """The same as it came: `arena.games.<game>.v1.Observation`, as bots in other languages have it."""
        kind = descriptor_pool.Default().FindMessageTypeByName(self._type.rpartition("/")[2])
        return message_factory.GetMessageClass(kind).FromString(self._observation)

    @cached_property
    def legal(self) -> list[int]:
        """The codes of the actions it may take; `choose` returns one of them."""
        codes: list[int] = self.match.codec.decode_legal(self._observation)
        return codes

    @property
    def events(self) -> list[int]:
        """What the seat saw happen since its last decision; `game.event_text` says each in words."""
        return self._decoded[2]

    @property
    def actions(self) -> list[Any]:
        """The legal actions as typed values, in the same order as their codes."""
        return [self.game.action(code) for code in self.legal]

    @cached_property
    def rng(self) -> Rng:
        """Luck for this decision: the same when the match is repeated."""
        return self.match.luck.fork(str(self.decision))

    @cached_property
    def _decoded(self) -> tuple[Any, list[int], list[int]]:
        decoded: tuple[Any, list[int], list[int]] = self.match.codec.decode_observation(self._observation)
        return decoded
