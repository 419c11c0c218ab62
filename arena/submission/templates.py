"""New bots from templates: a folder for each language, copied with the protos and named after its author's bot.

Every folder of agents/templates with a bot.toml is one; its manifest keeps its comments and its layout.
"""

import json
import re
import shutil
import stat
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena import bots
from arena.bots import MANIFEST, BotError, files
from arena.errors import nearest

OTHERWISE: Final = "a bot in any other language reads and writes lines of JSON, as docs/stdio.md tells"

_BROUGHT: Final = ("vendor", "node_modules")  # packages that somebody has fetched into a template
_NICKNAMES: Final = {
    "c++": "cpp",
    "cxx": "cpp",
    "golang": "go",
    "javascript": "typescript",
    "js": "typescript",
    "node": "typescript",
    "py": "python",
    "rb": "ruby",
    "rs": "rust",
    "ts": "typescript",
}


@dataclass(frozen=True)
class NewBot:
    """A bot folder that was made."""

    name: str
    language: str
    folder: Path  # as the user named it
    games: tuple[str, ...]
    author: str
    strategy: Path | None  # the file to edit
    build: tuple[str, ...]


def languages() -> dict[str, Path]:
    """The templates that came with arena, by language."""
    root = _shipped("agents/templates")
    return {path.parent.name: path.parent for path in sorted(root.glob(f"*/{MANIFEST}"))}


def examples() -> dict[str, Path]:
    """The examples of bots over stdio that came with arena, by language."""
    root = _shipped("agents/bridges")
    return {path.parent.name: path.parent for path in sorted(root.glob(f"*/{MANIFEST}"))}


def template(language: str) -> Path:
    """The template of a language; BotError for one that has none."""
    known = languages()
    meant = _NICKNAMES.get(language.lower(), language.lower())
    if meant in known:
        return known[meant]
    close = nearest(meant, known)
    hint = f"did you mean {close!r}?" if close else f"known here: {', '.join(known)};"
    raise BotError(f"expected a language with a template, got {language!r}: {hint} {OTHERWISE}")


def create(folder: Path, language: str, *, games: Sequence[str], author: str) -> NewBot:
    """Make a bot in a new folder, which gives it its name; BotError before anything is written if it cannot be."""
    source = template(language)
    name = folder.resolve().name
    bots.check_name(name)
    if not author.isprintable():
        raise BotError(f"expected an author's name on one line, got {author!r}")
    try:
        _lay_out(source, folder)
        manifest = folder / MANIFEST
        values: dict[str, str | Sequence[str]] = {"name": name, "author": author, "games": list(games)}
        manifest.write_text(changed(manifest.read_text(encoding="utf-8"), values), encoding="utf-8")
        build = tomllib.loads(manifest.read_text(encoding="utf-8")).get("build", [])
    except OSError as error:
        raise BotError(f"expected to make {folder}, got: {str(error.strerror or error).lower()}") from error
    strategy = next((path for path in sorted(folder.rglob("*")) if path.stem.lower() == "strategy"), None)
    return NewBot(name, source.name, folder, tuple(games), author, strategy, tuple(build))


def changed(text: str, values: Mapping[str, str | Sequence[str]]) -> str:
    """A manifest with other values for some keys of its top, and everything else as it was."""
    for key, value in values.items():
        text = _with(text, key, json.dumps(value, ensure_ascii=False))  # what it writes is TOML too
    return text


def _with(text: str, key: str, value: str) -> str:
    top = re.split(r"^[ \t]*\[", text, maxsplit=1, flags=re.MULTILINE)[0]
    found = re.search(rf'^[ \t]*"?{re.escape(key)}"?[ \t]*=[ \t]*', top, re.MULTILINE)
    if found is None:
        return f"{key} = {value}\n{text}"
    end = found.end() + len(_value(text[found.end() :]).rstrip())
    return text[: found.end()] + value + text[end:]


def _value(rest: str) -> str:
    """The value that a text begins with; a comment may follow it, or hold what looks like one."""
    for end in [mark.start() for mark in re.finditer(r"#|\n|\Z", rest)]:
        try:
            tomllib.loads(f"x = {rest[:end]}")
        except tomllib.TOMLDecodeError:
            continue
        return rest[:end]
    raise BotError(f"expected TOML in the template's {MANIFEST}, got: {rest[:40]!r}")


def _lay_out(source: Path, folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BotError(f"expected a new folder, got {folder}, which is a file")
    if folder.is_dir() and any(folder.iterdir()):
        raise BotError(f"expected a new or empty folder, got {folder}, in which there is something")
    manifest = tomllib.loads((source / MANIFEST).read_text(encoding="utf-8"))
    for name, path in files(source, (*manifest.get("leftovers", ()), *_BROUGHT)):
        _copy(path, folder / name)
    protos = _shipped("proto")
    for path in sorted(protos.glob("arena/**/*.proto")):
        _copy(path, folder / "proto" / path.relative_to(protos))


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target, follow_symlinks=False)
    if not target.is_symlink():
        target.chmod(target.stat().st_mode | stat.S_IWUSR)


def _shipped(place: str) -> Path:
    """Where something that came with arena lies: in the package, or beside it in a checkout."""
    package = Path(bots.__file__).parent
    return package / place if (package / place).is_dir() else package.parent / place
