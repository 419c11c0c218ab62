"""An export taken apart and put together again, as somebody with bad intentions would."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import zstandard

Members = dict[str, bytes]


def members(path: Path) -> Members:
    unpacked = zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read()
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as tar:
        return {one.name: tar.extractfile(one).read() for one in tar.getmembers()}  # type: ignore[union-attr]


def pack(path: Path, content: Members, add: Callable[[tarfile.TarFile], None] = lambda tar: None) -> None:
    tarred = io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in content.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
        add(tar)
    path.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(tarred.getvalue()))
