"""What an operator allows beyond the public internet."""

from dataclasses import dataclass
from ipaddress import ip_network

from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.tools.fetch.address import Address, Network, plain
from quaestor.tools.fetch.url import Url, read_authority

VARIABLE = "QUAESTOR_FETCH_ALLOW"
"""Read from the environment alone, so that no file of a project and no request can widen it."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Hosts, each with a port or for the usual ones, and networks; nothing by default."""

    hosts: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[Network, ...] = ()

    def names(self, url: Url) -> bool:
        """Say whether the host of a URL is named, for the usual ports."""
        return (url.host, None) in self.hosts

    def names_port(self, url: Url) -> bool:
        """Say whether the host of a URL is named together with its port."""
        return (url.host, url.port) in self.hosts

    def holds(self, address: Address) -> bool:
        """Say whether an address is in a network that is allowed."""
        return any(address in network or plain(address) in network for network in self.networks)


def read_allowance(text: str) -> Allowance:
    """Read hosts, `host:port` and networks as `10.1.0.0/16`, divided by commas or blanks.

    Raises UsageError that names the entry that cannot be read.
    """
    hosts: set[tuple[str, int | None]] = set()
    networks: list[Network] = []
    for entry in text.replace(",", " ").split():
        try:
            if "/" in entry:
                networks.append(ip_network(entry))
            else:
                hosts.add(read_authority(entry))
        except (ValueError, ToolFailed) as error:
            raise UsageError(
                f"{VARIABLE} has {entry!r}, which is no host, host:port or network ({error}); write for example "
                "wiki.example.net, 127.0.0.1:8000, [fd00::1]:8080 or 10.1.0.0/16"
            ) from error
    return Allowance(frozenset(hosts), tuple(networks))
