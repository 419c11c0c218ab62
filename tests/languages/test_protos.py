"""Generated code that templates bring is of the protos that are here: PROTOS beside it holds their hashes."""

from hashlib import sha256
from pathlib import Path

import pytest

from arena.submission import templates
from tests.languages.ready import ROOT

FILES = sorted(path for folder in templates.languages().values() for path in folder.rglob("PROTOS"))
WITH_PROTOS = [path for path in FILES if not {"vendor", "node_modules", "target", "build"} & {*path.parts}]


@pytest.mark.parametrize("path", WITH_PROTOS, ids=lambda path: str(path.relative_to(ROOT)))
def test_generated_code_is_of_these_protos(path: Path) -> None:
    protos = sorted((ROOT / "proto" / "arena").rglob("*.proto"), key=lambda proto: str(proto).encode())
    there = [f"{sha256(one.read_bytes()).hexdigest()}  {one.relative_to(ROOT / 'proto').as_posix()}" for one in protos]
    again = ROOT / "agents" / "templates" / path.relative_to(ROOT / "agents" / "templates").parts[0] / "generate"
    assert path.read_text().splitlines() == there, f"the protos have changed: run {again}"
