from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal

from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Reply
from fakes.prompts import PlainPrompts
from quaestor.contracts.cost import Price
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, Provider, ToolOffer, ToolsRequest
from quaestor.contracts.roles import RoleInput
from quaestor.http.client import HttpClient, open_client
from quaestor.models.chat.remote import RemoteModel
from quaestor.models.chat.server import ChatServer
from quaestor.research.contracts.optional_roles import DelegateToolInput
from quaestor.research.contracts.roles import ClarifyInput

PRICE = Price(input=Decimal("2.5"), output=Decimal(10), cached_input=Decimal("1.25"))
KEY = "sk-proj-0123456789/abcdefghijklmnop"
CLEAR = '{"is_clear": true, "questions": [], "assumptions": []}'
QUESTION = ClarifyInput(question="Why is the sky blue?")


def output_request(given: RoleInput = QUESTION, *, key: str = "clarify/1", failures: int = 0) -> OutputRequest:
    """Return a call for a contract."""
    return OutputRequest(key=key, todo_id=None, role="clarifier", ordinal=1, attempt=1, failures=failures, given=given)


def tools_request() -> ToolsRequest:
    """Return a call that may choose the tool `search`."""
    query = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    offer = ToolOffer.model_validate({"name": "search", "description": "Search the papers.", "takes": query})
    given = DelegateToolInput(question="Why?", task="Find out", passes_left=1)
    return ToolsRequest(key="scout/1", todo_id="t1", role="scout", ordinal=1, attempt=1, given=given, tools=(offer,))


def provider_client(provider: Provider, seconds: float = 5) -> HttpClient:
    """Return a client with the limits of a provider."""
    return open_client(provider, seconds)


@dataclass(frozen=True, slots=True)
class Chat:
    """A model, the client it uses and the server at its other end."""

    model: RemoteModel
    client: HttpClient
    server: OpenAIServer

    async def ask(self, request: ModelRequest | None = None) -> ModelReply:
        """Prepare a call and make it."""
        request = request or output_request()
        return await self.model.answer(request, self.model.prepare(request))


@asynccontextmanager
async def chatting(
    reply: Reply | Answer = CLEAR,
    provider: Provider | None = None,
    *,
    key: str | None = KEY,
    price: Price | None = PRICE,
    prompts: PlainPrompts | None = None,
    seconds: float = 5,
    max_output_tokens: int | None = None,
    streams: bool = True,
    url: Callable[[str], str] = str,
) -> AsyncIterator[Chat]:
    """Join a model and a server; at the end every body the server got was one the API takes."""
    provider = (provider or Provider()).model_copy(update={"backoff_seconds": 0.002})
    client = provider_client(provider, seconds)
    async with OpenAIServer(reply if callable(reply) else (lambda _: reply), streams=streams) as server:
        model = RemoteModel(
            name="test:small",
            server=ChatServer(client, provider, "small", url(server.url), key),
            provider=provider,
            client=client,
            prompts=prompts or PlainPrompts(),
            price=price,
            max_output_tokens=max_output_tokens,
        )
        try:
            yield Chat(model, client, server)
        finally:
            await client.close()
    assert all(request.asked for request in server.requests), "a body is not as the API takes it"
