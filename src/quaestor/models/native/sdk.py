"""A provider's SDK, told to send over the line of the run and never to send twice.

Whoever imports this module needs the extra `llm`.
"""

from dataclasses import dataclass
from typing import Any

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from quaestor.models.chat.connection import Address
from quaestor.models.native.transport import HttpxTransport, SdkTransport

PROMPT_CACHING = ModelSettings(cache={"messages": False})
"""The system prompt and the tools are marked as what later calls of the role begin with."""


@dataclass(frozen=True, slots=True)
class SdkModel:
    """A model of one provider, as pydantic-ai reaches it."""

    model: Model[Any]
    address: Address
    settings: ModelSettings
    """Sent with every call."""
    errors: tuple[type[Exception], ...]
    """What its SDK raises by itself, beside what Python does."""


def http_client(carrier: SdkTransport) -> httpx2.AsyncClient:
    """Give a client without connections of its own, so that there is nothing to close; the line keeps the time."""
    return httpx2.AsyncClient(transport=HttpxTransport(carrier), timeout=None)
