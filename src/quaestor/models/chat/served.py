import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from quaestor.contracts.agent import Prompt
from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ModelFailed, ModelRefused
from quaestor.contracts.model import ModelReply, ModelRequest, Prepared
from quaestor.contracts.ports import Prompts
from quaestor.contracts.price import Price, Usage
from quaestor.contracts.provider import Provider
from quaestor.models.chat.asking import Manner, ask, told
from quaestor.models.chat.bound import most
from quaestor.models.chat.exchange import MOST_BYTES, Answered, Lost, Outcome, Refused, TooLong, Unaskable, Unsent
from quaestor.models.chat.line import Line
from quaestor.models.chat.reading import Meaning, meaning
from quaestor.models.chat.refusing import Simpler, advice, broken_output, passing
from quaestor.models.chat.wire import Body
from quaestor.patience import backoff

_HOLDS_ALL = {429, 503, 529}


class Server(Protocol):
    """Who is asked, in whichever API."""

    @property
    def shown(self) -> str:
        """Give its address without anything secret, for messages."""
        ...

    @property
    def first_manner(self) -> Manner:
        """Give the manner in which it is asked as long as it refuses nothing of it."""
        ...

    async def exchange(self, body: Body) -> Outcome:
        """Ask for an answer and give what came of it."""
        ...

    def and_simpler(self, manner: Manner) -> Iterator[Manner]:
        """Give a manner and those it may come to."""
        ...

    def simpler(self, request: ModelRequest, body: Body, manner: Manner, no: Refused | Unaskable) -> Simpler | None:
        """Give the manner that may be taken after this no; None when it is not the manner that is refused."""
        ...


class ServedModel:
    """A model behind a server; a `Model`.

    One answer is one reply that may be charged for: only what was refused or never sent is sent again, at most
    `provider.retries` times. What a server refuses of the manner of asking is given up as long as the object lives.
    """

    def __init__(
        self,
        *,
        name: str,
        server: Server,
        provider: Provider,
        line: Line,
        prompts: Prompts,
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
        self._given_up: Manner | None = None

    def prepare(self, request: ModelRequest) -> Prepared:
        """Give the prompt as it would be sent now, and what the call costs at most in any manner it may come to."""
        prompt = self._prompt(request)
        manner = self._manner
        bodies = (ask(request, told(request, prompt, each), each) for each in self._server.and_simpler(manner))
        ceilings = (most(body, prompt.max_output_tokens, self._price) for body in bodies)
        return Prepared(
            model=self.name,
            prompt=told(request, prompt, manner),
            ceiling=max(ceilings, key=lambda spend: spend.tokens),
        )

    async def answer(self, request: ModelRequest, prepared: Prepared) -> ModelReply:
        """Ask the server until it answers or it is clear that it will not.

        Raises ModelRefused when it will not answer as long as nothing is changed, ModelFailed when it did not this
        time, with the most that may have cost.
        """
        sent = await self._send(request, prepared.prompt or self._prompt(request))
        match sent.outcome:
            case Answered(completion=completion, size=size):
                return self._reply(sent, meaning(request, completion, sent.limit), completion.usage, size)
            case TooLong():
                fault = f"the reply is longer than {MOST_BYTES:,} bytes; answer in fewer words"
                return self._reply(sent, Meaning(text="", fault=fault), None, MOST_BYTES)
            case Refused() as refused:
                raise self._refusal(request, prepared, refused)
            case Unaskable(reason=reason):
                raise ModelRefused(
                    f"{self._who} cannot be asked: {reason}; see to what it names, or choose another model"
                )
            case Unsent(reason=reason):
                raise ModelRefused(
                    f"{self._who}: {reason}; see to the server or the network, or write its base_url, and resume"
                )
            case Lost(reason=reason):
                raise ModelFailed(f"{self._who}: {reason}; it may be charged all the same", prepared.ceiling)

    async def _send(self, request: ModelRequest, prompt: Prompt) -> "_Sent":
        """Send a request until it is answered, refused for good or lost."""
        notes = [await self._pause(request, request.failures, "no reply before")] if request.failures else []
        retries = 0
        while True:
            manner = self._manner
            asked = told(request, prompt, manner)
            body = ask(request, asked, manner)
            outcome = await self._server.exchange(body)
            if less := self._simpler(request, body, manner, outcome):
                notes.append(less.note)
                if self._manner == manner:  # else another call has given something up meanwhile
                    self._given_up = less.manner
            elif retries < self._provider.retries and (why := _passing(outcome)):
                retries += 1
                notes.append(await self._pause(request, retries, why, outcome))
            else:
                if asked != prompt:
                    notes.append("the JSON Schema was added to the system message")
                return _Sent(body, prompt.max_output_tokens, outcome, tuple(notes))

    async def _pause(self, request: ModelRequest, times: int, why: str, outcome: Outcome | None = None) -> str:
        """Wait before the next try, as long as the server asks for, if it does; then all its calls wait. Note it."""
        seconds = backoff(f"{request.key}:{request.attempt}:{request.failures}", times, self._line.backoff_seconds)
        if isinstance(outcome, Refused) and outcome.retry_after is not None:
            seconds = max(seconds, outcome.retry_after)
            if outcome.status in _HOLDS_ALL:
                self._line.hold(outcome.retry_after)
        await asyncio.sleep(seconds)
        return f"{why}, waited {seconds:.1f} s"

    def _simpler(self, request: ModelRequest, body: Body, manner: Manner, outcome: Outcome) -> Simpler | None:
        return (
            self._server.simpler(request, body, manner, outcome) if isinstance(outcome, Refused | Unaskable) else None
        )

    def _prompt(self, request: ModelRequest) -> Prompt:
        prompt = self._prompts.prompt(request)
        if self._max_output_tokens is None:
            return prompt
        return prompt.model_copy(update={"max_output_tokens": self._max_output_tokens})

    def _reply(self, sent: "_Sent", said: Meaning, usage: Usage | None, size: int) -> ModelReply:
        """Give the reply that came in `size` bytes; without a count it costs at most that many tokens."""
        notes = (*sent.notes, *said.notes)
        if usage:
            dollars = self._price.cost(usage) if self._price else Decimal(0)
            spend = Spend(model_calls=1, tokens=usage.input_tokens + usage.output_tokens, dollars=dollars)
        else:
            spend = most(sent.body, min(size, sent.limit), self._price)
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

    def _refusal(self, request: ModelRequest, prepared: Prepared, refused: Refused) -> ModelRefused | ModelFailed:
        told_us = f"{self._who} answered {refused.status}: {refused.said.message}"
        if broken_output(refused):
            return ModelFailed(told_us, prepared.ceiling)
        if passing(refused):
            return ModelFailed(f"{told_us} (after {self._provider.retries} retries); try again later")
        return ModelRefused(f"{told_us}; {advice(request, refused, self._provider.key_env)}")

    @property
    def _manner(self) -> Manner:
        return self._given_up or self._server.first_manner

    @property
    def _who(self) -> str:
        return f"{self.name} at {self._server.shown}"


@dataclass(frozen=True, slots=True)
class _Sent:
    body: Body
    limit: int
    outcome: Outcome
    notes: tuple[str, ...]


def _passing(outcome: Outcome) -> str | None:
    """Name what kept a request from being answered, if it may be sent again at no cost."""
    match outcome:
        case Unsent(reason=reason):
            return reason
        case Refused() if passing(outcome):
            return str(outcome.status)
        case _:
            return None
