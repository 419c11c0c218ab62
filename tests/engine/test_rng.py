"""The generator: exactly sfc32 under blake2b, the same compiled and interpreted, even, and unrelated by label."""

from collections import Counter
from hashlib import blake2b
from itertools import islice, pairwise

import pytest

from arena.engine.rng import Rng, seeded

KEY = 0x0123456789ABCDEF0123456789ABCDEF
MASK = 0xFFFFFFFF

# Written down once; a draw that changes breaks every record that was ever made.
KEY_DRAWS = [3477824448, 2975797901, 1379929923, 2748969904]
SEED_KEYS = {
    0: "7025e075d5e2f6cde3cc051a31f07660",
    1: "4a9e6f9b8d43f6ad008f8c291929dee2",
    -1: "6da6440737d89ae8dded8ee4a1259bdd",
    10**30: "a63af22d0697d0ab3a1b730fa60013e2",
}
FORK_KEY = "1b111af95bbbb4b3cd3732075a169723"


def reference(a: int, b: int, c: int, counter: int) -> "list[int]":
    """sfc32 as its author publishes it, from the state after the warm-up's twelve draws on."""
    drawn = []
    for _ in range(1012):
        output = (a + b + counter) & MASK
        counter = (counter + 1) & MASK
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & MASK
        c = (((c << 21) | (c >> 11)) + output) & MASK
        drawn.append(output)
    return drawn[12:]


def stream_seed(key: int) -> tuple[int, int, int, int]:
    """The four words that the stream of a key begins with."""
    seed = int.from_bytes(blake2b(b"stream", key=key.to_bytes(16, "big"), digest_size=16).digest(), "big")
    return seed & MASK, seed >> 32 & MASK, seed >> 64 & MASK, seed >> 96


def test_draws_are_those_of_sfc32() -> None:
    rng = Rng(KEY)
    assert [rng.bits32() for _ in range(1000)] == reference(*stream_seed(KEY))


def test_draws_are_those_written_down() -> None:
    rng = Rng(KEY)
    assert [rng.bits32() for _ in range(4)] == KEY_DRAWS
    assert {seed: f"{seeded(seed).key:032x}" for seed in SEED_KEYS} == SEED_KEYS
    assert f"{Rng(KEY).fork('deal').key:032x}" == FORK_KEY


def test_a_fork_does_not_depend_on_what_was_drawn() -> None:
    fresh, used = Rng(KEY), Rng(KEY)
    for _ in range(100):
        used.below(13)
    assert fresh.fork("deal").key == used.fork("deal").key


def test_forks_differ_by_label_and_by_root() -> None:
    labels = [f"game {game} {purpose}" for game in range(50) for purpose in ("deal", "tied")]
    keys = [root.fork(label).key for root in (Rng(KEY), Rng(KEY + 1)) for label in labels]
    assert len(set(keys)) == 200


def test_sibling_streams_are_unrelated() -> None:
    """Bits of neighbouring forks agree about half of the time: 64,000 bits, six sigma."""
    streams = [Rng(KEY).fork(str(label)) for label in range(21)]
    words = [[stream.bits32() for _ in range(100)] for stream in streams]
    equal = sum(32 - int(one ^ other).bit_count() for a, b in pairwise(words) for one, other in zip(a, b, strict=True))
    assert abs(equal - 32_000) < 6 * 126.5


@pytest.mark.parametrize("bound", [1, 2, 3, 12, 13, 100])
def test_below_is_even(bound: int) -> None:
    rng, draws = Rng(KEY), 400 * bound
    tally = Counter(rng.below(bound) for _ in range(draws))
    assert set(tally) == set(range(bound))
    square = sum((tally[number] - 400) ** 2 / 400 for number in range(bound))
    assert square < bound + 6 * (2 * bound) ** 0.5


def test_below_redraws_what_would_favour_some_numbers() -> None:
    """With bound 3 * 2^29 a quarter of the words are refused; without that, every third number comes twice as often."""
    rng, bound = Rng(KEY), 3 << 29
    tally = Counter(rng.below(bound) % 3 for _ in range(30_000))
    assert all(abs(tally[rest] - 10_000) < 500 for rest in range(3))


@pytest.mark.parametrize("bound", [0, -1, (1 << 31) + 1])
def test_below_refuses_bounds_out_of_range(bound: int) -> None:
    with pytest.raises(ValueError, match="expected a bound from 1 to"):
        Rng(KEY).below(bound)


def test_shuffle_makes_all_orders_equally_often() -> None:
    rng = Rng(KEY)
    tally = Counter(shuffled(rng, 4) for _ in range(2400))
    assert len(tally) == 24
    assert sum((count - 100) ** 2 / 100 for count in tally.values()) < 60


def shuffled(rng: Rng, size: int) -> tuple[int, ...]:
    items = list(range(size))
    rng.shuffle(items)
    return tuple(items)


def test_choice_takes_every_item() -> None:
    rng = Rng(KEY)
    assert {rng.choice([3, 5, 8]) for _ in range(100)} == {3, 5, 8}


@pytest.mark.parametrize("key", [-1, 1 << 128])
def test_a_key_has_128_bits(key: int) -> None:
    with pytest.raises(ValueError, match="a generator's key: expected 0 to"):
        Rng(key)


def test_every_integer_is_a_seed_of_its_own() -> None:
    seeds = [*range(-300, 300), 1 << 64, -(1 << 64), 10**50]
    assert len({seeded(seed).key for seed in seeds}) == len(seeds)


def test_the_state_stays_within_32_bits() -> None:
    """Interpreted numbers must not grow where compiled ones would wrap."""
    rng = Rng((1 << 128) - 1)
    assert all(0 <= word <= MASK for word in islice(iter(rng.bits32, None), 10_000))
