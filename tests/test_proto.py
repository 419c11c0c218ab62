"""The committed wire code is what proto/ gives, the protos keep their style, and they only grow."""

import io
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WIRE = "proto/arena/wire/v1/referee_service.proto"


@pytest.fixture(scope="module", autouse=True)
def _tools() -> None:
    made = protos("--help")
    if made.returncode != 0:
        pytest.skip(f"needs the proto tools, which could not be set up: {made.stderr[-300:]}")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the tools read, where a test may change it."""
    for name in ("buf.yaml", "proto", "arena"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def protos(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The command of the checkout, or in a copy the same script with the checkout's tools."""
    command = [sys.executable, "run.py", "protos"]
    if root != ROOT:
        command = [str(ROOT / ".venv-proto/bin/python"), "proto/generate.py"]
    return subprocess.run([*command, *arguments], cwd=root, capture_output=True, text=True, check=False)


def earlier_checkout(folder: Path) -> Path:
    """The protos of the commit to compare with: of main, or if nothing differs from it, of the change before."""
    commits = commits_with_protos()
    for commit in commits:
        packed = git("archive", "--format=tar", commit, "proto", "buf.yaml")
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder / commit, filter="data")
        if not same_protos(folder / commit):
            return folder / commit
    return folder / commits[-1]


def commits_with_protos() -> list[str]:
    """The last two commits of main that changed a proto, newest first; of HEAD where the checkout has no main."""
    for branch in ("main", "HEAD"):
        try:
            found = git("log", "-2", "--format=%H", branch, "--", "proto/arena").decode().split()
        except (subprocess.CalledProcessError, FileNotFoundError):
            continue
        if found:
            return found
    pytest.skip("needs a commit that holds protos")


def same_protos(folder: Path) -> bool:
    """Whether an earlier checkout has the protos of this one."""
    return {p.relative_to(folder): p.read_bytes() for p in (folder / "proto").rglob("*.proto")} == {
        p.relative_to(ROOT): p.read_bytes() for p in (ROOT / "proto").rglob("*.proto")
    }


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout


def test_committed_code_is_what_the_protos_give() -> None:
    result = protos("--check")
    assert result.returncode == 0, result.stderr


def test_protos_keep_their_style() -> None:
    result = protos("--lint")
    assert result.returncode == 0, result.stdout + result.stderr


def test_protos_break_nothing_that_main_has(tmp_path: Path) -> None:
    result = protos("--breaking", str(earlier_checkout(tmp_path)))
    assert result.returncode == 0, result.stdout + result.stderr


def test_an_edited_proto_is_noticed(copy: Path) -> None:
    path = copy / WIRE
    path.write_text(path.read_text() + "\nmessage Added { string text = 1; }\n")
    result = protos("--check", root=copy)
    assert result.returncode == 1
    assert "arena/wire/v1/referee_service_pb2.py is not what proto/ gives" in result.stderr


def test_code_without_a_proto_is_noticed_and_removed(copy: Path) -> None:
    leftover = copy / "arena/wire/v1/gone_pb2.py"
    leftover.write_text("")
    assert "gone_pb2.py is not what proto/ gives" in protos("--check", root=copy).stderr
    assert protos(root=copy).returncode == 0
    assert not leftover.exists()
    assert protos("--check", root=copy).returncode == 0


def test_a_removed_field_is_a_break(copy: Path) -> None:
    path = copy / WIRE
    path.write_text(path.read_text().replace("string token = 1;", ""))
    result = protos("--breaking", str(ROOT), root=copy)
    assert result.returncode != 0
    assert "token" in result.stdout


def test_a_wrong_name_is_bad_style(copy: Path) -> None:
    path = copy / WIRE
    path.write_text(path.read_text().replace("string token = 1;", "string badName = 1;"))
    result = protos("--lint", root=copy)
    assert result.returncode != 0
    assert "bad_name" in result.stdout
