"""Where sentences begin and end, in any script, with exact offsets."""

import re
from collections.abc import Iterator, Sequence

from quaestor.evidence.abbreviations import is_abbreviation
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.ordinals import ends_no_sentence, is_numeral

_SENTENCE_END = re.compile(
    r"(?P<mark>[.!?…]+|[。！？｡．।॥؟۔።။។]+)"  # noqa: RUF001 (the full stops of other scripts are the subject)
    r"(?P<closing>[\"'”’»)\]}*_`」』）】〉》]*)"  # noqa: RUF001 (so are brackets)
    r"(?:\[(?:\d{1,3}|[a-z]|citation needed|[\u4e00-\u9fff]{2,8})\])*(?: ?\[[#\w-]+\]_)*"
)
_NEXT_WORD = re.compile(
    r"(?:\s|\\[nrt])+(?P<opening>(?::[\w:+-]+:(?=`))?[\"'“‘«(\[¿¡*_`<|:]*)"  # noqa: RUF001 (so are quotes)
    r"(?P<word>\w*)(?P<more>[._(]?\w?)"
)
"""What follows a mark; in text that was printed as a value, line ends are two characters, as in JSON."""
_PRECEDING_TOKEN = re.compile(r"[\w.&]+\Z")
_BLANK_IN_THAI = re.compile(
    r"(?<=[\u0e01-\u0eff])[ \t]+(?=[\u0e01-\u0ece])|(?<=[\u0e01-\u0eff])\s*\n\s*(?=[\u0e01-\u0ece])"
)
_MIN_THAI_LENGTH = 30
"""Thai parts phrases as well as sentences by blanks; a shorter piece stays with what follows it."""
_MAX_TOKEN_LENGTH = 24
_MAX_TITLE_LENGTH = 80
_LINE_CONTINUES = ".,;:!?…-\u2013\u2014/(&"


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text in order, without outer white space.

    A heading, a title line, a field with its value, a block of code and a table are one each; a list item ends the
    sentence before it. Markup without content (rules, link targets, comments) belongs to none.
    """
    spans: list[tuple[int, int]] = []
    for block in parse_blocks(text):
        if block.kind in {BlockKind.PROSE, BlockKind.ITEM}:
            spans.extend(_sentences(text, block.start, block.end))
        elif block.kind is not BlockKind.MARKUP:
            spans.append((block.start, block.end))
    return spans


def title_line_end(text: str, start: int, end: int) -> int | None:
    """Return where the title at the top of a paragraph ends, or None where its first line is part of its prose.

    A line is a title that ends without a mark, although the next word, which has a capital letter, had room on it.
    """
    first, *rest = text[start:end].split("\n")
    title = first.rstrip()
    if not rest or not may_be_title(title):
        return None
    next_word = (rest[0].split() or [""])[0]
    if not next_word[:1].isupper() or len(title) + 1 + len(next_word) > max(len(line.strip()) for line in rest):
        return None
    return start + len(title)


def may_be_title(line: str) -> bool:
    """Return whether a line is short, opens with a capital letter, and ends without a mark."""
    return line[:1].isupper() and line[-1] not in _LINE_CONTINUES and len(line) <= _MAX_TITLE_LENGTH


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    title = title_line_end(text, start, end)
    if title:
        yield start, title
        start = title
    for cut in (*_sentence_ends(text, start, end), end):
        segment = text[start:cut]
        if words := segment.strip():
            begin = start + segment.index(words[0])
            yield begin, begin + len(words)
        start = cut


def _sentence_ends(text: str, start: int, end: int) -> list[int]:
    marks = [mark for mark in _SENTENCE_END.finditer(text, start, end) if mark.end() < end]
    uncased = _is_uncased(text, start, marks)
    ends = [mark.end() for mark in marks if _is_end(text, mark, start, uncased=uncased)]
    blanks = [blank.end() for blank in _BLANK_IN_THAI.finditer(text, start, end)]
    if not blanks:
        return ends
    cuts = [start]
    for cut in sorted({*ends, *blanks}):
        if cut in ends or cut - cuts[-1] >= _MIN_THAI_LENGTH:
            cuts.append(cut)
    return cuts[1:]


def _is_uncased(text: str, start: int, marks: Sequence[re.Match[str]]) -> bool:
    """Return whether a paragraph opens every sentence with a small letter, as transcripts and tokenized text do."""
    # Where one sentence opens with a capital letter, a small letter after a mark means that the mark ended none.
    following = [after["word"][:1] for mark in marks if (after := _NEXT_WORD.match(text, mark.end()))]
    return text[start:].lstrip()[:1].islower() and not any(letter.isupper() for letter in following)


def _is_end(text: str, mark: re.Match[str], start: int, *, uncased: bool) -> bool:
    following = text[mark.end()]
    if mark["mark"][0] not in ".!?…":
        return not (mark["closing"] and "\u3041" <= following <= "\u309f")  # a quoted sentence, and a particle after it
    after = _NEXT_WORD.match(text, mark.end())
    if not after or not (uncased or _may_begin(after)):
        return False
    return mark["mark"] != "." or not _is_abbreviation(text, mark, start, after)


def _may_begin(after: re.Match[str]) -> bool:
    """Return whether what follows looks like the start of a sentence; of lower-case words only names in code do."""
    first = after["word"][:1]
    if not first:
        return bool(after["opening"])
    return not first.islower() or after["opening"][-1:] in {"`", "(", "[", "*"} or _is_identifier(after)


def _is_identifier(after: re.Match[str]) -> bool:
    word, more = after["word"], after["more"]
    return "_" in word.strip("_") or not word.islower() or more.startswith("(") or (more[:1] == "." and len(more) > 1)


def _is_abbreviation(text: str, mark: re.Match[str], start: int, after: re.Match[str]) -> bool:
    token = _PRECEDING_TOKEN.search(text, max(start, mark.start() - _MAX_TOKEN_LENGTH), mark.start())
    if not token or mark["closing"]:
        return False
    if is_numeral(token[0]) and ends_no_sentence(text, start, token[0], mark.start(), after["word"]):
        return True
    behind = after.start("word")
    return is_abbreviation(token[0], text[behind : behind + _MAX_TOKEN_LENGTH])
