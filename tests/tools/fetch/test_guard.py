from ipaddress import ip_address

import pytest

from fakes.site import PUBLIC, Names, Network
from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.tools.fetch.guard import ALLOWED_PORTS, Allowlist, Guard, parse_allowlist
from quaestor.tools.fetch.page_fetcher import PageFetcher
from quaestor.tools.fetch.politeness import FetchPolicy
from quaestor.tools.fetch.url import Url, parse_url
from tools.fetch.attacks import ATTACKS


@pytest.mark.parametrize("url", ATTACKS, ids=ascii)
async def test_what_is_not_of_the_public_web_is_not_connected_to(url: str) -> None:
    network = Network()
    web = PageFetcher(Allowlist(), FetchPolicy(pause_seconds=0), Names(other="127.0.0.1"), network)
    with pytest.raises(ToolFailed, match=r" was not fetched: .*; "):
        await web.get(url)
    assert network.connected == []


@pytest.mark.parametrize("port", sorted(ALLOWED_PORTS))
def test_the_ports_of_web_servers_are_admitted(port: int) -> None:
    Guard(Allowlist()).check_url(parse_url(f"http://example.org:{port}/"))


@pytest.mark.parametrize(
    ("allow", "url", "found"),
    [
        ("127.0.0.1:9999", "http://127.0.0.1:9999/", "127.0.0.1"),
        ("127.0.0.1", "http://127.0.0.1:8080/", "127.0.0.1"),
        ("169.254.169.254", "http://169.254.169.254/", "169.254.169.254"),
        ("[fd00::1]", "http://[fd00::1]/", "fd00::1"),
        ("wiki.corp", "https://wiki.corp/", "10.1.2.3"),
        ("wiki", "https://wiki./", "fd00::7"),
        ("wiki.corp:9000", "http://wiki.corp:9000/", "127.0.0.1"),
        ("wiki.corp", "https://wiki.corp/", "8.8.8.8"),
        ("10.0.0.0/8", "http://10.1.2.3/", "10.1.2.3"),
        ("10.0.0.0/8", "http://wiki.example.org/", "10.1.2.3"),
        ("169.254.0.0/16", "http://a.example.org/", "169.254.169.254"),
    ],
)
def test_an_operator_allows_what_is_named(allow: str, url: str, found: str) -> None:
    guard, read = Guard(parse_allowlist(allow)), parse_url(url)
    guard.check_url(read)
    assert guard.check_addresses(read, [found]) == (found,)


@pytest.mark.parametrize(
    ("allow", "url", "found"),
    [
        ("127.0.0.1:9999", "http://127.0.0.1:9998/", "127.0.0.1"),
        ("127.0.0.1:9999", "http://127.0.0.1/", "127.0.0.1"),
        ("127.0.0.1:8080", "http://127.0.0.1/", "127.0.0.1"),
        ("127.0.0.1", "http://127.0.0.1:22/", "127.0.0.1"),
        ("127.0.0.1", "http://localhost/", "127.0.0.1"),
        ("127.0.0.1", "http://a.example.org/", "127.0.0.1"),
        ("wiki.corp", "http://a.wiki.corp/", "10.1.2.3"),
        ("wiki.corp", "http://wiki.corp:9000/", "10.1.2.3"),
        ("wiki.corp", "http://wiki.corp/", "169.254.169.254"),
        ("wiki.corp", "http://wiki.corp/", "0.0.0.0"),  # noqa: S104 -- no binding
        ("wiki.corp", "http://wiki.corp/", "fe80::1"),
        ("10.0.0.0/8", "http://wiki.corp/", "10.1.2.3"),
        ("10.0.0.0/8", "http://192.168.0.1/", "192.168.0.1"),
        ("10.0.0.0/8", "http://10.1.2.3:22/", "10.1.2.3"),
    ],
)
def test_an_operator_allows_nothing_else(allow: str, url: str, found: str) -> None:
    guard, read = Guard(parse_allowlist(allow)), parse_url(url)
    with pytest.raises(ToolFailed, match="QUAESTOR_FETCH_ALLOW"):
        passed(guard, read, found)


def passed(guard: Guard, url: Url, found: str) -> None:
    guard.check_url(url)
    guard.check_addresses(url, [found])


@pytest.mark.parametrize(
    "host", ["wiki", "com.", "a.localhost", "metadata.goog", "b.metadata.goog", "home.arpa", "x.corp"]
)
def test_a_name_that_is_never_public_is_refused_wherever_it_leads(host: str) -> None:
    with pytest.raises(ToolFailed, match="is no public name; use another address, or allow"):
        Guard(Allowlist()).check_url(parse_url(f"http://{host}/"))


@pytest.mark.parametrize(
    "host", ["localhost.example", "mylocal.example", "internal.example", "corp.co", "metadata.google"]
)
def test_a_name_that_only_resembles_one_is_admitted(host: str) -> None:
    Guard(Allowlist()).check_url(parse_url(f"http://{host}/"))


def test_every_address_of_a_name_must_be_public() -> None:
    guard, url = Guard(Allowlist()), parse_url("http://example.org/")
    assert guard.check_addresses(url, [PUBLIC, "2606:4700::1111", PUBLIC]) == (PUBLIC, "2606:4700::1111")
    with pytest.raises(ToolFailed, match=r"example\.org is at 10\.0\.0\.1, which is private and not of the public"):
        guard.check_addresses(url, [PUBLIC, "10.0.0.1"])


@pytest.mark.parametrize("found", [[], ["example.org"], ["127.1"], [""]])
def test_a_name_without_an_address_is_refused(found: list[str]) -> None:
    with pytest.raises(ToolFailed, match="address"):
        Guard(Allowlist()).check_addresses(parse_url("http://example.org/"), found)


@pytest.mark.parametrize("text", ["", " ", ",", " , "])
def test_nothing_is_allowed_by_default(text: str) -> None:
    allowed = parse_allowlist(text)
    assert (allowed.hosts, allowed.networks) == (frozenset(), ())


def test_hosts_ports_and_networks_are_told_apart() -> None:
    allowed = parse_allowlist("Wiki.Corp, 127.0.0.1:8000 [fd00::1]:9000,10.1.0.0/16 fd12::/16\n10.9.9.9")
    assert allowed.hosts == {("wiki.corp", None), ("127.0.0.1", 8000), ("fd00::1", 9000), ("10.9.9.9", None)}
    assert allowed.allows_address(ip_address("10.1.255.1"))
    assert allowed.allows_address(ip_address("fd12::1"))
    assert allowed.allows_address(ip_address("::ffff:10.1.2.3"))
    assert not allowed.allows_address(ip_address("10.2.0.1"))
    assert not allowed.allows_address(ip_address("10.9.9.9"))


def test_a_port_is_named_or_left_open() -> None:
    allowed = parse_allowlist("wiki.corp docs.corp:9000")
    assert allowed.allows_host(parse_url("http://wiki.corp/"))
    assert not allowed.allows_host_and_port(parse_url("http://wiki.corp/"))
    assert allowed.allows_host_and_port(parse_url("http://docs.corp:9000/"))
    assert not allowed.allows_host(parse_url("http://docs.corp:9000/"))
    assert not allowed.allows_host_and_port(parse_url("http://docs.corp/"))


@pytest.mark.parametrize(
    "entry",
    ["10.1.2.3/16", "http://wiki.corp", "wiki.corp/path", "*.corp", "wiki.corp:http", "0x7f.1", "a@b", "fd00::1"],
)
def test_an_entry_that_cannot_be_read_is_named(entry: str) -> None:
    with pytest.raises(UsageError, match=r"QUAESTOR_FETCH_ALLOW has .* write for example") as caught:
        parse_allowlist(f"good.corp {entry}")
    assert repr(entry) in str(caught.value)
