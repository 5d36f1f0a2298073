"""Turns of sessions as responses and their items. Pure."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import assert_never
from urllib.parse import urlsplit

from quaestor.app.reports.cited_text import CitedQuote, CitedText, cite_document
from quaestor.app.text import truncate_line
from quaestor.app.turns.turn_state import TurnEnd, TurnSearch, TurnState, TurnTokens
from quaestor.app.turns.turns import TurnRef
from quaestor.contracts.errors import UnknownSession
from quaestor.contracts.immutable import Immutable
from quaestor.faces.server.openai.objects import (
    Annotation,
    ConversationId,
    FileCitation,
    IncompleteDetails,
    InputTokensDetails,
    OutputItem,
    OutputMessage,
    OutputText,
    QuoteProof,
    Response,
    ResponseFailure,
    ResponseStatus,
    ResponseUsage,
    SearchAction,
    SearchSource,
    UrlCitation,
    WebSearchCall,
)

_RESPONSE_ID = re.compile(r"resp_([0-9A-Za-z-]{1,64})_([0-9]{1,18})")
_CONVERSATION_ID = re.compile(r"conv_([0-9A-Za-z-]{1,64})")
_MAX_METADATA_CHARACTERS = 512


def response_id(ref: TurnRef) -> str:
    """Return the id of the response that a turn is."""
    return f"resp_{ref.session_id}_{ref.anchor}"


def parse_response_id(text: str) -> TurnRef:
    """Parse the id of a response. Raises UnknownSession for what cannot be one."""
    found = _RESPONSE_ID.fullmatch(text)
    if found is None:
        raise UnknownSession(f"there is no response {text[:100]!r}; use the id that its creation gave")
    return TurnRef(found[1], int(found[2]))


def conversation_id(session_id: str) -> str:
    """Return the id of the conversation that a session is."""
    return f"conv_{session_id}"


def parse_conversation_id(text: str) -> str:
    """Return the session that a conversation is. Raises UnknownSession for what cannot be the id of one."""
    found = _CONVERSATION_ID.fullmatch(text)
    if found is None:
        raise UnknownSession(f"there is no conversation {text[:100]!r}; use the id that a response names")
    return found[1]


class ResponseRenderer(Immutable):
    """The renderer of one turn: `model` is the name under which it was asked for, `link` leads to the session."""

    ref: TurnRef
    model: str
    link: str

    def response(self, turn: TurnState, output: Sequence[OutputItem]) -> Response:
        """Return the response that a turn is now, with these items."""
        end = turn.end
        return Response(
            id=response_id(self.ref),
            created_at=int(turn.begun_at.timestamp()) if turn.begun_at else 0,
            completed_at=int(end.at.timestamp()) if end else None,
            status=turn_status(turn),
            conversation=ConversationId(id=conversation_id(self.ref.session_id)),
            error=ResponseFailure(message=end.statement) if end and end.outcome == "failed" else None,
            incomplete_details=IncompleteDetails() if turn_status(turn) == "incomplete" else None,
            metadata=self._metadata(turn),
            model=self.model,
            output=tuple(output),
            usage=_usage(turn.tokens) if end else None,
        )

    def whole(self, turn: TurnState) -> Response:
        """Return the response that a turn is now, with all its items."""
        searches = (self.search_item(search) for search in turn.searches.values())
        return self.response(turn, (*searches, *self.closing_items(turn)))

    def search_item(self, search: TurnSearch) -> WebSearchCall:
        """Return the item of a search."""
        sources = tuple(SearchSource(url=url) for url in search.urls)
        return WebSearchCall(
            id=f"ws_{self.ref.session_id}_{search.seq}",
            status=search.status,
            action=SearchAction(query=search.query, queries=(search.query,), sources=sources),
        )

    def closing_items(self, turn: TurnState) -> Iterator[OutputMessage | QuoteProof]:
        """Return the message with which a turn ended, and the proofs of what it cites; none before its end."""
        if turn.end is None or turn.end.outcome in {"failed", "cancelled"}:
            return
        cited = closing_text(turn.end, turn)
        proofs = {proof.number: proof for proof in cited.proofs}
        annotations = tuple(_annotation(mark.start, mark.end, proofs[mark.number]) for mark in cited.marks)
        place = f"{self.ref.session_id}_{self.ref.anchor}"
        yield OutputMessage(id=f"msg_{place}", content=(OutputText(text=cited.text, annotations=annotations),))
        for proof in cited.proofs:
            yield QuoteProof(
                id=f"qp_{place}_{proof.number}",
                number=proof.number,
                quote=proof.quote.text,
                sha256=proof.quote.source,
                start=proof.quote.start,
                end=proof.quote.end,
                title=proof.source.title,
                uri=proof.source.uri,
            )

    def _metadata(self, turn: TurnState) -> dict[str, str]:
        known = {
            **turn.labels,
            "quaestor_state": turn_state(turn),
            "quaestor_session": self.ref.session_id,
            "quaestor_url": self.link,
        }
        if turn.paused and not turn.end:
            known["quaestor_statement"] = turn.paused.reason
        if turn.end and turn.end.question:
            known["quaestor_question"] = turn.end.question.kind
        if turn.end and turn.end.outcome:
            known |= {"quaestor_outcome": turn.end.outcome, "quaestor_statement": turn.end.statement}
        return {name: value[:_MAX_METADATA_CHARACTERS] for name, value in known.items()}


def closing_text(end: TurnEnd, turn: TurnState) -> CitedText:
    """Return the text with which a turn ended: its report, else what it asks or states."""
    return cite_document(turn.document) if turn.document and end.outcome else CitedText(end.statement)


def turn_status(turn: TurnState) -> ResponseStatus:
    """Return the status of the response that a turn is; one that asks a person is completed."""
    if turn.end is None:
        return "in_progress" if turn.has_moved else "queued"
    match turn.end.outcome:
        case "failed" | "cancelled":
            return turn.end.outcome
        case "partial" if turn.has_reached_budget:
            return "incomplete"
        case "done" | "no_result" | "partial" | None:
            return "completed"
        case never:
            assert_never(never)


def turn_state(turn: TurnState) -> str:
    """Return the state of a turn for `metadata.quaestor_state`."""
    if turn.end:
        return "clarification_needed" if turn.end.question else "finished"
    if turn.is_paused:
        return "paused"
    return "running" if turn.has_moved else "queued"


def _annotation(start: int, end: int, proof: CitedQuote) -> Annotation:
    uri, title = proof.source.uri, truncate_line(proof.source.title)
    if urlsplit(uri).scheme in {"http", "https"}:
        return UrlCitation(start_index=start, end_index=end, url=uri, title=title)
    name = PurePath(uri).name or title
    return FileCitation(file_id=proof.source.sha256, filename=name, index=end, start_index=start, end_index=end)


def _usage(tokens: TurnTokens) -> ResponseUsage:
    output = min(tokens.output, tokens.total)
    return ResponseUsage(
        input_tokens=tokens.total - output,
        input_tokens_details=InputTokensDetails(cached_tokens=tokens.cached, cache_write_tokens=tokens.written),
        output_tokens=output,
        total_tokens=tokens.total,
    )
