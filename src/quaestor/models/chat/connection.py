"""Where a provider is reached, and what proves who asks."""

import asyncio
import json
import ssl
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx2

from quaestor.contracts.errors import UsageError
from quaestor.contracts.model import Provider
from quaestor.version import __version__

_CONNECT_SECONDS = 10
_CONNECT_SHARE = 1 / 3
"""Of a request's time, for the connection and for its handshake each: so they end before the request is given up, which
would leave a socket open."""
_IDLE_SECONDS = 4
"""How long an unused connection is kept: less than the five seconds after which common servers close theirs."""


class ProviderConnection:
    """The way to one provider, shared by every call of a run: its connections, its limits, its pauses.

    It belongs to the event loop it is first used in, whose clock is its own.
    """

    def __init__(self, provider: Provider) -> None:
        self.backoff_seconds = provider.backoff_seconds
        self._room = asyncio.Semaphore(provider.in_flight)
        self._limits = httpx2.Limits(max_connections=provider.in_flight, keepalive_expiry=_IDLE_SECONDS)
        self._min_interval = 60 / provider.per_minute if provider.per_minute else 0.0
        self._not_before = 0.0
        self._client: httpx2.AsyncClient | None = None

    @asynccontextmanager
    async def post(
        self, url: httpx2.URL, headers: Mapping[str, str], body: bytes, seconds: float
    ) -> AsyncIterator[httpx2.Response]:
        """Send a request when its time has come; the block has `seconds` from then on, else TimeoutError is raised.

        Raises httpx2.ConnectError or httpx2.ConnectTimeout when nothing was sent, another httpx2.RequestError when
        something may have been.
        """
        async with self._room:
            await self._turn()
            timeout = httpx2.Timeout(None, connect=min(_CONNECT_SECONDS, seconds * _CONNECT_SHARE))
            request = self._connected(url).stream("POST", url, headers=headers, content=body, timeout=timeout)
            async with asyncio.timeout(seconds), request as response:
                yield response

    def hold(self, seconds: float) -> None:
        """Let nothing be sent for so long, whichever call asks."""
        self._not_before = max(self._not_before, asyncio.get_running_loop().time() + seconds)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _turn(self) -> None:
        clock = asyncio.get_running_loop()
        while (wait := self._not_before - clock.time()) > 0:  # noqa: ASYNC110 -- it may be put off while waiting
            await asyncio.sleep(wait)
        self._not_before = clock.time() + self._min_interval

    def _connected(self, url: httpx2.URL) -> httpx2.AsyncClient:
        if self._client is None:
            # Reading the certificates of the authorities costs more CPU than 20 calls; plain HTTP needs none of them.
            trusted = True if url.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            self._client = httpx2.AsyncClient(verify=trusted, limits=self._limits, trust_env=False)
        return self._client


_MIN_SECRET_LENGTH = 16


class Address:
    """The chat completions of one base URL, asked with one key.

    Raises UsageError for a base URL that is none, and for a key that no header can carry.
    """

    def __init__(self, base_url: str, key: str | None) -> None:
        base = _parse_base_url(base_url)
        self.url = base.copy_with(path=f"{base.path.rstrip('/')}/chat/completions")
        self.shown = str(base.copy_with(userinfo=b"", query=None, fragment=None))
        """The base URL without anything secret, for messages."""
        self.is_openai = base.host == "api.openai.com"
        self.headers = {
            "accept-encoding": "identity",
            "content-type": "application/json",
            "user-agent": f"quaestor/{__version__}",
        }
        if key is not None:
            self.headers["authorization"] = f"Bearer {_validated_key(key, self.shown)}"
        self._secrets = tuple(_secret_spellings(key, base))

    def hide(self, text: str) -> str:
        """Give the text with `[key]` wherever it says what was sent to prove who asks."""
        return _redact(text, self._secrets)

    def redact_reply(self, text: str) -> str:
        """Do the same, but leave short keys: a local server takes a word like `ollama`, and a reply may say it too."""
        return _redact(text, tuple(secret for secret in self._secrets if len(secret) >= _MIN_SECRET_LENGTH))


def _parse_base_url(base_url: str) -> httpx2.URL:
    try:
        base = httpx2.URL(base_url)
    except httpx2.InvalidURL as error:
        raise UsageError(
            f"the base_url of a provider is no address ({error}); write it as http://host:port/v1"
        ) from error
    if base.scheme not in {"http", "https"} or not base.host:
        raise UsageError(f"the base_url {base_url!r} is no address of the web; write it as http://host:port/v1")
    return base


def _validated_key(key: str, shown: str) -> str:
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(f"the key for {shown} is empty or has characters no key has; copy it anew")
    return key


def _secret_spellings(key: str | None, base: httpx2.URL) -> set[str]:
    """Give every secret as it is and as JSON may spell it."""
    basic = b64encode(base.userinfo).decode()
    secrets = {secret for secret in (key, base.password, basic) if secret}
    return (
        secrets | {json.dumps(secret)[1:-1] for secret in secrets} | {secret.replace("/", r"\/") for secret in secrets}
    )


def _redact(text: str, secrets: tuple[str, ...]) -> str:
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "[key]")
    return text
