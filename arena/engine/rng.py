"""Luck that can be replayed but not guessed: a 128-bit key that forks by label, and a stream of numbers.

Forks go through keyed blake2b, so nothing drawn in one tells anything of another. Inside a fork runs sfc32,
128 bits of non-linear state. Its sums stay below 2^63, so interpreted and compiled draws are equal.
"""

from hashlib import blake2b

from mypy_extensions import i64

KEY_BITS = 128


class Rng:
    """A generator: `fork` for luck with a purpose, the rest to draw from this one's own stream."""

    def __init__(self, key: int) -> None:
        if key < 0 or key >> KEY_BITS:
            raise ValueError(f"a generator's key: expected 0 to 2^{KEY_BITS}-1, got {key}")
        self.key = key
        self._seeded = False
        self._a: i64 = 0
        self._b: i64 = 0
        self._c: i64 = 0
        self._count: i64 = 1

    def fork(self, label: str) -> "Rng":
        """The generator of this label: the same for the same key, unrelated to every other."""
        return Rng(_hash(self.key, b"fork:" + label.encode()))

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

    def choice(self, items: list[int]) -> int:
        """One of the items."""
        index: i64 = self.below(len(items))
        return items[index]

    def shuffle(self, items: list[int]) -> None:
        """Bring the items into random order, in place."""
        last: i64 = len(items) - 1
        while last > 0:
            other: i64 = self.below(last + 1)
            kept = items[last]
            items[last] = items[other]
            items[other] = kept
            last -= 1

    def _seed(self) -> None:
        seed = _hash(self.key, b"stream")
        self._a = seed & 0xFFFFFFFF
        self._b = (seed >> 32) & 0xFFFFFFFF
        self._c = (seed >> 64) & 0xFFFFFFFF
        self._count = seed >> 96
        self._seeded = True
        for _ in range(12):  # the warm-up that the author of sfc32 asks for
            self.bits32()


def seeded(seed: int) -> Rng:
    """The generator of a user's seed, which may be any integer."""
    size = seed.bit_length() // 8 + 1
    return Rng(int.from_bytes(blake2b(seed.to_bytes(size, "big", signed=True), digest_size=16).digest(), "big"))


def _hash(key: int, label: bytes) -> int:
    return int.from_bytes(blake2b(label, key=key.to_bytes(16, "big"), digest_size=16).digest(), "big")
