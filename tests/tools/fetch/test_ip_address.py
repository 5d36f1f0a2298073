from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.fetch.ip_address import is_private, non_public_reason

NOT_GLOBAL = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
]


def within(network: str) -> st.SearchStrategy[int]:
    every = IPv4Network(network)
    return st.integers(int(every[0]), int(every[-1]))


INNER = st.sampled_from(NOT_GLOBAL).flatmap(within)
PREFIXES = st.integers(0x2A00 << 48, (0x2C00 << 48) - 1)
"""The upper halves of addresses of the public internet."""

EMBEDDINGS: dict[str, Callable[[int, int], int]] = {
    "mapped": lambda inner, _: 0xFFFF << 32 | inner,
    "compatible": lambda inner, _: inner,
    "NAT64": lambda inner, _: 0x64FF9B << 96 | inner,
    "local NAT64 of 48 bits": lambda inner, _: 0x64FF9B0001 << 80 | (inner >> 16) << 64 | (inner & 0xFFFF) << 40,
    "local NAT64 of 64 bits": lambda inner, upper: 0x64FF9B0001 << 80 | (upper & 0xFFFF) << 64 | inner << 24,
    "local NAT64 of 96 bits": lambda inner, upper: 0x64FF9B0001 << 80 | (upper & 0xFFFFFFFF) << 48 | inner,
    "6to4": lambda inner, upper: 0x2002 << 112 | inner << 80 | upper,
    "the server of Teredo": lambda inner, upper: 0x20010000 << 96 | inner << 64 | upper,
    "the client of Teredo": lambda inner, upper: 0x20010000 << 96 | (upper >> 32) << 64 | inner ^ 0xFFFFFFFF,
    "ISATAP": lambda inner, upper: upper << 64 | 0x5EFE << 32 | inner,
    "ISATAP with a global interface": lambda inner, upper: upper << 64 | 0x02005EFE << 32 | inner,
}


@given(INNER)
def test_no_ipv4_address_of_special_use_is_public(inner: int) -> None:
    assert non_public_reason(IPv4Address(inner))


@pytest.mark.parametrize("form", EMBEDDINGS)
@given(inner=INNER, upper=PREFIXES)
def test_no_ipv6_address_that_embeds_a_special_ipv4_address_is_public(form: str, inner: int, upper: int) -> None:
    assert non_public_reason(IPv6Address(EMBEDDINGS[form](inner, upper)))


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_what_python_knows_to_be_special_is_not_public(address: IPv4Address | IPv6Address) -> None:
    assert non_public_reason(address) or (address.is_global and not address.is_multicast)


@pytest.mark.parametrize(
    "text",
    [
        *("1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1"),
        *("168.63.129.15", "192.0.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255"),
        *("2606:4700:4700::1111", "2a00:1450:4001:80b::200e", "2001:200::1", "2620:fe::fe"),
        *("::ffff:8.8.8.8", "64:ff9b::808:808", "2a00::5efe:808:808"),
    ],
)
def test_an_address_of_the_internet_is_public(text: str) -> None:
    assert non_public_reason(ip_address(text)) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("127.0.0.1", "this machine's own"),
        ("::1", "this machine's own"),
        ("::", "outside the global unicast range"),
        ("::ffff:169.254.169.254", "link-local"),
        ("fd00:ec2::254", "private"),
        ("fe80::1%eth0", "one with a zone"),
        ("2606:4700:4700::1111%1", "one with a zone"),
        ("fec0::1", "outside the global unicast range"),
        ("3fff::1", "for documentation"),
        ("5f00::1", "outside the global unicast range"),
        ("100::1", "outside the global unicast range"),
        ("2a00::5efe:a00:1", "ISATAP for one that is private"),
    ],
)
def test_a_refusal_says_what_the_address_is(text: str, words: str) -> None:
    assert non_public_reason(ip_address(text)) == words


@pytest.mark.parametrize(
    "text", ["127.0.0.1", "10.1.2.3", "192.168.0.1", "100.100.1.1", "::1", "fd12::1", "::ffff:10.0.0.1"]
)
def test_servers_of_somebodys_own_have_such_addresses(text: str) -> None:
    assert is_private(ip_address(text))


@pytest.mark.parametrize(
    "text", ["169.254.169.254", "0.0.0.1", "224.0.0.1", "168.63.129.16", "fe80::1", "::", "8.8.8.8"]
)
def test_others_are_no_servers_of_somebodys_own(text: str) -> None:
    assert not is_private(ip_address(text))
