"""Worker processes that are real, asked by a pool, once, and from a loop."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from threading import Event, Thread
from types import FrameType

import pytest

from quaestor.contracts.immutable import replace
from quaestor.tools.worker.pool import CancellationToken, WorkerPool, ask_once, run_cancellable
from quaestor.tools.worker.process import (
    InvalidResponse,
    Worker,
    WorkerExited,
    WorkerSettings,
    WorkerTimedOut,
    WorkerUnavailable,
)

SECONDS = 30
SETTINGS = WorkerSettings(module="fakes.echo_worker", environment={"LANG": "C.UTF-8"}, max_response_bytes=100)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals end the workers")


@pytest.fixture
def pool() -> WorkerPool:
    return WorkerPool(SETTINGS, SECONDS, 1)


def ask(pool: WorkerPool, message: str, cancellation: CancellationToken | None = None) -> str:
    return pool.ask(bytes.decode, cancellation or CancellationToken(), message.encode())


def test_a_pool_keeps_its_worker_for_the_next_request(pool: WorkerPool) -> None:
    assert ask(pool, "words") == "words"
    assert ask(pool, "pid") == ask(pool, "pid")
    pool.close()


def test_a_worker_is_replaced_after_two_hundred_requests(pool: WorkerPool) -> None:
    numbers = [ask(pool, "pid") for _ in range(201)]
    assert len(set(numbers[:200])) == 1
    assert numbers[200] != numbers[199]
    pool.close()


def test_a_worker_gets_of_the_environment_what_is_named_alone(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_API_KEY", "sk-secret")
    assert set(ask(pool, "environment").split(",")) <= {"LANG", "LC_CTYPE", "PYTHONPATH"}
    pool.close()


def test_a_worker_that_was_ended_from_outside_is_replaced(pool: WorkerPool) -> None:
    os.kill(int(ask(pool, "pid")), signal.SIGTERM)
    assert ask(pool, "words") == "words"
    with pytest.raises(WorkerUnavailable, match="ended from outside"):
        ask(pool, "exit 0")


def test_a_worker_that_its_request_ends_is_not_tried_again(pool: WorkerPool) -> None:
    with pytest.raises(WorkerExited) as exited:
        ask(pool, "exit 3")
    assert exited.value.exit_code == 3


def test_a_response_that_is_too_large_or_none_ends_the_worker(pool: WorkerPool) -> None:
    before = ask(pool, "pid")
    with pytest.raises(InvalidResponse, match="invalid literal"):
        pool.ask(int, CancellationToken(), b"words")
    assert ask(pool, "pid") != before
    with pytest.raises(WorkerUnavailable):
        ask(pool, "x" * 101)


def test_a_request_that_takes_too_long_ends_the_worker() -> None:
    worker = Worker(SETTINGS)
    with pytest.raises(WorkerTimedOut, match=r"no response within 0\.2 s"):
        worker.ask(0.2, b"hang")
    assert not worker.is_alive


def test_a_worker_that_another_thread_closes_has_ended_for_its_request() -> None:
    worker = Worker(SETTINGS)
    with pytest.raises(WorkerExited):
        worker.ask(SECONDS, b"hang", begun=worker.close)


def test_a_request_that_is_interrupted_while_it_waits_leaves_no_response_to_the_next_one() -> None:
    worker, begun = Worker(SETTINGS), Event()

    def asking() -> None:
        with pytest.raises(WorkerExited):
            worker.ask(SECONDS, b"hang", begun=begun.set)

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    thread = Thread(target=asking)
    thread.start()
    begun.wait()
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            worker.ask(SECONDS, b"words")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert not worker.is_alive
    thread.join()


def test_a_worker_may_end_by_itself_when_its_input_ends(tmp_path: Path) -> None:
    worker, ended = Worker(replace(SETTINGS, exit_seconds=SECONDS)), tmp_path / "ended"
    assert worker.ask(SECONDS, b"words") == b"words"
    with pytest.raises(WorkerTimedOut):
        worker.ask(0.1, f"linger {ended}".encode())
    assert ended.read_text() == "interrupted"


def test_a_cancelled_request_ends_also_before_it_begins(pool: WorkerPool) -> None:
    cancelled = CancellationToken()
    cancelled.cancel()
    with pytest.raises(WorkerUnavailable):
        ask(pool, "words", cancelled)


def test_a_request_is_cancelled_from_another_thread(pool: WorkerPool) -> None:
    number = int(ask(pool, "pid"))
    os.kill(number, signal.SIGSTOP)
    token, outcome = CancellationToken(), list[str]()

    def asking() -> None:
        with pytest.raises(WorkerUnavailable):
            ask(pool, "words", token)
        outcome.append("cancelled")

    thread = Thread(target=asking)
    thread.start()
    token.cancel()
    thread.join()
    assert outcome == ["cancelled"]


def _ask_at_once(pool: WorkerPool, count: int) -> set[str]:
    """Return the workers that answer so many requests at the same time, each after 50 ms."""
    answers: list[str] = []
    threads = [Thread(target=lambda: answers.append(ask(pool, "slow_pid"))) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == count
    return set(answers)


def test_one_worker_serves_requests_that_wait_less_than_the_start_of_another_takes() -> None:
    pool = WorkerPool(SETTINGS, SECONDS, 4, patience=SECONDS)
    assert len(_ask_at_once(pool, 4)) == 1
    pool.close()


def test_more_workers_start_after_requests_have_waited_as_long_as_a_start_takes() -> None:
    pool = WorkerPool(SETTINGS, SECONDS, 2, patience=0.01)
    assert len(_ask_at_once(pool, 8)) == 2
    pool.close()


def _ask_behind(pool: WorkerPool, first: str, then: str) -> tuple[str, str]:
    """Return the answers to a request and to one that is made when the worker has begun with it."""
    answers = {"first": "", "then": ""}

    def asking(place: str, message: str) -> None:
        try:
            answers[place] = ask(pool, message)
        except WorkerExited as exited:
            answers[place] = f"exited with {exited.exit_code}"

    threads = [Thread(target=asking, args=("first", first)), Thread(target=asking, args=("then", then))]
    for thread in threads:
        thread.start()
        time.sleep(0.1)
    for thread in threads:
        thread.join()
    pool.close()
    return answers["first"], answers["then"]


def test_a_short_request_is_sent_while_the_one_before_is_served(pool: WorkerPool) -> None:
    assert _ask_behind(pool, f"is_next_there {SECONDS}", "words") == ("yes", "words")


def test_a_long_request_waits_for_the_one_before_and_keeps_others_waiting(pool: WorkerPool) -> None:
    assert _ask_behind(pool, "is_next_there 0.5", "pid" + " " * 50_000)[0] == "no"
    assert _ask_behind(pool, "is_next_there 0.5" + " " * 50_000, "words") == ("no", "words")


def test_what_was_sent_behind_a_request_that_ended_the_worker_is_served_by_another(pool: WorkerPool) -> None:
    assert _ask_behind(pool, f"exit_once_next_is_there {SECONDS}", "words") == ("exited with 3", "words")


def test_every_request_gets_its_own_response_however_many_are_made_at_once(pool: WorkerPool) -> None:
    answers: dict[str, str] = {}
    messages = [f"words {number}" for number in range(100)]
    threads = [
        Thread(target=lambda message=message: answers.update({message: ask(pool, message)})) for message in messages
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {message: message for message in messages}
    pool.close()


async def test_a_task_that_is_cancelled_leaves_no_worker(tmp_path: Path) -> None:
    patient, ended = replace(SETTINGS, exit_seconds=SECONDS), tmp_path / "ended"
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work(cancellation: CancellationToken) -> str:
        loop.call_soon_threadsafe(begun.set)
        return ask_once(patient, SECONDS, bytes.decode, cancellation, f"linger {ended}".encode())

    task = asyncio.create_task(run_cancellable(work))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
