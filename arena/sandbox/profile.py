"""The list of allowed system calls as Docker and podman want it: the text of docker/seccomp.json.

Docker compares whole arguments, our own filter the half that the kernel uses: Docker refuses more, never less.
"""

import errno
import json
from collections.abc import Mapping
from typing import Any, Final

from arena.sandbox.seccomp import ARCHITECTURES, Pretended, Rule, Variant, Without, rules

_ALLOW: Final = "SCMP_ACT_ALLOW"
_REFUSE: Final = "SCMP_ACT_ERRNO"


def docker_profile(variant: Variant | None = None) -> str:
    """The profile, to be given with `--security-opt seccomp=FILE`."""
    allowed = rules(variant or Variant())
    always = [name for name, rule in allowed.items() if rule is None]
    content = {
        "defaultAction": _REFUSE,
        "defaultErrnoRet": errno.ENOSYS,
        "archMap": [_architecture(machine) for machine in ARCHITECTURES],
        "syscalls": [
            {"names": sorted(always), "action": _ALLOW},
            *(entry for name, rule in allowed.items() for entry in _entries(name, rule)),
            # Engines that do not know defaultErrnoRet answer EPERM, and then threads cannot be made.
            {"names": ["clone3"], "action": _REFUSE, "errnoRet": errno.ENOSYS},
        ],
    }
    return json.dumps(content, indent=2) + "\n"


def _architecture(machine: str) -> Mapping[str, object]:
    return {"architecture": f"SCMP_ARCH_{machine.upper()}", "subArchitectures": []}


def _entries(name: str, rule: Rule) -> list[Mapping[str, object]]:
    """One entry for each way in which a call with conditions is allowed."""
    if rule is None:
        return []
    if isinstance(rule, Pretended):
        return [{"names": [name], "action": _REFUSE, "errnoRet": 0}]
    if isinstance(rule, Without):
        return [_entry(name, rule.argument, op="SCMP_CMP_MASKED_EQ", value=rule.bits, valueTwo=0)]
    return [_entry(name, rule.argument, op="SCMP_CMP_EQ", value=value) for value in rule.values]


def _entry(name: str, argument: int, **comparison: Any) -> Mapping[str, object]:
    return {"names": [name], "action": _ALLOW, "args": [{"index": argument, **comparison}]}
