"""One match as a file: zstd-compressed JSON, written whole or not at all, read strictly, and found again.

A record holds game, options, entrants, seed, actions, clocks, faults, and the version that wrote it.
"""

import contextlib
import dataclasses
import errno
import json
import os
import re
import secrets
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import zstandard

from arena import __version__
from arena.engine.options import Value
from arena.errors import UserError
from arena.home import Home
from arena.limits import Limits, Usage
from arena.match import (
    ClockRule,
    Decided,
    Entrant,
    Evidence,
    Fault,
    FaultKind,
    MatchResult,
    MatchSpec,
    Printed,
    TimeControl,
)

FORMAT = "arena record"
VERSION = 1
POLICY = "faulty seats rank last, a substitute plays them on"
SUFFIX = ".arena"
LAST = "last"  # the reference of the newest record

MAX_FILE = 4 << 20  # bytes; the longest match of any game takes a few thousand
PIECE = 512  # bytes to unpack at once: they hold 16 MiB at most, so a bomb is seen before it fills the memory
MAX_TEXT = 16 << 20  # bytes once decompressed, so that a small file cannot fill the memory

MAX_PRINTED = 4096  # characters of what a seat printed

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: nothing that looks like something else
MATCH_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,63}")
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class RecordError(UserError):
    """A record that cannot be found, read or written; the sentence names the file."""


def new_match_id() -> str:
    """Two characters for the day, so that ids of a day lie together, and eight of luck."""
    day = int(time.time() // 86_400) % 1024
    return _digit(day >> 5) + _digit(day) + "".join(_digit(secrets.randbits(5)) for _ in range(8))


def path_of(home: Home, match_id: str) -> Path:
    """Where the record of this match belongs."""
    return _path_in(home.records, match_id)


def _path_in(folder: Path, match_id: str) -> Path:
    if not MATCH_ID.fullmatch(match_id):
        raise RecordError(f"expected a match id of letters, digits, - and _, got {match_id[:80]!r}")
    return folder / match_id[:2] / f"{match_id}{SUFFIX}"


# Writing


def write(home: Home, result: MatchResult) -> Path:
    """Keep a match in its home; it is on the disk when this returns, or an error says why not."""
    return write_all(home, [result])[0]


def write_all(home: Home, results: Iterable[MatchResult]) -> list[Path]:
    """Keep matches in their home; all are on the disk when this returns of one by one."""
    folder = home.records
    found = [(_path_in(folder, result.spec.match_id), result) for result in results]
    _write_files(dict(found))
    return [path for path, _ in found]


def write_file(path: Path, result: MatchResult) -> None:
    """Write one record, whole or not at all."""
    _write_files({path: result})


def _write_files(results: Mapping[Path, MatchResult]) -> None:
    compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
    replace_files({path: compressor.compress(_text(result).encode()) for path, result in results.items()})


def replace_files(contents: Mapping[Path, bytes]) -> None:
    """Write files that are each whole or not there; when this returns they are on the disk, names and all."""
    parts: dict[Path, Path] = {}
    path = Path()  # the one that an error is about
    try:
        for path, data in contents.items():
            _make_folder(path.parent)
            parts[path] = _part(path.parent, data)
        for part in parts.values():  # once all are written: the first of these then does most of the work of all
            _sync(part)
        for path, part in parts.items():
            part.replace(path)
        for folder in {path.parent for path in contents}:
            _sync_folder(folder)
    except OSError as error:
        raise RecordError(_why_not_written(path, error)) from None
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _part(folder: Path, data: bytes) -> Path:
    """A file under a name that nobody looks for."""
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
    try:
        with open(descriptor, "wb", buffering=0) as file:  # noqa: PTH123 - a descriptor, not a path
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _make_folder(folder: Path) -> None:
    """A new folder is on the disk once the one around it is."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    """A rename is on the disk once its folder is; some file systems cannot do that, and need not."""
    with contextlib.suppress(OSError):
        _sync(folder)


def _why_not_written(path: Path, error: OSError) -> str:
    if error.errno in NO_ROOM:
        return f"the record {path} was not written: the disk is full; free some space or choose another --home"
    return f"the record {path} was not written: {error.strerror or error}"


def _text(result: MatchResult) -> str:
    return json.dumps(_plain(result), separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _plain(result: MatchResult) -> dict[str, object]:
    spec = result.spec
    return {
        "format": FORMAT,
        "version": VERSION,
        "arena": __version__,
        "policy": POLICY,
        "match": spec.match_id,
        "game": spec.game,
        "options": dict(spec.options),
        "seed": spec.seed,
        "time": {"allowance_ms": spec.time.allowance_ms, "bank_ms": spec.time.bank_ms},
        "entrants": [
            {"bot": one.bot, "sha256": one.sha256, "process": one.process, "level": one.level} for one in spec.entrants
        ],
        "decisions": [_plain_decision(one) for one in result.decisions],
        "places": list(result.places),
        "scores": list(result.scores),
        "faults": [_plain_fault(one) for one in result.faults],
        "remarks": list(result.remarks),
        "clocks": [rule.value for rule in result.clocks],
        **({"logs": [one and dataclasses.asdict(one) for one in result.logs]} if result.logs else {}),
    }


def _plain_fault(fault: Fault) -> dict[str, object]:
    evidence = fault.evidence
    return {
        "kind": fault.kind.value,
        "seat": fault.seat,
        "decision": fault.decision,
        "sentence": fault.sentence,
        "log": list(evidence.log),
        "ended": evidence.ended,
        "limits": evidence.limits.plain() if evidence.limits else None,
        "usage": dataclasses.asdict(evidence.usage),
    }


def _plain_decision(decided: Decided) -> list[int]:
    plain = [decided.seat, decided.action, decided.micros]
    return [*plain, 1] if decided.substitute else plain


# Reading


def read(path: Path) -> MatchResult:
    """The match of a record; RecordError for anything but a whole record of this format."""
    return parse(_content(path), path)


def parse(packed: bytes, path: Path) -> MatchResult:
    """The match of a record's bytes; `path` is what errors call it."""
    fields = _fields(packed, path)
    try:
        return _result(fields)
    except _ShapeError as error:
        raise RecordError(f"{path} is no whole record: {error}") from None


def written_by(path: Path) -> str:
    """The version of arena that wrote a record."""
    return str(_fields(_content(path), path).get("arena"))


class _ShapeError(Exception):
    """What was expected where in a record, and what was there."""


def _fields(packed: bytes, path: Path) -> dict[str, Any]:
    if len(packed) > MAX_FILE:
        raise RecordError(f"{path} is not a match record: expected at most {MAX_FILE >> 20} MiB")
    fields = _parsed(path, _unpacked(path, packed))
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise RecordError(f"{path} is not a match record")
    version = fields.get("version")
    if type(version) is not int or version != VERSION:
        raise RecordError(f"{path}: expected a record of version {VERSION}, got {version!r}; a newer arena may read it")
    return fields


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE + 1)
    except OSError as error:
        raise RecordError(f"cannot read the record {path}: {error.strerror or error}") from None


def _unpacked(path: Path, packed: bytes) -> bytes:
    """The content of exactly one zstd frame, which carries its own checksum."""
    if not packed.startswith(zstandard.FRAME_HEADER):
        raise RecordError(f"{path} is not a match record")
    unpacking = zstandard.ZstdDecompressor(max_window_size=MAX_TEXT).decompressobj()
    text = bytearray()
    try:
        for start in range(0, len(packed), PIECE):
            text += unpacking.decompress(packed[start : start + PIECE])
            if len(text) > MAX_TEXT:
                raise RecordError(f"{path} is not a match record: it unpacks to more than {MAX_TEXT >> 20} MiB")
            if unpacking.eof:
                _nothing_after(path, unpacking.unused_data or packed[start + PIECE :])
                return bytes(text)
    except (zstandard.ZstdError, MemoryError) as error:
        raise RecordError(f"{path} is damaged: {error}") from None
    raise RecordError(f"{path} is damaged: its end is missing")


def _nothing_after(path: Path, surplus: bytes) -> None:
    if surplus:
        raise RecordError(f"{path} is damaged: something follows after its end")


def _parsed(path: Path, text: bytes) -> Any:
    try:
        return json.loads(text.decode(), parse_constant=_refuse, parse_float=_refuse)
    except (ValueError, RecursionError):
        raise RecordError(f"{path} is not a match record") from None


def _refuse(number: str) -> NoReturn:
    raise ValueError(f"expected whole numbers only, got {number}")


def _result(fields: dict[str, Any]) -> MatchResult:
    if fields.get("policy") != POLICY:
        raise _ShapeError(f"policy: expected {POLICY!r}, got {fields.get('policy')!r}")
    spec = _spec(fields)
    seats = len(spec.entrants)
    return MatchResult(
        spec=spec,
        decisions=tuple(_decision(one, seats) for one in _list(fields, "decisions")),
        places=tuple(_checked("places", one, int) for one in _per_seat(fields, "places", seats)),
        scores=tuple(_checked("scores", one, int) for one in _per_seat(fields, "scores", seats)),
        faults=tuple(_fault(one, seats) for one in _list(fields, "faults")),
        remarks=tuple(_checked("remarks", one, str) for one in _list(fields, "remarks")),
        clocks=_clocks(fields, seats),
        logs=tuple(_log(one) for one in _per_seat(fields, "logs", seats)) if "logs" in fields else (),
    )


def _spec(fields: dict[str, Any]) -> MatchSpec:
    clock, entrants = _field(fields, "time", dict), _list(fields, "entrants")
    match_id = _field(fields, "match", str)
    if not MATCH_ID.fullmatch(match_id):
        raise _ShapeError("match: expected an id of letters, digits, - and _, got something else")
    if not entrants:
        raise _ShapeError("entrants: expected at least one, got none")
    return MatchSpec(
        match_id=match_id,
        game=_field(fields, "game", str),
        options={name: _option(name, value) for name, value in _field(fields, "options", dict).items()},
        entrants=tuple(_entrant(one) for one in entrants),
        seed=_field(fields, "seed", int),
        time=TimeControl(_natural(clock, "allowance_ms"), _natural(clock, "bank_ms")),
    )


def _entrant(given: Any) -> Entrant:
    plain = _checked("entrants", given, dict)
    names = [_field(plain, key, str) for key in ("bot", "sha256", "level")]
    return Entrant(names[0], names[1], _natural(plain, "process"), names[2])


def _decision(given: Any, seats: int) -> Decided:
    if type(given) is not list or len(given) not in (3, 4) or any(type(number) is not int for number in given):
        raise _ShapeError(f"decisions: expected [seat, action, micros], got {_short(given)}")
    seat, action, micros = given[:3]
    if not 0 <= seat < seats or micros < 0 or given[3:] not in ([], [1]):
        raise _ShapeError(f"decisions: expected a seat below {seats} and no negative time, got {_short(given)}")
    return Decided(seat, action, micros, substitute=len(given) == 4)


def _fault(given: Any, seats: int) -> Fault:
    plain = _checked("faults", given, dict)
    kind, seat = _field(plain, "kind", str), _natural(plain, "seat")
    if kind not in [known.value for known in FaultKind]:
        raise _ShapeError(f"faults: expected one of {', '.join(FaultKind)}, got {_short(kind)}")
    if seat >= seats:
        raise _ShapeError(f"faults: expected a seat below {seats}, got {seat}")
    decision = None if plain.get("decision", 0) is None else _natural(plain, "decision")
    return Fault(FaultKind(kind), seat, decision, _field(plain, "sentence", str), _evidence(plain))


def _clocks(fields: dict[str, Any], seats: int) -> tuple[ClockRule, ...]:
    rules = _list(fields, "clocks")
    if any(rule not in [*ClockRule] for rule in rules) or len(rules) not in (0, seats):
        raise _ShapeError(f"clocks: expected {' or '.join(ClockRule)} for each of {seats} seats, got {_short(rules)}")
    return tuple(map(ClockRule, rules))


def _evidence(fault: dict[str, Any]) -> Evidence:
    limits, usage = fault.get("limits"), _field(fault, "usage", dict)
    return Evidence(
        log=tuple(_checked("log", line, str) for line in _list(fault, "log")),
        ended=_field(fault, "ended", str),
        limits=None if limits is None else Limits(**_numbers("limits", limits, Limits)),
        usage=Usage(**_numbers("usage", usage, Usage)),
    )


def _numbers(name: str, given: Any, kind: type[Limits | Usage]) -> dict[str, Any]:
    """The numbers of a plain value, none of them missing; in a usage some may not be known."""
    plain = _checked(name, given, dict)
    wanted = [field.name for field in dataclasses.fields(kind)]
    known = [value for value in plain.values() if value is not None or kind is Limits]
    if [*plain] != wanted or any(type(value) is not int or value < 0 for value in known):
        raise _ShapeError(f"{name}: expected whole numbers for {', '.join(wanted)}, got {_short(given)}")
    return {**plain}


def _log(given: Any) -> Printed | None:
    if given is None:
        return None
    plain = _checked("logs", given, dict)
    text: str = _field(plain, "text", str)
    if len(text) > MAX_PRINTED:
        raise _ShapeError(f"logs: expected at most {MAX_PRINTED} characters for a seat, got {len(text)}")
    return Printed(text, _natural(plain, "left_out"), _natural(plain, "others"))


def _per_seat(fields: dict[str, Any], name: str, seats: int) -> list[Any]:
    found = _list(fields, name)
    if len(found) != seats:
        raise _ShapeError(f"{name}: expected one for each of {seats} seats, got {len(found)}")
    return found


def _option(name: str, value: Any) -> Value:
    if type(value) not in (str, int, bool):
        raise _ShapeError(f"options: expected a text, number or switch for {name}, got {_short(value)}")
    option: Value = value
    return option


def _natural(fields: dict[str, Any], name: str) -> int:
    number: int = _field(fields, name, int)
    if number < 0:
        raise _ShapeError(f"{name}: expected a number from 0, got {_short(number)}")
    return number


def _list(fields: dict[str, Any], name: str) -> list[Any]:
    found: list[Any] = _field(fields, name, list)
    return found


def _field(fields: dict[str, Any], name: str, kind: type) -> Any:
    if name not in fields:
        raise _ShapeError(f"expected a field {name!r}, got none")
    return _checked(name, fields[name], kind)


def _checked(name: str, value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise _ShapeError(f"{name}: expected {kind.__name__}, got {_short(value)}")
    return value


def _short(value: object) -> str:
    return repr(value)[:60]


# Finding


def find(home: Home, reference: str) -> Path:
    """The record of a match id, of the unique beginning of one, of a path, or the `last` one."""
    if "/" in reference or reference.endswith(SUFFIX) or Path(reference).is_file():
        return _existing(Path(reference))
    if reference == LAST:
        return _newest(home)
    found = sorted(_beginning_with(home, reference))
    exact = [path for path in found if path.stem == reference]
    if len(found) == 1 or exact:
        return (exact or found)[0]
    if not found:
        raise RecordError(f"expected a match, got {reference!r}: no record in {_folder(home)} begins with it")
    some = ", ".join(path.stem for path in found[:4])
    raise RecordError(f"expected one match, got {reference!r}, which begins {len(found)} of them: {some}...")


def stored(home: Home) -> Iterator[Path]:
    """Every record of a home, in no order."""
    return _beginning_with(home, "")


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise RecordError(f"expected a record, got {path}, which {'is no file' if path.exists() else 'does not exist'}")
    return path


def _newest(home: Home) -> Path:
    times = {path: path.stat().st_mtime_ns for path in stored(home)}
    if not times:
        raise RecordError(f"expected a match, got none: no match was played in {home.path} yet")
    return max(times, key=times.__getitem__)


def _beginning_with(home: Home, start: str) -> Iterator[Path]:
    if start and not re.fullmatch(r"[A-Za-z0-9_-]+", start):
        return
    for folder in _folder(home).glob(f"{start[:2]}*/"):
        yield from folder.glob(f"{start}*{SUFFIX}")


def _folder(home: Home) -> Path:
    """The records' folder for those who only read: it is not made, and need not be writable."""
    return home.path / "records"


def _digit(number: int) -> str:
    return ALPHABET[number & 31]
