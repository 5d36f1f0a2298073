"""What the services are asked, as their documentation wants it."""

from collections.abc import Mapping, Sequence
from datetime import date

import pytest

from fakes.http_server import Request
from fakes.services import Reply, Service
from quaestor.contracts.web import WebSearchInput
from quaestor.tools.engines.scholarly_xml import build_query
from tools.engines.dialects import DIALECTS, KEY

GIVEN = WebSearchInput(query="the price of zinc", limit=7, before=date(2024, 6, 30))


async def requests(name: str, given: WebSearchInput = GIVEN, path: str = "") -> Sequence[Request]:
    dialect = DIALECTS[name]
    async with Service(lambda asked: Reply(dialect.speak(asked.path, [dialect.hit(1)]))) as server:
        engine = dialect.engine(server.url + path)
        await engine.search(given)
        await engine.close()
    return server.requests


@pytest.mark.parametrize(
    ("name", "path", "parameters"),
    [
        ("searxng", "/search", {"q": "the price of zinc", "format": "json"}),
        (
            "brave",
            "/web/search",
            {"q": "the price of zinc", "count": "7", "freshness": "1970-01-01to2024-06-30"},
        ),
        (
            "openalex",
            "/works",
            {
                "search": "the price of zinc",
                "per_page": "7",
                "filter": "to_publication_date:2024-06-30",
                "api_key": KEY,
            },
        ),
        (
            "semantic_scholar",
            "/paper/search",
            {"query": "the price of zinc", "limit": "7", "publicationDateOrYear": ":2024-06-30"},
        ),
        ("wikipedia", "/w/api.php", {"action": "query", "list": "search", "srsearch": "the price of zinc"}),
        (
            "arxiv",
            "/query",
            {
                "search_query": "(all:price OR all:zinc) AND submittedDate:[199001010000 TO 202406302359]",
                "max_results": "7",
                "sortBy": "relevance",
            },
        ),
        ("pubmed", "/esearch.fcgi", {"term": "the price of zinc", "retmax": "7", "maxdate": "2024/06/30"}),
    ],
)
async def test_what_is_asked_in_the_url(name: str, path: str, parameters: Mapping[str, str]) -> None:
    first = (await requests(name))[0]
    assert (first.method, first.path) == ("GET", path)
    assert first.parameters.items() >= parameters.items()
    assert first.headers["user-agent"].startswith("quaestor/")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        (
            "tavily",
            {"query": "the price of zinc", "max_results": 7, "search_depth": "basic", "end_date": "2024-06-30"},
        ),
        (
            "exa",
            {
                "query": "the price of zinc",
                "numResults": 7,
                "contents": {"highlights": True},
                "endPublishedDate": "2024-06-30T23:59:59.999Z",
            },
        ),
        ("serper", {"q": "the price of zinc", "num": 7, "tbs": "cdr:1,cd_max:06/30/2024"}),
    ],
)
async def test_what_is_asked_in_the_body(name: str, body: Mapping[str, object]) -> None:
    (only,) = await requests(name)
    assert (only.method, only.path, only.body) == ("POST", "/search", body)


@pytest.mark.parametrize(
    ("name", "header", "value"),
    [
        ("tavily", "authorization", f"Bearer {KEY}"),
        ("brave", "x-subscription-token", KEY),
        ("exa", "x-api-key", KEY),
        ("serper", "x-api-key", KEY),
        ("semantic_scholar", "x-api-key", KEY),
    ],
)
async def test_the_key_is_in_its_header(name: str, header: str, value: str) -> None:
    (only,) = await requests(name)
    assert only.headers[header] == value


@pytest.mark.parametrize("name", ["openalex", "semantic_scholar"])
async def test_a_key_that_need_not_be_is_not_sent_empty(name: str) -> None:
    dialect = DIALECTS[name]
    async with Service(lambda _: Reply(dialect.speak("", []))) as server:
        engine = dialect.engine(server.url, key="")
        await engine.search(GIVEN)
        await engine.close()
    assert "api_key" not in server.requests[0].parameters
    assert "x-api-key" not in server.requests[0].headers


async def test_pubmed_is_asked_for_what_it_found() -> None:
    _, second = await requests("pubmed")
    assert (second.path, second.parameters["id"], second.parameters["retmode"]) == ("/efetch.fcgi", "1", "xml")


@pytest.mark.parametrize(("name", "parameter", "most"), [("tavily", "max_results", 20), ("brave", "count", 20)])
async def test_not_more_is_asked_for_than_a_service_gives(name: str, parameter: str, most: int) -> None:
    (only,) = await requests(name, WebSearchInput(query="zinc", limit=50))
    sent = only.body if only.raw else only.parameters
    assert int(str(sent[parameter])) == most


@pytest.mark.parametrize(("name", "parameter", "most"), [("brave", "q", 400), ("wikipedia", "srsearch", 300)])
async def test_a_long_query_is_cut_at_a_word(name: str, parameter: str, most: int) -> None:
    query = " ".join(f"word{number}" for number in range(100, 200))
    (only,) = await requests(name, WebSearchInput(query=query))
    sent = only.parameters[parameter]
    assert query.startswith(f"{sent} ")
    assert len(sent) <= most


async def test_a_base_url_may_have_a_path() -> None:
    assert (await requests("arxiv", path="/proxy/arxiv/"))[0].path == "/proxy/arxiv/query"


def test_arxiv_is_asked_for_any_of_the_telling_words() -> None:
    assert build_query(WebSearchInput(query='What is "self-attention"? (AND: why)')) == "all:self OR all:attention"
    assert build_query(WebSearchInput(query="who is who")) == "all:who OR all:is"
    assert build_query(WebSearchInput(query="?!")) == ""
