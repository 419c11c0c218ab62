"""Ladders as users play and read them: real bots in real processes, one home after the other."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from arena import bots, games, sandbox
from arena.home import Home
from arena.match import FaultKind, MatchSpec
from arena.referee.runner import Referee
from ladder.store import Store, Views, Wanted
from ladder.store.tables import blocks
from tests.cli.conftest import ROOT, Arena, Ended

LADDER = ("ladder", "--game", "party-bugs", "--seed", "11")

MEMORY = '''
from arena.sdk import Turn, play

seen = {}


def choose(turn: Turn) -> int:
    """Remembers every deal by what all can see of it; one that it has met before makes it break off."""
    view = turn.observation
    if view.round == 1 and view.phase == 2:
        deal = (tuple(view.floor), view.tied)
        if seen.setdefault(deal, turn.match.match_id) != turn.match.match_id:
            raise SystemExit("I know this deal")
    return turn.legal[0]


if __name__ == "__main__":
    play(choose)
'''


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a home and bots of its own, in which all of these tests play."""
    folder = tmp_path_factory.mktemp("ladders")
    for name, text in (("memory", MEMORY), ("crasher", "raise SystemExit('no brain today')")):
        (folder / name).mkdir()
        (folder / name / "bot.py").write_text(text)
        (folder / name / "bot.toml").write_text(
            f'name = "{name}"\nauthor = "tests"\ngames = ["party-bugs"]\n'
            'run = ["python", "bot.py"]\nmatches_at_once = 8\n'
        )
    return folder


def run(place: Path, *arguments: str, home: str = "home") -> Ended:
    environment = {**os.environ, "ARENA_HOME": str(place / home), "COLUMNS": "80", "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-m", "arena", *arguments],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    assert "Traceback" not in ended.stderr
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def data(ended: Ended) -> Any:
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


@pytest.fixture(scope="module")
def played(place: Path) -> dict[str, Any]:
    """The ladder that the reading tests read."""
    found: dict[str, Any] = data(run(place, *LADDER, "--matches", "40", "--json"))
    return found


def test_a_ladder_plays_rates_and_tells(played: dict[str, Any]) -> None:
    assert played["played"] >= 40
    assert (played["dropped"], played["faults"], played["stopped"], played["practice"]) == (0, 0, False, True)
    table = played["standings"]
    assert sorted(one["bot"] for one in table) == sorted(
        bot.name for bot in bots.shipped().values() if bot.plays("party-bugs")
    )
    assert [one["rank"] for one in table] == list(range(1, len(table) + 1))
    assert table[-1]["bot"] == "random"


def test_the_final_table_fits_80_columns_and_says_what_to_do_next(place: Path, played: dict[str, Any]) -> None:
    ended = run(place, *LADDER, "--matches", "6")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "party-bugs · base · tables of any size" in lines[0]
    assert any(line.startswith("Go on: arena ladder --game party-bugs --seed 11") for line in lines)
    games_now = sum(one["games"] for one in data(run(place, "leaderboard", *LADDER[1:], "--json")))
    assert games_now > sum(one["games"] for one in played["standings"])


def test_recompute_gives_the_same_ratings_to_the_last_bit(place: Path, played: dict[str, Any]) -> None:
    found = data(run(place, "ladder", "recompute", *LADDER[1:], "--json"))
    assert found["same"] is True
    assert found["matches"] >= played["played"]


def test_recompute_notices_and_mends_ratings_that_are_wrong(place: Path, played: dict[str, Any]) -> None:
    home = place / "tampered"
    shutil.copytree(place / "home", home, symlinks=True)
    with Store.open(Home(home)) as store, Views.open(Home(home)) as views:
        (ladder,) = views.ladders()
        first, *rest = store.rated(ladder)
        store.replace_ratings(ladder, [first, *rest[:-1]])
    assert run(place, "ladder", "recompute", *LADDER[1:], home="tampered").code == 1
    assert run(place, "ladder", "recompute", *LADDER[1:], home="tampered").code == 0


@pytest.mark.parametrize("form", ["csv", "markdown"])
def test_the_leaderboard_in_other_forms(form: str, place: Path, played: dict[str, Any]) -> None:
    ended = run(place, "leaderboard", *LADDER[1:], f"--{form}")
    assert ended.code == 0
    if form == "csv":
        names = [row["bot"] for row in csv.DictReader(io.StringIO(ended.out))]
    else:
        names = [line.split("|")[2].strip() for line in ended.out.splitlines()[2:]]
    assert sorted(names) == sorted(one["bot"] for one in played["standings"])


def test_one_bots_page(place: Path, played: dict[str, Any]) -> None:
    page = data(run(place, "leaderboard", *LADDER[1:], "--bot", "greedy", "--json"))
    games_played = page["games"]
    assert sum(tally["games"] for tally in page["by_seat"].values()) == games_played
    assert sum(tally["games"] for tally in page["by_seat_count"].values()) == games_played
    assert len(page["history"]) == games_played
    assert len(page["movers"]) == 5
    assert page["history"][-1]["mu"] == page["mu"]
    assert 0 < page["decision_micros"]["p50"] <= page["decision_micros"]["p99"] <= page["decision_micros"]["max"]
    told = run(place, "leaderboard", *LADDER[1:], "--bot", "greedy")
    assert "thinking time of" in told.out
    assert "moved most by" in told.out
    assert all(len(line) <= 80 for line in told.out.splitlines())


def test_every_match_of_the_list_can_be_replayed(place: Path, played: dict[str, Any]) -> None:
    rows = data(run(place, "matches", "--bot", "greedy", "--limit", "3", "--json"))
    assert len(rows) == 3
    assert all("greedy" in [seat["bot"] for seat in row["seats"]] for row in rows)
    assert run(place, "replay", rows[0]["match"]).code == 0
    assert run(place, "verify", *(row["match"] for row in rows)).code == 0


def test_matches_can_be_filtered_by_date(place: Path, played: dict[str, Any]) -> None:
    assert data(run(place, "matches", "--until", "2020-01-01", "--json")) == []
    assert data(run(place, "matches", "--since", "2020-01-01", "--json"))


def test_faults_are_told_with_their_reasons(place: Path) -> None:
    played = data(
        run(place, *LADDER, "--bots", "./crasher,random", "--matches", "4", "--unsafe", "--json", home="faulty")
    )
    assert played["faults"] == 4
    assert [one["bot"] for one in played["standings"]] == ["random", "crasher"]
    told = run(place, "matches", "--faults", home="faulty")
    assert "crasher: never connected" in " ".join(told.out.split())
    assert "its last words: no brain today" in " ".join(told.out.split())
    page = data(run(place, "leaderboard", *LADDER[1:], "--bot", "crasher", "--json", home="faulty"))
    assert [fault["kind"] for fault in page["faults"]] == ["never connected"] * 4
    shown = run(place, "leaderboard", *LADDER[1:], "--bot", "crasher", home="faulty").out
    assert shown.count("no brain today") == 1, "what happened four times is told once"
    assert f"    4  {page['faults'][0]['match']}" in shown


def test_a_bot_that_remembers_deals_meets_none_twice(place: Path) -> None:
    options = ("--bots", "./memory,random", "--seats", "2", "--matches", "60", "--unsafe", "--json")
    played = data(run(place, *LADDER, *options, home="memories"))
    assert (played["played"], played["faults"]) == (60, 0)


async def test_that_bot_does_remember_where_a_process_meets_a_deal_twice(place: Path) -> None:
    random, memory = bots.shipped()["random"], bots.read(place / "memory")
    options = games.load("party-bugs").plain_options(games.load("party-bugs").options({}))
    async with Referee(Home(place / "memories"), sandbox.choose("none"), unsafe=True) as referee:
        pair = (referee.seat(memory), referee.seat(random))
        results = [
            await referee.play(MatchSpec(f"m{turn}", "party-bugs", options, entrants, 7))
            for turn, entrants in enumerate((pair, pair[::-1]))
        ]
    assert results[0].faults == ()
    assert [fault.kind for fault in results[1].faults] == [FaultKind.DISCONNECTED]
    assert "I know this deal" in results[1].faults[0].sentence


def test_a_bot_that_is_edited_is_another_version_and_the_old_one_keeps_its_results(place: Path) -> None:
    options = ("--bots", "./edited/memory,random", "--seats", "2", "--unsafe", "--json")
    source = Path(shutil.copytree(place / "memory", place / "edited" / "memory"), "bot.py")
    run(place, *LADDER, *options, "--matches", "6", home="editing")
    source.write_text(source.read_text() + "\n# better now\n")
    table = data(run(place, *LADDER, *options, "--matches", "4", home="editing"))["standings"]
    assert {(one["bot"], one["version"]) for one in table} == {("memory", 1), ("memory", 2), ("random", 1)}
    assert next(one for one in table if (one["bot"], one["version"]) == ("memory", 1))["games"] == 6


def test_few_bots_at_large_tables_play_with_anchors(place: Path) -> None:
    options = ("--bots", "random,greedy", "--seats", "4", "--matches", "4", "--json")
    played = data(run(place, *LADDER, *options, home="anchors"))
    anchors = [one for one in played["standings"] if one["anchor"]]
    assert [(one["bot"], one["mu"], one["games"]) for one in anchors] == [("anchor 1", None, 4), ("anchor 2", None, 4)]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_ladder_says_what_it_dropped_and_keeps_the_rest(
    number: signal.Signals, code: int, place: Path
) -> None:
    home = place / f"stopped-{number}"
    environment = {**os.environ, "ARENA_HOME": str(home), "COLUMNS": "80", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "arena", *LADDER, "--matches", "100000"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as ladder:
        wait_for_matches(home, ladder)
        ladder.send_signal(number)
        out, err = ladder.communicate(timeout=60)
    assert ladder.returncode == code
    assert "in flight were dropped and will be played next time" in err
    assert "that had ended are kept" in err
    assert "arena: interrupted" not in err, "it has said so already"
    assert "party-bugs" in out
    assert data(run(place, "ladder", "recompute", *LADDER[1:], "--json", home=home.name))["same"]


def wait_for_matches(home: Path, ladder: "subprocess.Popen[str]") -> None:
    for _ in range(600):
        if (home / "ladder.db").exists() and len(list((home / "records").glob("*/*.arena"))) > 4:
            return
        assert ladder.poll() is None
        time.sleep(0.1)
    pytest.fail("no match was played within a minute")


def test_a_second_ladder_on_one_home_is_refused_by_name(place: Path) -> None:
    environment = {**os.environ, "ARENA_HOME": str(place / "busy"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "arena", *LADDER, "--matches", "100000"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as first:
        wait_for_matches(place / "busy", first)
        second = run(place, *LADDER, home="busy")
        read = run(place, "leaderboard", *LADDER[1:], home="busy")
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)
    assert second.code == 2
    assert f"is in use by the ladder of party-bugs, process {first.pid}, since" in second.err
    assert read.code == 0


def test_the_same_on_other_terms_is_told_of_and_found_by_its_number(place: Path) -> None:
    """Levels, clocks and limits are never mixed in one table: whoever misses results there is told where they are."""
    short = (*LADDER[:3], "--bots", "random,greedy", "--matches", "4")
    plain = run(place, *short, "--sandbox", "none", home="terms")
    assert "On other terms" not in plain.out + plain.err
    other = run(place, *short, "--sandbox", "none", "--allowance", "2", "--limit", "memory_mb=128", home="terms")
    told = "  clock 1 s + 10 s, limits as usual: arena leaderboard --ladder 1\n"
    assert told in other.out
    assert told in other.err, "expected a new ladder to say at once that there is another"
    assert other.out.startswith("party-bugs · base · tables of any size · sandbox none · --allowance 2 --limit")
    go_on = "--game party-bugs --allowance 2 --limit memory_mb=128 --bots random,greedy --sandbox none"
    assert f"Go on: arena ladder {go_on}\n" in other.out
    again = run(place, "ladder", *go_on.split(), "--matches", "4", home="terms")
    assert told not in again.err

    assert "clock 2 s + 10 s, limits memory_mb=128: arena leaderboard --ladder 2\n" in (
        run(place, "leaderboard", "--ladder", "1", home="terms").out
    )
    apart = run(place, *short, "--sandbox", "none", "--own-deals", home="terms")
    assert "  deals one for all rotations: arena leaderboard --ladder 1\n" in apart.err
    tables = [data(run(place, "leaderboard", "--ladder", number, "--json", home="terms")) for number in "123"]
    assert [sum(one["games"] for one in table) for table in tables] == [8, 16, 8]
    listed = data(run(place, "leaderboard", "--json", home="terms"))
    settings = "--allowance 2 --limit memory_mb=128"
    assert [(one["number"], one["sandbox"], one["settings"]) for one in listed] == [
        (1, "none", ""),
        (2, "none", settings),
        (3, "none", "--own-deals"),
    ]
    assert data(run(place, "ladder", "recompute", "--ladder", "1", "--json", home="terms"))["same"]


BAD: list[tuple[tuple[str, ...], str]] = [
    (("ladder",), "--game: expected the name of a game, got none"),
    (("ladder", "--game", "party-bug"), "did you mean 'party-bugs'?"),
    (("ladder", "--game", "party-bugs", "--bots", "greddy,random"), "did you mean 'greedy'?"),
    (
        ("ladder", "--game", "party-bugs", "--bots", "random"),
        "expected at least two different bots for a ladder, got 1",
    ),
    (("ladder", "--game", "party-bugs", "--bots", "random,random"), "expected at least two different bots"),
    (("ladder", "--game", "party-bugs", "--option", "hidden=true"), "unknown option 'hidden'"),
    (("ladder", "--game", "lunar-laser-frogs", "--option", "timing=arrival"), "got one that asks who is quicker"),
    (("ladder", "--game", "party-bugs", "--seats", "9"), "expected 2 to 6 seats, got 9"),
    (("ladder", "--game", "party-bugs", "--seats", "1"), "expected 2 to 6 seats, got 1"),
    (("ladder", "--game", "party-bugs", "--matches", "5", "--minutes", "1"), "expected one of them, got both"),
    (("ladder", "--game", "party-bugs", "--home", "/proc/nowhere"), "expected a writable folder for arena's data"),
    (("leaderboard", "--game", "party-bugs"), "no ladder was played"),
    (("leaderboard", "--game", "party-bugs", "--json", "--csv"), "expected one of them at most"),
    (("matches",), "no ladder was played"),
    (("matches", "--since", "yesterday"), "--since: expected a day or time such as"),
    (("ladder", "recompute", "--game", "party-bugs"), "no ladder was played there yet"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=[" ".join(case[0])[-50:] for case in BAD])
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], words: str, arena: Arena) -> None:
    ended = arena(*arguments)
    assert words in ended.err, ended.err
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert ended.err.startswith("arena: ")
    assert arena("leaderboard").code == 2, "a command that was refused has made a database"


UNKNOWN: list[tuple[tuple[str, ...], str]] = [
    (("matches", "--bot", "gredy"), "expected a bot that played here, got 'gredy': did you mean 'greedy'?"),
    (("leaderboard", *LADDER[1:], "--bot", "gredy"), "expected a bot of this ladder, got 'gredy': did you mean"),
    (("leaderboard", "--game", "party-bugs"), "got none; there are: --game party-bugs --seed 11"),
    (("leaderboard", "--game", "ladybugs"), "play one with `python3 run.py ladder --game ladybugs`"),
    (("leaderboard", "--ladder", "7"), "--ladder: expected the number of a ladder here (1), got 7"),
    (("leaderboard", "--ladder", "1", "--game", "ladybugs"), "--ladder and --game: expected one of them, got both"),
    (("import", "memory/bot.py"), "memory/bot.py is no whole export of ladders: it is of another kind"),
]


@pytest.mark.parametrize(("arguments", "words"), UNKNOWN, ids=[" ".join(case[0])[-50:] for case in UNKNOWN])
def test_what_is_unknown_to_a_ladder_is_one_sentence(
    arguments: tuple[str, ...], words: str, place: Path, played: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_COMMAND", "python3 run.py")
    ended = run(place, *arguments)
    assert words in ended.err, ended.err
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)


def test_a_database_that_is_not_ours_is_left_alone(arena: Arena, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "ladder.db").write_text("my diary")
    for command in (("ladder", "--game", "party-bugs"), ("leaderboard", "--game", "party-bugs"), ("matches",)):
        ended = arena(*command)
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        assert str(home / "ladder.db") in ended.err
    assert (home / "ladder.db").read_text() == "my diary"


def test_a_ladder_moves_to_another_home(place: Path, played: dict[str, Any]) -> None:
    file = str(place / "league.ladders")
    assert data(run(place, "export", file, "--with-secret", "--json"))["matches"] >= played["played"]
    first = data(run(place, "import", file, "--json", home="elsewhere"))
    second = data(run(place, "import", file, "--json", home="elsewhere"))
    assert (second["new"], second["known"]) == (0, first["new"])
    here, there = (data(run(place, "leaderboard", *LADDER[1:], "--json", home=home)) for home in ("home", "elsewhere"))
    assert here == there
    assert data(run(place, "ladder", "recompute", *LADDER[1:], "--json", home="elsewhere"))["same"]
    assert run(place, *LADDER, "--matches", "3", home="elsewhere").code == 0


def test_an_export_never_overwrites_and_an_import_reads_no_foreign_file(place: Path, played: dict[str, Any]) -> None:
    file = place / "precious.txt"
    file.write_text("precious")
    for command in ("export", "import"):
        ended = run(place, command, str(file))
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
        assert "precious.txt" in ended.err
    assert file.read_text() == "precious"


def test_a_match_of_an_open_deal_is_not_shown(place: Path, played: dict[str, Any]) -> None:
    home = place / "open"
    shutil.copytree(place / "home", home, symlinks=True)
    with Store.open(Home(home)) as store, Views.open(Home(home)) as views:
        row = views.matches(Wanted(limit=1))[0]
        with store._base.writing() as connection:
            of_block = (blocks.c.ladder_id == row.ladder.id) & (blocks.c.number == row.block)
            connection.execute(update(blocks).where(of_block).values(complete=False))
    for command in ("replay", "verify"):
        ended = run(place, command, row.match_id, home="open")
        assert ended.code == 2
        assert "its deal is still being played in other seats" in ended.err
    listed = data(run(place, "matches", "--limit", "999", "--json", home="open"))
    assert row.match_id not in [one["match"] for one in listed]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for little more than the bots' runtime."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200m", "none", str(folder)], check=False)
    if mounted.returncode != 0:
        pytest.skip("needs the right to mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_is_full_in_the_middle_stops_the_ladder_and_it_goes_on_later(small_disk: Path) -> None:
    options = ("--bots", "random,greedy", "--seats", "2", "--json")
    assert data(run(small_disk, *LADDER, *options, "--matches", "4"))["played"] == 4
    filler = small_disk / "filler"
    room = shutil.disk_usage(small_disk).free - 400_000
    filler.write_bytes(b"\0" * room)
    ended = run(small_disk, *LADDER, *options, "--matches", "2000")
    assert (ended.code, ended.out) == (2, "")
    assert "the disk is full" in ended.err
    filler.unlink()
    played = data(run(small_disk, *LADDER, *options, "--matches", "4"))
    assert played["played"] >= 4
    assert data(run(small_disk, "ladder", "recompute", *LADDER[1:], "--seats", "2", "--json"))["same"]
    rows = data(run(small_disk, "matches", "--limit", "9999", "--json"))
    assert run(small_disk, "verify", *(row["match"] for row in rows[:20])).code == 0
