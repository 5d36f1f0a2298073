"""The report as notes: a folder for Obsidian, and a document for Quarto."""

import json
import re

from quaestor.contracts.export import ExportedFiles, ExportedStatement, ExportMaterial
from quaestor.contracts.source import Quote, Source
from quaestor.views.escaping import escape_markdown, one_line, replace_hidden
from quaestor.views.exports.references import write_bibtex

_NO_FILE_NAME = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f%]+')
_NAME_CHARACTERS = 80


def write_obsidian(material: ExportMaterial) -> ExportedFiles:
    """Write a folder of notes: the report, and one note for each source with its quotes, linked both ways."""
    report = _note_name(material.title) or "Report"
    properties = _front_matter(
        {"question": material.question, "session": material.session_id, "version": material.version}
    )
    links = "".join(f"- [[sources/{_source_name(source)}|{_link_text(source.title)}]]\n" for source in material.sources)
    listed = f"\n## Notes of the sources\n\n{links}" if links else ""
    notes = {f"{report}.md": f"{properties}{material.markdown.rstrip()}\n{listed}"}
    for source in material.sources:
        notes[f"sources/{_source_name(source)}.md"] = _source_note(material, source, report)
    return {path: text.encode() for path, text in notes.items()}


def write_quarto(material: ExportMaterial) -> ExportedFiles:
    """Write a Quarto document beside the bibliography of its sources."""
    day = material.written_at.date().isoformat()
    properties = _front_matter({"title": material.title, "date": day, "bibliography": "references.bib", "nocite": "@*"})
    text = f"{properties}{material.markdown.rstrip()}\n\n::: {{#refs}}\n:::\n"
    return {"report.qmd": text.encode(), **write_bibtex(material)}


def _source_note(material: ExportMaterial, source: Source, report: str) -> str:
    properties = _front_matter(
        {
            "title": one_line(source.title),
            "url": one_line(source.uri),
            "retrieved": source.retrieved_at.date().isoformat(),
            "sha256": source.sha256,
        }
    )
    quoted = "".join(
        f"{_block_quote(quote)}\n{_cited_in(statement, quote)}([[{report}]], {statement.number})\n\n"
        for statement in material.statements
        for quote in statement.quotes
        if quote.source == source.sha256
    )
    return f"{properties}# {escape_markdown(source.title)}\n\n{quoted}"


def _cited_in(statement: ExportedStatement, quote: Quote) -> str:
    """Return what the report says with a quote; nothing where it is the quote itself, as in a brief."""
    return "" if statement.text == quote.text else f"{escape_markdown(statement.text)} "


def _block_quote(quote: Quote) -> str:
    lines = replace_hidden(quote.text).splitlines()
    return "".join(f"> {escape_markdown(line)}\n" for line in lines)


def _front_matter(values: dict[str, str | int]) -> str:
    """Return properties as YAML, in which every JSON text is a value."""
    lines = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items())
    return f"---\n{lines}---\n\n"


def _source_name(source: Source) -> str:
    return f"{_note_name(source.title) or 'Source'} {source.sha256[:8]}"


def _note_name(title: str) -> str:
    """Return a title as the name of a file on every system."""
    return " ".join(_NO_FILE_NAME.sub(" ", one_line(title)).split())[:_NAME_CHARACTERS].strip(" .")


def _link_text(title: str) -> str:
    return re.sub(r"[\[\]|]", " ", one_line(title))
