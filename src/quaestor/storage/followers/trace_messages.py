"""Spans as messages of OTLP, the protocol of OpenTelemetry."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1 import trace_pb2 as trace

from quaestor.storage.followers.trace_attributes import SCHEMA_URL, AttributeValue
from quaestor.storage.followers.trace_fold import Span

_NAME = "quaestor"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def encode_spans(spans: Sequence[Span]) -> bytes:
    """Return the request that exports spans. It holds nothing of this process, so that a repeat is equal."""
    scope = trace.ScopeSpans(scope=InstrumentationScope(name=_NAME), spans=map(_span, spans), schema_url=SCHEMA_URL)
    resource = Resource(attributes=_attributes({"service.name": _NAME}))
    request = ExportTraceServiceRequest(
        resource_spans=[trace.ResourceSpans(resource=resource, scope_spans=[scope], schema_url=SCHEMA_URL)]
    )
    return request.SerializeToString(deterministic=True)


def count_rejected(response: bytes) -> tuple[int, str]:
    """Return how many spans a target refused, and why. Raises ValueError for what is no response."""
    try:
        partial = ExportTraceServiceResponse.FromString(response).partial_success
    except DecodeError as error:
        raise ValueError("its answer is none of OTLP") from error
    return partial.rejected_spans, partial.error_message


def _span(span: Span) -> trace.Span:
    return trace.Span(
        trace_id=bytes.fromhex(span.trace_id),
        span_id=bytes.fromhex(span.span_id),
        parent_span_id=bytes.fromhex(span.parent_id or ""),
        name=span.name,
        kind=trace.Span.SPAN_KIND_CLIENT if span.is_client else trace.Span.SPAN_KIND_INTERNAL,
        start_time_unix_nano=_nanoseconds(span.start),
        end_time_unix_nano=_nanoseconds(span.end),
        attributes=_attributes(span.attributes),
        events=[
            trace.Span.Event(
                time_unix_nano=_nanoseconds(note.at), name=note.name, attributes=_attributes(note.attributes)
            )
            for note in span.notes
        ],
        dropped_events_count=span.notes_dropped,
        status=trace.Status(code=trace.Status.STATUS_CODE_ERROR if span.error else trace.Status.STATUS_CODE_UNSET),
    )


def _attributes(values: Mapping[str, AttributeValue]) -> Iterable[KeyValue]:
    return [KeyValue(key=name, value=_value(value)) for name, value in values.items()]


def _value(value: AttributeValue) -> AnyValue:
    match value:
        case bool():
            return AnyValue(bool_value=value)
        case int():
            return AnyValue(int_value=value)
        case float():
            return AnyValue(double_value=value)
        case str():
            return AnyValue(string_value=value.encode(errors="replace").decode())


def _nanoseconds(at: datetime) -> int:
    return (at - _EPOCH) // _MICROSECOND * 1_000
