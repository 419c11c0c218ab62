"""Archives of bots: the same from whoever packs them, and harmless wherever they come from."""

import gzip
import io
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest
import zstandard

from arena.bots import BotError, content_hash
from arena.submission import archive

Entry = Mapping[str, object]  # fields of a TarInfo


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "my-bot"
    (place / "src").mkdir(parents=True)
    (place / "bot.toml").write_text('name = "mine"')
    (place / "src" / "run").write_text("#!/bin/sh\n")
    (place / "src" / "run").chmod(0o755)
    (place / "src" / "link").symlink_to("../bot.toml")
    (place / "target").mkdir()
    (place / "target" / "leftover.o").write_text("large")
    (place / "__pycache__").mkdir()
    (place / "__pycache__" / "x.pyc").write_text("cache")
    return place


def packed(tmp_path: Path, *entries: Entry, compressed: bool = False) -> Path:
    path = tmp_path / "strange.tar"
    with tarfile.open(path, "w:gz") if compressed else tarfile.open(path, "w") as tar:
        for fields in entries:
            info = tarfile.TarInfo()
            for key, value in fields.items():
                setattr(info, key, value)
            tar.addfile(info, io.BytesIO(bytes(info.size)))
    return path


def test_a_bot_comes_back_as_it_was_without_leftovers(folder: Path, tmp_path: Path) -> None:
    archive.pack(folder, tmp_path / "bot", ["target"])
    (tmp_path / "there").mkdir()
    archive.unpack(tmp_path / "bot", tmp_path / "there")
    found = sorted(path.relative_to(tmp_path / "there").as_posix() for path in (tmp_path / "there").rglob("*"))
    assert found == ["bot.toml", "src", "src/link", "src/run"]
    assert content_hash(tmp_path / "there") == content_hash(folder, ["target"])
    assert os.access(tmp_path / "there" / "src" / "run", os.X_OK)
    assert not os.access(tmp_path / "there" / "bot.toml", os.X_OK)
    assert (tmp_path / "there" / "src" / "link").read_text() == 'name = "mine"'


def test_the_same_content_is_the_same_archive(folder: Path, tmp_path: Path) -> None:
    archive.pack(folder, tmp_path / "one")
    os.utime(folder / "bot.toml", (1, 1))
    archive.pack(folder, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("goal", ["/etc/passwd", "../../secret", "../src/../../secret", "../.."])
def test_links_out_of_the_folder_are_refused(folder: Path, tmp_path: Path, goal: str) -> None:
    (folder / "src" / "out").symlink_to(goal)
    with pytest.raises(BotError, match="expected links that stay in the bot's folder, got src/out"):
        archive.pack(folder, tmp_path / "bot")


def test_what_is_no_file_is_refused(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(BotError, match="expected only files and folders"):
        archive.pack(folder, tmp_path / "bot")


def link(name: str, goal: str) -> Entry:
    return {"name": name, "type": tarfile.SYMTYPE, "linkname": goal}


HOSTILE: list[tuple[str, list[Entry], str]] = [
    ("up", [{"name": "../evil"}], "expected names inside the bot's folder, got '../evil'"),
    ("deep up", [{"name": "a/../../evil"}], "expected names inside the bot's folder"),
    ("absolute", [{"name": "/tmp/evil"}], "expected names inside the bot's folder"),
    ("device", [{"name": "null", "type": tarfile.CHRTYPE}], "expected only files, folders and links"),
    ("fifo", [{"name": "pipe", "type": tarfile.FIFOTYPE}], "expected only files, folders and links"),
    ("hard link", [{"name": "x", "type": tarfile.LNKTYPE, "linkname": "/etc/passwd"}], "expected only files"),
    ("link out", [link("x", "../x")], "expected links that stay"),
    ("through a link", [link("d", "e"), {"name": "d/x"}], "expected names that lead through no link"),
    ("over a link", [link("x", "y"), {"name": "x"}], "expected names that lead through no link"),
    ("twice", [{"name": "x"}, {"name": "x"}], "expected every name once"),
]


@pytest.mark.parametrize(("entries", "words"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_path_tricks_are_refused_and_nothing_is_written_outside(
    tmp_path: Path, entries: list[Entry], words: str
) -> None:
    place = tmp_path / "deep" / "place"
    place.mkdir(parents=True)
    source = packed(tmp_path, *entries)
    with pytest.raises(BotError, match=words):
        archive.unpack(source, place)
    outside = {path for path in tmp_path.rglob("*") if not path.is_relative_to(place)}
    assert outside == {source, place.parent}


def test_an_archive_with_too_much_in_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_FILES", 10)
    many = packed(tmp_path, *({"name": str(number)} for number in range(11)))
    with pytest.raises(BotError, match="expected at most 10 files in a bot"):
        archive.unpack(many, tmp_path)
    monkeypatch.setattr(archive, "MOST_BYTES", 1 << 20)
    large = packed(tmp_path, {"name": "zeros", "size": 2 << 20}, compressed=True)
    assert large.stat().st_size < 1 << 14
    with pytest.raises(BotError, match="expected at most 1 MB in a bot"):
        archive.unpack(large, tmp_path)


@pytest.mark.parametrize(
    "content",
    [b"", b"no archive", b"\x28\xb5\x2f\xfd", gzip.compress(b"x"), zstandard.compress(b"x" * 600)],
    ids=["empty", "text", "a mark alone", "gzip", "zstd"],  # gzip writes the time, and a test's name must not hold that
)
def test_what_is_no_archive_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "strange").write_bytes(content)
    with pytest.raises(BotError, match=r"expected an archive of a bot, got .*strange"):
        archive.unpack(tmp_path / "strange", tmp_path)


def test_a_truncated_archive_is_told(folder: Path, tmp_path: Path) -> None:
    archive.pack(folder, tmp_path / "bot")
    whole = (tmp_path / "bot").read_bytes()
    for length in range(0, len(whole), 37):
        (tmp_path / "cut").write_bytes(whole[:length])
        (tmp_path / str(length)).mkdir()
        with pytest.raises(BotError):
            archive.unpack(tmp_path / "cut", tmp_path / str(length))
