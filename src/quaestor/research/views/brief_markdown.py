"""An evidence brief as Markdown (CommonMark). No text of a source can become structure, a link or HTML in it."""

from collections.abc import Iterable, Sequence

from quaestor.research.contracts.brief import Brief, BriefDifference
from quaestor.research.reports.fixed_words import ReportWords, report_words
from quaestor.research.views.brief_outline import (
    BriefPart,
    MarkedParagraph,
    MarkedRun,
    ShownChange,
    answer_label,
    brief_changes,
    brief_parts,
)
from quaestor.research.views.report_markdown import citation_marks, list_block, section_blocks, source_line
from quaestor.research.views.report_outline import place_label, production_facts
from quaestor.views.escaping import escape_markdown, escape_markdown_inline, quote_prose


def render_brief_markdown(brief: Brief) -> str:
    """Render a brief; the text ends with a line end and is the same to the byte for the same brief."""
    parts, words = brief_parts(brief), report_words(brief.language)
    blocks = (
        f"> {words.brief_notice}",
        f"# {escape_markdown(brief.question)}",
        *([f"**{words.partial_brief}** {escape_markdown(brief.partial)}"] if brief.partial else []),
        *_answer(brief, words),
        *section_blocks(words.absent_heading, list_block(escape_markdown(gap) for gap in brief.gaps)),
        *section_blocks(words.differences, list_block(_difference(one, words) for one in brief.differences)),
        *(block for part in parts for block in _part(part, words)),
        *section_blocks(words.changes, list_block(_change(one) for one in brief_changes(brief, only_later=False))),
        *section_blocks(words.said_later, list_block(_change(one) for one in brief_changes(brief, only_later=True))),
        *section_blocks(words.sources, list_block(source_line(source, words) for source in brief.sources)),
        *section_blocks(
            words.making, list_block(f"{name}: {escape_markdown(value)}" for name, value in _facts(brief, words))
        ),
    )
    return "\n\n".join(blocks) + "\n"


def _answer(brief: Brief, words: ReportWords) -> list[str]:
    if brief.answer is None or brief.answer_proof is None:
        return []
    label, text = escape_markdown(answer_label(brief.answer_proof, words)), escape_markdown_inline(brief.answer)
    rows = (f"{escape_markdown(row.name)}: {escape_markdown_inline(row.quote.text)}" for row in brief.answer_proof.rows)
    return [f"**{label}:** {text}{citation_marks(brief.answer_proof.passages)}", *list_block(rows)]


def _part(part: BriefPart, words: ReportWords) -> list[str]:
    return [f"## {escape_markdown(part.heading)}", *(_paragraph(one, words) for one in part.paragraphs)]


def _paragraph(paragraph: MarkedParagraph, words: ReportWords) -> str:
    """Return the document with its status, what the paragraph does not hold, and then its marked sentences."""
    first = paragraph.first
    named = f"**{escape_markdown_inline(paragraph.name)}**"
    under = f", {words.under} “{escape_markdown_inline(paragraph.heading)}”" if paragraph.heading else ""
    side = f"{escape_markdown(first.side)}: " if first.side else ""
    labels = dict.fromkeys(place_label(each, paragraph.source, words) for each in paragraph.passages)
    named_places = "; ".join(escape_markdown_inline(label) for label in labels if label)
    places = f", {named_places}" if named_places else ""
    status = f" — *{escape_markdown_inline(paragraph.status)}*" if paragraph.status else ""
    absent = ", ".join(f"“{escape_markdown_inline(word)}”" for word in paragraph.absent)
    lines = [
        f"{side}{named}{places}{under}{status}{citation_marks(one.number for one in paragraph.passages)}",
        *(["", words.not_in_it.format(words=absent)] if absent else []),
        "",
        f"> {_lined(paragraph.lines)}",
    ]
    return "\n".join(lines)


def _marked(runs: Iterable[MarkedRun]) -> str:
    """Return a paragraph on one line, what is marked in bold; a blank at the edge of a run stays outside the bold."""
    written = ""
    for run in runs:
        line = run.text if run.number is None else quote_prose(run.text)
        words = escape_markdown(line) if not written else escape_markdown_inline(line)
        text = f"**{words}**" if run.number is not None and words else words
        gap = " " if written and (run.text[:1].isspace() or written.endswith("\0")) else ""
        trailing = "\0" if run.text[-1:].isspace() else ""
        written = f"{written.removesuffix(chr(0))}{gap}{text}{trailing}"
    return written.removesuffix("\0")


def _lined(lines: Iterable[Sequence[MarkedRun]]) -> str:
    """Return lines that stay apart in Markdown, what is marked in bold."""
    return "\\\n> ".join(map(_marked, lines))


def _difference(difference: BriefDifference, words: ReportWords) -> str:
    sides = (
        f"“{escape_markdown_inline(value)}”{citation_marks([number])}"
        for value, number in zip(difference.values, difference.passages, strict=True)
    )
    return f"**{escape_markdown(difference.subject)}**: {f' {words.and_} '.join(sides)}"


def _change(change: ShownChange) -> str:
    said = f"“{escape_markdown_inline(change.text)}”"
    return f"{said} ({escape_markdown_inline(change.name)})"


def _facts(brief: Brief, words: ReportWords) -> tuple[tuple[str, str], ...]:
    return production_facts(brief.making, words)
