import ssl
from collections.abc import Iterable

import httpcore2
import pytest
from typing_extensions import override

from fakes.site import PUBLIC, Names, Network, Site, page
from quaestor.contracts.errors import ToolFailed
from quaestor.tools.fetch.guard import Allowlist, parse_allowlist
from quaestor.tools.fetch.guarded_client import resolve_host
from quaestor.tools.fetch.page_fetcher import PageFetcher
from quaestor.tools.fetch.politeness import FetchPolicy

CALM = FetchPolicy(pause_seconds=0, obey_robots=False)


class Handshake(httpcore2.AsyncNetworkStream):
    """Ends where TLS begins, and keeps what it was to begin with."""

    def __init__(self) -> None:
        self.begun: list[tuple[ssl.SSLContext, str | None]] = []

    @override
    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        self.begun.append((ssl_context, server_hostname))
        raise httpcore2.ConnectError("the handshake ends here")


class Secured(Network):
    def __init__(self) -> None:
        super().__init__()
        self.handshake = Handshake()

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.connected.append((host, port))
        return self.handshake


async def test_a_name_is_resolved_once_and_its_address_is_connected_to() -> None:
    async with Site({"/": page()}) as site:
        names, network = Names({"example.org": [[PUBLIC], ["127.0.0.1"]]}), Network(site)
        await PageFetcher(Allowlist(), CALM, names, network).get("http://example.org/")
        assert [asked.headers["host"] for asked in site.asked] == ["example.org"]
    assert names.asked == ["example.org."]
    assert network.connected == [(PUBLIC, 80)]


async def test_a_name_that_means_another_address_the_second_time_is_refused() -> None:
    async with Site({"/a": page(status=302, headers={"Location": "/b"}), "/b": page("secret")}) as site:
        names, network = Names({"example.org": [[PUBLIC], ["10.0.0.1"]]}), Network(site)
        with pytest.raises(ToolFailed, match=r"example\.org is at 10\.0\.0\.1, which is private"):
            await PageFetcher(Allowlist(), CALM, names, network).get("http://example.org/a")
        assert site.targets == ["/a"]
    assert network.connected == [(PUBLIC, 80)]


async def test_one_private_address_among_public_ones_refuses_them_all() -> None:
    network = Network()
    with pytest.raises(ToolFailed, match=r"169\.254\.169\.254, which is link-local"):
        await PageFetcher(Allowlist(), CALM, Names({"a.example": [[PUBLIC, "169.254.169.254"]]}), network).get(
            "http://a.example"
        )
    assert network.connected == []


async def test_the_next_address_is_tried_when_one_does_not_answer() -> None:
    async with Site({"/": page()}) as site:
        network = Network(site, silent=("1.1.1.1", "2606:4700::1111"))
        names = Names({"example.org": [["2606:4700::1111", "1.1.1.1", PUBLIC]]})
        await PageFetcher(Allowlist(), CALM, names, network).get("http://example.org/")
    assert [address for address, _ in network.connected] == ["2606:4700::1111", "1.1.1.1", PUBLIC]


async def test_no_more_than_three_addresses_are_tried() -> None:
    network = Network()
    with pytest.raises(ToolFailed, match=r"no connection \(nobody is there\); fetch it later or use another page"):
        await PageFetcher(Allowlist(), CALM, Names({"a.example": [[f"1.1.1.{i}" for i in range(9)]]}), network).get(
            "http://a.example"
        )
    assert len(network.connected) == 3


@pytest.mark.parametrize(
    ("url", "name"), [("https://example.org/", "example.org"), ("https://[2606:4700::1111]/", "2606:4700::1111")]
)
async def test_the_certificate_must_be_that_of_the_name(url: str, name: str) -> None:
    network = Secured()
    with pytest.raises(ToolFailed, match="the handshake ends here"):
        await PageFetcher(Allowlist(), CALM, Names(), network).get(url)
    [(context, server_hostname)] = network.handshake.begun
    assert server_hostname == name
    assert context.check_hostname
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert network.connected[0][1] == 443


async def test_only_a_name_that_an_operator_allows_is_completed_by_the_network() -> None:
    async with Site({"/": page()}) as site:
        names = Names({"wiki": [["10.1.2.3"]]})
        web = PageFetcher(parse_allowlist("wiki"), CALM, names, Network(site))
        await web.get("http://wiki/")
        await web.get("http://example.org/")
    assert names.asked == ["wiki", "example.org."]


async def test_a_name_that_is_not_known_is_named() -> None:
    async def unknown(*_: object) -> list[str]:
        raise OSError(-2, "Name or service not known")

    with pytest.raises(ToolFailed, match=r"a\.example has no address \(Name or service not known\); check how it is"):
        await PageFetcher(Allowlist(), CALM, unknown, Network()).get("http://a.example/")


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    async with Site({"/": page("straight")}) as site:
        fetched = await PageFetcher(Allowlist(), CALM, Names(), Network(site)).get("http://example.org/")
    assert fetched.content == b"straight"


async def test_the_system_gives_each_address_of_a_name_once() -> None:
    assert await resolve_host("127.0.0.1", 80) == ("127.0.0.1",)
