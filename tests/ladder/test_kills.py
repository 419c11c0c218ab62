"""`kill -9` of the ladder, the referee in it or any bot, at any moment: nothing is lost and nothing is repeated.

Every home here plays the same ladder with the same seed, and is killed until it is through. What it has in the end
must be what an undisturbed ladder has, match by match and to the last bit of the ratings.
"""

import contextlib
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arena import bots, record, sandbox
from arena.home import Home
from ladder.store import Rated, Store, Views, Wanted

ROOT = Path(__file__).parent.parent.parent
MATCHES = 24
KILLS = 40  # in each of the cases below: 200 in all
LONGEST = 3.0  # seconds before a kill; an undisturbed ladder takes about two
FAILPOINTS = ("while spawning", "block planned", "between record and commit", "in the commit", "after the commit")

Played = tuple[str, int, tuple[str, ...], tuple[tuple[int, int, bool], ...], tuple[int, ...], tuple[int, ...], int]


@dataclass
class Place:
    """A home with a ladder in it, and the command that plays what is left of it."""

    home: Home
    rival: Path  # the folder of a bot of its own, beside the shipped one
    level: str
    variables: dict[str, str] = field(default_factory=dict)

    def stored(self) -> int:
        """How many matches are on the disk."""
        if not (self.home.path / "ladder.db").exists():
            return 0
        with contextlib.closing(Store.open(self.home)) as store, contextlib.closing(Views.open(self.home)) as views:
            return sum(len(store.finished(ladder)) for ladder in views.ladders())

    def start(self) -> "subprocess.Popen[bytes]":
        """Play what is left."""
        options = ["--game", "party-bugs", "--seats", "2", "--seed", "5", "--jobs", "3", "--unsafe", "--json"]
        more = ["--sandbox", self.level, "--bots", f"random,{self.rival}", "--matches", str(MATCHES - self.stored())]
        environment = {**os.environ, **self.variables, "ARENA_HOME": str(self.home.path), "PYTHONPATH": str(ROOT)}
        return subprocess.Popen(
            [sys.executable, "-m", "arena", "ladder", *options, *more],
            env=environment,
            cwd=self.rival,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def played(self) -> list[Played]:
        """All matches, as their records tell them; times are the one thing that may differ."""
        with contextlib.closing(Views.open(self.home)) as views:
            names = sorted(row.match_id for row in views.matches(Wanted()))
        results = [record.read(record.path_of(self.home, name)) for name in names]
        assert sorted(path.stem for path in record.stored(self.home)) == names
        return [
            (
                one.spec.match_id,
                one.spec.seed,
                tuple(entrant.bot for entrant in one.spec.entrants),
                tuple((each.seat, each.action, each.substitute) for each in one.decisions),
                one.places,
                one.scores,
                len(one.faults),
            )
            for one in results
        ]

    def ratings(self) -> list[Rated]:
        with contextlib.closing(Store.open(self.home)) as store, contextlib.closing(Views.open(self.home)) as views:
            return [one for ladder in views.ladders() for one in store.rated(ladder)]


def finish(place: Place) -> None:
    """Let what is left be played undisturbed."""
    if place.stored() < MATCHES:
        process = place.start()
        _, said = process.communicate(timeout=100)
        assert process.returncode == 0, said.decode()


@pytest.fixture(scope="module")
def rival(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another bot that plays at random, with a content of its own."""
    folder = tmp_path_factory.mktemp("bots") / "rival"
    shutil.copytree(bots.shipped()["random"].folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('name = "random"', 'name = "rival"'))
    return folder


@pytest.fixture(scope="module", params=["none", "bubblewrap"])
def undisturbed(request: pytest.FixtureRequest, rival: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A ladder that nobody killed."""
    if request.param == "bubblewrap" and (problem := sandbox.why_not_bubblewrap()):
        pytest.skip(f"needs bubblewrap: {problem}")
    place = Place(Home(tmp_path_factory.mktemp("undisturbed")), rival, request.param)
    finish(place)
    assert len(place.played()) == MATCHES
    return place


def fresh(like: Place, folder: Path) -> Place:
    """A new home, with the bots' runtime of another to save the time of making it."""
    shutil.copytree(like.home.path / "runtime", folder / "runtime", symlinks=True)
    return Place(Home(folder), like.rival, like.level)


def agents(process: "subprocess.Popen[bytes]") -> list[int]:
    """The agents of a ladder: its children."""
    with contextlib.suppress(OSError):
        return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    return []


def kills(place: Place, luck: random.Random) -> int:
    """Start the ladder, kill a bot of it perhaps, then kill it; how many kills hit something."""
    process = place.start()
    hits = 0
    try:
        if luck.random() < 0.5:
            time.sleep(luck.uniform(0.4, LONGEST))
            victims = agents(process)
            hits += bool(victims) and killed(luck.choice(victims))
        time.sleep(luck.uniform(0, LONGEST) * 0.6)
        hits += process.poll() is None and killed(process.pid)
    finally:
        process.kill()
        _, said = process.communicate()
    assert process.returncode in (0, -signal.SIGKILL), said.decode()
    return hits


def killed(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


def left_behind(place: Place) -> list[str]:
    """Processes whose files lie in this home."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(place.home.path) in (process / "environ").read_bytes().decode(errors="replace"):
                found.append((process / "cmdline").read_bytes().decode(errors="replace"))
    return found


def assert_same(place: Place, undisturbed: Place) -> None:
    assert place.played() == undisturbed.played()
    assert place.ratings() == undisturbed.ratings()


CASES = [("none", part) for part in range(4)] + [("bubblewrap", 0)]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("undisturbed", "part"), CASES, indirect=["undisturbed"])
def test_kills_lose_nothing_and_repeat_nothing(undisturbed: Place, part: int, tmp_path: Path) -> None:
    luck = random.Random(f"{undisturbed.level} {part}")  # what is killed when; the machine's own timing adds to it
    done = 0
    for number in itertools.count():
        place = fresh(undisturbed, tmp_path / str(number))
        while done < KILLS and place.stored() < MATCHES:
            done += kills(place, luck)
        finish(place)
        assert_same(place, undisturbed)
        assert eventually_none(place) == []
        shutil.rmtree(place.home.path)
        if done >= KILLS:
            break
    assert done >= KILLS


def eventually_none(place: Place) -> list[str]:
    """What is still there after a while: the kernel takes a moment to end what was killed."""
    for _ in range(100):
        if not left_behind(place):
            return []
        time.sleep(0.1)
    return left_behind(place)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("undisturbed", ["none"], indirect=True)
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("name", FAILPOINTS)
def test_a_death_at_a_failpoint_loses_nothing(name: str, times: int, undisturbed: Place, tmp_path: Path) -> None:
    log = tmp_path / "deaths"
    place = fresh(undisturbed, tmp_path / "home")
    place.variables = {"ARENA_FAILPOINT": f"{name}:{times}", "ARENA_FAILPOINT_LOG": str(log)}
    process = place.start()
    process.communicate(timeout=100)
    assert process.returncode == -signal.SIGKILL
    assert log.read_text() == f"{name}\n"
    place.variables = {}
    finish(place)
    assert_same(place, undisturbed)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("undisturbed", ["none"], indirect=True)
def test_a_ladder_that_dies_after_every_commit_gets_on(undisturbed: Place, tmp_path: Path) -> None:
    place = fresh(undisturbed, tmp_path / "home")
    place.variables = {"ARENA_FAILPOINT": "after the commit"}
    for _ in range(5):
        before = place.stored()
        place.start().communicate(timeout=100)
        assert place.stored() > before
    place.variables = {}
    finish(place)
    assert_same(place, undisturbed)
