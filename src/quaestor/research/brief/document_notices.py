"""What a document says of itself above its text: that it does not hold, is not kept, or that there was no meeting."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise, takewhile

from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.heading_blocks import CAPITALS
from quaestor.evidence.tokenization import content_terms, sentence_spans, shorten
from quaestor.research.brief.section_places import heading_at, section_start
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.removal_words import REMOVED
from quaestor.research.offline.words.status_words import ENDED, KINDS, NOT_IN_FORCE, NOT_KEPT, THINGS

MAX_TOP = 4_000
"""The characters at the top of a text in which a document says what it is."""
MAX_STATUS = 200
"""Characters of what is told of a status."""
_LABELS = "note|notice|warning|important|attention|caution|hinweis|achtung|remarque|aviso|nota"
_IS = (
    r"(?:is|was|are|were|has been|have been|ist|wurde|gilt als|est|a été|está|ha sido|es)"
    r"(?: (?:now|hereby|officially|fully|long|considered|marked as|also|(?:since|seit|depuis|desde) \S+))*"
    r"(?: (?:previously |first |originally |initially )?(?:accepted|approved|adopted|implemented|merged),? (?:but|and)"
    r"(?: (?:was|is|has been|have been))?(?: (?:later|then|since|subsequently|now))*)?"
)
_NOTICE = re.compile(
    rf"(?:(?:{_LABELS})\W+)?(?:"
    rf"(?:{ENDED}|(?-i:OLD|ALT|ANCIEN(?:NE)?))"
    r"(?=\W*\Z|[.:;,!(]| [\u2013\u2014-] | (?:by|since|on|as|in fav|and|durch|seit|par|depuis|por|desde)\b)"
    rf"|(?:this|these|the|dies\w*|cet?(?:te)?|est[ea]) (?:\w+ ){{0,2}}?(?:{KINDS})(?: of \S+)?,? "
    rf"{_IS} (?:{ENDED})\b)",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(rf"this (?:{KINDS}) {_IS} (?:{ENDED})\b", re.IGNORECASE)
"""A heading that is a notice: "This RFC was approved, but later withdrawn"."""
_NOTE_OF_END = re.compile(rf"(?:{_LABELS})\W+[^.]*\b(?:{ENDED}|{REMOVED})\b", re.IGNORECASE)
"""A note at the top that something is gone; where that is what the document is called by, it is its status."""
_LABELLED = re.compile(rf"(?:{_LABELS}|update|deprecated|obsolete)\b\W", re.IGNORECASE)
_ENDS = re.compile(rf"\b(?:{ENDED}|{REMOVED})\b", re.IGNORECASE)
_IS_ENDED = re.compile(rf"\b{_IS} (?:{ENDED}|{REMOVED})\b", re.IGNORECASE)
OF_CODE = re.compile(rf"\s*[*_]*(?:{ENDED})[*_]*[:\uff1a][*_]*[ \t]+`", re.IGNORECASE)
"""How a line begins that tells the end of a name in code, and not of the document."""
_IS_STOPPED = re.compile(
    rf"\b{_IS} (?:{ENDED}|{REMOVED}|suspended|cancell?ed|paused|put on hold|stopped|ausgesetzt|abgesagt|pausiert"
    r"|suspendue?s?|annulée?s?|suspendid[oa]s?|cancelad[oa]s?)\b",
    re.IGNORECASE,
)
_THING_ENDED = re.compile(
    rf"\b(?:this|dies\w*|cet?(?:te)?|est[ea]) (?:\w+ ){{0,2}}?(?:{THINGS}) {_IS} (?:{ENDED}|{REMOVED})\b", re.IGNORECASE
)
_OF_BELOW = re.compile(
    r"\b(?:below|here|following|this|these|original|hier|unten|folgende\w*|dies\w*|ci-dessous|ici|cet(?:te)?|abajo|aquí"
    r"|est[ea])\b",
    re.IGNORECASE,
)
"""By which a notice speaks of what stands below it."""
_EVENT = (
    r"meeting|session|call|event|class|course|rehearsal|match|concert|sitzung|versammlung|besprechung|treffen|probe"
    r"|veranstaltung|réunion|séance|assemblée|répétition|reunión|sesión|asamblea|riunione|seduta|vergadering|reunião"
)
_NOT_HELD = re.compile(
    rf"(?:(?:the|this|our|today['\u2019]s|die|der|das|diese[rs]?|la|le|cette|est[ea]|il|de|het|a) )?(?:{_EVENT})"
    r"(?: (?:is|was|has been|wurde|ist|est|a été|fue|ha sido|è stat[oa]|werd|foi))? (?:cancell?ed|postponed|called off"
    r"|abgesagt|entfällt|fällt aus|annulée?|reportée?|cancelad[oa]|suspendid[oa]|aplazad[oa]|annullat[oa]|rinviat[oa]"
    r"|afgelast|geannuleerd|adiad[oa])\b",
    re.IGNORECASE,
)
"""The agenda or the minutes of a meeting say that there was none."""
_WARNING = re.compile(
    r"^[ \t>]*+(?:!!!|\?{3}|:{3,}|\.\.)?[ \t]*+\[?!?[*_]*+"
    r"(?:warning|caution|danger|attention|important|deprecated|achtung|warnung|avertissement|advertencia)\b.*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that opens a warning, in the forms of several markups."""
_OF_DOCUMENT = re.compile(rf"\b(?:this|dies\w*|cet?(?:te)?|est[ea]) (?:\w+ )?(?:{KINDS})\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_DIRECTIVE = re.compile(r"(?:\.\. )?version(?:added|changed)::[ \t]*\S*")
"""Of reStructuredText, above a note on a version."""
_REMOVED_MARK = re.compile(r"\.\. (?:versionremoved|deprecated-removed)::[ \t]*\S")
_TOLD = frozenset({BlockKind.PROSE, BlockKind.FIELD})
_OF_HEADER = frozenset({BlockKind.FIELD, BlockKind.MARKUP})
_HEADER_ITEM = re.compile(r"[*_]*[A-Z][\w ]{0,30}[*_]*: ")
"""How the items of a header begin that is a list: "Feature Name: lids"."""
_NOTICE_BLOCKS = 3
"""A notice is among the first blocks below the title, not counting those of a header and of a list of contents."""
_MARKS = re.compile(r"[*_>`~]+|\[!\w+\]")
"""Of Markdown, around the words of a notice."""


def not_held(text: str, blocks: Sequence[Block]) -> str | None:
    """Return the sentence by which a short text says that what it is of was called off; a long one is of much else."""
    if len(text) > MAX_TOP or _NOT_HELD.search(text) is None:
        return None
    said = (one for block in blocks for one in sentences_of(plain_words(text[block.start : block.end])))
    return next((shorten(one, MAX_STATUS) for one in said if _NOT_HELD.match(one)), None)


def notices(top: str, blocks: Sequence[Block], named: AbstractSet[str]) -> Iterator[str]:
    """Yield the notices among the first blocks below a title; `named` are the index terms of what a document is called.

    That something of it is gone is a notice on it where it is called so.
    """
    told = 0
    for block in blocks:
        if told >= _NOTICE_BLOCKS:
            return
        told += block.kind not in _OF_HEADER and not _HEADER_ITEM.match(top, block.start)
        if block.kind is BlockKind.HEADING and block.style != CAPITALS:  # a notice may be in capitals
            called = plain_words(top[block.start : block.end])
            yield from [called] if _OF_ITSELF.match(called) else []
            return
        if block.kind is BlockKind.ITEM:
            continue
        written = _DIRECTIVE.sub("", _COMMENT.sub("", top[block.start : block.end]))
        if OF_CODE.match(written):
            continue
        said = (one.strip("()[]") for one in sentences_of(plain_words(strip_markup(written))))
        yield from (shorten(one, MAX_STATUS) for one in said if _is_notice(one, named))
        if _WARNING.search(written):
            warned = sentences_of(strip_markup(_WARNING.sub("", written, count=1)))
            of_it = (one for one in warned if _is_warning_of(one, named))
            yield from (shorten(one, MAX_STATUS) for one in of_it)


def heading_notices(text: str, media_type: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield where headings below a character and within its section say that something is over or put off.

    As "Office hours have been suspended" under "Office hours": it shares a word with the heading of the section.
    """
    near = text[start : start + MAX_TOP]
    if _IS_STOPPED.search(near) is None:
        return
    own = heading_at(text, media_type, start)
    called = frozenset(content_terms(own.rpartition(" > ")[2]))
    for heading, below in pairwise(parse_blocks(near)):
        said = near[heading.start : heading.end] if heading.kind is BlockKind.HEADING else ""
        is_stop = _IS_STOPPED.search(said) is not None and not called.isdisjoint(content_terms(said))
        if is_stop and heading_at(text, media_type, start + below.start).startswith(f"{own} > "):
            yield start + heading.start, start + heading.end


def section_notice(text: str, media_type: str, start: int) -> tuple[int, int] | None:
    """Return where the section of a character begins with a notice that what stands below it does not hold, if it does.

    The character stands behind the notice, which may be a directive alone. That something else is gone is none, nor is
    what stands above all sections, which is the status of the document.
    """
    top = section_start(text, media_type, start)
    blocks = parse_blocks(text[top : min(start, top + MAX_TOP)]) if top else []
    marks = takewhile(lambda block: block.kind in {BlockKind.HEADING, BlockKind.MARKUP}, blocks)
    for mark in marks:
        if _REMOVED_MARK.match(text, top + mark.start):
            return top + mark.start, top + mark.end
    first = next((block for block in blocks if block.kind is not BlockKind.HEADING), None)
    if first is None or first.kind not in _TOLD:
        return None
    said = plain_words(text[top + first.start : top + first.end])
    if not _LABELLED.match(said) or not any(_OF_BELOW.search(one) and _ENDS.search(one) for one in sentences_of(said)):
        return None
    return top + first.start, top + first.end


def _is_notice(sentence: str, named: AbstractSet[str]) -> bool:
    if _NOTICE.match(sentence) or NOT_KEPT.search(sentence) or _THING_ENDED.search(sentence):
        return True
    return _NOTE_OF_END.match(sentence) is not None and not named.isdisjoint(content_terms(sentence))


def _is_warning_of(sentence: str, named: AbstractSet[str]) -> bool:
    """Return whether a warning says that the document, or what it is called by and nothing else, does not hold."""
    if _OF_DOCUMENT.search(sentence) and NOT_IN_FORCE.search(sentence):
        return True
    ended = _IS_ENDED.search(sentence)
    told = frozenset(content_terms(sentence[: ended.start()])) if ended else frozenset[str]()
    return bool(told) and told <= named


def sentences_of(words: str) -> Iterator[str]:
    """Return the sentences of words without the blanks around each."""
    return (words[start:end].strip() for start, end in sentence_spans(words))


def plain_words(words: str) -> str:
    """Return words on one line, without the marks of Markdown around them."""
    return " ".join(_MARKS.sub("", words).split())
