"""Packages for Node: `npm ci` without scripts brings what package-lock.json names.

Addresses in the lock file are checked and left out: the package of that name and version comes from whatever registry
the machine uses, and counts only if it has the hash that the lock file says.
"""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from arena.bots import BotError
from arena.submission.fetch.model import Fetcher, read_json, shown, table

_LOCK: Final = "package-lock.json"
_NAME: Final = r"(?:@[a-z0-9~_.-]+/)?[A-Za-z0-9~_.-]+"
_PLACE: Final = re.compile(rf"node_modules/({_NAME})(?:/node_modules/({_NAME}))*")
_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.+-]+)?")
_HASHES: Final = re.compile(r"sha(?:256|384|512)-[A-Za-z0-9+/]+={0,2}(?: sha(?:256|384|512)-[A-Za-z0-9+/]+={0,2})*")
_ADDRESS: Final = re.compile(rf"https://[^/@\s]+/(?:[^\s?#]+/)?{_NAME}/-/[^/\s?#]+\.tgz")
_LONGEST: Final = 2048  # of an address; patterns take their time with longer ones
_ALIAS: Final = re.compile(rf"npm:{_NAME}(?:@[^:/]*)?")
_DEPENDENCIES: Final = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides")
_KEPT: Final = (*_DEPENDENCIES, "name", "version", "peerDependenciesMeta", "bundleDependencies", "engines")
_ASKED: Final = "--ignore-scripts --no-audit --no-fund --no-update-notifier --no-progress --fetch-retry-mintimeout=2000"


def lay_out(bot: Path, project: Path) -> None:
    """Both files with no more in them than the names, versions and hashes of packages."""
    manifest = read_json(bot, "package.json", "that names the packages")
    lock = read_json(bot, _LOCK, "with the hashes of the packages")
    _check_manifest(manifest)
    _write(project / "package.json", {key: manifest[key] for key in _KEPT if key in manifest})
    version = lock.get("lockfileVersion")
    if version not in (2, 3):
        raise BotError(f"{_LOCK}: expected lockfileVersion 2 or 3, got {shown(version)}")
    packages = table(_LOCK, "packages", lock.get("packages"))
    sound = {place: _checked(place, table(_LOCK, place or "the bot", entry)) for place, entry in packages.items()}
    _write(project / _LOCK, {"lockfileVersion": 3, "requires": True, "packages": sound})


def command(project: Path) -> list[str]:
    """Brings the packages."""
    del project
    return ["npm", "ci", *_ASKED.split()]


def tidy(project: Path) -> int:
    """Take out npm's own list, in which the machine's registry stands."""
    listed = project / "node_modules" / ".package-lock.json"
    if not listed.is_file():
        return 0
    packages = json.loads(listed.read_text(encoding="utf-8"))["packages"]
    listed.unlink()
    shutil.rmtree(project / "node_modules" / ".cache", ignore_errors=True)
    return len(packages)


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2), encoding="utf-8")


def _check_manifest(manifest: dict[str, Any]) -> None:
    if manifest.get("workspaces"):
        raise BotError("package.json: expected one package, got workspaces")
    for section in _DEPENDENCIES:
        for name, wanted in _wishes(table("package.json", section, manifest.get(section, {}))):
            _check_wish("package.json", name, wanted)


def _wishes(wanted: dict[str, Any]) -> Iterator[tuple[str, object]]:
    for name, value in wanted.items():
        if isinstance(value, dict):  # overrides may be nested
            yield from _wishes(value)
        else:
            yield name, value


def _check_wish(file: str, name: str, wanted: object) -> None:
    plain = isinstance(wanted, str) and ":" not in wanted and "/" not in wanted
    if not plain and not (isinstance(wanted, str) and _ALIAS.fullmatch(wanted)):
        raise BotError(f"{file}: expected a version of {name} in the registry, got {shown(wanted)}")


def _checked(place: str, entry: dict[str, Any]) -> dict[str, Any]:
    """An entry of the lock file, without an address."""
    if place == "":
        _check_manifest(entry)
        return {key: entry[key] for key in _KEPT if key in entry}
    if not _PLACE.fullmatch(place) or "/../" in f"/{place}/" or "/./" in f"/{place}/":
        raise BotError(f"{_LOCK}: expected packages in node_modules, got {shown(place)}")
    if entry.get("link"):
        raise BotError(
            f"{_LOCK}: expected {place} to come from the registry, got a link to {shown(entry.get('resolved'))}"
        )
    if not _VERSION.fullmatch(str(entry.get("version"))):
        raise BotError(f"{_LOCK}: expected a version of {place}, got {shown(entry.get('version'))}")
    address, hashes = entry.get("resolved"), entry.get("integrity")
    if address is not None and not _ADDRESS.fullmatch(str(address)[:_LONGEST]):
        raise BotError(f"{_LOCK}: expected {place} to come from the registry, got {shown(address)}")
    if not entry.get("inBundle") and not _HASHES.fullmatch(str(hashes)):
        raise BotError(f"{_LOCK}: expected a hash (integrity) of {place}, got {shown(hashes)}")
    if not re.fullmatch(_NAME, str(entry.get("name", "named"))):
        raise BotError(f"{_LOCK}: expected the name of a package for {place}, got {shown(entry.get('name'))}")
    return {key: value for key, value in entry.items() if key != "resolved"}


FETCHER: Final = Fetcher(
    packages="packages",
    tool="npm",
    package="Node with npm",
    lay_out=lay_out,
    command=command,
    environment={"npm_config_cache": "{home}/.npm", "npm_config_ignore_scripts": "true"},
    tidy=tidy,
)
