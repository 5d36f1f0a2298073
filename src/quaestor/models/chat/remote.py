"""A model behind a network: requests are shaped, retried and simplified the same way for every server."""

import asyncio
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Protocol

from quaestor.contracts.cost import Price, Spend, Usage
from quaestor.contracts.errors import ModelFailed, ModelRefused, ModelUnavailable
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall, Provider
from quaestor.contracts.ports import PromptBuilder
from quaestor.contracts.roles import Prompt
from quaestor.contracts.tokens import TokenListener, TokenPiece, ignore_tokens
from quaestor.http.client import HttpClient
from quaestor.http.retry import MAX_WAIT_SECONDS, backoff
from quaestor.models.chat.completion import TextListener
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
from quaestor.models.chat.request import ModeMemory, RequestMode, build_body, cost_ceiling, prompt_with_schema
from quaestor.models.chat.wire import Body

_PROVIDER_WIDE_STATUSES = {429, 503, 529}


class ModelServer(Protocol):
    """The server of a model, whatever its API."""

    @property
    def display_url(self) -> str:
        """Return its address without anything secret, for messages."""

    @property
    def default_mode(self) -> RequestMode:
        """Return the mode to ask in as long as the server refuses nothing of it."""

    async def send(self, body: Body, on_text: TextListener) -> ExchangeOutcome:
        """Send one request and return its outcome; `on_text` is called with the text of a stream as it comes."""

    def with_downgrades(self, mode: RequestMode) -> Iterator[RequestMode]:
        """Return a mode and those it may be downgraded to."""

    def downgrade(
        self, request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse | InvalidRequest
    ) -> Downgrade | None:
        """Return the mode to ask in after this failure; None when the mode is not what was refused."""

    def simpler_modes(
        self, request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse
    ) -> Iterator[RequestMode]:
        """Yield the modes in which the request may succeed after an error that names no reason for it."""


class RemoteModel:
    """A model behind a server; a `Model`.

    One answer is one reply that may be charged for: only what was refused or never sent is sent again, at most
    `provider.retries` times; without `reconnect` not where no server was reached. A mode that the server refuses is not
    used again by anyone who shares `memory`.
    """

    def __init__(
        self,
        *,
        name: str,
        server: ModelServer,
        provider: Provider,
        client: HttpClient,
        prompts: PromptBuilder,
        price: Price | None,
        max_output_tokens: int | None,
        memory: ModeMemory | None = None,
        on_tokens: TokenListener = ignore_tokens,
        reconnect: bool = True,
    ) -> None:
        self.name = name
        self._server = server
        self._provider = provider
        self._client = client
        self._prompts = prompts
        self._price = price
        self._max_output_tokens = max_output_tokens
        self._memory = memory or ModeMemory()
        self._on_tokens = on_tokens
        self._reconnect = reconnect

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Return the prompt as it would be sent now, and the most the call can cost in any mode it may come to."""
        prompt = self._prompt(request)
        mode = self._mode
        bodies = (
            build_body(request, prompt_with_schema(request, prompt, each), each)
            for each in self._server.with_downgrades(mode)
        )
        ceilings = (cost_ceiling(body, prompt.max_output_tokens, self._price) for body in bodies)
        return PreparedCall(
            model=self.name,
            prompt=prompt_with_schema(request, prompt, mode),
            # A simpler mode puts the schema into the prompt and so may cost more than the one that is tried first.
            ceiling=max(ceilings, key=lambda spend: spend.tokens),
        )

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        """Ask the server until it answers or is known not to.

        Raises ModelRefused when it will not answer unless something is changed, ModelUnavailable when it is out of
        order, ModelFailed when it did not answer this time, with the most that may have cost.
        """
        sent = await self._send(request, prepared.prompt or self._prompt(request))
        match sent.outcome:
            case CompletionReceived(completion=completion, size=size):
                return self._reply(sent, parse_reply(request, completion, sent.limit), completion.credible_usage, size)
            case ReplyTooLarge():
                fault = f"the reply is longer than {MAX_REPLY_BYTES:,} bytes; answer in fewer words"
                return self._reply(sent, ParsedReply(text="", fault=fault), None, MAX_REPLY_BYTES)
            case ErrorResponse() as failure:
                raise self._to_error(request, prepared, failure)
            case InvalidRequest(reason=reason):
                raise ModelRefused(
                    f"{self._label} cannot be asked: {reason}; see to what it names, or choose another model"
                )
            case RequestNotSent(reason=reason, pause=pause):
                advice = "see to the server or the network, or write its base_url, and resume"
                raise ModelUnavailable(f"{self._label}: {reason}; {advice}", Spend(), pause)
            case ResponseLost(reason=reason):
                raise ModelFailed(f"{self._label}: {reason}; it may be charged all the same", prepared.ceiling)

    async def _send(self, request: ModelRequest, prompt: Prompt) -> "_SentRequest":
        """Send a request until it is answered, refused for good or lost; when that is cancelled, add what failed."""
        failed: list[str] = []
        try:
            return await self._send_until_settled(request, prompt, failed)
        except asyncio.CancelledError as error:
            # Whoever ends the wait knows how long it was, and nothing of the answers that prolonged it.
            for reason in failed[-1:]:
                error.add_note(f"{self._label} {reason}")
            raise

    async def _send_until_settled(self, request: ModelRequest, prompt: Prompt, failed: list[str]) -> "_SentRequest":
        notes = [await self._pause(request, request.failures, "no reply before")] if request.failures else []
        retries, simplified = 0, False
        while True:
            sent = await self._send_once(request, prompt, self._mode)
            if downgrade := self._downgrade(request, sent.body, sent.mode, sent.outcome):
                notes.append(downgrade.note)
                # It counts as no retry: the server has said what it refuses, and each downgrade leaves less to refuse.
                self._memory.replace(sent.mode, downgrade.mode)
                continue
            # Once only: the simpler modes are several requests, and a server that is out of order refuses them all.
            if not simplified and self._is_unexplained(sent.outcome, retries):
                simplified = True
                if simpler := await self._send_simplified(request, prompt, sent):
                    return simpler.with_notes(notes)
            reason = _transient_reason(sent.outcome) if retries < self._provider.retries else None
            if reason is None or not self._may_wait(sent.outcome):
                return sent.with_notes(notes)
            retries += 1
            failed.append(_describe_failure(sent.outcome))
            notes.append(await self._pause(request, retries, reason, sent.outcome))

    async def _send_once(self, request: ModelRequest, prompt: Prompt, mode: RequestMode) -> "_SentRequest":
        sent_prompt = prompt_with_schema(request, prompt, mode)
        body = build_body(request, sent_prompt, mode)
        notes = ("the JSON Schema was added to the system message",) if sent_prompt != prompt else ()
        outcome = await self._server.send(body, self._listener(request))
        return _SentRequest(mode, body, prompt.max_output_tokens, outcome, notes)

    def _listener(self, request: ModelRequest) -> TextListener:
        """Return what passes on the text of a reply to a request as it comes."""

        def take(text: str) -> None:
            self._on_tokens(
                TokenPiece(
                    agent=request.role, todo_id=request.todo_id, ref=request.key, attempt=request.attempt, text=text
                )
            )

        return take

    def _is_unexplained(self, outcome: ExchangeOutcome, retries: int) -> bool:
        """Return whether an error may mean that the server does not know a feature: at once, or when it is repeated."""
        if not isinstance(outcome, ErrorResponse):
            return False
        return retries > 0 or not is_transient(outcome)

    async def _send_simplified(
        self, request: ModelRequest, prompt: Prompt, refused: "_SentRequest"
    ) -> "_SentRequest | None":
        """Send a refused request in simpler modes until one is answered; None when the mode is not the reason."""
        assert isinstance(refused.outcome, ErrorResponse)
        modes = self._server.simpler_modes(request, refused.body, refused.mode, refused.outcome)
        for mode in dict.fromkeys(mode for mode in modes if mode != refused.mode):
            sent = await self._send_once(request, prompt, mode)
            match sent.outcome:
                case ErrorResponse(status=status) if status == refused.outcome.status:
                    continue
                case CompletionReceived():
                    # After a transient error the success may be a matter of time, not of the mode.
                    certain = not is_transient(refused.outcome)
                    self._memory.note_success(refused.mode, mode, is_certain=certain)
                    return sent.with_notes(
                        (f"{refused.outcome.status}, answered when {mode.differs_from(refused.mode)}",)
                    )
                # It may have been charged, so nothing more is sent for this call.
                case ResponseLost() | ReplyTooLarge():
                    return sent
                case _:
                    return None
        return None

    def _may_wait(self, outcome: ExchangeOutcome) -> bool:
        """Return whether to wait and ask again; a pause that is too long to be waited for is kept."""
        match outcome:
            case ErrorResponse(status=status, retry_after=float() as asked) if asked > MAX_WAIT_SECONDS:
                if status in _PROVIDER_WIDE_STATUSES:
                    self._client.pause_for(asked)
                return False
            case RequestNotSent(pause=pause):
                return self._reconnect and pause is None
            case _:
                return True

    async def _pause(
        self, request: ModelRequest, failures: int, reason: str, outcome: ExchangeOutcome | None = None
    ) -> str:
        """Wait before the next attempt, and return a note of it.

        `Retry-After` may prolong the wait; with a status that concerns the whole provider, all its calls wait.
        """
        key = f"{request.key}:{request.attempt}:{request.failures}"
        seconds = backoff(key, failures, self._client.limit.backoff_seconds)
        if isinstance(outcome, ErrorResponse) and outcome.retry_after is not None:
            seconds = max(seconds, outcome.retry_after)
            if outcome.status in _PROVIDER_WIDE_STATUSES:
                self._client.pause_for(outcome.retry_after)
        await asyncio.sleep(seconds)
        return f"{reason}, waited {seconds:.1f} s"

    def _downgrade(
        self, request: ModelRequest, body: Body, mode: RequestMode, outcome: ExchangeOutcome
    ) -> Downgrade | None:
        if isinstance(outcome, ErrorResponse | InvalidRequest):
            return self._server.downgrade(request, body, mode, outcome)
        return None

    def _prompt(self, request: ModelRequest) -> Prompt:
        prompt = self._prompts.prompt(request)
        if self._max_output_tokens is None:
            return prompt
        return prompt.revised(max_output_tokens=self._max_output_tokens)

    def _reply(self, sent: "_SentRequest", parsed: ParsedReply, usage: Usage | None, size: int) -> ModelReply:
        """Return the reply that came in `size` bytes; without a token count it costs at most that many tokens."""
        notes = (*sent.notes, *parsed.notes)
        if usage:
            dollars = self._price.cost(usage) if self._price else Decimal(0)
            spend = Spend(model_calls=1, tokens=usage.input_tokens + usage.output_tokens, dollars=dollars)
            self._client.charge(spend.tokens)
        else:
            # A token has at least one byte, so the size bounds their number.
            spend = cost_ceiling(sent.body, min(size, sent.limit), self._price)
            notes = (*notes, "the server counts no tokens; estimated from above")
        return ModelReply(
            text=parsed.text,
            calls=parsed.calls,
            fault=parsed.fault,
            spend=spend,
            usage=usage,
            priced=self._price is not None,
            notes=notes,
        )

    def _to_error(
        self, request: ModelRequest, prepared: PreparedCall, failure: ErrorResponse
    ) -> ModelRefused | ModelFailed:
        message = f"{self._label} {_describe_failure(failure)}"
        if is_invalid_output(failure):
            return ModelFailed(message, prepared.ceiling)
        if is_transient(failure):
            retried = f" (after {self._provider.retries} retries)" if self._may_wait(failure) else ""
            return ModelUnavailable(f"{message}{retried}; try again later", wait=failure.retry_after)
        return ModelRefused(f"{message}; {remedy(request, failure, self._provider.key_env)}")

    @property
    def _mode(self) -> RequestMode:
        return self._memory.mode or self._server.default_mode

    @property
    def _label(self) -> str:
        return f"{self.name} at {self._server.display_url}"


class _SentRequest(Immutable):
    mode: RequestMode
    body: Body
    limit: int
    outcome: ExchangeOutcome
    notes: tuple[str, ...]

    def with_notes(self, earlier: Iterable[str]) -> "_SentRequest":
        """Return the same with notes of what came before it."""
        return replace(self, notes=(*earlier, *self.notes))


def _describe_failure(outcome: ExchangeOutcome) -> str:
    """Return what became of a request that got no reply, as it follows the name of the server."""
    match outcome:
        case ErrorResponse(status=status, error=error):
            return f"answered {status}: {error.message}"
        case RequestNotSent(reason=reason):
            return f"was not reached: {reason}"
        case _:
            return "gave no reply"


def _transient_reason(outcome: ExchangeOutcome) -> str | None:
    """Return why a request was not answered, if it may be sent again at no cost."""
    match outcome:
        case RequestNotSent(reason=reason):
            return reason
        case ErrorResponse() if is_transient(outcome):
            return str(outcome.status)
        case _:
            return None
