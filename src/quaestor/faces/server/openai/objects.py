"""Responses and their items, as the OpenAI API has them."""

from typing import Annotated, Literal

from pydantic import Field

from quaestor.contracts.base import Contract

ResponseStatus = Literal["queued", "in_progress", "completed", "failed", "incomplete", "cancelled"]
ItemStatus = Literal["in_progress", "completed", "failed", "incomplete"]


class SearchSource(Contract):
    """A page that a search found."""

    type: Literal["url"] = "url"
    url: str


class SearchAction(Contract):
    """What was searched for."""

    type: Literal["search"] = "search"
    query: str
    queries: tuple[str, ...]
    sources: tuple[SearchSource, ...] = ()


class WebSearchCall(Contract):
    """A search of the web or of documents."""

    type: Literal["web_search_call"] = "web_search_call"
    id: str
    status: ItemStatus
    action: SearchAction


class UrlCitation(Contract):
    """A citation of a page; `text[start_index:end_index]` is its mark, counted in characters."""

    type: Literal["url_citation"] = "url_citation"
    start_index: int
    end_index: int
    url: str
    title: str


class FileCitation(Contract):
    """A citation of a document; `index` is behind its mark."""

    type: Literal["file_citation"] = "file_citation"
    file_id: str = Field(description="The SHA-256 of its text.")
    filename: str
    index: int
    start_index: int
    end_index: int


Annotation = Annotated[UrlCitation | FileCitation, Field(discriminator="type")]


class OutputText(Contract):
    """The text of the answer."""

    type: Literal["output_text"] = "output_text"
    text: str
    annotations: tuple[Annotation, ...] = ()
    logprobs: tuple[()] = ()


class OutputMessage(Contract):
    """The answer, or a question to the person."""

    type: Literal["message"] = "message"
    id: str
    role: Literal["assistant"] = "assistant"
    status: ItemStatus = "completed"
    content: tuple[OutputText, ...]


class QuoteProof(Contract):
    """The proof of a citation: words that are in the stored text of a source, from `start` up to `end`."""

    type: Literal["quaestor:quote_proof"] = "quaestor:quote_proof"
    id: str
    number: int = Field(description="As in the marks of the text.")
    quote: str
    sha256: str
    start: int
    end: int
    title: str
    uri: str


OutputItem = Annotated[WebSearchCall | OutputMessage | QuoteProof, Field(discriminator="type")]


class InputTokensDetails(Contract):
    """Of the input tokens."""

    cached_tokens: int = 0
    cache_write_tokens: int = 0


class OutputTokensDetails(Contract):
    """Of the output tokens."""

    reasoning_tokens: int = 0


class ResponseUsage(Contract):
    """The tokens of a response."""

    input_tokens: int
    input_tokens_details: InputTokensDetails
    output_tokens: int
    output_tokens_details: OutputTokensDetails = OutputTokensDetails()
    total_tokens: int


class ResponseFailure(Contract):
    """Why a response failed."""

    code: Literal["server_error"] = "server_error"
    message: str


class IncompleteDetails(Contract):
    """Why a response is incomplete; every limit of a session has the same name here."""

    reason: Literal["max_output_tokens"] = "max_output_tokens"


class ConversationId(Contract):
    """The conversation of a response."""

    id: str


class TextFormat(Contract):
    """Plain text."""

    type: Literal["text"] = "text"


class ResponseText(Contract):
    """How the answer is written."""

    format: TextFormat = TextFormat()


class Response(Contract):
    """A response: one turn of a session."""

    id: str
    object: Literal["response"] = "response"
    created_at: int
    completed_at: int | None = None
    status: ResponseStatus
    background: Literal[True] = True
    conversation: ConversationId
    error: ResponseFailure | None = None
    incomplete_details: IncompleteDetails | None = None
    instructions: None = None
    max_output_tokens: None = None
    metadata: dict[str, str]
    model: str
    output: tuple[OutputItem, ...]
    parallel_tool_calls: Literal[True] = True
    previous_response_id: None = None
    store: Literal[True] = True
    temperature: None = None
    text: ResponseText = ResponseText()
    tool_choice: Literal["auto"] = "auto"
    tools: tuple[()] = ()
    top_p: None = None
    truncation: Literal["disabled"] = "disabled"
    usage: ResponseUsage | None = None


LifecycleType = Literal[
    "response.created",
    "response.queued",
    "response.in_progress",
    "response.completed",
    "response.failed",
    "response.incomplete",
    "response.cancelled",
]


class NumberedEvent(Contract):
    """An event of a stream, with its number."""

    sequence_number: int


class LifecycleEvent(NumberedEvent):
    """A response begins, goes on or ends."""

    type: LifecycleType
    response: Response


ItemEventType = Literal["response.output_item.added", "response.output_item.done"]


class ItemEvent(NumberedEvent):
    """An item is added, or is complete."""

    type: ItemEventType
    output_index: int
    item: OutputItem


SearchEventType = Literal[
    "response.web_search_call.in_progress",
    "response.web_search_call.searching",
    "response.web_search_call.completed",
]


class SearchEvent(NumberedEvent):
    """A search goes on."""

    type: SearchEventType
    output_index: int
    item_id: str


PartEventType = Literal["response.content_part.added", "response.content_part.done"]


class ContentEvent(NumberedEvent):
    """An event about the one part of the message."""

    output_index: int
    item_id: str
    content_index: Literal[0] = 0


class PartEvent(ContentEvent):
    """The text of the message begins, or is complete."""

    type: PartEventType
    part: OutputText


class TextDelta(ContentEvent):
    """More of the text."""

    type: Literal["response.output_text.delta"] = "response.output_text.delta"
    delta: str
    logprobs: tuple[()] = ()


class AnnotationAdded(ContentEvent):
    """An annotation of the text."""

    type: Literal["response.output_text.annotation.added"] = "response.output_text.annotation.added"
    annotation_index: int
    annotation: Annotation


class TextDone(ContentEvent):
    """The whole text."""

    type: Literal["response.output_text.done"] = "response.output_text.done"
    text: str
    logprobs: tuple[()] = ()


StreamedEvent = LifecycleEvent | ItemEvent | SearchEvent | PartEvent | TextDelta | AnnotationAdded | TextDone
