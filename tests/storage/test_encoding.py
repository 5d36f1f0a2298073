import tracemalloc
import zlib
from hashlib import sha256

import pytest

from quaestor.storage.encoding import compress, decompress

TEXT = b"The lamp was lit in 1831. " * 400


@pytest.fixture(scope="module")
def bomb() -> bytes:
    return zlib.compress(b"\0" * 200_000_000, 9)


def test_what_was_compressed_comes_back() -> None:
    assert len(compress(TEXT)) < len(TEXT)
    assert decompress(sha256(TEXT).hexdigest(), len(TEXT), compress(TEXT)) == TEXT


@pytest.mark.parametrize("size", [-1, 0, 1, len(TEXT), 250_000])
def test_what_unpacks_to_more_than_its_size_is_damaged_and_takes_no_memory(bomb: bytes, size: int) -> None:
    assert len(bomb) < 250_000
    tracemalloc.start()
    try:
        assert decompress(sha256(TEXT).hexdigest(), size, bomb) is None
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [len(TEXT) - 1, len(TEXT) + 1])
def test_a_content_of_another_size_is_damaged(size: int) -> None:
    assert decompress(sha256(TEXT).hexdigest(), size, compress(TEXT)) is None


def test_a_content_that_was_cut_is_damaged() -> None:
    assert decompress(sha256(TEXT).hexdigest(), len(TEXT), compress(TEXT)[:-5]) is None
