"""An evidence brief as Markdown (CommonMark). No text of a source can become structure, a link or HTML in it."""

from collections.abc import Iterable

from quaestor.research.contracts.brief import Brief, BriefDifference
from quaestor.research.views.brief_outline import (
    BRIEF_NOTICE,
    BriefPart,
    MarkedParagraph,
    MarkedRun,
    answer_label,
    brief_parts,
)
from quaestor.research.views.report_markdown import source_line
from quaestor.research.views.report_outline import production_facts
from quaestor.views.escaping import escape_markdown, escape_markdown_inline, quote_line


def render_brief_markdown(brief: Brief) -> str:
    """Render a brief; the text ends with a line end and is the same to the byte for the same brief."""
    parts = brief_parts(brief)
    blocks = (
        f"> {BRIEF_NOTICE}",
        f"# {escape_markdown(brief.question)}",
        *([f"**Partial brief.** {escape_markdown(brief.partial)}"] if brief.partial else []),
        *_answer(brief),
        *_group("What no passage holds", _list(escape_markdown(gap) for gap in brief.gaps)),
        *_group("Values that differ", _list(_difference(one) for one in brief.differences)),
        *(block for part in parts for block in _part(part)),
        *_group("Sources", _list(source_line(source) for source in brief.sources)),
        *_group("How this was made", _list(f"{name}: {escape_markdown(value)}" for name, value in _facts(brief))),
    )
    return "\n\n".join(blocks) + "\n"


def _answer(brief: Brief) -> list[str]:
    if brief.answer is None or brief.answer_proof is None:
        return []
    label, text = escape_markdown(answer_label(brief.answer_proof)), escape_markdown_inline(brief.answer)
    rows = (f"{escape_markdown(row.name)}: {escape_markdown_inline(row.quote.text)}" for row in brief.answer_proof.rows)
    return [f"**{label}:** {text}{_markers(brief.answer_proof.passages)}", *_list(rows)]


def _part(part: BriefPart) -> list[str]:
    return [f"## {escape_markdown(part.heading)}", *(_paragraph(one) for one in part.paragraphs)]


def _paragraph(paragraph: MarkedParagraph) -> str:
    """Return the document with its standing, the paragraph with its marked sentences, and what it does not hold."""
    first = paragraph.first
    named = f"**{escape_markdown(paragraph.name)}**"
    under = f", under “{escape_markdown_inline(first.heading)}”" if first.heading else ""
    side = f"{escape_markdown(first.side)}: " if first.side else ""
    standing = f" — *{escape_markdown_inline(first.status)}*" if first.status else ""
    absent = ", ".join(f"“{escape_markdown_inline(word)}”" for word in paragraph.absent)
    lines = [
        f"{side}{named}{under}{standing}{_markers(one.number for one in paragraph.passages)}",
        "",
        f"> {_marked(paragraph.runs)}",
        *(["", f"Not in it: {absent}."] if absent else []),
    ]
    return "\n".join(lines)


def _marked(runs: Iterable[MarkedRun]) -> str:
    """Return a paragraph on one line, what is marked in bold; a blank at the edge of a run stays outside the bold."""
    written = ""
    for run in runs:
        line = run.text if run.number is None else quote_line(run.text)
        words = escape_markdown(line) if not written else escape_markdown_inline(line)
        text = f"**{words}**" if run.number is not None and words else words
        gap = " " if written and (run.text[:1].isspace() or written.endswith("\0")) else ""
        trailing = "\0" if run.text[-1:].isspace() else ""
        written = f"{written.removesuffix(chr(0))}{gap}{text}{trailing}"
    return written.removesuffix("\0")


def _difference(difference: BriefDifference) -> str:
    sides = (
        f"“{escape_markdown_inline(value)}”{_markers([number])}"
        for value, number in zip(difference.values, difference.passages, strict=True)
    )
    return f"**{escape_markdown(difference.subject)}**: {' and '.join(sides)}"


def _facts(brief: Brief) -> tuple[tuple[str, str], ...]:
    return production_facts(brief.making)


def _group(heading: str, blocks: Iterable[str]) -> list[str]:
    found = list(blocks)
    return [f"## {heading}", *found] if found else []


def _list(items: Iterable[str]) -> list[str]:
    lines = [f"- {item}" for item in items]
    return ["\n".join(lines)] if lines else []


def _markers(numbers: Iterable[int]) -> str:
    markers = "".join(f"[{number}]" for number in numbers)
    return f" {markers}" if markers else ""
