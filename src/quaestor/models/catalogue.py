"""Models by name. What only some of them need is imported when one of these is opened."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from quaestor.contracts.cost import Price
from quaestor.contracts.errors import MissingKey, UsageError
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.limits import SharedLimits
from quaestor.contracts.model import Provider
from quaestor.contracts.plugin import OfflineRules
from quaestor.contracts.ports import Model, PromptBuilder
from quaestor.contracts.tokens import TokenListener, ignore_tokens
from quaestor.models.providers import (
    KNOWN_PROVIDERS,
    LOCAL_PROVIDERS,
    parse_model_name,
    resolve_api_key,
    resolve_base_url,
    resolve_provider,
)

if TYPE_CHECKING:
    from quaestor.http.client import HttpClient
    from quaestor.http.endpoint import Endpoint
    from quaestor.models.chat.remote import ModelServer, RemoteModel
    from quaestor.models.chat.request import ModeMemory, RequestMode
    from quaestor.models.chat.server import ChatServer
    from quaestor.models.native.provider import NativeApiServer
    from quaestor.models.offline import OfflineModel

_OPEN_CLIENT: "LazyImport[Callable[[Provider, float, str, SharedLimits | None], HttpClient]]" = LazyImport(
    "quaestor.http.client:open_client"
)
_PROVIDER_ENDPOINT: "LazyImport[Callable[[str, str | None], Endpoint]]" = LazyImport(
    "quaestor.models.chat.exchange:provider_endpoint"
)
_CHAT_SERVER: "LazyImport[type[ChatServer]]" = LazyImport("quaestor.models.chat.server:ChatServer")
_MODE_MEMORY: "LazyImport[type[ModeMemory]]" = LazyImport("quaestor.models.chat.request:ModeMemory")
_NATIVE_SERVER: "LazyImport[type[NativeApiServer]]" = LazyImport("quaestor.models.native.provider:NativeApiServer")
_REMOTE_MODEL: "LazyImport[type[RemoteModel]]" = LazyImport("quaestor.models.chat.remote:RemoteModel")
_OFFLINE_MODEL: "LazyImport[type[OfflineModel]]" = LazyImport("quaestor.models.offline:OfflineModel")
_LIST_PRICE: "LazyImport[Callable[[str, str, date], Price | None]]" = LazyImport("quaestor.models.prices:list_price")

OFFLINE = "offline"
OpenFileModel = Callable[[Path, Model], Model]
"""Opens a model that answers from a file, and from another model where the file has no answer.

Raises UsageError for a file that cannot be used.
"""
LOCAL_CONTEXT_WINDOW = 8192
"""Tokens of a local server's context window, where no setting states them."""
DEFAULT_CONTEXT_WINDOW = 32_768
"""Tokens of any other model's context window, where neither the settings nor the price list state them."""


def _no_rules() -> OfflineRules:
    return ()


class ModelCatalogue:
    """The models by name, opened with the keys and addresses of one environment; close it at the end.

    `file_models` opens those that answer from a file, by the prefix of their names; `limits` are those that providers
    set for all processes of a store.
    """

    def __init__(
        self,
        configured: Mapping[str, Provider],
        environment: Mapping[str, str],
        default_timeout: float,
        file_models: Mapping[str, OpenFileModel],
        limits: SharedLimits | None = None,
    ) -> None:
        self._configured = configured
        self._environment = environment
        self._default_timeout = default_timeout
        self._file_models = file_models
        self._limits = limits
        self._clients: dict[str, HttpClient] = {}
        self._memories: dict[str, ModeMemory] = {}

    def is_local(self, name: str) -> bool:
        """Return whether a model needs no provider: the offline model, or one that answers from a file."""
        return name == OFFLINE or name.partition(":")[0] in self._file_models

    def resolve_name(self, name: str) -> str:
        """Return a usable model's name as it is recorded, with the absolute path of its file.

        Raises UsageError for an unknown model and for an address or a key that is none, MissingKey for a provider whose
        key is missing.
        """
        if not self.is_local(name):
            self._resolve_endpoint(name)
            return name
        self._local_model(name, _no_rules)
        kind, _, file = name.partition(":")
        return f"{kind}:{Path(file).resolve()}" if name != OFFLINE else name

    def price(self, name: str, listed: Mapping[str, Price], day: date) -> Price | None:
        """Return what a model charges: as the settings say, nothing for a local server, else its list price."""
        if name in listed:
            return listed[name]
        provider, model = parse_model_name(name)
        if provider in LOCAL_PROVIDERS:
            return Price.model_validate({"input": 0, "output": 0})
        return _LIST_PRICE.load()(provider, model, day)

    def window(self, name: str, price: Price | None) -> int:
        """Return the tokens of a model's context window."""
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
        *,
        on_tokens: TokenListener = ignore_tokens,
        reconnect: bool = True,
    ) -> Model:
        """Open a model; `offline_rules` returns how the offline model plays the roles, `on_tokens` takes streamed text.

        Without `reconnect` a server that cannot be reached is asked once.
        Raises as `resolve_name` does, and MissingExtra for a provider that needs one.
        """
        if self.is_local(name):
            return self._local_model(name, offline_rules)
        provider, address, key = self._resolve_endpoint(name)
        provider_name, model = parse_model_name(name)
        if provider_name not in self._clients:
            self._clients[provider_name] = _OPEN_CLIENT.load()(
                provider, self._default_timeout, provider_name, self._limits
            )
        client = self._clients[provider_name]
        server: ModelServer
        if provider.dialect == "chat" and address is not None:
            server = _CHAT_SERVER.load()(client, provider, model, address, key)
        else:
            server = _NATIVE_SERVER.load()(client, provider, model, base_url=address, key=key, kind=provider_name)
        return _REMOTE_MODEL.load()(
            name=name,
            server=server,
            provider=provider,
            client=client,
            prompts=prompts,
            price=price,
            max_output_tokens=output_tokens,
            memory=self._memories.setdefault(name, _MODE_MEMORY.load()()),
            on_tokens=on_tokens,
            reconnect=reconnect,
        )

    def known_mode(self, name: str) -> "RequestMode | None":
        """Return the request mode that a model's server had to be asked in; None where it refused nothing so far."""
        memory = self._memories.get(name)
        return memory.mode if memory else None

    async def close(self) -> None:
        """Close the connections to all providers."""
        for client in self._clients.values():
            await client.close()

    def _local_model(self, name: str, offline_rules: Callable[[], OfflineRules]) -> Model:
        offline = _OFFLINE_MODEL.load()(offline_rules)
        kind, _, file = name.partition(":")
        return offline if name == OFFLINE else self._file_models[kind](Path(file), offline)

    def _resolve_endpoint(self, name: str) -> tuple[Provider, str | None, str | None]:
        provider = resolve_provider(name, self._configured)
        provider_name = parse_model_name(name).provider
        address = resolve_base_url(provider_name, provider, self._environment)
        key = resolve_api_key(provider_name, provider, self._environment)
        if provider.dialect == "native" and provider_name not in KNOWN_PROVIDERS:
            raise UsageError(f"the provider of {name!r} has no API of its own; give it dialect chat and a base_url")
        if provider.dialect == "chat" and address is None:
            raise UsageError(
                f"the provider of {name!r} has no base_url; write it below [providers.{provider_name}] in quaestor.toml"
            )
        if key is None and provider.key_env and address == provider.base_url:
            raise MissingKey(
                f"{name} needs a key: set {provider.key_env}, or name another model, as ollama:NAME, which needs none"
            )
        if address is not None:
            _PROVIDER_ENDPOINT.load()(address, key)  # here, because this is asked before a session is begun
        return provider, address, key
