"""In which ways a provider is asked, from what is known of its model to what it takes."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from quaestor.contracts.model import ModelRequest, OutputMode, OutputRequest
from quaestor.models.chat.error_handling import Downgrade
from quaestor.models.chat.exchange import ErrorResponse, InvalidRequest
from quaestor.models.chat.request import RequestMode
from quaestor.models.chat.wire import Body

_DOWNGRADES: Mapping[OutputMode, OutputMode] = MappingProxyType({"schema": "tool", "tool": "prompt"})
_MODE_KEYWORDS: Mapping[OutputMode, tuple[str, ...]] = MappingProxyType(
    {
        "schema": ("schema", "output_config", "outputconfig", "output_format", "structured output", "grammar", "mime"),
        "tool": ("tool", "function"),
    }
)
_DOWNGRADE_STATUSES = {400, 404, 422}
_CONTEXT_LENGTH_CODE = "context_length_exceeded"


def default_mode(model: str, wanted: OutputMode, profile: Mapping[str, object]) -> RequestMode:
    """Give the manner to begin with: as wanted, as far as the model is known to be able to.

    `object` is asked for by words, for pydantic-ai has no mode for any JSON object.
    """
    output = wanted
    if output == "schema" and not _takes_schema(profile):
        output = "tool"
    if output == "object" or (output == "tool" and not profile.get("supports_tools", True)):
        output = "prompt"
    return RequestMode(
        model=model,
        output=output,
        stream=False,
        uses_max_completion_tokens=False,
        temperature=_takes_temperature(profile),
        accepts_lax_schema=False,
    )


def with_downgrades(manner: RequestMode) -> Iterator[RequestMode]:
    """Give a manner and those it may come to."""
    yield manner
    if less := _DOWNGRADES.get(manner.output):
        yield from with_downgrades(replace(manner, output=less))


def find_downgrade(
    request: ModelRequest, body: Body, manner: RequestMode, no: ErrorResponse | InvalidRequest
) -> Downgrade | None:
    """Give the manner that may be taken after this no; None when it is not the manner that is refused."""
    match no:
        case ErrorResponse(status=status, said=said) if (
            status in _DOWNGRADE_STATUSES and said.code != _CONTEXT_LENGTH_CODE
        ):
            who, about = f"{status}, the server", said.lowercase_text
        case ErrorResponse():
            return None
        case InvalidRequest(reason=reason):
            who, about = "the SDK", reason.lower()
    if body.temperature is not None and "temperature" in about:
        return Downgrade(manner.without_temperature(), f"{who} takes no temperature; asked without one")
    less = _DOWNGRADES.get(manner.output)
    if less and isinstance(request, OutputRequest) and any(name in about for name in _MODE_KEYWORDS[manner.output]):
        note = f"{who} takes no output mode {manner.output}; asked with {less}"
        return Downgrade(replace(manner, output=less), note)
    return None


def _takes_schema(profile: Mapping[str, object]) -> bool:
    """Say whether the provider holds the model to a schema."""
    told = profile.get("native_output_requires_schema_in_instructions")
    return bool(profile.get("supports_json_schema_output")) and not told


def _takes_temperature(profile: Mapping[str, object]) -> bool:
    """Say whether a model takes a temperature; those that always think first take none."""
    refusing = profile.get("anthropic_disallows_sampling_settings") or profile.get(
        "bedrock_disallows_sampling_settings"
    )
    thinking = profile.get("thinking_always_enabled") or profile.get("thinking_enabled_by_default")
    return not (refusing or (profile.get("openai_supports_reasoning") and thinking))
