"""Crates for Rust: `cargo vendor` brings what Cargo.lock names, or what Cargo.toml asks for where there is no lock.

Only crates of the usual registry, by number and checksum. Cargo looks for a package's programs before it does
anything, so it is shown empty files of their names; the code itself it does not need.
"""

import hashlib
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from arena.bots import BotError, files
from arena.submission.fetch.model import Fetcher, read_text, read_toml, shown, table, tables

# How every lock file names the usual registry, by its hash: this project names no registry's address.
_USUAL: Final = "c19b7c6f923b580ac259164a89f2577984ad5ab09ee9d583b888f934adbbe8d0"
_CHECKSUM: Final = re.compile(r"[0-9a-f]{64}")
_DEPENDENCIES: Final = (
    "dependencies",
    "dev-dependencies",
    "build-dependencies",
    "dev_dependencies",
    "build_dependencies",
)
_FOREIGN: Final = ("git", "path", "registry", "registry-index", "base", "workspace", "branch", "tag", "rev")
_TABLES: Final = ("patch", "replace")
_VENDORED: Final = (
    '[source.crates-io]\nreplace-with = "vendored-sources"\n\n[source.vendored-sources]\ndirectory = "vendor"\n'
)
_CONFIG: Final = ".cargo/config.toml"


def lay_out(bot: Path, project: Path) -> None:
    """The manifest, the lock file if there is one, and the names of the sources."""
    manifest = read_toml(bot, "Cargo.toml", "that names the crates")
    _check_manifest(manifest)
    (project / "Cargo.toml").write_text(read_text(bot, "Cargo.toml", ""), encoding="utf-8")
    if (bot / "Cargo.lock").exists():
        _check_lock(read_toml(bot, "Cargo.lock", ""), manifest)
        (project / "Cargo.lock").write_text(read_text(bot, "Cargo.lock", ""), encoding="utf-8")
    for name, _ in files(bot):
        if name.endswith(".rs"):
            target = project / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
    _configure(bot, project)


def command(project: Path) -> list[str]:
    """Brings the crates; what the lock file says is never changed."""
    locked = ["--locked"] if (project / "Cargo.lock").exists() else []
    return ["cargo", "vendor", *locked, "--respect-source-config", "vendor"]


def tidy(project: Path) -> int:
    """Leave all as it is; without dependencies there is no folder."""
    (project / "config").replace(_made(project / _CONFIG))
    vendor = project / "vendor"
    return sum(path.is_dir() for path in vendor.iterdir()) if vendor.is_dir() else 0


def _made(path: Path) -> Path:
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir()
    return path


def _configure(bot: Path, project: Path) -> None:
    """The bot's own settings, with the word that its crates lie in its folder; kept apart while the tool runs."""
    own = read_text(bot, _CONFIG, "") if (bot / _CONFIG).exists() else ""
    if (bot / ".cargo" / "config").exists():
        raise BotError("expected settings of cargo in .cargo/config.toml, got .cargo/config: rename it")
    given = read_toml(bot, _CONFIG, "").get("source") if own else None
    if given is None:
        own = f"{own.rstrip()}\n\n{_VENDORED}".lstrip()
    elif given != tomllib.loads(_VENDORED)["source"]:
        raise BotError(f"{_CONFIG}: expected no [source], since arena says there where the crates lie, got one")
    (project / "config").write_text(own, encoding="utf-8")


def _check_manifest(manifest: dict[str, Any]) -> None:
    for name in _TABLES:
        if name in manifest:
            raise BotError(f"Cargo.toml: expected crates of the usual registry alone, got [{name}]")
    workspace = table("Cargo.toml", "[workspace]", manifest.get("workspace", {}))
    package = table("Cargo.toml", "[package]", manifest.get("package", {}))
    if workspace.get("members") or "workspace" in package:
        raise BotError("Cargo.toml: expected one package, got a workspace of several")
    for section, name, wanted in _wanted(manifest):
        for key in _FOREIGN if isinstance(wanted, dict) else ():
            if key in wanted:
                raise BotError(
                    f"Cargo.toml: expected {name} in [{section}] to come from the usual registry, "
                    f"got {key} = {shown(wanted[key])}"
                )


def _wanted(manifest: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    targets = table("Cargo.toml", "[target]", manifest.get("target", {}))
    workspace = table("Cargo.toml", "[workspace]", manifest.get("workspace", {}))
    places: list[tuple[str, dict[str, Any]]] = [("", manifest), ("workspace.", workspace)]
    places += [(f"target.{name}.", table("Cargo.toml", "a target", value)) for name, value in targets.items()]
    for start, place in places:
        for section in _DEPENDENCIES:
            for name, wanted in table("Cargo.toml", f"[{start}{section}]", place.get(section, {})).items():
                yield f"{start}{section}", name, wanted


def _check_lock(lock: dict[str, Any], manifest: dict[str, Any]) -> None:
    own = manifest.get("package", {}).get("name")
    for entry in tables("Cargo.lock", "[[package]]", lock.get("package", [])):
        name, source = entry.get("name"), entry.get("source")
        if source is None and name == own:
            continue
        if not isinstance(source, str) or hashlib.sha256(source.encode()).hexdigest() != _USUAL:
            got = shown(source) if source is not None else "a folder"
            raise BotError(f"Cargo.lock: expected {name} to come from the usual registry, got {got}")
        if not _CHECKSUM.fullmatch(str(entry.get("checksum"))):
            raise BotError(f"Cargo.lock: expected a checksum of {name}, got {shown(entry.get('checksum'))}")


FETCHER: Final = Fetcher(
    packages="crates",
    tool="cargo",
    package="Rust, for example by rustup",
    lay_out=lay_out,
    command=command,
    environment={"CARGO_HOME": "{home}/.cargo", "CARGO_TERM_COLOR": "never", "CARGO_TARGET_DIR": "{home}/target"},
    tidy=tidy,
    also=("Cargo.lock", _CONFIG),
)
