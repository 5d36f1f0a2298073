"""The rules for the targets of a fetch: ports, names and addresses."""

from collections.abc import Sequence
from ipaddress import ip_network

from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.contracts.immutable import Immutable
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
"""Ports that serve web pages; on others, a request could be taken for one of another protocol."""

NON_PUBLIC_NAMES = frozenset(
    {
        *("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "arpa"),
        *("test", "invalid", "onion", "alt", "metadata.goog", "metadata.azure.com", "metadata.tencentyun.com"),
    }
)
"""Names that are never public, with all their subdomains: for special use (RFC 6761), by convention, or for the
metadata of clouds."""


class Allowlist(Immutable):
    """Hosts, each with one port or with the usual ones, and networks; empty by default."""

    hosts: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[IpNetwork, ...] = ()

    def allows_host(self, url: Url) -> bool:
        """Return whether the host of a URL is allowed at the usual ports."""
        return (url.host, None) in self.hosts

    def allows_host_and_port(self, url: Url) -> bool:
        """Return whether the host of a URL is allowed at its port."""
        return (url.host, url.port) in self.hosts

    def allows_address(self, address: IpAddress) -> bool:
        """Return whether an address is in an allowed network."""
        return any(address in network or unwrap_ipv4(address) in network for network in self.networks)


class Guard(Immutable):
    """The guard that refuses every address outside the public web, unless an operator allows it."""

    allowlist: Allowlist

    def check_url(self, url: Url) -> None:
        """Check the port and name of a URL. Raises ToolFailed for one that may not be fetched."""
        # Only an entry with a port opens an unusual one: to allow a host does not mean to allow its mail server.
        if url.port not in ALLOWED_PORTS and not self.allowlist.allows_host_and_port(url):
            usual = ", ".join(map(str, sorted(ALLOWED_PORTS)))
            raise ToolFailed(
                f"port {url.port} is none of {usual}; use another address, or allow it in {ALLOWLIST_VARIABLE}"
            )
        if url.address is None and not self.is_allowed_host(url) and _is_non_public_name(url.host):
            raise ToolFailed(
                f"{url.host} is no public name; use another address, or allow the host in {ALLOWLIST_VARIABLE}"
            )

    def check_addresses(self, url: Url, addresses: Sequence[str]) -> tuple[str, ...]:
        """Return the addresses of a URL's host. Raises ToolFailed unless every one of them may be connected to.

        A host allowed by its name may be in a private network, but not link-local, where clouds serve credentials.
        """
        if not addresses:
            raise ToolFailed(f"{url.host} has no address; check how it is spelt")
        # All of them: a name with a public and a private address would be connected to either, as chance has it.
        for address in addresses:
            self._check_address(url, address)
        return tuple(dict.fromkeys(addresses))

    def is_allowed_host(self, url: Url) -> bool:
        """Return whether an operator allows this host by its name."""
        return self.allowlist.allows_host_and_port(url) or self.allowlist.allows_host(url)

    def _check_address(self, url: Url, text: str) -> None:
        address = parse_address(text)
        if address is None:
            raise ToolFailed(f"{url.host} is at {text!r}, which is no address; use another one")
        reason = non_public_reason(address)
        if reason is None or self.allowlist.allows_address(address):
            return
        # An allowed name may move to another address, so it opens private networks alone.
        if self.is_allowed_host(url) and (url.address is not None or is_private(address)):
            return
        raise ToolFailed(
            f"{url.host} is at {address}, which is {reason} and not of the public internet; use another address, or "
            f"allow it in {ALLOWLIST_VARIABLE}"
        )


def _is_non_public_name(host: str) -> bool:
    labels = host.split(".")
    # A name without a dot is one of the local network, whatever it is.
    return len(labels) == 1 or any(".".join(labels[place:]) in NON_PUBLIC_NAMES for place in range(len(labels)))


ALLOWLIST_VARIABLE = "QUAESTOR_FETCH_ALLOW"
"""Read from the environment alone, so that no file of a project and no request can extend it."""


def parse_allowlist(text: str) -> Allowlist:
    """Parse hosts, `host:port` and networks as `10.1.0.0/16`, separated by commas or blanks.

    Raises UsageError that names the invalid entry.
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
                "example wiki.example.net, 127.0.0.1:8000, [fd00::1]:8080 or 10.1.0.0/16"
            ) from error
    return Allowlist(frozenset(hosts), tuple(networks))
