"""Regenerates the wire's Python code from the .proto files: `python3 run.py protos`; --check only compares.

The tools live in an environment of their own, .venv-proto, since they cannot stand beside the newest protobuf.
Their version is pinned: code from a newer one would ask every user for the newest runtime. Service stubs are left
out: they carry such a pin too, and the referee and the SDK need no more than the names of the methods.
"""

import argparse
import filecmp
import importlib.resources
import subprocess
import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent
ROOT = PROTO.parent
MARKER = '"""Generated from proto/ by `python3 run.py protos`; do not edit."""\n'


def main() -> None:
    """Read the command line and do what it asks."""
    about = "Regenerate the wire's Python code from proto/."
    parser = argparse.ArgumentParser(prog="run.py protos", description=about)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--check", action="store_true", help="compare with what is there, and change nothing")
    modes.add_argument("--lint", action="store_true", help="check the style of the .proto files")
    modes.add_argument("--breaking", metavar="FOLDER", help="check that nothing of an earlier checkout breaks")
    chosen = parser.parse_args()
    if chosen.check:
        sys.exit(check())
    if chosen.lint:
        sys.exit(buf("lint"))
    if chosen.breaking:
        sys.exit(buf("breaking", "--against", chosen.breaking))
    regenerate()


def buf(*arguments: str) -> int:
    """Run buf on the checkout."""
    return subprocess.run([Path(sys.executable).parent / "buf", *arguments], cwd=ROOT, check=False).returncode


def regenerate() -> None:
    """Replace the generated code of the checkout."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        for name in sorted(generated(ROOT) - generated(fresh)):
            (ROOT / name).unlink()
        for name in sorted(generated(fresh)):
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_bytes((fresh / name).read_bytes())
            print(name)


def check() -> int:
    """Name every file that differs from what the .proto files give; 1 if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        names = sorted(generated(ROOT) | generated(fresh))
        different = [name for name in names if not same(ROOT / name, fresh / name)]
    for name in different:
        print(f"{name} is not what proto/ gives: run `python3 run.py protos`.", file=sys.stderr)
    return 1 if different else 0


def generate(target: Path) -> None:
    """Write the Python code of every .proto file under this folder."""
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    well_known = str(importlib.resources.files("grpc_tools") / "_proto")
    options = [f"-I{PROTO}", f"-I{well_known}", f"--python_out={target}", f"--pyi_out={target}"]
    if protoc.main(["protoc", *options, *sources]) != 0:
        sys.exit(1)  # protoc has said why
    for folder in {path.parent for path in target.rglob("*_pb2.py")}:
        (folder / "__init__.py").write_text(MARKER, encoding="utf-8")


def generated(root: Path) -> set[str]:
    """The generated files under a root, as paths from it."""
    folders = {path.parent for path in root.glob("arena/**/v1/*_pb2.py*")}
    files = {path for folder in folders for path in (*folder.glob("*_pb2.py*"), folder / "__init__.py")}
    return {path.relative_to(root).as_posix() for path in files}


def same(one: Path, other: Path) -> bool:
    """Whether both files are there with the same content."""
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)


if __name__ == "__main__":
    main()
