"""The rules of where a fetch may go: ports, names and addresses."""

from collections.abc import Sequence
from dataclasses import dataclass

from quaestor.contracts.errors import ToolFailed
from quaestor.tools.fetch.address import is_own, read_address, refusal
from quaestor.tools.fetch.allowance import VARIABLE, Allowance
from quaestor.tools.fetch.url import Url

PORTS = frozenset({80, 443, 8000, 8008, 8080, 8081, 8443, 8888})
"""Ports that serve web pages; others speak protocols that a request could be mistaken for."""

OWN_NAMES = frozenset(
    {
        *("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "arpa"),
        *("test", "invalid", "onion", "alt", "metadata.goog", "metadata.azure.com", "metadata.tencentyun.com"),
    }
)
"""Names that are never public, with all below them: of special use (RFC 6761) or habit, and metadata of clouds."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuses what is not of the public web, unless an operator allows it."""

    allowed: Allowance

    def admit(self, url: Url) -> None:
        """Let a URL pass by its port and name. Raises ToolFailed for one that may not be fetched."""
        if url.port not in PORTS and not self.allowed.names_port(url):
            usual = ", ".join(map(str, sorted(PORTS)))
            raise ToolFailed(f"port {url.port} is none of {usual}; use another page, or allow it in {VARIABLE}")
        if url.address is None and not self.is_named(url) and _is_own_name(url.host):
            raise ToolFailed(f"{url.host} is no public name; use another page, or allow the host in {VARIABLE}")

    def admit_addresses(self, url: Url, found: Sequence[str]) -> tuple[str, ...]:
        """Give the addresses of a URL's host, if every one may be connected to; else raises ToolFailed.

        A host that is allowed by name may be in somebody's own network, but not link-local, where clouds keep keys.
        """
        if not found:
            raise ToolFailed(f"{url.host} has no address; check how it is spelt")
        for each in found:
            self._admit_address(url, each)
        return tuple(dict.fromkeys(found))

    def is_named(self, url: Url) -> bool:
        """Say whether an operator named this host."""
        return self.allowed.names_port(url) or self.allowed.names(url)

    def _admit_address(self, url: Url, text: str) -> None:
        address = read_address(text)
        if address is None:
            raise ToolFailed(f"{url.host} is at {text!r}, which is no address; use another page")
        why = refusal(address)
        if why is None or self.allowed.holds(address):
            return
        if self.is_named(url) and (url.address is not None or is_own(address)):
            return
        raise ToolFailed(
            f"{url.host} is at {address}, which is {why} and not of the public internet; use another page, or allow it "
            f"in {VARIABLE}"
        )


def _is_own_name(host: str) -> bool:
    labels = host.split(".")
    return len(labels) == 1 or any(".".join(labels[place:]) in OWN_NAMES for place in range(len(labels)))
