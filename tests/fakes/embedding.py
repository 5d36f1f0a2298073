"""An embedding model of the plainest kind: every word, or its synonym, has a direction of its own."""

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import hypot
from struct import pack

from pydantic import JsonValue
from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.library import Vector

NUMBERS = 256
MEANINGS: Mapping[str, str] = {"automobile": "car", "motorcar": "car", "cars": "car"}


class HashingEmbedder:
    """Embeds by hashed words; `meanings` gives words that mean another. Fails as long as `failure` is set."""

    def __init__(self, meanings: Mapping[str, str] = MEANINGS, name: str = "fake:hash") -> None:
        self.name = name
        self.embedded: list[str] = []
        """Every text, as often as it was embedded."""
        self.failure: Exception | None = None
        self.closed = False
        self._meanings = meanings

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        if self.failure:
            raise self.failure
        self.embedded += texts
        return [self.vector(text) for text in texts]

    async def close(self) -> None:
        self.closed = True

    def vector(self, text: str) -> Vector:
        numbers = [0.0] * NUMBERS
        for word in re.findall(r"\w+", text.casefold()) or [text]:
            direction = sha256(self._meanings.get(word, word).encode()).digest()
            numbers[direction[0]] += 1 if direction[1] % 2 else -1
        length = hypot(*numbers) or 1.0
        return [number / length for number in numbers]


class FailingAfter(HashingEmbedder):
    """Embeds some times and then no more."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times

    @override
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        if not self._times:
            raise ToolFailed("fake:hash answered 500")
        self._times -= 1
        return await super().embed(texts)


def answer(vectors: Sequence[Sequence[float]], *, packed: bool = False) -> bytes:
    """Write vectors as the embeddings API gives them, as numbers or in base64."""
    data: list[JsonValue] = [
        {"object": "embedding", "index": index, "embedding": _packed(vector) if packed else list(vector)}
        for index, vector in enumerate(vectors)
    ]
    return json.dumps({"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 1}}).encode()


def _packed(vector: Sequence[float]) -> str:
    return b64encode(pack(f"<{len(vector)}f", *vector)).decode()
