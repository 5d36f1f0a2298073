"""The registry of workers, on every store."""

import pytest

from quaestor.contracts.workers import WorkerRecord, WorkerRegistry
from storage.conformance.conftest import Backend
from storage.samples import NOON, OWNER, RIVAL, later


@pytest.fixture
def registry(backend: Backend) -> WorkerRegistry:
    return backend.workers


def record(seen: float = 0, carried: int = 0) -> WorkerRecord:
    return WorkerRecord(owner=OWNER, places=8, since=NOON, seen_at=later(seen), carried=carried)


async def test_a_worker_is_there_from_its_first_report_until_it_is_removed(registry: WorkerRegistry) -> None:
    assert await registry.report_worker(record()) is False
    other = WorkerRecord(owner=RIVAL, places=1, since=later(-5), seen_at=NOON)
    await registry.report_worker(other)
    await registry.report_worker(record(5, carried=3))
    assert await registry.workers() == [other, record(5, carried=3)]
    await registry.remove_worker(RIVAL)
    await registry.remove_worker(RIVAL)
    assert [each.owner for each in await registry.workers()] == [OWNER]


async def test_a_worker_learns_that_it_is_to_drain_and_no_other_one(registry: WorkerRegistry) -> None:
    await registry.drain_worker(OWNER)
    assert await registry.report_worker(record()) is False, "it was not there"
    await registry.report_worker(WorkerRecord(owner=RIVAL, places=1, since=NOON, seen_at=NOON))
    await registry.drain_worker(OWNER)
    assert await registry.report_worker(record(5)) is True
    assert {each.owner: each.drains for each in await registry.workers()} == {OWNER: True, RIVAL: False}
