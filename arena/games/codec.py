"""What a game's codec must be able to do: engine values to wire messages and back."""

from typing import Protocol, TypeVar

P = TypeVar("P")  # a game's options
O = TypeVar("O")  # a game's observation  # noqa: E741 - the letter of the contract


class Codec(Protocol[P, O]):
    """The translation of one game. One instance, `CODEC`, stands in each game's codec module.

    What is encoded is trusted; what is decoded is not: junk is a ValueError with one sentence. Equal values give
    equal bytes.
    """

    @property
    def options_type(self) -> str:
        """The type address of encoded options."""

    @property
    def observation_type(self) -> str:
        """The type address of encoded observations."""

    def encode_options(self, options: P) -> bytes:
        """Options as a wire message."""

    def decode_options(self, data: bytes) -> P:
        """Options from a wire message."""

    def encode_observation(self, observation: O, legal: list[int], events: list[int]) -> bytes:
        """An observation with the codes of the legal actions, in order, and those of the events to tell."""

    def decode_legal(self, data: bytes) -> list[int]:
        """Of an encoded observation only the codes of the legal actions, for bots that need no more."""

    def decode_observation(self, data: bytes) -> tuple[O, list[int], list[int]]:
        """An observation, the codes of the legal actions, and those of the events."""
