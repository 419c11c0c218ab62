"""Luck that can be replayed but not guessed: a 128-bit key that forks by label, and a stream of numbers.

Forks go through keyed blake2b, so nothing drawn in one tells anything of another. Inside a fork runs sfc32,
128 bits of non-linear state. Its sums stay below 2^63, so interpreted and compiled draws are equal.
"""

from hashlib import blake2b
from typing import TypeVar

from mypy_extensions import i64, mypyc_attr

KEY_BITS = 128

T = TypeVar("T")


@mypyc_attr(acyclic=True)
class Rng:
    """A generator: `fork` for luck with a purpose, the rest to draw from this one's own stream."""

    def __init__(self, key: int | bytes) -> None:
        self._key = key if isinstance(key, bytes) else _key_bytes(key)  # forks hand it over without a conversion
        self._seeded = False
        self._a: i64 = 0
        self._b: i64 = 0
        self._c: i64 = 0
        self._count: i64 = 1

    @property
    def key(self) -> int:
        """The key, from which the same generator can be made again."""
        return int.from_bytes(self._key, "big")

    def fork(self, label: str) -> "Rng":
        """The generator of this label: the same for the same key, unrelated to every other."""
        return Rng(_hash(self._key, b"fork:" + label.encode()))

    def bits32(self) -> i64:
        """32 random bits."""
        if not self._seeded:
            self._seed()
        mask: i64 = 0xFFFFFFFF
        b: i64 = self._b
        c: i64 = self._c
        drawn: i64 = (self._a + b + self._count) & mask
        self._count = (self._count + 1) & mask
        self._a = b ^ (b >> 9)
        self._b = (c + (c << 3)) & mask
        self._c = ((((c << 21) & mask) | (c >> 11)) + drawn) & mask
        return drawn

    def below(self, bound: i64) -> i64:
        """A number from 0 to bound-1, all equally likely (Lemire's method); bound is at most 2^31."""
        if bound <= 0 or bound > 0x80000000:
            raise ValueError("below: expected a bound from 1 to 2^31")
        mask: i64 = 0xFFFFFFFF
        product: i64 = self.bits32() * bound
        if (product & mask) < bound:
            reject: i64 = 0x100000000 % bound
            while (product & mask) < reject:
                product = self.bits32() * bound
        return product >> 32

    def choice(self, items: list[T]) -> T:
        """One of the items."""
        index: i64 = self.below(len(items))
        return items[index]

    def shuffle(self, items: list[T]) -> None:
        """Bring the items into random order, in place."""
        last: i64 = len(items) - 1
        while last > 0:
            other: i64 = self.below(last + 1)
            kept = items[last]
            items[last] = items[other]
            items[other] = kept
            last -= 1

    def _seed(self) -> None:
        seed = _hash(self._key, b"stream")
        self._a = _word(seed, 12)
        self._b = _word(seed, 8)
        self._c = _word(seed, 4)
        self._count = _word(seed, 0)
        self._seeded = True
        for _ in range(12):  # the warm-up that the author of sfc32 asks for
            self.bits32()


def seeded(seed: int) -> Rng:
    """The generator of a user's seed, which may be any integer."""
    size = seed.bit_length() // 8 + 1
    return Rng(blake2b(seed.to_bytes(size, "big", signed=True), digest_size=16).digest())


def _key_bytes(key: int) -> bytes:
    if key < 0 or key >> KEY_BITS:
        raise ValueError(f"a generator's key: expected 0 to 2^{KEY_BITS}-1, got {key}")
    return key.to_bytes(16, "big")


def _hash(key: bytes, label: bytes) -> bytes:
    return blake2b(label, key=key, digest_size=16).digest()


def _word(data: bytes, start: i64) -> i64:
    """The number in the four bytes from here on."""
    word: i64 = 0
    index: i64 = start
    while index < start + 4:
        byte: i64 = data[index]
        word = word << 8 | byte
        index += 1
    return word
