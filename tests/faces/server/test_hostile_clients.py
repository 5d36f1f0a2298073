"""Clients who hoard connections, send what is no HTTP, or lie about it: others are served all the same."""

import asyncio
from contextlib import suppress

import pytest

from faces.server.served import Serve, Served, until
from quaestor.faces.server import connections, serving

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
NO_REQUESTS = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n",
    b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nBad Name: 1\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n folded: 1\r\n\r\n",
    b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /logout HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST /logout HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST /logout HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /api/v1/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
)

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def dial(served: Served, *sent: bytes) -> Connection:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.state.port)
    for piece in sent:
        writer.write(piece)
    await writer.drain()
    return reader, writer


async def answer(served: Served, sent: bytes, *, whole: bool = False) -> bytes:
    """Return the beginning of what comes for some bytes, or all until the server closes; nothing where it only does."""
    reader, writer = await dial(served, sent)
    try:
        async with asyncio.timeout(300):
            return await (reader.read() if whole else reader.read(1 << 16))
    except ConnectionError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize("before", [b"", HEALTH], ids=["at first", "behind an answer"])
async def test_a_head_that_never_ends_is_answered_and_cut_off(
    served: Served, monkeypatch: pytest.MonkeyPatch, before: bytes
) -> None:
    monkeypatch.setattr(connections, "_HEAD_SECONDS", 0.2)
    monkeypatch.setattr(connections, "_LINGER_SECONDS", 0.2)
    reader, writer = await dial(served, before, b"GET / HTTP/1.1\r\nHost: ")

    async def drip() -> None:
        while not reader.at_eof() and not writer.transport.is_closing():
            writer.write(b"a")
            await asyncio.sleep(0.01)

    dripping = asyncio.create_task(drip())
    async with asyncio.timeout(300):
        if before:
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        assert b"HTTP/1.1 408 " in await reader.readuntil(b"connection: close\r\n\r\n")
        with suppress(ConnectionError):
            await reader.read()
        await dripping
    writer.close()


async def test_who_asks_when_its_connection_is_given_up_can_read_why(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_CONNECTIONS_BESIDE_STREAMS", 0)
    monkeypatch.setattr(connections, "_CROWDED_HEAD_SECONDS", 0)
    served = await serve(streams=1).begin()
    reader, writer = await dial(served)
    await reader.readexactly(1)  # it is given up
    for _ in range(3):  # what comes on a closed connection resets it
        writer.write(HEALTH)
        await asyncio.sleep(0.02)
    async with asyncio.timeout(300):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    assert head.startswith("TTP/1.1 503 ")
    assert "retry-after: 10" in head
    writer.close()


async def test_an_answer_that_nobody_reads_is_cut_off(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_STALLED_SECONDS", 0.1)
    reader, writer = await dial(served)
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    document = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for _ in range(200):
        writer.write(document)

    async def is_cut() -> bool:
        writer.write(document)
        await asyncio.sleep(0.02)
        return writer.transport.is_closing()

    assert await until(is_cut)


async def test_connections_that_ask_nothing_keep_out_nobody(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_CONNECTIONS_BESIDE_STREAMS", 10)
    served = await serve(streams=10).begin()
    hoarded = [await dial(served, b"GET / HTTP/1.1\r\n") for _ in range(60)]
    for _ in range(5):
        reader, writer = await dial(served, HEALTH)
        async with asyncio.timeout(300):
            assert b" 200 " in await reader.readline()
        writer.close()
    for _, writer in hoarded:
        writer.close()


async def test_too_many_requests_at_once_are_told_when_to_come_back(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_CONNECTIONS_BESIDE_STREAMS", 2)
    served = await serve(streams=2).begin()
    begun = b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
    held = [await dial(served, begun) for _ in range(4)]

    async def refused() -> str:
        reader, writer = await dial(served, HEALTH)
        held.append((reader, writer))
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        return head if head.startswith("HTTP/1.1 503 ") else ""

    assert "retry-after: 10" in (await until(refused)).casefold()
    for _, writer in held:
        writer.close()


async def test_the_files_of_sessions_are_left_to_them_whatever_the_number_of_connections(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_OTHER_FILES", 1 << 30)
    assert not await answer(served, HEALTH)
    monkeypatch.undo()
    assert b" 200 " in await answer(served, HEALTH)


async def test_what_is_no_request_of_this_server_is_refused_and_others_are_served(served: Served) -> None:
    for sent in NO_REQUESTS:
        found = await answer(served, sent)
        assert not found or found.startswith(b"HTTP/1.1 4"), (sent[:100], found[:200])
        assert (await served.anonymous().get("/healthz")).status_code == 200
    assert not [status for status in served.state.responses if status >= 500]


async def test_one_request_is_not_taken_for_two(served: Served) -> None:
    smuggled = b"POST /logout HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(HEALTH), HEALTH)
    last = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert (await answer(served, smuggled + last, whole=True)).count(b"HTTP/1.1 ") == len(["/logout", "/readyz"])
