"""Vectors of texts, from any service or local server with the embeddings API of OpenAI.

The API: platform.openai.com/docs/api-reference/embeddings. Ollama, LM Studio, vLLM and most providers implement it too.
"""

import binascii
from base64 import b64decode
from collections.abc import Mapping, Sequence
from math import hypot, isfinite
from struct import unpack

from quaestor.contracts.library import Vector
from quaestor.contracts.model import Provider
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import InvalidResponse, ResponseModel, parse_json
from quaestor.tools.engines.service import ApiKey, Service, ServiceClient

BATCH_TEXTS = 64
"""Texts of one request."""
_FLOAT_BYTES = 4


class _Embedding(ResponseModel):
    index: int
    embedding: str | tuple[float, ...]
    """Numbers, or the bytes of 32-bit floats in base64, a quarter of the size."""


class _Answer(ResponseModel):
    data: tuple[_Embedding, ...]


class EmbeddingClient:
    """One embedding model behind an endpoint; an `Embedder`. It belongs to the event loop it is first used in.

    `model` is the service's own name for it. Raises SetupError and UsageError as `resolve_endpoint` does.
    """

    def __init__(self, name: str, model: str, service: Service, environment: Mapping[str, str]) -> None:
        self.name = name
        self._model = model
        self._client = ServiceClient(name, service, environment)

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector of length 1 for each text, requested in batches of 64.

        Raises ToolFailed when there is no usable answer after three tries, SetupError when the key is refused.
        """
        vectors: list[Vector] = []
        for start in range(0, len(texts), BATCH_TEXTS):
            vectors += await self._batch(texts[start : start + BATCH_TEXTS])
        return vectors

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _batch(self, texts: Sequence[str]) -> Sequence[Vector]:
        body = await self._client.post(
            "embeddings", {"model": self._model, "input": list(texts), "encoding_format": "base64"}
        )
        try:
            return _parse_vectors(parse_json(_Answer, body), len(texts))
        except InvalidResponse as error:
            raise self._client.invalid_response(error, body) from error


def embedding_service(name: str, provider: Provider, base_url: str, default_timeout: float) -> Service:
    """Return the service of a provider at `base_url`, with the provider's limits.

    `default_timeout`, in seconds, limits a request where the provider sets no limit.
    """
    return Service(
        url_variable=f"{name.upper().replace('-', '_')}_BASE_URL",
        base_url=base_url,
        key=ApiKey(variable=provider.key_env, header="authorization", scheme="Bearer ", optional=True)
        if provider.key_env
        else None,
        rate_limit=RateLimit.of_provider(provider, default_timeout),
    )


def _parse_vectors(answer: _Answer, count: int) -> Sequence[Vector]:
    embeddings = {each.index: each.embedding for each in answer.data}
    if len(answer.data) != count or embeddings.keys() != set(range(count)):
        raise InvalidResponse(f"with {len(answer.data)} vectors for {count} texts, or with two for one of them")
    vectors = [_normalize(_decode_numbers(embeddings[index])) for index in range(count)]
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) > 1:
        raise InvalidResponse(f"whose vectors have {' and '.join(map(str, lengths))} numbers")
    return vectors


def _decode_numbers(embedding: str | tuple[float, ...]) -> Sequence[float]:
    if not isinstance(embedding, str):
        return embedding
    try:
        packed = b64decode(embedding, validate=True)
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
