from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal

from fakes.chat import CLEAR, KEY, output_request, provider_client
from fakes.native_servers import NativeServer
from fakes.openai_wire import Answer, Reply
from fakes.prompts import PlainPrompts
from quaestor.contracts.cost import Price
from quaestor.contracts.model import ModelReply, ModelRequest, Provider
from quaestor.contracts.ports import PromptBuilder
from quaestor.http.client import HttpClient
from quaestor.models.chat.remote import RemoteModel
from quaestor.models.native.provider import NativeApiServer

MODELS: Mapping[str, str] = {
    "anthropic": "claude-haiku-4-5",
    "bedrock": "us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "google": "gemini-2.5-flash",
    "mistral": "mistral-large-latest",
    "openai-responses": "gpt-4.1-mini",
}
"""A model of each provider that takes a temperature."""
PRICE = Price(input=Decimal(3), output=Decimal(15), cached_input=Decimal("0.3"), cache_write=Decimal("3.75"))
NATIVE = Provider(dialect="native", backoff_seconds=0.002)


@dataclass(frozen=True, slots=True)
class Native:
    """A model, the client it uses and the server at its other end."""

    model: RemoteModel
    client: HttpClient
    server: NativeServer

    async def ask(self, request: ModelRequest | None = None) -> ModelReply:
        """Prepare a call and make it; it costs no more than was prepared."""
        request = request or output_request()
        prepared = self.model.prepare(request)
        reply = await self.model.answer(request, prepared)
        assert reply.spend.tokens <= prepared.ceiling.tokens
        assert reply.spend.dollars <= prepared.ceiling.dollars
        return reply


def native_model(
    kind: str,
    base_url: str | None,
    client: HttpClient,
    *,
    provider: Provider = NATIVE,
    model: str | None = None,
    key: str | None = KEY,
    price: Price | None = PRICE,
    prompts: PromptBuilder | None = None,
    max_output_tokens: int | None = None,
) -> RemoteModel:
    return RemoteModel(
        name=f"{kind}:{model or MODELS[kind]}",
        server=NativeApiServer(client, provider, model or MODELS[kind], base_url=base_url, key=key, kind=kind),
        provider=provider,
        client=client,
        prompts=prompts or PlainPrompts(),
        price=price,
        max_output_tokens=max_output_tokens,
    )


@asynccontextmanager
async def natively(
    kind: str,
    reply: Reply | Answer = CLEAR,
    provider: Provider = NATIVE,
    *,
    model: str | None = None,
    key: str | None = KEY,
    price: Price | None = PRICE,
    prompts: PromptBuilder | None = None,
    seconds: float = 5,
    max_output_tokens: int | None = None,
    cached: int = 0,
    written: int = 0,
) -> AsyncIterator[Native]:
    """Join a model and a server; at the end every body was one the API takes, with tools or a schema, never both."""
    client = provider_client(provider, seconds)
    answering = reply if callable(reply) else (lambda _: reply)
    async with NativeServer(answering, cached=cached, written=written) as server:
        asked = native_model(
            kind,
            server.base_url(kind),
            client,
            provider=provider,
            model=model,
            key=key,
            price=price,
            prompts=prompts,
            max_output_tokens=max_output_tokens,
        )
        try:
            yield Native(asked, client, server)
        finally:
            await client.close()
    assert all(request.asked for request in server.requests), "a body is not as the API takes it"
