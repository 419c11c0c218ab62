"""Results to ratings: a fold over finished matches in their one order, by TrueSkill.

The same matches give the same ratings to the last bit, wherever the fold was put down (`dump`) and taken up
again (`load`) in between. The only module that knows the trueskill library, and never its global environment.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from types import MappingProxyType
from typing import Any

import trueskill
from trueskill import backends

from ladder.model import START, Finished, Player, PlayerId, Rating

TAU_OF_AN_OPEN_SEASON = 0.008  # strengths may drift, since hosts and opponents change
TAU_WHEN_FROZEN = 0.0

# A tenth of a typical deviation after hundreds of games, so that a surprise moves the bot and is not explained away
# by doubt about the anchor. Not nothing: the arithmetic divides by it.
ANCHOR = Rating(mu=START.mu, sigma=START.sigma / 100)

LEAST_TIE_RATE, MOST_TIE_RATE = 0.001, 0.3  # at 0 a tie would silently raise sigma
FIRST_MEASURE = 100  # blocks; then at twice as many, and so on

EXACT_DIGITS = 50  # enough for players a million points apart

Dump = dict[str, Any]  # plain data that JSON can hold
_Distribution = tuple[Callable[[float], Any], Callable[[float], Any], Callable[[float], Any]]


@dataclass(frozen=True)
class Parameters:
    """The constants of a season."""

    mu: float = START.mu
    sigma: float = START.sigma
    beta: float = START.sigma / 2  # the luck of one player in one match, as a deviation
    tau: float = TAU_OF_AN_OPEN_SEASON
    # The tie rate until it is measured: a guess for games with scores. One that is wrong by a factor of three moves a
    # first win by 0.2 points, a fortieth of the deviation that a rating starts with.
    tie_rate: float = 0.05


def rated(before: Sequence[Rating], places: Sequence[int], parameters: Parameters) -> list[Rating]:
    """Ratings after one match of everybody against everybody; the answer may depend on the order inside a tie."""
    try:
        return _rated(before, places, parameters, _FLOATS)
    except (ArithmeticError, ValueError):  # somebody won who could not: the floats have no digits left
        return _rated(before, places, parameters, _exact())


class Fold:
    """Ratings of everybody after the matches so far; the state of the one pass over all of them."""

    def __init__(self, parameters: Parameters = Parameters()) -> None:
        self.parameters = parameters
        self.tie_rate = parameters.tie_rate
        self.blocks = 0  # of which a match has been rated
        self._last = (-1, -1)  # block and rotation
        self._pairs = 0  # of seats without a fault, in all matches
        self._ties = 0  # of them
        self._ratings: dict[PlayerId, Rating] = {}
        self._anchors: set[PlayerId] = set()
        self._keys: dict[PlayerId, tuple[str, str, bool]] = {}

    @property
    def ratings(self) -> Mapping[PlayerId, Rating]:
        """What is known of everybody; changes with the fold, so copy what has to last."""
        return MappingProxyType(self._ratings)

    @property
    def last(self) -> tuple[int, int] | None:
        """Block and rotation of the last match that was rated."""
        return self._last if self.blocks else None

    def add(self, players: Iterable[Player]) -> None:
        """Make players known before their first match; those who are known already keep their ratings."""
        for player in players:
            self._keys[player.id] = player.key
            known = player.id in self._ratings
            if known and player.anchor != (player.id in self._anchors):
                raise ValueError(f"player {player.id}: expected an anchor to stay one and others not to become one")
            if not known:
                self._enter(player)

    def rate(self, match: Finished) -> tuple[Rating, ...]:
        """Rate the next match in the canonical order, and say everybody's rating after it, by seat."""
        self._check(match)
        self._turn_to(match.block)
        self._last = (match.block, match.rotation)
        # Inside a tie the library's answer depends on the order of its list; this one is the same in every home.
        order = sorted(
            range(len(match.players)), key=lambda seat: (match.places[seat], self._keys[match.players[seat]])
        )
        after = rated(
            [self._ratings[match.players[seat]] for seat in order],
            [match.places[seat] for seat in order],
            replace(self.parameters, tie_rate=self.tie_rate),
        )
        for seat, rating in zip(order, after, strict=True):
            if match.players[seat] not in self._anchors:
                self._ratings[match.players[seat]] = rating
        self._count_ties(match)
        return tuple(self._ratings[player] for player in match.players)

    def dump(self) -> Dump:
        """All of the state as plain data; floats as text that loses nothing."""
        return {
            "parameters": {name: value.hex() for name, value in asdict(self.parameters).items()},
            "tie_rate": self.tie_rate.hex(),
            "blocks": self.blocks,
            "last": list(self._last),
            "pairs": self._pairs,
            "ties": self._ties,
            "ratings": [[player, one.mu.hex(), one.sigma.hex()] for player, one in sorted(self._ratings.items())],
            "anchors": sorted(self._anchors),
        }

    @staticmethod
    def load(dump: Dump) -> "Fold":
        """The fold of a dump, which goes on as the dumped one would have once its players are added."""
        fold = Fold(Parameters(**{name: float.fromhex(value) for name, value in dump["parameters"].items()}))
        fold.tie_rate = float.fromhex(dump["tie_rate"])
        fold.blocks = dump["blocks"]
        fold._last = (dump["last"][0], dump["last"][1])
        fold._pairs = dump["pairs"]
        fold._ties = dump["ties"]
        fold._ratings = {one[0]: Rating(float.fromhex(one[1]), float.fromhex(one[2])) for one in dump["ratings"]}
        fold._anchors = set(dump["anchors"])
        return fold

    def _enter(self, player: Player) -> None:
        start = Rating(self.parameters.mu, self.parameters.sigma)
        self._ratings[player.id] = ANCHOR if player.anchor else start
        if player.anchor:
            self._anchors.add(player.id)

    def _check(self, match: Finished) -> None:
        if (match.block, match.rotation) <= self._last:
            raise ValueError(
                f"expected a match after block {self._last[0]}, rotation {self._last[1]},"
                f" got block {match.block}, rotation {match.rotation}"
            )
        seats = len(match.players)
        if seats < 2 or len(set(match.players)) != seats or len(match.places) != seats:
            raise ValueError(f"expected different players and a place for each, got {match.players}, {match.places}")
        for player in match.players:
            if player not in self._keys:
                raise ValueError(f"expected players that were added, got {player}")

    def _turn_to(self, block: int) -> None:
        """Count blocks, and measure the tie rate again when there are twice as many as the last time."""
        if block == self._last[0]:
            return
        hundreds, rest = divmod(self.blocks, FIRST_MEASURE)
        if hundreds and not rest and hundreds & (hundreds - 1) == 0 and self._pairs:
            self.tie_rate = min(max(self._ties / self._pairs, LEAST_TIE_RATE), MOST_TIE_RATE)
        self.blocks += 1

    def _count_ties(self, match: Finished) -> None:
        # All pairs count, not only neighbours in the ranking: the library's rate is that of two players by themselves,
        # and neighbours among n players are closer, so that they tie about n/2 times as often.
        sound = [place for seat, place in enumerate(match.places) if seat not in match.faulty]
        self._pairs += len(sound) * (len(sound) - 1) // 2
        self._ties += sum(one == other for one, other in combinations(sound, 2))


def _rated(
    before: Sequence[Rating], places: Sequence[int], parameters: Parameters, normal: _Distribution
) -> list[Rating]:
    library = trueskill.TrueSkill(
        parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.tie_rate, normal
    )
    groups = [(trueskill.Rating(one.mu, one.sigma),) for one in before]
    after = [Rating(group[0].mu, group[0].sigma) for group in library.rate(groups, places)]
    for old, new in zip(before, after, strict=True):
        if not _is_sound(old, new, parameters.tau):
            raise FloatingPointError(f"expected more certainty than {old}, got {new}")
    return after


def _is_sound(old: Rating, new: Rating, tau: float) -> bool:
    """Whether numbers came out, and a match made the player no less known than before; not so with NaN."""
    return math.isfinite(new.mu) and 0.0 < new.sigma <= math.hypot(old.sigma, tau) * (1 + 1e-9)


# The normal distribution in floats. The library's own erfc is good for seven digits only, too few for ties that are
# rare (a sigma may rise), and slower than the one of C.


def _cdf(x: float) -> float:
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


def _pdf(x: float) -> float:
    return math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)


_FLOATS: _Distribution = (_cdf, _pdf, backends.ppf)


def _exact() -> _Distribution:
    """The normal distribution with many digits, in a context of its own: that of mpmath is shared by everybody."""
    import mpmath  # noqa: PLC0415 - hardly ever needed, and it takes its time to load

    context = mpmath.mp.clone()
    context.dps = EXACT_DIGITS
    return context.ncdf, context.npdf, backends.ppf
