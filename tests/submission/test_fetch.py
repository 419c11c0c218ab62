"""Packages that are really brought: by each tool, from its usual registry, and from one that means no good."""

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import threading
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from arena import runtime
from arena.bots import Bot
from arena.errors import UserError
from arena.sandbox import Launch
from arena.sandbox.contract import variables
from arena.submission import fetching
from arena.submission.failure import BuildError
from arena.submission.fetch import FETCHERS
from arena.submission.prepare import Prepared
from arena.submission.toolchains import found, path
from tests.submission.conftest import Making, Write

pytestmark = pytest.mark.timeout(300)  # registries are far, and Maven needs a hundred files to begin with


@pytest.fixture(autouse=True)
def tools(request: pytest.FixtureRequest) -> None:
    """Skips a test whose tool is not here."""
    name = request.node.name.partition("_with_")[2].partition("_")[0].partition("[")[0]
    here = (
        any(map(fetching._has_pip, fetching._pythons()))
        if name == "pip"
        else name not in FETCHERS or shutil.which(FETCHERS[name].tool, path=path(found(), jailed=False))
    )
    if not here:
        pytest.skip(f"needs {FETCHERS[name].tool}")


def bring(make: Making, folder: Path) -> Prepared:
    try:
        return make(folder)
    except BuildError as error:
        if "no answer from the registry" in str(error):
            pytest.skip(f"needs a registry: {error}")
        raise AssertionError("\n".join((str(error), *error.lines))) from error


def owners(folder: Path) -> set[int]:
    return {place.lstat().st_uid for place in folder.rglob("*")}


def test_crates_with_cargo(make: Making, write: Write) -> None:
    manifest = '[package]\nname = "mine"\nversion = "1.0.0"\nedition = "2021"\n\n[dependencies]\nitoa = "=1.0.11"\n'
    files = {
        "Cargo.toml": manifest,
        "build.rs": 'fn main() { std::fs::write("ran", "").unwrap() }',
        "src/main.rs": 'fn main() { println!("{}", itoa::Buffer::new().format(7)) }',
        "vendor/itoa/src/lib.rs": "the author's own",
        "rust-toolchain.toml": '[toolchain]\nchannel = "1.1.1"\n',
    }
    folder = write(files, fetch="cargo")
    ready = bring(make, folder)
    assert "fetched 1 crate in" in make.said[-1]
    assert "pub struct Buffer" in (ready.bot.folder / "vendor/itoa/src/lib.rs").read_text()
    assert 'directory = "vendor"' in (ready.bot.folder / ".cargo/config.toml").read_text()
    assert not (ready.bot.folder / "ran").exists()
    assert owners(ready.bot.folder) == {os.geteuid()}
    assert (ready.bot.sha256, ready.fresh) != (ready.source_hash, False)
    # The lock file that was made is as good as one of the author's, and then it counts.
    shutil.copy(ready.bot.folder / "Cargo.lock", folder)
    assert bring(make, folder).bot.sha256 == ready.bot.sha256
    (folder / "Cargo.lock").write_text((folder / "Cargo.lock").read_text().replace('"1.0.11"', '"1.0.10"'))
    with pytest.raises(BuildError, match="expected cargo to bring the crates of mine, got exit code 101") as caught:
        make(folder)
    assert "--locked" in caught.value.log.read_text()


def test_modules_with_go(make: Making, write: Write) -> None:
    sums = (
        "golang.org/x/text v0.14.0 h1:ScX5w1eTa3QqT8oi6+ziP7dTV1S2+ALU0bI+0zXKWiQ=\n"
        "golang.org/x/text v0.14.0/go.mod h1:18ZOQIKpY8NJVqYksKHtTdi31H5itFRjB5/qKTNYzSU=\n"
    )
    files = {
        "go.mod": "module mine\n\ngo 1.21\n\nrequire golang.org/x/text v0.14.0\n",
        "go.sum": sums,
        "cmd/main.go": 'package main\n\nimport _ "golang.org/x/text/width"\n\nfunc main() {}\n',
        "go.work": "go 1.21\n\nuse ../../other\n",
    }
    folder = write(files, fetch="go")
    ready = bring(make, folder)
    assert "fetched 1 module in" in make.said[-1]
    assert (ready.bot.folder / "vendor/golang.org/x/text/width/width.go").is_file()
    (folder / "go.sum").write_text(sums.splitlines()[1] + "\n")  # without the hash of the module itself
    with pytest.raises(BuildError, match="expected go to bring the modules of mine, got exit code 1") as caught:
        make(folder)
    assert any("missing go.sum entry" in line for line in caught.value.lines)


ODD = "sha512-CQpnWPrDwmP1+SMHXZhtLtJv90yiyVfluGsX5iNCVkrhQtU3TQHsUWPG9wkdk9Lgd5yNpAg9jQEo90CBaXgWMA=="
NUMBER = "sha512-Wu1VHeILBK8KAWJUAiSZQX94GmOE45Rg6/538fKwiloUu21KncEkYGPqob2oSZ5mUT73vLGrHQjKw3KMPwfDzg=="


def node(wanted: dict[str, str], packages: dict[str, object]) -> dict[str, str]:
    own = {"name": "mine", "version": "1.0.0", "dependencies": wanted}
    locked = {"": own, **{f"node_modules/{name}": entry for name, entry in packages.items()}}
    return {
        "package.json": json.dumps(own),
        "package-lock.json": json.dumps({"lockfileVersion": 3, "requires": True, "packages": locked}),
    }


def test_packages_with_npm(make: Making, write: Write) -> None:
    odd = {"version": "3.0.1", "integrity": ODD, "dependencies": {"is-number": "^6.0.0"}}
    number = {"version": "6.0.0", "integrity": NUMBER}
    folder = write(node({"is-odd": "3.0.1"}, {"is-odd": odd, "is-number": number}), fetch="npm")
    ready = bring(make, folder)
    assert "fetched 2 packages in" in make.said[-1]
    assert sorted(place.name for place in (ready.bot.folder / "node_modules").iterdir()) == ["is-number", "is-odd"]
    swapped = {**odd, "integrity": NUMBER}
    write(node({"is-odd": "3.0.1"}, {"is-odd": swapped, "is-number": number}), fetch="npm")
    with pytest.raises(BuildError, match="expected npm to bring the packages of mine, got exit code 1") as caught:
        make(folder)
    assert any("EINTEGRITY" in line for line in caught.value.lines)


def test_wheels_with_pip(make: Making, write: Write) -> None:
    line = "idna==3.6 --hash=sha256:c05567e9c24a6b9faaa835c4821bad0590fbb9d5779e7caa6e1cc4978e7eb24f\n"
    folder = write({"requirements.txt": line, "vendor/idna/evil.py": ""}, fetch="pip", leftovers=["vendor"])
    ready = bring(make, folder)
    assert "fetched 1 package in" in make.said[-1]
    assert (ready.bot.folder / "vendor/idna/core.py").is_file()
    assert not (ready.bot.folder / "vendor/idna/evil.py").exists()
    # A bot finds them without a word about where they are.
    given = variables(launch(make, ready.bot), "socket", Path("packages"))
    program = ["-c", "import idna; print(idna.__file__)"]
    told = subprocess.run(
        [sys.executable, "-P", *program], cwd=ready.bot.folder, env=given, capture_output=True, text=True, check=False
    )
    assert told.stdout.strip() == str(ready.bot.folder / "vendor/idna/__init__.py"), told.stderr
    assert ready.bot.sha256 != ready.source_hash  # packages count, whatever the manifest says
    (folder / "requirements.txt").write_text(line.replace("c05567", "c05568"))
    with pytest.raises(BuildError, match="expected pip to bring the packages of mine, got exit code 1") as caught:
        make(folder)
    assert any("DO NOT MATCH THE HASHES" in line for line in caught.value.lines)


def launch(make: Making, bot: Bot) -> Launch:
    return Launch(bot.name, bot.folder, bot.run, make.home.path, {}, runtime.prepare(make.home))


def test_jars_with_maven(make: Making, write: Write) -> None:
    text = """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <properties><annotations>1.3.2</annotations></properties>
          <dependencies><dependency>
            <groupId>javax.annotation</groupId><artifactId>javax.annotation-api</artifactId>
            <version>${annotations}</version>
          </dependency></dependencies>
        </project>
    """
    ready = bring(make, write({"pom.xml": text.strip()}, fetch="maven"))
    assert "fetched 1 jar in" in make.said[-1]
    assert [place.name for place in (ready.bot.folder / "vendor").iterdir()] == ["javax.annotation-api-1.3.2.jar"]


# Registries that mean no good


class Shelf(BaseHTTPRequestHandler):
    """A registry with these files."""

    def __init__(self, files: dict[str, bytes], *others: object) -> None:
        self.files = files
        super().__init__(*others)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        content = self.files.get(self.path.rstrip("/"))
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Type", "text/html" if "simple" in self.path else "application/json")
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - likewise
        """Say nothing."""


@pytest.fixture
def shelf() -> Iterator[tuple[str, dict[str, bytes]]]:
    """A registry on this machine: its address and its files, to be filled."""
    files: dict[str, bytes] = {}
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Shelf, files)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", files
        server.shutdown()


def tarball(**files: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name.replace("__", "/").replace("_dot_", "."))
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return packed.getvalue()


def test_scripts_of_packages_do_not_run_with_npm(
    make: Making,
    write: Write,
    shelf: tuple[str, dict[str, bytes]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    address, files = shelf
    manifest = {"name": "evil", "version": "1.0.0", "scripts": {"postinstall": "touch ran", "preinstall": "touch ran"}}
    files["/evil/-/evil-1.0.0.tgz"] = content = tarball(package__package_dot_json=json.dumps(manifest))
    hashed = f"sha512-{b64encode(hashlib.sha512(content).digest()).decode()}"
    facts = {**manifest, "dist": {"tarball": f"{address}/evil/-/evil-1.0.0.tgz", "integrity": hashed}}
    files["/evil"] = json.dumps(
        {"name": "evil", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": facts}}
    ).encode()
    entry = {"version": "1.0.0", "integrity": hashed, "hasInstallScript": True}
    folder = write(node({"evil": "1.0.0"}, {"evil": entry}), fetch="npm")
    monkeypatch.setenv("npm_config_registry", address)
    ready = bring(make, folder)
    assert [place.name for place in (ready.bot.folder / "node_modules/evil").iterdir()] == ["package.json"]
    # A changed line of code needs no registry again, but a changed lock file does.
    content = files.pop("/evil/-/evil-1.0.0.tgz")
    (folder / "bot.py").write_text("x = 1")
    again = make(folder)
    assert make.said[-1] == "fetched 1 package before"
    assert (again.bot.folder / "node_modules/evil/package.json").is_file()
    assert "npm ci" in again.logs["fetch"].read_text()
    write(node({"evil": "1.0.0"}, {"evil": {**entry, "license": "MIT"}}), fetch="npm")
    with pytest.raises(BuildError, match="expected npm to bring the packages of mine, got exit code 1"):
        make(folder)
    files["/evil/-/evil-1.0.0.tgz"] = content
    # Where scripts are not forbidden, this one runs.
    shutil.copytree(folder, tmp_path / "open")
    cache = {**os.environ, "npm_config_cache": str(tmp_path / "cache"), "npm_config_ignore_scripts": "false"}
    subprocess.run(["npm", "ci", "--no-audit"], cwd=tmp_path / "open", env=cache, check=True, capture_output=True)
    assert (tmp_path / "open/node_modules/evil/ran").exists()


def test_sources_that_run_code_are_not_taken_with_pip(
    make: Making, write: Write, shelf: tuple[str, dict[str, bytes]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    address, files = shelf
    ran = tmp_path / "ran"
    content = tarball(
        **{"evil-1_dot_0__setup_dot_py": f"open({str(ran)!r}, 'w')", "evil-1_dot_0__PKG-INFO": "Name: evil"}
    )
    digest = hashlib.sha256(content).hexdigest()
    files["/evil-1.0.tar.gz"] = content
    files["/simple/evil"] = f'<a href="/evil-1.0.tar.gz#sha256={digest}">evil-1.0.tar.gz</a>'.encode()
    folder = write({"requirements.txt": f"evil==1.0 --hash=sha256:{digest}\n"}, fetch="pip")
    monkeypatch.setenv("PIP_INDEX_URL", f"{address}/simple/")
    with pytest.raises(BuildError, match="got exit code 1") as caught:
        make(folder)
    assert "No matching distribution found for evil==1.0" in "".join(caught.value.lines)
    assert not ran.exists()


def test_a_registry_that_does_not_answer_is_told_with_pip(
    make: Making, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple/")
    folder = write({"requirements.txt": f"evil==1.0 --hash=sha256:{'0' * 64}\n"}, fetch="pip")
    with pytest.raises(BuildError) as caught:
        make(folder)
    error = caught.value
    assert str(error) == (
        "expected pip to bring the packages of mine, got no answer from the registry of packages; "
        f"its log is {error.log}"
    )
    assert error.log.parent == make.home.path / "submissions"
    assert "127.0.0.1" in error.log.read_text()


def test_a_tool_that_is_not_here_is_named(make: Making, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    files = node({}, {})
    monkeypatch.setattr(fetching, "path", lambda *_, **__: "/nowhere")
    with pytest.raises(UserError, match="expected npm on this machine to bring packages, got none: install Node"):
        make(write(files, fetch="npm"))


def test_a_package_that_leads_out_of_the_folder_is_refused(
    make: Making, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tidy(project: Path) -> int:
        (project / "vendor").mkdir()
        (project / "vendor" / "out").symlink_to("../../../etc/passwd")
        return 1

    fetcher = replace(FETCHERS["pip"], command=lambda _: ["pip", "--version"], tidy=tidy)
    monkeypatch.setitem(FETCHERS, "pip", fetcher)
    with pytest.raises(BuildError, match=r"expected links that stay in the bot's folder, got vendor/out -> "):
        make(write({"requirements.txt": ""}, fetch="pip"))
