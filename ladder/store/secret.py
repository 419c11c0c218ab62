"""The secret of a ladder, which keys its deals: a file that only its owner can read, never a row.

Bots own the engines' code, so whoever knows a deal's seed knows every card.
"""

import contextlib
import os
import re
import secrets
import tempfile
from hashlib import blake2b
from pathlib import Path

from arena.home import Home
from ladder.store.errors import StoreError, reason
from ladder.store.rows import LadderSpec

BYTES = 16
SECRET = re.compile(r"[0-9a-f]{32}")


def path_of(home: Home, spec: LadderSpec) -> Path:
    """Where the secret of a ladder belongs."""
    return home.path / "secrets" / blake2b(spec.key.encode(), digest_size=16).hexdigest()


def practice(seed: int) -> str:
    """The secret of every ladder with this seed: repeatable, hence none at all."""
    return blake2b(str(seed).encode(), digest_size=BYTES, person=b"arena practice").hexdigest()


def read(home: Home, spec: LadderSpec) -> str | None:
    """The secret of a ladder, if it has one."""
    if spec.seed is not None:
        return practice(spec.seed)
    path = path_of(home, spec)
    try:
        text = path.read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"the ladder's secret {path} cannot be read: {reason(error)}") from None
    if not SECRET.fullmatch(text):
        raise StoreError(f"the ladder's secret {path} is damaged: expected 32 hexadecimal digits; restore a copy of it")
    return text


def make(home: Home, spec: LadderSpec) -> str:
    """A new secret for a ladder; the one that is there already, if another process was first."""
    home.folder("secrets")
    write(home, spec, secrets.token_hex(BYTES))
    found = read(home, spec)
    assert found is not None
    return found


def write(home: Home, spec: LadderSpec, secret: str) -> None:
    """Keep a secret, whole or not at all; one that is there already stays."""
    path = path_of(home, spec)
    home.folder("secrets")
    try:
        descriptor, part = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        try:
            with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123 - a descriptor, not a path
                file.write(f"{secret}\n")
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(part)  # unlike a rename, it replaces nothing
        finally:
            Path(part).unlink()
        _sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"the ladder's secret {path} was not written: {reason(error)}") from None


def lost(home: Home, spec: LadderSpec) -> StoreError:
    """The sentence for a ladder that cannot be played on."""
    return StoreError(
        f"the secret of this ladder is missing: expected {path_of(home, spec)}; restore a copy of it, or import an "
        "export that holds it, since its deals cannot be repeated without"
    )


def _sync_folder(folder: Path) -> None:
    for path in (folder, folder.parent):
        descriptor = os.open(path, os.O_RDONLY)
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
        os.close(descriptor)
