import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from quaestor.contracts.agent import Prompt
from quaestor.contracts.cost import Price, Spend, Usage
from quaestor.contracts.errors import ModelFailed, ModelRefused
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall, Provider
from quaestor.contracts.ports import PromptBuilder
from quaestor.http.retry import backoff
from quaestor.models.chat.connection import ProviderConnection
from quaestor.models.chat.error_handling import Downgrade, is_invalid_output, is_transient, remedy
from quaestor.models.chat.exchange import (
    MAX_REPLY_BYTES,
    CompletionReceived,
    ErrorResponse,
    ExchangeOutcome,
    InvalidRequest,
    ReplyTooLarge,
    RequestNotSent,
    ResponseLost,
)
from quaestor.models.chat.reply_parsing import ParsedReply, parse_reply
from quaestor.models.chat.request import RequestMode, build_body, cost_ceiling, prompt_with_schema
from quaestor.models.chat.wire import Body

_PROVIDER_WIDE_STATUSES = {429, 503, 529}


class ModelServer(Protocol):
    """Who is asked, in whichever API."""

    @property
    def shown(self) -> str:
        """Give its address without anything secret, for messages."""
        ...

    @property
    def first_manner(self) -> RequestMode:
        """Give the manner in which it is asked as long as it refuses nothing of it."""
        ...

    async def exchange(self, body: Body) -> ExchangeOutcome:
        """Ask for an answer and give what came of it."""
        ...

    def and_simpler(self, manner: RequestMode) -> Iterator[RequestMode]:
        """Give a manner and those it may come to."""
        ...

    def simpler(
        self, request: ModelRequest, body: Body, manner: RequestMode, no: ErrorResponse | InvalidRequest
    ) -> Downgrade | None:
        """Give the manner that may be taken after this no; None when it is not the manner that is refused."""
        ...


class RemoteModel:
    """A model behind a server; a `Model`.

    One answer is one reply that may be charged for: only what was refused or never sent is sent again, at most
    `provider.retries` times. What a server refuses of the manner of asking is given up as long as the object lives.
    """

    def __init__(
        self,
        *,
        name: str,
        server: ModelServer,
        provider: Provider,
        line: ProviderConnection,
        prompts: PromptBuilder,
        price: Price | None,
        max_output_tokens: int | None,
    ) -> None:
        self.name = name
        self._server = server
        self._provider = provider
        self._line = line
        self._prompts = prompts
        self._price = price
        self._max_output_tokens = max_output_tokens
        self._given_up: RequestMode | None = None

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Give the prompt as it would be sent now, and what the call costs at most in any manner it may come to."""
        prompt = self._prompt(request)
        manner = self._mode
        bodies = (
            build_body(request, prompt_with_schema(request, prompt, each), each)
            for each in self._server.and_simpler(manner)
        )
        ceilings = (cost_ceiling(body, prompt.max_output_tokens, self._price) for body in bodies)
        return PreparedCall(
            model=self.name,
            prompt=prompt_with_schema(request, prompt, manner),
            ceiling=max(ceilings, key=lambda spend: spend.tokens),
        )

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        """Ask the server until it answers or it is clear that it will not.

        Raises ModelRefused when it will not answer as long as nothing is changed, ModelFailed when it did not this
        time, with the most that may have cost.
        """
        sent = await self._send(request, prepared.prompt or self._prompt(request))
        match sent.outcome:
            case CompletionReceived(completion=completion, size=size):
                return self._reply(sent, parse_reply(request, completion, sent.limit), completion.usage, size)
            case ReplyTooLarge():
                fault = f"the reply is longer than {MAX_REPLY_BYTES:,} bytes; answer in fewer words"
                return self._reply(sent, ParsedReply(text="", fault=fault), None, MAX_REPLY_BYTES)
            case ErrorResponse() as refused:
                raise self._refusal(request, prepared, refused)
            case InvalidRequest(reason=reason):
                raise ModelRefused(
                    f"{self._who} cannot be asked: {reason}; see to what it names, or choose another model"
                )
            case RequestNotSent(reason=reason):
                raise ModelRefused(
                    f"{self._who}: {reason}; see to the server or the network, or write its base_url, and resume"
                )
            case ResponseLost(reason=reason):
                raise ModelFailed(f"{self._who}: {reason}; it may be charged all the same", prepared.ceiling)

    async def _send(self, request: ModelRequest, prompt: Prompt) -> "_SentRequest":
        """Send a request until it is answered, refused for good or lost."""
        notes = [await self._pause(request, request.failures, "no reply before")] if request.failures else []
        retries = 0
        while True:
            manner = self._mode
            asked = prompt_with_schema(request, prompt, manner)
            body = build_body(request, asked, manner)
            outcome = await self._server.exchange(body)
            if less := self._downgrade(request, body, manner, outcome):
                notes.append(less.note)
                if self._mode == manner:  # else another call has given something up meanwhile
                    self._given_up = less.mode
            elif retries < self._provider.retries and (why := _transient_reason(outcome)):
                retries += 1
                notes.append(await self._pause(request, retries, why, outcome))
            else:
                if asked != prompt:
                    notes.append("the JSON Schema was added to the system message")
                return _SentRequest(body, prompt.max_output_tokens, outcome, tuple(notes))

    async def _pause(self, request: ModelRequest, times: int, why: str, outcome: ExchangeOutcome | None = None) -> str:
        """Wait before the next try, as long as the server asks for, if it does; then all its calls wait. Note it."""
        seconds = backoff(f"{request.key}:{request.attempt}:{request.failures}", times, self._line.backoff_seconds)
        if isinstance(outcome, ErrorResponse) and outcome.retry_after is not None:
            seconds = max(seconds, outcome.retry_after)
            if outcome.status in _PROVIDER_WIDE_STATUSES:
                self._line.hold(outcome.retry_after)
        await asyncio.sleep(seconds)
        return f"{why}, waited {seconds:.1f} s"

    def _downgrade(
        self, request: ModelRequest, body: Body, manner: RequestMode, outcome: ExchangeOutcome
    ) -> Downgrade | None:
        return (
            self._server.simpler(request, body, manner, outcome)
            if isinstance(outcome, ErrorResponse | InvalidRequest)
            else None
        )

    def _prompt(self, request: ModelRequest) -> Prompt:
        prompt = self._prompts.prompt(request)
        if self._max_output_tokens is None:
            return prompt
        return prompt.model_copy(update={"max_output_tokens": self._max_output_tokens})

    def _reply(self, sent: "_SentRequest", said: ParsedReply, usage: Usage | None, size: int) -> ModelReply:
        """Give the reply that came in `size` bytes; without a count it costs at most that many tokens."""
        notes = (*sent.notes, *said.notes)
        if usage:
            dollars = self._price.cost(usage) if self._price else Decimal(0)
            spend = Spend(model_calls=1, tokens=usage.input_tokens + usage.output_tokens, dollars=dollars)
        else:
            spend = cost_ceiling(sent.body, min(size, sent.limit), self._price)
            notes = (*notes, "the server counts no tokens; estimated from above")
        return ModelReply(
            text=said.text,
            calls=said.calls,
            fault=said.fault,
            spend=spend,
            usage=usage,
            priced=self._price is not None,
            notes=notes,
        )

    def _refusal(
        self, request: ModelRequest, prepared: PreparedCall, refused: ErrorResponse
    ) -> ModelRefused | ModelFailed:
        told_us = f"{self._who} answered {refused.status}: {refused.said.message}"
        if is_invalid_output(refused):
            return ModelFailed(told_us, prepared.ceiling)
        if is_transient(refused):
            return ModelFailed(f"{told_us} (after {self._provider.retries} retries); try again later")
        return ModelRefused(f"{told_us}; {remedy(request, refused, self._provider.key_env)}")

    @property
    def _mode(self) -> RequestMode:
        return self._given_up or self._server.first_manner

    @property
    def _who(self) -> str:
        return f"{self.name} at {self._server.shown}"


@dataclass(frozen=True, slots=True)
class _SentRequest:
    body: Body
    limit: int
    outcome: ExchangeOutcome
    notes: tuple[str, ...]


def _transient_reason(outcome: ExchangeOutcome) -> str | None:
    """Name what kept a request from being answered, if it may be sent again at no cost."""
    match outcome:
        case RequestNotSent(reason=reason):
            return reason
        case ErrorResponse() if is_transient(outcome):
            return str(outcome.status)
        case _:
            return None
