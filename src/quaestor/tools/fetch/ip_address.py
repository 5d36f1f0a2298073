"""Which IP addresses belong to the public internet. All others lead into a private network, or nowhere."""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from types import MappingProxyType

IpAddress = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network

_PRIVATE_NETWORKS: Mapping[IpNetwork, str] = MappingProxyType(
    {
        IPv4Network("10.0.0.0/8"): "private",
        IPv4Network("100.64.0.0/10"): "shared by a carrier's customers",
        IPv4Network("127.0.0.0/8"): "this machine's own",
        IPv4Network("172.16.0.0/12"): "private",
        IPv4Network("192.168.0.0/16"): "private",
        IPv6Network("::1/128"): "this machine's own",
        IPv6Network("fc00::/7"): "private",
    }
)
"""Where an operator's own servers may be."""

_RESERVED_NETWORKS: Mapping[IpNetwork, str] = MappingProxyType(
    {
        IPv4Network("0.0.0.0/8"): "no destination",
        IPv4Network("168.63.129.16/32"): "a cloud's own service",
        IPv4Network("169.254.0.0/16"): "link-local",
        IPv4Network("192.0.0.0/24"): "kept for protocols",
        IPv4Network("192.0.2.0/24"): "for documentation",
        IPv4Network("192.88.99.0/24"): "a 6to4 relay",
        IPv4Network("198.18.0.0/15"): "for measurements",
        IPv4Network("198.51.100.0/24"): "for documentation",
        IPv4Network("203.0.113.0/24"): "for documentation",
        IPv4Network("224.0.0.0/4"): "multicast",
        IPv4Network("240.0.0.0/4"): "reserved",
        IPv6Network("2001::/23"): "kept for protocols, as Teredo",
        IPv6Network("2001:db8::/32"): "for documentation",
        IPv6Network("2002::/16"): "6to4",
        IPv6Network("3fff::/20"): "for documentation",
        IPv6Network("fe80::/10"): "link-local",
        IPv6Network("ff00::/8"): "multicast",
    }
)
"""The rest of the special-purpose registries of IANA (RFC 6890), and Azure's service on a public address."""

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_LOW_32 = 0xFFFF_FFFF
_ISATAP = 0x0000_5EFE
_ISATAP_FLAGS = 0x0300_0000


def non_public_reason(address: IpAddress) -> str | None:
    """Return why an address is not on the public internet; None for one that is.

    An IPv4 address inside an IPv6 one is checked too: mapped (RFC 4291), behind NAT64 (RFC 6052) or of an ISATAP
    interface (RFC 5214). Other ways to embed one, IPv4-compatible, local NAT64, 6to4 and Teredo, are refused whole.
    """
    effective = unwrap_ipv4(address)
    if isinstance(effective, IPv4Address):
        return _special_purpose(effective)
    if effective.scope_id is not None:
        return "one with a zone"
    if found := _special_purpose(effective):
        return found
    if effective not in _GLOBAL_UNICAST:
        return "outside the global unicast range"
    interface = int(effective) >> 32 & _LOW_32 & ~_ISATAP_FLAGS
    inner = _special_purpose(_low_ipv4(effective)) if interface == _ISATAP else None
    return f"ISATAP for one that is {inner}" if inner else None


def is_private(address: IpAddress) -> bool:
    """Return whether an address is loopback, private or a carrier's."""
    effective = unwrap_ipv4(address)
    return any(effective in network for network in _PRIVATE_NETWORKS)


def unwrap_ipv4(address: IpAddress) -> IpAddress:
    """Return the IPv4 address inside an IPv6 one that is mapped or behind NAT64; else the address itself."""
    if isinstance(address, IPv6Address) and (address in _MAPPED or address in _NAT64):
        return _low_ipv4(address)
    return address


def parse_address(text: str) -> IpAddress | None:
    """Parse an address in its canonical notation; None for anything else."""
    try:
        return ip_address(text)
    except ValueError:
        return None


def _special_purpose(address: IpAddress) -> str | None:
    return next(
        (
            words
            for table in (_PRIVATE_NETWORKS, _RESERVED_NETWORKS)
            for network, words in table.items()
            if address in network
        ),
        None,
    )


def _low_ipv4(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & _LOW_32)
