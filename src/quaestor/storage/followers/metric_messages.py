"""Metrics as messages of OTLP, the protocol of OpenTelemetry, sent to a collector."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.metrics.v1 import metrics_pb2 as message

from quaestor.storage.followers.metrics import Attributes, Distribution, Metric
from quaestor.storage.followers.otlp_client import OtlpClient
from quaestor.storage.followers.otlp_messages import SCOPE, encode_attributes, encode_resource, to_nanoseconds
from quaestor.storage.followers.trace_attributes import SCHEMA_URL

_CUMULATIVE = message.AGGREGATION_TEMPORALITY_CUMULATIVE


class OtlpMetrics:
    """An export of the metrics of one process, which counts since a time; `process` distinguishes it from others.

    Raises UsageError for a URL that is none.
    """

    def __init__(self, url: str, environment: Mapping[str, str], process: str, since: datetime) -> None:
        self._client = OtlpClient(url, "metrics", environment)
        self._process = process
        self._since = since

    async def send(self, metrics: Sequence[Metric], at: datetime) -> None:
        """Send metrics as they are at a time.

        Raises FollowerUnavailable when trying again may help, SetupError for what the collector refuses.
        """
        await self._client.send(encode_metrics(metrics, self._process, self._since, at))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def encode_metrics(metrics: Sequence[Metric], process: str, since: datetime, at: datetime) -> bytes:
    """Return the request that exports metrics of a process, which counts since a time; without points there is none."""
    start, now = to_nanoseconds(since), to_nanoseconds(at)
    scope = message.ScopeMetrics(
        scope=SCOPE, metrics=[_metric(each, start, now) for each in metrics if each.points], schema_url=SCHEMA_URL
    )
    resource = message.ResourceMetrics(resource=encode_resource(process), scope_metrics=[scope], schema_url=SCHEMA_URL)
    return ExportMetricsServiceRequest(resource_metrics=[resource]).SerializeToString(deterministic=True)


def _metric(metric: Metric, start: int, now: int) -> message.Metric:
    points = [_point(attributes, value, start, now) for attributes, value in metric.points.items()]
    numbers = [each for each in points if isinstance(each, message.NumberDataPoint)]
    spread = [each for each in points if isinstance(each, message.HistogramDataPoint)]
    match metric.kind:
        case "gauge":
            return message.Metric(name=metric.name, unit=metric.unit, gauge=message.Gauge(data_points=numbers))
        case "counter":
            total = message.Sum(data_points=numbers, aggregation_temporality=_CUMULATIVE, is_monotonic=True)
            return message.Metric(name=metric.name, unit=metric.unit, sum=total)
        case "histogram":
            histogram = message.Histogram(data_points=spread, aggregation_temporality=_CUMULATIVE)
            return message.Metric(name=metric.name, unit=metric.unit, histogram=histogram)


def _point(
    attributes: Attributes, value: float | Distribution, start: int, now: int
) -> message.NumberDataPoint | message.HistogramDataPoint:
    pairs = encode_attributes(dict(sorted(attributes)))
    if isinstance(value, Distribution):
        return message.HistogramDataPoint(
            attributes=pairs,
            start_time_unix_nano=start,
            time_unix_nano=now,
            count=sum(value.counts),
            sum=value.total,
            bucket_counts=value.counts,
            explicit_bounds=value.bounds,
        )
    return message.NumberDataPoint(
        attributes=pairs, start_time_unix_nano=start, time_unix_nano=now, as_double=float(value)
    )
