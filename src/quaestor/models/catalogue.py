"""Models by name. What only some need is imported when one of these is asked for."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from quaestor.contracts.cost import Price
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.model import Provider
from quaestor.contracts.plugin import OfflineRules
from quaestor.contracts.ports import Model, PromptBuilder
from quaestor.models.offline import OfflineModel
from quaestor.models.providers import (
    KNOWN_PROVIDERS,
    LOCAL_PROVIDERS,
    parse_model_name,
    resolve_api_key,
    resolve_base_url,
    resolve_provider,
)

if TYPE_CHECKING:
    from quaestor.models.chat import ProviderConnection

OFFLINE = "offline"
OpenFileModel = Callable[[Path, Model], Model]
"""Opens a model that answers from a file, and from another model where the file has no answer.

Raises UsageError for a file that cannot be used.
"""
LOCAL_CONTEXT_WINDOW = 8192
"""Tokens that a server of one's own is taken to have room for, when nothing is said."""
DEFAULT_CONTEXT_WINDOW = 32_768
"""Tokens that any other model is taken to have room for, when nothing is said."""


def _no_rules() -> OfflineRules:
    return ()


class ModelCatalogue:
    """Opens models by name, with the keys and addresses of one environment; close it at the end.

    `file_models` opens those that answer from a file, by the prefix of their names.
    """

    def __init__(
        self,
        own: Mapping[str, Provider],
        environment: Mapping[str, str],
        seconds: float,
        file_models: Mapping[str, OpenFileModel],
    ) -> None:
        self._own = own
        self._environment = environment
        self._seconds = seconds
        self._file_models = file_models
        self._connections: dict[str, ProviderConnection] = {}

    def is_local(self, name: str) -> bool:
        """Return whether a model needs no provider: the offline model, or one that answers from a file."""
        return name == OFFLINE or name.partition(":")[0] in self._file_models

    def resolve_name(self, name: str) -> str:
        """Give a model's name as it is recorded, with the whole path of its file, once it is known to be usable.

        Raises UsageError for a name that means no model, SetupError for a provider whose key is missing.
        """
        if not self.is_local(name):
            self._reached(name)
            return name
        self._local_model(name, _no_rules)
        kind, _, file = name.partition(":")
        return f"{kind}:{Path(file).resolve()}" if name != OFFLINE else name

    def price(self, name: str, listed: Mapping[str, Price], day: date) -> Price | None:
        """Give what a model charges: as the settings say, nothing for a server of one's own, else its list price."""
        if name in listed:
            return listed[name]
        provider, model = parse_model_name(name)
        if provider in LOCAL_PROVIDERS:
            return Price.model_validate({"input": 0, "output": 0})
        from quaestor.models.prices import list_price  # noqa: PLC0415 -- takes a tenth of a second

        return list_price(provider, model, day)

    def window(self, name: str, price: Price | None) -> int:
        """Give how many tokens a model has room for."""
        if price and price.window:
            return price.window
        return LOCAL_CONTEXT_WINDOW if parse_model_name(name).provider in LOCAL_PROVIDERS else DEFAULT_CONTEXT_WINDOW

    def model(
        self,
        name: str,
        prompts: PromptBuilder,
        price: Price | None,
        output_tokens: int | None,
        offline_rules: Callable[[], OfflineRules],
    ) -> Model:
        """Return a model that can be asked; `offline_rules` returns how the offline model plays the roles.

        Raises as `located` does, and MissingExtra for a provider that needs one.
        """
        if self.is_local(name):
            return self._local_model(name, offline_rules)
        provider, address, key = self._reached(name)
        from quaestor.models.chat import ChatModel, ProviderConnection  # noqa: PLC0415 -- the HTTP client, which offline runs spare

        line = self._connections.setdefault(parse_model_name(name).provider, ProviderConnection(provider))
        if provider.dialect == "chat" and address is not None:
            return ChatModel(
                name=name,
                model=parse_model_name(name).model,
                provider=provider,
                base_url=address,
                key=key,
                line=line,
                prompts=prompts,
                price=price,
                seconds=self._seconds,
                max_output_tokens=output_tokens,
            )
        from quaestor.models.native import NativeModel  # noqa: PLC0415 -- an extra, and slow to import

        return NativeModel(
            name=name,
            kind=parse_model_name(name).provider,
            model=parse_model_name(name).model,
            provider=provider,
            base_url=address,
            key=key,
            line=line,
            prompts=prompts,
            price=price,
            seconds=self._seconds,
            max_output_tokens=output_tokens,
        )

    async def close(self) -> None:
        """Close the connections to all providers."""
        for line in self._connections.values():
            await line.close()

    def _local_model(self, name: str, offline_rules: Callable[[], OfflineRules]) -> Model:
        offline = OfflineModel(offline_rules)
        if name == OFFLINE:
            return offline
        kind, _, file = name.partition(":")
        return self._file_models[kind](Path(file), offline)

    def _reached(self, name: str) -> tuple[Provider, str | None, str | None]:
        provider = resolve_provider(name, self._own)
        where = parse_model_name(name).provider
        address = resolve_base_url(where, provider, self._environment)
        key = resolve_api_key(where, provider, self._environment)
        if provider.dialect == "native" and where not in KNOWN_PROVIDERS:
            raise UsageError(f"the provider of {name!r} has no API of its own; give it dialect chat and a base_url")
        if provider.dialect == "chat" and address is None:
            raise UsageError(
                f"the provider of {name!r} has no base_url; write it below [providers.{where}] in quaestor.toml"
            )
        if key is None and provider.key_env and address == provider.base_url:
            raise SetupError(
                f"{name} needs a key: set {provider.key_env}, or name another model, as ollama:NAME, which needs none"
            )
        return provider, address, key
