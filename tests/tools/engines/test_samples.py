"""What the services answer, as their documentation shows it, is read."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from fakes.services import Reply, Service
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebSearchInput
from tools.engines.dialects import DIALECTS

SAMPLES = Path(__file__).parent / "samples"
MAY = date(2024, 5, 3)
METALS = WebHit(
    url="https://metals.example/zinc",
    title="Zinc today",
    snippet="Zinc traded at 2,700 dollars a tonne.",
    published=MAY,
)
MINES = WebHit(url="https://mines.example/", title="Mines")
EXPECTED = {
    "searxng": [METALS, MINES],
    "tavily": [METALS, MINES],
    "brave": [METALS, MINES],
    "exa": [
        METALS.model_copy(update={"snippet": "Zinc traded at 2,700 dollars a tonne. … Stocks fell."}),
        MINES.model_copy(update={"title": ""}),
    ],
    "serper": [METALS, MINES],
    "openalex": [
        WebHit(
            url="https://archive.example/zinc",
            title="Markets for zinc",
            snippet="Prices follow stocks; stocks follow demand.",
            published=MAY,
        ),
        WebHit(url="https://openalex.org/W102"),
    ],
    "semantic_scholar": [
        WebHit(
            url="https://doi.org/10.1000/zinc", title="Markets for zinc", snippet="Prices follow stocks.", published=MAY
        ),
        WebHit(url="https://arxiv.org/abs/2405.00001", title="Zinc in theory", published=date(2023, 1, 1)),
        WebHit(url="https://www.semanticscholar.org/paper/c3", title="Zinc, again"),
    ],
    "wikipedia": [
        WebHit(
            url="https://de.wikipedia.org/wiki/Zink_(B%C3%B6rse)",
            title="Zink (Börse)",
            snippet="Der Preis von Zink & Blei",
            published=MAY,
        ),
        WebHit(
            url="https://de.wikipedia.org/wiki/AC/DC:_Was_ist_das%3F",
            title="AC/DC: Was ist das?",
            published=date(2023, 1, 31),
        ),
    ],
    "arxiv": [
        WebHit(
            url="https://arxiv.org/abs/2405.00001v2",
            title="Zinc & its price for $p<q$ and x<y",
            snippet="Prices follow stocks.",
            published=MAY,
        ),
        WebHit(url="https://arxiv.org/abs/cond-mat/0001001v1"),
    ],
    "pubmed": [
        WebHit(url="https://pubmed.ncbi.nlm.nih.gov/1003/"),
        WebHit(
            url="https://pubmed.ncbi.nlm.nih.gov/1001/",
            title="Zn2+ in E. coli.",
            snippet="BACKGROUND: Zinc is needed, at p < 0.05. RESULTS: It is found.",
            published=MAY,
        ),
        WebHit(url="https://pubmed.ncbi.nlm.nih.gov/1002/", title="Old zinc.", published=date(1998, 11, 1)),
    ],
}


def sample(name: str, path: str) -> bytes:
    if path.endswith("esearch.fcgi"):
        return (SAMPLES / "pubmed_found.json").read_bytes()
    return next(SAMPLES.glob(f"{name}.*")).read_bytes()


async def found(name: str, body: bytes | None = None) -> Sequence[WebHit]:
    async with Service(lambda asked: Reply(body or sample(name, asked.path))) as server:
        engine = DIALECTS[name].engine(server.url)
        try:
            return (await engine.search(WebSearchInput(query="zinc price"))).hits
        finally:
            await engine.close()


def test_there_is_a_sample_of_every_service() -> None:
    assert EXPECTED.keys() == DIALECTS.keys()


@pytest.mark.parametrize("name", EXPECTED)
async def test_a_sample_is_read(name: str) -> None:
    assert list(await found(name)) == EXPECTED[name]


async def test_searxng_whose_engines_are_silent_has_not_searched() -> None:
    body = b'{"results": [], "unresponsive_engines": [["google", "CAPTCHA"], ["brave", "too many requests"], 3]}'
    with pytest.raises(ToolFailed, match=r"google: CAPTCHA, brave: too many requests"):
        await found("searxng", body)


async def test_an_error_of_arxiv_comes_as_an_entry() -> None:
    body = (
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/api/errors#no_field</id>'
        b"<title>Error</title><summary>no such field</summary></entry></feed>"
    )
    with pytest.raises(ToolFailed, match=r"refused the query 'all:zinc OR all:price': no such field"):
        await found("arxiv", body)


async def test_an_error_of_mediawiki_is_told() -> None:
    with pytest.raises(ToolFailed, match=r"without 'query'; it begins: .*maxlag.*Waiting for"):
        await found("wikipedia", b'{"error": {"code": "maxlag", "info": "Waiting for a server"}}')


async def test_a_wiki_that_does_not_say_where_it_is_is_where_it_was_asked() -> None:
    (hit,) = await found("wikipedia", b'{"query": {"search": [{"title": "Zinc"}]}}')
    assert hit.url.startswith("http://127.0.0.1:")
    assert hit.url.endswith("/wiki/Zinc")


@pytest.mark.parametrize("general", [b'{"server": "//wiki.example"}', b'{"server": "https://wiki.example"}'])
async def test_a_wiki_may_leave_its_scheme_open(general: bytes) -> None:
    (hit,) = await found("wikipedia", b'{"query": {"search": [{"title": "Zinc"}], "general": ' + general + b"}}")
    assert hit.url == "https://wiki.example/wiki/Zinc"


async def test_fields_of_another_type_are_as_if_they_were_missing() -> None:
    body = b'{"results": [{"url": "https://a.example/", "title": 7, "content": ["x"], "publishedDate": {}}, null, 5]}'
    assert list(await found("searxng", body)) == [WebHit(url="https://a.example/")]


async def test_half_a_pair_of_surrogates_does_no_harm() -> None:
    body = b'{"results": [{"url": "https://a.example/\\ud83d", "title": "x\\u0000\\ud83d y"}]}'
    (hit,) = await found("searxng", body)
    assert hit.title == "x? y"
    hit.model_dump_json()


async def test_hits_none_of_which_has_an_address_fail_the_search() -> None:
    with pytest.raises(ToolFailed, match=r"searxng gave 2 hits and no address of any"):
        await found("searxng", b'{"results": [{"link": "https://a.example/"}, {"link": "https://b.example/"}]}')


async def test_a_list_of_something_else_fails_the_search() -> None:
    with pytest.raises(ToolFailed, match=r"whose 'results.0' is not as it should be"):
        await found("searxng", b'{"results": ["https://a.example/"]}')
