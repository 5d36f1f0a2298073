"""What OpenAI clients send. A parameter that would change the answer is honoured or refused, never passed over."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, ValidationError

from quaestor.app.network.submissions import NewSession, SessionSettings
from quaestor.app.network.uploads import COLLECTION_PREFIX
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UsageError
from quaestor.contracts.settings import Effort

ModelId = Literal["quaestor-research", "quaestor-task"]
WORKFLOWS: dict[ModelId, str] = {"quaestor-research": "research", "quaestor-task": "longtask"}
"""The workflow of each model."""

_MAX_MESSAGES = 1_000


def _refuse(value: JsonValue) -> JsonValue:
    if value in (None, [], {}):
        return value
    raise ValueError("it is not supported, and would change the answer; leave it out")


def _refuse_instructions(value: str | None) -> str | None:
    if value:
        raise ValueError("a session takes no instructions; write what matters into the question")
    return value


def _only_true(value: bool | None) -> bool | None:
    if value is False:
        raise ValueError("every response is stored; delete it when you no longer need it")
    return value


Unsupported = Annotated[JsonValue, AfterValidator(_refuse), Field(description="Refused where it is set.")]
Ignored = Annotated[JsonValue, Field(description="Taken, and without effect.")]
Metadata = Annotated[
    dict[Annotated[str, Field(max_length=64)], Annotated[str, Field(max_length=512)]], Field(max_length=16)
]


class TextPart(Contract):
    """A part of a message; only text is taken."""

    type: Literal["input_text", "output_text", "text"]
    text: str
    annotations: Ignored = None
    logprobs: Ignored = None
    prompt_cache_breakpoint: Ignored = None


def _as_parts(content: object) -> object:
    return [{"type": "input_text", "text": content}] if isinstance(content, str) else content


def _as_messages(given: object) -> object:
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


class InputMessage(Contract):
    """A message of the conversation."""

    type: Literal["message"] = "message"
    role: Literal["user", "assistant", "system", "developer"]
    content: Annotated[
        tuple[TextPart, ...], BeforeValidator(_as_parts, json_schema_input_type=str | tuple[TextPart, ...])
    ]
    id: Ignored = None
    status: Ignored = None
    name: Ignored = None
    phase: Ignored = None
    refusal: Ignored = None
    annotations: Ignored = None
    reasoning_content: Ignored = None

    @property
    def text(self) -> str:
        """The text of all parts."""
        return "".join(part.text for part in self.content)


class WebSearchTool(Contract):
    """The web is searched."""

    type: Literal["web_search", "web_search_2025_08_26", "web_search_preview", "web_search_preview_2025_03_11"]
    search_context_size: Ignored = None
    user_location: Ignored = None


class FileSearchTool(Contract):
    """Collections of uploaded documents are searched."""

    type: Literal["file_search"]
    vector_store_ids: tuple[str, ...] = Field(min_length=1, max_length=100, description="Names of collections.")
    max_num_results: Ignored = None


HostedTool = Annotated[WebSearchTool | FileSearchTool, Field(discriminator="type")]


class Reasoning(Contract):
    """How much effort a session makes."""

    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    summary: Ignored = None
    generate_summary: Ignored = None
    context: Ignored = None


_EFFORTS: dict[str, Effort] = {
    "none": "low",
    "minimal": "low",
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "high",
    "max": "high",
}


class ConversationRef(Contract):
    """A conversation by its id."""

    id: str = Field(max_length=100)


class PlainTextFormat(Contract):
    """The only format of an answer."""

    type: Literal["text"] = "text"


class TextOptions(Contract):
    """How the answer is written."""

    format: PlainTextFormat | None = None
    verbosity: Ignored = None


class StreamOptions(Contract):
    """What a stream has beside the answer."""

    include_usage: bool | None = None
    include_obfuscation: Ignored = None


class CommonParameters(Contract):
    """What requests to both APIs may have."""

    model: str = Field(max_length=200, description="`quaestor-research` or `quaestor-task`.")
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    metadata: Metadata | None = None
    tools: tuple[HostedTool, ...] | None = Field(
        default=None, max_length=20, description="Where to search; without it, as the server is set up."
    )
    store: Annotated[bool | None, AfterValidator(_only_true)] = None
    tool_choice: Literal["auto", "required"] | None = None
    parallel_tool_calls: Ignored = None
    temperature: Ignored = None
    top_p: Ignored = None
    top_logprobs: Unsupported = None
    user: Ignored = None
    safety_identifier: Ignored = None
    prompt_cache_key: Ignored = None
    prompt_cache_retention: Ignored = None
    prompt_cache_options: Ignored = None
    service_tier: Ignored = None
    moderation: Unsupported = None


class CreateResponse(CommonParameters):
    """A request for a response."""

    input: Annotated[
        tuple[InputMessage, ...],
        Field(min_length=1, max_length=_MAX_MESSAGES),
        BeforeValidator(_as_messages, json_schema_input_type=str | tuple[InputMessage, ...]),
    ]
    background: bool | None = None
    previous_response_id: str | None = Field(default=None, max_length=100)
    conversation: str | ConversationRef | None = None
    max_tool_calls: int | None = Field(default=None, ge=1, le=10**9)
    instructions: Annotated[str | None, AfterValidator(_refuse_instructions)] = None
    reasoning: Reasoning | None = None
    text: TextOptions | None = None
    include: Ignored = None
    truncation: Ignored = None
    max_output_tokens: Unsupported = None
    prompt: Unsupported = None
    context_management: Unsupported = None
    background_options: Unsupported = None


class CreateChatCompletion(CommonParameters):
    """A request for a chat completion."""

    messages: tuple[InputMessage, ...] = Field(min_length=1, max_length=_MAX_MESSAGES)
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    web_search_options: JsonValue = Field(default=None, description="Where it is set, the web is searched.")
    response_format: PlainTextFormat | None = None
    n: Literal[1] | None = None
    frequency_penalty: Ignored = None
    presence_penalty: Ignored = None
    logit_bias: Unsupported = None
    logprobs: Ignored = None
    seed: Ignored = None
    stop: Unsupported = None
    verbosity: Ignored = None
    max_tokens: Unsupported = None
    max_completion_tokens: Unsupported = None
    functions: Unsupported = None
    function_call: Unsupported = None
    modalities: Ignored = None
    audio: Unsupported = None
    prediction: Unsupported = None


def new_session(
    model: ModelId,
    text: str,
    tools: Sequence[HostedTool],
    effort: str | None = None,
    max_tool_calls: int | None = None,
) -> NewSession:
    """Return the session that a request asks for. Raises UsageError for a text or documents that cannot be used."""
    collections = [name for tool in tools if isinstance(tool, FileSearchTool) for name in tool.vector_store_ids]
    settings = SessionSettings(
        web=() if any(isinstance(tool, WebSearchTool) for tool in tools) else None,
        effort=_EFFORTS[effort] if effort else None,
        max_tool_calls=max_tool_calls,
    )
    docs = tuple(f"{COLLECTION_PREFIX}{name}" for name in dict.fromkeys(collections))
    try:
        return NewSession(workflow=WORKFLOWS[model], text=text, docs=docs, settings=settings)
    except ValidationError as error:
        raise UsageError(f"the request cannot be used: {error.errors()[0]['msg']}") from error


def said_last(messages: Sequence[InputMessage], *, with_history: bool) -> str:
    """Return what the person says: all user messages behind the last one of an assistant.

    Raises UsageError for instructions, for no such message, and for a history where none is taken.
    """
    if any(message.role in {"system", "developer"} for message in messages):
        raise UsageError("a session takes no instructions; write what matters into the question")
    spoken = [place for place, message in enumerate(messages) if message.role == "assistant"]
    if spoken and not with_history:
        raise UsageError("a history is not taken; name the response before with previous_response_id")
    last = messages[spoken[-1] + 1 :] if spoken else messages
    text = "\n\n".join(message.text for message in last).strip()
    if not text:
        raise UsageError("the last message is not from the user, or it is empty; ask something")
    return text
