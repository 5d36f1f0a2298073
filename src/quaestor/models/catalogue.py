"""Models by name. What only some need is imported when one of these is asked for."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.kit import NO_RULES, Rules
from quaestor.contracts.ports import Model, Prompts
from quaestor.contracts.price import Price
from quaestor.contracts.provider import Provider
from quaestor.models.providers import KNOWN, LOCAL, base_url, key_of, named, provider_of

if TYPE_CHECKING:
    from quaestor.models.chat import Line

OFFLINE = "offline"
_FROM_FILES = frozenset({"script", "playbook"})
LOCAL_WINDOW = 8192
"""Tokens that a server of one's own is taken to have room for, when nothing is said."""
USUAL_WINDOW = 32_768
"""Tokens that any other model is taken to have room for, when nothing is said."""


def is_local(name: str) -> bool:
    """Say whether a model needs no provider: the offline model, a script or a playbook."""
    return name == OFFLINE or name.partition(":")[0] in _FROM_FILES


class Catalogue:
    """Gives models by name, with the keys and addresses of one environment; close it at the end."""

    def __init__(self, own: Mapping[str, Provider], environment: Mapping[str, str], seconds: float) -> None:
        self._own = own
        self._environment = environment
        self._seconds = seconds
        self._lines: dict[str, Line] = {}

    def located(self, name: str) -> str:
        """Give a model's name as it is recorded, with the whole path of its file, once it is known to be usable.

        Raises UsageError for a name that means no model, SetupError for a provider whose key is missing.
        """
        if not is_local(name):
            self._reached(name)
            return name
        self._at_hand(name)
        kind, _, file = name.partition(":")
        return f"{kind}:{Path(file).resolve()}" if name != OFFLINE else name

    def price(self, name: str, listed: Mapping[str, Price], day: date) -> Price | None:
        """Give what a model charges: as the settings say, nothing for a server of one's own, else its list price."""
        if name in listed:
            return listed[name]
        provider, model = named(name)
        if provider in LOCAL:
            return Price.model_validate({"input": 0, "output": 0})
        from quaestor.models.prices import find  # noqa: PLC0415 -- takes a tenth of a second

        return find(provider, model, day)

    def window(self, name: str, price: Price | None) -> int:
        """Give how many tokens a model has room for."""
        if price and price.window:
            return price.window
        return LOCAL_WINDOW if named(name).provider in LOCAL else USUAL_WINDOW

    def model(
        self, name: str, prompts: Prompts, price: Price | None, output_tokens: int | None, rules: Rules = NO_RULES
    ) -> Model:
        """Give a model that can be asked; `rules` are those of other packages for the offline model.

        Raises as `located` does, and MissingExtra for a provider that needs one.
        """
        if is_local(name):
            return self._at_hand(name, rules)
        provider, address, key = self._reached(name)
        from quaestor.models.chat import ChatModel, Line  # noqa: PLC0415 -- the HTTP client, which offline runs spare

        line = self._lines.setdefault(named(name).provider, Line(provider))
        if provider.dialect == "chat" and address is not None:
            return ChatModel(
                name=name,
                model=named(name).model,
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
            kind=named(name).provider,
            model=named(name).model,
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
        for line in self._lines.values():
            await line.close()

    def _at_hand(self, name: str, rules: Rules = NO_RULES) -> Model:
        from quaestor.models.offline import OfflineModel  # noqa: PLC0415 -- its rules, which online runs spare

        if name == OFFLINE:
            return OfflineModel(rules)
        from quaestor.models import playbook, scripted  # noqa: PLC0415 -- for trials alone

        kind, _, file = name.partition(":")
        path, otherwise = Path(file), OfflineModel(rules)
        if kind == "playbook":
            return playbook.PlaybookModel(f"playbook:{path.name}", playbook.load(path), otherwise)
        return scripted.ScriptedModel(f"script:{path.name}", scripted.load(path), otherwise)

    def _reached(self, name: str) -> tuple[Provider, str | None, str | None]:
        provider = provider_of(name, self._own)
        where = named(name).provider
        address = base_url(where, provider, self._environment)
        key = key_of(where, provider, self._environment)
        if provider.dialect == "native" and where not in KNOWN:
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
