"""The process that reads, with processes, signals and pipes that are real."""

import asyncio
import io
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from threading import Thread

import pytest

from fakes.needed import lacking
from fakes.pdf import pdf
from fakes.sample import sample
from quaestor.tools.reading.parse import SETTINGS, parse, parse_sync, read_in_worker
from quaestor.tools.reading.protocol import ParsedDocument, ReadRequest, SkipReason, decode_document
from quaestor.tools.worker.child import read_frame, write_frames
from quaestor.tools.worker.pool import CancellationToken, WorkerPool
from quaestor.tools.worker.process import Worker, WorkerExited

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at in /proc")

PAPER = pdf(["Some words."])
SLOW = b"<html><body><p " + b" ".join(b"a%d=1" % number for number in range(200_000)) + b">words"
ASKED = ReadRequest(media_type="application/pdf", uri="/a.pdf")
MESSAGES = (ASKED.encode(), PAPER)
ASKED_SLOW = ReadRequest(media_type="text/html", uri="/a.html")
HOLD = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored in the background of a shell
from fakes.pdf import pdf
from quaestor.tools.reading.parse import parse_sync as read
read(pdf(["Some words."]), "", "a.pdf")
print("ready", flush=True)
{then}
"""


IDLE = "sys.stdin.read()"
BUSY = "read(b'<p ' + b' '.join(b'a%d=1' % n for n in range(200_000)) + b'>words', 'text/html', 'a')"


def workers_of(parent: int) -> set[int]:
    """Return the children of a process that read documents."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
            line = (stat.parent / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(after_name[1]) == parent and after_name[0] != "Z" and b"quaestor.tools.reading.worker" in line:
            found.add(int(stat.parent.name))
    return found


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(holds: Callable[[], object], seconds: float = 200) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def work(pid: int) -> int:
    """Return the processor time of a process in ticks, 0 when it has ended."""
    if not lives(pid):
        return 0
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(after_name[11]) + int(after_name[12])


def is_busy(pid: int) -> bool:
    before = work(pid)
    time.sleep(0.1)
    return work(pid) - before > 3


def started(then: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "MY_API_KEY": "sk-secret"}
    code = HOLD.format(then=then)
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def test_one_worker_reads_many_documents_and_is_replaced_when_it_is_lost() -> None:
    parse_sync(PAPER, "", "/a.pdf")
    before = workers_of(os.getpid())
    parse_sync(PAPER, "", "/a.pdf")
    assert workers_of(os.getpid()) == before
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    assert isinstance(parse_sync(PAPER, "", "/a.pdf"), ParsedDocument)
    assert not workers_of(os.getpid()) & before


def test_documents_that_are_sent_at_once_are_read_one_behind_the_other() -> None:
    """What comes in one piece with the request before must not lie unseen in a buffer while more is waited for."""
    page = ReadRequest(media_type="text/html", uri="/a.html").encode(), b"<p>Some words."
    sent = io.BytesIO()
    write_frames(sent, *page, *page)
    command = [sys.executable, "-m", SETTINGS.module]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(sent.getvalue())
        process.stdin.flush()
        for _ in range(2):
            assert select.select([process.stdout], [], [], 30)[0], "no response"
            response = read_frame(process.stdout, 1_000)
            assert response is not None
            assert decode_document(response) == ParsedDocument(text="Some words.")


def test_a_worker_killed_while_it_reads_is_replaced_and_the_document_read_again() -> None:
    workers = WorkerPool(SETTINGS, 30, 1)
    before = workers_of(os.getpid())
    read_in_worker(workers, ASKED, PAPER, CancellationToken())
    [pid] = workers_of(os.getpid()) - before
    os.kill(pid, signal.SIGSTOP)
    answers: list[ParsedDocument | SkipReason] = []
    reader = Thread(target=lambda: answers.append(read_in_worker(workers, ASKED, PAPER, CancellationToken())))
    reader.start()
    time.sleep(0.1)
    assert not answers
    os.kill(pid, signal.SIGKILL)
    reader.join()
    workers.close()
    assert isinstance(answers[0], ParsedDocument)
    assert workers_of(os.getpid()) == before


def test_a_worker_that_hangs_is_killed_in_time() -> None:
    before = workers_of(os.getpid())
    workers = WorkerPool(SETTINGS, 0.3, 1)
    assert read_in_worker(workers, ASKED_SLOW, SLOW, CancellationToken()) is SkipReason.TOO_SLOW
    assert workers_of(os.getpid()) == before


def test_who_kills_the_worker_twice_gets_a_reason_that_does_not_last() -> None:
    worker = Worker(SETTINGS)
    worker.stop()
    with pytest.raises(WorkerExited) as exited:
        worker.ask(30, *MESSAGES)
    assert exited.value.is_from_outside
    cancelled = CancellationToken()
    cancelled.cancel()
    assert read_in_worker(WorkerPool(SETTINGS, 30, 1), ASKED, PAPER, cancelled) is SkipReason.LOST
    assert not SkipReason.LOST.is_permanent


@pytest.mark.skipif(not find_spec("trafilatura"), reason="needs the extra web")
def test_reading_a_page_takes_neither_pydantic_nor_the_common_words_of_all_languages() -> None:
    code = """
import sys
import quaestor.tools.reading.worker
from quaestor.tools.reading.html_page import parse_html
from trafilatura import external
page = b"<html><body><article><p>%s</p></article></body></html>" % (b"Words of a page that is long. " * 100)
assert "long" in parse_html(page, "https://example.org/", "").text
print(external.JT_STOPLIST, "pydantic" in sys.modules)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "None False\n"


def busy() -> int | None:
    """Return a worker of this process that is at work."""
    return next((pid for pid in workers_of(os.getpid()) if is_busy(pid)), None)


async def test_a_reading_that_is_cancelled_leaves_nothing_at_work() -> None:
    reading = asyncio.create_task(parse(SLOW, "text/html", "https://example.org/"))
    while not (worker := await asyncio.to_thread(busy)):
        assert not reading.done()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await asyncio.to_thread(until, lambda: not lives(worker), 1)
    assert (await parse(PAPER, "", "/a.pdf")).text == "Some words."


@pytest.mark.parametrize(
    ("number", "then"),
    sample(product([signal.SIGKILL, signal.SIGTERM, signal.SIGINT], [IDLE, BUSY]), lambda place: place in {1, 2, 4}),
)
def test_a_worker_ends_with_its_parent(number: signal.Signals, then: str) -> None:
    with started(then) as parent:
        [worker] = workers_of(parent.pid)
        if then == BUSY:
            until(lambda: is_busy(worker))
        parent.send_signal(number)
        parent.wait()
        until(lambda: not lives(worker))


def test_a_parent_that_ends_well_leaves_no_worker_and_says_nothing() -> None:
    with started("") as parent:
        pids = workers_of(parent.pid)
        assert parent.wait() == 0
        until(lambda: not any(lives(pid) for pid in pids))


def test_the_worker_gets_neither_secrets_nor_the_terminal() -> None:
    with started("sys.stdin.read()") as parent:
        [worker] = workers_of(parent.pid)
        process = Path(f"/proc/{worker}")
        assert b"sk-secret" not in (process / "environ").read_bytes()
        assert b"HOME=" not in (process / "environ").read_bytes()
        assert [str((process / "fd" / number).readlink()) for number in "012"] == ["/dev/null"] * 3
        assert os.getpgid(worker) == worker != os.getpgid(parent.pid)
        limits = (process / "limits").read_text()
        parent.kill()
    assert f"{512 * 2**20}" in next(line for line in limits.splitlines() if line.startswith("Max address space"))


@pytest.mark.parametrize(
    "does",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "from pathlib import Path; Path('written').write_text('words')",
    ],
)
def test_a_confined_process_may_not_do_this(tmp_path: Path, does: str) -> None:
    code = (
        "from quaestor.tools.reading.worker import restrict_process; restrict_process(2**29)\n"
        f"try:\n    {does}\nexcept OSError: print('refused')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "refused\n", done.stderr


def test_a_confined_process_has_no_network_where_the_kernel_takes_it_away() -> None:
    code = """
import ctypes, sys
if ctypes.CDLL(None).unshare(0x50000000):
    sys.exit("not allowed")
"""
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if fresh.returncode:
        lacking("a namespace", "user namespaces are not allowed here")
    before = workers_of(os.getpid())
    worker = Worker(SETTINGS)
    worker.ask(30, *MESSAGES)
    [pid] = workers_of(os.getpid()) - before
    assert Path(f"/proc/{pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()
    worker.close()
