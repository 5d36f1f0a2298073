"""A provider's SDK, configured to send through the HTTP client of its provider and never to retry.

Importing this module needs the extra `llm`.
"""

from dataclasses import dataclass
from typing import Any

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from quaestor.http.endpoint import Endpoint
from quaestor.models.native.transport import HttpxTransport, SdkTransport

PROMPT_CACHING = ModelSettings(cache={"messages": False})
"""Marks the system prompt and the tools as the prefix that later calls of the role share."""


@dataclass(frozen=True, slots=True)
class SdkModel:
    """A model of one provider, as pydantic-ai reaches it."""

    model: Model[Any]
    endpoint: Endpoint
    settings: ModelSettings
    """Sent with every call."""
    errors: tuple[type[Exception], ...]
    """The exceptions of its SDK that are not built in."""


def http_client(transport: SdkTransport) -> httpx2.AsyncClient:
    """Return a client for an SDK, without connections to close and without a time limit of its own."""
    return httpx2.AsyncClient(transport=HttpxTransport(transport), timeout=None)
