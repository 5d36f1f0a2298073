"""What Quaestor adds to the time a language model takes, and what a run over HTTP costs in CPU and memory.

Six todos of two searches each, answered by a server on loopback through the core `chat` model. The calls that need each
other are clarify, plan, then of one todo search, page, read, review, then a section or the frame, and the check. The
floor of the first figure is what a bare client takes that sends the same bytes in the same order, over sockets of its
own and without any work between them; the seconds that are only waited for stand beside it. The floor of the others is
stated beside them. Times are those of the quietest run.
"""

import asyncio
import os
import signal
import socket
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
from pydantic import JsonValue
from typing_extensions import override

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from fakes.children import fork  # noqa: E402 -- the shipped fakes are not installed
from fakes.http_server import Answer as Sent  # noqa: E402
from fakes.http_server import Connection, HttpServer, Request  # noqa: E402
from fakes.openai_server import OpenAIServer  # noqa: E402
from fakes.openai_wire import Answer, Asked, Reply, Slow  # noqa: E402
from fakes.papers import write_papers  # noqa: E402
from fakes.researcher import Researcher  # noqa: E402
from quaestor.app import DATABASE_FILE, Quaestor  # noqa: E402
from quaestor.contracts.event import Event  # noqa: E402
from quaestor.contracts.settings import RunOptions  # noqa: E402
from quaestor.contracts.tools import SearchInput, SearchResults  # noqa: E402
from quaestor.http.body import read_body  # noqa: E402
from quaestor.http.client import HttpClient  # noqa: E402
from quaestor.http.limits import RateLimit  # noqa: E402
from quaestor.kernel.executor import Executor  # noqa: E402
from quaestor.runtime.registry import AnyPlugin  # noqa: E402
from quaestor.runtime.resources import Resources  # noqa: E402
from quaestor.runtime.settings import resolve_settings  # noqa: E402
from quaestor.runtime.system import SystemClock, SystemIdGenerator  # noqa: E402
from quaestor.storage.sqlite import open_store  # noqa: E402
from quaestor.tools.passage_search import SearchPassages  # noqa: E402

MODEL_SECONDS, SEARCH_SECONDS, PAGE_SECONDS = 0.3, 0.1, 0.05
SEARCHES, PAGE_BYTES = 12, 1_000
CHAIN_SECONDS = 6 * MODEL_SECONDS + SEARCH_SECONDS + PAGE_SECONDS
CHAIN_BOUND, START_BOUND, CPU_BOUND, MEMORY_BOUND = 1.05, 0.6, 1.0, 84
CALLS = {"model_requested", "model_responded"}
TODOS = 6
FEWEST_CALLS = 2 + TODOS * 2 + 3
RUNS = 5
THINGS = ("lighthouse", "fog bell", "leading lights", "harbour guild", "light dues", "keepers")
SIX = Researcher([f"What is known of the {thing} of Aldmouth?" for thing in THINGS])
QUESTION = "How did the harbour lights of Aldmouth come about?"


class Site(HttpServer[Request]):
    """Answers any GET after so many milliseconds as its path says."""

    @override
    def understand(self, request: Request) -> Request:
        return request

    @override
    async def answer(self, request: Request, connection: Connection) -> bool:
        await request.take(int(request.path.strip("/")) / 1000)
        await connection.send(Sent(b"ok"))
        return True


class SlowSearch(SearchPassages):
    """The corpus search behind a search engine and a page, both over HTTP."""

    computes = False

    client: HttpClient
    site: str

    @override
    async def run(self, given: SearchInput) -> SearchResults:
        for seconds in (SEARCH_SECONDS, PAGE_SECONDS):
            url = httpx2.URL(f"{self.site}/{round(seconds * 1000)}")
            async with self.client.send("GET", url, {}) as response:
                await read_body(response, PAGE_BYTES)
        return await super().run(given)


class SlowResources(Resources):
    """Fits sessions out with the slow search."""

    search: SlowSearch

    @override
    async def performer(
        self,
        session_id: str,
        plugin: AnyPlugin,
        options: RunOptions,
        recorded: Sequence[Event] | None,
        state: object,
    ) -> Executor:
        usual = await super().performer(session_id, plugin, options, recorded, state)
        return replace(usual, tools={**usual.tools, "search": self.search})


def slow(asked: Asked) -> Answer:
    """Answer as a language model does that takes its time."""
    return Slow(seconds=MODEL_SECONDS, then=SIX(asked))


@contextmanager
def elsewhere(reply: Reply) -> Iterator[str]:
    """Serve the model and the site in a process of their own; return the address of both."""
    ours, theirs = socket.socketpair()

    async def live() -> None:
        async with OpenAIServer(reply) as server, Site() as site:
            theirs.sendall(f"{server.url} {site.url}".encode())
            await asyncio.Event().wait()

    pid = fork(live)
    try:
        yield ours.recv(1000).decode()
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        ours.close()
        theirs.close()


class BareClient:
    """Sends requests over connections that it keeps, and reads the answers without looking at them."""

    def __init__(self) -> None:
        self._idle: dict[str, list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]] = defaultdict(list)

    async def send(self, base: str, method: str, path: str, body: bytes = b"") -> None:
        """Send a request and read its answer."""
        place = urlsplit(base)
        idle = self._idle[place.netloc]
        reader, writer = idle.pop() if idle else await asyncio.open_connection(place.hostname, place.port)
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        )
        writer.write(body)
        told = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(told.lower().split(b"content-length:")[1].split()[0]))
        idle.append((reader, writer))

    def close(self) -> None:
        """Close its connections."""
        for idle in self._idle.values():
            for _, writer in idle:
                writer.close()


async def bare(addresses: str, bodies: Sequence[bytes]) -> float:
    """Return the seconds that the requests of a chain take by themselves, asked as widely as they are in it."""
    model, site = addresses.split()
    client = BareClient()

    async def ask(wide: int) -> None:
        path = f"{urlsplit(model).path}/chat/completions"
        await asyncio.gather(*(client.send(model, "POST", path, next(left)) for _ in range(wide)))

    async def search() -> None:
        for seconds in (SEARCH_SECONDS, PAGE_SECONDS):
            await client.send(site, "GET", f"/{round(seconds * 1000)}")

    left = iter(bodies)
    began = time.monotonic()
    await ask(1)
    await ask(1)
    await asyncio.gather(*(search() for _ in range(SEARCHES)))
    for wide in (TODOS, TODOS, 2, 1):
        await ask(wide)
    took = time.monotonic() - began
    client.close()
    return took


async def sent_bodies(folder: Path) -> list[bytes]:
    """Return what a run asks the model, in the order of the chain."""
    async with OpenAIServer(SIX) as server, Site() as site:
        await chain(folder, f"{server.url} {site.url}")
        return [request.raw for request in server.requests]


async def chain(folder: Path, addresses: str) -> float:
    """Return the seconds from the first request of a run to the end of the last."""
    model, site = addresses.split()
    docs = write_papers(folder)
    store = open_store(folder / DATABASE_FILE)
    clock = SystemClock()
    outfit = SlowResources(
        store.library,
        store.replies,
        resolve_settings(options(model), {}),
        {},
        clock,
        home=folder,
    )
    quaestor = Quaestor(
        store,
        store.library,
        outfit,
        clock,
        SystemIdGenerator(),
        access=store.access,
        workers=store.workers,
        home=folder,
    )
    corpus = await quaestor.index([docs])
    outfit.search = SlowSearch(store.library, corpus.corpus)
    outfit.search.client, outfit.search.site = HttpClient(RateLimit(in_flight=SEARCHES)), site
    session_id = await quaestor.start(QUESTION, corpus)
    result = await quaestor.run(session_id)
    calls = [event.at for event in await quaestor.events(session_id) if event.type in CALLS]
    await outfit.search.client.close()
    await outfit.close()
    await store.close()
    if result.outcome != "done" or len(calls) < 2 * FEWEST_CALLS:
        sys.exit(f"the run ended {result.outcome} after {len(calls) // 2} calls")
    return (calls[-1] - calls[0]).total_seconds()


def options(url: str) -> dict[str, JsonValue]:
    return {
        "model": "local:small",
        "providers": {"local": {"base_url": url}},
        "prices": {"local:small": {"input": 2, "output": 8}},
        "queries": 2,
        "loops": 1,
    }


def whole(folder: Path, environment: dict[str, str], server: OpenAIServer) -> tuple[float, float, float]:
    """Run the command; return the seconds to its first request, and the CPU seconds and megabytes of the process."""
    asked = len(server.requests)
    command = [sys.executable, "-m", "quaestor.faces.cli.main", "research", QUESTION, "--docs", str(folder / "papers")]
    command += ["--home", str(folder / "home"), "--effort", "low"]
    began = time.monotonic()
    silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    child = os.posix_spawn(sys.executable, command, environment, file_actions=silent)
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(command)} failed")
    return server.requests[asked].at - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bodies = asyncio.run(sent_bodies(folder / "sent"))
        with elsewhere(slow) as addresses:
            seconds = min(asyncio.run(chain(folder / f"chain{run}", addresses)) for run in range(RUNS))
            floor = min(asyncio.run(bare(addresses, bodies)) for _ in range(RUNS))
        ratio = seconds / floor
        write_papers(folder)
        with OpenAIServer(SIX) as server:
            environment = {**os.environ, "OPENAI_BASE_URL": server.url, "QUAESTOR_MODEL": "openai:gpt-5-mini"}
            environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what users start is compiled once
            runs = [whole(folder, environment, server) for _ in range(RUNS)]
    start, cpu, memory = (min(figures) for figures in zip(*runs, strict=True))
    waiting = f"{seconds / CHAIN_SECONDS:.3f} of the {CHAIN_SECONDS:.2f} s of waiting in it"
    print(f"first request to last   {seconds:.3f} s, {ratio:.3f} of a bare client  bound {CHAIN_BOUND}  ({waiting})")
    print(f"start to first request  {start:.2f} s  bound {START_BOUND}")
    print(f"CPU of a whole run      {cpu:.2f} s  bound {CPU_BOUND}")
    print(f"memory of a whole run   {memory:.0f} MB  bound {MEMORY_BOUND}")
    held = ratio <= CHAIN_BOUND and start < START_BOUND and cpu < CPU_BOUND and memory < MEMORY_BOUND
    print("every bound holds" if held else "A BOUND DOES NOT HOLD")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
