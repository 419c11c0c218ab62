"""Jars for Java: Maven copies the dependencies that pom.xml names, with all that they need, into vendor/.

A pom can make Maven load and run anything: so the bot's own is only read, strictly, and Maven gets one that is written
here and holds nothing but names and versions. Maven's format knows no hashes; the registry's own are checked.
"""

import re
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from arena.bots import BotError
from arena.submission.fetch.model import Fetcher, read_text, shown

_PLUGIN: Final = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
_REPOSITORY: Final = "repository"
_SPACE: Final = "http://maven.apache.org/POM/4.0.0"
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_VERSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_PROPERTY: Final = re.compile(r"\$\{([^}]*)\}")
_FIELDS: Final = ("groupId", "artifactId", "version", "type", "classifier", "scope", "optional", "exclusions")
_SCOPES: Final = ("compile", "runtime", "provided", "test")
_REFUSED: Final = ("parent", "modules", "profiles", "repositories", "pluginRepositories", "dependencyManagement")


def lay_out(bot: Path, project: Path) -> None:
    """A pom of our own with the dependencies of the bot's."""
    text = read_text(bot, "pom.xml", "that names the dependencies")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise BotError("pom.xml: expected a document without DOCTYPE and entities, got one with them")
    try:
        pom = ET.fromstring(text)  # noqa: S314 - see above
    except (ET.ParseError, RecursionError, ValueError) as error:
        raise BotError(f"pom.xml: expected XML, got an error: {error}") from error
    own = ET.Element("project", xmlns=_SPACE)
    for name, value in (("modelVersion", "4.0.0"), ("groupId", "arena"), ("artifactId", "bot"), ("version", "1")):
        ET.SubElement(own, name).text = value
    own.append(_dependencies(pom))
    (project / "pom.xml").write_bytes(ET.tostring(own))
    (project / ".mvn").mkdir()  # so that it is not looked for in the folders above


def command(project: Path) -> list[str]:
    """Brings the jars."""
    del project
    asked = ("--batch-mode", "--no-transfer-progress", "--strict-checksums", "-Dstyle.color=never")
    return ["mvn", *asked, f"-Dmaven.repo.local=../home/{_REPOSITORY}", _PLUGIN, "-DoutputDirectory=vendor"]


def tidy(project: Path) -> int:
    """Leave all as it is."""
    vendor = project / "vendor"
    return sum(1 for _ in vendor.iterdir()) if vendor.is_dir() else 0


def _dependencies(pom: ET.Element) -> ET.Element:
    if _plain(pom) != "project":
        raise BotError(f"pom.xml: expected a <project>, got {shown(pom.tag)}")
    for part in pom:
        if _plain(part) in _REFUSED:
            raise BotError(
                f"pom.xml: expected every dependency with its version under <dependencies>, got <{_plain(part)}>"
            )
        if _plain(part) == "build" and any(_plain(inner) == "extensions" for inner in part.iter()):
            raise BotError("pom.xml: expected no extensions of Maven, got <extensions>")
    properties = {_plain(one): one.text or "" for part in pom if _plain(part) == "properties" for one in part}
    wanted = ET.Element("dependencies")
    for dependency in (one for part in pom if _plain(part) == "dependencies" for one in part):
        if _plain(dependency) != "dependency":
            raise BotError(f"pom.xml: expected <dependency>, got {shown(dependency.tag)}")
        if (checked := _dependency(dependency, properties)) is not None:
            wanted.append(checked)
    return wanted


def _dependency(given: ET.Element, properties: dict[str, str]) -> ET.Element | None:
    """One that is to be brought; None if it is for the bot's own tests."""
    fields = {_plain(field): field for field in given}
    if strange := sorted({*fields} - {*_FIELDS}):
        raise BotError(f"pom.xml: expected {', '.join(_FIELDS)} of a dependency, got <{strange[0]}>")
    values = {name: _value(name, field, properties) for name, field in fields.items() if name != "exclusions"}
    if missing := {"groupId", "artifactId", "version"} - {*values}:
        raise BotError(f"pom.xml: expected a <{min(missing)}> in each dependency, got {shown(values)}")
    version, scope = values["version"], values.get("scope", "compile")
    if version.endswith("SNAPSHOT") or version in ("LATEST", "RELEASE"):
        raise BotError(f"pom.xml: expected a version that stays what it is, got {version}")
    if scope not in _SCOPES:
        raise BotError(f"pom.xml: expected a scope of {', '.join(_SCOPES)}, got {shown(scope)}")
    if scope == "test":
        return None
    made = ET.Element("dependency")
    for name in ("groupId", "artifactId", "version", "type", "classifier", "scope"):
        if name in values:
            ET.SubElement(made, name).text = values[name]
    if "exclusions" in fields:
        made.append(_exclusions(fields["exclusions"], properties))
    return made


def _exclusions(given: ET.Element, properties: dict[str, str]) -> ET.Element:
    made = ET.Element("exclusions")
    for one in given:
        left_out = ET.SubElement(made, "exclusion")
        for field in one:
            name = _plain(field)
            if name not in ("groupId", "artifactId"):
                raise BotError(f"pom.xml: expected groupId and artifactId in an exclusion, got <{name}>")
            every = (field.text or "").strip() == "*"
            ET.SubElement(left_out, name).text = "*" if every else _value(name, field, properties)
    return made


def _value(name: str, field: ET.Element, properties: dict[str, str]) -> str:
    text = _PROPERTY.sub(lambda found: properties.get(found[1], found[0]), (field.text or "").strip()).strip()
    allowed = _VERSION if name == "version" else _NAME
    if len(field) or not allowed.fullmatch(text):
        hint = " (properties come from <properties> of the same file)" if "${" in text else ""
        raise BotError(f"pom.xml: expected a plain {name}, got {shown(text)}{hint}")
    return text


def _plain(element: ET.Element) -> str:
    """A tag without its namespace."""
    return str(element.tag).rpartition("}")[2]


FETCHER: Final = Fetcher(
    packages="jars",
    tool="mvn",
    package="Maven",
    lay_out=lay_out,
    command=command,
    # Java asks the system, not HOME, where its user's files are.
    environment={"MAVEN_OPTS": "-Duser.home={home} -Xmx512m"},
    tidy=tidy,
    kept=_REPOSITORY,  # a hundred files for that plugin alone
)
