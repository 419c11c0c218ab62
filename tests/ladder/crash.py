"""A ladder of made-up matches that goes on from what it finds: run as a process, to be killed."""

import resource
import sys
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from ladder.model import Block, Finished, Rating
from ladder.store import Checkpoint, Store, Unfinished
from tests.ladder.synthetic import NOW, Scene, block, played, rated, scene

BLOCKS = 4


@dataclass(frozen=True)
class Everything:
    """What a store tells of a ladder."""

    blocks: list[Block]
    unfinished: list[Unfinished]
    finished: list[Finished]
    ratings: dict[int, Rating]
    checkpoint: Checkpoint | None


def everything(here: Scene) -> Everything:
    with Store.open(here.home) as store:
        return Everything(
            store.blocks(here.ladder),
            store.unfinished(here.ladder),
            store.finished(here.ladder),
            store.ratings(here.ladder),
            store.checkpoint(here.ladder),
        )


def play(here: Scene) -> None:
    """Plan block after block, and keep two of its matches at a time."""
    with Store.open(here.home) as store:
        store.secret(here.ladder)
        while len(store.blocks(here.ladder)) < BLOCKS or store.unfinished(here.ladder):
            left = store.unfinished(here.ladder)
            if not left:
                store.plan(here.ladder, [block(here, len(store.blocks(here.ladder)))], now=NOW)
                continue
            of, rotations = left[0].block, left[0].missing[:2]
            batch = [played(here, of, rotation) for rotation in rotations]
            told = [change for one in batch for change in rated(one, of)]
            store.keep(here.ladder, batch, rated=told, checkpoint=Checkpoint(of.number, f"after {rotations[-1]}"))


def main(folder: str, size: str) -> None:
    if size != "-":
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
    try:
        play(scene(Path(folder)))
    except UserError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
