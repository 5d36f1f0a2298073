import asyncio
from dataclasses import dataclass
from decimal import Decimal

from quaestor.contracts.agent import Prompt
from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ModelFailed, ModelRefused
from quaestor.contracts.model import ModelReply, ModelRequest, Prepared
from quaestor.contracts.ports import Prompts
from quaestor.contracts.price import Price, Usage
from quaestor.contracts.provider import Provider
from quaestor.models.chat.address import Address
from quaestor.models.chat.asking import Manner, ask, told
from quaestor.models.chat.bound import most
from quaestor.models.chat.exchange import MOST_BYTES, Answered, Lost, Outcome, Refused, TooLong, Unsent, exchange
from quaestor.models.chat.line import Line
from quaestor.models.chat.patience import backoff
from quaestor.models.chat.reading import Meaning, meaning
from quaestor.models.chat.refusing import advice, broken_output, passing, simpler
from quaestor.models.chat.wire import Body, encoded

_HOLDS_ALL = {429, 503}


class ChatModel:
    """A model behind an OpenAI chat completions API; a `Model`.

    One answer is one reply that may be charged for: only what was refused or never sent is sent again, at most
    `provider.retries` times. What a server refuses of the manner of asking is given up as long as the object lives.
    """

    def __init__(
        self,
        *,
        name: str,
        model: str,
        provider: Provider,
        base_url: str,
        key: str | None,
        line: Line,
        prompts: Prompts,
        price: Price | None,
        seconds: float,
        max_output_tokens: int | None = None,
    ) -> None:
        self.name = name
        self._provider = provider
        self._address = Address(base_url, key)
        self._who = f"{name} at {self._address.shown}"
        self._line = line
        self._prompts = prompts
        self._price = price
        self._seconds = provider.seconds or seconds
        self._max_output_tokens = max_output_tokens
        self._manner = Manner(
            model=model, output=provider.output, stream=provider.stream, new_limit=self._address.is_openai
        )

    def prepare(self, request: ModelRequest) -> Prepared:
        """Give the prompt as it would be sent now, and what the call costs at most in any manner it may come to."""
        prompt = self._prompt(request)
        bodies = (ask(request, told(request, prompt, manner), manner) for manner in self._manner.and_simpler())
        ceilings = (most(body, prompt.max_output_tokens, self._price) for body in bodies)
        return Prepared(
            model=self.name,
            prompt=told(request, prompt, self._manner),
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
            case Unsent(reason=reason):
                raise ModelFailed(f"{self._who}: {reason}; see whether it runs and the base_url is right")
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
            outcome = await exchange(self._line, self._address, encoded(body), self._seconds)
            if isinstance(outcome, Refused) and (less := simpler(request, body, manner, outcome)):
                notes.append(less.note)
                if self._manner == manner:  # else another call has given something up meanwhile
                    self._manner = less.manner
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
