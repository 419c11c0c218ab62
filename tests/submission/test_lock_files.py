"""What a bot may name as its packages: those of the usual registry, by number and hash, and nothing else."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots import BotError
from arena.submission.fetch import FETCHERS
from arena.submission.fetch.model import MOST_BYTES

HASH = "ab" * 32
MANIFEST = '[package]\nname = "mine"\nversion = "1.0.0"\n'
SHA512 = "sha512-" + "A" * 86 + "=="

LayOut = Callable[..., Path]


@pytest.fixture
def lay_out(tmp_path: Path) -> LayOut:
    """What the tool of a kind gets to see of a bot with these files."""

    def lay_out(kind: str, files: dict[str, str]) -> Path:
        bot, project = tmp_path / "bot", tmp_path / "project"
        for place in (bot, project):
            place.mkdir()
        for name, text in files.items():
            (bot / name).parent.mkdir(parents=True, exist_ok=True)
            (bot / name).write_text(text)
        FETCHERS[kind].lay_out(bot, project)
        return project

    return lay_out


def seen(project: Path) -> set[str]:
    return {path.relative_to(project).as_posix() for path in project.rglob("*") if path.is_file()}


# Cargo


def crate(source: str, checksum: str = f'checksum = "{HASH}"') -> str:
    return f'version = 4\n[[package]]\nname = "x"\nversion = "1.0.0"\n{source}\n{checksum}\n'


CARGO = [
    ("git", MANIFEST + '[dependencies]\nx = { git = "https://example.com/x" }', "", "expected x in [dependencies]"),
    ("path", MANIFEST + '[dependencies]\nx = { path = "../x" }', "", "got path = '../x'"),
    ("long", MANIFEST + '[dependencies.x]\nversion = "1"\npath = "/etc"', "", "got path = '/etc'"),
    ("for tests", MANIFEST + '[dev-dependencies]\nx = { path = "x" }', "", "x in [dev-dependencies]"),
    ("for builds", MANIFEST + '[build-dependencies]\nx = { git = "g" }', "", "x in [build-dependencies]"),
    ("target", MANIFEST + "[target.'cfg(unix)'.dependencies]\nx = { path = \"x\" }", "", "x in [target.cfg(unix).dep"),
    ("registry", MANIFEST + '[dependencies]\nx = { version = "1", registry = "mine" }', "", "got registry = 'mine'"),
    ("index", MANIFEST + '[dependencies]\nx = { registry-index = "sparse+http://x" }', "", "got registry-index ="),
    ("patch", MANIFEST + '[patch.crates-io]\nx = { path = "x" }', "", "registry alone, got [patch]"),
    ("replace", MANIFEST + '[replace]\n"x:1.0.0" = { path = "x" }', "", "registry alone, got [replace]"),
    ("workspace", MANIFEST + '[workspace]\nmembers = ["../other"]', "", "expected one package, got a workspace"),
    ("parent", MANIFEST + 'workspace = "../.."', "", "expected one package, got a workspace"),
    ("of a workspace", MANIFEST + "[workspace.dependencies]\nx = { git = 'g' }", "", "x in [workspace.dependencies]"),
    ("lock: git", MANIFEST, crate('source = "git+https://example.com/x#1"'), "usual registry, got 'git+https://exam"),
    ("lock: other", MANIFEST, crate('source = "registry+https://example.com/i"'), "got 'registry+https://example.com"),
    ("lock: sparse", MANIFEST, crate('source = "sparse+http://127.0.0.1/"'), "got 'sparse+http://127.0.0.1/'"),
    ("lock: path", MANIFEST, crate(""), "expected x to come from the usual registry, got a folder"),
    ("lock: no list", MANIFEST, "package = 5", "expected [[package]] to be a list, got 5"),
    ("no toml", "[", "", "Cargo.toml: expected TOML"),
    ("no table", "dependencies = 5", "", "expected [dependencies] to be a table, got 5"),
]


@pytest.mark.parametrize(("manifest", "lock", "words"), [case[1:] for case in CARGO], ids=[case[0] for case in CARGO])
def test_crates_from_elsewhere_are_refused(lay_out: LayOut, manifest: str, lock: str, words: str) -> None:
    with pytest.raises(BotError) as caught:
        lay_out("cargo", {"Cargo.toml": manifest, **({"Cargo.lock": lock} if lock else {})})
    assert words in str(caught.value)
    assert str(caught.value).startswith("Cargo.")


def test_cargo_sees_names_of_sources_and_no_settings_of_the_bot(lay_out: LayOut) -> None:
    files = {
        "Cargo.toml": MANIFEST + '[dependencies]\nx = "=1.0.0"\n',
        "build.rs": "fn main() { evil() }",
        "src/main.rs": "fn main() {}",
        ".cargo/config.toml": '[build]\nrustc-wrapper = "./evil"\n',
        "rust-toolchain.toml": '[toolchain]\npath = "./evil"\n',
    }
    project = lay_out("cargo", files)
    assert seen(project) == {"Cargo.toml", "build.rs", "src/main.rs", "config"}
    assert (project / "build.rs").read_text() == (project / "src/main.rs").read_text() == ""
    FETCHERS["cargo"].tidy(project)
    merged = (project / ".cargo" / "config.toml").read_text()
    assert merged.startswith('[build]\nrustc-wrapper = "./evil"\n\n[source.crates-io]\nreplace-with = "vendored')


def test_a_source_of_crates_of_the_bots_own_is_refused(lay_out: LayOut) -> None:
    config = '[source.crates-io]\nreplace-with = "mine"\n[source.mine]\nregistry = "https://example.com"\n'
    with pytest.raises(BotError, match=r"\.cargo/config\.toml: expected no \[source\]"):
        lay_out("cargo", {"Cargo.toml": MANIFEST, ".cargo/config.toml": config})


# Go


@pytest.mark.parametrize(
    "line",
    [
        "replace example.com/x => ../x",
        "replace example.com/x v1.0.0 => ./x",
        "replace example.com/x => /etc",
        "replace (\n\texample.com/y => example.com/z v1.0.0\n\texample.com/x => ../../x\n)",
        'replace "example.com/x" => "../x"',
        "replace example.com/x => example.com/x",
        "replace example.com/x => ../x v1.0.0",
        "replace( example.com/x => ../x\n)",
        "replace\texample.com/x => `../x`",
        "replace ( // a comment\n\texample.com/x => ../x // v1.0.0\n)",
        'replace "example.com//x" => ../x',
        'replace example.com/x => "..//x" v1.0.0',
    ],
)
def test_modules_from_folders_are_refused(lay_out: LayOut, line: str) -> None:
    with pytest.raises(BotError, match=r"go\.mod: expected modules of the module proxy alone, got "):
        lay_out("go", {"go.mod": f"module mine\n\ngo 1.21\n\n{line}\n", "go.sum": ""})


def test_go_needs_hashes(lay_out: LayOut) -> None:
    with pytest.raises(BotError, match=r"expected a file go\.sum with the hashes of the modules, got none"):
        lay_out("go", {"go.mod": "module mine\n\nrequire example.com/x v1.0.0\n"})


def test_go_sees_sources_and_no_settings_of_the_bot(lay_out: LayOut) -> None:
    files = {
        "go.mod": "module mine\n\nreplace example.com/x => example.com/y v1.0.0\n",
        "go.sum": "",
        "main.go": "package main",
        "deep/x.go": "package deep",
        "other/go.mod": "module other\n\nreplace x => /etc",
        "go.work": "use ../..",
        "go.env": "GOFLAGS=-toolexec=./evil",
        "vendor/modules.txt": "",
    }
    project = lay_out("go", files)
    assert seen(project) == {"go.mod", "go.sum", "main.go", "deep/x.go", "other/go.mod"}
    assert "replace" not in (project / "other/go.mod").read_text()


# npm


def lock(**entry: object) -> dict[str, str]:
    whole = {"version": "1.0.0", "integrity": SHA512, **entry}
    return locked({"": {"dependencies": {"x": "1.0.0"}}, "node_modules/x": whole})


def locked(packages: object, version: object = 3) -> dict[str, str]:
    manifest = json.dumps({"name": "mine", "dependencies": {"x": "1.0.0"}})
    return {
        "package.json": manifest,
        "package-lock.json": json.dumps({"lockfileVersion": version, "packages": packages}),
    }


def wanted(text: object, section: str = "dependencies") -> dict[str, str]:
    return {**lock(), "package.json": json.dumps({section: {"x": text}})}


NPM = [
    ("file", lock(resolved="file:../x.tgz"), "to come from the registry, got 'file:../x.tgz'"),
    ("http", lock(resolved="http://example.com/x/-/x-1.0.0.tgz"), "from the registry, got 'http://example.com"),
    ("git", lock(resolved="git+ssh://git@example.com/x.git#1"), "from the registry, got 'git+ssh://"),
    ("elsewhere", lock(resolved="https://example.com/evil.tgz"), "from the registry, got 'https://example.com/evil"),
    ("credentials", lock(resolved="https://a:b@example.com/x/-/x-1.0.0.tgz"), "from the registry, got 'https://a:b@"),
    ("link", lock(link=True, resolved="../x"), "from the registry, got a link to '../x'"),
    ("no hash", lock(integrity=None), "expected a hash (integrity) of node_modules/x, got None"),
    ("weak hash", lock(integrity="sha1-AAAA"), "expected a hash (integrity) of node_modules/x, got 'sha1-AAAA'"),
    ("weaker too", lock(integrity=f"{SHA512} sha1-AAAA"), "expected a hash (integrity)"),
    ("version", lock(version="file:../x"), "expected a version of node_modules/x, got 'file:../x'"),
    ("name", lock(name="../../x"), "expected the name of a package for node_modules/x"),
    ("place", locked({"../x": {}}), "expected packages in node_modules, got '../x'"),
    ("deep place", locked({"node_modules/../../x": {}}), "expected packages in node_modules, got"),
    ("workspace", locked({"packages/x": {}}), "expected packages in node_modules, got 'packages/x'"),
    ("old", locked({}, 1), "expected lockfileVersion 2 or 3, got 1"),
    ("no packages", locked([]), "expected packages to be a table, got []"),
    ("manifest: file", wanted("file:../x"), "expected a version of x in the registry, got 'file:../x'"),
    ("manifest: url", wanted("https://example.com/x.tgz"), "expected a version of x in the registry, got 'https:"),
    ("manifest: github", wanted("user/x"), "expected a version of x in the registry, got 'user/x'"),
    ("manifest: git", wanted("git+file:///x", "devDependencies"), "expected a version of x in the registry"),
    ("manifest: number", wanted(5), "expected a version of x in the registry, got 5"),
    ("overrides", wanted({"y": {"z": "file:z"}}, "overrides"), "expected a version of z in the registry, got 'file:z'"),
    ("workspaces", {**lock(), "package.json": '{"workspaces": ["../*"]}'}, "expected one package, got workspaces"),
    ("no json", {**lock(), "package.json": "{"}, "package.json: expected JSON, got an error"),
    ("deep json", {**lock(), "package.json": "[" * 100_000}, "package.json: expected JSON, got an error"),
    ("no object", {**lock(), "package.json": "[]"}, "package.json: expected the file to be a table, got []"),
]


@pytest.mark.parametrize(("files", "words"), [case[1:] for case in NPM], ids=[case[0] for case in NPM])
def test_packages_from_elsewhere_are_refused(lay_out: LayOut, files: dict[str, str], words: str) -> None:
    with pytest.raises(BotError) as caught:
        lay_out("npm", files)
    assert words in str(caught.value)


def test_npm_sees_no_scripts_addresses_or_settings_of_the_bot(lay_out: LayOut) -> None:
    files = lock(resolved="https://example.com/npm/x/-/x-1.0.0.tgz")
    files["package.json"] = '{"dependencies": {"x": "npm:y@^1.0.0"}, "scripts": {"preinstall": "evil"}, "bin": "evil"}'
    project = lay_out("npm", {**files, ".npmrc": "script-shell=./evil", "node_modules/x/index.js": "evil"})
    assert seen(project) == {"package.json", "package-lock.json"}
    assert json.loads((project / "package.json").read_text()) == {"dependencies": {"x": "npm:y@^1.0.0"}}
    assert "example.com" not in (project / "package-lock.json").read_text()


# pip


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("idna==3.6", "expected a hash (--hash=sha256:...) for each package"),
        (f"idna>=3.6 --hash=sha256:{HASH}", "expected lines such as name==1.2.3"),
        ("idna==3.6 --hash=md5:abc", "expected lines such as"),
        (f"idna==3.6 --hash=sha256:{HASH} --hash=md5:abc", "expected lines such as"),
        ("-e .", "expected lines such as name==1.2.3 --hash=sha256:..., got '-e .'"),
        ("--index-url https://example.com/", "expected lines such as"),
        ("-i https://example.com/", "expected lines such as"),
        ("--find-links ..", "expected lines such as"),
        ("-r other.txt", "expected lines such as"),
        ("-c ../other.txt", "expected lines such as"),
        ("--no-binary :all:", "expected lines such as"),
        ("--trusted-host example.com", "expected lines such as"),
        (f"x @ https://example.com/x.whl --hash=sha256:{HASH}", "expected lines such as"),
        (f"./x.whl --hash=sha256:{HASH}", "expected lines such as"),
        (f"https://example.com/x.whl --hash=sha256:{HASH}", "expected lines such as"),
        (f"x==1 ; python_version > '3' @ file:x --hash=sha256:{HASH}", "expected lines such as"),
        (f"x==1 --global-option=--evil --hash=sha256:{HASH}", "expected lines such as"),
        (f"x==1 --hash=sha256:{HASH}\\\n -e .", "expected lines such as"),
        ("${HOME}", "expected lines such as"),
        (f"x=={'1' * 200}", "expected a hash"),
        pytest.param(f"x==1;{' ' * 1_000_000}x", "expected a hash", id="blanks"),
    ],
)
def test_python_packages_without_number_or_hash_are_refused(lay_out: LayOut, line: str, words: str) -> None:
    with pytest.raises(BotError) as caught:
        lay_out("pip", {"requirements.txt": f"# mine\nidna==3.6 --hash=sha256:{HASH}\n{line}\n"})
    assert words in str(caught.value)
    assert len(str(caught.value)) < 250


def test_pip_sees_names_numbers_and_hashes(lay_out: LayOut) -> None:
    text = f"""
        # --index-url https://example.com/
        idna==3.6 \\
            --hash=sha256:{HASH} \\
            --hash=sha256:{HASH}  # why
        x[extra] == 1.0.post1 ; python_version < "3.12" --hash=sha256:{HASH}
    """
    project = lay_out("pip", {"requirements.txt": text, "pip.conf": "[global]", "setup.py": "evil()"})
    assert seen(project) == {"requirements.txt"}
    assert (project / "requirements.txt").read_text().splitlines() == [
        f"idna==3.6 --hash=sha256:{HASH} --hash=sha256:{HASH}",
        f'x[extra] == 1.0.post1 ; python_version < "3.12" --hash=sha256:{HASH}',
    ]


# Maven


def pom(dependency: str = "", more: str = "") -> str:
    inner = f"<dependencies><dependency>{dependency}</dependency></dependencies>" if dependency else ""
    return f'<project xmlns="http://maven.apache.org/POM/4.0.0">{more}{inner}</project>'


X = "<groupId>g</groupId><artifactId>a</artifactId>"
ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
MAVEN = [
    ("parent", pom(more="<parent><relativePath>../pom.xml</relativePath></parent>"), "got <parent>"),
    ("modules", pom(more="<modules><module>../x</module></modules>"), "got <modules>"),
    ("profiles", pom(more="<profiles/>"), "got <profiles>"),
    ("repositories", pom(more="<repositories/>"), "got <repositories>"),
    ("plugin repositories", pom(more="<pluginRepositories/>"), "got <pluginRepositories>"),
    ("managed", pom(more="<dependencyManagement/>"), "got <dependencyManagement>"),
    ("extensions", pom(more="<build><extensions><extension/></extensions></build>"), "expected no extensions of Maven"),
    (
        "extensions of a plugin",
        pom(more="<build><plugins><plugin><extensions>true</extensions></plugin></plugins></build>"),
        "expected no extensions of Maven",
    ),
    ("system", pom(f"{X}<version>1</version><scope>system</scope>"), "got 'system'"),
    ("system path", pom(f"{X}<version>1</version><systemPath>/x</systemPath>"), "got <systemPath>"),
    ("range", pom(f"{X}<version>[1,2)</version>"), "expected a plain version, got '[1,2)'"),
    ("latest", pom(f"{X}<version>LATEST</version>"), "expected a version that stays what it is, got LATEST"),
    ("snapshot", pom(f"{X}<version>1-SNAPSHOT</version>"), "expected a version that stays what it is"),
    ("no version", pom(X), "expected a <version> in each dependency"),
    ("unknown property", pom(f"{X}<version>${{env.HOME}}</version>"), "expected a plain version, got '${env.HOME}'"),
    (
        "nested property",
        pom(f"{X}<version>${{a}}</version>", "<properties><a>${user.home}</a></properties>"),
        "expected a plain version, got '${user.home}'",
    ),
    (
        "path by property",
        pom(f"{X}<version>${{a}}</version>", "<properties><a>../../x</a></properties>"),
        "expected a plain version, got '../../x'",
    ),
    ("path as name", pom("<groupId>../g</groupId><artifactId>a</artifactId><version>1</version>"), "plain groupId"),
    ("url", pom(f"{X}<version>1</version><type>http://x</type>"), "expected a plain type, got 'http://x'"),
    ("elements in it", pom(f"{X}<version>1<b/></version>"), "expected a plain version"),
    ("entities", ENTITIES + pom(), "expected a document without DOCTYPE"),
    ("no xml", "<project>", "expected XML, got an error"),
    ("other xml", "<html/>", "expected a <project>, got 'html'"),
    ("other dependency", pom(more="<dependencies><x/></dependencies>"), "expected <dependency>, got"),
    (
        "exclusion",
        pom(f"{X}<version>1</version><exclusions><exclusion><x>y</x></exclusion></exclusions>"),
        "expected groupId and artifactId in an exclusion, got <x>",
    ),
]


@pytest.mark.parametrize(("text", "words"), [case[1:] for case in MAVEN], ids=[case[0] for case in MAVEN])
def test_tricks_of_poms_are_refused(lay_out: LayOut, text: str, words: str) -> None:
    with pytest.raises(BotError) as caught:
        lay_out("maven", {"pom.xml": text})
    assert str(caught.value).startswith("pom.xml: expected ")
    assert words in str(caught.value)


def test_maven_sees_a_pom_with_nothing_but_dependencies(lay_out: LayOut) -> None:
    exclusion = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
    given = pom(
        f"{X}<version>${{v}}</version><scope>provided</scope>{exclusion}</dependency>"
        f"<dependency>{X}<version>1</version><scope>test</scope>",
        "<properties><v>1.2.Final</v></properties><build><plugins><plugin><groupId>evil</groupId></plugin></plugins></build>",
    )
    project = lay_out("maven", {"pom.xml": given, ".mvn/extensions.xml": "evil", "src/main/java/X.java": "evil"})
    assert seen(project) == {"pom.xml"}
    text = (project / "pom.xml").read_text()
    assert "evil" not in text
    assert text.count("<dependency>") == 1
    assert f"{X}<version>1.2.Final</version><scope>provided</scope>{exclusion}" in text


# All of them


FIRST = {
    "cargo": "Cargo.toml",
    "go": "go.mod",
    "maven": "pom.xml",
    "npm": "package.json",
    "pip": "requirements.txt",
}


@pytest.mark.parametrize("kind", sorted(FETCHERS))
def test_a_missing_file_is_named(lay_out: LayOut, kind: str) -> None:
    with pytest.raises(BotError, match=f"expected a file {FIRST[kind]} that names the [a-z]+, got none"):
        lay_out(kind, {})


@pytest.mark.parametrize("kind", sorted(FETCHERS))
def test_a_file_that_is_no_text_or_too_large_or_a_link_out_is_refused(tmp_path: Path, kind: str) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    file = bot / FIRST[kind]
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(BotError, match=f"{FIRST[kind]}: expected text that can be read"):
        FETCHERS[kind].lay_out(bot, tmp_path)
    os.truncate(file, MOST_BYTES + 1)
    with pytest.raises(BotError, match=f"{FIRST[kind]}: expected at most 4 MB, got more"):
        FETCHERS[kind].lay_out(bot, tmp_path)
    file.unlink()
    file.symlink_to("/etc/passwd")
    with pytest.raises(BotError, match=f"expected a file {FIRST[kind]}"):
        FETCHERS[kind].lay_out(bot, tmp_path)
