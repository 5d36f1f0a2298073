"""What a server says, as text that can be stored, cited and shown."""

import json
from collections.abc import Iterator

from mcp_types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents

from quaestor.contracts.errors import ToolFailed

MAX_RESULT_CHARACTERS = 1_000_000
"""Characters of one answer."""
MAX_LINE_CHARACTERS = 300


def normalize_text(text: str) -> str:
    """Give a text that every store takes, its lines ended by line feeds."""
    whole = text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    return whole.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def one_line(text: str) -> str:
    """Give the beginning of a text in one line."""
    return normalize_text(" ".join(text.split()))[:MAX_LINE_CHARACTERS]


def result_text(call: str, result: CallToolResult) -> str:
    """Give the text of an answer, else its data as JSON.

    Raises ToolFailed that names the call for an error, for an answer without text, and for one that is too long.
    """
    texts = list(_text_blocks(result))
    text = normalize_text("\n\n".join(texts))
    if result.is_error:
        raise ToolFailed(f"{call}: {one_line(text) or 'it failed and does not say why'}")
    if not result.content and result.structured_content is not None:
        text = normalize_text(json.dumps(result.structured_content, ensure_ascii=False, indent=2))
    if not texts and result.content:
        kinds = ", ".join(sorted({block.type for block in result.content}))
        raise ToolFailed(f"{call}: it gave no text but {kinds}; only text can be cited")
    if len(text) > MAX_RESULT_CHARACTERS:
        raise ToolFailed(
            f"{call}: it gave {len(text):,} characters, but {MAX_RESULT_CHARACTERS:,} are the most; ask for less"
        )
    return text


def _text_blocks(result: CallToolResult) -> Iterator[str]:
    for block in result.content:
        match block:
            case TextContent(text=text) | EmbeddedResource(resource=TextResourceContents(text=text)):
                yield text
            case ResourceLink(uri=uri, name=name):
                yield f"{name}: {uri}"
            case _:
                pass
