"""The words of files whose text is wrapped in something else: notebooks, e-mail, records as JSON lines, drawings."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html import unescape

from quaestor.contracts.immutable import replace
from quaestor.tools.reading.content_type import DRAWING, EMAIL, NOTEBOOK, decode_text
from quaestor.tools.reading.protocol import ParsedDocument, SkipReason

_SHORT_VALUE = 200
"""Characters up to which a value is on one line with its name; a longer one is a paragraph."""
_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MARKUP = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_BLOCK_END = re.compile(r"</(?:p|div|h[1-6]|li|tr|blockquote)>|<br\b[^>]*>", re.IGNORECASE)
_LABEL = re.compile(r"<(?P<kind>title|desc|text)\b[^>]*>(?P<said>.*?)</(?P=kind)>", re.IGNORECASE | re.DOTALL)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""NUL and lone surrogates, which JSON can name and no store takes."""
Json = object


def parse_structured(content: bytes, media_type: str) -> ParsedDocument | SkipReason:
    """Return the words of a notebook, a message, a file of records or a drawing; DAMAGED for what is no such file."""
    try:
        if media_type == EMAIL:
            read = _parse_email(content)
        elif media_type == NOTEBOOK:
            read = _parse_notebook(decode_text(content))
        elif media_type == DRAWING:
            read = _parse_drawing(decode_text(content))
        else:
            read = _parse_records(decode_text(content))
    except (ValueError, RecursionError, LookupError):
        return SkipReason.DAMAGED
    if not read.text.strip():
        return SkipReason.NO_WORDS
    return replace(read, title=_UNSTORABLE.sub("\ufffd", read.title), text=_UNSTORABLE.sub("\ufffd", read.text))


def _parse_notebook(text: str) -> ParsedDocument:
    """Return the cells of a notebook in order: prose as it is, code and what it printed as blocks of code."""
    notebook = _fields(json.loads(text))
    language = str(_fields(_fields(notebook.get("metadata")).get("kernelspec")).get("language", ""))
    cells = [_fields(cell) for cell in _items(notebook["cells"])]
    parts = [part for cell in cells for part in _cell_parts(cell, language)]
    title = next((part.partition("\n")[0].lstrip("# ") for part in parts if part.startswith("# ")), "")
    return ParsedDocument(title=title.strip(), text="\n\n".join(parts) + "\n")


def _cell_parts(cell: Mapping[str, Json], language: str) -> Iterator[str]:
    source = _joined(cell.get("source")).strip("\n")
    if not source.strip():
        return
    if cell.get("cell_type") != "code":
        yield source
        return
    yield f"```{language}\n{source}\n```"
    for output in map(_fields, _items(cell.get("outputs"))):
        printed = _joined(output.get("text")) or _joined(_fields(output.get("data")).get("text/plain"))
        if printed.strip():
            yield f"Output:\n\n```\n{printed.strip()}\n```"


def _parse_records(text: str) -> ParsedDocument:
    """Return each record under a heading with its number: short values on lines of their own, long ones as prose."""
    lines = [line for line in text.split("\n") if line.strip()]
    records = (_record_text(number, json.loads(line)) for number, line in enumerate(lines, 1))
    return ParsedDocument(text="\n\n".join(records) + "\n")


def _record_text(number: int, record: Json) -> str:
    values = record.items() if isinstance(record, dict) else [("value", record)]
    written = [(str(name), _value_text(value)) for name, value in values]
    short = [
        f"{name}: {value}" for name, value in written if value and "\n" not in value and len(value) <= _SHORT_VALUE
    ]
    long = [f"{name}:\n\n{value}" for name, value in written if "\n" in value or len(value) > _SHORT_VALUE]
    return "\n\n".join([f"# Record {number}", *(["\n".join(short)] if short else []), *long])


def _value_text(value: Json) -> str:
    return value.strip() if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _parse_drawing(text: str) -> ParsedDocument:
    """Return the title, the description and the labels of a drawing in SVG, each on a line, without its shapes."""
    labels = [(label["kind"].lower(), unescape(_MARKUP.sub("", label["said"]))) for label in _LABEL.finditer(text)]
    said = [(kind, " ".join(words.split())) for kind, words in labels if words.strip()]
    title = next((words for kind, words in said if kind == "title"), "")
    return ParsedDocument(title=title, text="".join(f"{words}\n" for _, words in said))


def _parse_email(content: bytes) -> ParsedDocument:
    """Return the headers that a reader sees and the body, as plain text; attachments are named and not read.

    A letter without the headers of a message is text as it stands: "De : Anne", as somebody typed it.
    """
    message = message_from_bytes(content, policy=default)
    headers = [f"{name}: {' '.join(str(message[name]).split())}" for name in _HEADERS if message[name]]
    if not headers:
        return ParsedDocument(text=decode_text(content))
    attached = [f"Attachment: {name}" for part in message.iter_attachments() if (name := part.get_filename())]
    text = "\n\n".join(["\n".join((*headers, *attached)), _body(message)])
    return ParsedDocument(title=" ".join(str(message["Subject"] or "").split()), text=text, published=_sent(message))


def _body(message: EmailMessage) -> str:
    body = message.get_body(("plain", "html"))
    if body is None:
        return ""
    raw = body.get_payload(decode=True)
    if isinstance(raw, bytes) and body.get_content_charset() is None:  # a message that names none need not be ASCII
        text = decode_text(raw)
    else:
        text = str(body.get_content()).replace("\r\n", "\n")
    if body.get_content_subtype() == "html":
        text = unescape(_MARKUP.sub(" ", _BLOCK_END.sub("\n\n", text)))
        text = re.sub(r"[^\S\n]+", " ", text)
        text = re.sub(r"\s*\n\s*\n\s*", "\n\n", text)
    return f"{text.strip()}\n"


def _sent(message: EmailMessage) -> date | None:
    sent = getattr(message["Date"], "datetime", None)
    return None if sent is None else (sent.astimezone(UTC) if sent.tzinfo else sent).date()


def _fields(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _joined(value: Json) -> str:
    """Return a text that a notebook holds as a string or as a list of lines."""
    return value if isinstance(value, str) else "".join(map(str, _items(value)))
