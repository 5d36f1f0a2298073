"""Sentences of passages that can stand in a report by themselves."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from quaestor.contracts.source import Hit
from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.letter_lines import is_around_letter
from quaestor.evidence.tables import TABLE_FILES
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.offline.fields.header_fields import Field, find_headers
from quaestor.research.offline.sentences.extract import Extract
from quaestor.research.offline.sentences.item_leads import ItemLead, find_item_leads
from quaestor.research.offline.sentences.passage_lines import (
    ADDRESS,
    LINE,
    TableLines,
    find_table_lines,
    is_telling_line,
    lines_of,
)
from quaestor.research.offline.sentences.readability import (
    SELF_REFERENCE,
    is_sentence,
)
from quaestor.research.offline.sentences.row_columns import columns_of_row
from quaestor.research.offline.sentences.sections import document_name, heading_text, section_of
from quaestor.research.offline.sentences.sentence_places import (
    cut_long,
    first_place,
    join_short,
    last_place,
    quoted_standing,
)
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.word_forms import AS_WRITTEN, WordForms

_BRACKETED = re.compile(r"\([^()]*\)")
_TRAILING_BRACKETS = re.compile(r"\s*\([^()]*\)\s*\Z")
"""What tells namesakes apart in a title: "Mercury (planet)"."""
_DEFINING_VERB = re.compile(
    r"\b(?:is|are|was|were|refers?|means?|denotes?|es|son|fue|era|est|sont|ist|sind|war|waren)\b", re.IGNORECASE
)
_SPOKEN = re.compile(r"[-*+\u2022][^\n:]*:(?:\s+[^\s]+){4,}(?<=[.!?])")
"""An item of a list that says something under a label: "- Keys: Ben Moss keeps the spare set."."""
_INNER_KEY = re.compile(r"[.;,|] ([^\W\d_][\w -]{0,30}): ")
_INTRODUCED = frozenset({BlockKind.CODE, BlockKind.ITEM, BlockKind.TABLE})
"""What is shown with the sentence above it that introduces it."""
_READ_BY_LINES = frozenset({BlockKind.PROSE, BlockKind.ITEM, BlockKind.TABLE})
"""What says something beside sentences and fields with a value: what was run of code is none of it."""
_SAYS_NOTHING = frozenset({BlockKind.HEADING, BlockKind.NAME, BlockKind.MARKUP})
"""What is no line of a passage that has no sentences: headings and names say what others are about, markup nothing."""
_MAX_SUBJECT_LENGTH = 120
_MIN_TITLE_SHARE = 0.6
_MIN_SUBJECT_SHARE = 0.5
"""The least share of a title's words that a sentence must name to say what it is, and of the words it names."""


def extract_sentences(hits: Sequence[Hit], forms: WordForms = AS_WRITTEN) -> tuple[Extract, ...]:
    """Return the readable sentences of passages in order, each wording once."""
    found = (extract for rank, hit in enumerate(hits) for extract in _extracts_of(rank, hit, forms))
    return _each_once(one for one in found if not one.is_head)


def extract_with_lines(hits: Sequence[Hit], forms: WordForms) -> tuple[tuple[Extract, ...], tuple[Extract, ...]]:
    """Return the readable sentences of passages, and the lines beside them: rows, short items, labels.

    A passage without any sentence is read by its lines anyway, with those that name the columns of its tables.
    """
    sentences: list[Extract] = []
    lines: list[Extract] = []
    for rank, hit in enumerate(hits):
        own = _extracts_of(rank, hit, forms)
        prose = [one for one in own if one.is_prose]
        sentences += own
        lines += _lines_beside(rank, hit, prose, forms) if prose else ()
    return _each_once(sentences), _each_once(lines)


def _each_once(extracts: Iterable[Extract]) -> tuple[Extract, ...]:
    """Return the first extract of each wording.

    Items of several leads say several things in the same words, and so do documents of a series: "Moved to NIP-01.".
    """
    found: dict[tuple[str, frozenset[str], frozenset[str]], Extract] = {}
    for extract in extracts:
        numbers = frozenset(filter(str.isdigit, extract.document))
        found.setdefault((extract.claim.casefold(), extract.lead, numbers), extract)
    return tuple(found.values())


def _lines_beside(rank: int, hit: Hit, sentences: Sequence[Extract], forms: WordForms) -> list[Extract]:
    text = hit.passage.text
    blocks = [
        block
        for block in parse_blocks(text)
        if block.kind in _READ_BY_LINES
        or (block.kind is BlockKind.FIELD and _has_value(text[block.top : block.bottom].strip()))
    ]
    tables = find_table_lines(hit, blocks)
    unread = [
        span
        for block in blocks
        for line in lines_of(text, block)
        if not any(table.is_head(line) for table in tables)
        for span in _unread_parts(text, line, sentences, is_row=block.kind is BlockKind.TABLE)
        if is_telling_line(text[slice(*span)])
    ]
    # Between them stand the sentences, so that a question has its answer behind it.
    apart = [span for span in sentence_spans(text) if not any(a < span[1] and span[0] < b for a, b in unread)]
    spans = sorted((*unread, *apart))
    return _build(rank, hit, spans, [spans.index(span) for span in unread], forms, blocks=blocks, tables=tables)


def _has_value(words: str) -> bool:
    """Return whether a field has a value, as "Default: 3"; a parameter that is described is none: ":param lid: tin"."""
    return not (words.startswith(":") or words.endswith(":"))


def _header_fields(text: str) -> tuple[Field, ...]:
    """Return the fields that stand together, as at the top of a document; an item that is a sentence is none."""
    return tuple(field for header in find_headers(text) for field in header.fields if not _SPOKEN.fullmatch(field.text))


def _unread_parts(
    text: str, line: tuple[int, int], sentences: Sequence[Extract], *, is_row: bool
) -> Iterator[tuple[int, int]]:
    """Yield a line or a row that no sentence reaches into; else, and of lines that flow, what is between them."""
    start, end = line
    sentences_of_line = join_short(text[start:end], sentence_spans(text[start:end]))
    within = ((start + first, start + last) for first, last in sentences_of_line)
    is_whole = (is_row or "\n" not in text[start:end]) and _is_unread(line, sentences)
    return iter([line]) if is_whole else (part for part in within if _is_unread(part, sentences))


def _is_unread(span: tuple[int, int], sentences: Sequence[Extract]) -> bool:
    return not any(one.start < span[1] and span[0] < one.end for one in sentences)


def _extracts_of(rank: int, hit: Hit, forms: WordForms) -> list[Extract]:
    """Return the readable sentences of a passage; of one that has none, as a table, its lines without headings."""
    text = hit.passage.text
    blocks = parse_blocks(text)
    prose = [(block.start, block.end) for block in blocks if block.kind in {BlockKind.PROSE, BlockKind.ITEM}]
    fields = _header_fields(text)
    whole = join_short(text, sentence_spans(text))
    spans = [part for span in whole for part in cut_long(text, *span)]
    introducing = {
        last.bottom for last, block in pairwise(blocks) if block.kind in _INTRODUCED and last.kind is BlockKind.PROSE
    }
    told = [place for place, span in enumerate(spans) if any(first <= span[0] < last for first, last in prose)]
    readable = [
        place
        for place, (start, end) in ((place, spans[place]) for place in told)
        if is_sentence(text[start:end], strip_markup(text[start:end]), introduces=end in introducing)
        and not any(field.text in text[start:end] or text[start:end] in field.text for field in fields)
        and not hit.uri.endswith(TABLE_FILES)
    ]
    if readable:
        return _build(rank, hit, spans, readable, forms, blocks=blocks, told=frozenset(told))
    headings = [(block.top, block.bottom) for block in blocks if block.kind in _SAYS_NOTHING]
    lines = [
        match.span()
        for match in LINE.finditer(text)
        if is_telling_line(match[0]) and not any(top <= match.start() < bottom for top, bottom in headings)
    ]
    return _build(rank, hit, lines, range(len(lines)), forms, blocks=blocks, tables=find_table_lines(hit, blocks))


def _build(
    rank: int,
    hit: Hit,
    spans: Sequence[tuple[int, int]],
    wanted: Sequence[int],
    forms: WordForms,
    *,
    blocks: Sequence[Block],
    told: frozenset[int] | None = None,
    tables: Sequence[TableLines] = (),
) -> list[Extract]:
    """Return the sentences at the wanted places: lines, or those of prose, which lean on what is told and no code.

    A row of a table stands beside nothing: what other rows hold is not said of it. It stands under the names of
    those columns of which it does not say no, and an item under its lead.
    """
    text = hit.passage.text
    stems = [tuple(forms.terms(ADDRESS.sub(" ", text[start:end]))) for start, end in spans]
    above = frozenset(forms.terms(heading_text(hit)))
    leads = [(one, frozenset(forms.terms(one.words(text)))) for one in find_item_leads(text, blocks)]
    document = frozenset(forms.terms(document_name(hit)))
    heading = frozenset(forms.terms(hit.passage.heading))
    section = section_of(hit.title, hit.passage.heading)
    is_row = [any(one.is_row(span) for one in tables) for span in spans]
    is_head = [any(one.is_head(span) for one in tables) for span in spans]
    columns = [forms.terms(columns_of_row(text, span, tables)) for span in spans]
    fields = () if told is not None else _header_fields(text)
    first = next((place for place in wanted if not is_head[place]), 0)
    titled = frozenset(content_terms(_TRAILING_BRACKETS.sub("", hit.title)))
    return [
        Extract(
            passage=hit.passage,
            start=(start := first_place(text, spans, place, told)),
            end=(end := last_place(text, spans, place)),
            claim=(plain := strip_markup(text[slice(*spans[place])]) or text[slice(*spans[place])]),
            title=hit.title if SELF_REFERENCE.search(plain) and " " in hit.title.strip() else "",
            rank=rank,
            place=place,
            key=(key := frozenset(forms.terms(_key_of(text[slice(*spans[place])], fields)))),
            is_prose=told is not None,
            standing=1.0 if key else quoted_standing(plain, text[spans[place][0] : end]),
            defined_title=_defined_title_terms(plain, titled),
            terms=stems[place] if start == spans[place][0] else (*stems[place - 1], *stems[place]),
            neighbor_terms=frozenset(
                term
                for near in (*stems[max(0, place - 1) : place], *stems[place + 1 : place + 2])
                for term in near
                if not is_row[place]
            ),
            surroundings=(spans[max(0, place - 1)][0], spans[min(place + 1, len(spans) - 1)][1]),
            above=above.union(lead := _lead_at(leads, spans[place][0]), columns[place]),
            lead=lead,
            document=document,
            heading=heading,
            section=section,
            is_opening=place == first,
            is_row=is_row[place],
            is_head=is_head[place],
            is_around_letter=is_around_letter(text, *spans[place]),
        )
        for place in wanted
    ]


def _key_of(line: str, fields: Sequence[Field]) -> str:
    """Return the name of the field that a line is, with those within it: "Chair: Ann Lee. Keeper: Bo Ek"."""
    field = next((field for field in fields if field.text.startswith(line.strip())), None)
    return " ".join((field.key, *_INNER_KEY.findall(field.value))) if field else ""


def _lead_at(leads: Sequence[tuple[ItemLead, frozenset[str]]], place: int) -> frozenset[str]:
    return next((said for lead, said in leads if lead.start <= place < lead.end), frozenset())


def _defined_title_terms(plain: str, titled: frozenset[str]) -> frozenset[str]:
    """Return the words of a title if a sentence spells them out: they come before its first verb, and few else.

    What stands in brackets between name and verb does not count: "Mercury (Hg) is ..."
    """
    bare = _BRACKETED.sub(" ", plain)
    verb = _DEFINING_VERB.search(bare, 0, _MAX_SUBJECT_LENGTH)
    told = frozenset(content_terms(bare[: verb.start()])) if verb else frozenset()
    both = len(told & titled)
    return titled if both >= _MIN_TITLE_SHARE * len(titled) and both > _MIN_SUBJECT_SHARE * len(told) else frozenset()
