"""In which ways a provider is asked, from what is known of its model to what it takes."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from quaestor.contracts.model import ModelRequest, OutputRequest
from quaestor.contracts.provider import OutputMode
from quaestor.models.chat.asking import Manner
from quaestor.models.chat.refusing import Simpler
from quaestor.models.chat.wire import Body

_SIMPLER: Mapping[OutputMode, OutputMode] = MappingProxyType({"schema": "tool", "object": "prompt", "tool": "prompt"})
_NAMES: Mapping[OutputMode, tuple[str, ...]] = MappingProxyType(
    {
        "schema": ("schema", "output_config", "outputconfig", "output_format", "structured output", "grammar", "mime"),
        "object": (),  # asked for by words, which nobody refuses
        "tool": ("tool", "function"),
        "prompt": (),
    }
)
_SIMPLER_HELPS = {400, 404, 422}


def first_manner(model: str, wanted: OutputMode, profile: Mapping[str, object]) -> Manner:
    """Give the manner to begin with: as wanted, as far as the model is known to be able to.

    No native API has a mode for any JSON object, so `object` is asked for by words.
    """
    schemas = profile.get("supports_json_schema_output") and not profile.get(
        "native_output_requires_schema_in_instructions"
    )
    output = "tool" if wanted == "schema" and not schemas else wanted
    output = "prompt" if output == "tool" and not profile.get("supports_tools", True) else output
    return Manner(model=model, output=output, stream=False, new_limit=False, temperature=_takes_temperature(profile))


def and_simpler(manner: Manner) -> Iterator[Manner]:
    """Give a manner and those it may come to."""
    yield manner
    if less := _SIMPLER.get(manner.output):
        yield from and_simpler(replace(manner, output=less))


def simpler(request: ModelRequest, body: Body, manner: Manner, said: str, status: int | None) -> Simpler | None:
    """Give the manner that a provider may take which `said` this; None when the manner is not what it refuses.

    The status is None when its SDK refused before anything was sent.
    """
    if status not in {None, *_SIMPLER_HELPS}:
        return None
    who = "the SDK" if status is None else f"{status}, the server"
    if body.temperature is not None and "temperature" in said:
        return Simpler(manner.without_temperature(), f"{who} takes no temperature; asked without one")
    less = _SIMPLER.get(manner.output)
    if less and isinstance(request, OutputRequest) and any(name in said for name in _NAMES[manner.output]):
        note = f"{who} takes no output mode {manner.output}; asked with {less}"
        return Simpler(replace(manner, output=less), note)
    return None


def _takes_temperature(profile: Mapping[str, object]) -> bool:
    """Say whether a model takes a temperature; those that always think first take none."""
    refusing = profile.get("anthropic_disallows_sampling_settings") or profile.get(
        "bedrock_disallows_sampling_settings"
    )
    thinking = profile.get("thinking_always_enabled") or profile.get("thinking_enabled_by_default")
    return not (refusing or (profile.get("openai_supports_reasoning") and thinking))
