"""The parts of an evidence brief in reading order, for every format."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, groupby, pairwise, takewhile
from typing import NamedTuple

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Sha256, Source
from quaestor.evidence.block_lines import Block, BlockKind, wrapped_breaks
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.directive_tables import ROW
from quaestor.evidence.heading_blocks import without_emphasis
from quaestor.evidence.tables import TABLE_FILES
from quaestor.research.contracts.brief import AnswerProof, Brief, BriefPassage, CheckedAnswer
from quaestor.research.reports.fixed_words import ReportWords, report_words
from quaestor.research.views.source_names import source_names
from quaestor.views.escaping import quote_prose

_ROWS = frozenset({BlockKind.FIELD, BlockKind.CODE, BlockKind.TABLE})
"""Blocks of which each line stands for itself."""
_LINE_END = re.compile(r"\n(?=(?P<blanks>[ \t]*))")
_FEW_LINES = 12
_LINES_AROUND = 2
"""Lines on either side of a marked one that are shown of a paragraph with more."""
_WITH_EMPHASIS = frozenset({"text/markdown", "text/x-rst"})
_BELOW = " > "
"""Between a heading and the one below it."""
_BESIDE = "; "
"""Between two things that are said of a passage."""
_MAX_COLUMNS = 12
"""Names of columns that are shown above the rows of a table; of more each stands at its cell of the marked row."""


class MarkedRun(Immutable):
    """A run of a paragraph; a marked one is the quote of the passage with this number."""

    text: str
    number: int | None = None


_LEFT_OUT = (MarkedRun("…"),)


class MarkedParagraph(Immutable):
    """A paragraph with the passages that are marked in it, which share their source and their place."""

    passages: tuple[BriefPassage, ...]
    runs: tuple[MarkedRun, ...]
    source: Source
    name: str
    """What its document is called and of when it is, with where it is as far as others are called so too."""

    @property
    def first(self) -> BriefPassage:
        """The first of its passages."""
        return self.passages[0]

    @property
    def status(self) -> str:
        """What other texts and its document say of any of its passages, each thing once."""
        told = ""
        for status in (one.status for one in self.passages if one.status):
            if status not in told:
                rest = status.removeprefix(_common_beginning(told, status))
                told = f"{told}{_BESIDE}{rest}" if told else rest
        return told

    @property
    def absent(self) -> tuple[str, ...]:
        """The words of the part that the paragraph does not hold; beside a row none that another shown row has."""
        shown = self.first.context.text.casefold() if self.first.in_table else ""
        lacking = (word for word in self.first.absent if all(word in one.absent for one in self.passages))
        return tuple(word for word in lacking if word.casefold() not in shown)

    @property
    def lines(self) -> tuple[tuple[MarkedRun, ...], ...]:
        """Its lines as they are read: one of all its sentences, or each field, row of a table or item by itself.

        The marks with which Markdown and reStructuredText make words bold or italic, or links, are left out.
        """
        lines = self._own_lines() or (self.runs,)
        if self.source.media_type not in _WITH_EMPHASIS or any(one.kind is BlockKind.CODE for one in self._blocks):
            return lines
        return tuple(tuple(MarkedRun(without_emphasis(run.text), run.number) for run in line) for line in lines)

    @property
    def _blocks(self) -> list[Block]:
        return parse_blocks(self.first.context.text)

    def _own_lines(self) -> tuple[tuple[MarkedRun, ...], ...]:
        """Return the lines of which each stands for itself, as a field, a row of a table or an item; else none.

        Of many rows those near a marked one are shown and the first, and a sign where others are left out, also
        behind a list that goes on below. Above rows of a table whose names of columns are not among them, or are many,
        stand these names.
        """
        text, blocks = self.first.context.text, self._blocks
        is_rows = self.source.uri.endswith(TABLE_FILES) or _are_rows(text) or self._is_cut_from_table(blocks)
        if is_rows or (blocks and all(_is_lined(one, text) for one in blocks)):
            is_list = ROW.match(text) is not None
            ends = {one.end() for one in _LINE_END.finditer(text) if not is_list or ROW.match(text, one.end("blanks"))}
            heads = is_rows or any(block.kind is not BlockKind.ITEM for block in blocks)
            shown = tuple(_near_marked(_split(self.runs, ends), _unseen_columns(self.first), heads=heads))
        else:
            shown = tuple(_split(self.runs, set(_line_starts(blocks, text)))) if len(blocks) > 1 else ()
        return (*shown, _LEFT_OUT) if shown and self.first.list_goes_on and shown[-1] != _LEFT_OUT else shown

    def _is_cut_from_table(self, blocks: Sequence[Block]) -> bool:
        """Return whether its text is rows without the rule or the directive that shows that they are some."""
        is_table = any(block.kind is BlockKind.TABLE for block in blocks)
        return self.first.in_table is not None and not is_table and "\n\n" not in self.first.context.text

    @property
    def heading(self) -> str:
        """The headings that it stands under, without the title of its document, which is shown before them."""
        title, heading = self.source.title, self.first.heading
        return "" if heading == title else heading.removeprefix(f"{title}{_BELOW}")


class BriefPart(Immutable):
    """The paragraphs for one part of the question, or for the sides of a comparison."""

    key: str
    heading: str
    paragraphs: tuple[MarkedParagraph, ...]


class ShownChange(NamedTuple):
    """What is told of a change in words of a passage, and where."""

    text: str
    name: str


def _common_beginning(one: str, other: str) -> str:
    """Return what two statuses say alike first, as that of their document, with the mark behind it; no half quote."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(one.split(_BESIDE), other.split(_BESIDE), strict=False))
    begun = accumulate(f"{first}{_BESIDE}" for first, _ in alike)
    return max((each for each in begun if each.count("“") == each.count("”")), key=len, default="")


def _is_lined(block: Block, text: str) -> bool:
    is_item = block.kind is BlockKind.ITEM and "\n" not in text[block.start : block.end].strip()
    return block.kind in _ROWS or is_item


def _are_rows(text: str) -> bool:
    """Return whether a text is rows of a table without the rule that shows it, as those around a quoted one."""
    return "\n" in text and all("|" in line for line in text.split("\n"))


def _unseen_columns(passage: BriefPassage) -> str:
    """Return the names of the columns of a passage in a table; nothing where its paragraph has them all.

    Nobody counts commas: of a wide table they stand with the cells of the marked row that hold something.
    """
    cells = passage.in_table.cells if passage.in_table else ()
    if len(cells) > _MAX_COLUMNS:
        return "; ".join(f"{cell.column}: {cell.value}" for cell in cells if cell.value)
    names = [cell.column for cell in cells]
    return "" if all(name in passage.context.text for name in names) else ", ".join(names)


def _line_starts(blocks: Iterable[Block], text: str) -> Iterator[int]:
    """Yield where the blocks of a text begin, and the lines of those of which each line stands for itself."""
    for block in blocks:
        yield block.top
        if _is_lined(block, text):
            yield from (place for place in range(block.top + 1, block.bottom) if text[place - 1] == "\n")


def _split(runs: Iterable[MarkedRun], starts: AbstractSet[int]) -> list[tuple[MarkedRun, ...]]:
    """Return the runs of a text as lines that begin at these places of it."""
    lines: list[list[MarkedRun]] = [[]]
    place = 0
    for run in runs:
        cuts = [cut - place for cut in sorted(starts) if place < cut < place + len(run.text)]
        if place in starts:
            lines.append([])
        for number, (start, end) in enumerate(pairwise((0, *cuts, len(run.text)))):
            if number:
                lines.append([])
            words, ends_line = run.text[start:end], end < len(run.text) or place + end in starts
            lines[-1].append(MarkedRun(words.rstrip() if ends_line else words, run.number))
        place += len(run.text)
    shown = (tuple(run for run in line if run.text.strip()) for line in lines)
    return [line for line in shown if line]


def _near_marked(
    lines: Sequence[tuple[MarkedRun, ...]], columns: str, *, heads: bool
) -> Iterator[tuple[MarkedRun, ...]]:
    """Yield all lines of a list, and of few; of many rows those near a marked one, and the first if it `heads` them.

    `columns` are names that stand further up, which come before all lines.
    """
    marked = [place for place, line in enumerate(lines) if any(run.number is not None for run in line)]
    last = -1
    if columns:
        yield (MarkedRun(columns),)
        last = -2  # what is between these names and the first line is left out
    for place, line in enumerate(lines):
        near = any(abs(place - one) <= _LINES_AROUND for one in marked)
        if near or not heads or len(lines) <= _FEW_LINES or (place == 0 and not columns):
            if place > last + 1:
                yield _LEFT_OUT
            yield line
            last = place
    if last < len(lines) - 1:
        yield _LEFT_OUT


def brief_parts(brief: Brief) -> tuple[BriefPart, ...]:
    """Return the parts in the order of reading; passages of one paragraph that follow each other are one paragraph."""
    words = report_words(brief.language)
    sources = {source.sha256: source for source in brief.sources}
    names = source_names(brief.sources, words)
    grouped = groupby(brief.passages, key=lambda one: _part_heading(one, brief.question, words))
    return tuple(
        BriefPart(f"part-{place}", heading, tuple(_paragraphs(tuple(passages), sources, names)))
        for place, (heading, passages) in enumerate(grouped, 1)
    )


def brief_changes(brief: Brief, *, only_later: bool) -> Iterator[ShownChange]:
    """Yield the sentences that tell of a change, or those that are `only_later`, each with its document's name.

    What is only later is so than one passage: it may be earlier than another one.
    """
    sources = {source.sha256: source for source in brief.sources}
    words = report_words(brief.language)
    names = source_names(brief.sources, words)
    for one in brief.changes:
        if one.only_later is not only_later:
            continue
        source = sources[one.said.source]
        is_marked_up = source.media_type in _WITH_EMPHASIS
        text = without_emphasis(one.said.text) if is_marked_up else one.said.text
        name = names[source.sha256]
        is_under = one.heading and one.heading not in name
        place = f"{name}, {one.heading}" if is_under else name
        than = f"; {words.later_than.format(number=one.passage)}" if only_later else ""
        yield ShownChange(quote_prose(text), f"{place}{than}")


def _part_heading(passage: BriefPassage, question: str, words: ReportWords) -> str:
    """Return the heading over a passage; that of a part which is the whole question is not the title again."""
    if passage.side is not None:
        return words.side_by_side
    return words.passages if passage.part == question else passage.part


def answer_label(proof: AnswerProof, words: ReportWords) -> str:
    """Return what a direct answer is: its kind, and what the text calls it, or how a date was chosen."""
    kinds = {
        CheckedAnswer.FIELD: words.field,
        CheckedAnswer.DATE: words.date,
        CheckedAnswer.LIST: words.list,
        CheckedAnswer.COUNT: words.count,
        CheckedAnswer.CALCULATION: words.calculation,
    }
    label = words.date_proof if proof.kind is CheckedAnswer.DATE else proof.label
    return f"{kinds[proof.kind]} ({label})"


def _paragraphs(
    passages: tuple[BriefPassage, ...], sources: Mapping[Sha256, Source], names: Mapping[Sha256, str]
) -> Iterator[MarkedParagraph]:
    for _, together in groupby(passages, key=lambda one: (one.side, one.context.source, one.context.start)):
        group = tuple(together)
        source = sources[group[0].source]
        yield MarkedParagraph(group, tuple(_runs(group)), source, names[source.sha256])


def _runs(passages: tuple[BriefPassage, ...]) -> Iterator[MarkedRun]:
    """Cut a paragraph into what is marked and what is not."""
    context = passages[0].context
    text = _flowing(context.text)
    place = context.start
    for passage in sorted(passages, key=lambda one: one.start):
        if passage.start < place:
            continue
        if passage.start > place:
            yield MarkedRun(text[place - context.start : passage.start - context.start])
        yield MarkedRun(text[passage.start - context.start : passage.end - context.start], passage.number)
        place = passage.end
    if place < context.end:
        yield MarkedRun(text[place - context.start :])


def _flowing(text: str) -> str:
    """Return a paragraph with a blank for each line break at which its prose flows on; all places stay the same."""
    letters = list(text)
    for block in parse_blocks(text):
        if block.kind in {BlockKind.PROSE, BlockKind.ITEM}:
            for place in wrapped_breaks(text, block.start, block.end):
                letters[place] = " "
    return "".join(letters)
