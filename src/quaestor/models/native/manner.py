"""In which ways a provider is asked, from what is known of its model to what it takes."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from quaestor.contracts.model import ModelRequest, OutputRequest
from quaestor.contracts.provider import OutputMode
from quaestor.models.chat.asking import Manner
from quaestor.models.chat.exchange import Refused, Unaskable
from quaestor.models.chat.refusing import Simpler
from quaestor.models.chat.wire import Body

_SIMPLER: Mapping[OutputMode, OutputMode] = MappingProxyType({"schema": "tool", "tool": "prompt"})
_NAMES: Mapping[OutputMode, tuple[str, ...]] = MappingProxyType(
    {
        "schema": ("schema", "output_config", "outputconfig", "output_format", "structured output", "grammar", "mime"),
        "tool": ("tool", "function"),
    }
)
_SIMPLER_HELPS = {400, 404, 422}
_TOO_LONG = "context_length_exceeded"


def first_manner(model: str, wanted: OutputMode, profile: Mapping[str, object]) -> Manner:
    """Give the manner to begin with: as wanted, as far as the model is known to be able to.

    `object` is asked for by words, for pydantic-ai has no mode for any JSON object.
    """
    output = wanted
    if output == "schema" and not _takes_schema(profile):
        output = "tool"
    if output == "object" or (output == "tool" and not profile.get("supports_tools", True)):
        output = "prompt"
    return Manner(
        model=model, output=output, stream=False, new_limit=False, temperature=_takes_temperature(profile), lax=False
    )


def and_simpler(manner: Manner) -> Iterator[Manner]:
    """Give a manner and those it may come to."""
    yield manner
    if less := _SIMPLER.get(manner.output):
        yield from and_simpler(replace(manner, output=less))


def simpler(request: ModelRequest, body: Body, manner: Manner, no: Refused | Unaskable) -> Simpler | None:
    """Give the manner that may be taken after this no; None when it is not the manner that is refused."""
    match no:
        case Refused(status=status, said=said) if status in _SIMPLER_HELPS and said.code != _TOO_LONG:
            who, about = f"{status}, the server", said.about
        case Refused():
            return None
        case Unaskable(reason=reason):
            who, about = "the SDK", reason.lower()
    if body.temperature is not None and "temperature" in about:
        return Simpler(manner.without_temperature(), f"{who} takes no temperature; asked without one")
    less = _SIMPLER.get(manner.output)
    if less and isinstance(request, OutputRequest) and any(name in about for name in _NAMES[manner.output]):
        note = f"{who} takes no output mode {manner.output}; asked with {less}"
        return Simpler(replace(manner, output=less), note)
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
