"""Attacks over the network: this machine's own services, the outside, and every other kind of socket."""

import os
import socket
from typing import Final

from .evidence import Bait, Evidence, Probe, any_of, attempt, reached

SECONDS: Final = 2.0
FAMILIES: Final = range(2, 46)  # all that Linux knows but unix sockets
OUTSIDE: Final = "192.0.2.1"  # an address that belongs to nobody: a route to it leads outside, no packet is sent
SERVICES: Final = ("/run/docker.sock", "/run/podman/podman.sock", "/run/dbus/system_bus_socket", "/run/systemd/private")
RAW: Final = (
    (socket.AF_INET, socket.SOCK_RAW, 1),
    (socket.AF_INET, socket.SOCK_RAW, 255),
    (17, socket.SOCK_RAW, 3),  # AF_PACKET
    (17, socket.SOCK_DGRAM, 3),
)


def _made(family: int, kind: int = socket.SOCK_STREAM, protocol: int = 0) -> None:
    socket.socket(family, kind, protocol).close()


def _greeted(family: int, address: tuple[str, int] | str, canary: str) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as line:
        line.settimeout(SECONDS)
        line.connect(address)
        line.sendall(canary.encode())


def tcp(bait: Bait) -> Evidence:
    address = ("127.0.0.1", bait["tcp"])
    return attempt("connected to a port of this machine", _greeted, socket.AF_INET, address, bait["canary"])


def tcp6(bait: Bait) -> Evidence:
    if not bait["tcp6"]:
        return Evidence(open=False, words="this machine has no IPv6")
    address = ("::1", bait["tcp6"])
    return attempt("connected to a port of this machine", _greeted, socket.AF_INET6, address, bait["canary"])


def udp(bait: Bait) -> Evidence:
    """The suite looks whether it arrives: in a network of its own it can be sent, to nobody."""

    def sent() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            line.sendto(bait["canary"].encode(), ("127.0.0.1", bait["udp"]))

    return Evidence(open=False, words=attempt("sent a datagram, which did not arrive", sent).words)


def outside(_: Bait) -> Evidence:
    def routed() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            line.connect((OUTSIDE, 9))

    return attempt("found a way outside", routed)


def listening(_: Bait) -> Evidence:
    def bound() -> None:
        with socket.socket(socket.AF_INET) as line:
            line.bind(("127.0.0.1", 0))
            line.listen()

    return attempt("listens on a port", bound)


def _kinds(family: int) -> bool:
    kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)
    return any(attempt("", _made, family, kind).open for kind in kinds)


def families(_: Bait) -> Evidence:
    """Every family of sockets but unix."""
    made = [str(family) for family in FAMILIES if _kinds(family)]
    return Evidence(open=bool(made), words=f"socket families that can be had beside unix: {', '.join(made) or 'none'}")


def raw(_: Bait) -> Evidence:
    return any_of(attempt(f"a raw socket {words}", _made, *words) for words in RAW)


def netlink(_: Bait) -> Evidence:
    return any_of(reached(f"netlink {number}", _made, 16, socket.SOCK_RAW, number) for number in (0, 9, 15))


def vsock(_: Bait) -> Evidence:
    """Sockets to the host of a virtual machine, which know no network namespaces."""
    return any_of(attempt("a vsock socket", _made, 40, kind) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM))


def abstract(bait: Bait) -> Evidence:
    return attempt("connected by an abstract name", _greeted, socket.AF_UNIX, f"\0{bait['abstract']}", bait["canary"])


def neighbour(bait: Bait) -> Evidence:
    """The socket of another agent."""
    return attempt("connected to another agent's socket", _greeted, socket.AF_UNIX, bait["neighbour"], bait["canary"])


def services(bait: Bait) -> Evidence:
    """Sockets of services that would do anything for whoever can speak to them."""
    paths = (bait["service"], *SERVICES)
    return any_of(attempt(path, _greeted, socket.AF_UNIX, path, "") for path in paths if os.path.isabs(path))


PROBES: Final[dict[str, Probe]] = {
    "tcp-loopback": tcp,
    "tcp6-loopback": tcp6,
    "udp-loopback": udp,
    "outside": outside,
    "listening": listening,
    "socket-families": families,
    "raw-sockets": raw,
    "netlink": netlink,
    "vsock": vsock,
    "abstract-socket": abstract,
    "neighbour-socket": neighbour,
    "service-sockets": services,
}
