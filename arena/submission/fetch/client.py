"""How the tools on this machine reach their registries: the settings of whoever runs the arena, and nothing of a bot.

Registries may be mirrored, or lie behind a proxy. Settings are copied into the private folder of one fetch, since the
tool runs as a user who may not read the originals.
"""

import os
import shutil
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from arena.sandbox.jail import Bind

# Where a tool looks in its user's home, and the variable that may name another place: a file, or its folder.
_FILES: Final = {
    "cargo": ((".cargo/config.toml", "CARGO_HOME"), (".cargo/credentials.toml", "CARGO_HOME")),
    "go": ((".config/go/env", "GOENV"), (".netrc", "NETRC")),
    "maven": ((".m2/settings.xml", ""), (".m2/settings-security.xml", "")),
    "npm": ((".npmrc", "NPM_CONFIG_USERCONFIG"),),
    "pip": ((".config/pip/pip.conf", "PIP_CONFIG_FILE"), (".pip/pip.conf", "")),
}
_VARIABLES: Final = {
    "cargo": ("CARGO_HTTP_*", "CARGO_NET_*", "CARGO_REGISTR*", "CARGO_SOURCE_*"),
    "go": ("GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOAUTH"),
    "maven": (),
    "npm": ("npm_config_*", "NPM_CONFIG_*", "NODE_EXTRA_CA_CERTS"),
    "pip": ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CERT", "PIP_PROXY", "PIP_TRUSTED_HOST", "PIP_*TIMEOUT"),
}
_EVERYBODYS: Final = ("*_proxy", "*_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "*_CA_BUNDLE")
_SHOWN: Final = (
    *("/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/crypto-policies", "/etc/resolv.conf", "/etc/hosts"),
    *("/etc/nsswitch.conf", "/etc/gai.conf", "/etc/host.conf", "/etc/pip.conf", "/etc/npmrc", "/etc/maven"),
)


def settings(kind: str, home: Path) -> dict[str, str]:
    """Copy a tool's files into its private home; the variables that it needs."""
    for name, variable in _FILES[kind]:
        given = os.environ.get(variable, "") if variable else ""
        own = Path(given) / Path(name).name if variable == "CARGO_HOME" and given else Path(given or Path("~") / name)
        if own.expanduser().is_file():
            target = home / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(own.expanduser(), target)
            target.chmod(0o600)
    wanted = (*_VARIABLES[kind], *_EVERYBODYS)
    return {name: value for name, value in os.environ.items() if any(fnmatchcase(name, one) for one in wanted)}


def binds(variables: dict[str, str]) -> list[Bind]:
    """What a jail must show for a tool to find registries and to trust them."""
    return [Bind(place, place) for place in dict.fromkeys((*_existing(_SHOWN), *_certificates(variables)))]


def _existing(places: tuple[str, ...]) -> Iterator[str]:
    yield from (place for place in places if Path(place).exists())


def _certificates(variables: dict[str, str]) -> Iterator[str]:
    for value in variables.values():
        if (
            value.startswith("/")
            and Path(value).exists()
            and not any(map(Path(value).is_relative_to, ("/usr", "/etc")))
        ):
            yield value
