"""What introduces a list, a table or lines in a text, and what its words introduce."""

import re
from collections.abc import Sequence

from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.research.brief.item_context import COLONS, LINE_CHARACTERS, MAX_PARAGRAPH_CHARACTERS
from quaestor.research.offline.sentences.item_leads import is_label

_MAX_TITLE = 80
"""Characters of a line that may be the title of what stands below it."""
_WORDS = frozenset({BlockKind.PROSE, BlockKind.ITEM})
_LABELS = frozenset({BlockKind.PROSE, BlockKind.FIELD})
_INTRODUCES = re.compile(
    r"\b(?:following|below|as follows|listed|(?:one|some|any) of (?:several|these|those|a few|the)|several|various"
    r"|folgende\w*|unten|mehrere|suivante?s?|ci-dessous|plusieurs|siguientes?|abajo|vari[oa]s|seguenti|следующ\w+)\b",
    re.IGNORECASE,
)
"""Said of what stands below, in English, German, French, Spanish, Italian and Russian."""
_EXAMPLE_LAST = re.compile(
    r"(?:\be\.g\.|\bfor (?:example|instance)|\bsuch as|\bz\. ?B\.|\bzum Beispiel|\bpar exemple|\bpor ejemplo"
    r"|\bad esempio|\bbijvoorbeeld|\bpor exemplo),?\Z",
    re.IGNORECASE,
)
"""At the end of words whose example stands below them."""
_BOLD = re.compile(r"(?P<marks>\*\*|__)(?!\s)[^\n]+(?P=marks)\W*")
"""A line that says what the code below it is: "**Default flag**"."""
_OLD_WORDS = re.compile(
    r"\W*(?:the )?(?:current(?:ly)?|existing|old|original|previous(?:ly)?|before|bisher\w*|alte[rs]?|texte actuel"
    r"|ancien\w*|(?:texto )?(?:actual|anterior)|(?:testo )?(?:attuale|precedente|vecchio)|huidige|oude|antigo)"
    r"(?: (?:text|wording|version|sentence|paragraph|rule|reads?|fassung|wortlaut|tekst))?\W*:",
    re.IGNORECASE,
)
"""How a paragraph opens that quotes what the next one changes: "Current text: ..."."""
_TAG = re.compile(r"</?\w[^<>]*>")
"""A line of markup before what it sets apart, as a box around a list."""


def introduction(text: str, blocks: Sequence[Block], held: Sequence[Block]) -> Sequence[Block]:
    """Return the block that introduces items or rows, as "provided that all of these hold:", if it is short enough.

    What items go on with may have no mark at its end: "The tenants shall not"; nor has what a table is called: "Day 1".
    """
    place = blocks.index(held[0])
    above = blocks[max(place - 1, 0) : place]
    is_list = held[0].kind in {BlockKind.ITEM, BlockKind.FIELD, BlockKind.TABLE}
    if not (is_list and above and above[0].kind in _WORDS) or text[above[0].end : held[0].top].strip():
        return ()  # the options of a directive are between its title and its rows
    words = text[above[0].start : above[0].end]
    has_label = held[0].kind in {BlockKind.ITEM, BlockKind.TABLE} and above[0].kind is BlockKind.PROSE
    goes_on = has_label and is_label(words)
    fits = held[-1].end - above[0].start <= MAX_PARAGRAPH_CHARACTERS
    return above if fits and (goes_on or words.endswith(COLONS)) else ()


def introduced(text: str, blocks: Sequence[Block], held: Sequence[Block], marked: str) -> list[Block]:
    """Return the blocks that the last words of a paragraph introduce: a list, a table, lines; as far as can be read."""
    last = blocks.index(held[-1])
    words = text[held[-1].start : held[-1].end]
    after = blocks[last + 1 :]
    if after and _TAG.fullmatch(text[after[0].start : after[0].end].strip()):
        after = after[1:]
    if _OLD_WORDS.match(words):
        return [one for one in _becoming(text, after) if one.end - held[0].start <= MAX_PARAGRAPH_CHARACTERS]
    below = list(after[:1])
    kind_below = below[0].kind if below and held[-1].kind is BlockKind.PROSE else None
    is_named = (kind_below is BlockKind.ITEM and is_label(words)) or (
        kind_below is BlockKind.CODE and _BOLD.fullmatch(words) is not None
    )
    is_said = (
        words.endswith(COLONS) or _EXAMPLE_LAST.search(words) or (words.endswith(marked) and _INTRODUCES.search(marked))
    )
    is_title = bool(below) and _leads(text, blocks, held)
    if held[-1].kind not in _WORDS or not (is_said or is_named or is_title):
        return []
    if is_title and not is_said and below[0].kind is BlockKind.PROSE:
        return below if below[0].end - held[0].start <= MAX_PARAGRAPH_CHARACTERS else []
    found: list[Block] = []
    has_labels = _introduces(text, *below)
    for block in after:
        # Changes with v1.2.1: / Additions: / a list / Fixes: / a list
        above = found[-1:]
        is_listed = has_labels and (_introduces(text, *above) or any(one.kind is block.kind for one in above))
        is_like = block.kind is not BlockKind.HEADING and (block.kind is after[0].kind or is_listed)
        is_line = block.kind is not BlockKind.PROSE or block.end - block.start <= LINE_CHARACTERS or not found
        if not (is_like and is_line and block.end - held[0].start <= MAX_PARAGRAPH_CHARACTERS):
            break
        found.append(block)
        if block.kind is BlockKind.PROSE and block.end - block.start > LINE_CHARACTERS:
            break
    while _introduces(text, *found[-1:]):
        found.pop()  # what introduces something that is not shown
    return found


def _becoming(text: str, after: Sequence[Block]) -> Sequence[Block]:
    """Return the block that holds the new words, and where it only introduces them the next one."""
    return after[: 2 if _introduces(text, *after[:1]) else 1]


def _introduces(text: str, *blocks: Block) -> bool:
    """Return whether the words of a block, if there is one, end in a colon: what it introduces stands below it."""
    return any(one.kind in _LABELS and text[: one.end].endswith(COLONS) for one in blocks)


def _leads(text: str, blocks: Sequence[Block], held: Sequence[Block]) -> bool:
    """Return whether a short paragraph says what the next block is: the only one between a heading and a list.

    So does a line of its own above a paragraph or rows, as titles are in plain texts.
    """
    place = blocks.index(held[0])
    above, below = blocks[max(place - 1, 0) : place], blocks[place + 1 : place + 2]
    if len(held) > 1 or held[0].kind is not BlockKind.PROSE or not below:
        return False
    words = text[held[0].start : held[0].end]
    if below[0].kind is BlockKind.ITEM:
        return len(words) <= LINE_CHARACTERS and bool(above) and above[0].kind is BlockKind.HEADING
    is_line = "\n" not in words and len(words) <= _MAX_TITLE
    is_text = below[0].kind is BlockKind.PROSE and below[0].end - below[0].start > _MAX_TITLE
    return is_line and (is_text or below[0].kind is BlockKind.TABLE)
