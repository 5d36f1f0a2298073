"""Vectors of texts, from whichever service or server of one's own speaks the embeddings API of OpenAI.

The API: platform.openai.com/docs/api-reference/embeddings. Ollama, LM Studio, vLLM and most providers speak it too.
"""

import binascii
from base64 import b64decode
from collections.abc import Mapping, Sequence
from math import hypot, isfinite
from struct import unpack

from quaestor.contracts.model import Provider
from quaestor.contracts.ports import Vector
from quaestor.tools.engines.endpoint import ApiKey, RateLimit, Service, resolve_endpoint
from quaestor.tools.engines.response import InvalidResponse, ResponseModel, parse_json
from quaestor.tools.engines.service_client import ServiceClient

BATCH_TEXTS = 64
"""Texts a request."""
_FLOAT_BYTES = 4


class _Embedding(ResponseModel):
    index: int
    embedding: str | tuple[float, ...]
    """Numbers, or in base64 the bytes of 32-bit floats, which take a fourth of the room."""


class _Answer(ResponseModel):
    data: tuple[_Embedding, ...]


class EmbeddingClient:
    """One embedding model behind an endpoint; an `Embedder`. It belongs to the event loop it is first used in.

    `model` is what the service calls it. Raises SetupError and UsageError as `access` does.
    """

    def __init__(self, name: str, model: str, service: Service, environment: Mapping[str, str]) -> None:
        self.name = name
        self._model = model
        self._exchange = ServiceClient(name, resolve_endpoint(name, service, environment), service.pace)

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Give a vector of length 1 for each text, asked for in batches of 64.

        Raises ToolFailed when there is no usable answer after three tries, SetupError when the key is refused.
        """
        vectors: list[Vector] = []
        for start in range(0, len(texts), BATCH_TEXTS):
            vectors += await self._batch(texts[start : start + BATCH_TEXTS])
        return vectors

    async def close(self) -> None:
        """Close the connections."""
        await self._exchange.close()

    async def _batch(self, texts: Sequence[str]) -> Sequence[Vector]:
        body = await self._exchange.post(
            "embeddings", {"model": self._model, "input": list(texts), "encoding_format": "base64"}
        )
        try:
            return _parse_vectors(parse_json(_Answer, body), len(texts))
        except InvalidResponse as error:
            raise self._exchange.invalid_response(error, body) from error


def embedding_service(where: str, provider: Provider, base_url: str, seconds: float) -> Service:
    """Describe a provider, called `where` and reached at `base_url`, as a service that is asked at its own pace.

    `seconds` limit a request where the provider does not.
    """
    return Service(
        url_variable=f"{where.upper().replace('-', '_')}_BASE_URL",
        base_url=base_url,
        key=ApiKey(variable=provider.key_env, header="authorization", scheme="Bearer ", optional=True)
        if provider.key_env
        else None,
        pace=RateLimit(
            between=60 / provider.per_minute if provider.per_minute else 0.0,
            in_flight=provider.in_flight,
            backoff=provider.backoff_seconds,
            seconds=provider.seconds or seconds,
        ),
    )


def _parse_vectors(answer: _Answer, count: int) -> Sequence[Vector]:
    given = {each.index: each.embedding for each in answer.data}
    if len(answer.data) != count or given.keys() != set(range(count)):
        raise InvalidResponse(f"with {len(answer.data)} vectors for {count} texts, or with two for one of them")
    vectors = [_normalize(_decode_numbers(given[index])) for index in range(count)]
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) > 1:
        raise InvalidResponse(f"whose vectors have {' and '.join(map(str, lengths))} numbers")
    return vectors


def _decode_numbers(said: str | tuple[float, ...]) -> Sequence[float]:
    if not isinstance(said, str):
        return said
    try:
        packed = b64decode(said, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidResponse("with a vector that is no base64") from None
    if len(packed) % _FLOAT_BYTES:
        raise InvalidResponse("with a vector that is cut off")
    return unpack(f"<{len(packed) // _FLOAT_BYTES}f", packed)


def _normalize(numbers: Sequence[float]) -> Vector:
    length = hypot(*numbers)
    if not isfinite(length) or not length:
        raise InvalidResponse("with a vector that points nowhere: it is empty, all zeros or holds what is no number")
    return [number / length for number in numbers]
