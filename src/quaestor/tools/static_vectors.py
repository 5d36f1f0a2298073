"""Vectors of texts in this process: the mean of static vectors of tokens, which the package `wordllama` brings.

Its own loader is not used: it imports an HTTP client and asks a hub for the file of tokens that the package has.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from quaestor.contracts.errors import MissingExtra
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.library import Vector

if TYPE_CHECKING:
    import numpy as np
    from tokenizers import Tokenizer

_LOAD_FILE: "LazyImport[Callable[[Path], dict[str, np.ndarray]]]" = LazyImport("safetensors.numpy:load_file")
_TOKENIZER: "LazyImport[type[Tokenizer]]" = LazyImport("tokenizers:Tokenizer")
STATIC_PROVIDER = "static"
STATIC_MODEL = "static:wordllama"
_WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
_TOKENS = Path("tokenizers", "l2_supercat_tokenizer_config.json")


class StaticVectors:
    """A table of token vectors; an `Embedder`. It computes and waits for nothing: a text takes about 0.4 ms."""

    name = STATIC_MODEL

    def __init__(self, table: "np.ndarray", tokenizer: "Tokenizer") -> None:
        self._table = table
        self._tokenizer = tokenizer

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector of length 1 for each text; zeros for a text without tokens."""
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> Vector:
        """Return the vector of a text: 256 numbers."""
        tokens = self._tokenizer.encode(text, add_special_tokens=False).ids
        if not tokens:
            return (0.0,) * int(self._table.shape[1])
        mean: list[float] = self._table[tokens].mean(axis=0, dtype="float64").tolist()
        length = sqrt(sum(number * number for number in mean)) or 1.0
        return tuple(number / length for number in mean)

    async def close(self) -> None:
        """Do nothing; there is nothing open."""


@cache
def open_static_vectors(package: str = "wordllama") -> StaticVectors:
    """Return the vectors that a package brings, read once. Raises MissingExtra when it is not installed."""
    found = find_spec(package)  # which imports nothing of it
    if found is None or not found.submodule_search_locations:
        raise MissingExtra(f"the embeddings {STATIC_MODEL} need an extra", "meaning")
    folder = Path(found.submodule_search_locations[0])
    [table] = _LOAD_FILE.load()(folder / _WEIGHTS).values()
    tokenizer = _TOKENIZER.load().from_file(str(folder / _TOKENS))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return StaticVectors(table, tokenizer)
