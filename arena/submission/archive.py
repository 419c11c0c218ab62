"""A bot's folder as one file: the same bytes whoever packs it, and unpacked only as far as it is harmless.

An archive may come from a stranger: it may name paths outside, link there, hold devices, or never end.
"""

import io
import os
import stat
import tarfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Final

import zstandard

from arena.bots import BotError, files

SUFFIX: Final = ".tar.zst"
MOST_FILES: Final = 50_000
MOST_BYTES: Final = 1 << 30  # unpacked
PIECE: Final = 1 << 20


def pack(folder: Path, target: Path, leftovers: Collection[str] = ()) -> None:
    """Write a folder as an archive that depends on nothing but its content."""
    compressor = zstandard.ZstdCompressor(level=6, write_checksum=True)
    with (
        target.open("wb") as file,
        compressor.stream_writer(file) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, path in sorted(checked(folder, leftovers)):
            _add(archive, name, path)


def checked(folder: Path, leftovers: Collection[str] = ()) -> Iterator[tuple[str, Path]]:
    """The files of a folder; BotError for what may not travel: devices, links out of it, more than anybody needs."""
    count, size = 0, 0
    for name, path in files(folder, leftovers):
        facts = path.lstat()
        if stat.S_ISLNK(facts.st_mode):
            check_link(name, str(path.readlink()))
        elif not stat.S_ISREG(facts.st_mode):
            raise BotError(f"expected only files and folders in a bot's folder, got {path}, which is neither")
        count, size = count + 1, size + facts.st_size
        _check_size(folder, count, size)
        yield name, path


def _add(archive: tarfile.TarFile, name: str, path: Path) -> None:
    entry = tarfile.TarInfo(name)
    entry.mtime = 0
    if path.is_symlink():
        entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, str(path.readlink()), 0o777
        archive.addfile(entry)
        return
    entry.size, entry.mode = path.stat().st_size, 0o755 if os.access(path, os.X_OK) else 0o644
    with path.open("rb") as content:
        archive.addfile(entry, content)


# Unpacking


def unpack(source: Path, place: Path) -> None:
    """Lay an archive out in an empty folder; BotError before anything outside of it is touched."""
    try:
        with _opened(source) as archive:
            _lay_out(source, archive, place)
    except (tarfile.TarError, zstandard.ZstdError, EOFError) as error:
        raise BotError(f"expected an archive of a bot, got {source}: {error}") from None
    except OSError as error:
        raise BotError(f"expected to unpack {source}, got: {str(error.strerror or error).lower()}") from None


@contextmanager
def _opened(source: Path) -> Iterator[tarfile.TarFile]:
    """A tar file, plain or compressed in any of the usual ways."""
    with source.open("rb") as file:
        packed = file.peek(4)[:4] == zstandard.FRAME_HEADER
        stream: IO[bytes] = zstandard.ZstdDecompressor().stream_reader(file) if packed else file
        with tarfile.open(fileobj=stream, mode="r|" if packed else "r|*") as archive:
            yield archive


def _lay_out(source: Path, archive: tarfile.TarFile, place: Path) -> None:
    count, size = 0, 0
    for entry in archive:
        name = _harmless(source, entry)
        count, size = count + 1, size + entry.size
        _check_size(source, count, size)
        if any((place / path).is_symlink() for path in (PurePosixPath(name), *PurePosixPath(name).parents)):
            raise BotError(f"expected names that lead through no link, got {name!r} in {source}")
        if entry.isdir():
            (place / name).mkdir(parents=True, exist_ok=True)
        else:
            _write(archive, entry, place / name)


def _harmless(source: Path, entry: tarfile.TarInfo) -> str:
    """The name of an entry that may be laid out."""
    path = PurePosixPath(entry.name)
    if path.is_absolute() or ".." in path.parts or "\0" in entry.name or len(entry.name) > 1024:
        raise BotError(f"expected names inside the bot's folder, got {entry.name[:80]!r} in {source}")
    if entry.issym():
        check_link(entry.name, entry.linkname)
    elif not entry.isreg() and not entry.isdir():
        raise BotError(f"expected only files, folders and links in {source}, got {entry.name[:80]!r}, which is none")
    return str(path)


def _write(archive: tarfile.TarFile, entry: tarfile.TarInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        raise BotError(f"expected every name once, got {entry.name!r} again")
    if entry.issym():
        target.symlink_to(entry.linkname)
        return
    content = archive.extractfile(entry) or io.BytesIO()
    with target.open("xb") as file:
        while piece := content.read(PIECE):
            file.write(piece)
    target.chmod(0o755 if entry.mode & 0o111 else 0o644)


def check_link(name: str, goal: str) -> None:
    """A link may lead to another place in the same folder: up first, then down, for below may be another link."""
    parts = PurePosixPath(goal).parts
    up = next((number for number, part in enumerate(parts) if part != ".."), len(parts))
    if PurePosixPath(goal).is_absolute() or ".." in parts[up:] or up >= len(PurePosixPath(name).parts):
        raise BotError(f"expected links that stay in the bot's folder, got {name} -> {goal[:80]}")


def _check_size(source: Path, count: int, size: int) -> None:
    if count > MOST_FILES:
        raise BotError(f"expected at most {MOST_FILES:,} files in a bot, got more in {source}")
    if size > MOST_BYTES:
        raise BotError(f"expected at most {MOST_BYTES >> 20} MB in a bot, got more in {source}")
