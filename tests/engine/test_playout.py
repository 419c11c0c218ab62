"""A playout counts what it did, ends the match, and chooses evenly."""

from arena.engine.playout import playout
from arena.engine.rng import seeded
from arena.games.party_bugs.rules import GAME


def test_a_playout_ends_the_match_and_counts() -> None:
    state = GAME.setup(GAME.variants()["base"], 4, seeded(1))
    counts = playout(state, seeded(2))
    assert not state.to_act()
    assert 0 < counts.applies < counts.decisions
    assert counts.observations == 0


def test_observing_changes_nothing_but_the_count() -> None:
    one, other = (GAME.setup(GAME.variants()["base"], 4, seeded(1)) for _ in range(2))
    plain, watched = playout(one, seeded(2)), playout(other, seeded(2), observe=True)
    assert one.dump() == other.dump()
    assert (watched.applies, watched.decisions) == (plain.applies, plain.decisions)
    assert watched.observations == watched.decisions


def test_playouts_differ_by_their_generator() -> None:
    states = [GAME.setup(GAME.variants()["base"], 3, seeded(1)) for _ in range(20)]
    for seed, state in enumerate(states):
        playout(state, seeded(seed))
    assert len({str(state.dump()) for state in states}) == 20
