import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.http.body import BodyReader
from quaestor.http.errors import BodyTooLarge, UndecodableBody

MOST = 1000


def taken(encoding: str, *pieces: bytes, most: int = MOST) -> BodyReader:
    body = BodyReader(encoding, most)
    for piece in pieces:
        body.add(piece)
    return body


@given(st.lists(st.binary(max_size=300), max_size=3), st.integers(1, 400))
def test_a_body_comes_out_whole_however_it_is_cut(members: list[bytes], size: int) -> None:
    packed = b"".join(map(gzip.compress, members))
    pieces = [packed[place : place + size] for place in range(0, len(packed), size)]
    assert taken("gzip", *pieces).finish() == b"".join(members)
    assert taken("", *pieces, most=2 * MOST).finish() == packed


@pytest.mark.parametrize("encoding", ["", "identity", "gzip", "x-gzip", " GZIP "])
def test_a_body_of_no_bytes_is_empty(encoding: str) -> None:
    assert taken(encoding).finish() == b""


@pytest.mark.parametrize("encoding", ["br", "zstd", "deflate", "gzip, gzip", "gzip,br", "compress", "x" * 999])
def test_a_coding_that_was_not_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(UndecodableBody, match="was not asked for") as caught:
        BodyReader(encoding, MOST)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(("length", "full"), [(MOST - 1, False), (MOST, False), (MOST + 1, True), (50 * MOST, True)])
@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_the_limit_is_exact(encoding: str, length: int, full: bool) -> None:
    content = bytes(length)
    body = taken(encoding, gzip.compress(content) if encoding else content)
    assert body.is_full is full
    assert body.prefix() == content[:MOST]
    if full:
        with pytest.raises(BodyTooLarge, match="more than 1,000 bytes"):
            body.finish()
    else:
        assert body.finish() == content


def test_a_bomb_is_never_unpacked() -> None:
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join([*(packer.compress(bytes(1_000_000)) for _ in range(40)), packer.flush()])
    tracemalloc.start()
    body = taken("gzip", bomb, most=100_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert body.is_full
    assert peak < 1_000_000


def test_what_unpacks_to_nothing_ends_at_the_limit_too() -> None:
    empty = gzip.compress(b"")
    assert taken("gzip", *[empty] * (MOST // len(empty) + 1)).is_full


@pytest.mark.parametrize(
    "packed",
    [b"<html>", gzip.compress(b"a") + b"garbage", gzip.compress(b"a" * 99)[:-8] + bytes(8)],
    ids=["a page", "garbage behind", "a wrong sum"],  # by itself a name would hold the time
)
def test_what_is_no_gzip_is_refused(packed: bytes) -> None:
    with pytest.raises(UndecodableBody, match="is no gzip"):
        taken("gzip", packed).finish()


@pytest.mark.parametrize("cut", [1, 8, 12])
def test_a_gzip_that_is_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(UndecodableBody, match="ends in the middle of a gzip"):
        taken("gzip", gzip.compress(b"word " * 20)[:-cut]).finish()
