"""What `quaestor.toml` in the current folder may set: that file comes with whatever was cloned or unpacked there.

What cannot cost, leak or write it may always set. The rest needs a person who has trusted exactly this file, by the
hash of its place and its text. Where a known key is sent, where sessions are kept, and how a person is notified, is
for the user's own file alone.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pydantic import JsonValue

from quaestor.contracts.errors import UntrustedSettings, UsageError
from quaestor.contracts.settings import Settings
from quaestor.models.providers import GOOGLE_KEY, KNOWN_PROVIDERS

HARMLESS_SETTINGS = frozenset({"effort", "loops", "queries", "max_todos", "max_depth", "parallel", "unsupported"})
LIMIT_SETTINGS = frozenset(
    {"max_model_calls", "max_tool_calls", "max_tokens", "max_dollars", "max_seconds", "max_steps"}
)
"""A folder may lower these, not raise them."""
OWN_SETTINGS: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(("store", "shared_folder"), "where sessions are kept")
    | {"approved": "what is approved for good"}
    | dict.fromkeys(
        ("notify_bell", "notify_desktop", "notify_webhook", "notify_command", "notify_address"), "how you are notified"
    )
)
"""These are for the user's own file and the environment, whomever a person trusts."""
_TRUST_FOLDER = "trusted"
_KNOWN_KEYS = frozenset({GOOGLE_KEY, *(provider.key_env for provider in KNOWN_PROVIDERS.values() if provider.key_env)})
_WHERE_A_KEY_GOES = ("base_url", "key_env", "dialect")


class SettingsFile(NamedTuple):
    """A settings file, as it was read once."""

    path: Path
    content: bytes
    values: Mapping[str, JsonValue]

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its place and its text, so that neither a copy nor a change is trusted with it."""
        return sha256(b"%b\0%b" % (str(self.path.resolve()).encode(errors="surrogateescape"), self.content)).hexdigest()

    def located(self, name: str) -> str:
        """Return a setting with the place where it is written, as far as that line can be found."""
        key = rf"(?:\A|\n)[ \t\[]*([\"']?){re.escape(name)}\1[ \t]*[.=\]]"
        found = re.search(key, self.content.decode("utf-8", "replace"))
        if found is None:
            return f"{self.path}: {name}"
        line = found.string.count("\n", 0, found.end()) + 1
        return f"{self.path}, line {line}: {name}"


def check_folder_settings(file: SettingsFile, own: Path, own_values: Mapping[str, JsonValue]) -> None:
    """Raise UsageError for a setting that a folder may not set: UntrustedSettings where trusting the file allows it.

    `own` is the user's own settings file, with `own_values`; what is trusted is kept beside it.
    """
    faults = [file.located(f"providers.{name}") + f": {reason}" for name, reason in _diverted_keys(file.values)]
    faults += [
        f"{file.located(name)}: only your own settings may say {OWN_SETTINGS[name]}"
        for name in sorted(OWN_SETTINGS.keys() & file.values.keys())
    ]
    if faults:
        raise UsageError(f"{'; '.join(faults)}; write it in {own}")
    if is_trusted(file, own):
        return
    refused = tuple(settings_that_need_trust(file, own_values))
    if refused:
        raise UntrustedSettings(
            f"{'; '.join(refused)}. A file in a folder may set only what cannot cost, leak or write; read this one and "
            f"trust it as it is, or write the setting in {own}"
        )


def settings_that_need_trust(file: SettingsFile, own_values: Mapping[str, JsonValue]) -> Iterator[str]:
    """Return the settings that a folder may not set, each with its line and the reason."""
    for name, value in file.values.items():
        if name in LIMIT_SETTINGS:
            if name in own_values and _is_higher(value, own_values[name]):
                yield f"{file.located(name)} is higher than in your own settings"
        elif name in Settings.model_fields and name not in HARMLESS_SETTINGS:
            yield f"{file.located(name)} is not for a folder to set"


def is_trusted(file: SettingsFile, own: Path) -> bool:
    """Return whether a person trusts a file as it is now."""
    return _mark(file, own).exists()


def trust(file: SettingsFile, own: Path) -> None:
    """Note that a person trusts a file as it is now."""
    mark = _mark(file, own)
    mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark.touch(mode=0o600)


def revoke(file: SettingsFile, own: Path) -> None:
    """Forget that a person trusts a file as it is now."""
    _mark(file, own).unlink(missing_ok=True)


def _mark(file: SettingsFile, own: Path) -> Path:
    return own.parent / _TRUST_FOLDER / file.fingerprint


def _is_higher(value: JsonValue, limit: JsonValue) -> bool:
    try:
        return Decimal(str(value)) > Decimal(str(limit))
    except InvalidOperation:
        return True


def _diverted_keys(values: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """Return the providers by which a key would leave for where it does not belong, each with the reason."""
    providers = values.get("providers")
    for name, provider in providers.items() if isinstance(providers, dict) else ():
        if not isinstance(provider, dict):
            continue
        known = KNOWN_PROVIDERS.get(name)
        if (
            known
            and (known.key_env or known.dialect == "native")
            and any(field in provider for field in _WHERE_A_KEY_GOES)
        ):
            yield name, f"only your own settings may say where the key of {name} goes"
            continue
        variable = f"{name.upper().replace('-', '_')}_API_KEY"
        if provider.get("key_env", variable) != variable or ("key_env" in provider and variable in _KNOWN_KEYS):
            yield name, "a provider of a folder takes no key but that of the variable NAME_API_KEY, by its own new name"
