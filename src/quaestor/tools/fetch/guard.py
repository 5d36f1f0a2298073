"""The rules of where a fetch may go: ports, names and addresses."""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_network

from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.tools.fetch.ip_address import (
    IpAddress,
    IpNetwork,
    is_private,
    non_public_reason,
    parse_address,
    unwrap_ipv4,
)
from quaestor.tools.fetch.url import Url, parse_authority

ALLOWED_PORTS = frozenset({80, 443, 8000, 8008, 8080, 8081, 8443, 8888})
"""Ports that serve web pages; others speak protocols that a request could be mistaken for."""

NON_PUBLIC_NAMES = frozenset(
    {
        *("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "arpa"),
        *("test", "invalid", "onion", "alt", "metadata.goog", "metadata.azure.com", "metadata.tencentyun.com"),
    }
)
"""Names that are never public, with all below them: of special use (RFC 6761) or habit, and metadata of clouds."""


@dataclass(frozen=True, slots=True)
class Allowlist:
    """Hosts, each with a port or for the usual ones, and networks; nothing by default."""

    hosts: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[IpNetwork, ...] = ()

    def names(self, url: Url) -> bool:
        """Say whether the host of a URL is named, for the usual ports."""
        return (url.host, None) in self.hosts

    def allows_host_and_port(self, url: Url) -> bool:
        """Say whether the host of a URL is named together with its port."""
        return (url.host, url.port) in self.hosts

    def holds(self, address: IpAddress) -> bool:
        """Say whether an address is in a network that is allowed."""
        return any(address in network or unwrap_ipv4(address) in network for network in self.networks)


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuses what is not of the public web, unless an operator allows it."""

    allowed: Allowlist

    def check_url(self, url: Url) -> None:
        """Let a URL pass by its port and name. Raises ToolFailed for one that may not be fetched."""
        if url.port not in ALLOWED_PORTS and not self.allowed.allows_host_and_port(url):
            usual = ", ".join(map(str, sorted(ALLOWED_PORTS)))
            raise ToolFailed(
                f"port {url.port} is none of {usual}; use another page, or allow it in {ALLOWLIST_VARIABLE}"
            )
        if url.address is None and not self.is_allowed_host(url) and _is_non_public_name(url.host):
            raise ToolFailed(
                f"{url.host} is no public name; use another page, or allow the host in {ALLOWLIST_VARIABLE}"
            )

    def check_addresses(self, url: Url, found: Sequence[str]) -> tuple[str, ...]:
        """Give the addresses of a URL's host, if every one may be connected to; else raises ToolFailed.

        A host that is allowed by name may be in somebody's own network, but not link-local, where clouds keep keys.
        """
        if not found:
            raise ToolFailed(f"{url.host} has no address; check how it is spelt")
        for each in found:
            self._check_address(url, each)
        return tuple(dict.fromkeys(found))

    def is_allowed_host(self, url: Url) -> bool:
        """Say whether an operator named this host."""
        return self.allowed.allows_host_and_port(url) or self.allowed.names(url)

    def _check_address(self, url: Url, text: str) -> None:
        address = parse_address(text)
        if address is None:
            raise ToolFailed(f"{url.host} is at {text!r}, which is no address; use another page")
        why = non_public_reason(address)
        if why is None or self.allowed.holds(address):
            return
        if self.is_allowed_host(url) and (url.address is not None or is_private(address)):
            return
        raise ToolFailed(
            f"{url.host} is at {address}, which is {why} and not of the public internet; use another page, or allow it "
            f"in {ALLOWLIST_VARIABLE}"
        )


def _is_non_public_name(host: str) -> bool:
    labels = host.split(".")
    return len(labels) == 1 or any(".".join(labels[place:]) in NON_PUBLIC_NAMES for place in range(len(labels)))


ALLOWLIST_VARIABLE = "QUAESTOR_FETCH_ALLOW"
"""Read from the environment alone, so that no file of a project and no request can widen it."""


def parse_allowlist(text: str) -> Allowlist:
    """Read hosts, `host:port` and networks as `10.1.0.0/16`, divided by commas or blanks.

    Raises UsageError that names the entry that cannot be read.
    """
    hosts: set[tuple[str, int | None]] = set()
    networks: list[IpNetwork] = []
    for entry in text.replace(",", " ").split():
        try:
            if "/" in entry:
                networks.append(ip_network(entry))
            else:
                hosts.add(parse_authority(entry))
        except (ValueError, ToolFailed) as error:
            raise UsageError(
                f"{ALLOWLIST_VARIABLE} has {entry!r}, which is no host, host:port or network ({error}); write for "
                "example "
                "wiki.example.net, 127.0.0.1:8000, [fd00::1]:8080 or 10.1.0.0/16"
            ) from error
    return Allowlist(frozenset(hosts), tuple(networks))
