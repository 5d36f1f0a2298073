"""What the messages of OTLP, the protocol of OpenTelemetry, have in common."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource

from quaestor.storage.followers.trace_attributes import AttributeValue

_NAME = "quaestor"
SCOPE = InstrumentationScope(name=_NAME)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def encode_resource(instance: str | None = None) -> Resource:
    """Return what sends: this program, or one process of it."""
    own = {"service.instance.id": instance} if instance else {}
    return Resource(attributes=encode_attributes({"service.name": _NAME, **own}))


def count_rejected(response: bytes) -> tuple[int, str]:
    """Return how many spans or points a target refused, and why. Raises ValueError for what is no response."""
    try:  # the response for metrics has the same fields under the same numbers
        partial = ExportTraceServiceResponse.FromString(response).partial_success
    except DecodeError as error:
        raise ValueError("its answer is none of OTLP") from error
    return partial.rejected_spans, partial.error_message


def encode_attributes(values: Mapping[str, AttributeValue]) -> Iterable[KeyValue]:
    """Return attributes as pairs."""
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


def to_nanoseconds(at: datetime) -> int:
    """Return a time in nanoseconds since 1970."""
    return (at - _EPOCH) // _MICROSECOND * 1_000
