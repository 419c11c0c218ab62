"""Ladders that nobody played: results as a referee would have given them, made up quickly."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.home import Home
from arena.match import Decided, Entrant, Fault, FaultKind, MatchResult, MatchSpec, final_places
from ladder.model import Block, Player, Rating
from ladder.store import Checkpoint, Ladder, LadderSpec, Played, Rated, Store, match_id

SPEC = LadderSpec("party-bugs", {"hidden_card": False, "mirror_series": False}, seats=3, level="bubblewrap")
NOW = 1_700_000_000.0


@dataclass(frozen=True)
class Scene:
    """A ladder in a home, with players."""

    home: Home
    ladder: Ladder
    players: list[Player]


def scene(folder: Path, *, count: int = 5, spec: LadderSpec = SPEC) -> Scene:
    home = Home(folder)
    with Store.open(home) as store:
        players = [store.enter(f"bot-{number}", sha256(number), now=NOW) for number in range(count)]
        return Scene(home, store.ladder(spec, now=NOW), players)


def sha256(number: int) -> str:
    return f"{number:064x}"


def block(here: Scene, number: int, seats: int = 3) -> Block:
    luck = random.Random(number)
    return Block(number, tuple(player.id for player in luck.sample(here.players, seats)))


def played(here: Scene, of: Block, rotation: int, *, faulty: Sequence[int] = (), decisions: int = 6) -> Played:
    """The same result whenever it is asked for."""
    luck = random.Random(f"{of.number} {rotation}")
    seats = len(of.lineup)
    by_id = {player.id: player for player in here.players}
    seated = [by_id[player] for player in of.seated(rotation)]
    entrants = tuple(Entrant(one.name, one.sha256, rotation, here.ladder.spec.level) for one in seated)
    name = match_id(here.ladder.spec, of.number, rotation)
    spec = MatchSpec(name, here.ladder.spec.game, here.ladder.spec.options, entrants, of.number, here.ladder.spec.time)
    places = final_places([luck.randint(1, seats) for _ in range(seats)], set(faulty))
    faults = tuple(Fault(FaultKind.ILLEGAL, seat, 2, "answered nonsense") for seat in faulty)
    moves = tuple(
        Decided(seat, luck.randrange(9), luck.randrange(50, 5000), substitute=seat in faulty and number >= 2)
        for number in range(decisions)
        for seat in range(seats)
    )
    scores = tuple(-place for place in places)
    return Played(MatchResult(spec, moves, places, scores, faults), of.number, rotation, NOW + of.number + rotation / 8)


def rated(one: Played, of: Block) -> list[Rated]:
    """What a fold might have said of a match."""
    luck = random.Random(f"rating {one.block} {one.rotation}")
    return [Rated(one.block, one.rotation, player, _rating(luck), _rating(luck)) for player in of.seated(one.rotation)]


def _rating(luck: random.Random) -> Rating:
    return Rating(luck.gauss(25, 8), luck.uniform(1, 8))


def fill(
    here: Scene, numbers: Sequence[int], *, seats: int = 3, decisions: int = 6, faulty: Sequence[int] = ()
) -> None:
    """Complete blocks, with ratings and a checkpoint for each batch of them."""
    with Store.open(here.home) as store:
        for start in range(0, len(numbers), 100):
            planned = [block(here, number, seats) for number in numbers[start : start + 100]]
            store.plan(here.ladder, planned, now=NOW)
            matches = [
                (played(here, of, rotation, decisions=decisions, faulty=faulty), of)
                for of in planned
                for rotation in of.rotations
            ]
            changes = [change for one, of in matches for change in rated(one, of)]
            state = Checkpoint(planned[-1].number, f'{{"blocks": {planned[-1].number}}}')
            store.keep(here.ladder, [one for one, _ in matches], rated=changes, checkpoint=state)
