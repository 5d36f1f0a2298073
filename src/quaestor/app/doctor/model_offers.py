"""What models can be used now: servers on this machine, and providers for which there is a key."""

import asyncio
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from quaestor.app.settings.environment import current_credentials, current_settings
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import QuaestorError, UsageError
from quaestor.contracts.model import Provider
from quaestor.contracts.settings import Settings
from quaestor.contracts.suggestion import suggest
from quaestor.models.discovery import ServedModels, list_served_models
from quaestor.models.providers import (
    GOOGLE_KEY,
    KNOWN_PROVIDERS,
    LOCAL_PROVIDERS,
    resolve_api_key,
    resolve_base_url,
    resolve_provider,
)
from quaestor.runtime.credentials import Credentials
from quaestor.tools.engines.registry import GENERAL_ENGINES

_LOCAL_SECONDS = 2.0
_REMOTE_SECONDS = 10.0
_AWS_VARIABLES = ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_BEARER_TOKEN_BEDROCK")


class ModelOffer(Contract):
    """A provider that can be used, or could be if its server answered."""

    provider: str
    access: str = Field(description="The address of a server, or the variable that holds the key, and from where.")
    local: bool
    state: Literal["listed", "absent", "refused", "unlisted"] = Field(description="unlisted: it was not asked.")
    models: tuple[str, ...] = ()
    reason: str = ""


class EngineOffer(Contract):
    """A search engine that can be used, with the variable that configures it; none where it needs none."""

    engine: str
    variable: str | None = None


async def find_models(provider: str | None = None) -> tuple[ModelOffer, ...]:
    """Return the providers that can be used now, the servers of this machine first; or what one of them offers.

    Raises UsageError for a provider that is not known, and as `open_home` does for settings.
    """
    settings, environment = current_settings(), current_credentials()
    known = {**KNOWN_PROVIDERS, **settings.providers}
    if provider is not None and provider not in known:
        raise UsageError(
            f"no provider is called {provider!r}; {suggest(provider, known)}known are {', '.join(sorted(known))}"
        )
    offers = (_offer(name, settings, environment) for name in known if provider in {None, name})
    found = await asyncio.gather(*offers)
    return tuple(sorted((offer for offer in found if offer), key=lambda offer: not offer.local))


def find_engines() -> Sequence[EngineOffer]:
    """Return the search engines that can be used now."""
    known = current_credentials()
    configured = [EngineOffer(engine=name, variable=key) for name, key in GENERAL_ENGINES.items() if known.get(key)]
    return (*configured, EngineOffer(engine="wikipedia"))


async def _offer(name: str, settings: Settings, environment: Credentials) -> ModelOffer | None:
    provider = resolve_provider(f"{name}:any", settings.providers)
    local = name in LOCAL_PROVIDERS
    try:
        key = resolve_api_key(name, provider, environment)
        address = resolve_base_url(name, provider, environment)
        if provider.dialect == "native":
            return _native_offer(name, provider, environment)
        if address is None or (provider.key_env and key is None):
            return None
        served = await list_served_models(address, key, _LOCAL_SECONDS if local else _REMOTE_SECONDS)
    except QuaestorError as error:
        served, address, key = ServedModels("refused", reason=str(error)), name, None
    access = _describe_key(provider.key_env, environment) if key and provider.key_env else address
    return ModelOffer(
        provider=name, access=access, local=local, state=served.state, models=served.names, reason=served.reason
    )


def _native_offer(name: str, provider: Provider, environment: Credentials) -> ModelOffer | None:
    names = _AWS_VARIABLES if name == "bedrock" else (provider.key_env or "", GOOGLE_KEY if name == "google" else "")
    variable = next((each for each in names if environment.get(each)), None)
    if variable is None:
        return None
    return ModelOffer(provider=name, access=_describe_key(variable, environment), local=False, state="unlisted")


def _describe_key(variable: str, environment: Credentials) -> str:
    return f"{variable} from {environment.origin(variable)}"
