from ipaddress import ip_address

import pytest

from quaestor.contracts.errors import UsageError
from quaestor.tools.fetch.guard import parse_allowlist
from quaestor.tools.fetch.url import parse_url


@pytest.mark.parametrize("text", ["", " ", ",", " , "])
def test_nothing_is_allowed_by_default(text: str) -> None:
    allowed = parse_allowlist(text)
    assert (allowed.hosts, allowed.networks) == (frozenset(), ())


def test_hosts_ports_and_networks_are_told_apart() -> None:
    allowed = parse_allowlist("Wiki.Corp, 127.0.0.1:8000 [fd00::1]:9000,10.1.0.0/16 fd12::/16\n10.9.9.9")
    assert allowed.hosts == {("wiki.corp", None), ("127.0.0.1", 8000), ("fd00::1", 9000), ("10.9.9.9", None)}
    assert allowed.holds(ip_address("10.1.255.1"))
    assert allowed.holds(ip_address("fd12::1"))
    assert allowed.holds(ip_address("::ffff:10.1.2.3"))
    assert not allowed.holds(ip_address("10.2.0.1"))
    assert not allowed.holds(ip_address("10.9.9.9"))


def test_a_port_is_named_or_left_open() -> None:
    allowed = parse_allowlist("wiki.corp docs.corp:9000")
    assert allowed.names(parse_url("http://wiki.corp/"))
    assert not allowed.allows_host_and_port(parse_url("http://wiki.corp/"))
    assert allowed.allows_host_and_port(parse_url("http://docs.corp:9000/"))
    assert not allowed.names(parse_url("http://docs.corp:9000/"))
    assert not allowed.allows_host_and_port(parse_url("http://docs.corp/"))


@pytest.mark.parametrize(
    "entry",
    ["10.1.2.3/16", "http://wiki.corp", "wiki.corp/path", "*.corp", "wiki.corp:http", "0x7f.1", "a@b", "fd00::1"],
)
def test_an_entry_that_cannot_be_read_is_named(entry: str) -> None:
    with pytest.raises(UsageError, match=r"QUAESTOR_FETCH_ALLOW has .* write for example") as caught:
        parse_allowlist(f"good.corp {entry}")
    assert repr(entry) in str(caught.value)
