"""Metrics of OpenTelemetry: what a collector has of the sessions of a process, and of a store."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.metrics.v1.metrics_pb2 import Histogram, HistogramDataPoint, Metric
from opentelemetry.semconv._incubating.metrics import gen_ai_metrics
from opentelemetry.semconv.schemas import Schemas
from typing_extensions import override

from fakes.collector import Collector, attributes_of
from fakes.papers import write_papers
from fakes.sittings import LIGHTHOUSE
from quaestor.app import open_home
from quaestor.app.workers import telemetry, worker_process
from quaestor.app.workers.metering import UsageMeter
from quaestor.app.workers.telemetry import export_metrics_during
from quaestor.app.workers.worker import SessionWorker
from quaestor.contracts.cost import Spend, Usage
from quaestor.runtime.system import current_process
from quaestor.storage.followers.metric_messages import encode_metrics
from quaestor.storage.followers.metrics import CallMetrics, Distribution
from quaestor.storage.followers.otlp_client import HEADERS
from quaestor.storage.followers.trace_attributes import SCHEMA_URL
from storage.followers.samples import NOON
from storage.followers.test_otlp import DONE, FOUND, STARTED, TOOL, log, requested, responded


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as collector:
        yield collector


def numbers(metric: Metric) -> Mapping[str, float]:
    """Return the numbers of a metric by the values of their attributes."""
    points = (metric.gauge if metric.HasField("gauge") else metric.sum).data_points
    return {" ".join(map(str, attributes_of(point.attributes).values())): point.as_double for point in points}


def spread(histogram: Histogram, attribute: str) -> Mapping[object, HistogramDataPoint]:
    """Return the distributions of a metric by the value of one attribute."""
    return {attributes_of(point.attributes).get(attribute): point for point in histogram.data_points}


async def test_a_worker_sends_what_its_sessions_used_up_and_what_waits(tmp_path: Path, collector: Collector) -> None:
    async with open_home(tmp_path / "home", effort="low", metrics=f"otlp+{collector.url}") as q:
        corpus = await q.index([write_papers(tmp_path)])
        done = await q.start(LIGHTHOUSE, corpus)
        worker = SessionWorker(q, 1)
        async with export_metrics_during(q, worker.meter, with_sessions=True):
            worker.carry(done)
            while not (await q.session(done)).outcome:  # noqa: ASYNC110 -- as the worker goes on
                await asyncio.sleep(0.01)
            await worker.close()
            await q.start(f"{LIGHTHOUSE} again?", corpus)
        spent = await worker.meter.read()
        calls = Counter(event.type for event in await q.events(done))
    [(process, found)] = collector.metrics.items()
    assert process == str(current_process())
    assert numbers(found["quaestor.actions"]) == {
        "model_call": calls["model_responded"],
        "tool_call": calls["tool_responded"],
    }
    assert numbers(found["quaestor.spend.tokens"]) == {"": spent.tokens}
    sessions = numbers(found["quaestor.sessions"])
    assert {name: count for name, count in sessions.items() if count} == {"finished": 1, "queued": 1}
    assert numbers(found["quaestor.queue.sessions"]) == {"": 1}
    assert numbers(found["quaestor.queue.age"])[""] >= 0
    assert found["quaestor.actions"].sum.is_monotonic


def test_calls_of_models_are_spread_by_the_conventions() -> None:
    calls = CallMetrics()
    lost = responded("b").revised(error="away", unavailable=True, usage=None)
    slow = responded("c").revised(milliseconds=90_000, usage=Usage(input_tokens=10**9, output_tokens=1))
    for event in log(STARTED, requested("a"), responded("a"), requested("b"), lost, requested("c"), slow, TOOL, FOUND):
        calls.note(event)
    [process] = ExportMetricsServiceRequest.FromString(
        encode_metrics(calls.read(), "process 1", NOON, NOON)
    ).resource_metrics
    [scope] = process.scope_metrics
    assert process.schema_url == scope.schema_url == SCHEMA_URL
    assert SCHEMA_URL in {each.value for each in Schemas}
    found = {metric.name: metric.histogram for metric in scope.metrics}
    conventions = {value for name, value in vars(gen_ai_metrics).items() if name.isupper()}
    assert {name for name in found if name.startswith("gen_ai.")} <= conventions
    seconds = spread(found["gen_ai.client.operation.duration"], "error.type")
    assert {error: tuple(each.bucket_counts) for error, each in seconds.items()} == {
        None: (1, *(0,) * 13, 1),
        "unavailable": (1, *(0,) * 14),
    }
    assert tuple(seconds[None].explicit_bounds[:3]) == (0.01, 0.02, 0.04)
    assert seconds[None].explicit_bounds[-1] == pytest.approx(81.92)
    tokens = spread(found["gen_ai.client.token.usage"], "gen_ai.token.type")
    assert (tokens["input"].sum, tokens["input"].bucket_counts[-1], tokens["output"].bucket_counts[0]) == (
        10**9 + 100,
        1,
        1,
    )
    assert tuple(tokens["input"].explicit_bounds) == tuple(4**power for power in range(14))


def test_a_call_that_was_cut_off_by_the_end_of_its_session_is_not_kept() -> None:
    calls = CallMetrics()
    for event in log(requested("a"), DONE, responded("a"), requested("b"), responded("b")):
        calls.note(event)
    [seconds] = (metric.points for metric in calls.read() if metric.name == "gen_ai.client.operation.duration")
    [spread_of_one] = seconds.values()
    assert isinstance(spread_of_one, Distribution)
    assert sum(spread_of_one.counts) == 1


async def test_a_defect_of_the_export_is_logged_and_ends_nothing_else(
    tmp_path: Path, collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    class Defect(UsageMeter):
        reads = 0

        @override
        async def read(self) -> Spend:
            self.reads += 1
            if self.reads == 1:
                raise AssertionError("a defect")
            return await super().read()

    settings = {"metrics": f"otlp+{collector.url}"}
    async with open_home(tmp_path / "home", **settings) as q, export_metrics_during(q, Defect(q)):
        while not caplog.records:  # noqa: ASYNC110 -- as the export goes on
            await asyncio.sleep(0.01)
    assert [record.message for record in caplog.records] == ["metrics: none are sent any more; report this defect"]
    assert collector.metrics


async def test_a_collector_that_refuses_metrics_is_reported_once(
    tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(telemetry, "EXPORT_SECONDS", 0.0)
    collector.status = 400
    with caplog.at_level(logging.WARNING, "quaestor"):
        async with open_home(tmp_path / "home", metrics=f"otlp+{collector.url}") as q:
            stop = asyncio.Event()
            working = asyncio.create_task(worker_process.work(q, 1, stop))
            while len(collector.requests) < 3:  # noqa: ASYNC110 -- as the worker goes on
                await asyncio.sleep(0.01)
            stop.set()
            await working
    assert [record.message for record in caplog.records if "metrics" in record.message] == [
        f"metrics: otlp+{collector.url} refuses: status 400; correct the address, or the headers in {HEADERS}"
    ]
