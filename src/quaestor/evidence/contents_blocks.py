"""Contents: the topics of a chapter parted by dashes, and items that link to the sections of their own document.

They hold the words of much that a document says, and say nothing of it.
"""

import re
from collections.abc import Sequence

from quaestor.evidence.block_lines import Block, BlockKind, Line, line_text, make_block
from quaestor.evidence.directive_tables import ROW
from quaestor.evidence.stopwords import STOP_WORDS

_DASH = re.compile(r"\s*[\u2014\u2015]+\s*|\s+[\u2013-]\s+|\s*--\s*")
"""What parts topics; a hyphen or a dash of ranges does with blanks around it alone."""
_DASHES = ("\u2014", "\u2015", " \u2013", " -", "--")
"""One of these is in the first line of such topics: few paragraphs are read to their end for them."""
_MIN_TOPICS = 6
_MAX_WORDS = 14
"""Words of a topic; prose between two dashes has more sooner or later."""
_MIN_PHRASES = 2
"""Topics with a function word, as "Habits of seals"; the stops of a line or the parts of a machine have none."""
_MAX_NUMBERED_SHARE = 0.25
"""The share of topics with a number; prices, times and references, which tell something, have one each."""
_SECTION_LINK = re.compile(r"(?:[-*+]|\d{1,3}[.)])[ \t]+\[[^\]]+\]\(#[^)\s]*\)")


def contents_block(lines: Sequence[Line], at: int) -> Block | None:
    """Return a paragraph of topics or an item that is a link to a section, as what is not worth quoting."""
    line = lines[at].text
    if "](#" in line and _SECTION_LINK.fullmatch(line):
        return make_block(BlockKind.MARKUP, lines, at, at)
    if (at and lines[at - 1].text) or not any(dash in line for dash in _DASHES) or ROW.match(line):
        return None
    last = at
    while line_text(lines, last + 1):
        last += 1
    words = " ".join(line.text for line in lines[at : last + 1])
    return make_block(BlockKind.MARKUP, lines, at, last) if _is_topics(words) else None


def _is_topics(words: str) -> bool:
    """Return whether words are many short topics; each opens with a capital letter, as a clause in dashes does not."""
    topics = _DASH.split(words)
    if len(topics) < _MIN_TOPICS or not all(topics) or any(topic[0].islower() for topic in topics):
        return False
    phrases = sum(not STOP_WORDS.isdisjoint(topic.casefold().split()) for topic in topics)
    numbered = sum(any(map(str.isdigit, topic)) for topic in topics)
    is_short = all(len(topic.split()) <= _MAX_WORDS for topic in topics)
    return is_short and phrases >= _MIN_PHRASES and numbered <= _MAX_NUMBERED_SHARE * len(topics)
