"""An embeddings endpoint, against a server on loopback that answers well and badly."""

import json
import logging
import math
from collections.abc import Sequence

import pytest

from fakes.embedding import HashingEmbedder, answer
from fakes.http_server import Request
from fakes.services import Reply, Service
from quaestor.contracts.errors import SetupError, ToolFailed, UsageError
from quaestor.contracts.library import Vector
from quaestor.contracts.model import Provider
from quaestor.tools.embedding_client import EmbeddingClient, embedding_service

KEY = "sk-very/secret-0123456789"
LAB = Provider(key_env="LAB_KEY", backoff_seconds=0.01)
FAKE = HashingEmbedder()


def texts_of(request: Request) -> list[str]:
    texts = request.body["input"]
    assert isinstance(texts, list)
    return [str(text) for text in texts]


def good(request: Request) -> Reply:
    return Reply(answer([FAKE.vector(text) for text in texts_of(request)]))


def endpoint(server: Service, seconds: float = 5) -> EmbeddingClient:
    return EmbeddingClient(
        "lab:small", "small", embedding_service("lab", LAB, f"{server.url}/v1", seconds), {"LAB_KEY": KEY}
    )


async def embedded(server: Service, *texts: str, seconds: float = 5) -> Sequence[Vector]:
    embedding = endpoint(server, seconds)
    try:
        return await embedding.embed(texts)
    finally:
        await embedding.close()


async def test_the_model_is_asked_at_its_endpoint_with_the_key() -> None:
    async with Service(good) as server:
        await embedded(server, "a fog bell")
    [request] = server.requests
    assert (request.method, request.path) == ("POST", "/v1/embeddings")
    assert request.body == {"model": "small", "input": ["a fog bell"], "encoding_format": "base64"}
    assert request.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("packed", [True, False])
async def test_a_vector_has_length_one_however_it_is_written(packed: bool) -> None:
    async with Service(lambda _: Reply(answer([[3.0, 4.0], [0.0, -2.0]], packed=packed))) as server:
        first, second = await embedded(server, "a", "b")
    assert first == pytest.approx([0.6, 0.8])
    assert second == pytest.approx([0.0, -1.0])


async def test_vectors_are_put_in_the_order_of_their_texts() -> None:
    said = json.loads(answer([[1.0, 0.0], [0.0, 1.0]]))
    said["data"].reverse()
    async with Service(lambda _: Reply(json.dumps(said).encode())) as server:
        assert await embedded(server, "a", "b") == [[1.0, 0.0], [0.0, 1.0]]


async def test_many_texts_are_asked_for_in_batches_of_64() -> None:
    texts = [f"text {number}" for number in range(130)]
    async with Service(good) as server:
        vectors = await embedded(server, *texts)
    assert [len(texts_of(request)) for request in server.requests] == [64, 64, 2]
    assert [list(vector) for vector in vectors] == [pytest.approx(FAKE.vector(text)) for text in texts]


@pytest.mark.parametrize(
    "fault", [Reply(status=429, headers={"Retry-After": "0.05"}), Reply(status=500), Reply(b'{"data"', cut=True)]
)
async def test_what_may_pass_is_asked_again(fault: Reply) -> None:
    faults = [fault]
    async with Service(lambda request: faults.pop() if faults else good(request)) as server:
        assert len(await embedded(server, "a")) == 1
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [Reply(status=500, body=b"worn out"), Reply(b"{", cut=True)])
async def test_what_does_not_pass_is_asked_three_times(fault: Reply) -> None:
    async with Service(lambda _: fault) as server:
        with pytest.raises(ToolFailed, match=r"lab:small at http://127.0.0.1:\d+/v1 .*asked 3 times"):
            await embedded(server, "a")
    assert len(server.requests) == 3


async def test_a_server_that_takes_too_long_is_given_up() -> None:
    async with Service(lambda _: Reply(answer([[1.0]]), after=0.5)) as server:
        with pytest.raises(ToolFailed, match=r"no answer within 0\.05 s"):
            await embedded(server, "a", seconds=0.05)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>", "no JSON"),
        (b"[]", "no JSON object"),
        (b'{"embeddings": [[1, 2]]}', "without 'data'"),
        (b'{"data": [{"embedding": [1]}, {"embedding": [1]}]}', "without 'data.0.index'"),
        (answer([[1.0, 2.0]]), "1 vectors for 2 texts"),
        (answer([[1.0], [1.0], [1.0]]), "3 vectors for 2 texts"),
        (answer([[1.0], [1.0]]).replace(b'"index": 1', b'"index": 0'), "two for one"),
        (answer([[1.0, 2.0], [1.0]]), "1 and 2 numbers"),
        (answer([[1.0, math.nan], [1.0, 2.0]]), "points nowhere"),
        (answer([[1.0, math.inf], [1.0, 2.0]]), "points nowhere"),
        (answer([[1.0, math.nan], [1.0, 2.0]], packed=True), "points nowhere"),
        (answer([[0.0, 0.0], [1.0, 2.0]]), "points nowhere"),
        (answer([[], []]), "points nowhere"),
        (b'{"data": [{"index": 0, "embedding": "!"}, {"index": 1, "embedding": "!"}]}', "no base64"),
        (b'{"data": [{"index": 0, "embedding": "AAA="}, {"index": 1, "embedding": "AAA="}]}', "cut off"),
        (b'{"data": [{"index": 0, "embedding": null}, {"index": 1, "embedding": null}]}', "not as it should be"),
    ],
)
async def test_an_answer_that_is_none_is_not_used(body: bytes, said: str) -> None:
    async with Service(lambda _: Reply(body)) as server:
        with pytest.raises(ToolFailed, match=said):
            await embedded(server, "a", "b")
    assert len(server.requests) == 1


async def test_a_key_that_is_refused_stops_the_run_and_is_named_by_its_variable() -> None:
    async with Service(lambda _: Reply(status=401, body=b'{"error": "bad key"}')) as server:
        with pytest.raises(SetupError, match="LAB_KEY and LAB_BASE_URL"):
            await embedded(server, "a")


@pytest.mark.parametrize("status", [200, 401, 404, 500])
async def test_a_key_that_a_server_echoes_is_in_no_error_and_no_log(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with Service(lambda _: Reply(status=status, body=f"you sent {json.dumps(KEY)}".encode())) as server:
        with pytest.raises((ToolFailed, SetupError)) as raised:
            await embedded(server, "a")
    assert "[key]" in str(raised.value)
    assert KEY not in f"{raised.value!r}{caplog.text}"


async def test_a_server_of_ones_own_is_sent_no_key() -> None:
    async with Service(good) as server:
        embedding = EmbeddingClient("own:m", "m", embedding_service("own", Provider(), server.url, 5), {"LAB_KEY": KEY})
        await embedding.embed(["a"])
        await embedding.close()
    assert "authorization" not in server.requests[0].headers


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="OWN_BASE_URL is no address of the web"):
        EmbeddingClient("own:m", "m", embedding_service("own", Provider(), "gopher://x", 5), {})
