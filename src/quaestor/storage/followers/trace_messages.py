"""Spans as messages of OTLP, the protocol of OpenTelemetry."""

from collections.abc import Sequence

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1 import trace_pb2 as trace

from quaestor.storage.followers.otlp_messages import SCOPE, encode_attributes, encode_resource, to_nanoseconds
from quaestor.storage.followers.trace_attributes import SCHEMA_URL
from quaestor.storage.followers.trace_fold import Span


def encode_spans(spans: Sequence[Span]) -> bytes:
    """Return the request that exports spans. It holds nothing of this process, so that a repeat is equal."""
    scope = trace.ScopeSpans(scope=SCOPE, spans=map(_span, spans), schema_url=SCHEMA_URL)
    request = ExportTraceServiceRequest(
        resource_spans=[trace.ResourceSpans(resource=encode_resource(), scope_spans=[scope], schema_url=SCHEMA_URL)]
    )
    return request.SerializeToString(deterministic=True)


def _span(span: Span) -> trace.Span:
    return trace.Span(
        trace_id=bytes.fromhex(span.trace_id),
        span_id=bytes.fromhex(span.span_id),
        parent_span_id=bytes.fromhex(span.parent_id or ""),
        name=span.name,
        kind=trace.Span.SPAN_KIND_CLIENT if span.is_client else trace.Span.SPAN_KIND_INTERNAL,
        start_time_unix_nano=to_nanoseconds(span.start),
        end_time_unix_nano=to_nanoseconds(span.end),
        attributes=encode_attributes(span.attributes),
        events=[
            trace.Span.Event(
                time_unix_nano=to_nanoseconds(note.at), name=note.name, attributes=encode_attributes(note.attributes)
            )
            for note in span.notes
        ],
        dropped_events_count=span.notes_dropped,
        status=trace.Status(code=trace.Status.STATUS_CODE_ERROR if span.error else trace.Status.STATUS_CODE_UNSET),
    )
