"""A collector of OpenTelemetry on loopback, which keeps every span by its ids, and of each process its last metrics."""

from collections.abc import Iterable, Mapping

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from typing_extensions import override

from fakes.http_server import Answer, Connection, HttpServer, Request

_PROTOBUF = {"Content-Type": "application/x-protobuf"}


class Collector(HttpServer[Request]):
    """Takes spans at /v1/traces and metrics at /v1/metrics; `status` and `body` are answered instead, once set."""

    def __init__(self) -> None:
        super().__init__()
        self.spans: dict[tuple[bytes, bytes], Span] = {}
        self.metrics: dict[object, Mapping[str, Metric]] = {}
        """By process and name."""
        self.repeats = 0
        """Spans that came again, equal to what was there."""
        self.status = 200
        self.body = b""
        self.rejected = 0

    @override
    def understand(self, request: Request) -> Request:
        return request

    @override
    async def answer(self, request: Request, connection: Connection) -> bool:
        if self.status == 200 and not self.body:
            self._keep(request)
        partial = ExportTracePartialSuccess(rejected_spans=self.rejected, error_message="no room")
        response = ExportTraceServiceResponse(partial_success=partial if self.rejected else None)
        await connection.send(Answer(self.body or response.SerializeToString(), self.status, _PROTOBUF))
        return True

    def of(self, trace_id: str) -> Mapping[str, Span]:
        """Return the spans of a trace, by their ids."""
        return {own.hex(): span for (trace, own), span in self.spans.items() if trace.hex() == trace_id}

    def _keep(self, request: Request) -> None:
        assert request.headers["content-type"] == "application/x-protobuf"
        if request.path == "/v1/metrics":
            self._keep_metrics(request)
            return
        assert (request.method, request.path) == ("POST", "/v1/traces")
        for resource in ExportTraceServiceRequest.FromString(request.raw).resource_spans:
            assert attributes_of(resource.resource.attributes) == {"service.name": "quaestor"}
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                known = self.spans.setdefault((span.trace_id, span.span_id), span)
                assert known == span, "a span that comes again is the same span"
                self.repeats += known is not span

    def _keep_metrics(self, request: Request) -> None:
        for resource in ExportMetricsServiceRequest.FromString(request.raw).resource_metrics:
            process = attributes_of(resource.resource.attributes)
            assert process["service.name"] == "quaestor"
            found = (metric for scope in resource.scope_metrics for metric in scope.metrics)
            self.metrics[process["service.instance.id"]] = {metric.name: metric for metric in found}


def attributes_of(pairs: Iterable[KeyValue]) -> Mapping[str, object]:
    """Return attributes as plain values."""
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value") or "", None) for pair in pairs}
